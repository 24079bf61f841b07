import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const schema = z.object({
  /** Whether this site pays owners by accounts of their own. */
  uses: z.boolean(),
  account: z.nullable(
    z.object({
      canReceive: z.boolean(),
      canPayOut: z.boolean(),
      /** What the provider still asks for, in its own words. */
      asked: z.array(z.string()),
      askedBy: z.nullable(z.string()),
    }),
  ),
  /** Until when coins cannot be moved there, as a bank may take payments back: a time, or `infinity` during a dispute. */
  coinsWaitUntil: z.nullable(z.string()),
  /** In EUR: on its way to the account, in it, and owed because a bank has taken a payment back. */
  coming: z.number(),
  there: z.number(),
  owed: z.number(),
  transfers: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      amount: z.number(),
      status: z.enum(['queued', 'sent', 'failed']),
      plan: z.nullable(z.string()),
      /** What a dispute that was won gives back. */
      is_back: z.boolean(),
      /** What was taken back of it. */
      taken: z.nullable(z.number()),
    }),
  ),
  payouts: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      amount: z.number(),
      status: z.string(),
      arrives_on: z.nullable(z.string()),
    }),
  ),
})
export type OwnPayouts = z.infer<typeof schema>

export const ownPayoutsKey = ['own-payouts']

/** How the signed-in person is paid what members pay by card. */
export const ownPayoutsQuery = query({
  key: ownPayoutsKey,
  load: async (signal) => schema.parse(await rpc('my_payouts', {}, signal)),
})
