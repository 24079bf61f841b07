import type { Database } from '@potluck/supabase/types'
import type { Wish } from '#domain/wish.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

export const wishKeys = {
  all: ['payment-wishes'],
  of: (ownerId: string) => ['payment-wishes', ownerId],
} as const

type WishRow = Database['public']['Tables']['payment_wishes']['Row']

/** How an owner likes to be paid, readable by them and their members; null until they say. */
export const wishQuery = (ownerId: string) =>
  query({
    key: wishKeys.of(ownerId),
    load: async (signal): Promise<Wish | null> => {
      const wanted = read('payment_wishes').select('*').eq('user_id', ownerId)
      const row = unwrap(await wanted.abortSignal(signal).maybeSingle())
      return row && toWish(row)
    },
  })

function toWish({ kind, iban, holder, link, note }: WishRow): Wish {
  if (kind === 'iban') return { kind, iban: iban ?? '', holder: holder ?? '' }
  if (kind === 'link') return { kind, link: link ?? '' }
  return { kind, note: note ?? '' }
}
