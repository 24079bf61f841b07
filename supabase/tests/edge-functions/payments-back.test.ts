// Money that goes back: refunds that the provider takes, refuses or takes back, charges that come too late, disputes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { refusalOf, rule } from '../people.ts'
import { HOSTS } from './hosts.ts'
import { openStage, type Seated, type Stage } from './payment-stage.ts'

describe.each(HOSTS)('money that goes back with Stripe in %s', (name) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(name)
  })
  afterAll(() => stage.close())
  const paid = async (options?: { coinsFirst?: boolean; coins?: number }) => {
    const mia = await stage.guest(options)
    return { mia, payment: await stage.seat(mia) }
  }
  const intentOf = async (payment: string) =>
    (
      await stage.sql<{
        intent: string
      }>`select intent from private.charges where payment_id = ${payment}::uuid`
    )[0]?.intent ?? ''
  const cancel = (mia: Seated) => mia.owner.sql`delete from shared_subscriptions where id = ${mia.plan}`
  const refundsOf = async (payment: string) => {
    const intent = await intentOf(payment)
    return [...stage.stripe.things.values()].filter(
      ({ id, payment_intent: of }) => id.startsWith('re_') && of === intent,
    )
  }
  const refundRow = async (payment: string) =>
    (
      await stage.sql`select status, amount::float8 as amount from private.refunds where payment_id = ${payment}::uuid`
    )[0]
  const cents = (amount: number) => Math.round(amount * 100) / 100
  const coinsOf = async ({ id }: { id: string }) =>
    (await stage.sql<{ coins: number }>`select private.available_coins(${id}::uuid)::float8 as coins`)[0]
      ?.coins

  test.each(['does it, then breaks', 'does it, then hangs up'] as const)(
    'a cancelled plan refunds the card once, also if Stripe %s',
    async (does) => {
      const { mia, payment } = await paid()
      stage.stripe.troubles.push({ at: '/v1/refunds', does, times: 1 })
      await cancel(mia)
      expect((await stage.books()).refunds_due).toBeGreaterThan(0)
      await stage.tick()
      stage.stripe.forgetKeys()
      await stage.hurry()
      await stage.tick()
      expect(await refundsOf(payment)).toMatchObject([{ amount: 550 }])
      expect(await refundRow(payment)).toEqual({ status: 'succeeded', amount: 5.5 })
      expect((await stage.books()).refunds_due).toBeUndefined()
    },
  )

  test('to the card up to its part, then coins; a refund that fails in the end goes to the wallet', async () => {
    const { mia, payment } = await paid({ coinsFirst: true, coins: 2 })
    await cancel(mia)
    await stage.tick()
    const [refund] = await refundsOf(payment)
    expect(refund).toMatchObject({ amount: 350 })
    expect(await coinsOf(mia)).toBe(2)
    const failed = { ...refund, status: 'failed', failure_reason: 'lost_or_stolen_card' }
    const webhook = await stage.stripe.webhook('refund.failed', failed)
    const late = await stage.stripe.webhook('refund.updated', refund ?? {})
    for (const one of [webhook, webhook, late]) expect((await stage.host.call(one)).status).toBe(200)
    expect(await refundRow(payment)).toEqual({ status: 'failed', amount: 3.5 })
    expect(await coinsOf(mia)).toBe(5.5)
    expect(await stage.toldOf(mia)).toContain('refund-to-wallet')
    await stage.books()
  })

  test('a charge that lands on an ended seat goes back whole', async () => {
    const mia = await stage.guest({ card: 'asks' })
    const payment = await stage.seat(mia)
    const { redirectUrl } = await stage.ask(mia, '/pay', { payment })
    await mia.client
      .from('subscription_members')
      .delete()
      .eq('subscription_id', mia.plan)
      .eq('user_id', mia.id)
    expect(await stage.payment(payment)).toMatchObject({ status: 'cancelled' })
    const intent = stage.stripe.confirmAtBank(redirectUrl?.split('/').at(-1) ?? '')
    expect(
      (await stage.host.call(await stage.stripe.webhook('payment_intent.succeeded', intent))).status,
    ).toBe(200)
    await stage.tick()
    expect(await refundsOf(payment)).toMatchObject([{ amount: 550 }])
    expect(await refundRow(payment)).toMatchObject({ status: 'succeeded' })
    await stage.books()
  })

  const disputed = async (payment: string, status: string, amount = 550) =>
    stage.stripe.webhook(
      'charge.dispute.updated',
      stage.stripe.things.get(`dp_${payment}`) ??
        stage.stripe.make('dispute', 'dp', {
          ...{
            id: `dp_${payment}`,
            payment_intent: await intentOf(payment),
            amount,
            status,
            reason: 'fraudulent',
          },
        }),
    )
  const dispute = async (payment: string) =>
    (
      await stage.sql`select status, closed_at is not null as closed, due_by is not null as due, from_share::float8 as share,
      from_fee::float8 as fee, from_coins::float8 as coins, from_guarantee::float8 as guarantee
      from payment_disputes where payment_id = ${payment}::uuid`
    )[0]

  test('a chargeback takes what is held, then coins, then the guarantee; the seat ends, and a won one is put back', async () => {
    const { mia, payment } = await paid()
    await stage.sql`select private.transfer('more', private.ledger_account('adjustments'),
      private.ledger_account('wallet', ${mia.id}::uuid), 1, 'adjustment')`
    // Two weeks of the share are the owner's by now.
    await stage.sql`select private.note_access(seat_id, null) from member_payments where id = ${payment}::uuid`
    await stage.sql`select private.transfer('earned', private.ledger_account('held_share', seat_id),
      private.ledger_account('wallet', owner_id), 2, 'earning', seat_id, id) from member_payments where id = ${payment}::uuid`
    await stage.sql`update member_payments set earned_share = 2 where id = ${payment}::uuid`
    const before = await stage.books()
    const opened = await disputed(payment, 'needs_response')
    for (let times = 0; times < 3; times += 1) expect((await stage.host.call(opened)).status).toBe(200)
    expect(await dispute(payment)).toEqual({
      ...{ status: 'needs_response', closed: false, due: true, share: 3, fee: 0.5, coins: 1, guarantee: 1 },
    })
    const [seat] = await stage.sql`select status, end_reason from private.seats where member_id = ${mia.id}`
    expect(seat).toEqual({ status: 'ended', end_reason: 'disputed' })
    expect((await stage.books()).guarantee).toBe((before.guarantee ?? 0) - 1)
    // The owner's withdrawals wait, and the member pays with no card meanwhile.
    await addBankAccount(stage.db, mia.owner)
    await moveCoins(stage.db, mia.owner, 'earned', 20)
    const { id } = await mia.owner.insert('withdrawal_requests', { amount: '20' })
    const approve = () =>
      refusalOf(stage.sql`update withdrawal_requests set status = 'processing' where id = ${id}`)
    expect(await approve()).toEqual(rule('This withdrawal waits while a payment to this person is disputed'))
    Object.assign(stage.stripe.things.get(`dp_${payment}`) ?? {}, { status: 'won' })
    const won = await disputed(payment, 'won')
    for (const late of [won, opened, won]) expect((await stage.host.call(late)).status).toBe(200)
    expect(await dispute(payment)).toMatchObject({ status: 'won', closed: true, guarantee: 1 })
    expect(await coinsOf(mia)).toBe(1)
    // 20 of the 25 are asked for.
    expect(await coinsOf(mia.owner)).toBe(5)
    expect((await stage.books()).guarantee).toBe(before.guarantee)
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    expect(await approve()).toEqual(
      rule(`This withdrawal waits until ${day}, 30 days after the first earning by card`),
    )
  })

  test('a chargeback of what has gone back already takes nothing', async () => {
    const { mia, payment } = await paid()
    await cancel(mia)
    await stage.tick()
    expect((await stage.host.call(await disputed(payment, 'needs_response'))).status).toBe(200)
    expect(await dispute(payment)).toMatchObject({ share: 0, fee: 0, coins: 0, guarantee: 0 })
    await stage.books()
  })

  test('a refund that a chargeback overtakes is not paid twice: not to the bank and to the wallet', async () => {
    const { mia, payment } = await paid()
    const { outside: before = 0 } = await stage.books()
    await cancel(mia)
    const opened = await disputed(payment, 'needs_response')
    expect((await stage.host.call(opened)).status).toBe(200)
    // As Stripe does: what is disputed cannot be refunded.
    await stage.tick()
    expect(await refundRow(payment)).toEqual({ status: 'failed', amount: 5.5 })
    expect((await stage.host.call(opened)).status).toBe(200)
    expect([await coinsOf(mia), (await stage.books()).outside]).toEqual([0, cents(before + 5.5)])
    Object.assign(stage.stripe.things.get(`dp_${payment}`) ?? {}, { status: 'won' })
    expect((await stage.host.call(await disputed(payment, 'won'))).status).toBe(200)
    expect([await coinsOf(mia), (await stage.books()).outside]).toEqual([5.5, before])
  })
})
