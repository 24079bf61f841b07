// What Stripe took or refunded between a backup and its restore. An admin books it during the hold, by the path of a late
// event; without that, it is found before it could be charged again.
//
// | at Stripe, since the backup                   | the restored books                   | then                              |
// |-----------------------------------------------|--------------------------------------|-----------------------------------|
// | the first payment of a place                  | due                                  | paid                              |
// | a renewal, whose payment was opened since     | due, with another id                 | paid, found by place and period   |
// | a payment refunded by hand                    | due                                  | given back, no second refund      |
// | a payment, of which a part was refunded       | paid                                 | the refund is booked              |
// | a payment                                     | not wanted: the member has left      | goes back to the card, once       |
// | a payment                                     | not wanted: the plan is gone         | goes back to the card, once       |
// | a payment                                     | due; the member is banned            | paid                              |
// | a payment, for more than it costs here        | due                                  | goes back to the card             |
// | a payment, for less than it costs here        | due                                  | counts towards it, not paid       |
// | a second charge for one payment               | paid                                 | belongs to nothing                |
// | a charge of another site, or made by hand     | nothing                              | belongs to nothing: shown, noted  |
// | a payment that nobody books during the hold   | due                                  | found, not charged again          |
//
// | who                                           | then                                                                     |
// |-----------------------------------------------|--------------------------------------------------------------------------|
// | an admin who presses twice, and the event     | booked once                                                              |
// | two admins at once                            | booked once; the other one is told                                       |
// | an admin whose own place or plan it is        | refused: somebody else books it                                          |
// | an admin who ends the hold before comparing   | refused                                                                  |
// | a member, or an admin without a recent proof  | refused                                                                  |
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChargeOrder } from '../../functions/payments/provider.ts'
import { stripeProvider } from '../../functions/payments/stripe.ts'
import { expectRefusal, single } from '../answers.ts'
import { addStaff, denied, notFound, type Person, rule, signedInWith } from '../people.ts'
import { HOSTS } from './hosts.ts'
import { type Guest, KEYS, openStage, type Stage } from './payment-stage.ts'

interface Missing {
  reference: string
  type: string
  amount: number | null
  plan: string | null
  member: string | null
}

describe.each(HOSTS)('after a restore, in %s', (name) => {
  let stage: Stage
  let ada: Person
  beforeAll(async () => {
    stage = await openStage(name, 4)
    ada = await addStaff(stage.db, 'Ada', 'admin')
  })
  afterAll(() => stage.close())

  const restore = () => stage.sql`select private.note_restore(now() - interval '1 hour')`
  const hold = async () => {
    const { hold } = await single<{ hold: { missing: Missing[]; isComparing: boolean } | null }>(
      ada.sql`select system_state()`,
    )
    return hold
  }
  const missing = async (reference: string) =>
    (await hold())?.missing.find((one) => one.reference === reference)
  const book = (reference: string, by: Pick<Person, 'sql'> = ada) =>
    by.sql`select book_missing_charge(${reference})`
  const NOTHING = rule(
    'This charge belongs to no open payment here. If nobody owes it, refund it at the provider.',
  )

  /** Approves a guest, whose payment is then due and not charged. */
  async function waiting(guest?: Guest) {
    const mia = guest ?? (await stage.guest())
    await stage.approve(mia)
    return { mia, payment: await stage.paymentOf(mia) }
  }

  /** Charges a payment as the site did whose books are lost, from the same code; returns the charge. */
  async function chargedInTheGap(
    payment: string,
    names: Partial<Pick<ChargeOrder, 'payment' | 'seat' | 'period' | 'amountCents'>> = {},
  ): Promise<string> {
    const lost = stripeProvider({
      ...{ secretKey: KEYS.STRIPE_SECRET_KEY, publishableKey: KEYS.STRIPE_PUBLISHABLE_KEY },
      ...{ siteUrl: 'https://potluck.example', apiUrl: stage.stripe.url, usesAccounts: false },
      ...{ methods: ['card'], creditor: null },
    })
    const order = await single<ChargeOrder>(stage.sql`
      select private.charge_order(c, m, m.amount, (select reference from payment_methods where user_id = m.member_id limit 1))
      from member_payments as m join private.charges as c on c.payment_id = m.id where m.id = ${payment}`)
    const opened = await lost.open({ ...order, ...names, attempt: 1 })
    if (typeof opened !== 'string') throw new Error('Stripe refuses the charge')
    expect(await lost.charge(opened, { ...order, ...names, attempt: 1 })).toMatchObject({
      status: 'succeeded',
    })
    // The restore may be more than a day later.
    stage.stripe.forgetKeys()
    return opened
  }
  const refund = (intent: string, cents: number) =>
    stage.stripe.make('refund', 're', {
      payment_intent: intent,
      amount: cents,
      status: 'succeeded',
      metadata: {},
    })
  const statusOf = async (payment: string) => (await stage.payment(payment))?.status
  const movedFor = (payment: string) =>
    single<number>(stage.sql`select coalesce(sum(amount), 0)::float8 from private.ledger_transfers
      where payment_id = ${payment}::uuid and kind = 'payment'`)

  test('what Stripe took or refunded is booked once, by the path of a late event, or stays listed', async () => {
    // A renewal: the place exists in the backup, the payment of its second period does not.
    const renewing = await stage.guest()
    await stage.seat(renewing)
    await stage.sql`update private.seats set access_given_at = private.now() where member_id = ${renewing.id}`
    await stage.sql`select private.begin_periods(id) from private.seats where member_id = ${renewing.id}`
    await stage.pass(32)
    const renewal = await single(
      stage.sql`select id from member_payments where member_id = ${renewing.id} and number = 2`,
    )

    // No worker has come for it yet.
    await stage.sql`update private.payment_jobs set next_attempt_at = now() + interval '1 day' where about = ${renewal}`
    const paid = await stage.guest()
    const paidBefore = await stage.seat(paid)
    const [intent] = stage.intentsOf(paidBefore)
    const settled = String(intent?.id)
    const first = await waiting()
    const refunded = await waiting()
    const left = await waiting()
    const gone = await waiting()
    const banned = await waiting()
    const twice = await waiting()
    const more = await waiting()
    const less = await waiting()
    const ofAdmin = await waiting()
    const { owner } = ofAdmin.mia
    await stage.sql`insert into user_roles (user_id, role) values (${owner.id}, 'admin')`
    expect(await restore()).toHaveLength(1)

    const charge = {
      first: await chargedInTheGap(first.payment),
      renewal: await chargedInTheGap(renewal, { payment: crypto.randomUUID() }),
      refunded: await chargedInTheGap(refunded.payment),
      left: await chargedInTheGap(left.payment),
      gone: await chargedInTheGap(gone.payment),
      banned: await chargedInTheGap(banned.payment),
      twice: await chargedInTheGap(twice.payment),
      again: await chargedInTheGap(twice.payment),
      more: await chargedInTheGap(more.payment, { amountCents: 600 }),
      less: await chargedInTheGap(less.payment, { amountCents: 500 }),
      ofAdmin: await chargedInTheGap(ofAdmin.payment),
      other: await chargedInTheGap(first.payment, {
        ...{ payment: 'order-17', seat: crypto.randomUUID(), period: 1 },
      }),
    }
    refund(charge.refunded, 550)
    refund(settled, 200)
    await stage.leave(left.mia, left.mia.plan)
    await gone.mia.owner.sql`delete from shared_subscriptions where id = ${gone.mia.plan}`
    await stage.sql`update auth.users set banned_until = now() + interval '10 years' where id = ${banned.mia.id}`
    // Stripe sends events again that the lost site did not take.
    await stage.hears('payment_intent.succeeded', { ...stage.stripe.things.get(charge.first) })

    await expectRefusal(
      ada.sql`select end_payment_hold('Stripe')`,
      rule('The payment provider is still being compared with the books'),
    )
    expect((await hold())?.isComparing).toBe(true)
    await stage.tick()
    expect((await hold())?.isComparing).toBe(false)
    expect(await missing(charge.first)).toMatchObject({ amount: 5.5, plan: 'Netflix Premium' })
    expect(await missing(charge.renewal)).toMatchObject({ amount: 5.5, plan: 'Netflix Premium' })
    expect(await missing(settled)).toMatchObject({
      ...{ type: '€3.19 at the provider, €5.19 in the books: Netflix Premium', plan: 'Netflix Premium' },
    })
    expect(await missing(charge.other)).toEqual({
      ...{ reference: charge.other, type: 'Not in the books: charge of €5.19', amount: 5.5 },
      ...{ plan: null, period: null, member: null },
    })
    // Nothing is charged or booked meanwhile.
    expect(await statusOf(first.payment)).toBe('due')
    expect(stage.intentsOf(first.payment)).toHaveLength(1)

    await expectRefusal(book(charge.first, first.mia.owner), denied('Only admins can do this'))
    await expectRefusal(book(charge.ofAdmin, owner), denied('Someone else decides about a payment of yours'))
    const stale = signedInWith(stage.db, ada, ['totp', 'password'], 3_600)
    expect((await book(charge.first, stale).catch((error: Error) => error)) instanceof Error).toBe(true)
    const ben = await addStaff(stage.db, 'Ben', 'admin')
    const SEEN = { code: 'PT409', message: 'Someone already looked at this event' }
    const both = await Promise.allSettled([book(charge.first), book(charge.first, ben)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await stage.hears('payment_intent.succeeded', { ...stage.stripe.things.get(charge.first) }, 2)
    await stage.tick()
    await expectRefusal(book(charge.first), SEEN)
    expect([await statusOf(first.payment), await movedFor(first.payment)]).toEqual(['paid', 5.5])

    for (const one of [
      charge.renewal,
      charge.refunded,
      charge.left,
      charge.gone,
      charge.banned,
      charge.more,
      charge.less,
      settled,
    ])
      await book(one)
    await book(charge.twice)
    await stage.tick()
    await expectRefusal(book(charge.again), NOTHING)
    await expectRefusal(book(charge.other), NOTHING)
    expect(await statusOf(renewal)).toBe('paid')
    expect(await statusOf(banned.payment)).toBe('paid')
    expect(await stage.payment(paidBefore)).toMatchObject({ status: 'paid', returned: true })
    expect(await statusOf(refunded.payment)).toBe('given-back')
    expect(await stage.payment(more.payment)).toMatchObject({ status: 'due', card: 0 })
    expect(await stage.payment(less.payment)).toMatchObject({ status: 'failed', card: 5 })
    for (const { payment } of [left, gone]) {
      expect(['cancelled', 'given-back']).toContain(await statusOf(payment))
      // The refund moves money, so it waits for the end of the hold.
      expect(stage.refundsOf(payment)).toEqual([])
    }

    // What belongs to nothing stays until an admin has refunded it at Stripe, and says so.
    expect((await hold())?.missing.map(({ reference }) => reference).sort()).toEqual(
      [charge.again, charge.ofAdmin, charge.other].sort(),
    )
    for (const one of [charge.again, charge.other])
      await ada.sql`select review_payment_event(${`books:${one}`}, 'Refunded at Stripe')`
    await book(charge.ofAdmin, ben)
    await stage.tick()
    expect((await hold())?.missing).toEqual([])

    await ada.sql`select end_payment_hold('Stripe, no files')`
    await expectRefusal(book(charge.other), notFound('Payments are not on hold'))
    await stage.hurry()
    for (const { payment } of [left, gone])
      expect(stage.refundsOf(payment)).toMatchObject([{ amount: 550, status: 'succeeded' }])
    expect(stage.refundsOf(more.payment)).toMatchObject([{ amount: 600, status: 'succeeded' }])
    // A payment has one charge, so neither is charged again: the place ends unpaid, or the member joins anew.
    for (const { payment } of [more, less]) expect(stage.intentsOf(payment)).toHaveLength(1)
    expect(stage.refundsOf(refunded.payment)).toHaveLength(1)
    for (const { payment } of [first, refunded, left, gone, banned])
      expect(stage.intentsOf(payment)).toHaveLength(1)
    expect(stage.intentsOf(renewal)).toEqual([])
    await stage.books()

    // The nightly comparison finds only what was noted.
    const before = await stage.sql`select id from unknown_payment_events`
    await stage.moveClock(2)
    await stage.sql`select private.queue_reconciliation()`
    await stage.tick()
    expect(await stage.sql`select id from unknown_payment_events`).toHaveLength(before.length)
  })

  test('what nobody booked is found at Stripe when the hold ends, and not charged or refunded again', async () => {
    await stage.sql`update private.clock set ahead = '0'`
    const back = await stage.guest()
    const returned = await stage.seat(back)
    const first = await waiting()
    const other = await waiting()
    await back.owner.sql`delete from shared_subscriptions where id = ${back.plan}`
    const refundId = await single(stage.sql`select id from private.refunds where payment_id = ${returned}`)
    await restore()
    await chargedInTheGap(first.payment)
    await chargedInTheGap(other.payment, { payment: crypto.randomUUID() })
    const [intent] = stage.intentsOf(returned)
    stage.stripe.make('refund', 're', {
      ...{ payment_intent: intent?.id, amount: 550, status: 'succeeded', metadata: { refund_id: refundId } },
    })
    await stage.tick()
    await ada.sql`select end_payment_hold('Stripe, no files')`
    await stage.hurry()
    expect([await statusOf(first.payment), await statusOf(other.payment)]).toEqual(['paid', 'paid'])
    expect(stage.intentsOf(first.payment)).toHaveLength(1)
    expect(stage.intentsOf(other.payment)).toEqual([])
    expect(stage.refundsOf(returned)).toHaveLength(1)
    expect(await single(stage.sql`select status from private.refunds where payment_id = ${returned}`)).toBe(
      'succeeded',
    )
    await stage.books()
  })
})
