// A payment is charged once, however often calls are repeated, lost, late or out of order. A refund is made once too,
// whether the provider accepts, refuses or reverses it, after a late charge or with a dispute.
// Proves PAY 06-08 12 14 16 18 21, CLOCK 03
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addStaff, denied, notFound, refusalOf, rule, signedInWith } from '../people.ts'
import { HOSTS } from './hosts.ts'
import { type Guest, openStage, type Stage } from './payment-stage.ts'

const PAID = { status: 'paid', coins: 0, card: 5.5, returned: false }
const ONE = [expect.objectContaining({ status: 'succeeded', amount: 550 })]

describe.each(HOSTS)('with Stripe in %s', (name) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(name, 4)
  })
  afterAll(() => stage.close())
  const paid = async (options?: { coinsFirst?: boolean; coins?: number }) => {
    const mia = await stage.guest(options)
    return { mia, payment: await stage.seat(mia) }
  }
  const coinsOf = async ({ id }: { id: string }) =>
    (await stage.sql`select private.available_coins(${id}::uuid)::float8 as coins`)[0]?.coins

  describe('a charge', () => {
    test('takes the saved card: cents, customer, what it is for, a key for each attempt', async () => {
      const mia = await stage.guest()
      const before = stage.stripe.asked.length
      const payment = await stage.seat(mia)
      expect(await stage.payment(payment)).toEqual(PAID)
      const [customer] =
        await stage.sql`select reference from private.payment_customers where user_id = ${mia.id}`
      // A new charge is not looked up before it is confirmed.
      expect(
        stage.stripe.asked.slice(before).filter(({ path }) => path.startsWith('/v1/payment_intents')),
      ).toMatchObject([
        {
          ...{ path: '/v1/payment_intents', key: `payment:${payment}:1` },
          params: {
            ...{ amount: '550', currency: 'eur', customer: customer?.reference },
            ...{ 'metadata[payment_id]': payment, 'allowed_payment_method_types[0]': 'card' },
          },
        },
        {
          path: expect.stringMatching(/^\/v1\/payment_intents\/pi_\w+\/confirm$/),
          key: `confirm:${payment}:1`,
          params: { off_session: 'true', payment_method: expect.stringMatching(/^pm_works_/) },
        },
      ])
      const held = { held_share: 5, held_fee: 0.5, outside: -5.19, costs: -0.31 }
      expect(await stage.books()).toMatchObject(held)
      expect(await stage.told(mia)).toContain('payment-made')
      expect(await stage.told(mia.owner)).toContain('member-paid')
    })

    test('of a declined card keeps the place, and another one is charged under the same id', async () => {
      const mia = await stage.guest({ card: 'declined' })
      const payment = await stage.seat(mia)
      expect(await stage.payment(payment)).toMatchObject({ status: 'failed', card: 0 })
      const card = (await mia.client.from('payment_methods').select('id').single()).data?.id
      expect((await mia.client.rpc('own_charge', { p_payment_id: payment })).data).toMatchObject({
        ...{ status: 'failed', code: 'generic_decline', tried: card },
      })
      expect(await stage.told(mia)).toContain('payment-failed')
      await stage.saveCard(mia, `pm_works_${payment}`)
      expect(await stage.ask(mia, '/pay', { payment })).toMatchObject({ status: 'succeeded' })
      expect(await stage.payment(payment)).toEqual(PAID)
      expect(stage.intentsOf(payment)).toEqual(ONE)
      expect((await stage.ask(mia, '/pay', { payment })).message).toBe('There’s nothing to pay here')
    })

    test('of a card that asks its holder leads to the bank, comes back to the payment, and is then paid', async () => {
      const mia = await stage.guest({ card: 'asks' })
      const payment = await stage.seat(mia)
      expect(await stage.payment(payment)).toMatchObject({ status: 'needs-action' })
      const intent = await stage.toTheBank(mia, payment)
      expect(stage.stripe.asked.at(-1)?.params.return_url).toMatch(new RegExp(`/pay/${payment}\\?back=1$`))
      expect(await stage.ask(mia, '/check', { payment })).toMatchObject({ status: 'needs-action' })
      stage.stripe.confirmAtBank(intent)
      expect(await stage.ask(mia, '/check', { payment })).toMatchObject({ status: 'succeeded' })
      expect(await stage.payment(payment)).toEqual(PAID)
    })

    test.each([
      ['refuses', '/confirm'],
      ['does it, then breaks', '/confirm'],
      ['does it, then hangs up', '/confirm'],
      ['does it, then breaks', '/v1/payment_intents'],
      ['does it, then hangs up', '/v1/payment_intents'],
    ] as const)('is one, also if Stripe %s at %s and forgets every key', async (does, at) => {
      const mia = await stage.guest()
      // Deno's fetch itself retries once if the connection breaks.
      stage.stripe.troubles.push({ at, does, times: 2 })
      const payment = await stage.seat(mia)
      expect(await stage.payment(payment)).toMatchObject({ status: 'charging' })
      stage.stripe.troubles.length = 0
      stage.stripe.forgetKeys()
      await stage.hurry()
      expect(await stage.payment(payment)).toEqual(PAID)
      expect(stage.intentsOf(payment)).toEqual(ONE)
      await stage.books()
    })

    test.each([
      ['failed, where Stripe knows no such customer', 'knows no customer', 'failed', 'resource_missing', 1],
      ['no fault of the card, where the key is wrong', 'knows no key', 'charging', null, 0],
    ] as const)('that cannot even begin is %s', async (_what, does, status, code, messages) => {
      const mia = await stage.guest()
      stage.stripe.troubles.push({ at: '/v1/payment_intents', does, times: 1 })
      const payment = await stage.seat(mia)
      expect(await stage.payment(payment)).toMatchObject({ status, card: 0 })
      expect((await mia.client.rpc('own_charge', { p_payment_id: payment })).data).toMatchObject({
        status,
        code,
      })
      const told = await stage.told(mia)
      expect(told.filter((event) => event === 'payment-failed')).toHaveLength(messages)
      if (messages > 0) await stage.ask(mia, '/pay', { payment })
      else await stage.hurry()
      expect(await stage.payment(payment)).toEqual(PAID)
    })

    test('begun for a customer who is gone at Stripe begins anew with the next card', async () => {
      const mia = await stage.guest({ card: 'declined' })
      const payment = await stage.seat(mia)
      const [first] = stage.intentsOf(payment)
      stage.stripe.things.delete(first?.customer ?? '')
      await stage.saveCard(mia, `pm_works_${payment}`)
      for (const status of ['canceled', 'succeeded'])
        expect(await stage.ask(mia, '/pay', { payment })).toMatchObject({ status })
      expect(await stage.payment(payment)).toEqual(PAID)
      expect(stage.intentsOf(payment)).toMatchObject([{ status: 'canceled' }, { status: 'succeeded' }])
    })

    test('of a card refused for good is made again only where its holder says so', async () => {
      const mia = await stage.guest({ card: 'lost' })
      const payment = await stage.seat(mia)
      const tries = () => stage.stripe.asked.filter(({ key }) => key?.startsWith(`confirm:${payment}`)).length
      expect([await stage.payment(payment), tries()]).toMatchObject([{ status: 'failed' }, 1])
      await stage.sql`select private.queue_charges(array[${payment}::uuid])`
      await stage.tick()
      expect([await stage.payment(payment), tries()]).toMatchObject([{ status: 'failed' }, 1])
      await stage.ask(mia, '/pay', { payment })
      expect(tries()).toBe(2)
    })

    test('is neither lost nor made twice while Stripe is out of reach for an hour', async () => {
      const guests = [await stage.guest(), await stage.guest(), await stage.guest()]
      stage.stripe.isDown = true
      for (const guest of guests) await stage.approve(guest)
      for (const _again of [1, 2, 3]) expect(await stage.hurry()).toEqual({ done: 0, put_off: 3 })
      stage.stripe.isDown = false
      expect(await stage.hurry()).toEqual({ done: 3, put_off: 0 })
      for (const guest of guests) {
        const payment = await stage.paymentOf(guest)
        expect(await stage.payment(payment)).toEqual(PAID)
        expect(stage.intentsOf(payment)).toEqual(ONE)
      }
    })

    test('is one where Stripe is so slow that others ask meanwhile', async () => {
      const mia = await stage.guest()
      stage.stripe.troubles.push({ at: '/confirm', does: 'does it late', times: 1 })
      await stage.approve(mia)
      const payment = await stage.paymentOf(mia)
      const slow = stage.tick()
      await eventually(async () => expect(await stage.payment(payment)).toMatchObject({ status: 'charging' }))
      expect((await stage.ask(mia, '/pay', { payment })).status).toBe('processing')
      await slow
      expect(await stage.payment(payment)).toEqual(PAID)
      const confirmed = stage.stripe.asked.filter(({ key }) => key?.startsWith(`confirm:${payment}`))
      expect(confirmed).toHaveLength(1)
    })

    test('is one where a worker never comes back, and two are at it at once', async () => {
      const mia = await stage.guest()
      await stage.approve(mia)
      const [taken] = await stage.sql<{ jobs: unknown[] }>`select lease_payment_jobs('stripe', 10) as jobs`
      expect(taken?.jobs).toHaveLength(1)
      expect(await stage.tick()).toEqual({ done: 0, put_off: 0 })
      const payment = await stage.paymentOf(mia)
      await Promise.all([
        ...Array.from({ length: 5 }, () => stage.hurry()),
        ...Array.from({ length: 5 }, () => stage.ask(mia, '/pay', { payment })),
      ])
      expect(await stage.payment(payment)).toEqual(PAID)
      // Several intents may be opened at the same time; the first one that the database stores is charged.
      const charged = stage.intentsOf(payment).filter(({ status }) => status !== 'requires_payment_method')
      expect(charged).toEqual(ONE)
      await stage.books()
    })

    test('that is told 50 times at once, among older news, is one payment', async () => {
      const mia = await stage.guest({ card: 'asks' })
      const payment = await stage.seat(mia)
      const intent = await stage.toTheBank(mia, payment)
      const failed = { ...stage.stripe.things.get(intent), status: 'requires_payment_method' }
      const succeeded = stage.stripe.confirmAtBank(intent)
      // Sends an older event after every five newer ones.
      await Promise.all(
        Array.from({ length: 60 }, (_, place) =>
          place % 6 === 5
            ? stage.hears('payment_intent.payment_failed', failed)
            : stage.hears('payment_intent.succeeded', succeeded),
        ),
      )
      expect(await stage.payment(payment)).toEqual(PAID)
      const moved = stage.sql`select sum(amount)::float8 as moved from private.ledger_transfers
        where payment_id = ${payment}::uuid and kind = 'payment'`
      expect(await moved).toEqual([{ moved: 5.5 }])
      await stage.books()
    })

    test('is on a receipt that names whoever runs the site on its day', async () => {
      const ann =
        "name = 'Ann', street = '1 Road', postcode = '1', town = 'Town', country = 'IE', vat_number = 'IE 1'"
      const only = 'street = null, postcode = null, town = null, country = null, vat_number = null, name'
      const payments: string[] = []
      for (const operator of [ann, `${only} = 'Ben'`, `${only} = null`]) {
        const mia = await stage.guest({ card: 'asks' })
        const payment = await stage.seat(mia)
        const succeeded = stage.stripe.confirmAtBank(await stage.toTheBank(mia, payment))
        await stage.db.query(`update operator set ${operator}`)
        await stage.hears('payment_intent.succeeded', succeeded)
        payments.push(payment)
      }
      const receipts =
        await stage.sql`select seller_name, seller_address, seller_tax_number from member_payments
        where id = any (${`{${payments.join(',')}}`}::uuid[]) and receipt_number is not null order by paid_at`
      expect(receipts.map((seller) => Object.values(seller))).toEqual([
        ['Ann', '1 Road, 1 Town, IE', 'IE 1'],
        ['Ben', null, null],
        [null, null, null],
      ])
    })

    test('of what is none of ours is kept aside for staff', async () => {
      const foreign = stage.stripe.make('payment_intent', 'pi', { status: 'succeeded', metadata: {} })
      await stage.hears('payment_intent.succeeded', foreign, 2)
      expect(await stage.sql`select type, about from unknown_payment_events`).toEqual([
        { type: 'payment_intent.succeeded', about: foreign.id },
      ])
    })

    test('is of coins first: never a rest below 0.50, taken when charging begins, back when it fails', async () => {
      const rich = await stage.guest({ coinsFirst: true, coins: 20, card: '' })
      expect(await stage.payment(await stage.seat(rich))).toMatchObject({
        status: 'paid',
        coins: 5.5,
        card: 0,
      })
      const some = await stage.guest({ coinsFirst: true, coins: 25.2 })
      await stage.sql`insert into withdrawal_requests (user_id, amount) values (${some.id}, 20)`
      expect(await stage.payment(await stage.seat(some))).toMatchObject({
        status: 'paid',
        coins: 5,
        card: 0.5,
      })
      const poor = await stage.guest({ coinsFirst: true, coins: 2, card: 'declined' })
      expect(await stage.payment(await stage.seat(poor))).toMatchObject({ status: 'failed', coins: 0 })
      const moves =
        await stage.sql`select transaction_type as type, amount::float8 as amount from coin_transactions
        where user_id = ${poor.id} order by created_at offset 1`
      expect(moves).toEqual([
        { type: 'spent', amount: 2 },
        { type: 'refunded', amount: 2 },
      ])
      await stage.books()
    })

    test('is not for somebody else to make, nor to their card', async () => {
      const [mia, leo] = [await stage.guest({ card: 'declined' }), await stage.guest()]
      const payment = await stage.seat(mia)
      const card = (await leo.client.from('payment_methods').select('id').single()).data?.id
      expect((await stage.ask(leo, '/pay', { payment })).message).toBe('Payment not found')
      expect((await stage.ask(mia, '/pay', { payment, card })).message).toBe('This card is not saved')
      expect((await leo.client.rpc('own_charge', { p_payment_id: payment })).data).toBeNull()
    })
  })

  describe('a refund', () => {
    const cancel = (mia: Guest) => mia.owner.sql`delete from shared_subscriptions where id = ${mia.plan}`
    const refundRow = async (payment: string) =>
      (
        await stage.sql`select status, amount::float8 as amount from private.refunds where payment_id = ${payment}::uuid`
      )[0]

    test.each(['does it, then breaks', 'does it, then hangs up'] as const)(
      'of a cancelled plan goes to the card once, also if Stripe %s',
      async (does) => {
        const { mia, payment } = await paid()
        stage.stripe.troubles.push({ at: '/v1/refunds', does, times: 1 })
        await cancel(mia)
        expect((await stage.books()).refunds_due).toBe(5.5)
        await stage.tick()
        stage.stripe.forgetKeys()
        await stage.hurry()
        expect(stage.refundsOf(payment)).toMatchObject([{ amount: 550 }])
        expect(await refundRow(payment)).toEqual({ status: 'succeeded', amount: 5.5 })
        expect((await stage.books()).refunds_due).toBeUndefined()
      },
    )

    test('goes to the card up to its part, then to coins; one that fails in the end to the wallet', async () => {
      const { mia, payment } = await paid({ coinsFirst: true, coins: 2 })
      await cancel(mia)
      await stage.tick()
      const [refund] = stage.refundsOf(payment)
      expect([refund?.amount, await coinsOf(mia)]).toEqual([350, 2])
      const failed = { ...refund, status: 'failed', failure_reason: 'lost_or_stolen_card' }
      await stage.hears('refund.failed', failed, 2)
      await stage.hears('refund.updated', refund ?? {})
      expect(await refundRow(payment)).toEqual({ status: 'failed', amount: 3.5 })
      expect(await coinsOf(mia)).toBe(5.5)
      expect(await stage.told(mia)).toContain('refund-to-wallet')
      await stage.books()
    })

    test.each([
      ['charged, though nobody heard of it', 'works', 'succeeded', [550]],
      ['waiting for the bank', 'asks', 'canceled', []],
    ])('leaves nothing with us of who leaves while the charge is %s', async (_what, card, ends, back) => {
      const mia = await stage.guest({ card })
      stage.stripe.troubles.push({ at: '/confirm', does: 'does it, then hangs up', times: 1 })
      const payment = await stage.seat(mia)
      if (card === 'asks') await stage.toTheBank(mia, payment)
      await stage.leave(mia, mia.plan)
      stage.stripe.forgetKeys()
      for (const _again of [1, 2]) await stage.hurry()
      expect(stage.intentsOf(payment).map(({ status }) => status)).toEqual([ends])
      expect(stage.refundsOf(payment).map(({ amount }) => amount)).toEqual(back)
      expect((await stage.books()).refunds_due ?? 0).toBe(0)
      expect(await stage.sql`select * from private.payment_jobs where about = ${payment}`).toEqual([])
    })

    /** Makes a refund as in Stripe's dashboard. */
    const byHand = (payment: string, cents: number) => {
      const [intent] = stage.intentsOf(payment)
      const fields = { payment_intent: intent?.id ?? '', amount: cents, status: 'succeeded', metadata: {} }
      return stage.stripe.make('refund', 're', fields)
    }
    const given = (payment: string) =>
      stage.sql`select amount::float8 as amount, status from private.refunds where payment_id = ${payment}::uuid order by 1`

    const money = async ({ id }: Guest, payment: string) => {
      const { refunds_due = 0 } = await stage.books()
      return { given: await given(payment), coins: await coinsOf({ id }), refunds_due }
    }

    test.each([
      // Staff are asked first (money/returned-payments.test.ts).
      ['all of it', 550, [5.5], 'active'],
      ['a part', 300, [2.5, 3], 'active'],
    ])(
      'by hand of %s is in the books once, and only the rest goes back later',
      async (_what, cents, amounts, status) => {
        const { mia, payment } = await paid()
        const before = await stage.books()
        await stage.hears('refund.created', byHand(payment, cents), 3)
        expect((await stage.books()).outside).toBeCloseTo((before.outside ?? 0) + cents / 100, 6)
        expect(await stage.sql`select status from private.seats where member_id = ${mia.id}`).toMatchObject([
          { status },
        ])
        await cancel(mia)
        await stage.tick()
        const all = amounts.map((amount) => ({ amount, status: 'succeeded' }))
        expect(await money(mia, payment)).toEqual({ given: all, coins: 0, refunds_due: 0 })
      },
    )

    test.each([
      ['all of it', 550, [5.5]],
      ['a part', 300, [2.5, 3]],
    ])(
      'by hand of %s, unheard of, stands in for ours, which never becomes coins',
      async (_what, cents, amounts) => {
        const { mia, payment } = await paid()
        await cancel(mia)
        byHand(payment, cents)
        await stage.tick()
        await stage.hurry()
        const all = amounts.map((amount) => ({ amount, status: 'succeeded' }))
        expect(await money(mia, payment)).toEqual({ given: all, coins: 0, refunds_due: 0 })
      },
    )

    test('by hand of more than is held is of the guarantee, and staff is told', async () => {
      const ana = await addStaff(stage.db, 'Ana', 'admin')
      await stage.hears('refund.created', byHand((await paid()).payment, 300))
      expect(await stage.told(ana)).not.toContain('payment-returned-by-hand')
      const { mia, payment } = await paid()
      await stage.sql`select private.note_access(seat_id, null) from member_payments where id = ${payment}::uuid`
      // The member leaves after the time to withdraw.
      await stage.sql`update private.seats set withdrawable_until = opened_at where member_id = ${mia.id}`
      await stage.leave(mia, mia.plan)
      const { guarantee = 0 } = await stage.books()
      await stage.hears('refund.created', byHand(payment, 550))
      expect((await stage.books()).guarantee).toBeCloseTo(guarantee - 5.5, 6)
      expect(await stage.told(ana)).toContain('payment-returned-by-hand')
      expect(await money(mia, payment)).toMatchObject({ coins: 0, refunds_due: 0 })
    })

    test.each([
      ['the next time', '6 days', 'succeeded', 0],
      ['no more after a week, and is coins then', '7 days', 'failed', 5.5],
    ])('that Stripe has no money for is tried again: %s', async (_when, waited, status, coins) => {
      const { mia, payment } = await paid()
      await cancel(mia)
      stage.stripe.troubles.push({ at: '/v1/refunds', does: 'has no money', times: 2 })
      await stage.tick()
      expect(await money(mia, payment)).toEqual({
        given: [{ amount: 5.5, status: 'queued' }],
        coins: 0,
        refunds_due: 5.5,
      })
      stage.stripe.troubles.length = 0
      if (coins) stage.stripe.troubles.push({ at: '/v1/refunds', does: 'has no money', times: 3 })
      await stage.sql`update private.refunds set created_at = created_at - ${waited}::interval where payment_id = ${payment}::uuid`
      await stage.hurry()
      stage.stripe.troubles.length = 0
      expect(await money(mia, payment)).toEqual({ given: [{ amount: 5.5, status }], coins, refunds_due: 0 })
    })

    /** Sends events of a payment's dispute; the first one takes the money. */
    const dispute = async (
      payment: string,
      status: string,
      { times = 1, amount = 550, fee = 0, id = `dp_${payment}` } = {},
    ) => {
      const [intent] = stage.intentsOf(payment)
      const known = stage.stripe.things.get(id)
      const fields = { payment_intent: intent?.id, amount, reason: 'fraudulent' }
      const object = known ?? stage.stripe.make('dispute', 'dp', { ...fields, id, balance_transactions: [] })
      const sign = status === 'won' ? 1 : -1
      if (!known || (sign > 0 && known.status !== 'won')) {
        const moved = { amount: sign * amount, fee: -sign * fee, source: id }
        const all = [
          ...(object.balance_transactions as unknown[]),
          stage.stripe.moveBalance('adjustment', moved),
        ]
        Object.assign(object, { status, balance_transactions: all })
      }
      await stage.hears('charge.dispute.updated', { ...object, status }, times)
    }
    const disputeRows = async (payment: string) =>
      stage.sql`select status, closed_at is not null as closed, due_by is not null as due, from_share::float8 as share,
          from_fee::float8 as fee, from_coins::float8 as coins, from_guarantee::float8 as guarantee, from_refunds::float8 as refunds,
          cost::float8 as cost
          from payment_disputes where payment_id = ${payment}::uuid order by id`
    const disputeRow = async (payment: string) => (await disputeRows(payment))[0]

    test('that the bank takes is of what is held, then coins, then the guarantee; the seat ends, and a won one is put back', async () => {
      const { mia, payment } = await paid()
      await moveCoins(stage.db, mia, 'earned', 1)
      // Two weeks of the share have been earned by the owner.
      await stage.sql`select private.note_access(seat_id, null) from member_payments where id = ${payment}::uuid`
      await stage.sql`select private.transfer('earn:' || id || ':0', private.ledger_account('held_share', seat_id),
        private.ledger_account('wallet', owner_id), 2, 'earning', seat_id, id) from member_payments where id = ${payment}::uuid`
      await stage.sql`update member_payments set earned_share = 2 where id = ${payment}::uuid`
      const { guarantee: before = 0, costs = 0 } = await stage.books()
      await dispute(payment, 'needs_response', { times: 3, fee: 2000 })
      expect(await disputeRow(payment)).toEqual({
        ...{ status: 'needs_response', closed: false, due: true, share: 3, fee: 0.5, coins: 1, guarantee: 1 },
        ...{ refunds: 0, cost: 20 },
      })
      expect(
        await stage.sql`select status, end_reason from private.seats where member_id = ${mia.id}`,
      ).toEqual([{ status: 'ended', end_reason: 'disputed' }])
      const taken = await stage.books()
      expect(taken.guarantee).toBe(before - 1)
      expect(taken.costs).toBeCloseTo(costs - 20, 6)
      // The owner's withdrawals wait during the dispute.
      await addBankAccount(stage.db, mia.owner)
      await moveCoins(stage.db, mia.owner, 'earned', 20)
      const { id } = await mia.owner.insert('withdrawal_requests', { amount: '20' })
      const approve = stage.sql`update withdrawal_requests set status = 'processing' where id = ${id}`
      expect(await refusalOf(approve)).toEqual(
        rule('A payment to this person is disputed, so this withdrawal has to wait'),
      )
      // Stripe returns a part of its dispute fee.
      for (const status of ['won', 'needs_response', 'won']) await dispute(payment, status, { fee: 500 })
      expect(await disputeRow(payment)).toMatchObject({ status: 'won', closed: true, guarantee: 1, cost: 15 })
      expect((await stage.books()).costs).toBeCloseTo(costs - 15, 6)
      // The owner has requested 20 of the 25 coins.
      expect([await coinsOf(mia), await coinsOf(mia.owner)]).toEqual([1, 5])
      expect((await stage.books()).guarantee ?? 0).toBe(before)
    })

    const NAMES = {
      early: 'radar.early_fraud_warning.created',
      late: 'radar.early_fraud_warning.updated',
    } as const
    /** Makes a dispute that may be answered for nine days. */
    const answerable = async (payment: string, status = 'needs_response') => {
      const id = `dp_${payment}`
      const [intent] = stage.intentsOf(payment)
      const due_by = Math.floor(Date.now() / 1000) + 9 * 86_400
      stage.stripe.make('dispute', 'dp', {
        ...{
          id,
          status,
          payment_intent: intent?.id,
          amount: 550,
          reason: 'fraudulent',
          balance_transactions: [],
        },
        evidence_details: { due_by, has_evidence: false, past_due: false, submission_count: 0 },
      })
      await dispute(payment, status)
      return id
    }
    const answerOf = async (id: string) =>
      (await stage.sql`select answer, answer_refusal as why from payment_disputes where id = ${id}`)[0]
    type Said = { evidence: Record<string, string>; mark: string }

    test('that the bank takes is answered with what is known and staff has read, once, whatever is lost', async () => {
      const { mia, payment } = await paid()
      const ada = await addStaff(stage.db, 'Ada', 'admin')
      await stage.sql`update private.seats set access_confirmed_at = private.now() where member_id = ${mia.id}`
      await stage.sql`select private.note_access(seat_id, null) from member_payments where id = ${payment}::uuid`
      await stage.sql`insert into private.vault_openings (kind, subscription_id, version, owner_id, opened_by, purpose, opened_at)
        select 'plan', ${mia.plan}, 1, ${mia.owner.id}::uuid, ${mia.id}::uuid, 'plan', opened_at + make_interval(days => d)
        from private.seats, generate_series(0, 400) as d where member_id = ${mia.id}`
      await stage.sql`update private.seats set ended_at = null where member_id = ${mia.id}`
      const talk = await mia.client.rpc('find_or_create_conversation', {
        ...{ p_subscription_id: mia.plan, p_owner_id: mia.owner.id, p_member_id: mia.id },
      })
      await mia.client
        .from('messages')
        .insert({ conversation_id: talk.data, sender_id: mia.id, content: 'Secret words' })
        .throwOnError()
      const id = await answerable(payment)
      await stage.sql`update private.seats set ended_at = ended_at + interval '2 years' where member_id = ${mia.id}`
      const read = async () =>
        (await ada.sql<{ said: Said }>`select dispute_evidence(${id}) as said`)[0]?.said ?? {
          evidence: {},
          mark: '',
        }
      const { evidence, mark } = await read()
      expect(evidence.customer_email_address).toBe(mia.email)
      expect(evidence.refund_policy_disclosure).toMatch(
        /account was created, on [\d-]{10}; they have no version number\. As of [\d-]{10} they say/,
      )
      const log = (evidence.access_activity_log ?? '').split('\n')
      expect(log).toHaveLength(161)
      for (const line of [
        /created an account/,
        /expressly for the service to begin at once/,
        /paid €5\.50 for period 1/,
        /opened the login/,
      ])
        expect(log.join('\n')).toMatch(line)
      expect(JSON.stringify(evidence)).toMatch(/wrote to the owner about the place \(1 messages/)
      expect(JSON.stringify(evidence)).not.toContain('Secret')
      const say = (words: string) => ada.sql`select answer_dispute(${id}, ${words})`
      expect(await refusalOf(say('another text'))).toMatchObject({
        message: 'Something has happened since you read the evidence. Please read it again.',
      })
      const none = ada.sql`select answer_dispute('dp_of_nobody', ${mark})`
      expect(await refusalOf(none)).toEqual(notFound('Dispute not found'))
      const own = signedInWith(stage.db, mia, ['totp', 'password'])
      await stage.sql`insert into user_roles (user_id, role) values (${mia.id}, 'admin')`
      expect(await refusalOf(own.sql`select answer_dispute(${id}, ${mark})`)).toEqual(
        denied('Someone else answers a dispute about you'),
      )
      await say(mark)
      expect(await refusalOf(say(mark))).toMatchObject({ message: 'This dispute has already been answered' })
      // The first call only asks Stripe whether the dispute has an answer, so the trouble begins with the second call.
      stage.stripe.troubles.push({
        at: `/disputes/${id}`,
        does: 'does it, then hangs up',
        times: 2,
        after: 1,
      })
      await stage.tick()
      stage.stripe.troubles.length = 0
      stage.stripe.forgetKeys()
      await stage.hurry()
      expect(await answerOf(id)).toEqual({ answer: 'sent', why: null })
      const sent = stage.stripe.things.get(id)
      expect(sent).toMatchObject({ status: 'under_review', evidence_details: { submission_count: 1 } })
      expect(sent?.evidence).toEqual(
        Object.fromEntries(Object.entries(evidence).map(([field, text]) => [`evidence[${field}]`, text])),
      )
      expect(await stage.sql`select from private.dispute_evidence`).toEqual([])
    })

    test('that was an inquiry, and answered, is told and answered again once it is a chargeback', async () => {
      const { payment } = await paid()
      const ada = await addStaff(stage.db, 'Ada', 'admin')
      const id = await answerable(payment, 'warning_needs_response')
      const reply = async () => {
        const [said] = await ada.sql<{ said: Said }>`select dispute_evidence(${id}) as said`
        await ada.sql`select answer_dispute(${id}, ${said?.said.mark ?? ''})`
        await stage.tick()
        return stage.stripe.things.get(id)
      }
      expect(await reply()).toMatchObject({ status: 'warning_under_review' })
      await dispute(payment, 'warning_under_review')
      Object.assign(stage.stripe.things.get(id) ?? {}, { status: 'needs_response' })
      await dispute(payment, 'needs_response')
      expect((await stage.told(ada)).filter((event) => event === 'payment-disputed')).toHaveLength(2)
      expect(await answerOf(id)).toEqual({ answer: null, why: null })
      // An event of the earlier inquiry arrives late.
      for (const late of ['warning_under_review', 'warning_closed']) {
        await dispute(payment, late)
        expect(await disputeRow(payment)).toMatchObject({ status: 'needs_response', closed: false })
      }
      Object.assign(stage.stripe.things.get(id) ?? {}, { status: 'needs_response' })
      expect(await reply()).toMatchObject({
        status: 'under_review',
        evidence_details: { submission_count: 2 },
      })
    })

    test('that is disputed reminds of its date once, says when an answer is refused, and reopens for an appeal', async () => {
      const { payment } = await paid()
      const ada = await addStaff(stage.db, 'Ada', 'admin')
      const id = await answerable(payment)
      const reminded = async () =>
        (await stage.told(ada)).filter((event) => event === 'payment-dispute-due').length
      for (const [days, times] of [
        [4, 0],
        [2, 1],
        [2, 1],
      ] as const) {
        await stage.sql`update payment_disputes set due_by = date_trunc('hour', private.now()) + make_interval(days => ${days}) where id = ${id}`
        await stage.sql`select private.run_due_work()`
        expect(await reminded()).toBe(times)
      }
      const [said] = await ada.sql<{ said: Said }>`select dispute_evidence(${id}) as said`
      await ada.sql`select answer_dispute(${id}, ${said?.said.mark ?? ''})`
      const known = stage.stripe.things.get(id)
      stage.stripe.things.delete(id)
      await stage.tick()
      expect(await answerOf(id)).toEqual({ answer: 'refused', why: 'resource_missing' })
      expect(await stage.told(ada)).toContain('payment-answer-refused')
      stage.stripe.things.set(id, { ...known, id })
      const now = async (status: string, heard = status) => {
        Object.assign(stage.stripe.things.get(id) ?? {}, { status })
        await dispute(payment, heard)
        return (await disputeRow(payment))?.closed
      }
      expect(await now('lost')).toBe(true)
      expect(await refusalOf(ada.sql`select answer_dispute(${id}, ${said?.said.mark ?? ''})`)).toEqual(
        rule('The bank takes no answer to this dispute any more'),
      )
      expect(await now('lost', 'under_review')).toBe(true)
      expect(await now('appeal_needs_response')).toBe(false)
      expect(await now('lost')).toBe(true)
      expect(await now('lost', 'appeal_under_review')).toBe(true)
      await stage.books()
    })

    test('that a bank warns of is refunded by staff alone, whole and once, before it is disputed', async () => {
      const { mia, payment } = await paid()
      const ada = await addStaff(stage.db, 'Ada', 'admin')
      await stage.sql`select private.note_access(seat_id, null) from member_payments where id = ${payment}::uuid`
      await stage.sql`select private.transfer('earn:' || id || ':0', private.ledger_account('held_share', seat_id),
        private.ledger_account('wallet', owner_id), 2, 'earning', seat_id, id) from member_payments where id = ${payment}::uuid`
      await stage.sql`update member_payments set earned_share = 2 where id = ${payment}::uuid`
      const [intent] = stage.intentsOf(payment)
      const warning = {
        id: `issfr_${payment}`,
        payment_intent: intent?.id,
        fraud_type: 'misc',
        actionable: true,
      }
      await stage.hears(NAMES.early, warning, 3)
      await stage.hears(NAMES.early, { ...warning, id: 'issfr_other', payment_intent: 'pi_other' })
      expect(await stage.sql`select from unknown_payment_events where about = 'issfr_other'`).toHaveLength(1)
      const told = await stage.told(ada)
      expect(told.filter((event) => event === 'payment-fraud-warned')).toHaveLength(1)
      expect(stage.refundsOf(payment)).toEqual([])
      const { guarantee: before = 0 } = await stage.books()
      const decide = (refunds: boolean) =>
        ada.sql`select decide_fraud_warning(${warning.id}, ${refunds})::float8 as back`
      expect(await decide(true)).toEqual([{ back: 5.5 }])
      expect(await refusalOf(decide(true))).toMatchObject({
        message: 'Someone already decided about this warning',
      })
      await stage.tick()
      const again = { ...warning, id: `issfr_2_${payment}` }
      await stage.hears(NAMES.early, again)
      const decideAgain = (id: string) => ada.sql`select decide_fraud_warning(${id}, true)`
      expect(await refusalOf(decideAgain(again.id))).toEqual(
        rule('This payment has been given back or is disputed, so there’s nothing to refund'),
      )
      expect(await refusalOf(decideAgain('issfr_of_nobody'))).toEqual(notFound('Warning not found'))
      await stage.sql`insert into user_roles (user_id, role) values (${mia.id}, 'admin')`
      const own = signedInWith(stage.db, mia, ['totp', 'password'])
      expect(await refusalOf(own.sql`select decide_fraud_warning(${again.id}, false)`)).toEqual(
        denied('Someone else decides about a warning of yours'),
      )
      expect(
        stage
          .refundsOf(payment)
          .map(({ amount }) => amount)
          .sort(),
      ).toEqual([200, 350])
      expect((await stage.books()).guarantee).toBe(before - 2)
      expect(await stage.sql`select status from private.seats where member_id = ${mia.id}`).toEqual([
        { status: 'ended' },
      ])
      await stage.hears(NAMES.late, { ...warning, actionable: false }, 2)
      await stage.hears(NAMES.early, warning)
      expect(
        await stage.sql`select actionable, refunded::float8 as refunded from fraud_warnings where id = ${warning.id}`,
      ).toEqual([{ actionable: false, refunded: 5.5 }])
    })

    test.each([
      ['in whole', [550, 550]],
      ['in parts that are more', [300, 400]],
    ])('that the bank takes twice, %s, takes the charge once', async (_how, amounts) => {
      const { mia, payment } = await paid()
      await moveCoins(stage.db, mia, 'earned', 10)
      const before = await stage.books()
      for (const status of ['needs_response', 'lost'])
        await Promise.all(
          amounts.map((amount, turn) => dispute(payment, status, { amount, id: `dp_${turn}_${payment}` })),
        )
      // The rest of the payment after the first dispute is refunded to the card, which Stripe refuses.
      await stage.tick()
      const rows = await disputeRows(payment)
      const parts = ['share', 'fee', 'coins', 'guarantee', 'refunds']
      const sum = rows.reduce((all, row) => parts.reduce((some, part) => some + Number(row[part]), all), 0)
      expect([rows.length, sum]).toEqual([2, 5.5])
      expect([await coinsOf(mia), (await stage.books()).guarantee]).toEqual([10, before.guarantee])
    })

    test('under way that several chargebacks overtake is left to all of them', async () => {
      const { mia, payment } = await paid()
      await cancel(mia)
      for (const [turn, amount] of [400, 150].entries())
        await dispute(payment, 'needs_response', { amount, id: `dp_${turn}_${payment}` })
      await stage.tick()
      expect(await disputeRows(payment)).toMatchObject([{ refunds: 4 }, { refunds: 1.5 }])
      expect(await money(mia, payment)).toMatchObject({ coins: 0, refunds_due: 0 })
    })

    test('that has arrived leaves nothing to take by a chargeback', async () => {
      const { mia, payment } = await paid()
      await cancel(mia)
      await stage.tick()
      await dispute(payment, 'needs_response')
      expect(await disputeRow(payment)).toMatchObject({ share: 0, fee: 0, coins: 0, guarantee: 0 })
      await stage.books()
    })

    test('that a chargeback overtakes is not paid twice: not to the bank and to the wallet', async () => {
      const { mia, payment } = await paid()
      const { outside: before = 0 } = await stage.books()
      await cancel(mia)
      await dispute(payment, 'needs_response')
      // As at Stripe, a disputed charge cannot be refunded.
      await stage.tick()
      expect(await refundRow(payment)).toEqual({ status: 'failed', amount: 5.5 })
      await dispute(payment, 'needs_response')
      const now = async () => [await coinsOf(mia), (await stage.books()).outside]
      expect(await now()).toEqual([0, Math.round(100 * (before + 5.5)) / 100])
      await dispute(payment, 'won')
      expect(await now()).toEqual([5.5, before])
    })
  })
})
