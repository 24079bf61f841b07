// The function `webhooks`, with secrets that the function `vault` makes, and receivers that behave like those of the
// recipes in docs/webhooks.md. The specification's own library checks the deliveries.
import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listen } from '../../../server/test/free-port.ts'
import { addAccount } from '../../../server/test/harness.ts'
import { columnOf } from '../answers.ts'
import { HOSTS, type Host, openHost, signedInBy } from './hosts.ts'
import { type Account, asking, dump, shapesOf } from './vault-host.ts'

interface Heard {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Opens a receiver that responds with `answer` and records its requests. */
async function openReceiver() {
  const receiver = {
    heard: [] as Heard[],
    answer: (
      _one: Heard,
    ): { status: number; text?: string; headers?: Record<string, string> } | undefined => ({ status: 200 }),
    url: '',
    hangUp: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer(async (request, response) => {
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(await request.toArray()).toString(),
    }
    receiver.heard.push(one)
    const answer = receiver.answer(one)
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.text)
  })
  receiver.url = await listen(server)
  return receiver
}

describe.each(HOSTS)('the function webhooks in %s', (name) => {
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let host: Host
  let olivia: Account
  let ask: (
    service: string,
    body: unknown,
    token?: string,
  ) => Promise<{ status: number; body: Record<string, unknown> }>
  beforeAll(async () => {
    receiver = await openReceiver()
    const env = { VAULT_KEY: randomBytes(32).toString('base64'), PRIVATE_HOSTS: new URL(receiver.url).host }
    host = await openHost(name, 'webhooks', env)
    const vault = asking((init) =>
      fetch(`http://127.0.0.1:${host.server.config.port}/functions/v1/vault${init?.path}`, {
        method: 'POST',
        ...init,
      }),
    )
    olivia = await addAccount(host.server, 'olivia@potluck.example')
    ask = (service, body, token = olivia.accessToken) => vault(service, body, token)
  })
  beforeEach(async () => {
    receiver.heard = []
    receiver.answer = () => ({ status: 200 })
    await host.server.db.query('delete from private.webhooks')
    await host.server.db.query('delete from private.outgoing_mail')
  })
  afterAll(async () => {
    await host.close()
    receiver.close()
  })
  const query = (text: string, values: unknown[] = []) => host.server.db.query(text, values as string[])
  const add = async (path: string, events = ['message', 'request']) => {
    const { status, body } = await ask('make-webhook', {
      name: 'Home',
      url: `${receiver.url}${path}`,
      events,
    })
    expect([status, body]).toEqual([
      200,
      { id: expect.any(String), secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) },
    ])
    return body as { id: string; secret: string }
  }
  const tell = (event = 'request-made') =>
    query(
      `select private.notify($1, 'info', null, $2, '{"plan": "Netflix Premium", "owner": "Zoe Whole", "amount": 4.4}')`,
      [olivia.id, event],
    )
  const run = async () => (await host.call({ headers: { prefer: 'wait' } })).json()
  const verified = ({ body, headers }: Heard, secret: string) =>
    new Webhook(secret).verify(body, headers as Record<string, string>)
  const newest = async () =>
    (await query('select * from private.webhook_deliveries order by made_at desc limit 1'))[0] ?? {}

  test('signs what happened once, by the specification, and keeps what came of it', async () => {
    const { secret } = await add('/hook?key=1')
    receiver.answer = () => ({ status: 204 })
    await tell()
    expect(await run()).toEqual({ delivered: 1, failed: 0 })
    expect(await run()).toEqual({ delivered: 0, failed: 0 })
    const [one] = receiver.heard as [Heard]
    expect(one.path).toBe('/hook?key=1')
    expect(verified(one, secret)).toEqual({
      ...{ type: 'request', timestamp: expect.stringMatching(/Z$/) },
      data: {
        event: 'request-made',
        notification_id: expect.any(String),
        plan: 'Netflix Premium',
        person: 'Zoe',
        amount: '4.40',
        currency: 'EUR',
      },
    })
    expect(() => verified({ ...one, body: one.body.replace('4.40', '9.40') }, secret)).toThrow(
      'No matching signature',
    )
    expect(await newest()).toMatchObject({
      id: one.headers['webhook-id'],
      last_status: 204,
      last_error: null,
      delivered_at: expect.anything(),
      taken_at: null,
    })
  })

  test('a new secret signs beside the old one for a day, and neither it nor the address is in the database', async () => {
    const { id, secret } = await add('/hook?key=of-the-house')
    const { body } = await ask('rotate-webhook', { id })
    const next = String(body.secret)
    expect(next).not.toBe(secret)
    await tell()
    await run()
    await query(`update private.webhooks set old_until = now()`)
    await tell()
    await run()
    const [both, alone] = receiver.heard as [Heard, Heard]
    for (const one of [secret, next]) expect(verified(both, one)).toMatchObject({ type: 'request' })
    expect(verified(alone, next)).toMatchObject({ type: 'request' })
    expect(() => verified(alone, secret)).toThrow()
    const all = await dump(host.server.db)
    for (const hidden of [secret.slice(6), next.slice(6), 'key=of-the-house'].flatMap(shapesOf))
      expect(all).not.toContain(hidden)
    expect(all).toContain(new URL(receiver.url).host)
    const mails = `select event from private.outgoing_mail where recipient = 'olivia@potluck.example' and event like 'account-webhook-%' order by created_at`
    expect(await columnOf(query(mails))).toEqual(['account-webhook-added', 'account-webhook-secret'])
  })

  test('a failure is kept with the beginning of its answer, nothing is followed, and the wait asked for is kept', async () => {
    await add('/hook')
    const [waits, kept] = [
      () => query(`update private.webhook_deliveries set next_attempt_at = now()`),
      async () => {
        const { last_status: status, last_error: error, last_answer: answer } = await newest()
        return { status, error, answer }
      },
    ]
    await tell()
    receiver.answer = () => ({ status: 302, headers: { location: `${receiver.url}/elsewhere` } })
    expect(await run()).toEqual({ delivered: 0, failed: 1 })
    expect(await kept()).toEqual({ status: 302, error: 'Answered 302', answer: null })
    receiver.answer = () => ({
      status: 503,
      text: `No\0${'x'.repeat(5000)}`,
      headers: { 'retry-after': '1800' },
    })
    await waits()
    await run()
    expect(await kept()).toEqual({ status: 503, error: 'Answered 503', answer: `No${'x'.repeat(1021)}` })
    expect(
      await columnOf(
        query(`select next_attempt_at > now() + interval '29 minutes' from private.webhook_deliveries`),
      ),
    ).toEqual([true])
    receiver.answer = () => ({ status: 410 })
    await waits()
    await run()
    expect(await columnOf(query('select stopped_why from private.webhooks'))).toEqual(['gone'])
    expect(receiver.heard.map(({ path }) => path)).toEqual(['/hook', '/hook', '/hook'])
    expect(new Set(receiver.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('a receiver that does not answer keeps nobody else waiting', async () => {
    await add('/silent')
    await add('/quick')
    receiver.answer = ({ path }) => (path === '/silent' ? undefined : { status: 200 })
    for (let times = 0; times < 8; times += 1) await tell()
    // The function responds before it delivers, because the database's other calls wait for this response.
    expect((await host.call()).status).toBe(202)
    await expect
      .poll(() => receiver.heard.filter(({ path }) => path === '/quick').length, { timeout: 5000 })
      .toBe(8)
    expect(receiver.heard.filter(({ path }) => path === '/silent')).toHaveLength(3)
    await query(`delete from private.webhook_deliveries where delivered_at is null and taken_at is null`)
    receiver.hangUp()
    const outcomes =
      'select count(delivered_at)::integer as delivered, count(last_error)::integer as failed from private.webhook_deliveries'
    await expect.poll(() => query(outcomes), { timeout: 5000 }).toEqual([{ delivered: 8, failed: 3 }])
  })

  test('it is made with a proof of who asks, for an address outside', async () => {
    const late = await signedInBy(host.server, olivia.accessToken, 'password', 601)
    const wanted = { name: 'Home', url: `${receiver.url}/x`, events: ['message'] }
    expect(await ask('make-webhook', wanted, late)).toMatchObject({
      status: 403,
      body: { message: 'Confirm it’s you.' },
    })
    for (const [given, message] of [
      [{ url: 'https://127.0.0.1/x' }, 'The address is not on the public internet'],
      [{ url: 'http://example.org/x' }, 'The address must start with https://'],
      [{ url: `${receiver.url}/${'x'.repeat(1000)}` }, 'Please use up to 1000 characters'],
      [{ events: ['everything'] }, 'This value isn’t allowed'],
      [{ name: ' ' }, 'Please use 1 to 60 characters'],
    ] as const)
      expect(await ask('make-webhook', { ...wanted, ...given })).toMatchObject({
        status: 400,
        body: { code: '23514', message: expect.stringContaining(message) },
      })
    expect((await host.call({ method: 'PUT' })).status).toBe(405)
  })

  // Each of these programs documents its handling of a request (docs/webhooks.md has the links).
  test('the recipes work', async () => {
    const [ntfy, home] = [
      await add('/potluck-x7?tpl=1&t={{.data.plan}}&m={{.type}}%20from%20{{.data.person}}'),
      await add('/api/webhook/potluck-x7'),
    ]
    const n8n = await add('/webhook/potluck-x7')
    await tell()
    // ntfy responds with the topic; n8n responds with the path if no workflow listens there.
    receiver.answer = ({ path }) => ({ status: 200, text: JSON.stringify({ topic: path }) })
    expect(await run()).toEqual({ delivered: 3, failed: 0 })
    expect(JSON.stringify(await query('select last_answer from private.webhook_deliveries'))).toMatch(
      /^(?!.*potluck-x7).*topic/,
    )
    const at = (path: string) => receiver.heard.find((one) => one.path.startsWith(path)) as Heard
    for (const [path, { secret }] of [
      ['/potluck-x7', ntfy],
      ['/api/', home],
      ['/webhook/', n8n],
    ] as const)
      expect(verified(at(path), secret)).toMatchObject({ type: 'request' })

    // ntfy fills the templates in the URL with values of the body.
    const asked = new URL(at('/potluck-x7').path, receiver.url).searchParams
    const fill = (template: string | null) =>
      template?.replaceAll(
        /\{\{\.([\w.]+)\}\}/g,
        (_whole, name: string) =>
          name
            .split('.')
            .reduce<unknown>(
              (value, key) => (value as Record<string, unknown>)[key],
              JSON.parse(at('/potluck-x7').body),
            ) as string,
      )
    expect([asked.get('tpl'), fill(asked.get('t')), fill(asked.get('m'))]).toEqual([
      '1',
      'Netflix Premium',
      'request from Zoe',
    ])
    // Home Assistant passes the body to automations as trigger.json if its content type is JSON.
    expect(at('/api/').headers['content-type']).toBe('application/json')
    // Runs the code of the recipe for n8n on the raw body.
    const { headers, body } = at('/webhook/')
    const key = Buffer.from(n8n.secret.replace('whsec_', ''), 'base64')
    const expected = createHmac('sha256', key)
      .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
      .digest('base64')
    expect(String(headers['webhook-signature']).split(' ')).toContain(`v1,${expected}`)
  })
})

test('what happens goes out at once, by itself', async () => {
  const receiver = await openReceiver()
  const host = await openHost(
    'our server',
    'vault',
    { PRIVATE_HOSTS: new URL(receiver.url).host },
    { callsFunctions: true },
  )
  try {
    const { id, accessToken } = await addAccount(host.server, 'zoe@potluck.example')
    const made = await asking(host.call)(
      'make-webhook',
      { name: 'Home', url: receiver.url, events: ['request'] },
      accessToken,
    )
    expect(made.status).toBe(200)
    await host.server.db.query(`select private.notify($1, 'info', null, 'request-made')`, [id])
    await expect.poll(() => receiver.heard.length, { timeout: 60_000 }).toBe(1)
  } finally {
    await host.close()
    receiver.close()
  }
})
