import { Button, Switch } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { counted } from '#domain/plural.ts'
import { WaitingLine } from '#features/joining/waiting-list/WaitingLine.tsx'
import { useWaitingListsLive } from '#features/joining/waiting-list/waiting-list.live.ts'
import { AvailablePlans } from '#features/plans/browse/AvailablePlans.tsx'
import { useBrowseLive } from '#features/plans/browse/browse.live.ts'
import { browseTexts } from '#features/plans/browse/browse.messages.ts'
import { type ProviderCount, planCountsQuery } from '#features/plans/browse/browse.queries.ts'
import {
  availableText,
  type BrowseSearch,
  type BrowseStep,
  browseBack,
  browseSearchSchema,
  browseStep,
  browseTitle,
  countIn,
  EVERY_PROVIDER,
  providersWithPlans,
} from '#features/plans/browse/browse-wizard.ts'
import { CategoryPicker } from '#features/plans/catalogue/CategoryPicker.tsx'
import { ProviderPicker } from '#features/plans/catalogue/ProviderPicker.tsx'
import { TilesSkeleton } from '#features/plans/catalogue/TilesSkeleton.tsx'
import { WizardFailure } from '#features/plans/catalogue/WizardFailure.tsx'
import { WizardFrame } from '#features/plans/catalogue/WizardFrame.tsx'
import { ProviderTile } from '#features/plans/providers/ProviderTile.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkButton } from '#ui/links.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { AskingCost } from '../-AskingCost.tsx'
import { brandOf } from '../-brand.tsx'
import { Level } from '../-Level.tsx'
import { useStanding } from '../-use-standing.ts'

export const Route = createFileRoute('/_shell/_signed-in/available-subscriptions')({
  validateSearch: browseSearchSchema,
  loader: ({ context: { queryClient: cache } }) => {
    void cache.prefetchQuery(planCountsQuery)
  },
  component: Browse,
})

function Browse() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const step = browseStep(search)
  const back = browseBack(search)
  useBrowseLive()
  return (
    <WizardFrame
      title="Browse Plans"
      steps={3}
      {...browseTitle(step)}
      back={back ? { label: back.label, onBack: () => void navigate({ search: back.search }) } : undefined}
      corner={
        <LinkButton to="/create" radius="xl" size="lg" leftSection={<IconPlus size={20} aria-hidden />}>
          Share a plan
        </LinkButton>
      }
    >
      <SearchField
        label="Search by provider or plan"
        value={search.q ?? ''}
        onSearch={(q) =>
          void navigate({ search: (now) => ({ ...now, q: q || undefined }), replace: search.q !== undefined })
        }
      />
      {step.at === 'plans' && (
        <Switch
          mb="lg"
          label="Instant only"
          description="Plans that let you in as soon as you ask."
          checked={step.instant}
          onChange={({ currentTarget: { checked } }) =>
            void navigate({ search: (now) => ({ ...now, instant: checked || undefined }), replace: true })
          }
        />
      )}
      {step.at === 'plans' ? <Plans step={step} /> : <Choices step={step} />}
    </WizardFrame>
  )
}

function Choices({ step }: { step: Exclude<BrowseStep, { at: 'plans' }> }) {
  return (
    <Loaded
      of={useQuery(planCountsQuery)}
      pending={<TilesSkeleton />}
      failed={(problem, retry, busy) => (
        <WizardFailure title={browseTexts.failed} problem={problem} busy={busy} onRetry={retry} />
      )}
    >
      {(counts) => <Picker step={step} counts={counts} />}
    </Loaded>
  )
}

function Picker({ step, counts }: { step: Exclude<BrowseStep, { at: 'plans' }>; counts: ProviderCount[] }) {
  const navigate = Route.useNavigate()
  const choose = (choices: BrowseSearch) => void navigate({ search: choices })
  const within = countIn(counts, step.at === 'category' ? 'all' : step.category)
  if (within.plans === 0) return <NothingHere />
  if (step.at === 'category')
    return (
      <CategoryPicker
        captionOf={(choice) => availableText(countIn(counts, choice))}
        onPick={(category) => choose({ category })}
      />
    )
  const { category } = step
  return (
    <>
      <Button variant="light" mb="md" onClick={() => choose({ category, provider: EVERY_PROVIDER })}>
        {within.plans === 1 ? 'Show the only plan' : `Show all ${counted(within.plans, 'plan')}`}
      </Button>
      <ProviderPicker items={providersWithPlans(counts, category)}>
        {({ name, ...count }) => (
          <ProviderTile
            provider={name}
            caption={availableText(count)}
            onPick={() => choose({ category, provider: name })}
          />
        )}
      </ProviderPicker>
    </>
  )
}

function Plans({ step }: { step: Extract<BrowseStep, { at: 'plans' }> }) {
  const { user } = Route.useRouteContext()
  const standing = useStanding(user.id)
  useWaitingListsLive(user.id)
  const { category, provider, search, instant } = step
  return (
    <AvailablePlans
      userId={user.id}
      wish={{ category, provider, search, instant }}
      standing={standing}
      brandOf={brandOf}
      lineOf={(plan, full) => <WaitingLine plan={plan} userId={user.id} full={full} />}
      levelOf={({ ownerId, ownerName }) => <Level userId={ownerId} name={ownerName} />}
      costOf={(plan, draft, change, atOnce) => (
        <AskingCost userId={user.id} plan={plan} draft={draft} change={change} atOnce={atOnce} />
      )}
      empty={instant ? <NothingInstant /> : <NothingHere provider={provider} search={search} />}
      failure={(problem, retry, busy) => (
        <WizardFailure title={browseTexts.failed} problem={problem} busy={busy} onRetry={retry} />
      )}
    />
  )
}

function NothingInstant() {
  return (
    <EmptyState
      title={browseTexts.noInstant}
      action={
        <LinkButton variant="light" from={Route.fullPath} search={(now) => ({ ...now, instant: undefined })}>
          Show all plans
        </LinkButton>
      }
    >
      On the others the owner answers your request, within {LIMITS.requestLifetimeHours} hours.
    </EmptyState>
  )
}

function NothingHere({ provider, search }: { provider?: string | undefined; search?: string }) {
  if (search)
    return (
      <EmptyState
        title={browseTexts.noHits(search)}
        action={
          <LinkButton to="/available-subscriptions" variant="light">
            Browse all plans
          </LinkButton>
        }
      >
        Check the spelling, or try a shorter name.
      </EmptyState>
    )
  return (
    <EmptyState
      title={browseTexts.empty}
      action={
        <LinkButton to="/create" variant="light">
          Share a Subscription
        </LinkButton>
      }
    >
      {provider ? `Nobody shares ${provider} right now. ` : ''}Be the first to bring a share to the table.
    </EmptyState>
  )
}
