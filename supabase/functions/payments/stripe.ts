// The provider Stripe, through its own library, which brings an HTTP client for Node and one for Deno. In Node, fetch would
// take three times as much processor time.
import Stripe from 'stripe'
import {
  type Card,
  type ChargeNames,
  type ChargeOrder,
  type Dispute,
  failed,
  METHODS,
  type Method,
  type Movement,
  type Outcome,
  type Provider,
  type RefundOutcome,
} from './provider.ts'
import { stripeAccounts } from './stripe-accounts.ts'

export interface StripeSettings {
  secretKey: string
  publishableKey: string
  /** Without a trailing slash. */
  siteUrl: string
  /** The URL to call instead of Stripe's API, in tests. */
  apiUrl: string | undefined
  /** Whether owners are paid through accounts of their own. */
  usesAccounts: boolean
  /** The methods that people may save from now on; methods of other kinds that were saved before are still charged. */
  methods: readonly Method[]
  creditor: string | null
}

const isLive = (key: string) => /^[a-z]+_live_/.test(key)
/** Movements between our balance and our bank. */
const WITH_THE_BANK = /^(payout|topup)/
/** Movements that hold a part of a balance in reserve, or release it. */
const PUT_BY = /^(reserve|payment_network_reserve|payout_minimum_balance)/
const WITH_COST = { expand: ['latest_charge.balance_transaction'] }

export function connectStripe({ secretKey, apiUrl }: Pick<StripeSettings, 'secretKey' | 'apiUrl'>): Stripe {
  const address = apiUrl === undefined ? undefined : new URL(apiUrl)
  return new Stripe(secretKey, {
    // The queue retries jobs. Retries by the library could outlast the job's lease.
    maxNetworkRetries: 0,
    timeout: 20_000,
    telemetry: false,
    ...(address && {
      protocol: address.protocol === 'http:' ? ('http' as const) : ('https' as const),
      host: address.hostname,
      port: address.port,
    }),
  })
}

/** Returns Stripe as a provider. Throws if the keys belong to different environments. */
export function stripeProvider(settings: StripeSettings): Provider {
  const stripe = connectStripe(settings)
  if (isLive(settings.secretKey) !== isLive(settings.publishableKey))
    throw new Error('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY: one is live, the other is not')

  async function find(order: ChargeOrder): Promise<string | undefined> {
    const list = stripe.paymentIntents.list({
      customer: order.customer,
      // Search from an hour earlier, because our clock and Stripe's may differ.
      created: { gte: order.since - 3_600 },
      limit: 100,
    })
    const isSame = ({ payment_id, seat_id, period }: Stripe.Metadata) =>
      payment_id === order.payment ||
      // After a restore of a backup, the same period may have got another payment.
      (order.seat !== undefined && seat_id === order.seat && period === String(order.period))
    for await (const intent of list)
      if (isSame(intent.metadata) && intent.status !== 'canceled') return intent.id
    return undefined
  }

  const open = (order: ChargeOrder): Promise<string | Outcome> => openIntent(order).catch(toRefusal)

  async function openIntent(order: ChargeOrder): Promise<string> {
    const lost = order.attempt > 1 ? await find(order) : undefined
    if (lost !== undefined) return lost
    const { id } = await stripe.paymentIntents.create(
      {
        amount: order.amountCents,
        currency: order.currency,
        customer: order.customer,
        description: order.description,
        metadata: {
          payment_id: order.payment,
          ...(order.seat !== undefined && { seat_id: order.seat, period: String(order.period) }),
        },
        transfer_group: order.payment,
        allowed_payment_method_types: [...METHODS],
        // The charge is captured immediately, so that Stripe's fee is known from the response.
        capture_method: 'automatic',
      },
      { idempotencyKey: `payment:${order.payment}:${order.attempt}` },
    )
    return id
  }

  async function charge(intent: string, order: ChargeOrder): Promise<Outcome> {
    // A charge that was opened just now is still open and as ordered, so it is not looked up first.
    const isNew = order.intent === null && order.attempt === 1
    return isNew ? confirm(intent, order) : chargeKnown(intent, order)
  }

  /** Confirms a charge that an earlier attempt has opened, unless it is under way or over. */
  async function chargeKnown(intent: string, order: ChargeOrder): Promise<Outcome> {
    const before = await stripe.paymentIntents.retrieve(intent, WITH_COST).catch(toRefusal)
    if (!('id' in before)) return before
    const waits = before.status === 'requires_action'
    // A person on a confirmation page may still choose another card.
    const isOther = order.onSession && idOf(before.payment_method) !== order.method
    const isOpen = ['requires_payment_method', 'requires_confirmation'].includes(before.status)
    if (!isOpen && !(waits && isOther)) return toOutcome(before)
    // The charge belongs to a deleted customer and cannot be paid with another customer's card. Close it, so that the
    // next attempt opens a new charge.
    if (idOf(before.customer) !== order.customer) return close(intent)
    return confirm(intent, order, before.amount)
  }

  async function confirm(intent: string, order: ChargeOrder, amount = order.amountCents): Promise<Outcome> {
    try {
      if (amount !== order.amountCents) {
        await stripe.paymentIntents.update(intent, { amount: order.amountCents })
      }
      const after = await stripe.paymentIntents.confirm(
        intent,
        {
          payment_method: order.method,
          // Stripe requires this even if the person is absent, because some of the allowed methods may redirect people.
          return_url: `${settings.siteUrl}/pay/${order.payment}?back=1`,
          ...(!order.onSession && { off_session: true }),
          ...(order.debitOn && { payment_method_options: { sepa_debit: { target_date: order.debitOn } } }),
          ...WITH_COST,
        },
        { idempotencyKey: `confirm:${order.payment}:${order.attempt}` },
      )
      return toOutcome(after)
    } catch (error) {
      const { errors } = Stripe
      if (error instanceof errors.StripeCardError && error.payment_intent)
        return toOutcome(error.payment_intent)
      // The charge was confirmed in the meantime, or the card no longer exists.
      if (error instanceof errors.StripeInvalidRequestError && error.payment_intent) return lookUp(intent)
      return toRefusal(error)
    }
  }

  const lookUp = async (intent: string): Promise<Outcome> =>
    stripe.paymentIntents.retrieve(intent, WITH_COST).then(toOutcome, toRefusal)

  async function close(intent: string): Promise<Outcome> {
    try {
      return toOutcome(await stripe.paymentIntents.cancel(intent))
    } catch (error) {
      // A charge that has succeeded, is processing or was closed cannot be canceled. Its status says which is the case.
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return lookUp(intent)
      throw error
    }
  }

  /** Returns whether the customer exists; false if it was deleted in the dashboard, or belongs to other keys. */
  async function isCustomer(id: string): Promise<boolean> {
    try {
      return !(await stripe.customers.retrieve(id)).deleted
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
        return false
      throw error
    }
  }

  async function refundsOf(intent: string): Promise<Stripe.Refund[]> {
    const found: Stripe.Refund[] = []
    for await (const one of stripe.refunds.list({ payment_intent: intent, limit: 100 })) found.push(one)
    return found
  }

  const refund: Provider['refund'] = async ({ id, intent, amountCents, attempt }) => {
    const lost = attempt > 1 && (await refundsOf(intent)).find(({ metadata }) => metadata?.refund_id === id)
    if (lost) return toRefund(lost)
    try {
      return toRefund(
        await stripe.refunds.create(
          { payment_intent: intent, amount: amountCents, metadata: { refund_id: id } },
          { idempotencyKey: `refund:${id}:${attempt}` },
        ),
      )
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      const byHand = (await refundsOf(intent)).filter(({ metadata }) => !metadata?.refund_id).map(toRefund)
      const refusal = { reference: null, status: 'failed', reason: error.code ?? 'refused' } as const
      return { intent, amountCents, ...refusal, byHand }
    }
  }

  const ourRefundsOf: Provider['refundsOf'] = async (intent) =>
    (await refundsOf(intent)).map((one) => ({
      id: one.metadata?.refund_id ?? null,
      outcome: toRefund(one),
    }))

  async function disputesOf(intent: string): Promise<Dispute[]> {
    const { data } = await stripe.disputes.list({ payment_intent: intent, limit: 100 })
    return data.map(toDispute)
  }

  const lookUpDispute = async (id: string) => toDispute(await stripe.disputes.retrieve(id))

  const answerDispute: Provider['answerDispute'] = async ({ id, evidence, attempt }) => {
    try {
      // A dispute is answered only once. An earlier attempt whose response was lost may have answered it already, or
      // staff in the dashboard. A chargeback that began as an inquiry needs a second answer.
      const { status, evidence_details: known } = await stripe.disputes.retrieve(id)
      if (status === 'needs_response' || status === 'warning_needs_response')
        await stripe.disputes.update(
          id,
          { evidence, submit: true },
          { idempotencyKey: `evidence:${id}:${known.submission_count}:${attempt}` },
        )
      return null
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return error.code ?? 'refused'
      throw error
    }
  }

  const movements: Provider['movements'] = async function* ({ since, until }, account) {
    const counts = ({ type }: Stripe.BalanceTransaction) =>
      !PUT_BY.test(type) && (account != null || !WITH_THE_BANK.test(type))
    const about = account == null ? intentOf : sentOf
    for (let after: string | undefined, goesOn = true; goesOn; ) {
      const page = await stripe.balanceTransactions.list(
        {
          created: { gte: since, lt: until },
          expand: ['data.source'],
          limit: 100,
          ...(after !== undefined && { starting_after: after }),
        },
        account == null ? {} : { stripeAccount: account },
      )
      after = page.data.at(-1)?.id
      goesOn = page.has_more && after !== undefined
      yield { movements: page.data.filter(counts).map((one) => toMovement(one, about)), goesOn }
    }
  }

  return {
    name: 'stripe',
    mode: isLive(settings.secretKey) ? 'live' : 'test',
    publishableKey: settings.publishableKey,
    methods: settings.methods,
    creditor: settings.creditor,
    customer: async (userId, known) => {
      if (known !== null && (await isCustomer(known))) return known
      const made = await stripe.customers.create(
        { metadata: { user_id: userId } },
        { idempotencyKey: ['customer', userId, ...(known === null ? [] : [known])].join(':') },
      )
      return made.id
    },
    // The form is Stripe's, on a page of ours that runs no other third-party code
    // (docs/decisions/032-payment-element.md).
    setUp: async (userId, customer) => {
      const { id, client_secret: secret } = await stripe.setupIntents.create({
        customer,
        allowed_payment_method_types: [...settings.methods],
        usage: 'off_session',
        metadata: { user_id: userId },
      })
      return { id, secret }
    },
    savedCard: async (setup) => {
      const known = await stripe.setupIntents
        .retrieve(setup, { expand: ['payment_method', 'mandate'] })
        .catch((error: unknown) => {
          // The id comes from the browser, so it may not be that of a setup.
          if (error instanceof Stripe.errors.StripeInvalidRequestError) return null
          throw error
        })
      if (!known) return undefined
      const { payment_method: method, status, mandate } = known
      if (status !== 'succeeded' || !method || typeof method !== 'object') return undefined
      return toCard(method, mandate && typeof mandate === 'object' ? mandate : null)
    },
    removeCard: async (method) => {
      await stripe.paymentMethods.detach(method).catch((error: unknown) => {
        // The card has been removed already.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      })
    },
    accounts: settings.usesAccounts ? stripeAccounts(stripe, settings.siteUrl) : null,
    ...{ open, charge, lookUp, close, refund, disputesOf, lookUpDispute, answerDispute, movements },
    refundsOf: ourRefundsOf,
  }
}

export const idOf = (one: string | { id: string } | null | undefined): string | null =>
  (one && typeof one === 'object' ? one.id : one) ?? null

/** Turns a refusal that Stripe would repeat into an outcome. Rethrows errors that may pass or are of a wrong key. */
function toRefusal(error: unknown): Outcome {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return failed(error.code ?? 'refused')
  throw error
}

export function toOutcome(intent: Stripe.PaymentIntent): Outcome {
  const { latest_charge: latest, last_payment_error: error } = intent
  const charge = latest && typeof latest === 'object' ? latest : null
  const cost = charge?.balance_transaction
  const neverAgain = 'do_not_try_again'
  const reason = error && (error.decline_code ?? charge?.failure_code ?? error.code)
  const debitedOn = charge?.payment_method_details?.sepa_debit?.expected_debit_date
  const method = idOf(intent.payment_method ?? error?.payment_method)
  return {
    status: toStatus(intent.status, error?.code),
    code: error?.advice_code === neverAgain ? neverAgain : (reason ?? null),
    amountCents: intent.amount_received,
    costCents: cost && typeof cost === 'object' ? cost.fee : 0,
    redirectUrl: intent.next_action?.redirect_to_url?.url ?? null,
    ...(debitedOn !== undefined && { debitedOn }),
    ...(method !== null && { method }),
  }
}

function toStatus(status: string, error: string | undefined): Outcome['status'] {
  if (status === 'succeeded' || status === 'processing' || status === 'canceled') return status
  if (status === 'requires_action' || error === 'authentication_required') return 'needs-action'
  return error === undefined ? 'open' : 'failed'
}

export function toRefund(refund: Stripe.Refund): RefundOutcome {
  const { id, status, failure_reason: reason } = refund
  const isOver = status === 'failed' || status === 'canceled'
  return {
    intent: idOf(refund.payment_intent),
    amountCents: refund.amount,
    reference: id,
    status: status === 'succeeded' ? status : isOver ? 'failed' : 'pending',
    reason: isOver ? (reason ?? status) : null,
  }
}

const toMovement = (
  { id, type, net, created, source }: Stripe.BalanceTransaction,
  about: typeof intentOf,
): Movement => ({
  ...{ id, kind: type, cents: net, at: created, intent: about(source) },
  ...(about === intentOf &&
    source &&
    typeof source === 'object' &&
    source.object === 'charge' && { charge: namesOf(source) }),
})

/** Stripe copies the metadata of a payment intent to its charge. */
const namesOf = ({ amount, metadata }: Stripe.Charge): ChargeNames => ({
  cents: amount,
  payment: metadata.payment_id ?? null,
  seat: metadata.seat_id ?? null,
  period: metadata.period ?? null,
})

/**
 * Returns the cause of a movement of our balance: the payment of a charge, refund or dispute, or the transfer to an
 * account.
 */
function intentOf(source: Stripe.BalanceTransaction['source']): string | null {
  if (!source || typeof source !== 'object') return null
  if ('payment_intent' in source) return idOf(source.payment_intent)
  return source.object === 'transfer'
    ? source.id
    : source.object === 'transfer_reversal'
      ? idOf(source.transfer)
      : null
}

export const toDispute = (dispute: Stripe.Dispute): Dispute => ({
  reference: dispute.id,
  intent: idOf(dispute.payment_intent) ?? '',
  amountCents: dispute.amount,
  status: dispute.status,
  reason: dispute.reason,
  dueBy: dispute.evidence_details.due_by
    ? new Date(dispute.evidence_details.due_by * 1000).toISOString()
    : null,
  costsCents: Object.fromEntries(dispute.balance_transactions.map(({ id, fee }) => [id, fee])),
})

/**
 * Returns the cause of a movement of an owner's account. In that account, a transfer arrives as a charge, and the
 * transfer's reversal is a refund of that charge.
 */
function sentOf(source: Stripe.BalanceTransaction['source']): string | null {
  if (!source || typeof source !== 'object') return null
  if (source.object === 'charge') return idOf(source.source_transfer)
  if (source.object === 'refund') return idOf(source.source_transfer_reversal)
  return source.object === 'payout' ? source.id : null
}

/** Translates a payment method saved at Stripe to our terms; returns undefined if it cannot be charged here. */
export function toCard(saved: Stripe.PaymentMethod, mandate: Stripe.Mandate | null = null): Card | undefined {
  const { card, link, sepa_debit: account } = saved
  const kind = card ? 'card' : account ? 'sepa_debit' : link ? 'link' : undefined
  if (!kind || !saved.customer) return undefined
  return {
    customer: idOf(saved.customer) ?? '',
    method: saved.id,
    kind,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? account?.last4 ?? null,
    expMonth: card?.exp_month ?? null,
    expYear: card?.exp_year ?? null,
    mandate: mandate?.payment_method_details.sepa_debit?.reference ?? null,
    country: card?.country ?? account?.country ?? null,
    fingerprint: card?.fingerprint ?? account?.fingerprint ?? null,
  }
}
