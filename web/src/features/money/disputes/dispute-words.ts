import { t } from '@lingui/core/macro'
import type { Dispute, DisputeState } from './disputes.queries.ts'

/** The labels of the dispute filter. */
export const DISPUTE_STATES: Record<DisputeState, string> = { open: t`Open`, won: t`Won`, lost: t`Lost` }

interface DisputeSummary {
  label: string
  color: string
  /** The next step, or the outcome. */
  text: string
  /** The deadline of the next step, as an ISO timestamp; null if there is none. */
  until: string | null
}

const INQUIRY = t`The bank is only asking. Nothing has been taken.`

/** True if the dispute can still be answered on this site. */
export const isAnswerable = ({ status, dueBy, answer }: Dispute, now: Date) =>
  (status === 'needs_response' || status === 'warning_needs_response') &&
  (answer === null || answer === 'refused') &&
  (dueBy === null || new Date(dueBy) > now)

/** The state of a dispute, for the admin who answers it. */
export function summarizeDispute(dispute: Dispute, now: Date): DisputeSummary {
  const { status, dueBy, fromGuarantee, cost, answer: given, answerRefusal } = dispute
  const isLate = dueBy !== null && new Date(dueBy) < now
  const isGiven = given === 'queued' || given === 'sent'
  const answer = isGiven
    ? given === 'sent'
      ? t`The provider has our evidence. The bank decides.`
      : t`Our evidence is on its way to the provider.`
    : isLate
      ? t`Too late to answer. The bank decides.`
      : given === 'refused'
        ? t`The provider did not take our evidence (${answerRefusal ?? ''}). Answer at Stripe.`
        : t`Answer with what we know of the member’s access.`
  const deadline = isLate || isGiven ? null : dueBy
  switch (status) {
    case 'needs_response':
      return { label: t`To be answered`, color: 'beet', text: answer, until: deadline }
    case 'warning_needs_response':
      return { label: t`Inquiry`, color: 'honey', text: `${INQUIRY} ${answer}`, until: deadline }
    case 'appeal_needs_response':
      return {
        label: t`Appeal`,
        color: 'beet',
        text: isLate
          ? t`Lost, and too late to appeal.`
          : t`Lost, but the network hears an appeal. File it at Stripe, with your reasons.`,
        until: isLate ? null : dueBy,
      }
    case 'appeal_under_review':
      return { label: t`Appeal`, color: 'honey', text: t`The card network decides.`, until: null }
    case 'under_review':
      return { label: t`At the bank`, color: 'honey', text: t`Answered. The bank decides.`, until: null }
    case 'warning_under_review':
      return { label: t`Inquiry`, color: 'honey', text: INQUIRY, until: null }
    case 'won':
      return {
        label: t`Won`,
        color: 'herb',
        text:
          cost > 0
            ? t`Everything except the provider’s fee came back, and the owner was paid what was held.`
            : t`Everything came back, and the owner was paid what was held.`,
        until: null,
      }
    case 'lost':
      return {
        label: t`Lost`,
        color: 'gray',
        text: fromGuarantee > 0 ? t`The guarantee account covers the rest.` : t`The money is lost.`,
        until: null,
      }
    case 'warning_closed':
    case 'prevented':
      return { label: t`Settled`, color: 'gray', text: t`Nothing was taken.`, until: null }
    default:
      // A provider's status that this code does not know.
      return { label: status, color: 'gray', text: '', until: dueBy }
  }
}

/** The sums that a dispute has taken and who bears each, in the order in which they were taken. */
export const takenBy = (dispute: Dispute) =>
  [
    { from: t`held for ${{ owner: dispute.ownerName }}`, amount: dispute.fromShare },
    { from: t`held fee`, amount: dispute.fromFee },
    { from: t`account of ${{ owner: dispute.ownerName }}`, amount: dispute.fromAccount },
    { from: t`a refund under way`, amount: dispute.fromRefunds },
    { from: t`coins of ${{ member: dispute.memberName }}`, amount: dispute.fromCoins },
    { from: t`guarantee account`, amount: dispute.fromGuarantee },
    { from: t`the site, for the provider’s fee`, amount: dispute.cost },
  ].filter(({ amount }) => amount > 0)

/** The URL of a page in Stripe's dashboard. Test payments are under `test/`. */
export const atStripe = (kind: 'disputes' | 'connect/accounts', id: string, publishableKey: string | null) =>
  `https://dashboard.stripe.com/${publishableKey?.startsWith('pk_test_') ? 'test/' : ''}${kind}/${encodeURIComponent(id)}`
