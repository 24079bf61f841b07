import type { Wish } from '#domain/wish.ts'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'
import { wishKeys } from './wishes.queries.ts'

/** Saves how the signed-in person likes to be paid; null removes it. */
export const useSaveWish = (userId: string, onSaved: () => void) =>
  useChange({
    run: async (wish: Wish | null) => {
      const wishes = supabase().from('payment_wishes')
      if (!wish) return void unwrap(await wishes.delete().eq('user_id', userId))
      const row = { iban: null, holder: null, link: null, note: null, ...wish }
      const changed = unwrap(await wishes.update(row).eq('user_id', userId).select('user_id'))
      if (changed.length === 0) unwrap(await wishes.insert({ user_id: userId, ...row }))
    },
    stale: [wishKeys.all],
    done: (_saved, wish) => {
      if (wish) paymentToasts.wishesSaved()
      else paymentToasts.wishesRemoved()
      onSaved()
    },
    failed: paymentToasts.failed,
  })
