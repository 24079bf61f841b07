import { t } from '@lingui/core/macro'
import { keepPreviousData } from '@tanstack/react-query'
import * as z from 'zod/mini'
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
  withdrawals: ['contract-withdrawals'],
  debts: ['site-debts'],
  returned: ['returned-payments'],
  evidence: (id: string) => ['dispute-evidence', id],
} as const

export type DisputeState = 'open' | 'won' | 'lost'

/** Which disputes are wanted; what is left out does not narrow the list. */
export interface DisputeWish {
  state?: DisputeState | undefined
  /** The member who paid or the owner who was paid. */
  person?: string | undefined
  sorting?: Sorting | undefined
}

/**
 * A payment that a cardholder has their bank take back; in EUR, with ISO timestamps. `id` and `status` are the provider's.
 * The bank wants `amount` of what was `charged`, of which `givenBack` had gone back to the card before. The `from…` say who
 * bears it, `fromRefunds` by refunds that were under way; a dispute that is won has put it all back. `cost` is the provider's fee.
 */
export interface Dispute extends TableRow<'payment_disputes'> {
  memberName: string
  ownerName: string
}

const DISPUTE =
  '*, member:user_profiles!payment_disputes_member_id_fkey(display_name), owner:user_profiles!payment_disputes_owner_id_fkey(display_name)'

/** The disputes that fit, newest first, page by page. For admins. */
export const disputesQuery = ({ state, person, sorting }: DisputeWish) =>
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
        ...camel<TableRow<'payment_disputes'>>(row),
        memberName: member.display_name ?? t`Unknown`,
        ownerName: owner.display_name ?? t`Unknown`,
      }))
    },
  })

const evidenceSchema = z.object({
  /** By the provider's names of the fields. */
  evidence: z.record(z.string(), z.string()),
  /** Stands for exactly this text. */
  mark: z.string(),
})

/** What would be sent to the bank of a disputed payment's member. */
export const evidenceQuery = (id: string) =>
  query({
    key: disputeKeys.evidence(id),
    staleTime: 0,
    load: async (signal) => evidenceSchema.parse(await rpc('dispute_evidence', { p_dispute_id: id }, signal)),
  })

/** A bank's warning that a payment will probably be disputed as fraud; what was `charged`, and of that `refunded` because of it. */
export interface FraudWarning extends TableRow<'fraud_warnings'> {
  memberName: string
  ownerName: string
}

const WARNING =
  '*, member:user_profiles!fraud_warnings_member_id_fkey(display_name), owner:user_profiles!fraud_warnings_owner_id_fkey(display_name)'

/** The latest warnings, those to decide about first. */
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
      ...camel<TableRow<'fraud_warnings'>>(row),
      memberName: member.display_name ?? t`Unknown`,
      ownerName: owner.display_name ?? t`Unknown`,
    }))
  },
})

/** Whose withdrawals are counted. */
export type Side = 'member' | 'owner'

/** How often a person's contracts were withdrawn from within a year; in EUR, `cost` is what the site bears. */
export type ContractWithdrawals = RowOf<'list_contract_withdrawals', 'liftedAt'>

export const contractWithdrawalsQuery = (side: Side) =>
  query({
    key: [...disputeKeys.withdrawals, side],
    load: async (signal): Promise<ContractWithdrawals[]> => {
      const rows = await rpc('list_contract_withdrawals', { p_limit: PAGE_SIZE, p_by: side }, signal)
      return rows.map((row) => camel<ContractWithdrawals>(row))
    },
  })

/** What a member owes the site, in EUR. */
export interface SiteDebt
  extends Pick<TableRow<'debts'>, 'id' | 'planName' | 'memberId' | 'amount' | 'open' | 'openedAt'> {
  memberName: string
}

/** The latest debts, those still open first. */
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
      ...camel<Omit<SiteDebt, 'memberName'>>(row),
      memberName: member.display_name ?? t`Unknown`,
    }))
  },
})

/** A payment that was refunded whole at the provider, until staff have said whether its place goes on. */
export type ReturnedPayment = RowOf<'list_returned_payments'>

/** Those to decide about, the most urgent first. */
export const returnedPaymentsQuery = query({
  key: disputeKeys.returned,
  load: async (signal): Promise<ReturnedPayment[]> =>
    (await rpc('list_returned_payments', {}, signal)).map((row) => camel<ReturnedPayment>(row)),
})

/** What the payment provider said of a payment this site does not know, or has otherwise in its books; once reviewed, with what it was. */
export interface PaymentEvent extends TableRow<'unknown_payment_events'> {
  reviewerName: string
}

/** Events about payments this site does not know, newest first: those already reviewed, or those that are not. */
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
