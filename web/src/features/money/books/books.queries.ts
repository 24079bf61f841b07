import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { readPublic } from '#lib/supabase.ts'

const amount = z.number()
/** Null for a count below 5. */
const count = z.nullable(z.number())
const booksSchema = z.object({
  /** The day that was closed, in UTC, as YYYY-MM-DD. */
  day: z.string(),
  held: amount,
  owed: amount,
  going_back: amount,
  fees: amount,
  corrections: amount,
  /** Negative: what the bank and the provider hold for all the other accounts. */
  outside: amount,
  total: amount,
  given_back: amount,
  seats: count,
  wallets: count,
  problems: count,
  fixed: count,
  paid_back: count,
  unfounded: count,
  /** In hours; null where too few got money back. */
  hours_to_money: z.nullable(z.number()),
  checked_at: z.string(),
  balanced: z.boolean(),
})
export type Books = z.infer<typeof booksSchema>

/** What the site held when the last day was over; null before the first. */
export const booksQuery = query({
  key: ['books'],
  load: async (signal): Promise<Books | null> =>
    z.array(booksSchema).parse(await readPublic('rpc/public_books', {}, signal))[0] ?? null,
})
