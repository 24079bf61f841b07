import { plural, t } from '@lingui/core/macro'
import { Skeleton, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CATEGORY_CHOICES, categoryLabel } from '#domain/catalogue.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import classes from './MarketSteps.module.css'
import type { ProviderCount } from './market.queries.ts'
import { plansIn, providersWithPlans } from './market-filters.ts'
import type { MarketSearch } from './market-search.ts'

interface MarketStepsProps {
  search: MarketSearch
  /** Undefined while loading. */
  counts: ProviderCount[] | undefined
}

/**
 * Narrows the list of plans in two steps: to a category, then to one of its providers. Each choice is a link; following
 * the link of an active choice removes that choice.
 */
export function MarketSteps({ search, counts }: MarketStepsProps) {
  const { category, service } = search
  const within = category ?? 'all'
  const providers = providersWithPlans(counts ?? [], within)
  // The URL may contain a provider without shared plans.
  const isListed = providers.some(({ name }) => name === service)
  const shown = service && !isListed ? [{ name: service, plans: 0 }, ...providers] : providers
  const categories = CATEGORY_CHOICES.map((choice) => ({ choice, plans: counts && plansIn(counts, choice) }))
  return (
    <>
      <Step title={t`Choose a category`}>
        {categories
          .filter(({ choice, plans }) => plans !== 0 || choice === category)
          .map(({ choice, plans }) => (
            <Choice
              key={choice}
              search={{ ...search, category: choice === category ? undefined : choice, service: undefined }}
              chosen={choice === category}
              plans={plans}
            >
              {categoryLabel(choice)}
            </Choice>
          ))}
      </Step>
      {(category || service) && (
        <Step title={t`Choose a provider`}>
          {shown.map(({ name, plans }) => (
            <Choice
              key={name}
              search={{ ...search, service: name === service ? undefined : name }}
              chosen={name === service}
              plans={counts && plans}
            >
              <ProviderLogo provider={name} size="xs" />
              {name}
            </Choice>
          ))}
          {!counts && (
            <li>
              <Skeleton width={160} height={44} radius="xl" />
            </li>
          )}
        </Step>
      )}
    </>
  )
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} size="sm" ff="text" fw={600} c="dimmed" mb={4}>
        {title}
      </Title>
      <ul className={classes.choices}>{children}</ul>
    </section>
  )
}

/** Scrolls the row, but not the page, to a chosen link. */
function showInRow(link: HTMLAnchorElement | null): void {
  const row = link?.closest('ul')
  if (link && row) row.scrollLeft = link.offsetLeft - row.clientWidth / 4
}

interface ChoiceProps {
  search: MarketSearch
  chosen: boolean
  /** Undefined while loading. */
  plans: number | undefined
  children: ReactNode
}

function Choice({ search, chosen, plans, children }: ChoiceProps) {
  return (
    <li>
      <Link
        to="/plans"
        search={search}
        resetScroll={false}
        ref={chosen ? showInRow : undefined}
        className={classes.choice}
        data-step
        data-chosen={chosen || undefined}
      >
        {children}{' '}
        {plans !== undefined && (
          <Text span size="sm" {...(!chosen && { c: 'dimmed' })}>
            <span aria-hidden>{plans}</span>
            <VisuallyHidden>{plural(plans, { one: '# plan', other: '# plans' })}</VisuallyHidden>
          </Text>
        )}
        {chosen && (
          <>
            <IconX size={16} aria-hidden /> <VisuallyHidden>{t`Remove`}</VisuallyHidden>
          </>
        )}
      </Link>
    </li>
  )
}
