// The story of a payment's whole life, from the first card to the nightly comparison. It runs on the double of Stripe
// with all other tests, and on Stripe itself, in a sandbox, with `npm run test:stripe`. The two runs differ only in the
// URL, the key, and who gives Stripe an owner's details.
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../../../server/test/harness.ts'
import { connectStripe } from '../../functions/payments/stripe.ts'
import { stripeAccounts } from '../../functions/payments/stripe-accounts.ts'
import { sharePaid } from '../till.ts'
import { KEYS, openPayments } from './payment-stage.ts'
import { openStripeDouble, type StripeDouble } from './stripe-double.ts'
import { nested, refusalOf } from './stripe-parameters.ts'

/** Set by scripts/stripe.mjs, which accepts only a sandbox's key. */
const SANDBOX = process.env.STRIPE_SANDBOX_KEY

describe(`a story at ${SANDBOX ? 'Stripe' : 'the double of Stripe'}`, () => {
  let double: StripeDouble | undefined
  let stripe: Stripe
  let stage: Awaited<ReturnType<typeof openPayments>>
  beforeAll(async () => {
    double = SANDBOX ? undefined : await openStripeDouble(KEYS.STRIPE_WEBHOOK_SECRET)
    const secretKey = SANDBOX ?? KEYS.STRIPE_SECRET_KEY
    stripe = connectStripe({ secretKey, apiUrl: double?.url })
    const there = { ...KEYS, STRIPE_SECRET_KEY: secretKey, ...(double && { STRIPE_API_URL: double.url }) }
    stage = await openPayments('our server', { ...there, STRIPE_CONNECT: 'on' }, SANDBOX ? 1 : 4)
  })
  afterAll(async () => {
    await stage.close()
    double?.close()
  })

  /** Saves one of Stripe's test cards, as its page would. */
  async function saveCard(person: TestUser, card: string) {
    expect((await stage.ask(person, '/setup')).setup).toBeTruthy()
    const [kept] = await stage.sql<{ reference: string }>`select reference from private.payment_customers
      where user_id = ${person.id}`
    const { id } = await stripe.setupIntents.create({
      ...{ customer: kept?.reference ?? '', payment_method: card, confirm: true },
      allowed_payment_method_types: ['card'],
    })
    expect(await stage.ask(person, '/cards', { setup: id })).toEqual({ status: 'saved' })
  }
  /** Returns an account that Stripe has verified. A sandbox has one only after a person has followed the link. */
  async function onboarded(opened: string, link: string) {
    double?.connect.setReady(opened)
    const recipients = stripe.v2.core.accounts.list({ applied_configurations: ['recipient'] })
    for await (const { id } of recipients)
      if ((await stripeAccounts(stripe, '').lookUp(id)).canReceive) return id
    throw new Error(`Nobody may be sent money in this sandbox yet. Once is enough: open ${link} and enter
      Stripe’s test data (https://docs.stripe.com/connect/testing), then run this again.`)
  }
  const sum = (all: { amount: number }[]) => all.reduce((total, { amount }) => total + amount, 0)
  const intentOf = async (payment: string) =>
    String((await stage.sql`select intent from private.charges where payment_id = ${payment}`)[0]?.intent)
  async function disputeOf(payment_intent: string) {
    for (let left = 30; left > 0; left -= 1) {
      const [found] = (await stripe.disputes.list({ payment_intent })).data
      if (found) return found
      await new Promise((done) => setTimeout(done, 1_000))
    }
    return expect.unreachable('Stripe made no dispute of its test card')
  }
  /** Checks that Stripe would refuse the request with any of its parameters misspelt. */
  function misspell({ method, path, params }: StripeDouble['asked'][number]) {
    for (const [name, value] of Object.entries(params)) {
      const others = Object.entries(params).filter(([other]) => other !== name)
      const misspelt = nested([...others, [name.replace(/^\w+/, '$&s'), value]])
      const refused = { body: { error: { code: 'parameter_unknown' } } }
      expect(refusalOf(method, path, misspelt), `${name} of ${path}`).toMatchObject(refused)
    }
  }
  const hear = (type: string, { ...object }: Stripe.Dispute | Stripe.Payout, account?: string) =>
    stage.hears(type, object, 1, account)

  test(
    'cards, charges, a refund, disputes, an owner’s account with transfers, a reversal and payouts: the books agree',
    async () => {
      const begun = Math.floor(Date.now() / 1000)
      const olivia = await stage.owner()
      const link = (await stage.ask(olivia, '/payouts')).url ?? ''
      expect(link).toMatch(/^https:\/\/connect\.stripe\./)
      const account = await onboarded(await stage.accountOf(olivia), link)
      await stage.sql`update private.connected_accounts set reference = ${account} where user_id = ${olivia.id}`
      await stage.ask(olivia, '/payouts/check')
      expect((await stage.ask(olivia, '/payouts/dashboard')).url).toMatch(/^https:\/\/connect\.stripe\./)

      const plan = await sharePaid(olivia)
      const admit = async (name: string, card = 'pm_card_visa') => {
        const person = await stage.user(name)
        await saveCard(person, card)
        const payment = await stage.admit(person, olivia, plan.id)
        return { ...person, plan: plan.id, payment, intent: await intentOf(payment) }
      }
      const [mia, nils, ben] = [await admit('mia'), await admit('nils'), await admit('ben')]
      expect(await stripe.paymentIntents.retrieve(mia.intent)).toMatchObject({
        ...{
          status: 'succeeded',
          amount_received: 550,
          currency: 'eur',
          metadata: { payment_id: mia.payment },
        },
      })

      // The payment is refunded before anything is earned.
      await olivia.sql`delete from subscription_members where subscription_id = ${plan.id} and user_id = ${ben.id}`
      await stage.hurry()
      expect(sum((await stripe.refunds.list({ payment_intent: ben.intent })).data)).toBeGreaterThan(540)
      const zoe = await admit('zoe', 'pm_card_createDispute')
      // The bank takes the payment back while the site still holds it, and Stripe takes a fee.
      const dispute = await disputeOf(zoe.intent)
      await hear('charge.dispute.created', dispute)
      expect(dispute.balance_transactions.map(({ net }) => net)).not.toEqual([])

      // If a member leaves, the owner earns the rest of the period.
      await stage.leaveLate(mia, nils)
      await stage.hurry()
      const sent = async (transfer_group: string) =>
        (await stripe.transfers.list({ destination: account, transfer_group })).data
      const [transfers, others] = [await sent(mia.payment), await sent(nils.payment)]
      expect([sum(transfers), sum(others)]).toEqual([500, 500])
      // This dispute is only in our books and unknown to Stripe, so the nightly comparison must find it.
      const invented = {
        ...dispute,
        id: `dp_${mia.payment}`,
        payment_intent: mia.intent,
        balance_transactions: [],
      }
      await hear('charge.dispute.created', invented)
      await stage.hurry()
      const reversals = []
      for (const { id } of transfers) reversals.push(...(await stripe.transfers.listReversals(id)).data)
      expect(sum(reversals)).toBe(500)

      double?.connect.payOut(account)
      const paidOut = await stripe.payouts.list({ created: { gte: begun } }, { stripeAccount: account })
      for (const payout of paidOut.data) await hear('payout.updated', payout, account)

      await stage.sql`update private.clock set ahead = ahead + interval '2 days'`
      await stage.sql`select private.queue_reconciliation()`
      for (const _again of [1, 2, 3]) await stage.hurry()
      expect(await stage.sql`select kind, last_error from private.payment_jobs`).toEqual([])
      expect(
        await stage.sql`select compared is not null as is_compared from private.connected_accounts`,
      ).toEqual([{ is_compared: true }])
      const ours = [mia, nils, ben, zoe].map(({ intent }) => intent)
      const moved = [...transfers, ...others, ...reversals, ...paidOut.data].map(({ id }) => id)
      expect(
        await stage.sql`select about from unknown_payment_events
        where about = any (string_to_array(${[...ours, ...moved].join()}, ','))`,
      ).toEqual([{ about: mia.intent }])
      await stage.books()
      double?.asked.forEach(misspell)
    },
    SANDBOX ? 600_000 : undefined,
  )
})
