// Receives events from the provider. Only events with a valid signature count. No event is lost: events about unknown
// charges are stored for staff.
import { callDatabase as call } from '../_shared/database.ts'
import type { Card, Provider } from './provider.ts'
import { InvalidWebhook, type ProviderEvent, readStripeEvent } from './stripe-events.ts'
import { recordAccount, recordCharge, recordDispute, recordRefund } from './work.ts'

export async function takeWebhook(request: Request, provider: Provider, secret: string): Promise<Response> {
  try {
    const event = await readStripeEvent(await request.text(), request.headers.get('stripe-signature'), {
      secret,
      isLive: provider.mode === 'live',
    })
    const isKnown = await record(provider, event)
    if (!isKnown) {
      await call('record_unknown_event', { p_id: event.id, p_type: event.type, p_about: event.about })
    }
    return Response.json({ received: true })
  } catch (error) {
    // After an error, the provider sends the event again later.
    if (error instanceof InvalidWebhook) return Response.json({ error: error.message }, { status: 400 })
    throw error
  }
}

/** Records an event; returns false if it is about an object that is not ours. */
async function record(provider: Provider, event: ProviderEvent): Promise<boolean> {
  switch (event.kind) {
    case 'charge': {
      // Events may arrive out of order, so only final outcomes are recorded directly; otherwise the current status is
      // fetched.
      const isFinal = event.outcome.status === 'succeeded'
      if (isFinal && event.outcome.costCents > 0) return recordCharge(event.intent, event.outcome)
      if (!(await call('knows_charge', { p_intent: event.intent }))) return false
      return recordCharge(event.intent, await provider.lookUp(event.intent))
    }
    case 'refund':
      // The event of a refund made by hand may arrive before that of its charge.
      if (event.refund === null && event.outcome.intent !== null) {
        if (!(await call('knows_charge', { p_intent: event.outcome.intent }))) return false
        await recordCharge(event.outcome.intent, await provider.lookUp(event.outcome.intent))
      }
      return recordRefund(event.refund, event.outcome)
    case 'dispute': {
      // An appeal reopens a lost dispute. Its event may arrive late, so the dispute's present status is looked up.
      const isAppeal = event.dispute.status.startsWith('appeal')
      return recordDispute(isAppeal ? await provider.lookUpDispute(event.dispute.reference) : event.dispute)
    }
    case 'fraud-warning': {
      const { reference, intent, fraudType, isActionable } = event.warning
      return call('record_fraud_warning', {
        p_reference: reference,
        p_intent: intent,
        p_type: fraudType,
        p_actionable: isActionable,
      })
    }
    case 'account':
      if (!provider.accounts || !(await call('knows_account', { p_reference: event.account }))) return false
      return recordAccount(await provider.accounts.lookUp(event.account))
    case 'payout':
      return call('record_account_payout', {
        p_account: event.account,
        p_payout: event.payout.id,
        p_amount: event.payout.amountCents / 100,
        p_status: event.payout.status,
        p_arrives_on: event.payout.arrivesOn,
        p_reason: event.payout.reason,
      })
    case 'card':
      await saveCard(event.card, false)
      return true
    case 'card-gone':
      await call('forget_card', { p_method: event.method })
      return true
    case 'mandate-over':
      await call('end_mandate', { p_method: event.method })
      return true
    case 'setup':
      return keepCard(provider, event.setup)
    default:
      // Stripe sends all events to which the endpoint is subscribed. Events of other kinds are not stored.
      return true
  }
}

/** Saves the card of a setup; returns false if there is no card, or if its customer is unknown here. */
export async function keepCard(provider: Provider, setup: string): Promise<boolean> {
  const card = await provider.savedCard(setup)
  return card !== undefined && saveCard(card, true)
}

/** Saves a card; if `isNew` is false, only updates a saved card. Returns false if the customer is unknown. */
export const saveCard = (card: Card, isNew: boolean): Promise<boolean> =>
  call('record_card', {
    p_customer: card.customer,
    p_method: card.method,
    p_brand: card.brand,
    p_last4: card.last4,
    p_exp_month: card.expMonth,
    p_exp_year: card.expYear,
    p_is_new: isNew,
    p_kind: card.kind,
    p_mandate: card.mandate,
    p_country: card.country,
    p_fingerprint: card.fingerprint,
  })
