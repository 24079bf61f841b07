import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'
import type { NewProviderRequest } from './provider-request.schema.ts'
import { providerRequestToasts } from './provider-requests.messages.ts'
import { providerRequestKeys } from './provider-requests.queries.ts'

/** Sends a request for a missing provider. */
export const useRequestProvider = (userId: string, onSent: () => unknown) =>
  useChange({
    run: async (values: NewProviderRequest) => {
      unwrap(await supabase().from('provider_requests').insert(toRow(userId, values)).select('id').single())
    },
    stale: [providerRequestKeys.of(userId)],
    done: () => {
      providerRequestToasts.sent()
      return onSent()
    },
    failed: providerRequestToasts.refused,
  })

function toRow(userId: string, { providerName, category, website, description, plans }: NewProviderRequest) {
  return {
    user_id: userId,
    provider_name: providerName,
    category,
    website_url: website,
    description,
    plans_data: plans.map(({ name, price, cycle, maxMembers, features }) => ({
      plan_name: name,
      price,
      billing_cycle: cycle,
      max_members: maxMembers,
      features,
    })),
    status: 'pending' as const,
  }
}
