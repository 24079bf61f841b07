import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Provider } from '#domain/catalogue.ts'
import type { Plan } from '#domain/plan.ts'
import { feeRateQuery } from '#features/money/payments/fee.queries.ts'
import { AppError, SIGNED_OUT, toAppError, unwrap } from '#lib/errors.ts'
import { announce } from '#lib/events.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { askSession } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { explain, toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'
import { createFailure, onePerProvider, SESSION_UNKNOWN } from './create-plan.messages.ts'
import type { CreatePlanForm } from './create-plan.schema.ts'

/** Asks which plans the person shares, as things are now. */
type AskOwned = () => Promise<Pick<Plan, 'id' | 'provider'>[]>

/** Shares a plan, says how that went, and leads on: to the lists, to the plan that was there already, or to sign-in. */
export function useCreatePlan(askOwned: AskOwned) {
  const navigate = useNavigate()
  const cache = useQueryClient()

  const showExisting = async (provider: string) => {
    const existing = (await askOwned()).find((plan) => plan.provider === provider)
    if (existing) await navigate({ to: '/manage-shared/$planId', params: { planId: existing.id } })
  }

  return useMutation({
    mutationFn: createPlan,
    onSuccess: async ({ id: planId, inReview }, { provider, name, isPrivate, instantFrom }) => {
      toastSuccess(
        'Subscription Created',
        inReview
          ? `${provider} ${name} is being reviewed. Others see it once it is approved.`
          : isPrivate
            ? `${provider} ${name} is there for everybody with its link, which you find on its page.`
            : instantFrom
              ? `${provider} ${name} is open from now on, at once to whom you chose.`
              : `${provider} ${name} is open for requests now.`,
      )
      // Leaving first keeps the wizard from noticing that its provider has just been used up.
      await navigate({ to: '/my-subscriptions', search: { created: planId } })
      announce('subscriptionCreated', { subscriptionId: planId })
      await askOwned()
    },
    onError: async (problem, { provider }) => {
      const { title, text, next } = createFailure(problem)
      explain(problem, () => [title, text])
      void cache.invalidateQueries({ queryKey: feeRateQuery.queryKey })
      // Without a session the guard asks people to sign in, and knows the way back.
      if (next === 'sign-out') await supabase().auth.signOut({ scope: 'local' })
      if (next === 'existing-plan') await showExisting(provider)
    },
  })
}

/** Goes on with a provider unless it has meanwhile been shared, in another tab for instance. */
export function usePickProvider(askOwned: AskOwned, onPick: (provider: Provider) => unknown) {
  return useMutation({
    mutationFn: async ({ name }: Provider) => (await askOwned()).some((plan) => plan.provider === name),
    onSuccess: (taken, provider) =>
      taken ? toastWarning('Provider Already Shared', onePerProvider) : onPick(provider),
    onError: () => toastError('Error loading plans', 'Check the connection, then try again.'),
  })
}

/**
 * The database adds the owner's membership and takes price and cycle from the catalogue, so only what a person
 * chose is sent. Gives the new plan's id, and whether staff looks at it first.
 */
async function createPlan({
  cataloguePlanId,
  openSlots,
  renewalDate,
  settlement,
  feeRate,
  isPrivate,
  instantFrom,
}: CreatePlanForm) {
  const user = await askSession().catch((problem: unknown) => {
    throw new AppError(SESSION_UNKNOWN, toAppError(problem).message, { cause: problem })
  })
  if (!user) throw new AppError(SIGNED_OUT, 'There is no session.')
  const created = supabase()
    .from('shared_subscriptions')
    .insert({
      catalogue_plan_id: cataloguePlanId,
      owner_max_members: openSlots + 1,
      next_payment: renewalDate,
      settlement,
      // Refused where staff has changed it since.
      ...(settlement === 'potluck' && { fee_rate: feeRate }),
      is_private: isPrivate,
      instant_from: instantFrom,
    })
    .select('id, status')
  const { id, status } = await withinLimit('plan creation', async () => unwrap(await created.single()))
  return { id, inReview: status === 'pending' }
}
