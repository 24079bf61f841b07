import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { readPublic } from '#lib/supabase.ts'

const amount = z.number()
/** A count of people or payments; null if it is below 5. */
const count = z.nullable(z.number())
const booksSchema = z.object({
  /** The day of these books, in UTC, as YYYY-MM-DD. */
  day: z.string(),
  held: amount,
  owed: amount,
  going_back: amount,
  fees: amount,
  corrections: amount,
  /** The money at the bank and the payment provider. Negative, since it balances all other accounts. */
  outside: amount,
  total: amount,
  given_back: amount,
  seats: count,
  wallets: count,
  problems: count,
  fixed: count,
  paid_back: count,
  unfounded: count,
  /** Hours until a member gets money back; null if there were too few cases. */
  hours_to_money: z.nullable(z.number()),
  checked_at: z.string(),
  balanced: z.boolean(),
})
export type Books = z.infer<typeof booksSchema>

/** The site's books at the end of the last closed day; null before the first day is closed. Sums are in EUR. */
export const booksQuery = query({
  key: ['books'],
  load: async (signal): Promise<Books | null> =>
    z.array(booksSchema).parse(await readPublic('rpc/public_books', {}, signal))[0] ?? null,
})
