import * as z from 'zod/mini'
import { planName } from '#domain/plan-name.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, rpc } from '#lib/supabase.ts'

const cardKeys = { all: ['cards'], charge: (payment: string) => ['cards', 'charge', payment] }

/** The person's saved cards; the first is charged. */
export const cardsQuery = query({
  key: cardKeys.all,
  load: loadCards,
})

async function loadCards(signal: AbortSignal) {
  const wanted = read('payment_methods').select('id, kind, brand, last4, exp_month, exp_year')
  return unwrap(await wanted.order('chosen_at', { ascending: false }).abortSignal(signal))
}

/** A saved card or bank account. */
export type SavedCard = Awaited<ReturnType<typeof loadCards>>[number]

/** A card that was declined for a payment, with the provider's reason. */
export interface Declined {
  card: string
  code: string
}

const chargeSchema = z.nullable(
  z.object({ status: z.nullable(z.string()), code: z.nullable(z.string()), tried: z.nullable(z.string()) }),
)

/** Failure codes that do not mean that the card was declined. */
const OTHER_FAILURES = ['no_card', 'disputed', 'authentication_failed']

function declinedIn(charge: z.infer<typeof chargeSchema>): Declined | null {
  const { status, code, tried } = charge ?? {}
  return status === 'failed' && code && tried && !OTHER_FAILURES.includes(code) ? { card: tried, code } : null
}

/** One payment or debt to the site: its period, open amount and status, and the card just declined for it, if any. */
export const duePaymentQuery = (payment: string) =>
  query({
    key: cardKeys.charge(payment),
    load: async (signal) => {
      const wanted = read('member_payments')
        .select('id, subscription_id, plan_name, starts_at, ends_at, amount, status')
        .eq('id', payment)
      const [found, charge] = await Promise.all([
        wanted.abortSignal(signal).maybeSingle().then(unwrap),
        rpc('own_charge', { p_payment_id: payment }, signal),
      ])
      const declined = declinedIn(chargeSchema.parse(charge))
      if (found) return { ...found, plan_name: planName(found.plan_name), declined, isDebt: false }
      const owed = read('debts').select('id, plan_name, open').eq('id', payment)
      const debt = unwrap(await owed.abortSignal(signal).maybeSingle())
      if (!debt) return null
      const { open, ...rest } = debt
      return {
        ...{ ...rest, plan_name: planName(rest.plan_name), declined },
        ...{ subscription_id: null, starts_at: null, ends_at: null, amount: open, isDebt: true },
        status: open > 0 ? ('due' as const) : ('paid' as const),
      }
    },
  })
