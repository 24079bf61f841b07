import { toWish, type Wish } from '@potluck/supabase/wish'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, supabase } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'
import { paymentKeys } from './payments.queries.ts'
import { seatKeys } from './seats.queries.ts'

const wishKeys = {
  all: ['payment-wishes'],
  of: (ownerId: string) => ['payment-wishes', ownerId],
} as const

/** An owner's payment details, readable by them and their members; null until given. */
export const wishQuery = (ownerId: string) =>
  query({
    key: wishKeys.of(ownerId),
    load: async (signal): Promise<Wish | null> => {
      const wanted = read('payment_wishes').select('*').eq('user_id', ownerId)
      const row = unwrap(await wanted.abortSignal(signal).maybeSingle())
      return row && toWish(row)
    },
  })

/** Saves the signed-in person's payment details; null removes them. */
export const useSaveWish = (userId: string, onSaved: () => void) =>
  useChange({
    run: async (wish: Wish | null) => {
      const wishes = supabase().from('payment_wishes')
      if (!wish) return void unwrap(await wishes.delete().eq('user_id', userId))
      const changed = unwrap(await wishes.update(wish).eq('user_id', userId).select('user_id'))
      if (changed.length === 0) unwrap(await wishes.insert({ user_id: userId, ...wish }))
    },
    // Payments that waited for these details become due.
    stale: [wishKeys.all, paymentKeys.all, seatKeys.all],
    done: (_saved, wish) => {
      if (!wish) paymentToasts.wishesRemoved()
      onSaved()
    },
    failed: paymentToasts.failed,
  })
