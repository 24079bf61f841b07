import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { CataloguePlan, Provider } from '#domain/catalogue.ts'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { feeRateQuery } from '#features/plans/catalogue/fee.queries.ts'
import { withAge } from '#lib/age.ts'
import { useChange } from '#lib/change.ts'
import { AppError, SESSION_UNKNOWN, SIGNED_OUT, toAppError, unwrap } from '#lib/errors.ts'
import { withName } from '#lib/name.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { withSeller } from '#lib/seller.ts'
import { askSession } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { explain, toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'
import { planKeys } from '../shared-plans/plans.queries.ts'
import { createFailure, onePerProvider } from './create-plan.messages.ts'
import type { CreatePlanForm } from './create-plan.schema.ts'

/** Loads the plans the person currently shares. */
type AskOwned = () => Promise<Pick<Plan, 'id' | 'provider'>[]>

/** Creates a plan, shows the outcome and navigates: to the lists, to the provider's existing plan, or to sign-in. */
export function useCreatePlan(askOwned: AskOwned) {
  const navigate = useNavigate()
  const cache = useQueryClient()

  const showExisting = async (provider: string) => {
    const existing = (await askOwned()).find((plan) => plan.provider === provider)
    if (existing) await navigate({ to: '/manage-shared/$planId', params: { planId: existing.id } })
  }

  return useChange({
    run: createPlan,
    // The refusal may be due to a changed fee rate, so the rate is reloaded.
    stale: (problem) => (problem ? [feeRateQuery.queryKey] : []),
    announces: ({ id: subscriptionId }) => ({ subscriptionCreated: { subscriptionId } }),
    done: async ({ id: planId, inReview }, { provider, name, isPrivate }) => {
      toastSuccess(
        t`Subscription Created`,
        inReview
          ? t`We’re reviewing ${provider} ${{ name: planName(name) }}. Others can see it once it’s approved.`
          : isPrivate
            ? t`Share the link on its page to let people find ${provider} ${{ name: planName(name) }}.`
            : t`${provider} ${{ name: planName(name) }} is open for requests.`,
      )
      // Removed, not reloaded: otherwise the wizard would react to the fact that its provider is now taken, and the
      // next page would briefly show the old lists.
      cache.removeQueries({ queryKey: planKeys.lists })
      await navigate({ to: '/my-subscriptions', search: { created: planId } })
    },
    failed: async (problem, { provider }) => {
      const { title, text, next } = createFailure(problem)
      explain(problem, () => [title, text])
      // Once signed out, the route guard asks the person to sign in, and then returns to the wizard.
      if (next === 'sign-out') await supabase().auth.signOut({ scope: 'local' })
      if (next === 'existing-plan') await showExisting(provider)
    },
  })
}

/**
 * Picks a provider or one of its plans, unless the person has meanwhile shared a plan of that provider, for instance in
 * another tab.
 */
export const usePickProvider = (
  askOwned: AskOwned,
  onPick: (picked: { provider: Provider; plan?: CataloguePlan }) => unknown,
) =>
  useChange({
    run: async ({ provider: { name } }: { provider: Provider; plan?: CataloguePlan }) =>
      (await askOwned()).some((plan) => plan.provider === name),
    done: (taken, picked) =>
      taken ? toastWarning(t`Provider Already Shared`, onePerProvider) : onPick(picked),
    failed: () => toastError(t`Error loading plans`, t`Check your connection and try again.`),
  })

/**
 * Creates a plan from the person's choices: the database adds the owner's membership, and takes price and cycle from
 * the catalogue. Returns the new plan's id, and whether staff must review it first.
 */
async function createPlan({
  cataloguePlanId,
  openSlots,
  renewalDate,
  settlement,
  feeRate,
  isPrivate,
}: CreatePlanForm) {
  const user = await askSession().catch((problem: unknown) => {
    throw new AppError(SESSION_UNKNOWN, toAppError(problem).message, { cause: problem })
  })
  if (!user) throw new AppError(SIGNED_OUT, t`There is no session.`)
  const created = supabase()
    .from('shared_subscriptions')
    .insert({
      catalogue_plan_id: cataloguePlanId,
      owner_max_members: openSlots + 1,
      next_payment: renewalDate,
      settlement,
      // The database refuses the plan if staff have changed the fee since it was shown.
      ...(settlement === 'potluck' && { fee_rate: feeRate }),
      is_private: isPrivate,
    })
    .select('id, status')
  const { id, status } = await withinLimit('plan creation', () =>
    withName(() => withSeller(() => withAge(async () => unwrap(await created.single())))),
  )
  return { id, inReview: status === 'pending' }
}
