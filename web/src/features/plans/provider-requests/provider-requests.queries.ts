import type { Database } from '@potluck/supabase/types'
import * as z from 'zod/mini'
import { type Camel, camel } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'
import type { OfferedPlan } from './provider-request.schema.ts'

export const providerRequestKeys = {
  of: (userId: string) => ['provider-requests', userId],
} as const

type Row = Database['public']['Tables']['provider_requests']['Row']

/** A provider request with ISO timestamps. The plans' ids serve only as keys for rendering. */
export interface ProviderRequest extends Camel<Omit<Row, 'plans_data'>> {
  plans: (OfferedPlan & { id: string })[]
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
    z.transform(({ plan_name: name, billing_cycle: cycle, max_members: maxMembers, ...rest }) => {
      return { name, cycle, maxMembers, ...rest }
    }),
  ),
)

/** A person's provider requests, newest first. Filtered by person, since an admin may read all. */
export const providerRequestsQuery = (userId: string) =>
  query({
    key: providerRequestKeys.of(userId),
    load: async (signal): Promise<ProviderRequest[]> => {
      const wanted = read('provider_requests').select('*').eq('user_id', userId)
      const newest = wanted.order('created_at', { ascending: false })
      return unwrap(await newest.abortSignal(signal)).map(toProviderRequest)
    },
  })

/** Parses a request, whether queried or received live. */
export const toProviderRequest = ({ plans_data, ...row }: Row): ProviderRequest => ({
  ...camel<Camel<typeof row>>(row),
  plans: storedPlans.parse(plans_data).map((plan, place) => ({ ...plan, id: `${row.id}-${place}` })),
})
