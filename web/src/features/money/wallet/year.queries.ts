import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { walletKeys } from './wallet.queries.ts'

/** The account of a movement: card, coins, the person's own account at Stripe, or direct payment between two people. */
const account = z.enum(['card', 'wallet', 'connected', 'direct'])
export type Account = z.infer<typeof account>

/** The part of a movement: the site's fee, or a payment that counts as received without an answer. */
const part = z.nullable(z.enum(['fee', 'unanswered']))

const yearSchema = z.object({
  year: z.number(),
  /** The first year with a statement. */
  since: z.number(),
  /** IANA name of the time zone that the year is computed in. */
  zone: z.string(),
  name: z.nullable(z.string()),
  // Incoming money is positive. For accounts without a balance, `opening` and `closing` are null.
  accounts: z.array(
    z.object({
      account,
      currency: z.string(),
      opening: z.nullable(z.number()),
      closing: z.nullable(z.number()),
      moved: z.number(),
    }),
  ),
  sums: z.array(z.object({ account, currency: z.string(), kind: z.string(), part, amount: z.number() })),
  rows: z.array(
    z.object({
      account,
      currency: z.string(),
      /** ISO timestamp. */
      at: z.string(),
      kind: z.string(),
      part,
      about: z.string(),
      amount: z.number(),
    }),
  ),
  /** The figures reported to the tax office, by quarter; null if nothing is reported. */
  reported: z.nullable(
    z.object({
      consideration: z.array(z.number()),
      fees: z.array(z.number()),
      activities: z.array(z.number()),
      state: z.enum(['ready', 'missing', 'abroad']),
    }),
  ),
})
export type Year = z.infer<typeof yearSchema>

/** A person's yearly statement: all movements, oldest first. */
export const yearQuery = (userId: string, year: number) =>
  query({
    key: walletKeys.yearOf(userId, year),
    load: async (signal) => yearSchema.parse(await rpc('yearly_statement', { p_year: year }, signal)),
  })
