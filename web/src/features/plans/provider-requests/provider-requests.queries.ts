import type { Database } from '@potluck/supabase/types'
import * as z from 'zod/mini'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'
import type { OfferedPlan } from './provider-request.schema.ts'

export const providerRequestKeys = {
  of: (userId: string) => ['provider-requests', userId],
} as const

export interface ProviderRequest {
  id: string
  providerName: string
  category: string
  website: string
  description: string
  /** In the order they were given; the ids tell them apart on screen. */
  plans: (OfferedPlan & { id: string })[]
  status: 'pending' | 'approved' | 'rejected'
  /** ISO timestamp. */
  createdAt: string
}

const storedPlans = z.array(
  z.pipe(
    z.object({
      plan_name: z.string(),
      price: z.number(),
      billing_cycle: z.enum(['monthly', 'yearly']),
      max_members: z.number(),
      features: z.array(z.string()),
    }),
    z.transform(({ plan_name, price, billing_cycle, max_members, features }) => ({
      name: plan_name,
      price,
      cycle: billing_cycle,
      maxMembers: max_members,
      features,
    })),
  ),
)

/** The providers a person has asked for, newest first; an admin's own ones too, not everybody's. */
export const providerRequestsQuery = (userId: string) =>
  query({
    key: providerRequestKeys.of(userId),
    load: async (signal): Promise<ProviderRequest[]> => {
      const wanted = read('provider_requests').select('*').eq('user_id', userId)
      const newest = wanted.order('created_at', { ascending: false })
      return unwrap(await newest.abortSignal(signal)).map(toProviderRequest)
    },
  })

/** A stored request, or one that arrived live. */
export function toProviderRequest(
  row: Database['public']['Tables']['provider_requests']['Row'],
): ProviderRequest {
  return {
    id: row.id,
    providerName: row.provider_name,
    category: row.category,
    website: row.website_url,
    description: row.description,
    plans: storedPlans.parse(row.plans_data).map((plan, place) => ({ ...plan, id: `${row.id}-${place}` })),
    status: row.status,
    createdAt: row.created_at,
  }
}
