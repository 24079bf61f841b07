/** What only a group's year and the proof of a place load, apart from the queries that every plan's page needs. */
import type { Payment } from '#domain/payments.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, rpc } from '#lib/supabase.ts'
import { PAYMENT, paymentKeys, toPayment } from './payments.queries.ts'
import { seatKeys } from './seats.queries.ts'

/** What a plan's owner bears of its price per billing cycle. Fails with PT404 once the plan has ended. */
export const ownerPartQuery = (planId: string) =>
  query({
    key: [...seatKeys.all, 'owner-part', planId],
    load: (signal) => rpc('owner_part', { p_subscription_id: planId }, signal),
  })

/** The paid payments of a place, latest first. */
export const paidQuery = (seatId: string) =>
  query({
    key: [...paymentKeys.all, 'paid', seatId],
    load: async (signal): Promise<Payment[]> => {
      const wanted = read('member_payments')
        .select(PAYMENT)
        .eq('seat_id', seatId)
        .in('status', ['paid', 'closed'])
      return unwrap(await wanted.order('number', { ascending: false }).abortSignal(signal)).map(toPayment)
    },
  })
