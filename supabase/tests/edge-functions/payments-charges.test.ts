// A period is charged once, whatever is repeated, lost, late or out of order.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import { HOSTS } from './hosts.ts'
import { openStage, type Stage } from './payment-stage.ts'

describe.each(HOSTS)('charges with Stripe in %s', (name) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(name)
  })
  afterAll(() => stage.close())

  test('an approval charges the saved card: cents, customer, what it is for, a key for each attempt', async () => {
    const mia = await stage.guest()
    const before = stage.stripe.asked.length
    const payment = await stage.seat(mia)
    expect(await stage.payment(payment)).toEqual({ status: 'paid', coins: 0, card: 5.5, returned: false })
    const asked = stage.stripe.asked.slice(before).filter(({ method }) => method === 'POST')
    const [customer] = await stage.sql<{
      reference: string
    }>`select reference from private.payment_customers where user_id = ${mia.id}`
    expect(asked).toMatchObject([
      {
        path: '/v1/payment_intents',
        key: `payment:${payment}:1`,
        params: {
          ...{
            amount: '550',
            currency: 'eur',
            customer: customer?.reference,
            'metadata[payment_id]': payment,
          },
          'allowed_payment_method_types[0]': 'card',
        },
      },
      {
        path: expect.stringMatching(/^\/v1\/payment_intents\/pi_\w+\/confirm$/),
        key: `confirm:${payment}:1`,
        params: { off_session: 'true', payment_method: expect.stringMatching(/^pm_works_/) },
      },
    ])
    expect(await stage.books()).toMatchObject({ held_share: 5, held_fee: 0.5, outside: -5.19, costs: -0.31 })
    expect(await stage.toldOf(mia)).toContain('payment-made')
    expect(await stage.toldOf(mia.owner)).toContain('member-paid')
  })

  test('a declined card keeps the place, and another one is charged under the same id', async () => {
    const mia = await stage.guest({ card: 'declined' })
    const payment = await stage.seat(mia)
    expect(await stage.payment(payment)).toMatchObject({ status: 'failed', card: 0 })
    expect((await mia.client.rpc('own_charge', { p_payment_id: payment })).data).toMatchObject({
      ...{ status: 'failed', code: 'generic_decline' },
    })
    expect(await stage.toldOf(mia)).toContain('payment-failed')
    const { setup } = await stage.ask(mia, '/setup')
    stage.stripe.complete(setup ?? '', `pm_works_${payment}`)
    await stage.ask(mia, '/cards', { setup })
    expect(await stage.ask(mia, '/pay', { payment })).toMatchObject({ status: 'succeeded' })
    expect(await stage.payment(payment)).toMatchObject({ status: 'paid', card: 5.5 })
    expect(stage.intents().filter(({ metadata }) => metadata?.payment_id === payment)).toHaveLength(1)
    expect((await stage.ask(mia, '/pay', { payment })).message).toBe('There is nothing to pay here')
  })

  test('a card that asks its holder leads to the bank, comes back to the payment, and is then paid', async () => {
    const mia = await stage.guest({ card: 'asks' })
    const payment = await stage.seat(mia)
    expect(await stage.payment(payment)).toMatchObject({ status: 'needs-action' })
    const { status, redirectUrl } = await stage.ask(mia, '/pay', { payment })
    expect(status).toBe('needs-action')
    const intent = redirectUrl?.split('/').at(-1) ?? ''
    expect(stage.stripe.asked.at(-1)?.params.return_url).toMatch(new RegExp(`/pay/${payment}\\?back=1$`))
    expect(await stage.ask(mia, '/check', { payment })).toMatchObject({ status: 'needs-action' })
    stage.stripe.confirmAtBank(intent)
    expect(await stage.ask(mia, '/check', { payment })).toMatchObject({ status: 'succeeded' })
    expect(await stage.payment(payment)).toMatchObject({ status: 'paid' })
  })

  test.each([
    ['refuses', '/confirm'],
    ['does it, then breaks', '/confirm'],
    ['does it, then hangs up', '/confirm'],
    ['does it, then breaks', '/v1/payment_intents'],
    ['does it, then hangs up', '/v1/payment_intents'],
  ] as const)('Stripe %s at %s and forgets every key: one charge', async (does, at) => {
    const mia = await stage.guest()
    // Deno's own fetch asks once more where the connection breaks.
    stage.stripe.troubles.push({ at, does, times: 2 })
    const payment = await stage.seat(mia)
    expect(await stage.payment(payment)).toMatchObject({ status: 'charging' })
    stage.stripe.troubles.length = 0
    stage.stripe.forgetKeys()
    await stage.hurry()
    await stage.tick()
    expect(await stage.payment(payment)).toMatchObject({ status: 'paid', card: 5.5 })
    expect(stage.intents().filter(({ metadata }) => metadata?.payment_id === payment)).toHaveLength(1)
    await stage.books()
  })

  test('Stripe out of reach for an hour loses no payment and charges nobody twice', async () => {
    const guests = [await stage.guest(), await stage.guest(), await stage.guest()]
    stage.stripe.isDown = true
    const payments = []
    for (const guest of guests) payments.push(await stage.seat(guest))
    for (let minute = 0; minute < 6; minute += 1) {
      await stage.hurry()
      expect(await stage.tick()).toEqual({ done: 0, put_off: 3 })
    }
    stage.stripe.isDown = false
    await stage.hurry()
    expect(await stage.tick()).toEqual({ done: 3, put_off: 0 })
    for (const payment of payments) {
      expect(await stage.payment(payment)).toMatchObject({ status: 'paid' })
      expect(stage.stripe.charged().filter(({ metadata }) => metadata?.payment_id === payment)).toHaveLength(
        1,
      )
    }
  })

  test('Stripe so slow that others ask meanwhile: one charge', async () => {
    const mia = await stage.guest()
    stage.stripe.troubles.push({ at: '/confirm', does: 'does it late', times: 1 })
    await mia.owner.sql`select approve_subscription_request(${mia.request}, ${mia.plan})`
    const payment = await stage.paymentOf(mia)
    const slow = stage.tick()
    await eventually(async () => expect(await stage.payment(payment)).toMatchObject({ status: 'charging' }))
    expect((await stage.ask(mia, '/pay', { payment })).status).toBe('processing')
    await slow
    expect(await stage.payment(payment)).toMatchObject({ status: 'paid', card: 5.5 })
    const confirmed = stage.stripe.asked.filter(({ key }) => key?.startsWith(`confirm:${payment}`))
    expect(confirmed).toHaveLength(1)
  })

  test('a worker that never comes back, and two at once: one charge', async () => {
    const mia = await stage.guest()
    await mia.owner.sql`select approve_subscription_request(${mia.request}, ${mia.plan})`
    const [taken] = await stage.sql<{ jobs: unknown[] }>`select take_payment_jobs('stripe', 10) as jobs`
    expect(taken?.jobs).toHaveLength(1)
    expect(await stage.tick()).toEqual({ done: 0, put_off: 0 })
    await stage.hurry()
    const payment = await stage.paymentOf(mia)
    await Promise.all([
      ...Array.from({ length: 5 }, () => stage.tick()),
      ...Array.from({ length: 5 }, () => stage.ask(mia, '/pay', { payment })),
    ])
    expect(await stage.payment(payment)).toMatchObject({ status: 'paid', card: 5.5 })
    expect(stage.stripe.charged().filter(({ metadata }) => metadata?.payment_id === payment)).toHaveLength(1)
    await stage.books()
  })

  test('one webhook 50 times at once, among older ones: one payment', async () => {
    const mia = await stage.guest({ card: 'asks' })
    const payment = await stage.seat(mia)
    const { redirectUrl } = await stage.ask(mia, '/pay', { payment })
    const intent = redirectUrl?.split('/').at(-1) ?? ''
    const failed = { ...stage.stripe.things.get(intent), status: 'requires_payment_method' }
    const paid = stage.stripe.confirmAtBank(intent)
    const webhooks = await Promise.all([
      ...Array.from({ length: 50 }, () => stage.stripe.webhook('payment_intent.succeeded', paid)),
      ...Array.from({ length: 10 }, () => stage.stripe.webhook('payment_intent.payment_failed', failed)),
    ])
    const order = webhooks
      .map((webhook, index) => ({ webhook, at: (index * 7) % webhooks.length }))
      .sort((a, b) => a.at - b.at)
    const answers = await Promise.all(order.map(({ webhook }) => stage.host.call(webhook)))
    expect(answers.map(({ status }) => status)).toEqual(webhooks.map(() => 200))
    expect(await stage.payment(payment)).toMatchObject({ status: 'paid', card: 5.5 })
    const [{ moved } = { moved: null }] =
      await stage.sql`select sum(amount)::float8 as moved from private.ledger_transfers
      where period_id = ${payment}::uuid and kind = 'payment'`
    expect(moved).toBe(5.5)
    await stage.books()
  })

  test.each([
    ['charged, though nobody heard of it', 'works', 'succeeded'],
    ['waiting for the bank', 'asks', 'canceled'],
  ] as const)('a member leaves while the charge is %s: nothing stays with us', async (_what, card, ends) => {
    const mia = await stage.guest({ card })
    stage.stripe.troubles.push({ at: '/confirm', does: 'does it, then hangs up', times: 1 })
    const payment = await stage.seat(mia)
    if (card === 'asks') await stage.ask(mia, '/pay', { payment })
    const leaving = { subscription_id: mia.plan, user_id: mia.id }
    expect((await mia.client.from('subscription_members').delete().match(leaving)).error).toBeNull()
    stage.stripe.forgetKeys()
    for (const _again of [1, 2]) {
      await stage.hurry()
      await stage.tick()
    }
    const [intent] = stage.intents().filter(({ metadata }) => metadata?.payment_id === payment)
    expect(intent?.status).toBe(ends)
    const refunded = [...stage.stripe.things.values()].filter(
      ({ id, payment_intent }) => id.startsWith('re_') && payment_intent === intent?.id,
    )
    expect(refunded.map(({ amount }) => amount)).toEqual(ends === 'succeeded' ? [550] : [])
    expect((await stage.books()).refunds_due ?? 0).toBe(0)
    expect(await stage.sql`select * from private.payment_jobs where about = ${payment}`).toEqual([])
  })

  test('what is charged elsewhere is kept aside for staff', async () => {
    const foreign = stage.stripe.make('payment_intent', 'pi', { status: 'succeeded', metadata: {} })
    const webhook = await stage.stripe.webhook('payment_intent.succeeded', foreign)
    for (let times = 0; times < 2; times += 1) expect((await stage.host.call(webhook)).status).toBe(200)
    expect(await stage.sql`select type, about from unknown_payment_events`).toEqual([
      { type: 'payment_intent.succeeded', about: foreign.id },
    ])
  })

  test('coins first: never a rest below 0.50, taken when charging begins, back when it fails', async () => {
    const rich = await stage.guest({ coinsFirst: true, coins: 20, card: '' })
    expect(await stage.payment(await stage.seat(rich))).toMatchObject({ status: 'paid', coins: 5.5, card: 0 })
    const some = await stage.guest({ coinsFirst: true, coins: 25.2 })
    await stage.sql`insert into withdrawal_requests (user_id, amount) values (${some.id}, 20)`
    expect(await stage.payment(await stage.seat(some))).toMatchObject({ status: 'paid', coins: 5, card: 0.5 })
    const poor = await stage.guest({ coinsFirst: true, coins: 2, card: 'declined' })
    expect(await stage.payment(await stage.seat(poor))).toMatchObject({ status: 'failed', coins: 0 })
    const movements = await stage.sql`select transaction_type, amount::float8 as amount from coin_transactions
      where user_id = ${poor.id} order by created_at`
    expect(movements.slice(1)).toEqual([
      { transaction_type: 'spent', amount: 2 },
      { transaction_type: 'refunded', amount: 2 },
    ])
    await stage.books()
  })

  test('nobody pays for somebody else, or with their card', async () => {
    const [mia, leo] = [await stage.guest({ card: 'declined' }), await stage.guest()]
    const payment = await stage.seat(mia)
    expect(await stage.ask(leo, '/pay', { payment })).toMatchObject({ message: 'Payment not found' })
    const card = (await leo.client.from('payment_methods').select('id').single()).data?.id
    expect(await stage.ask(mia, '/pay', { payment, card })).toMatchObject({
      message: 'This card is not saved here',
    })
    expect((await leo.client.rpc('own_charge', { p_payment_id: payment })).data).toBeNull()
  })
})
