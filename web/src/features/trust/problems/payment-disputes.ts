import type { Claim } from '#domain/payments.ts'
import { named } from '#domain/plan-name.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { useLive } from '#lib/live.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { problemToasts } from './problems.messages.ts'

const KEY = ['payment-disputes']

/** A dispute between two people about a direct payment. Times are ISO. */
export type PaymentDispute = RowOf<
  'list_payment_disputes',
  'note' | 'denial' | 'decideBy' | 'closedAt' | 'decision',
  Pick<Claim, 'kind' | 'status'>
>

/** Open payment disputes, most urgent first, or closed ones, latest first. For admins. */
export const paymentDisputesQuery = (closed: boolean) =>
  query({
    key: [...KEY, closed],
    load: async (signal): Promise<PaymentDispute[]> =>
      (await rpc('list_payment_disputes', { p_closed: closed }, signal)).map((row) =>
        named(camel<PaymentDispute>(row)),
      ),
  })

/** Keeps payment disputes current. */
export const usePaymentDisputesLive = () =>
  useLive('payment-disputes', [{ table: 'payment_claims' }], { keys: [KEY] })

/** Decides a payment dispute, with a reason that both sides can read. */
export const useDecidePayment = ({ id }: PaymentDispute, onDone: () => void) =>
  useChange({
    run: ({ received, reason }: { received: boolean; reason: string }) =>
      rpc('decide_payment_claim', { p_claim_id: id, p_received: received, p_reason: reason }),
    stale: [KEY],
    done: () => {
      problemToasts.paymentDecided()
      onDone()
    },
    failed: problemToasts.failed,
  })
