import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

const cardKeys = { all: ['cards'], charge: (payment: string) => ['cards', 'charge', payment] }

/** The person's saved cards; the first is the one that is charged. */
export const cardsQuery = query({
  key: cardKeys.all,
  load: async (signal) => {
    const wanted = read('payment_methods').select('id, kind, brand, last4, exp_month, exp_year')
    return unwrap(await wanted.order('chosen_at', { ascending: false }).abortSignal(signal))
  },
})

/** What one payment costs, or what a debt to the site still is, and whether it is open. */
export const duePaymentQuery = (payment: string) =>
  query({
    key: cardKeys.charge(payment),
    load: async (signal) => {
      const wanted = read('member_payments')
        .select('id, subscription_id, plan_name, amount, status')
        .eq('id', payment)
      const found = unwrap(await wanted.abortSignal(signal).maybeSingle())
      if (found) return { ...found, isDebt: false }
      const owed = read('debts').select('id, plan_name, open').eq('id', payment)
      const debt = unwrap(await owed.abortSignal(signal).maybeSingle())
      if (!debt) return null
      const { open, ...rest } = debt
      return {
        ...{ ...rest, subscription_id: null, amount: open, isDebt: true },
        status: open > 0 ? ('due' as const) : ('paid' as const),
      }
    },
  })
