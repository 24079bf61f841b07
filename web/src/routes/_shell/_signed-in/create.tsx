import { plural, t } from '@lingui/core/macro'
import { Button, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import { categoryLabel, notYetShared, type Provider, providersIn, shareableText } from '#domain/catalogue.ts'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { useSaveWish, wishQuery } from '#features/money/payments/wishes.ts'
import { CataloguePlanCard } from '#features/plans/catalogue/CataloguePlanCard.tsx'
import { CategoryPicker } from '#features/plans/catalogue/CategoryPicker.tsx'
import { catalogueQuery } from '#features/plans/catalogue/catalogue.queries.ts'
import { closedProvidersQuery, useClosedProvidersLive } from '#features/plans/catalogue/closed-providers.ts'
import { feeRateQuery } from '#features/plans/catalogue/fee.queries.ts'
import { ProviderPicker } from '#features/plans/catalogue/ProviderPicker.tsx'
import { RequestProviderTile } from '#features/plans/catalogue/RequestProviderTile.tsx'
import { RuleCard } from '#features/plans/catalogue/RuleCard.tsx'
import { TilesSkeleton } from '#features/plans/catalogue/TilesSkeleton.tsx'
import { WizardFailure } from '#features/plans/catalogue/WizardFailure.tsx'
import { WizardFrame } from '#features/plans/catalogue/WizardFrame.tsx'
import { ProviderTile } from '#features/plans/providers/ProviderTile.tsx'
import { ownedPlansQuery } from '#features/plans/shared-plans/plans.queries.ts'
import { type Cards, cardsWith } from '#features/plans/sharing/cards.ts'
import { useCreatePlan, usePickProvider } from '#features/plans/sharing/create-plan.mutation.ts'
import {
  type CreateSearch,
  type CreateStep,
  createSearchSchema,
  createStep,
  stepBefore,
} from '#features/plans/sharing/create-wizard.ts'
import { lazyPart } from '#lib/online.ts'
import { paymentProviderQuery } from '#lib/payments.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoneLink } from '#ui/links.tsx'

// Lazy: the last step, and WishForm, which only owners without payment details need.
const CreateDetails = lazyPart(
  async () => (await import('#features/plans/sharing/CreateDetails.tsx')).CreateDetails,
)
const WishForm = lazyPart(async () => (await import('#features/money/payments/WishForm.tsx')).WishForm)

export const Route = createFileRoute('/_shell/_signed-in/create')({
  validateSearch: createSearchSchema,
  staticData: {
    signInNotice: { title: t`Authentication Required`, text: t`Please sign in to create a subscription.` },
  },
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(catalogueQuery)
    void cache.prefetchQuery(ownedPlansQuery(user.id))
    void cache.prefetchQuery(paymentProviderQuery)
    void cache.prefetchQuery(feeRateQuery)
    void cache.prefetchQuery(wishQuery(user.id))
    void cache.prefetchQuery(closedProvidersQuery)
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
  const shared = new Set(owned.data?.map(({ provider }) => provider))
  const { data: closed = {} } = useQuery(closedProvidersQuery)
  useClosedProvidersLive()
  const providers = notYetShared(catalogue.data ?? [], shared).filter(({ name }) => !(name in closed))
  const step: CreateStep = ready ? createStep(search, providers) : { at: 'category' }
  const { label, search: earlier } = stepBefore(step)
  const back = () => (earlier ? navigate({ search: earlier }) : navigate({ to: '/dashboard' }))
  const retry = () => void Promise.all([catalogue, owned, provider, fee].map((load) => load.refetch()))

  return (
    <WizardFrame
      title={t`Create New Plan`}
      steps={4}
      {...STEPS[step.at]}
      hint={hintFor(step, search)}
      back={{ label, onBack: () => void back() }}
    >
      {failure ? (
        <WizardFailure {...failure} busy={catalogue.isFetching || owned.isFetching} onRetry={retry} />
      ) : ready && fee.data !== undefined ? (
        <Step step={step} providers={providers} cards={cardsWith(provider.data)} feeRate={fee.data} />
      ) : (
        <TilesSkeleton />
      )}
    </WizardFrame>
  )
}

interface StepProps {
  step: CreateStep
  providers: readonly Provider[]
  /** Whether members can pay this owner by card. */
  cards: Cards
  feeRate: number
}

function Step({ step, providers, cards, feeRate }: StepProps) {
  const { user } = Route.useRouteContext()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const cache = useQueryClient()
  const askOwned = () => cache.fetchQuery({ ...ownedPlansQuery(user.id), staleTime: 0 })
  const create = useCreatePlan(askOwned)
  const { data: wish } = useQuery(wishQuery(user.id))
  const save = useSaveWish(user.id, () => undefined)
  const pick = usePickProvider(askOwned, ({ id }) =>
    navigate({ search: ({ category }) => ({ category, provider: id }) }),
  )

  switch (step.at) {
    case 'category':
      return (
        <>
          <CategoryPicker
            captionOf={(choice) => countText(providersIn(providers, choice).length)}
            providersOf={(choice) => providersIn(providers, choice)}
            onPick={(category) => void navigate({ search: { category } })}
          />
          <LoneLink to="/import">{t`Bring plans along from elsewhere`}</LoneLink>
        </>
      )
    case 'provider': {
      const offered = providersIn(providers, step.category)
      return (
        <>
          {offered.length === 0 && <NoProviders onOther={() => void navigate({ search: {} })} />}
          <ProviderPicker items={offered} searchable last={<RequestProviderTile category={step.category} />}>
            {(provider) => (
              <ProviderTile
                provider={provider.name}
                caption={shareableText(provider)}
                onPick={() => pick.mutate(provider)}
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
          <SimulationNotice />
          {/* The rules are shown only in the first part of this step, so that the next part looks different. */}
          {!search.part && <RuleCard provider={step.provider.name} plan={step.plan.name} />}
          <Suspense fallback={<Skeleton h={360} />}>
            <CreateDetails
              service={step.provider}
              plan={step.plan}
              search={search}
              cards={cards}
              feeRate={feeRate}
              busy={create.isPending}
              askHowPaid={
                wish === null
                  ? (onSaid, onBack) => (
                      <Stack gap="md">
                        <Title order={3}>{t`How do you want to be paid?`}</Title>
                        <Text c="dimmed">
                          {t`Only your members see it. No one is asked to pay before you add it.`}
                        </Text>
                        <Suspense fallback={<Skeleton h={360} />}>
                          <WishForm
                            wish={null}
                            busy={save.isPending || create.isPending}
                            onSave={(said) => save.mutate(said, { onSuccess: onSaid })}
                            onCancel={onBack}
                            words={{ save: t`Create Subscription`, cancel: t`Back` }}
                          />
                        </Suspense>
                      </Stack>
                    )
                  : null
              }
              onPart={(part) =>
                void navigate({ search: (now) => ({ ...now, part: part === 'renewal' ? undefined : part }) })
              }
              onChange={(changed) =>
                void navigate({ search: (now) => ({ ...now, ...changed }), replace: true })
              }
              onCreate={(form) => create.mutate(form)}
            />
          </Suspense>
        </Stack>
      )
  }
}

function NoProviders({ onOther }: { onOther: () => void }) {
  return (
    <EmptyState
      order={2}
      title={t`No providers here`}
      action={<Button onClick={onOther}>{t`Choose another category`}</Button>}
    >
      {t`You already share everything in this category.`}
    </EmptyState>
  )
}

function hintFor(step: CreateStep, { part }: CreateSearch): string {
  switch (step.at) {
    case 'category':
      return t`What would you like to share?`
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
  if (providers === 0) return t`No providers`
  return plural(providers, { one: '# provider', other: '# providers' })
}
