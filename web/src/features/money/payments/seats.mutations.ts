import type { OwnSeat } from '#domain/seats.ts'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'
import { seatKeys } from './seats.queries.ts'

const stale = [seatKeys.all]

/** Sets whether payments for a place use the person's coins first, or only the card. */
export const useCoinsFirst = ({ id }: OwnSeat) =>
  useChange({
    run: (coinsFirst: boolean) => rpc('use_coins_first', { p_seat_id: id, p_coins_first: coinsFirst }),
    stale,
    failed: paymentToasts.failed,
  })

/** Notes that the owner has paid the member back for time without access. */
export const useSettleOwed = (seatId: string) =>
  useChange({
    run: () => rpc('settle_owed', { p_seat_id: seatId }),
    stale,
    done: paymentToasts.settled,
    failed: paymentToasts.failed,
  })

/** Withdraws a member's notice to leave at the end of the period. */
export const useStay = ({ id, planName }: OwnSeat) =>
  useChange({
    run: () => rpc('stay', { p_seat_id: id }),
    stale,
    done: () => paymentToasts.stayed(planName),
    failed: paymentToasts.failed,
  })
