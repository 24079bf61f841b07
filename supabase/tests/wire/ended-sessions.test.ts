// A token is valid for an hour, even for a thief. So the database checks on each request whether the token's session is
// still open.
// Proves SAFE 02
import { afterAll, describe, expect, test } from 'vitest'
import { openSocket } from '../../../server/test/fixtures/realtime.ts'
import { addUser, newClient, type TestUser, testServer } from '../../../server/test/harness.ts'
import { exposedObjects } from '../authorization/objects.ts'
import { NEEDS_CODE } from '../edge-functions/hosts.ts'

const server = await testServer()
const { db } = server

/** Returns requests to read and to write every table in each way, and to call every function, from the catalogue. */
async function everyRequest(): Promise<[method: string, path: string, body?: object][]> {
  const { relations } = await exposedObjects(db)
  const calls = await db.query<{ name: string; args: Record<string, null> }>(
    `select proname as name, coalesce((select json_object_agg(arg, null) from
       unnest(proargnames[1:pronargs]) as arg), '{}') as args
     from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
  )
  return [
    ...relations.flatMap(({ name, columns: [column = ''] }): [string, string, object?][] => [
      ['GET', `/${name}?limit=1`],
      ['POST', `/${name}`, {}],
      ['PATCH', `/${name}?${column}=not.is.null`, { [column]: null }],
      ['DELETE', `/${name}?${column}=not.is.null`],
    ]),
    ...calls.map(({ name, args }): [string, string, object] => ['POST', `/rpc/${name}`, args]),
  ]
}
const every = await everyRequest()
// One function checks all requests, so one request of each kind is enough to show what ends a session.
const some = every.filter(([, path]) => /^\/(user_wallets\b|rpc\/get_bank_account$)/.test(path))
const named = (requests: typeof every) => requests.map(([method, path]) => `${method} ${path}`)

const ENDED = { code: 'PT401', message: 'Your session has ended. Please sign in again.' }

/** Returns the requests that are refused for this reason. */
async function refused(token: string, requests = some, reason = ENDED): Promise<string[]> {
  const found: typeof every = []
  for (const [method, path, body] of requests) {
    const answer = await fetch(`${server.url}/rest/v1${path}`, {
      method,
      headers: {
        ...{ apikey: server.anonKey, Authorization: `Bearer ${token}` },
        'Content-Type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { code, message } = JSON.parse((await answer.text()) || 'null') ?? {}
    if (code === reason.code && message === reason.message) found.push([method, path])
  }
  return named(found)
}

const sql = (text: string) => (person: TestUser) => db.query(text, [person.id])
/** Returns the token with some of its claims replaced. */
const claiming = (token: string, claims: object) => {
  const own = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return server.tokens.sign({ ...own, ...claims }, 60)
}
// Supabase counts a passkey as aal1, although it is stronger than a password.
const MORE_THAN_A_PASSWORD = [{ aal: 'aal2' }, { amr: [{ method: 'passkey', timestamp: 1 }] }]
const enrol = ({ id }: Pick<TestUser, 'id'>, status: string) =>
  db.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
     values (gen_random_uuid(), $1, $2, 'totp', $2)`,
    [id, status],
  )

describe('a token opens nothing, to read, write or call,', () => {
  test.each<[string, (person: TestUser) => PromiseLike<unknown>]>([
    ['once its person has signed out everywhere', ({ client }) => client.auth.signOut({ scope: 'global' })],
    ['once its session is over', sql(`update auth.sessions set not_after = now() where user_id = $1`)],
    [
      'while its person is banned',
      sql(`update auth.users set banned_until = now() + interval '1 day' where id = $1`),
    ],
    ['once its account is marked as deleted', sql('update auth.users set deleted_at = now() where id = $1')],
    ['once its account is gone', ({ client }) => client.rpc('delete_own_account').throwOnError()],
  ])('%s', async (how, end) => {
    const person = await addUser(server, `${how.replaceAll(' ', '-')}@potluck.example`)
    await end(person)
    expect(await refused(person.accessToken)).toEqual(named(some))
  })

  test('whatever is asked for', async () => {
    const zoe = await addUser(server, 'zoe@potluck.example')
    const ofNoSession = await server.tokens.sign({ sub: zoe.id, role: 'authenticated' }, 60)
    expect(await refused(ofNoSession, every)).toEqual(named(every))
  })

  test('while its person has shown a password alone, and has an authenticator app', async () => {
    const omar = await addUser(server, 'omar@potluck.example')
    await enrol(omar, 'unverified')
    expect(await refused(omar.accessToken, some, NEEDS_CODE)).toEqual([])
    await enrol(omar, 'verified')
    expect(await refused(omar.accessToken, some, NEEDS_CODE)).toEqual(named(some))
    for (const shown of MORE_THAN_A_PASSWORD)
      expect(await refused(await claiming(omar.accessToken, shown), some, NEEDS_CODE)).toEqual([])
  })
})

test('a session that lives, a ban that is over, visitors and the server itself are let in', async () => {
  const nina = await addUser(server, 'nina@potluck.example')
  await sql('update auth.users set banned_until = now() where id = $1')(nina)
  await sql(`update auth.sessions set not_after = now() + interval '1 day' where user_id = $1`)(nina)
  const own = await nina.client.from('user_profiles').select('display_name').eq('user_id', nina.id)
  expect(own.error).toBeNull()
  for (const key of [server.anonKey, server.serviceKey]) {
    const read = newClient(server, key).from('service_provider_data').select('id').limit(1)
    expect((await read).error).toBeNull()
  }
})

test('a session without the second factor of its account hears nothing, from the moment there is one', async () => {
  const olivia = await addUser(server, 'olivia@potluck.example')
  const tell = () => db.query(`select private.notify($1, 'info', null, 'payout-released')`, [olivia.id])
  const socket = await openSocket(server)
  afterAll(() => socket.ws.terminate())
  const changes = [{ event: '*', schema: 'public', table: 'user_notifications' }]
  const join = async (token: string) => (await socket.tryJoin('realtime:me', { changes, token })).payload
  await join(olivia.accessToken)
  await socket.next({ event: 'system' })
  await tell()
  await socket.next({ event: 'postgres_changes' })

  await enrol(olivia, 'unverified')
  expect(await join(olivia.accessToken)).toMatchObject({ status: 'ok' })
  await db.query(`update auth.mfa_factors set status = 'verified' where user_id = $1`, [olivia.id])
  await socket.next({ event: 'phx_error' })
  const reason = `Unauthorized: ${NEEDS_CODE.message}`
  expect(await join(olivia.accessToken)).toMatchObject({ status: 'error', response: { reason } })
  await tell()

  for (const shown of MORE_THAN_A_PASSWORD)
    expect(await join(await claiming(olivia.accessToken, shown))).toMatchObject({ status: 'ok' })
  await tell()
  await socket.next({ event: 'postgres_changes' }, (one) => socket.heard.indexOf(one) > 3)
  expect(socket.changes()).toHaveLength(2)
})
