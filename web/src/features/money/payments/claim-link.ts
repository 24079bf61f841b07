import type { Claim } from '#domain/payments.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { AppError, NOT_FOUND } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'
import { paymentKeys } from './payments.queries.ts'

/** The payment claim that a mailed link asks about. Times are ISO, the amount is in EUR. */
type LinkedClaim = RowOf<'get_payment_claim', 'note' | 'answerBy', Pick<Claim, 'kind' | 'status'>>

/** The claim behind a mailed link; needs no sign-in. Fails with PT404 for an unknown link. */
export const linkedClaimQuery = (token: string) =>
  query({
    key: [...paymentKeys.all, 'link', token],
    staleTime: 0,
    load: async (signal): Promise<LinkedClaim> => {
      const [row] = await rpc('get_payment_claim', { p_token: token }, signal)
      if (!row) throw new AppError(NOT_FOUND, '')
      return camel<LinkedClaim>(row)
    },
  })

/** Sends the receiver's answer with the link's token. With a `note`, the payment is denied; without, confirmed. */
export const useAnswerByLink = (token: string, onAnswered: () => void) =>
  useChange({
    run: ({ note }: { note?: string }) =>
      rpc('answer_payment_claim', {
        p_token: token,
        p_received: note === undefined,
        ...(note && { p_note: note }),
      }),
    stale: [paymentKeys.all],
    done: onAnswered,
    failed: paymentToasts.failed,
  })
