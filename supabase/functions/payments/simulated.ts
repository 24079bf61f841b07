// The simulated provider: real screens, but no money. It runs only if nobody else can reach the server. The database,
// which stores its state, checks this too.
import { callDatabase } from '../_shared/database.ts'
import { plainIban } from '../_shared/plain-iban.ts'
import { type Card, type ChargeOrder, failed, type Outcome, type Provider } from './provider.ts'

interface TestCard {
  /** Absent for a bank account. */
  brand?: string
  behaviour: 'works' | 'no-funds' | 'fails' | 'asks' | 'debits' | 'bounces'
  /** The result of saving the card; absent for success. */
  saving?: 'declined' | 'asks'
}

const CARDS: Record<string, TestCard> = {
  '4242424242424242': { brand: 'visa', behaviour: 'works' },
  '5555555555554444': { brand: 'mastercard', behaviour: 'works' },
  '4000000000000002': { brand: 'visa', behaviour: 'fails', saving: 'declined' },
  '4000000000009995': { brand: 'visa', behaviour: 'no-funds' },
  '4000000000000341': { brand: 'visa', behaviour: 'fails' },
  '4000002500003155': { brand: 'visa', behaviour: 'works', saving: 'asks' },
  '4000000000003220': { brand: 'visa', behaviour: 'asks' },
  DE89370400440532013000: { behaviour: 'debits' },
  DE62370400440532013001: { behaviour: 'bounces' },
}
/** How long a debit is under way, in seconds. */
const DEBIT_TIME = 2 * 24 * 60 * 60

interface Remembered {
  customer: string
  status: Outcome['status']
  code?: string
  amountCents?: number
  /** For a charge: the method that was charged. */
  method?: string
  /** For a setup: the card it saves. */
  card?: Card
  /** The time since this was stored, in seconds. */
  age?: number
}

const recall = (id: string): Promise<Remembered | null> => callDatabase('recall_simulated', { p_id: id })
const remember = (id: string, body: Remembered) =>
  callDatabase('remember_simulated', { p_id: id, p_body: body })

export interface Simulation extends Provider {
  /** Saves the card or IBAN that a person typed into our own form. */
  enter(
    customer: string,
    card: Pick<Card, 'expMonth' | 'expYear'> & { number: string },
  ): Promise<{ setup: string; outcome: Outcome }>
  /** Records the person's choice on our own confirmation page. */
  answer(id: string, customer: string | null, agrees: boolean): Promise<Outcome>
}

const asks = (id: string, payment?: string): Outcome => ({
  ...failed('authentication_required'),
  status: 'needs-action',
  redirectUrl: `/simulated-confirmation?id=${id}${payment === undefined ? '' : `&payment=${payment}`}`,
})
const done = (amountCents: number): Outcome => ({
  status: 'succeeded',
  code: null,
  amountCents,
  costCents: 0,
  redirectUrl: null,
})

function toOutcome(id: string, known: Remembered): Outcome {
  return { ...cameOf(id, known), ...(known.method !== undefined && { method: known.method }) }
}

function cameOf(id: string, { status, code, amountCents = 0, age = 0 }: Remembered): Outcome {
  if (status === 'processing' && age >= DEBIT_TIME) return code ? failed(code) : done(amountCents)
  if (status === 'needs-action') return asks(id)
  return status === 'succeeded' ? done(amountCents) : { ...failed(code ?? 'refused'), status }
}

/** Returns a card's fingerprint, which depends on the customer too, because everybody uses the same test numbers. */
async function fingerprintOf(customer: string, digits: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${customer} ${digits}`))
  return Array.from(new Uint8Array(hash.slice(0, 8)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function simulatedProvider(): Simulation {
  async function charge(intent: string, order: ChargeOrder): Promise<Outcome> {
    const before = await lookUp(intent)
    if (['succeeded', 'processing'].includes(before.status)) return before
    const [, behaviour] = order.method.split('_')
    const outcome: Record<string, Outcome> = {
      works: done(order.amountCents),
      'no-funds': failed('insufficient_funds'),
      fails: failed('card_declined'),
      debits: { ...done(0), status: 'processing' },
      bounces: { ...failed('insufficient_funds'), status: 'processing' },
      asks: order.onSession ? asks(intent, order.payment) : { ...asks(intent), redirectUrl: null },
    }
    const now = outcome[behaviour ?? ''] ?? failed('refused')
    await remember(intent, {
      customer: order.customer,
      status: now.status,
      amountCents: order.amountCents,
      method: order.method,
      ...(now.code !== null && { code: now.code }),
    })
    return now
  }

  async function lookUp(id: string): Promise<Outcome> {
    const known = await recall(id)
    return known ? toOutcome(id, known) : { ...failed('refused'), status: 'open' }
  }

  async function close(id: string): Promise<Outcome> {
    const known = await recall(id)
    if (known && ['succeeded', 'processing'].includes(known.status)) return toOutcome(id, known)
    const canceled = { customer: known?.customer ?? '', status: 'canceled' } as const
    await remember(id, canceled)
    return toOutcome(id, canceled)
  }

  return {
    name: 'simulated',
    mode: 'test',
    publishableKey: null,
    methods: ['card', 'sepa_debit'],
    creditor: 'DE98ZZZ09999999999',
    accounts: null,
    customer: async (userId) => `sim_${userId}`,
    setUp: async () => ({ id: `sim_${crypto.randomUUID()}`, secret: null }),
    savedCard: async (setup) => {
      const known = await recall(setup)
      return known?.status === 'succeeded' ? known.card : undefined
    },
    removeCard: async () => undefined,
    open: async ({ payment, intent }) => intent ?? `sim_${payment}`,
    refund: async ({ id, intent, amountCents }) => ({
      ...{ intent, amountCents, reference: `sim_${id}`, status: 'succeeded', reason: null },
    }),
    // The simulation forgets refunds, and keeps its charges in the site's own database.
    refundsOf: async () => [],
    // No bank disputes a simulated payment.
    disputesOf: async () => [],
    lookUpDispute: () => Promise.reject(new Error('The simulation knows no disputes')),
    answerDispute: async () => 'not_found',
    // The simulation has no balance; the database never asks for movements.
    movements: async function* () {},
    ...{ charge, lookUp, close },

    enter: async (customer, { number, expMonth, expYear }) => {
      const digits = plainIban(number)
      const known = CARDS[digits]
      const setup = `sim_${crypto.randomUUID()}`
      if (!known) return { setup, outcome: failed('not_a_test_card') }
      if (known.saving === 'declined') return { setup, outcome: failed('card_declined') }
      const status = known.saving === 'asks' ? 'needs-action' : 'succeeded'
      const last4 = digits.slice(-4)
      const method = `sim_${known.behaviour}_${crypto.randomUUID()}`
      const saved = {
        customer,
        method,
        last4,
        country: null,
        fingerprint: await fingerprintOf(customer, digits),
      }
      const card: Card = known.brand
        ? { ...saved, kind: 'card', brand: known.brand, expMonth, expYear, mandate: null }
        : {
            ...{ ...saved, kind: 'sepa_debit', brand: null, expMonth: null, expYear: null },
            mandate: `SIM-${method.slice(-8).toUpperCase()}`,
          }
      await remember(setup, { customer, status, card })
      return { setup, outcome: status === 'succeeded' ? done(0) : asks(setup) }
    },
    answer: async (id, customer, agrees) => {
      const known = await recall(id)
      if (known?.customer !== customer) return failed('not_found')
      if (known.status === 'needs-action') {
        known.status = agrees ? 'succeeded' : 'failed'
        known.code = 'authentication_failed'
        await remember(id, known)
      }
      return toOutcome(id, known)
    },
  }
}
