import type { Claim } from '#domain/payments.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { AppError, NOT_FOUND } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'
import { paymentKeys } from './payments.queries.ts'

/** What the link of a mail asks. Times are ISO, the amount is in EUR. */
type LinkedClaim = RowOf<'get_payment_claim', 'note' | 'answerBy', Pick<Claim, 'kind' | 'status'>>

/** The claim behind a link, for anybody who has it. Fails with PT404 for an unknown one. */
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

/** The receiver's answer by that link; a `note` says that it has not arrived. */
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
