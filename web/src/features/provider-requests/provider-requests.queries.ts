import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'
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
  queryOptions({
    queryKey: providerRequestKeys.of(userId),
    queryFn: async ({ signal }): Promise<ProviderRequest[]> => {
      const wanted = supabase().from('provider_requests').select('*').eq('user_id', userId)
      const rows = unwrap(await wanted.order('created_at', { ascending: false }).abortSignal(signal))
      return rows.map((row) => ({
        id: row.id,
        providerName: row.provider_name,
        category: row.category,
        website: row.website_url,
        description: row.description,
        plans: storedPlans
          .parse(row.plans_data)
          .map((plan, place) => ({ ...plan, id: `${row.id}-${place}` })),
        status: row.status,
        createdAt: row.created_at,
      }))
    },
  })
