import { t } from '@lingui/core/macro'
import { keepPreviousData } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { named } from '#domain/plan-name.ts'
import { camel, type RowOf, type TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { inOrder, type Sorting } from '#lib/sorting.ts'
import { read, rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 50

export const disputeKeys = {
  all: ['disputes'],
  events: ['payment-events'],
  warnings: ['fraud-warnings'],
  contractWithdrawals: ['contract-withdrawals'],
  debts: ['site-debts'],
  returned: ['returned-payments'],
  evidence: (id: string) => ['dispute-evidence', id],
} as const

export type DisputeState = 'open' | 'won' | 'lost'

/** The filter of the dispute list. An omitted field does not filter. */
export interface DisputeFilter {
  state?: DisputeState | undefined
  /** The member who paid or the owner who was paid. */
  person?: string | undefined
  sorting?: Sorting | undefined
}

/**
 * A card payment disputed at the cardholder's bank; in EUR, with ISO timestamps. `id` and `status` are the provider's.
 * `amount` is the part of `charged` that the bank claims; `givenBack` had been refunded before. The `from…` fields say
 * who bears the amount (`fromRefunds`: refunds that were under way) and are reversed if the dispute is won. `cost` is
 * the provider's fee.
 */
export interface Dispute extends TableRow<'payment_disputes'> {
  memberName: string
  ownerName: string
}

const DISPUTE =
  '*, member:user_profiles!payment_disputes_member_id_fkey(display_name), owner:user_profiles!payment_disputes_owner_id_fkey(display_name)'

/** The disputes that match the filter, newest first, in pages. For admins. */
export const disputesQuery = ({ state, person, sorting }: DisputeFilter) =>
  pagedQuery<Dispute>({
    key: [...disputeKeys.all, { state, person, sorting }],
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: async ({ after }, signal) => {
      let wanted = read('payment_disputes').select(DISPUTE)
      if (state === 'open') wanted = wanted.is('closed_at', null)
      else if (state) wanted = wanted.eq('status', state)
      if (person) wanted = wanted.or(`member_id.eq.${person},owner_id.eq.${person}`)
      if (after && !sorting)
        wanted = wanted
          .lte('opened_at', after.openedAt)
          .or(`opened_at.lt."${after.openedAt}",id.lt."${after.id}"`)
      const page = sorting
        ? inOrder(wanted, sorting, 'id', after)
        : wanted.order('opened_at', { ascending: false }).order('id', { ascending: false })
      return unwrap(await page.limit(PAGE_SIZE).abortSignal(signal)).map(({ member, owner, ...row }) => ({
        ...named(camel<TableRow<'payment_disputes'>>(row)),
        memberName: member.display_name ?? t`Unknown`,
        ownerName: owner.display_name ?? t`Unknown`,
      }))
    },
  })

const evidenceSchema = z.object({
  /** Texts by the provider's field names. */
  evidence: z.record(z.string(), z.string()),
  /** A fingerprint of the evidence, sent back with the answer. */
  mark: z.string(),
})

/** The evidence that would be sent to the member's bank. */
export const evidenceQuery = (id: string) =>
  query({
    key: disputeKeys.evidence(id),
    staleTime: 0,
    load: async (signal) => evidenceSchema.parse(await rpc('dispute_evidence', { p_dispute_id: id }, signal)),
  })

/**
 * A bank's warning that a payment will probably be disputed as fraud. `refunded` is the amount (EUR) refunded because
 * of it.
 */
export interface FraudWarning extends TableRow<'fraud_warnings'> {
  memberName: string
  ownerName: string
}

const WARNING =
  '*, member:user_profiles!fraud_warnings_member_id_fkey(display_name), owner:user_profiles!fraud_warnings_owner_id_fkey(display_name)'

/** The latest warnings; undecided ones come first. */
export const fraudWarningsQuery = query({
  key: disputeKeys.warnings,
  load: async (signal): Promise<FraudWarning[]> => {
    const rows = unwrap(
      await read('fraud_warnings')
        .select(WARNING)
        .order('decided_at', { ascending: false, nullsFirst: true })
        .order('warned_at', { ascending: false })
        .limit(PAGE_SIZE)
        .abortSignal(signal),
    )
    return rows.map(({ member, owner, ...row }) => ({
      ...named(camel<TableRow<'fraud_warnings'>>(row)),
      memberName: member.display_name ?? t`Unknown`,
      ownerName: owner.display_name ?? t`Unknown`,
    }))
  },
})

/** Whether contract withdrawals are counted by member or by owner. */
export type Side = 'member' | 'owner'

/** The number of a person’s contract withdrawals within a year, and their `cost` to the site in EUR. */
export type ContractWithdrawalCount = RowOf<'list_contract_withdrawals', 'liftedAt'>

export const contractWithdrawalsQuery = (side: Side) =>
  query({
    key: [...disputeKeys.contractWithdrawals, side],
    load: async (signal): Promise<ContractWithdrawalCount[]> => {
      const rows = await rpc('list_contract_withdrawals', { p_limit: PAGE_SIZE, p_by: side }, signal)
      return rows.map((row) => camel<ContractWithdrawalCount>(row))
    },
  })

/** A member's debt to the site, in EUR. */
export interface SiteDebt
  extends Pick<TableRow<'debts'>, 'id' | 'planName' | 'memberId' | 'amount' | 'open' | 'openedAt'> {
  memberName: string
}

/** The latest debts; open ones come first. */
export const siteDebtsQuery = query({
  key: disputeKeys.debts,
  load: async (signal): Promise<SiteDebt[]> => {
    const rows = unwrap(
      await read('debts')
        .select('id, plan_name, member_id, amount, open, opened_at, member:user_profiles(display_name)')
        .order('open', { ascending: false })
        .order('opened_at', { ascending: false })
        .limit(PAGE_SIZE)
        .abortSignal(signal),
    )
    return rows.map(({ member, ...row }) => ({
      ...named(camel<Omit<SiteDebt, 'memberName'>>(row)),
      memberName: member.display_name ?? t`Unknown`,
    }))
  },
})

/** A payment refunded in full at the provider, listed until staff decide whether its place continues. */
export type ReturnedPayment = RowOf<'list_returned_payments'>

/** The returned payments to decide about, the most urgent first. */
export const returnedPaymentsQuery = query({
  key: disputeKeys.returned,
  load: async (signal): Promise<ReturnedPayment[]> =>
    (await rpc('list_returned_payments', {}, signal)).map((row) => named(camel<ReturnedPayment>(row))),
})

/** A provider's event about a payment that this site does not know or has recorded differently, and its review. */
export interface PaymentEvent extends TableRow<'unknown_payment_events'> {
  reviewerName: string
}

/** Events about unknown payments, newest first: the reviewed ones or the ones still to review. */
export const paymentEventsQuery = (isSeen: boolean, sorting?: Sorting) =>
  pagedQuery<PaymentEvent>({
    key: [...disputeKeys.events, { isSeen, sorting }],
    size: PAGE_SIZE,
    load: async ({ after }, signal) => {
      let wanted = read('unknown_payment_events').select('*, reviewer:user_profiles(display_name)')
      wanted = isSeen ? wanted.not('reviewed_at', 'is', null) : wanted.is('reviewed_at', null)
      if (after && !sorting)
        wanted = wanted
          .lte('received_at', after.receivedAt)
          .or(`received_at.lt."${after.receivedAt}",id.gt."${after.id}"`)
      const page = sorting
        ? inOrder(wanted, sorting, 'id', after)
        : wanted.order('received_at', { ascending: false }).order('id')
      return unwrap(await page.limit(PAGE_SIZE).abortSignal(signal)).map(({ reviewer, ...row }) => ({
        ...camel<TableRow<'unknown_payment_events'>>(row),
        reviewerName: reviewer?.display_name ?? t`Deleted account`,
      }))
    },
  })
