import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import type { Database } from '@potluck/supabase/types'
import { type Claim, claimOf, isOwedBack, OPEN, type Payment } from '#domain/payments.ts'
import { named } from '#domain/plan-name.ts'
import { camel, type RowOf, type TableRow } from '#lib/camel.ts'
import { AppError, NOT_FOUND, unwrap } from '#lib/errors.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { currentSession } from '#lib/session.ts'
import { read, rpc } from '#lib/supabase.ts'

export const paymentKeys = {
  all: ['payments'],
  lists: ['payments', 'list'],
  list: (whose: Whose) => ['payments', 'list', whose],
  days: (userId: string) => ['payments', 'days', userId],
  totals: (whose: Whose) => ['payments', 'totals', whose],
  openOf: (planId: string) => ['payments', 'open', planId],
  ownOpen: (memberId: string) => ['payments', 'own-open', memberId],
  unsettled: (ownerId: string) => ['payments', 'unsettled', ownerId],
  afterEnd: (memberId: string) => ['payments', 'after-end', memberId],
  owed: (memberId: string) => ['payments', 'owed', memberId],
  one: (paymentId: string) => ['payments', 'one', paymentId],
  debts: (userId: string) => ['payments', 'debts', userId],
} as const

/** Payments per request: PAGE_SIZE for a screen, MOST_ROWS for a file. */
const PAGE_SIZE = 30
const MOST_ROWS = 500
/** In ms. Several payments usually change at the same time, so reloads are grouped. */
const PACE = 1000

export const PAYMENT =
  '*, owner:user_profiles!member_payments_owner_id_fkey(display_name, wish:payment_wishes(user_id)), member:user_profiles!member_payments_member_id_fkey(display_name, avatar_url, is_guest), invoices:fee_invoices(id, number, corrects, issued_at), claims:payment_claims(id, kind, amount, made_at, status, answer_by, after_end, denial, closed_at)'

type PaymentRow = Database['public']['Tables']['member_payments']['Row'] & {
  owner: { display_name: string | null; wish: object | null } | null
  member: { display_name: string | null; avatar_url: string | null; is_guest: boolean | null } | null
  invoices: { id: string; number: string; corrects: string | null; issued_at: string }[]
  claims: Pick<
    Database['public']['Tables']['payment_claims']['Row'],
    'id' | 'kind' | 'amount' | 'made_at' | 'status' | 'answer_by' | 'after_end' | 'denial' | 'closed_at'
  >[]
}

/** The payments a member makes, or the payments an owner receives for all plans or one. */
export type Whose = { member_id: string } | { owner_id: string; subscription_id?: string }

/** Payments, latest due first. */
export const paymentsQuery = (whose: Whose) =>
  pagedQuery<Payment>({
    key: paymentKeys.list(whose),
    seen: true,
    size: PAGE_SIZE,
    pace: PACE,
    load: ({ after }, signal) => loadPage(whose, after, PAGE_SIZE, signal),
  })

/** The sums of a person's payments by state: one row for EUR, which comes first, and one for each other currency. */
export const paymentTotalsQuery = (whose: Whose) =>
  query({
    key: paymentKeys.totals(whose),
    seen: true,
    pace: PACE,
    load: async (signal) => {
      const wanted = {
        p_as_owner: 'owner_id' in whose,
        p_subscription_id: ('owner_id' in whose && whose.subscription_id) || null,
      }
      const rows = await rpc('payment_totals', wanted, signal)
      return rows.map((row) => camel<PaymentSums>(row))
    },
  })

export type PaymentSums = RowOf<'payment_totals'>

/** A payment due on a day, to make or (if `receives` is true) to receive; with an ISO timestamp. */
export type PaymentDay = RowOf<'my_payment_days'>

/** Open payments and the next payment of each place, to make and to receive, by due date. */
export const paymentDaysQuery = (userId: string) =>
  query({
    key: paymentKeys.days(userId),
    seen: true,
    pace: PACE,
    load: async (signal): Promise<PaymentDay[]> =>
      (await rpc('my_payment_days', {}, signal)).map((row) => named(camel<PaymentDay>(row))),
  })

/** A plan's payments that are due in a year, oldest first, even after the plan has ended. For its owner. */
export const planYearQuery = (planId: string, ownerId: string, year: number) =>
  query({
    key: [...paymentKeys.lists, 'year', planId, year],
    pace: PACE,
    load: async (signal): Promise<Payment[]> => {
      const wanted = read('member_payments')
        .select(PAYMENT)
        .match({ owner_id: ownerId, subscription_id: planId })
        .gte('due_at', new Date(year, 0, 1).toISOString())
        .lt('due_at', new Date(year + 1, 0, 1).toISOString())
      return unwrap(await wanted.order('due_at').abortSignal(signal)).map(toPayment)
    },
  })

/** The open payments of a plan's members, for its owner, oldest due first; not what they owe an earlier owner themselves. */
export const openPaymentsQuery = (planId: string) =>
  query({
    key: paymentKeys.openOf(planId),
    seen: true,
    pace: PACE,
    load: (signal) => {
      const own = currentSession()
      return loadOpen(
        { subscription_id: planId, ...(own.status === 'signed-in' && { owner_id: own.user.id }) },
        signal,
      )
    },
  })

/** A member's open payments for all their places, oldest due first. */
export const ownOpenPaymentsQuery = (memberId: string) =>
  query({
    key: paymentKeys.ownOpen(memberId),
    seen: true,
    pace: PACE,
    load: (signal) => loadOpen({ member_id: memberId }, signal),
  })

async function loadOpen(whose: Record<string, string>, signal: AbortSignal): Promise<Payment[]> {
  const wanted = read('member_payments').select(PAYMENT).match(whose).in('status', OPEN)
  return unwrap(await wanted.order('due_at').abortSignal(signal)).map(toPayment)
}

/** A payment cancelled before this time can no longer be paid. ISO timestamp. */
const lastYear = () => new Date(Date.now() - LIMITS.unpaidMemoryHours * 60 * 60_000).toISOString()

/** A receipt confirmed before this time can no longer be taken back. ISO timestamp. */
const undoable = () => new Date(Date.now() - LIMITS.receiptUndoTimeHours * 60 * 60_000).toISOString()

/**
 * An owner's unsettled direct payments: claims to answer or in dispute, payments left unpaid or of a plan that was handed
 * over, sums to repay, and payments received so recently that "Received" can be undone.
 */
export const unsettledQuery = (ownerId: string) =>
  query({
    key: paymentKeys.unsettled(ownerId),
    seen: true,
    pace: PACE,
    load: async (signal): Promise<Payment[]> => {
      const wanted = read('member_payments')
        .select(PAYMENT)
        .match({ owner_id: ownerId, settlement: 'direct' })
        .or(
          `status.in.(claimed,disputed),and(status.eq.due,or(left_unpaid_at.not.is.null,handed_over_at.not.is.null)),and(owed_back.gt.0,repaid_at.is.null,debt_closed_at.is.null),and(status.eq.paid,unconfirmed_at.is.null,paid_at.gt."${undoable()}")`,
        )
      return unwrap(await wanted.order('due_at').abortSignal(signal)).map(toPayment)
    },
  })

/** A member's direct payments for ended places that can still be paid or wait for an answer. */
export const afterEndQuery = (memberId: string) =>
  query({
    key: paymentKeys.afterEnd(memberId),
    seen: true,
    pace: PACE,
    load: async (signal): Promise<Payment[]> => {
      const wanted = read('member_payments')
        .select(PAYMENT)
        .match({ member_id: memberId, settlement: 'direct' })
        .or(
          `status.in.(due,claimed,disputed),and(status.eq.cancelled,note.not.is.null,waived_at.is.null,closed_at.gt."${lastYear()}")`,
        )
      const [rows, seats] = await Promise.all([
        wanted.order('due_at').abortSignal(signal),
        rpc('my_seats', {}, signal),
      ])
      const living = new Set(seats.filter(({ ended_at }) => ended_at === null).map(({ id }) => id))
      return unwrap(rows)
        .map(toPayment)
        .filter(
          (payment) =>
            !living.has(payment.seatId) &&
            (payment.status !== 'cancelled' || claimOf(payment, 'payment')?.status === 'denied'),
        )
    },
  })

/** Payments that owners must repay to a member for time without access, ended places included. */
export const owedQuery = (memberId: string) =>
  query({
    key: paymentKeys.owed(memberId),
    seen: true,
    pace: PACE,
    load: async (signal): Promise<Payment[]> => {
      const wanted = read('member_payments').select(PAYMENT).eq('member_id', memberId).gt('owed_back', 0)
      return unwrap(await wanted.order('due_at').abortSignal(signal))
        .map(toPayment)
        .filter(isOwedBack)
    },
  })

/** Loads all payments, latest due first. */
export async function loadPayments(whose: Whose): Promise<Payment[]> {
  const all: Payment[] = []
  for (;;) {
    const page = await loadPage(whose, all.at(-1) ?? null, MOST_ROWS)
    all.push(...page)
    if (page.length < MOST_ROWS) return all
  }
}

async function loadPage(
  whose: Whose,
  after: Payment | null,
  size: number,
  signal?: AbortSignal,
): Promise<Payment[]> {
  let wanted = read('member_payments').select(PAYMENT).match(whose)
  if (after) wanted = wanted.lte('due_at', after.dueAt).or(`due_at.lt."${after.dueAt}",id.lt."${after.id}"`)
  const page = wanted.order('due_at', { ascending: false }).order('id', { ascending: false }).limit(size)
  return unwrap(await (signal ? page.abortSignal(signal) : page)).map(toPayment)
}

/** One payment, for the member who pays and the owner who is paid. Fails with PT404 for anybody else. */
export const paymentQuery = (paymentId: string) =>
  query({
    key: paymentKeys.one(paymentId),
    seen: true,
    load: async (signal): Promise<Payment> => {
      const wanted = read('member_payments').select(PAYMENT).eq('id', paymentId)
      const row = unwrap(await wanted.abortSignal(signal).maybeSingle())
      if (!row) throw new AppError(NOT_FOUND, t`This payment is not known, or it is not yours.`)
      return toPayment(row)
    },
  })

export const toPayment = ({ owner, member, invoices, claims, ...row }: PaymentRow): Payment => ({
  ...named(camel<TableRow<'member_payments'>>(row)),
  planId: row.subscription_id,
  invoices: invoices.sort(
    (a, b) => a.issued_at.localeCompare(b.issued_at) || a.number.localeCompare(b.number),
  ),
  claims: claims.sort((a, b) => a.made_at.localeCompare(b.made_at)).map(camel<Claim>),
  payable: row.settlement === 'potluck' || Boolean(owner?.wish),
  // Paid payments store the names at the time of payment, for the receipt.
  ownerName: row.owner_name ?? (owner?.display_name || t`The owner`),
  memberName: row.member_name ?? (member?.display_name || t`A member`),
  memberPage: member?.is_guest ? null : row.member_id,
  memberAvatar: member?.avatar_url ?? null,
  returned: Math.round((row.returned_share + row.returned_fee + row.from_guarantee) * 100) / 100,
})
