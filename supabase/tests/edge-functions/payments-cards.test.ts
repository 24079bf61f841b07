// What the function `payments` does about cards and webhooks, with Stripe and in the simulation.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser, type TestUser } from '../../../server/test/harness.ts'
import { HOSTS, type Host, NEEDS_CODE, openHost, protect } from './hosts.ts'
import { openStripeDouble, type StripeDouble } from './stripe-double.ts'
import { dump } from './vault-host.ts'

const SECRET = 'whsec_of_a_test'
const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_1234567890',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1234567890',
  STRIPE_WEBHOOK_SECRET: SECRET,
}
const as = (user: TestUser, path: string, body: unknown = {}) => ({
  path,
  body: JSON.stringify(body),
  headers: { authorization: `Bearer ${user.accessToken}` },
})
const cardsOf = async ({ client }: TestUser) =>
  (await client.from('payment_methods').select('id, brand, last4, exp_month, exp_year').order('chosen_at'))
    .data ?? []

describe.each(HOSTS)('cards with Stripe in %s', (name) => {
  let stripe: StripeDouble
  let host: Host
  let mia: TestUser
  beforeAll(async () => {
    stripe = await openStripeDouble(SECRET)
    host = await openHost(name, 'payments', { ...STRIPE, STRIPE_API_URL: stripe.url })
    mia = await addUser(host.server, 'mia@potluck.example')
    await host.call({ path: '/tick' })
  })
  afterAll(async () => {
    await host.close()
    stripe.close()
  })
  const ask = async (user: TestUser, path: string, body?: unknown) => {
    const answer = await host.call(as(user, path, body))
    return (await answer.json()) as Record<string, string | null>
  }
  const save = async (user: TestUser, method: string) => {
    const { setup } = await ask(user, '/setup')
    stripe.complete(setup ?? '', method)
    return ask(user, '/cards', { setup })
  }

  test('the site learns of its provider, and nothing secret', async () => {
    const { data } = await mia.client.rpc('payment_provider')
    expect(data).toEqual({ provider: 'stripe', publishableKey: STRIPE.STRIPE_PUBLISHABLE_KEY })
  })

  test('a card is saved by its brand, last four and expiry, under one customer for good', async () => {
    expect(await save(mia, 'pm_works_1')).toEqual({ status: 'saved' })
    expect(await save(mia, 'pm_works_2')).toEqual({ status: 'saved' })
    expect(await cardsOf(mia)).toMatchObject([
      { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 },
      { brand: 'visa', last4: '4242' },
    ])
    const made = stripe.asked.filter(({ path }) => path === '/v1/customers')
    expect(made).toMatchObject([{ key: `customer:${mia.id}`, params: { 'metadata[user_id]': mia.id } }])
    const setups = stripe.asked.filter(
      ({ path, method }) => path === '/v1/checkout/sessions' && method === 'POST',
    )
    expect(setups[0]?.params).toMatchObject({
      ...{ mode: 'setup', customer: expect.stringMatching(/^cus_/) },
      success_url: `${host.server.config.siteUrl}/cards?setup={CHECKOUT_SESSION_ID}`,
    })
    expect(setups[0]?.authorization).toBe(`Bearer ${STRIPE.STRIPE_SECRET_KEY}`)
  })

  test('what somebody else has set up is not saved, and nobody does anything without a token', async () => {
    const leo = await addUser(host.server, 'leo@potluck.example')
    const { setup } = await ask(mia, '/setup')
    stripe.complete(setup ?? '', 'pm_works_3')
    expect(await ask(leo, '/cards', { setup })).toEqual({ status: 'open' })
    expect(await cardsOf(leo)).toEqual([])
    for (const accessToken of ['', 'nonsense'])
      expect((await host.call(as({ ...leo, accessToken }, '/setup'))).status).toBe(401)
  })

  test('a removed card is removed at Stripe too, also when that is out of reach at first', async () => {
    const [first] = await cardsOf(mia)
    stripe.isDown = true
    expect((await mia.client.rpc('remove_card', { p_card_id: first?.id ?? '' })).error).toBeNull()
    expect(await (await host.call({ path: '/tick' })).json()).toEqual({ done: 0, put_off: 1 })
    stripe.isDown = false
    await host.server.db.query('update private.payment_jobs set next_attempt_at = now()')
    expect(await (await host.call({ path: '/tick' })).json()).toEqual({ done: 1, put_off: 0 })
    expect(stripe.things.get('pm_works_1')?.customer).toBeNull()
    expect(await cardsOf(mia)).toHaveLength(1)
  })

  test('a webhook with a wrong or old signature, or of another environment, is refused and changes nothing', async () => {
    const method = {
      ...stripe.things.get('pm_works_2'),
      card: { brand: 'visa', last4: '1111', exp_month: 1, exp_year: 2040 },
    }
    const wrong = [{ secret: 'whsec_other' }, { age: 3_600 }, { livemode: true }]
    for (const options of wrong) {
      const webhook = await stripe.webhook('payment_method.automatically_updated', method, options)
      expect((await host.call(webhook)).status, JSON.stringify(options)).toBe(400)
    }
    const { headers, ...unsigned } = await stripe.webhook('payment_method.automatically_updated', method)
    expect((await host.call(unsigned)).status).toBe(400)
    expect((await host.call({ ...unsigned, headers, body: `${unsigned.body} ` })).status).toBe(400)
    expect(await cardsOf(mia)).toMatchObject([{ last4: '4242' }])
    const right = await stripe.webhook('payment_method.automatically_updated', method)
    expect((await host.call(right)).status).toBe(200)
    expect(await cardsOf(mia)).toMatchObject([{ last4: '1111', exp_year: 2040 }])
  })

  test('a card saved while the page was closed comes by webhook, and one removed at Stripe goes', async () => {
    const { setup } = await ask(mia, '/setup')
    stripe.complete(setup ?? '', 'pm_works_4')
    const setups = await stripe.webhook(
      'setup_intent.succeeded',
      stripe.things.get(stripe.things.get(setup ?? '')?.setup_intent ?? '') ?? {},
    )
    for (let times = 0; times < 3; times += 1) expect((await host.call(setups)).status).toBe(200)
    expect(await cardsOf(mia)).toHaveLength(2)
    const gone = await stripe.webhook('payment_method.detached', {
      ...stripe.things.get('pm_works_4'),
      customer: null,
    })
    expect((await host.call(gone)).status).toBe(200)
    expect(await cardsOf(mia)).toHaveLength(1)
  })

  test('a password alone opens nothing here once there is an authenticator app; a passkey does', async () => {
    const paula = await addUser(host.server, 'paula@potluck.example')
    const accessToken = await protect(host.server, paula)
    const before = stripe.asked.length
    for (const path of ['/setup', '/cards', '/pay', '/check'])
      expect(await ask(paula, path, { payment: randomUUID() })).toMatchObject(NEEDS_CODE)
    expect(stripe.asked).toHaveLength(before)
    expect(await ask({ ...paula, accessToken }, '/setup')).toMatchObject({ setup: expect.any(String) })
  })

  test('neither the keys of Stripe nor the number of a card is kept or logged, also when somebody sends one', async () => {
    const form = { number: '4242424242424242', expMonth: 4, expYear: 2031 }
    expect(await ask(mia, '/simulated/card', form)).toEqual({ status: 'failed', code: 'not_simulated' })
    const everything = [await dump(host.server.db), ...host.server.logged].join('\n')
    expect(everything).toContain('pm_works_2')
    for (const secret of [STRIPE.STRIPE_SECRET_KEY, SECRET, form.number])
      expect(everything).not.toContain(secret)
  })

  test('however often it is called, the queue is read once a second', async () => {
    await host.server.db.query('create table reads (at timestamptz default clock_timestamp())')
    await host.server.db.query('grant all on reads to service_role')
    await host.server.db.query(`create or replace function public.report_payment_provider(
      p_provider text, p_mode text, p_publishable_key text
    ) returns void language sql as 'insert into reads default values'`)
    const started = Date.now()
    const answers = await Promise.all(Array.from({ length: 100 }, () => host.call({ path: '/tick' })))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    const reads = await host.server.db.query('select from reads')
    expect(reads.length).toBeGreaterThan(0)
    expect(reads.length).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - started) / 1_000))
  })
})

describe.each(HOSTS)('cards in the simulation in %s', (name) => {
  let host: Host
  let mia: TestUser
  beforeAll(async () => {
    host = await openHost(name, 'payments', {}, { sheltered: true })
    mia = await addUser(host.server, 'mia@potluck.example')
    await host.call({ path: '/tick' })
  })
  afterAll(() => host.close())
  const enter = async (number: string) => {
    const answer = await host.call(as(mia, '/simulated/card', { number, expMonth: 4, expYear: 2031 }))
    return (await answer.json()) as { status: string; code: string | null; redirectUrl: string | null }
  }

  test('test cards are saved, declined or ask first; any other number is refused, and none is kept', async () => {
    expect(await enter('4242 4242 4242 4242')).toMatchObject({ status: 'succeeded' })
    expect(await enter('4000000000000002')).toMatchObject({ status: 'failed', code: 'card_declined' })
    expect(await enter('4111111111111111')).toMatchObject({ status: 'failed', code: 'not_a_test_card' })
    const { redirectUrl, ...asking } = await enter('4000002500003155')
    expect(asking).toMatchObject({ status: 'needs-action' })
    expect(await cardsOf(mia)).toHaveLength(1)
    const id = new URL(redirectUrl ?? '', 'http://x').searchParams.get('id')
    const stranger = await addUser(host.server, 'leo@potluck.example')
    await host.call(as(stranger, '/simulated/answer', { id, agrees: true }))
    expect(await cardsOf(mia)).toHaveLength(1)
    await host.call(as(mia, '/simulated/answer', { id, agrees: true }))
    expect(await cardsOf(mia)).toMatchObject([{ last4: '4242' }, { last4: '3155' }])
    const everything = [await dump(host.server.db), ...host.server.logged].join('\n')
    expect(everything).toContain('3155')
    expect(everything).not.toMatch(
      /4242 ?4242 ?4242 ?4242|4000000000000002|4111111111111111|4000002500003155/,
    )
  })
})

describe.each(HOSTS)('where others can reach the server, in %s', (name) => {
  test('nothing is simulated, even if the function is told to', async () => {
    const host = await openHost(name, 'payments', {}, { sheltered: false })
    const mia = await addUser(host.server, 'mia@potluck.example')
    expect((await host.call({ path: '/tick' })).status).toBe(403)
    expect(
      (
        await host.call(
          as(mia, '/simulated/card', { number: '4242424242424242', expMonth: 1, expYear: 2031 }),
        )
      ).ok,
    ).toBe(false)
    expect((await mia.client.rpc('payment_provider')).data).toBeNull()
    expect(await cardsOf(mia)).toEqual([])
    await host.close()
  })
})
