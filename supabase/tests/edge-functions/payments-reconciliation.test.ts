// The nightly comparison of Stripe's movements with the books, and staff's notifications about differences.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addStaff } from '../people.ts'
import { HOSTS } from './hosts.ts'
import { openStage, type Stage } from './payment-stage.ts'

describe.each(HOSTS)('the nightly comparison with Stripe in %s', (name) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(name, 4)
  })
  afterAll(() => stage.close())

  test('names each charge, refund, dispute and fee that differs, once, and nothing that agrees; it goes on where it stopped', async () => {
    const { stripe } = stage
    const ana = await addStaff(stage.db, 'Ana', 'admin')
    /** People who have paid 5.50 each, of which Stripe kept 0.31. */
    const guests = await Promise.all(Array.from({ length: 9 }, () => stage.guest()))
    for (const guest of guests) await stage.approve(guest)
    await stage.tick()
    const paid = await Promise.all(
      guests.map(async (guest) => {
        const [{ id, latest_charge } = { id: '', latest_charge: '' }] = stage.intentsOf(
          await stage.paymentOf(guest),
        )
        const [moved] = [...stripe.things.values()].filter(({ source }) => source && source === latest_charge)
        return { guest, intent: id, moved: moved ?? { id: '' } }
      }),
    )
    const pay = () => paid.pop() ?? expect.unreachable()
    const refund = (intent: string, cents: number, status = 'succeeded') =>
      stripe.make('refund', 're', { payment_intent: intent, amount: cents, status, metadata: {} })
    const foreign = (cents: number) => {
      const { id: payment_intent } = stripe.make('payment_intent', 'pi', {
        metadata: {},
        status: 'succeeded',
      })
      const charge = stripe.make('charge', 'ch', { payment_intent })
      stripe.moveBalance('charge', { amount: cents, fee: 40, source: charge.id })
      return payment_intent
    }

    // Movements that agree: a refund, one still under way, one that failed, a dispute, and money sent to the site's
    // bank.
    const { guest } = pay()
    await guest.owner.sql`delete from shared_subscriptions where id = ${guest.plan}`
    await stage.tick()
    await stage.hears('refund.created', refund(pay().intent, 200, 'pending'))
    const failing = refund(pay().intent, 550)
    await stage.hears('refund.created', failing)
    stripe.moveBalance('refund_failure', { amount: 550, source: failing.id })
    await stage.hears('refund.failed', {
      ...failing,
      status: 'failed',
      failure_reason: 'lost_or_stolen_card',
    })
    await stage.hears('charge.dispute.created', stripe.dispute(pay().intent))
    stripe.moveBalance('payout', { amount: -900 })
    const heard = foreign(700)
    await stage.hears('payment_intent.succeeded', { ...stripe.things.get(heard) })

    // Movements that differ.
    const [missing, dearer, refunded, disputed] = [pay(), pay(), pay(), pay()]
    stripe.things.delete(missing.moved.id)
    Object.assign(dearer.moved, { fee: 50, net: 500 })
    refund(refunded.intent, 300)
    stripe.dispute(disputed.intent)
    const unknown = foreign(900)
    const fee = stripe.moveBalance('stripe_fee', { amount: -20 })

    const events = () =>
      stage.sql`select type, about from unknown_payment_events where id like 'books:%' order by type collate "C"`
    const midnight = new Date().setUTCHours(0, 0, 0, 0) / 1_000
    /** Sets the site's clock to this time after the last midnight. */
    const moveTo = (later: string) =>
      stage.sql`update private.clock set ahead = to_timestamp(${midnight}::bigint) + ${later}::interval - now()`
    const night = async (later: string) => {
      await moveTo(later)
      await stage.sql`select private.queue_reconciliation()`
    }
    const lists = () => stripe.asked.filter(({ path }) => path === '/v1/balance_transactions')
    // This refund is in the books just before midnight, and at Stripe just after midnight.
    const late = pay().intent
    await moveTo('2 days -10 minutes')
    const back = refund(late, 100)
    const [moved] = [...stripe.things.values()].filter(({ source }) => source === back.id)
    Object.assign(moved ?? {}, { created: midnight + 2 * 86_400 + 600 })
    await stage.hears('refund.created', back)

    await night('2 days 4 hours')
    stripe.troubles.push({ at: '/v1/balance_transactions', does: 'refuses', after: 1, times: 1 })
    expect(await stage.tick()).toEqual({ done: 0, put_off: 1 })
    expect(await events()).toEqual([])
    const [begun] = lists()
    const before = lists().length
    await stage.hurry()
    const went = Number(lists()[before]?.params['created[lt]'])
    expect(went).toBeLessThan(Number(begun?.params['created[lt]']))
    const found = [
      { type: 'Not in the books: charge of €8.60', about: unknown },
      { type: 'Not in the books: stripe fee of €0.20', about: fee.id },
      { type: '€-20.31 at the provider, €5.19 in the books: Netflix Premium', about: disputed.intent },
      { type: '€0.00 at the provider, €5.19 in the books: Netflix Premium', about: missing.intent },
      { type: '€2.19 at the provider, €5.19 in the books: Netflix Premium', about: refunded.intent },
      { type: '€5.00 at the provider, €5.19 in the books: Netflix Premium', about: dearer.intent },
    ]
    expect(await events()).toEqual(found)
    expect(await stage.told(ana)).toContain('payment-books-differ')

    await night('3 days 4 hours')
    await stage.tick()
    // Another, slower worker reports its comparison, which changes nothing.
    await stage.sql`select record_movements(max(day), '[]', false) from private.reconciliations`
    expect(await events()).toEqual(found)
    expect(await stage.sql`select differences from private.reconciliations order by day`).toEqual([
      { differences: found.length },
      { differences: 0 },
    ])
    expect(await stage.sql`select kind from private.payment_jobs where kind = 'reconcile'`).toEqual([])
    await stage.books()
  })
})
