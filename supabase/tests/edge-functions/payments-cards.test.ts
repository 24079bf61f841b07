// Tests the function `payments`: cards and webhooks with Stripe, and cards in the simulation.
// Proves PAY 03 04 15 19, SAFE 02, CLOCK 03
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser, type TestUser } from '../../../server/test/harness.ts'
import { HOSTS, type Host, NEEDS_CODE, openHost, protect } from './hosts.ts'
import { as, cardsOf, KEYS, openStage, type Stage } from './payment-stage.ts'
import { dump } from './vault-host.ts'

describe.each(HOSTS)('cards with Stripe in %s', (name) => {
  let stage: Stage
  let mia: TestUser
  beforeAll(async () => {
    stage = await openStage(name)
    mia = await stage.user('mia')
  })
  afterAll(() => stage.close())

  test('a card is saved by its brand, last four and expiry, under one customer for good', async () => {
    const { stripe } = stage
    expect((await mia.client.rpc('payment_provider')).data).toEqual({
      ...{ provider: 'stripe', publishableKey: KEYS.STRIPE_PUBLISHABLE_KEY, paysMe: true, isOpen: true },
      methods: ['card', 'link'],
    })
    for (const method of ['pm_works_1', 'pm_works_2'])
      expect(await stage.saveCard(mia, method)).toEqual({ status: 'saved' })
    expect(await cardsOf(mia)).toMatchObject([
      { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 },
      { brand: 'visa', last4: '4242' },
    ])
    const posted = (to: string) => stripe.asked.filter(({ path, method }) => path === to && method === 'POST')
    expect(posted('/v1/customers')).toMatchObject([
      { key: `customer:${mia.id}`, params: { 'metadata[user_id]': mia.id } },
    ])
    expect(posted('/v1/setup_intents')[0]).toMatchObject({
      authorization: `Bearer ${KEYS.STRIPE_SECRET_KEY}`,
      params: {
        ...{ usage: 'off_session', customer: expect.stringMatching(/^cus_/) },
        ...{ 'allowed_payment_method_types[0]': 'card', 'allowed_payment_method_types[1]': 'link' },
      },
    })
  })

  test('what somebody else has set up is not saved, and nobody does anything without a token', async () => {
    const leo = await stage.user('leo')
    expect(await stage.saveCard(mia, 'pm_works_3', leo)).toEqual({ status: 'open' })
    expect(await cardsOf(leo)).toEqual([])
    // The id of a setup comes from people, so the setup may not exist.
    for (const setup of ['seti_unknown', '', '../customers', 7])
      expect(await stage.ask(leo, '/cards', { setup })).toEqual({ status: 'open' })
    for (const accessToken of ['', 'nonsense'])
      expect((await stage.host.call(as({ accessToken }, '/setup'))).status).toBe(401)
  })

  test('a removed card is removed at Stripe too, also when that is out of reach at first', async () => {
    const [first] = await cardsOf(mia)
    stage.stripe.isDown = true
    await mia.client.rpc('remove_card', { p_card_id: first?.id ?? '' }).throwOnError()
    expect(await stage.tick()).toEqual({ done: 0, put_off: 1 })
    stage.stripe.isDown = false
    expect(await stage.hurry()).toEqual({ done: 1, put_off: 0 })
    expect(stage.stripe.things.get('pm_works_1')?.customer).toBeNull()
    expect(await cardsOf(mia)).toHaveLength(1)
  })

  test('a webhook with a wrong signature, one too old or from the future, or of another environment, is refused and changes nothing', async () => {
    const { stripe, host } = stage
    const card = { brand: 'visa', last4: '1111', exp_month: 1, exp_year: 2040 }
    const said = (options?: object) =>
      stripe.webhook(
        'payment_method.automatically_updated',
        { ...stripe.things.get('pm_works_2'), card },
        options,
      )
    const { headers, ...unsigned } = await said()
    for (const webhook of [
      ...(await Promise.all(
        [{ secret: 'whsec_other' }, { age: 3_600 }, { age: -600 }, { livemode: true }].map(said),
      )),
      ...[unsigned, { ...unsigned, headers, body: `${unsigned.body} ` }],
    ])
      expect((await host.call(webhook)).status).toBe(400)
    expect(await cardsOf(mia)).toMatchObject([{ last4: '4242' }])
    expect((await host.call(await said({ account: 'acct_foreign' }))).status).toBe(200)
    expect(await cardsOf(mia)).toMatchObject([{ last4: '4242' }])
    expect((await host.call(await said())).status).toBe(200)
    expect(await cardsOf(mia)).toMatchObject([{ last4: '1111', exp_year: 2040 }])
  })

  test('a card saved while the page was closed comes by webhook, and one removed at Stripe goes', async () => {
    const { stripe } = stage
    const { setup } = await stage.ask(mia, '/setup')
    stripe.complete(setup ?? '', 'pm_works_4')
    const intent = stripe.things.get(setup ?? '')
    await stage.hears('setup_intent.succeeded', intent ?? {}, 3)
    expect(await cardsOf(mia)).toHaveLength(2)
    await stage.hears('payment_method.detached', { ...stripe.things.get('pm_works_4'), customer: null })
    expect(await cardsOf(mia)).toHaveLength(1)
  })

  test.each([
    ['deleted', (id: string) => stage.stripe.things.set(id, { id, object: 'customer', deleted: true })],
    ['unknown', (id: string) => stage.stripe.things.delete(id)],
  ])(
    'a customer that is %s at Stripe makes way for a new one, and takes its cards along',
    async (_how, go) => {
      const tom = await stage.user('tom')
      const customer = async () => {
        const [one] = await stage.sql<{
          reference: string
        }>`select reference from private.payment_customers where user_id = ${tom.id}`
        return one?.reference ?? ''
      }
      await stage.saveCard(tom, `pm_works_${tom.id}`)
      const before = await customer()
      go(before)
      expect(await stage.saveCard(tom, `pm_works_again_${tom.id}`)).toEqual({ status: 'saved' })
      expect(await customer()).not.toBe(before)
      expect(await cardsOf(tom)).toHaveLength(1)
      expect(await stage.hurry()).toMatchObject({ put_off: 0 })
    },
  )

  test('a password alone opens nothing here once there is an authenticator app; a passkey does', async () => {
    const paula = await stage.user('paula')
    const accessToken = await protect(stage.host.server, paula)
    const before = stage.stripe.asked.length
    for (const path of ['/setup', '/cards', '/pay', '/check'])
      expect(await stage.ask(paula, path, { payment: randomUUID() })).toMatchObject(NEEDS_CODE)
    expect(stage.stripe.asked).toHaveLength(before)
    expect(await stage.ask({ ...paula, accessToken }, '/setup')).toMatchObject({ setup: expect.any(String) })
  })

  test('neither the keys of Stripe nor the number of a card is kept or logged, also when somebody sends one', async () => {
    const form = { number: '4242424242424242', expMonth: 4, expYear: 2031 }
    expect(await stage.ask(mia, '/simulated/card', form)).toEqual({ status: 'failed', code: 'not_simulated' })
    const everything = [await dump(stage.db), ...stage.host.server.logged].join('\n')
    expect(everything).toContain('pm_works_2')
    for (const secret of [KEYS.STRIPE_SECRET_KEY, KEYS.STRIPE_WEBHOOK_SECRET, form.number])
      expect(everything).not.toContain(secret)
  })

  test('however often it is called, the queue is read once a second', async () => {
    await stage.db.query('create table reads (at timestamptz default clock_timestamp())')
    await stage.db.query('grant all on reads to service_role')
    await stage.db.query(`create or replace function public.report_payment_provider(
      p_provider text, p_mode text, p_publishable_key text, p_connect boolean default false, p_methods text[] default null,
      p_creditor text default null
    ) returns boolean language sql as 'insert into reads default values returning true'`)
    const started = Date.now()
    const answers = await Promise.all(Array.from({ length: 100 }, () => stage.host.call({ path: '/tick' })))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    const reads = await stage.db.query('select from reads')
    expect(reads.length).toBeGreaterThan(0)
    expect(reads.length).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - started) / 1_000))
  })
})

describe.each(HOSTS)('cards in the simulation in %s', (name) => {
  let host: Host
  let mia: TestUser
  async function open(sheltered: boolean) {
    host = await openHost(name, 'payments', {}, { sheltered })
    mia = await addUser(host.server, 'mia@potluck.example')
    return (await host.call({ path: '/tick' })).status
  }
  const call = (number: string) =>
    host.call(as(mia, '/simulated/card', { number, expMonth: 4, expYear: 2031 }))
  const enter = async (number: string) =>
    (await (await call(number)).json()) as { status: string; code: string | null; redirectUrl: string | null }
  const answer = (user: TestUser, id: string | null) =>
    host.call(as(user, '/simulated/answer', { id, agrees: true }))

  test('test cards are saved, declined or ask first; any other number is refused, and none is kept', async () => {
    await open(true)
    expect(await enter('4242 4242 4242 4242')).toMatchObject({ status: 'succeeded' })
    expect(await enter('4000000000000002')).toMatchObject({ status: 'failed', code: 'card_declined' })
    expect(await enter('4111111111111111')).toMatchObject({ status: 'failed', code: 'not_a_test_card' })
    const { redirectUrl, status } = await enter('4000002500003155')
    expect(status).toBe('needs-action')
    const id = new URL(redirectUrl ?? '', 'http://x').searchParams.get('id')
    await answer(await addUser(host.server, 'leo@potluck.example'), id)
    expect(await cardsOf(mia)).toHaveLength(1)
    await answer(mia, id)
    expect(await cardsOf(mia)).toMatchObject([{ last4: '4242' }, { last4: '3155' }])
    const everything = [await dump(host.server.db), ...host.server.logged].join('\n')
    expect(everything).toContain('3155')
    expect(everything).not.toMatch(
      /4242 ?4242 ?4242 ?4242|4000000000000002|4111111111111111|4000002500003155/,
    )
    await host.close()
  })

  test('where others can reach the server nothing is simulated, even if the function is told to', async () => {
    expect(await open(false)).toBe(403)
    expect((await call('4242424242424242')).ok).toBe(false)
    expect((await mia.client.rpc('payment_provider')).data).toBeNull()
    expect(await cardsOf(mia)).toEqual([])
    await host.close()
  })
})
