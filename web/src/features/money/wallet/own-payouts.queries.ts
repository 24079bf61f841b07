import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const schema = z.object({
  /** True if this site pays owners through their own accounts at the provider. */
  uses: z.boolean(),
  account: z.nullable(
    z.object({
      canReceive: z.boolean(),
      canPayOut: z.boolean(),
      /** The details the provider still requires, in the provider's words. */
      asked: z.array(z.string()),
      askedBy: z.nullable(z.string()),
    }),
  ),
  /**
   * The time before which coins cannot be moved, since banks may take payments back: ISO, or `infinity` in a dispute.
   */
  coinsWaitUntil: z.nullable(z.string()),
  /** In EUR: `coming` to the account, `there` in it, and `owed` because a bank has taken a payment back. */
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
      /** True for money that came back from a won dispute. */
      is_back: z.boolean(),
      /** The part of the transfer that was reversed, in EUR. */
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

/** The signed-in person's account at the provider, with its latest transfers and payouts. */
export const ownPayoutsQuery = query({
  key: ownPayoutsKey,
  load: async (signal) => schema.parse(await rpc('my_payouts', {}, signal)),
})
