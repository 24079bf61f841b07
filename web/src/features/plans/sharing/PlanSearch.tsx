import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { SimpleGrid, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { type CataloguePlan, type Provider, perCycle } from '#domain/catalogue.ts'
import { planName } from '#domain/plan-name.ts'
import { OwnPlanTile } from '#features/plans/catalogue/OwnPlanTile.tsx'
import { RequestProviderTile } from '#features/plans/catalogue/RequestProviderTile.tsx'
import { TilesSkeleton } from '#features/plans/catalogue/TilesSkeleton.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { Money } from '#ui/Money.tsx'
import classes from './PlanSearch.module.css'
import { searchPlans } from './search-plans.ts'

interface PlanSearchProps {
  /** The providers of which the person does not share a plan yet; undefined while they load. */
  providers: readonly Provider[] | undefined
  /** The providers of which the person already shares a plan. */
  shared: ReadonlySet<string>
  onPick: (picked: { provider: Provider; plan: CataloguePlan }) => void
  /** Shown while the search is empty. */
  children: ReactNode
}

/** A search for the plan to share. Choosing a plan skips the steps for category, provider and plan. */
export function PlanSearch({ providers, shared, onPick, children }: PlanSearchProps) {
  const [search, setSearch] = useState('')
  const wanted = search.trim()
  const found = searchPlans(providers ?? [], wanted)
  const own = [...shared].find((name) => name.toLowerCase().includes(wanted.toLowerCase()))
  return (
    <>
      <TextInput
        type="search"
        name="plan"
        size="md"
        mb="md"
        maw={520}
        aria-label={t`Search services`}
        placeholder={t`Netflix, Spotify…`}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {wanted === '' ? (
        children
      ) : !providers ? (
        <TilesSkeleton />
      ) : (
        <>
          <Text c="dimmed" role="status" mb="sm">
            {found.length > 0 ? (
              plural(found.length, { one: '# plan', other: '# plans' })
            ) : (
              <NothingFound search={search} own={own} />
            )}
          </Text>
          <ul className={classes.found}>
            {found.map(({ provider, plan }) => (
              <li key={plan.id}>
                <UnstyledButton className={classes.plan} onClick={() => onPick({ provider, plan })}>
                  <span aria-hidden="true">
                    <ProviderLogo provider={provider.name} size="line" />
                  </span>
                  <span className={classes.name}>
                    {provider.name} {planName(plan.name)}
                  </span>
                  <Money amount={plan.price} per={perCycle(plan.cycle)} fw={650} />
                </UnstyledButton>
              </li>
            ))}
          </ul>
          <SimpleGrid cols={2} maw={520} mt="md">
            <OwnPlanTile service={wanted} />
            {found.length === 0 && !own && <RequestProviderTile category="all" />}
          </SimpleGrid>
        </>
      )}
    </>
  )
}

function NothingFound({ search, own }: { search: string; own: string | undefined }) {
  return own ? (
    <Trans>You share a plan of {own} already, and can share one of each provider.</Trans>
  ) : (
    <Trans>No provider matches "{search.trim()}".</Trans>
  )
}
