import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { walletKeys } from './wallet.queries.ts'

/** Where money was: on a card, in coins, in a person's own account at Stripe, or paid between two people. */
const account = z.enum(['card', 'wallet', 'connected', 'direct'])
export type Account = z.infer<typeof account>

/** Its part that was the site's fee, or counts as received without an answer. */
const part = z.nullable(z.enum(['fee', 'unanswered']))

const yearSchema = z.object({
  year: z.number(),
  /** The first year there can be. */
  since: z.number(),
  /** IANA name of the time zone that the year is counted in. */
  zone: z.string(),
  name: z.nullable(z.string()),
  // In EUR, as all amounts here; what came is positive. An opening balance only where there is one.
  accounts: z.array(
    z.object({
      account,
      opening: z.nullable(z.number()),
      closing: z.nullable(z.number()),
      moved: z.number(),
    }),
  ),
  sums: z.array(z.object({ account, kind: z.string(), part, amount: z.number() })),
  rows: z.array(
    z.object({
      account,
      /** ISO timestamp. */
      at: z.string(),
      kind: z.string(),
      part,
      about: z.string(),
      amount: z.number(),
    }),
  ),
  /** What a tax office is told of it, by quarter; null where it is told nothing. */
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

/** Everything that moved for a person in a year, oldest first. */
export const yearQuery = (userId: string, year: number) =>
  query({
    key: walletKeys.yearOf(userId, year),
    load: async (signal) => yearSchema.parse(await rpc('yearly_statement', { p_year: year }, signal)),
  })
