import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { withAge } from '#lib/age.ts'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { withName } from '#lib/name.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { supabase } from '#lib/supabase.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'
import { planKeys } from '../shared-plans/plans.queries.ts'
import { createFailure } from './create-plan.messages.ts'
import type { OwnPlan } from './own-plan.schema.ts'

/** Creates an own plan and opens its page, where people are invited. */
export function useCreateOwnPlan() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  return useChange({
    run: createOwnPlan,
    announces: ({ id: subscriptionId }) => ({ subscriptionCreated: { subscriptionId } }),
    done: async ({ id: planId }, { service, plan }) => {
      toastSuccess(
        t`Subscription Created`,
        t`Share the link on its page to let people find ${service} ${plan}.`,
      )
      cache.removeQueries({ queryKey: planKeys.lists })
      await navigate({ to: '/manage-shared/$planId', params: { planId } })
    },
    failed: (problem) => {
      const { title, text } = createFailure(problem)
      explain(problem, () => [title, text])
    },
  })
}

async function createOwnPlan({
  service,
  plan,
  price,
  currency,
  months,
  people,
  renewal,
  website,
  note,
}: OwnPlan) {
  const created = supabase()
    .from('shared_subscriptions')
    .insert({
      provider: service,
      name: plan,
      total_price: price,
      currency,
      cycle_months: months,
      max_members: people,
      next_payment: renewal,
      website,
      note,
    })
    .select('id')
  return withinLimit('plan creation', () =>
    withName(() => withAge(async () => unwrap(await created.single()))),
  )
}
