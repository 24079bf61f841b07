// A Wallos on the internet is read for people who are signed in; one in the operator's own network is not.
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../../server/test/free-port.ts'
import { addAccount } from '../../../server/test/harness.ts'
import { statements } from '../people.ts'
import { HOSTS, type Host, openHost } from './hosts.ts'

describe.each(HOSTS)('the function import in %s', (name) => {
  let host: Host
  let wallos: Server
  let address = ''
  const asked: string[] = []
  let answer = '{"success":true}'
  beforeAll(async () => {
    wallos = createServer(async (request, response) => {
      asked.push(`${request.method} ${request.url} ${Buffer.concat(await request.toArray()).toString()}`)
      response.end(answer)
    })
    address = (await listen(wallos)).replace('127.0.0.1', 'localhost')
    const secrets = { OUTBOX: 'off', SMTP_URL: 'smtp://127.0.0.1:9', PRIVATE_HOSTS: new URL(address).host }
    host = await openHost(name, 'import', secrets)
  })
  afterAll(async () => {
    wallos.close()
    await host.close()
  })
  const read = async (body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await host.call({ path: '/wallos', headers, body: JSON.stringify(body) })
    return { status: response.status, body: await response.json() }
  }

  test('passes both answers on, and nothing to addresses that are no business of its', async () => {
    const { accessToken, id } = await addAccount(host.server, 'olivia@potluck.example')
    expect(
      await read({ address: `${address}/home/index.php?theme=dark#`, key: 'secret' }, accessToken),
    ).toEqual({
      status: 200,
      body: [answer, answer],
    })
    expect(asked.sort()).toEqual(
      ['currencies/get_currencies', 'subscriptions/get_subscriptions'].map(
        (path) => `POST /home/api/${path}.php api_key=secret`,
      ),
    )
    for (const elsewhere of [
      'https://192.168.1.10',
      'https://localhost:9',
      `${address.replace('localhost', '127.0.0.1')}`,
      'nonsense',
      `${address}${'/'.repeat(20_000)}home`,
    ])
      expect(await read({ address: elsewhere, key: 'secret' }, accessToken)).toMatchObject({
        status: 400,
        body: { code: '23514' },
      })
    expect(await read({ address }, accessToken)).toMatchObject({
      status: 400,
      body: { message: 'Please enter the address and the API key of your Wallos', hint: 'wallos_missing' },
    })
    answer = 'x'.repeat(2_000_001)
    expect(await read({ address, key: 'secret' }, accessToken)).toMatchObject({
      status: 502,
      body: { message: 'Wallos did not answer: it says more than 2 MB' },
    })
    const calls = asked.length
    expect(await read({ address, key: 'secret' })).toMatchObject({ body: { code: '42501' } })
    await statements(host.server.db)
      .sql`update private.rate_limit_usage set used_at = array_fill(now(), array[10])
      where user_id = ${id} and action = 'import reading'`
    expect(await read({ address, key: 'secret' }, accessToken)).toMatchObject({ status: 429 })
    expect(asked).toHaveLength(calls)
  })
})
