import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../../server/test/harness.ts'
import { HOSTS, type Host, openHost } from './hosts.ts'
import { type Browser, newBrowser, openPushService, type PushService } from './push-service.ts'

const [phone, laptop] = [newBrowser('phone'), newBrowser('laptop')]

describe.each(HOSTS)('the function push in %s', (name) => {
  let service: PushService
  let host: Host
  let olivia: string
  beforeAll(async () => {
    service = await openPushService([phone, laptop])
    host = await openHost(name, 'push', {
      VAPID_PRIVATE_KEY: randomBytes(32).toString('base64'),
      PUSH_URL: service.url,
    })
    service.key = (await (await host.call({ method: 'GET' })).json()).key
  })
  beforeEach(async () => {
    service.shown = []
    service.answers = {}
    await host.server.db.query('delete from auth.users')
  })
  afterAll(async () => {
    await host.close()
    await service.close()
  })
  /** Signs Olivia in with these browsers, each of which subscribes to her notifications. */
  async function subscribe(...browsers: Browser[]) {
    olivia = (await addAccount(host.server, 'olivia@potluck.example')).id
    for (const { endpoint, p256dh, auth } of browsers)
      await host.server.db.query(
        `with session as (insert into auth.sessions (user_id, amr) values ($1, '[]') returning id)
         insert into private.push_devices (session_id, user_id, endpoint, p256dh, auth)
         select id, $1, $2, $3, $4 from session`,
        [olivia, endpoint, p256dh, auth.toString('base64url')],
      )
  }
  const tell = async (title: string, message = 'Zoe would like to join “Netflix” for 5 €.') => {
    const [told] = await host.server.db.query<{ id: string }>(
      `insert into user_notifications (user_id, type, title, message) values ($1, 'info', $2, $3) returning id`,
      [olivia, title, message],
    )
    return told?.id ?? ''
  }
  const run = async () => (await host.call()).json()
  const devices = async () => {
    const rows = await host.server.db.query<{ endpoint: string }>('select endpoint from private.push_devices')
    return rows.map(({ endpoint }) => endpoint)
  }
  const passTime = () =>
    host.server.db.query('update private.outgoing_pushes set next_attempt_at = clock_timestamp()')

  test('seals a notification for each device, signs it with its key, and sends it once', async () => {
    await subscribe(phone, laptop)
    const id = await tell('New Join Request')
    expect(await run()).toEqual({ sent: 2, failed: 0 })
    expect(await run()).toEqual({ sent: 0, failed: 0 })
    const payload = {
      id,
      title: 'New Join Request',
      message: 'Zoe would like to join “Netflix” for 5 €.',
      path: `/notifications/${id}`,
      isTest: false,
    }
    expect(service.shown.map(({ device }) => device).sort()).toEqual(['laptop', 'phone'])
    for (const shown of service.shown) expect(shown.payload).toEqual(payload)
  })

  test('sends a long message as far as a device shows it', async () => {
    await subscribe(phone)
    await tell('Long', '🍲'.repeat(1000))
    expect(await run()).toEqual({ sent: 1, failed: 0 })
    expect(service.shown[0]?.payload).toMatchObject({ message: '🍲'.repeat(300) })
  })

  test.each([404, 410])('takes a device away whose push service answers %i', async (status) => {
    await subscribe(phone, laptop)
    service.answers = { phone: status }
    await tell('Hello')
    expect(await run()).toEqual({ sent: 1, failed: 1 })
    expect(await devices()).toEqual([laptop.endpoint])
  })

  test.each([503, 429, 403, 302])(
    'tries again later when it answers %i, and goes nowhere else',
    async (status) => {
      await subscribe(phone)
      service.answers = { phone: status }
      await tell('Hello')
      expect(await run()).toEqual({ sent: 0, failed: 1 })
      expect(await run()).toEqual({ sent: 0, failed: 0 })
      service.answers = {}
      await passTime()
      expect(await run()).toEqual({ sent: 1, failed: 0 })
      expect(service.shown).toHaveLength(1)
    },
  )

  test('gives up what it will never take, and a key that is none, and keeps the device', async () => {
    await subscribe(phone, laptop)
    service.answers = { phone: 413 }
    await host.server.db.query(`update private.push_devices set p256dh = $1 where endpoint = $2`, [
      `B${'_'.repeat(86)}`,
      laptop.endpoint,
    ])
    await tell('Hello')
    expect(await run()).toEqual({ sent: 0, failed: 2 })
    await passTime()
    expect(await run()).toEqual({ sent: 0, failed: 0 })
    expect(await devices()).toHaveLength(2)
  })

  test('says its key to every page, and does nothing else but by POST', async () => {
    const answer = await host.call({ method: 'GET' })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(Buffer.from((await answer.json()).key, 'base64url')).toHaveLength(65)
    expect((await host.call({ method: 'PUT' })).status).toBe(405)
  })
})

test('a notification goes out as it is written, with the key that the server made itself', async () => {
  const service = await openPushService([phone])
  const host = await openHost('our server', 'push', { PUSH_URL: service.url }, { callsFunctions: true })
  try {
    service.key = (await (await host.call({ method: 'GET' })).json()).key
    const { id, accessToken } = await addAccount(host.server, 'zoe@potluck.example')
    const subscribed = await fetch(`${host.server.url}/rest/v1/rpc/add_push_device`, {
      method: 'POST',
      headers: {
        apikey: host.server.anonKey,
        Authorization: `Bearer ${accessToken}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        p_endpoint: phone.endpoint,
        p_p256dh: phone.p256dh,
        p_auth: phone.auth.toString('base64url'),
      }),
    })
    expect(subscribed.status).toBe(204)
    await host.server.db.query(`select private.notify($1, 'info', null, 'payout-released')`, [id])
    await expect
      .poll(() => service.shown, { timeout: 60_000 })
      .toMatchObject([{ payload: { title: 'Payouts Free Again' } }])
  } finally {
    await host.close()
    await service.close()
  }
})
