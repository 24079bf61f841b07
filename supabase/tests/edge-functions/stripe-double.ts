// A double of Stripe's API: refuses requests that Stripe would refuse (stripe-parameters.ts), responds in the shapes
// that Stripe publishes (stripe-shapes.json, from github.com/stripe/openapi), implements idempotency keys, records
// requests, and fails on demand.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import Stripe from 'stripe'
import { listen } from '../../../server/test/free-port.ts'
import { accountsDouble } from './stripe-accounts-double.ts'
import { takeEvidence } from './stripe-disputes-double.ts'
import { nested, refusalOf } from './stripe-parameters.ts'
import shapes from './stripe-shapes.json' with { type: 'json' }

type Params = Record<string, string>
interface AskedOfStripe {
  method: string
  path: string
  params: Params
  key: string | undefined
  authorization: string | undefined
  account: string | undefined
}
/** A failure of the next request whose path ends with `at`: a refusal, or a late, broken or missing response. */
interface Trouble {
  at: string
  does: 'refuses' | keyof typeof REFUSALS | 'does it late' | 'does it, then breaks' | 'does it, then hangs up'
  times: number
  /** The number of matching requests that succeed before the failure. */
  after?: number
}
type StripeObject = Record<string, unknown>
/** Fields of Stripe's objects that the double itself reads and writes; other fields are passed through. */
interface Fields extends StripeObject {
  status?: string | undefined
  amount?: number | undefined
  customer?: string | null | undefined
  payment_intent?: string | null | undefined
  payment_method?: string | null | undefined
  latest_charge?: string | null | undefined
  balance_transaction?: string | null | undefined
  balance_transactions?: StripeObject[] | undefined
  /** The owner's account to which a movement belongs; Stripe's answers do not have it. */
  account?: string | undefined
  fee?: number | undefined
  metadata?: Params | undefined
  evidence_details?: Partial<Stripe.Dispute.EvidenceDetails> | undefined
}
interface Thing extends Fields {
  id: string
}

/** Objects per page: few, so that a few objects fill several pages. */
const PAGE = 3

/** Refusals that Stripe gives before anything is done. */
const REFUSALS = {
  'knows no key': [401, undefined],
  'knows no customer': [400, 'resource_missing'],
  'has no money': [400, 'balance_insufficient'],
} as const

/** The behaviour of Stripe's test cards that are used here. */
const TEST_CARDS: Record<string, string> = { pm_card_visa: 'works', pm_card_createDispute: 'disputed' }

/** A card's behaviour; a payment method is named `pm_<behaviour>_<anything>`. */
const DECLINES: Record<string, { code: string; decline_code?: string }> = {
  declined: { code: 'card_declined', decline_code: 'generic_decline' },
  lost: { code: 'card_declined', decline_code: 'lost_card' },
  poor: { code: 'card_declined', decline_code: 'insufficient_funds' },
}

/** A bank account as a payment method; Stripe publishes no fixture for one. */
const methodOf = (id: string) =>
  id.startsWith('pm_debits') && {
    card: undefined,
    type: 'sepa_debit',
    sepa_debit: {
      ...{ bank_code: '37040044', branch_code: '', country: 'DE', fingerprint: null },
      ...{ generated_from: null, last4: '3000' },
    } satisfies Stripe.PaymentMethod.SepaDebit,
  }
const MANDATE = {
  ...{ id: 'mandate_1', object: 'mandate', livemode: false, payment_method: 'pm_debits', status: 'active' },
  type: 'multi_use',
  customer_acceptance: { accepted_at: null, type: 'online' },
  payment_method_details: {
    type: 'sepa_debit',
    sepa_debit: { reference: 'POTLUCK-1', url: 'https://hooks.stripe.test/mandate' },
  },
} satisfies Stripe.Mandate
const DEBIT = {
  type: 'sepa_debit',
  sepa_debit: {
    ...{ bank_code: '37040044', branch_code: '', country: 'DE', expected_debit_date: '2026-12-01' },
    ...{ fingerprint: null, last4: '3000', mandate: 'mandate_1' },
  },
} satisfies Stripe.Charge.PaymentMethodDetails

export async function openStripeDouble(webhookSecret: string) {
  const asked: AskedOfStripe[] = []
  const things = new Map<string, Thing>()
  const answers = new Map<string, { params: string; status: number; body: StripeObject }>()
  const troubles: Trouble[] = []
  const endedMandates = new Set<string>()
  let isDown = false
  const make = (shape: keyof typeof shapes, prefix: string, fields: Fields): Thing => {
    const id = `${prefix}_${randomBytes(8).toString('hex')}`
    const thing = { ...structuredClone(shapes[shape]), id, created: Math.floor(Date.now() / 1000), ...fields }
    things.set(thing.id, thing)
    if (shape === 'refund') moveBalance('refund', { amount: -(thing.amount ?? 0), source: id })
    return thing
  }
  const moveBalance = (type: string, fields: Fields): Thing => {
    const { amount = 0, fee = 0 } = fields
    return make('balance_transaction', 'txn', { ...fields, type, fee, net: amount - fee, currency: 'eur' })
  }
  const connect = accountsDouble({ move: moveBalance, keep: (thing) => things.set(thing.id, { ...thing }) })
  const card = (id: string, customer: string | null) => {
    const known = things.get(id) ?? { ...structuredClone(shapes.payment_method), id, ...methodOf(id) }
    things.set(id, { ...known, customer })
    return things.get(id)
  }
  const metadata = (params: Params) =>
    Object.fromEntries(
      Object.entries(params).flatMap(([name, value]) => {
        const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
        return key === undefined ? [] : [[key, value]]
      }),
    )
  const good = (body: StripeObject = {}) => ({ status: 200, body })
  const refuse = (status: number, error: StripeObject) => ({ status, body: { error } })
  const refuseAsInvalid = (status: number, code: string, rest: StripeObject = {}) =>
    refuse(status, { type: 'invalid_request_error', code, message: 'No', ...rest })

  // Like a succeeded intent, a debit that the bank has been asked for cannot be cancelled.
  const isOver = (intent: Thing) => ['succeeded', 'canceled', 'processing'].includes(intent.status ?? '')
  const tooLate = (intent: Thing) =>
    refuseAsInvalid(400, 'payment_intent_unexpected_state', { payment_intent: intent })

  function confirm(intent: Thing, params: Params) {
    if (isOver(intent)) return tooLate(intent)
    // Stripe requires return_url for intents without a fixed list of payment methods, since some methods might redirect
    // people, even if the person is absent.
    if (!params.return_url) return refuseAsInvalid(400, 'return_url_required', { param: 'return_url' })
    const method = params.payment_method ?? ''
    if (things.get(method)?.customer !== intent.customer) return refuseAsInvalid(400, 'resource_missing')
    if (endedMandates.has(method)) return refuseAsInvalid(400, 'payment_intent_mandate_invalid')
    const behaviour = method.split('_')[1] ?? ''
    const code = 'authentication_required'
    const decline =
      behaviour === 'asks' && params.off_session === 'true'
        ? { code, decline_code: code }
        : DECLINES[behaviour]
    const last_payment_error = decline ? { type: 'card_error', message: 'Declined', ...decline } : null
    Object.assign(intent, { payment_method: method, last_payment_error })
    if (last_payment_error) {
      intent.status = 'requires_payment_method'
      return refuse(402, { ...last_payment_error, payment_intent: intent })
    }
    if (behaviour === 'debits') return good(debit(intent))
    if (behaviour !== 'asks') return good(pay(intent))
    const redirect_to_url = { url: `https://hooks.stripe.test/${intent.id}`, return_url: params.return_url }
    const next_action = { type: 'redirect_to_url', redirect_to_url }
    return good(Object.assign(intent, { status: 'requires_action', next_action }))
  }
  /** Asks the bank for the money; {@link settle} reports the outcome, days later. */
  function debit(intent: Thing): Thing {
    const { id: payment_intent, amount, metadata } = intent
    const charge = make('charge', 'py', {
      ...{ amount, metadata },
      payment_intent,
      status: 'pending',
      payment_method_details: DEBIT,
    })
    charge.balance_transaction = moveBalance('payment', { amount, fee: 35, source: charge.id }).id
    return Object.assign(intent, { status: 'processing', latest_charge: charge.id, next_action: null })
  }
  function settle(id: string, isPaid: boolean): Thing {
    const intent = things.get(id) ?? { id }
    const charge = things.get(intent.latest_charge ?? '') ?? { id }
    if (isPaid) {
      charge.status = 'succeeded'
      return Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
    }
    Object.assign(charge, { status: 'failed', failure_code: 'insufficient_funds' })
    moveBalance('payment_failure_refund', { amount: -(intent.amount ?? 0), fee: -35, source: charge.id })
    const last_payment_error = { type: 'card_error', code: 'payment_intent_payment_attempt_failed' }
    return Object.assign(intent, { status: 'requires_payment_method', last_payment_error })
  }
  function pay(intent: Thing): Thing {
    const { id: payment_intent, amount, metadata } = intent
    const charge = make('charge', 'ch', { amount, payment_intent, metadata })
    charge.balance_transaction = moveBalance('charge', { amount, fee: 31, source: charge.id }).id
    Object.assign(intent, {
      ...{ status: 'succeeded', amount_received: amount, latest_charge: charge.id },
      ...{ next_action: null, last_payment_error: null },
    })
    if (intent.payment_method?.startsWith('pm_disputed_')) dispute(payment_intent)
    return intent
  }
  /** Takes the payment back as the cardholder's bank would; Stripe takes a fee. */
  function dispute(payment_intent: string): Thing {
    const { amount, latest_charge: charge } = things.get(payment_intent) ?? {}
    const made = make('dispute', 'dp', { amount, charge, payment_intent, status: 'needs_response' })
    const moved = moveBalance('adjustment', { amount: -(amount ?? 0), fee: 2000, source: made.id })
    return Object.assign(made, { balance_transactions: [moved] })
  }
  /** Expands the fields that the functions ask Stripe to expand. */
  function expanded(body: Fields, params: Params): StripeObject {
    const wanted = Object.entries(params).flatMap(([name, value]) =>
      name.startsWith('expand') ? [value] : [],
    )
    if (wanted.includes('latest_charge.balance_transaction') && body.latest_charge) {
      const charge = things.get(body.latest_charge)
      const cost = things.get(charge?.balance_transaction ?? '')
      return { ...body, latest_charge: { ...charge, balance_transaction: cost } }
    }
    if (wanted.includes('payment_method') && body.payment_method)
      return {
        ...body,
        payment_method: things.get(body.payment_method),
        mandate: body.payment_method.startsWith('pm_debits') ? MANDATE : null,
      }
    if (wanted.includes('data.source') && typeof body.source === 'string')
      return { ...body, source: things.get(body.source) ?? body.source }
    return body
  }

  function act(
    method: string,
    path: string,
    params: Params,
    account: string | undefined,
  ): { status: number; body: StripeObject } {
    const [collection = '', id = '', action = ''] = path.replace('/v1/', '').split('/')
    const thing = things.get(id)
    const all = (prefix: string) => [...things.values()].filter((one) => one.id.startsWith(prefix))
    const found = (data: Thing[]) => good({ object: 'list', url: path, has_more: false, data })
    const { customer, payment_intent, currency } = params
    const fields = { metadata: metadata(params), amount: Number(params.amount) }
    if (id && !thing) return refuseAsInvalid(404, 'resource_missing')
    if (collection === 'disputes' && thing) {
      const refusal = method === 'POST' ? takeEvidence(thing, params) : undefined
      return refusal === undefined ? good(thing) : refuseAsInvalid(400, refusal)
    }
    if (collection === 'disputes')
      return found(all('dp_').filter((one) => one.payment_intent === payment_intent))
    if (collection === 'customers')
      return good(thing ?? make('customer', 'cus', { metadata: fields.metadata }))
    if (collection === 'setup_intents') {
      if (thing) return good(expanded(thing, params))
      const behaviour = TEST_CARDS[params.payment_method ?? '']
      if (behaviour !== undefined) {
        const method = `pm_${behaviour}_${randomBytes(8).toString('hex')}`
        card(method, customer ?? null)
        return good(make('setup_intent', 'seti', { customer, status: 'succeeded', payment_method: method }))
      }
      const owner = things.get(customer ?? '')
      if (!owner || owner.deleted) return refuseAsInvalid(400, 'resource_missing')
      const made = make('setup_intent', 'seti', { customer, last_setup_error: null })
      return good(Object.assign(made, { client_secret: `${made.id}_secret_1` }))
    }
    if (collection === 'payment_methods') return good(card(id, null))
    if (collection === 'balance_transactions') {
      const isWithin = ({ created, account: owner }: Thing) =>
        Number(created) >= Number(params['created[gte]']) &&
        Number(created) < Number(params['created[lt]']) &&
        owner === account
      const listed = all('txn_').reverse().filter(isWithin)
      const start = listed.findIndex((one) => one.id === params.starting_after) + 1
      const data = listed
        .slice(start, start + PAGE)
        .map(({ account: _, ...one }) => expanded({ ...one }, params))
      return good({ object: 'list', url: path, has_more: start + PAGE < listed.length, data })
    }
    if (collection === 'refunds') {
      const ofIntent = (one: Thing) => one.payment_intent === payment_intent
      if (method === 'GET') return found(all('re_').filter(ofIntent))
      if (all('dp_').some((one) => ofIntent(one) && one.status !== 'won'))
        return refuseAsInvalid(400, 'charge_disputed')
      const left = all('re_')
        .filter((one) => ofIntent(one) && one.status === 'succeeded')
        .reduce((rest, { amount = 0 }) => rest - amount, things.get(payment_intent ?? '')?.amount ?? 0)
      if (left === 0) return refuseAsInvalid(400, 'charge_already_refunded')
      if (left < fields.amount)
        return refuse(400, { type: 'invalid_request_error', message: 'More than is left' })
      return good(make('refund', 're', { ...fields, payment_intent }))
    }
    if (!thing) {
      if (method === 'GET') return found(all('pi_').filter((one) => one.customer === customer))
      const none = { last_payment_error: null, next_action: null }
      return good(make('payment_intent', 'pi', { ...fields, ...none, customer, currency }))
    }
    if (action === 'confirm') {
      const { status, body } = confirm(thing, params)
      return { status, body: expanded(body, params) }
    }
    if (action === 'cancel') {
      if (isOver(thing)) return tooLate(thing)
      thing.status = 'canceled'
    }
    if (method === 'POST') thing.amount = Number(params.amount ?? thing.amount)
    return good(expanded(thing, params))
  }

  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://stripe')
    const raw = Buffer.concat(await request.toArray()).toString()
    const form = [...searchParams, ...new URLSearchParams(path.startsWith('/v2/') ? '' : raw)]
    // Stripe's newer API uses JSON.
    const json = path.startsWith('/v2/') && raw ? JSON.parse(raw) : {}
    const params: Params = { ...Object.fromEntries(form), ...json }
    const method = request.method ?? ''
    const { authorization, 'idempotency-key': given, 'stripe-account': account } = request.headers
    const key = given === undefined ? undefined : String(given)
    const within = account === undefined ? undefined : String(account)
    asked.push({ method, path, params, key, authorization, account: within })
    const met = troubles.find(
      ({ at, does, times }) =>
        path.endsWith(at) && times > 0 && (does !== 'has no money' || method === 'POST'),
    )
    const trouble = met?.after ? undefined : met
    if (met?.after) met.after -= 1
    if (trouble) trouble.times -= 1
    const send = (status: number, body: StripeObject) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (isDown || trouble?.does === 'refuses')
      return send(503, { error: { type: 'api_error', message: 'Down' } })
    const refusal = Object.entries(REFUSALS).find(([does]) => does === trouble?.does)?.[1]
    if (refusal)
      return send(refusal[0], { error: { type: 'invalid_request_error', code: refusal[1], message: 'No' } })
    const wrong = refusalOf(method, path, { ...nested(form), ...json })
    if (wrong) return send(wrong.status, wrong.body)
    const known = key === undefined ? undefined : answers.get(key)
    const same = JSON.stringify([method, path, within, params])
    if (known && known.params !== same)
      return send(400, { error: { type: 'idempotency_error', message: 'Other parameters' } })
    // A snapshot: changes by others until the response is sent are not part of it.
    const { status, body } =
      known ?? structuredClone(connect.act(method, path, params, within) ?? act(method, path, params, within))
    if (key !== undefined) answers.set(key, { params: same, status, body })
    if (trouble?.does === 'does it, then breaks')
      return send(500, { error: { type: 'api_error', message: 'Broken' } })
    if (trouble?.does === 'does it, then hangs up') return response.destroy()
    await pause(trouble ? 3_000 : 5)
    send(status, body)
  })

  return {
    url: await listen(server),
    asked,
    things,
    troubles,
    set isDown(down: boolean) {
      isDown = down
    },
    /** Forgets all idempotency keys, as Stripe does after a day. */
    forgetKeys: () => answers.clear(),
    /** Enters a card in Stripe's own form, as a person would. */
    complete: (setup: string, method: string) => {
      const intent = things.get(setup)
      card(method, intent?.customer ?? null)
      Object.assign(intent ?? {}, { status: 'succeeded', payment_method: method })
    },
    /** Confirms the payment on the bank's page, as the cardholder would. */
    confirmAtBank: (intent: string) => pay(things.get(intent) ?? { id: intent }),
    /** Reports whether the bank has debited the account, days after it was asked to. */
    settle,
    /** Ends a mandate, as when the account holder withdraws it or the bank refuses it; returns it in Stripe's form. */
    endMandate: (method: string) => {
      endedMandates.add(method)
      return { ...MANDATE, payment_method: method, status: 'inactive' } satisfies Stripe.Mandate
    },
    make,
    dispute,
    connect,
    moveBalance,
    webhook: (type: string, object: StripeObject, options: Partial<Signed> = {}) =>
      signedEvent(type, object, { secret: webhookSecret, ...options }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Signed {
  secret: string
  livemode?: boolean
  /** The age of the signature, in seconds. */
  age?: number
  account?: string
}

/** Returns a webhook event, signed by Stripe's own library. */
export async function signedEvent(type: string, object: StripeObject, options: Signed) {
  const { livemode = false, secret, age = 0, account } = options
  const id = `evt_${randomBytes(8).toString('hex')}`
  const created = new Date().toISOString()
  const body = JSON.stringify(
    type.startsWith('v2.')
      ? { object: 'v2.core.event', id, type, livemode, created, related_object: object }
      : { ...shapes.event, id, type, livemode, ...(account && { account }), data: { object } },
  )
  const timestamp = Math.floor(Date.now() / 1000) - age
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret, timestamp })
  return { method: 'POST', path: '/webhook', body, headers: { 'stripe-signature': signature } }
}

export type StripeDouble = Awaited<ReturnType<typeof openStripeDouble>>
