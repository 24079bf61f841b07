import { plural, t } from '@lingui/core/macro'
import { Button, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { categoryLabel, notYetShared, type Provider, providersIn, shareableText } from '#domain/catalogue.ts'
import { isOwnPlan } from '#domain/plan.ts'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { CataloguePlanCard } from '#features/plans/catalogue/CataloguePlanCard.tsx'
import { CategoryPicker } from '#features/plans/catalogue/CategoryPicker.tsx'
import { catalogueQuery } from '#features/plans/catalogue/catalogue.queries.ts'
import { feeRateQuery } from '#features/plans/catalogue/fee.queries.ts'
import { OwnPlanTile } from '#features/plans/catalogue/OwnPlanTile.tsx'
import { ProviderPicker } from '#features/plans/catalogue/ProviderPicker.tsx'
import { restrictedProvidersQuery, useProviderRulesLive } from '#features/plans/catalogue/provider-rules.ts'
import { RequestProviderTile } from '#features/plans/catalogue/RequestProviderTile.tsx'
import { RuleCard } from '#features/plans/catalogue/RuleCard.tsx'
import { TilesSkeleton } from '#features/plans/catalogue/TilesSkeleton.tsx'
import { WizardFailure } from '#features/plans/catalogue/WizardFailure.tsx'
import { WizardFrame } from '#features/plans/catalogue/WizardFrame.tsx'
import { ProviderTile } from '#features/plans/providers/ProviderTile.tsx'
import { ownedPlansQuery } from '#features/plans/shared-plans/plans.queries.ts'
import { CreateDots, type CreatePart } from '#features/plans/sharing/CreateDots.tsx'
import { type Cards, cardsWith } from '#features/plans/sharing/cards.ts'
import { useCreatePlan, usePickProvider } from '#features/plans/sharing/create-plan.mutation.ts'
import type { CreatePlanForm } from '#features/plans/sharing/create-plan.schema.ts'
import {
  CREATE_FORM,
  type CreateSearch,
  type CreateStep,
  createSearchSchema,
  createStep,
  stepBefore,
} from '#features/plans/sharing/create-wizard.ts'
import { PlanSearch } from '#features/plans/sharing/PlanSearch.tsx'
import { lazyPart } from '#lib/online.ts'
import { paymentProviderQuery } from '#lib/payments.ts'
import { LoneLink } from '#ui/links.tsx'

// Lazy, since only the last step needs it.
const CreateDetails = lazyPart(
  async () => (await import('#features/plans/sharing/CreateDetails.tsx')).CreateDetails,
)

export const Route = createFileRoute('/_shell/_signed-in/create')({
  validateSearch: createSearchSchema,
  staticData: {
    keepsSight: true,
    signInNotice: { title: t`Authentication Required`, text: t`Please sign in to create a subscription.` },
  },
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(catalogueQuery)
    void cache.prefetchQuery(ownedPlansQuery(user.id))
    void cache.prefetchQuery(paymentProviderQuery)
    void cache.prefetchQuery(feeRateQuery)
    void cache.prefetchQuery(restrictedProvidersQuery)
  },
  component: Create,
})

const STEPS = {
  category: { step: 1, heading: t`Choose a category` },
  provider: { step: 2, heading: t`Choose a provider` },
  plan: { step: 3, heading: t`Pick a plan` },
  details: { step: 4, heading: t`Create subscription` },
} as const satisfies Record<CreateStep['at'], { step: number; heading: string }>

function Create() {
  const { user } = Route.useRouteContext()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const catalogue = useQuery(catalogueQuery)
  const owned = useQuery(ownedPlansQuery(user.id))
  const provider = useQuery(paymentProviderQuery)
  const fee = useQuery(feeRateQuery)
  const failure = failedLoad(catalogue, owned, provider, fee)
  const ready = catalogue.data !== undefined && owned.data !== undefined && provider.data !== undefined
  const shared = new Set(owned.data?.filter((plan) => !isOwnPlan(plan)).map(({ provider }) => provider))
  const { data: restricted = {} } = useQuery(restrictedProvidersQuery)
  useProviderRulesLive()
  const providers = notYetShared(catalogue.data ?? [], shared).filter(
    ({ name }) => restricted[name]?.rule !== 'off',
  )
  const step: CreateStep = ready ? createStep(search, providers) : { at: 'category' }
  const { label, search: earlier } = stepBefore(step)
  const back = () => (earlier ? navigate({ search: earlier }) : navigate({ to: '/dashboard' }))
  const retry = () => void Promise.all([catalogue, owned, provider, fee].map((load) => load.refetch()))
  const cache = useQueryClient()
  const askOwned = async () =>
    (await cache.fetchQuery({ ...ownedPlansQuery(user.id), staleTime: 0 })).filter((plan) => !isOwnPlan(plan))
  const create = useCreatePlan(askOwned)
  const part = step.at === 'details' ? (search.part ?? 'renewal') : null
  // The button belongs to a form that is loaded when it is first shown; a press before that would do nothing.
  const [hasForm, setHasForm] = useState(false)
  const show = (chosen: CreatePart) =>
    navigate({ search: (now) => ({ ...now, part: chosen === 'renewal' ? undefined : chosen }) })

  return (
    <WizardFrame
      title={t`Create New Plan`}
      steps={4}
      {...STEPS[step.at]}
      {...(part && { part, parts: <CreateDots part={part} onPart={(chosen) => void show(chosen)} /> })}
      hint={hintFor(step, search)}
      back={{ label, onBack: () => void back() }}
      action={
        part && (
          <Button
            // Each part has its own button, so that pressing the first one twice never creates the plan.
            key={part}
            type="submit"
            form={CREATE_FORM}
            radius="xl"
            size="md"
            loading={create.isPending}
            disabled={!hasForm}
            onClick={(event) => {
              if (event.detail > 1) event.preventDefault()
            }}
          >
            {part === 'renewal' ? t`Next` : t`Create Subscription`}
          </Button>
        )
      }
    >
      {failure ? (
        <WizardFailure {...failure} busy={catalogue.isFetching || owned.isFetching} onRetry={retry} />
      ) : step.at === 'category' && !search.category && !search.provider ? (
        // The categories are the same for everybody, so they are there before any data.
        <Categories providers={ready ? providers : undefined} shared={shared} askOwned={askOwned} />
      ) : ready && fee.data !== undefined && step.at !== 'category' ? (
        <Step
          step={step}
          providers={providers}
          cards={cardsWith(provider.data)}
          feeRate={fee.data}
          askOwned={askOwned}
          onShown={setHasForm}
          onNext={() => void show('slots')}
          onCreate={(form) => create.isPending || create.mutate(form)}
        />
      ) : (
        <TilesSkeleton />
      )}
    </WizardFrame>
  )
}

interface CategoriesProps extends Pick<StepProps, 'askOwned'> {
  providers: readonly Provider[] | undefined
  /** The names of the providers whose plans the person already shares. */
  shared: ReadonlySet<string>
}

function Categories({ providers, shared, askOwned }: CategoriesProps) {
  const pick = usePick(askOwned)
  return (
    <PlanSearch providers={providers} shared={shared} onPick={pick.mutate}>
      <CategoryPicker
        captionOf={countText}
        providersOf={(choice) => providers && providersIn(providers, choice)}
      />
      <LoneLink to="/create/own" search={{}}>{t`Share something else with people you know`}</LoneLink>
      <LoneLink to="/import">{t`Import plans from elsewhere`}</LoneLink>
    </PlanSearch>
  )
}

function usePick(askOwned: StepProps['askOwned']) {
  const navigate = Route.useNavigate()
  return usePickProvider(askOwned, ({ provider, plan }) =>
    navigate({
      search: ({ category = provider.category }) => ({ category, provider: provider.id, plan: plan?.id }),
    }),
  )
}

interface StepProps {
  step: Exclude<CreateStep, { at: 'category' }>
  providers: readonly Provider[]
  /** Whether members can pay this owner by card. */
  cards: Cards
  feeRate: number
  askOwned: Parameters<typeof usePickProvider>[0]
  onShown: (shown: true) => void
  onNext: () => void
  onCreate: (form: CreatePlanForm) => void
}

function Step({ step, providers, cards, feeRate, askOwned, onShown, onNext, onCreate }: StepProps) {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const pick = usePick(askOwned)

  switch (step.at) {
    case 'provider': {
      const offered = providersIn(providers, step.category)
      return (
        <>
          {offered.length === 0 && (
            <Text c="dimmed" mb="md">
              {t`No providers here`}
            </Text>
          )}
          <ProviderPicker
            items={offered}
            searchable
            last={[<OwnPlanTile key="own" />, <RequestProviderTile key="request" category={step.category} />]}
          >
            {(provider) => (
              <ProviderTile
                provider={provider.name}
                caption={shareableText(provider)}
                onPick={() => pick.mutate({ provider })}
              />
            )}
          </ProviderPicker>
        </>
      )
    }
    case 'plan':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {step.provider.plans.map((plan) => (
            <CataloguePlanCard
              key={plan.id}
              provider={step.provider.name}
              plan={plan}
              onChoose={() =>
                void navigate({
                  search: { category: step.category, provider: step.provider.id, plan: plan.id },
                })
              }
            />
          ))}
        </SimpleGrid>
      )
    case 'details':
      return (
        <Stack gap="lg">
          <Suspense fallback={<Skeleton h={360} />}>
            <CreateDetails
              service={step.provider}
              plan={step.plan}
              search={search}
              cards={cards}
              feeRate={feeRate}
              simulation={<SimulationNotice />}
              onShown={onShown}
              onNext={onNext}
              onChange={(changed) =>
                void navigate({ search: (now) => ({ ...now, ...changed }), replace: true })
              }
              onCreate={onCreate}
            />
          </Suspense>
          {/* The rules are shown only in the first part of this step, so that the next part looks different. */}
          {!search.part && <RuleCard provider={step.provider.name} plan={step.plan.name} />}
        </Stack>
      )
  }
}

function hintFor(step: CreateStep, { part }: CreateSearch): string {
  switch (step.at) {
    case 'category':
      return ''
    case 'provider':
      return t`${categoryLabel(step.category)} providers. You can share one plan of each.`
    case 'plan':
      return t`Which ${step.provider.name} plan do you have?`
    case 'details':
      return part ? t`Who can join, and how do they pay?` : t`When does it renew?`
  }
}

interface Load {
  data: unknown
  error: Error | null
}

/** The first failed load, if any: the catalogue, the plans the person shares already, or the payment options. */
function failedLoad(
  catalogue: Load,
  owned: Load,
  ...paying: Load[]
): { title: string; problem: Error } | null {
  if (catalogue.data === undefined && catalogue.error)
    return { title: t`Error loading service providers`, problem: catalogue.error }
  if (owned.data === undefined && owned.error) return { title: t`Error loading plans`, problem: owned.error }
  const problem = paying.find(({ data }) => data === undefined)?.error
  return problem ? { title: t`Payment options could not be loaded`, problem } : null
}

function countText(providers: number): string {
  if (providers === 0) return t`Request Provider`
  return plural(providers, { one: '# provider', other: '# providers' })
}
