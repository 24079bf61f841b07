import { plural, t } from '@lingui/core/macro'
import { Button, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { CATEGORY_CHOICES, type CategoryChoice, categoryLabel } from '#domain/catalogue.ts'
import { useBrowseLive } from '#features/plans/browse/browse.live.ts'
import { browseTexts } from '#features/plans/browse/browse.messages.ts'
import { type ProviderCount, planCountsQuery } from '#features/plans/browse/market.queries.ts'
import { availableText, countIn, providersWithPlans } from '#features/plans/browse/market-filters.ts'
import { CategoryPicker } from '#features/plans/catalogue/CategoryPicker.tsx'
import { ProviderPicker } from '#features/plans/catalogue/ProviderPicker.tsx'
import { TilesSkeleton } from '#features/plans/catalogue/TilesSkeleton.tsx'
import { WizardFailure } from '#features/plans/catalogue/WizardFailure.tsx'
import { WizardFrame } from '#features/plans/catalogue/WizardFrame.tsx'
import { ProviderTile } from '#features/plans/providers/ProviderTile.tsx'
import { given } from '#lib/search.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkButton } from '#ui/links.tsx'

export const Route = createFileRoute('/_shell/_signed-in/available-subscriptions')({
  validateSearch: z.object({
    category: given(z.enum(CATEGORY_CHOICES)),
    /** `provider` is a provider's name, `q` a part of any name. Either skips the steps and shows the plans. */
    provider: given(z.coerce.string()),
    q: given(z.coerce.string()),
  }),
  beforeLoad: ({ search: { category, provider, q } }) => {
    if (provider || q) throw redirect({ to: '/plans', search: { category, service: provider, q } })
  },
  loader: ({ context: { queryClient: cache } }) => {
    void cache.prefetchQuery(planCountsQuery)
  },
  component: Browse,
})

/** The steps to find a plan: a category, a provider, then the list of plans filtered by both. */
function Browse() {
  const { category } = Route.useSearch()
  const navigate = Route.useNavigate()
  useBrowseLive()
  return (
    <WizardFrame
      title={t`Browse Plans`}
      steps={3}
      step={category ? 2 : 1}
      heading={category ? t`Choose a provider` : t`Choose a category`}
      hint={category && category !== 'all' && categoryLabel(category)}
      back={category && { label: t`Categories`, onBack: () => void navigate({ search: {} }) }}
      corner={
        <LinkButton to="/create" radius="xl" size="lg" leftSection={<IconPlus size={20} aria-hidden />}>
          {t`Share a plan`}
        </LinkButton>
      }
    >
      <Search />
      <Loaded
        of={useQuery(planCountsQuery)}
        pending={<TilesSkeleton />}
        failed={(problem, retry, busy) => (
          <WizardFailure title={browseTexts.failed} problem={problem} busy={busy} onRetry={retry} />
        )}
      >
        {(counts) => <Picker category={category} counts={counts} />}
      </Loaded>
    </WizardFrame>
  )
}

/** A search field for plans by name, which skips the steps. */
function Search() {
  const navigate = Route.useNavigate()
  const [typed, setTyped] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void navigate({ to: '/plans', search: { q: typed.trim() || undefined } })
      }}
    >
      <TextInput
        type="search"
        mb="lg"
        maw={520}
        aria-label={t`Search by service or plan`}
        placeholder={t`Search by service or plan`}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </form>
  )
}

interface PickerProps {
  category: CategoryChoice | undefined
  counts: ProviderCount[]
}

function Picker({ category, counts }: PickerProps) {
  const navigate = Route.useNavigate()
  const within = countIn(counts, category ?? 'all')
  if (within.plans === 0)
    return (
      <EmptyState
        title={browseTexts.empty}
        action={
          <LinkButton to="/create" variant="light">
            {t`Share a Subscription`}
          </LinkButton>
        }
      >
        {t`Be the first to share one.`}
      </EmptyState>
    )
  if (!category)
    return (
      <CategoryPicker
        captionOf={(choice) => availableText(countIn(counts, choice))}
        providersOf={(choice) => providersWithPlans(counts, choice)}
        onPick={(choice) => void navigate({ search: { category: choice } })}
      />
    )
  const show = (service?: string) =>
    void navigate({ to: '/plans', search: { category: category === 'all' ? undefined : category, service } })
  return (
    <>
      <Button variant="light" mb="md" onClick={() => show()}>
        {within.plans === 1
          ? t`Show the only plan`
          : t`Show all ${plural(within.plans, { one: '# plan', other: '# plans' })}`}
      </Button>
      <ProviderPicker items={providersWithPlans(counts, category)}>
        {({ name, ...count }) => (
          <ProviderTile provider={name} caption={availableText(count)} onPick={() => show(name)} />
        )}
      </ProviderPicker>
    </>
  )
}
