import type { Dispute } from './disputes.queries.ts'

/** What a list of disputes can be narrowed to. */
export const DISPUTE_STATES = { open: 'Open', won: 'Won', lost: 'Lost' } as const
export type DisputeState = keyof typeof DISPUTE_STATES

interface Standing {
  label: string
  color: string
  /** What there is to do, or what has come of it. */
  text: string
  /** Until when something can be done. */
  until: string | null
}

const INQUIRY = 'The bank only asks so far, and has taken nothing.'

/** How a dispute stands, for whoever is to answer it. */
export function standingOf({ status, dueBy, fromGuarantee }: Dispute, now: Date): Standing {
  const isLate = dueBy !== null && new Date(dueBy) < now
  const answer = isLate
    ? 'The time to answer it is over; the bank decides.'
    : 'Answer it at the payment provider, with what shows that the member had access.'
  switch (status) {
    case 'needs_response':
      return { label: 'To be answered', color: 'beet', text: answer, until: isLate ? null : dueBy }
    case 'warning_needs_response':
      return { label: 'Inquiry', color: 'honey', text: `${INQUIRY} ${answer}`, until: isLate ? null : dueBy }
    case 'under_review':
      return { label: 'At the bank', color: 'honey', text: 'It is answered; the bank decides.', until: null }
    case 'warning_under_review':
      return { label: 'Inquiry', color: 'honey', text: INQUIRY, until: null }
    case 'won':
      return {
        label: 'Won',
        color: 'herb',
        text: 'All of it was put back; what had been held went to the owner.',
        until: null,
      }
    case 'lost':
      return {
        label: 'Lost',
        color: 'gray',
        text: fromGuarantee > 0 ? 'The guarantee account bears the rest for good.' : 'The money is gone.',
        until: null,
      }
    case 'warning_closed':
    case 'prevented':
      return { label: 'Settled', color: 'gray', text: 'Nothing was taken.', until: null }
    default:
      // This page is older than what the provider says.
      return { label: status, color: 'gray', text: '', until: dueBy }
  }
}

/** What a dispute took, from where, in the order it was taken. */
export const takenBy = ({ member, owner, ...dispute }: Dispute) =>
  [
    { from: `held for ${owner.name}`, amount: dispute.fromShare },
    { from: 'held fee', amount: dispute.fromFee },
    { from: 'a refund under way', amount: dispute.fromRefunds },
    { from: `coins of ${member.name}`, amount: dispute.fromCoins },
    { from: 'guarantee account', amount: dispute.fromGuarantee },
  ].filter(({ amount }) => amount > 0)

/** Where the provider shows it; the live site and its tests are apart there. */
export const atStripe = (id: string, publishableKey: string | null) =>
  `https://dashboard.stripe.com/${publishableKey?.startsWith('pk_test_') ? 'test/' : ''}disputes/${encodeURIComponent(id)}`
