// Actions of people with their own cards and payments. Each action first calls the database with the person's token, so
// that the database checks that the card or payment is theirs.
import { callDatabase as call } from '../_shared/database.ts'
import type { Outcome, Provider } from './provider.ts'
import type { Simulation } from './simulated.ts'
import { keepCard, saveCard } from './webhook.ts'
import { chargeNow, recordAccount, recordCharge } from './work.ts'

interface Asked {
  provider: Provider | Simulation
  authorization: string
  body: Record<string, unknown>
}

const isSimulation = (provider: Provider | Simulation): provider is Simulation => 'enter' in provider
const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** The actions by their route. If the provider refuses, an action returns the reason as `code` instead of throwing. */
export const personRoutes: Record<string, (asked: Asked) => Promise<unknown>> = {
  /** Starts saving a card. */
  '/setup': async ({ provider, authorization }) => {
    const { userId, customer } = await customerToCharge(provider, authorization)
    const { id, secret } = await provider.setUp(userId, customer)
    return { setup: id, secret }
  },
  /** Stores the card that a setup has saved. */
  '/cards': async ({ provider, authorization, body }) => {
    const { customer } = await person(authorization, false)
    const card = await provider.savedCard(text(body.setup))
    return { status: card?.customer === customer && (await saveCard(card, true)) ? 'saved' : 'open' }
  },
  /** Charges one of the person's own payments to one of their cards. */
  '/pay': async ({ provider, authorization, body }) => {
    const payment = text(body.payment)
    await call('begin_payment', { p_payment_id: payment, p_card_id: text(body.card) || null }, authorization)
    return toAnswer(await chargeNow(provider, payment))
  },
  /** Updates the outcome of a charge when the person returns from the page on which they confirm it. */
  '/check': async ({ provider, authorization, body }) => {
    const charge: { intent: string | null } | null = await call(
      'own_charge',
      { p_payment_id: text(body.payment) },
      authorization,
    )
    if (!charge?.intent) return { status: 'open' }
    const outcome = await provider.lookUp(charge.intent)
    await recordCharge(charge.intent, outcome)
    return toAnswer(outcome)
  },
  /** Returns the URL of the provider's page on which people prove their identity, so that they can be paid. */
  '/payouts': async ({ provider, authorization }) => {
    const { accounts, account, userId, email, country } = await ownAccount(provider, authorization)
    const kept: string =
      account ??
      (await call('register_account', {
        p_user_id: userId,
        p_reference: await accounts.open(userId, email, country),
      }))
    return { url: await accounts.onboarding(kept) }
  },
  /** Updates the status of the person's account when the person comes back from the provider's page. */
  '/payouts/check': async ({ provider, authorization }) => {
    const { accounts, account } = await ownAccount(provider, authorization, false)
    if (account !== null) await recordAccount(await accounts.lookUp(account))
    return { status: account === null ? 'none' : 'known' }
  },
  /** Returns the URL of the provider's page about the balance and payouts of the person's account. */
  '/payouts/dashboard': async ({ provider, authorization }) => {
    const { accounts, account } = await ownAccount(provider, authorization)
    return { url: account === null ? null : await accounts.dashboard(account) }
  },
  /** Saves the card typed into the simulation's card form. */
  '/simulated/card': async ({ provider, authorization, body }) => {
    if (!isSimulation(provider)) return { status: 'failed', code: 'not_simulated' }
    const { customer } = await customerToCharge(provider, authorization)
    const { setup, outcome } = await provider.enter(customer, {
      number: text(body.number),
      expMonth: Number(body.expMonth),
      expYear: Number(body.expYear),
    })
    if (outcome.status === 'succeeded') await keepCard(provider, setup)
    return toAnswer(outcome)
  },
  /** Records the answer given on the simulation's confirmation page. */
  '/simulated/answer': async ({ provider, authorization, body }) => {
    if (!isSimulation(provider)) return { status: 'failed', code: 'not_simulated' }
    const { customer } = await person(authorization, false)
    const id = text(body.id)
    const outcome = await provider.answer(id, customer, body.agrees === true)
    // The id belongs either to a card setup or to a charge.
    if (!(await keepCard(provider, id)) && outcome.code !== 'not_found') await recordCharge(id, outcome)
    return toAnswer(outcome)
  },
}

const person = (
  authorization: string,
  addsCard: boolean,
): Promise<{ userId: string; customer: string | null }> =>
  call('payment_person', { p_adds_card: addsCard }, authorization)

/** Returns the provider's customer for the person, which a new card needs. Creates one if there is none. */
async function customerToCharge(provider: Provider, authorization: string) {
  const { userId, customer: known } = await person(authorization, true)
  const named = await provider.customer(userId, known)
  // Two concurrent calls may both create a customer; the one that is stored first is used.
  const customer: string = await call('record_customer', {
    p_user_id: userId,
    p_customer: named,
    p_instead: known,
  })
  return { userId, customer }
}

async function ownAccount({ accounts }: Provider | Simulation, authorization: string, opens = true) {
  const own: { userId: string; email: string; country: string | null; account: string | null } = await call(
    'own_payout_account',
    { p_opens: opens },
    authorization,
  )
  if (!accounts) throw new Error('The database says that this site uses accounts; its secrets do not')
  return { accounts, ...own }
}

const toAnswer = (outcome: Outcome | undefined) =>
  outcome
    ? { status: outcome.status, code: outcome.code, redirectUrl: outcome.redirectUrl }
    : { status: 'processing', code: null, redirectUrl: null }
