import { keepPreviousData } from '@tanstack/react-query'
import { unwrap } from '#lib/errors.ts'
import { pagedQuery } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'
import type { DisputeState } from './dispute-words.ts'

const PAGE_SIZE = 50

export const disputeKeys = { all: ['disputes'], events: ['payment-events'] } as const

/** Which disputes are wanted; what is left out is not asked about. */
export interface DisputeWish {
  state?: DisputeState | undefined
  /** Whoever paid or was paid. */
  person?: string | undefined
}

interface Side {
  id: string
  name: string
}

/** A payment that a cardholder has their bank take back. Amounts in EUR, times as ISO timestamps. */
export interface Dispute {
  /** The provider's name for it. */
  id: string
  planName: string
  member: Side
  owner: Side
  reason: string
  /** As the provider says it. */
  status: string
  /** Until when it can be answered. */
  dueBy: string | null
  openedAt: string
  closedAt: string | null
  /** What the bank wants back, and what the card had been charged and got back before. */
  amount: number
  charged: number
  givenBack: number
  /** What it took, from where; a won one has put it back. */
  fromShare: number
  fromFee: number
  fromCoins: number
  fromGuarantee: number
  /** Of refunds that were on their way to the card when the bank took it. */
  fromRefunds: number
}

const DISPUTE =
  '*, member:user_profiles!payment_disputes_member_id_fkey(display_name), owner:user_profiles!payment_disputes_owner_id_fkey(display_name)'

/** The disputes that fit, newest first, a page after the other. For admins. */
export const disputesQuery = ({ state, person }: DisputeWish) =>
  pagedQuery({
    key: [...disputeKeys.all, { state, person }],
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: async ({ after }, signal): Promise<Dispute[]> => {
      let wanted = read('payment_disputes').select(DISPUTE)
      if (state === 'open') wanted = wanted.is('closed_at', null)
      else if (state) wanted = wanted.eq('status', state)
      if (person) wanted = wanted.or(`member_id.eq.${person},owner_id.eq.${person}`)
      if (after)
        wanted = wanted
          .lte('opened_at', after.openedAt)
          .or(`opened_at.lt."${after.openedAt}",id.lt."${after.id}"`)
      const page = wanted.order('opened_at', { ascending: false }).order('id', { ascending: false })
      return unwrap(await page.limit(PAGE_SIZE).abortSignal(signal)).map((row) => ({
        id: row.id,
        planName: row.plan_name,
        member: { id: row.member_id, name: row.member.display_name ?? 'Unknown' },
        owner: { id: row.owner_id, name: row.owner.display_name ?? 'Unknown' },
        reason: row.reason,
        status: row.status,
        dueBy: row.due_by,
        openedAt: row.opened_at,
        closedAt: row.closed_at,
        amount: row.amount,
        charged: row.charged,
        givenBack: row.given_back,
        fromShare: row.from_share,
        fromFee: row.from_fee,
        fromCoins: row.from_coins,
        fromGuarantee: row.from_guarantee,
        fromRefunds: row.from_refunds,
      }))
    },
  })

/** Something the provider said of no payment of this site. */
export interface PaymentEvent {
  id: string
  type: string
  /** The provider's name for what it is about. */
  about: string
  receivedAt: string
  /** Once somebody has looked into it. */
  review: { at: string; by: string; byId: string | null; finding: string } | null
}

/** What the provider said of things that are not ours, newest first; `isSeen` are those somebody has looked at. */
export const paymentEventsQuery = (isSeen: boolean) =>
  pagedQuery({
    key: [...disputeKeys.events, { isSeen }],
    size: PAGE_SIZE,
    load: async ({ after }, signal): Promise<PaymentEvent[]> => {
      let wanted = read('unknown_payment_events').select('*, reviewer:user_profiles(display_name)')
      wanted = isSeen ? wanted.not('reviewed_at', 'is', null) : wanted.is('reviewed_at', null)
      if (after)
        wanted = wanted
          .lte('received_at', after.receivedAt)
          .or(`received_at.lt."${after.receivedAt}",id.gt."${after.id}"`)
      const page = wanted.order('received_at', { ascending: false }).order('id')
      return unwrap(await page.limit(PAGE_SIZE).abortSignal(signal)).map((row) => ({
        id: row.id,
        type: row.type,
        about: row.about,
        receivedAt: row.received_at,
        review: row.reviewed_at
          ? {
              at: row.reviewed_at,
              byId: row.reviewed_by,
              by: row.reviewer?.display_name ?? 'Deleted account',
              finding: row.finding ?? '',
            }
          : null,
      }))
    },
  })
