// Reads Stripe's webhook events, and translates them to this function's terms.
import Stripe from 'stripe'
import type { Card, Dispute, Outcome, RefundOutcome } from './provider.ts'
import { idOf, toCard, toDispute, toOutcome, toRefund } from './stripe.ts'

interface FraudWarning {
  reference: string
  intent: string
  fraudType: string
  isActionable: boolean
}

/** A payout from an owner's own account to their bank. */
interface Payout {
  id: string
  amountCents: number
  status: string
  /** The time of arrival, in ISO 8601. */
  arrivesOn: string
  reason: string | null
}

/** `about` is the id of the event's object, for staff who look into an unknown event. */
export type ProviderEvent = { id: string; type: string; about: string } & (
  | { kind: 'charge'; intent: string; outcome: Outcome }
  | { kind: 'refund'; refund: string | null; outcome: RefundOutcome }
  | { kind: 'dispute'; dispute: Dispute }
  | { kind: 'fraud-warning'; warning: FraudWarning }
  | { kind: 'card'; card: Card }
  | { kind: 'card-gone'; method: string }
  | { kind: 'mandate-over'; method: string }
  | { kind: 'setup'; setup: string }
  | { kind: 'account'; account: string }
  | { kind: 'payout'; account: string; payout: Payout }
  | { kind: 'other' }
)

/** The maximum difference between the time of a signature and our time, in seconds. */
const TOLERANCE = 300

/** Thrown if the signature is wrong, too old or from the future, or if the event is from another environment. */
export class InvalidWebhook extends Error {}

export async function readStripeEvent(
  raw: string,
  signature: string | null,
  { secret, isLive }: { secret: string; isLive: boolean },
): Promise<ProviderEvent> {
  await verify(raw, signature, secret)
  const event: Stripe.Event | Notice = JSON.parse(raw)
  if (event.livemode !== isLive) throw new InvalidWebhook('This event is of another environment')
  const { id, type } = event
  if (event.object === 'v2.core.event') {
    const account = event.related_object?.id ?? ''
    const isOfAccount = type.startsWith('v2.core.account[')
    return { id, type, about: account, ...(isOfAccount ? { kind: 'account', account } : { kind: 'other' }) }
  }
  const about = 'id' in event.data.object ? String(event.data.object.id) : ''
  return { id, type, about, ...read(event) }
}

/** An event of Accounts v2, which has only the id of its object. */
interface Notice extends Pick<Stripe.Event, 'id' | 'livemode'> {
  object: 'v2.core.event'
  type: string
  related_object?: { id: string } | null
}

/**
 * Checks the signature. Stripe has three event destinations, each of which signs with its own secret: for the site, for
 * its accounts and for Accounts v2.
 */
async function verify(raw: string, header: string | null, secrets: string): Promise<void> {
  // Stripe's library refuses old timestamps, but not future ones.
  for (const [, at] of (header ?? '').matchAll(/\bt=(\d+)/g))
    if (Number(at) > Date.now() / 1000 + TOLERANCE)
      throw new InvalidWebhook('The signature is from the future')
  const { signature } = Stripe.webhooks
  if (!signature) throw new Error('Stripe’s library cannot check signatures here')
  const crypto = Stripe.createSubtleCryptoProvider()
  const refusals: string[] = []
  // Skip an empty secret, such as after a trailing comma, because anybody could sign with it.
  for (const secret of secrets.split(',').flatMap((one) => one.trim() || [])) {
    const verdict = await signature
      .verifyHeaderAsync(raw, header ?? '', secret, TOLERANCE, crypto)
      .catch(String)
    if (verdict === true) return
    refusals.push(String(verdict))
  }
  throw new InvalidWebhook(refusals.join('; '))
}

type Meaning<Event = ProviderEvent> = Event extends ProviderEvent
  ? Omit<Event, 'id' | 'type' | 'about'>
  : never

function read(event: Stripe.Event): Meaning {
  // Of the events about owners' accounts, only payouts matter here.
  if (event.account && !event.type.startsWith('payout.')) return { kind: 'other' }
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
    case 'payment_intent.processing':
    case 'payment_intent.requires_action':
      return { kind: 'charge', intent: event.data.object.id, outcome: toOutcome(event.data.object) }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed': {
      const refund = event.data.object.metadata?.refund_id ?? null
      return { kind: 'refund', refund, outcome: toRefund(event.data.object) }
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return { kind: 'dispute', dispute: toDispute(event.data.object) }
    case 'radar.early_fraud_warning.created':
    case 'radar.early_fraud_warning.updated':
      return { kind: 'fraud-warning', warning: toWarning(event.data.object) }
    case 'payment_method.updated':
    case 'payment_method.automatically_updated': {
      const card = toCard(event.data.object)
      return card ? { kind: 'card', card } : { kind: 'other' }
    }
    case 'mandate.updated': {
      const { status, payment_method: method } = event.data.object
      return status === 'inactive' ? { kind: 'mandate-over', method: idOf(method) ?? '' } : { kind: 'other' }
    }
    case 'payment_method.detached':
      return { kind: 'card-gone', method: event.data.object.id }
    case 'payout.created':
    case 'payout.updated':
    case 'payout.paid':
    case 'payout.failed':
    case 'payout.canceled':
      // The site's own payouts go to its bank and do not concern us.
      return event.account
        ? { kind: 'payout', account: event.account, payout: toPayout(event.data.object) }
        : { kind: 'other' }
    case 'setup_intent.succeeded':
      return { kind: 'setup', setup: event.data.object.id }
    default:
      return { kind: 'other' }
  }
}

const toPayout = (payout: Stripe.Payout): Payout => ({
  id: payout.id,
  amountCents: payout.amount,
  status: payout.status,
  arrivesOn: new Date(payout.arrival_date * 1000).toISOString(),
  reason: payout.failure_code,
})

const toWarning = (warning: Stripe.Radar.EarlyFraudWarning): FraudWarning => ({
  reference: warning.id,
  intent: idOf(warning.payment_intent) ?? '',
  fraudType: warning.fraud_type,
  isActionable: warning.actionable,
})
