// SEPA Direct Debit: days between the charge and its outcome, in which nothing is booked, late or charged again.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser } from '../../../server/test/harness.ts'
import { single } from '../answers.ts'
import { addPerson, addStaff, confirmAge, signedInWith, statements } from '../people.ts'
import { sharePaid } from '../till.ts'
import { HOSTS, openHost } from './hosts.ts'
import { as, type Guest, openStage, type Stage } from './payment-stage.ts'

const CREDITOR = 'DE98ZZZ09999999999'

describe.each(HOSTS)('a bank debit in %s', (name) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(name, 4, { STRIPE_METHODS: 'card,sepa_debit', SEPA_CREDITOR_ID: CREDITOR })
  })
  afterAll(() => stage.close())
  const seat = async ({ id }: Guest) =>
    (
      await stage.sql`select admitted_at is not null as admitted, late_since is not null as late, end_reason
        from private.seats where member_id = ${id}`
    )[0]
  const begun = async () => {
    const mia = await stage.guest({ card: 'debits' })
    const payment = await stage.seat(mia)
    expect(await stage.payment(payment)).toMatchObject({ status: 'processing', card: 0 })
    return { mia, payment, intent: stage.intentsOf(payment)[0]?.id ?? '' }
  }
  /** Reports the bank's answer as Stripe does, more than once. */
  const settle = (intent: string, isPaid: boolean) =>
    stage.hears(
      `payment_intent.${isPaid ? 'succeeded' : 'payment_failed'}`,
      stage.stripe.settle(intent, isPaid),
      3,
    )

  test('is announced with its mandate, and admits and is booked once the money is certain, charged once', async () => {
    const { mia, payment, intent } = await begun()
    expect(
      await mia.client.from('payment_methods').select('kind, brand, last4, exp_year').single(),
    ).toMatchObject({
      data: { kind: 'sepa_debit', brand: null, last4: '3000', exp_year: null },
    })
    expect(await seat(mia)).toMatchObject({ admitted: false })
    expect(
      await stage.sql`select params from user_notifications where user_id = ${mia.id} and event = 'payment-under-way'`,
    ).toMatchObject([
      {
        params: {
          ...{ account: '3000', mandate: 'POTLUCK-1', creditor: CREDITOR, day: '2026-12-01' },
          ...{ amount: 5.5, admitted: false },
        },
      },
    ])
    expect((await stage.ask(mia, '/pay', { payment })).message).toBe('There’s nothing to pay here')
    for (const _again of [1, 2]) await stage.hurry()
    // The debit's notice has just been sent, so the bank is asked to debit later.
    expect(stage.stripe.asked.filter(({ path }) => path.endsWith(`${intent}/confirm`))).toMatchObject([
      { params: { 'payment_method_options[sepa_debit][target_date]': expect.stringMatching(/^\d{4}-/) } },
    ])
    await settle(intent, true)
    await stage.hurry()
    expect(await stage.payment(payment)).toMatchObject({ status: 'paid', card: 5.5 })
    expect(await seat(mia)).toMatchObject({ admitted: true })
    expect(await stage.books()).toMatchObject({ outside: -5.15, held_share: 5, held_fee: 0.5, costs: -0.35 })
  })

  test.each([['heard of'], ['asked about']])(
    'that fails, which is %s, leaves a day to pay with something else, under the same id',
    async (how) => {
      const { mia, payment, intent } = await begun()
      if (how === 'heard of') await settle(intent, false)
      else {
        stage.stripe.settle(intent, false)
        await stage.hurry()
      }
      expect(await stage.payment(payment)).toMatchObject({ status: 'failed', card: 0 })
      expect((await mia.client.rpc('own_charge', { p_payment_id: payment })).data).toMatchObject({
        code: 'insufficient_funds',
      })
      expect(await stage.told(mia)).toContain('payment-failed')
      await stage.saveCard(mia, `pm_works_${payment}`)
      expect(await stage.ask(mia, '/pay', { payment })).toMatchObject({ status: 'succeeded' })
      expect(await stage.payment(payment)).toMatchObject({ status: 'paid' })
      expect(stage.intentsOf(payment)).toMatchObject([{ amount: 550 }])
    },
  )

  test('that goes back weeks later is a dispute that is lost at once: the place ends, and staff has nothing to answer', async () => {
    const ana = await addStaff(stage.db, 'Ana', 'admin')
    const { mia, payment, intent } = await begun()
    await settle(intent, true)
    const before = await stage.books()
    const fields = { payment_intent: intent, amount: 550, status: 'lost', reason: 'insufficient_funds' }
    const dispute = stage.stripe.make('dispute', 'dp', { ...fields, balance_transactions: [] })
    for (const what of ['created', 'closed']) await stage.hears(`charge.dispute.${what}`, dispute, 2)
    expect((await stage.books()).outside).toBeCloseTo((before.outside ?? 0) + 5.5, 6)
    expect(await seat(mia)).toMatchObject({ end_reason: 'disputed' })
    expect(await stage.told(ana)).toContain('payment-returned')
    expect(await stage.payment(payment)).toMatchObject({ returned: true })
  })

  test('that goes back although it was refunded is booked: the bank gives it back whole', async () => {
    const { mia, payment, intent } = await begun()
    await settle(intent, true)
    await stage.leave(mia, mia.plan)
    await stage.tick()
    expect(stage.refundsOf(payment)).toMatchObject([{ amount: 550 }])
    const { outside = 0, guarantee = 0 } = await stage.books()
    const fields = { payment_intent: intent, amount: 550, status: 'lost', reason: 'debit_not_authorized' }
    const dispute = stage.stripe.make('dispute', 'dp', { ...fields, balance_transactions: [] })
    await stage.hears('charge.dispute.created', dispute, 2)
    const after = await stage.books()
    expect([after.outside, after.guarantee]).toEqual([
      expect.closeTo(outside + 5.5, 6),
      expect.closeTo(guarantee - 5.5, 6),
    ])
  })

  test('of who closes their account meanwhile is theirs, also where their bank refuses it back', async () => {
    const { mia, payment, intent } = await begun()
    await signedInWith(stage.db, mia, ['totp', 'password']).sql`select delete_own_account()`
    await stage.hurry()
    await stage.sql`select private.settle_closed_accounts()`
    await settle(intent, true)
    await stage.tick()
    const [refund] = stage.refundsOf(payment)
    await stage.hears('refund.failed', { ...refund, status: 'failed', failure_reason: 'account_closed' })
    await stage.sql`select private.settle_closed_accounts()`
    expect(await stage.sql`select email from private.closed_accounts where user_id = ${mia.id}`).toEqual([
      { email: mia.email },
    ])
    await stage.books()
  })

  test('whose answer was lost is what was charged, also when its member has named a card since', async () => {
    const mia = await stage.guest({ card: 'debits' })
    stage.stripe.troubles.push({ at: '/confirm', does: 'does it, then breaks', times: 1 })
    const payment = await stage.seat(mia)
    await stage.saveCard(mia, `pm_works_${payment}`)
    expect(await stage.ask(mia, '/pay', { payment })).toMatchObject({ status: 'processing' })
    expect(await stage.payment(payment)).toMatchObject({ status: 'processing' })
    expect(await stage.told(mia)).toContain('payment-under-way')
    await settle(stage.intentsOf(payment)[0]?.id ?? '', true)
    expect(await stage.sql`select paid_with from member_payments where id = ${payment}`).toEqual([
      { paid_with: 'sepa_debit' },
    ])
  })

  test('is never asked for again once its mandate has ended: its member is told, once, and names something else', async () => {
    const { mia, payment, intent } = await begun()
    const method = `pm_debits_${mia.id}`
    const mandate = stage.stripe.endMandate(method)
    await stage.hears('mandate.updated', { ...mandate, status: 'active' })
    expect(await stage.told(mia)).not.toContain('payment-mandate-ended')
    await stage.hears('mandate.updated', mandate, 3)
    await settle(intent, false)
    expect((await stage.told(mia)).filter((event) => event === 'payment-mandate-ended')).toHaveLength(1)
    const asked = () => stage.stripe.asked.filter(({ params }) => params.payment_method === method).length
    const before = asked()
    expect(await stage.ask(mia, '/pay', { payment })).toMatchObject({ status: 'processing' })
    expect((await mia.client.rpc('own_charge', { p_payment_id: payment })).data).toMatchObject({
      code: 'no_card',
    })
    expect(asked()).toBe(before)
    await stage.saveCard(mia, `pm_works_${payment}`)
    expect(await stage.ask(mia, '/pay', { payment })).toMatchObject({ status: 'succeeded' })
  })

  test('of who leaves meanwhile goes back when it arrives', async () => {
    const { mia, payment, intent } = await begun()
    await stage.leave(mia, mia.plan)
    await stage.hurry()
    expect(await stage.payment(payment)).toMatchObject({ status: 'cancelled' })
    await settle(intent, true)
    await stage.hurry()
    expect(stage.refundsOf(payment)).toMatchObject([{ amount: 550 }])
    expect((await stage.books()).refunds_due ?? 0).toBe(0)
  })

  test('admits at once where the site says so, and a place that is not paid in the end closes', async () => {
    await stage.sql`update app_settings set admit_on_debit = true`
    const { mia, intent } = await begun()
    expect(await seat(mia)).toMatchObject({ admitted: true, late: false })
    expect(await stage.told(mia.owner)).toContain('member-debited')
    const [notice] =
      await stage.sql`select message from user_notifications where user_id = ${mia.id} and event = 'payment-under-way'`
    expect(notice?.message).toMatch(/ You have your place meanwhile\.$/)
    await settle(intent, false)
    expect(await seat(mia)).toMatchObject({ late: true })
    await stage.books()
  })

  test('in the simulation is under way for two days of the site’s clock', async () => {
    const host = await openHost(name, 'payments', {}, { sheltered: true })
    const { sql } = statements(host.server.db)
    const ben = await addUser(host.server, 'ben@potluck.example')
    await confirmAge(host.server.db, ben.id)
    const tick = async () => {
      await sql`update private.payment_jobs set next_attempt_at = now()`
      await host.call({ path: '/tick' })
      return single<string>(sql`select status from member_payments`)
    }
    await host.call({ path: '/tick' })
    await host.call(
      as(ben, '/simulated/card', { number: 'IBAN: DE89\u202f3704\u00a00044\u200b0532 0130 00' }),
    )
    const { id, owner } = await sharePaid(await addPerson(host.server.db, 'Olivia'))
    const wanted = { subscription_id: id, begins_at_once_at: new Date().toISOString() }
    await ben.client.from('subscription_requests').insert(wanted).throwOnError()
    await owner.sql`select approve_subscription_request(id, ${id}) from subscription_requests`
    expect([await tick(), await tick()]).toEqual(['processing', 'processing'])
    await sql`update private.clock set ahead = ahead + interval '2 days'`
    expect(await tick()).toBe('paid')
    await host.close()
  })
})
