// A token is good for an hour, whoever has it by then. So the database asks with each request whether its session lives.
import { describe, expect, test } from 'vitest'
import { addUser, newClient, type TestUser, testServer } from '../../../server/test/harness.ts'
import { exposedObjects } from '../authorization/objects.ts'

const server = await testServer()
const { db } = server

/** Reading and each way of writing every table, and calling every function, as the catalogue has them. */
async function everyRequest(): Promise<[method: string, path: string, body?: object][]> {
  const { relations } = await exposedObjects(db)
  const calls = await db.query<{ name: string; args: string[] }>(
    `select proname as name, to_json(coalesce(proargnames[1:pronargs], '{}')) as args
     from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
  )
  return [
    ...relations.flatMap(({ name, columns: [column = ''] }): [string, string, object?][] => [
      ['GET', `/${name}?limit=1`],
      ['POST', `/${name}`, {}],
      ['PATCH', `/${name}?${column}=not.is.null`, { [column]: null }],
      ['DELETE', `/${name}?${column}=not.is.null`],
    ]),
    ...calls.map(({ name, args }): [string, string, object] => [
      'POST',
      `/rpc/${name}`,
      Object.fromEntries(args.map((arg) => [arg, null])),
    ]),
  ]
}
const requests = await everyRequest()

async function send(token: string, [method, path, body]: (typeof requests)[number]) {
  const headers = {
    apikey: server.anonKey,
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
  }
  const answer = await fetch(`${server.url}/rest/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text ? JSON.parse(text) : null }
}

const ENDED = { code: 'PT401', message: 'Your session has ended. Please sign in again.' }
const UNPROVEN = {
  code: '42501',
  message: 'Your account asks for the code of your authenticator app as well.',
}

/** The requests that are refused for this reason. */
async function refused(token: string, reason = ENDED): Promise<string[]> {
  const found: string[] = []
  for (const request of requests) {
    const { body } = await send(token, request)
    if (body?.code === reason.code && body.message === reason.message)
      found.push(`${request[0]} ${request[1]}`)
  }
  return found
}

const all = requests.map(([method, path]) => `${method} ${path}`)
const sql = (text: string) => (person: TestUser) => db.query(text, [person.id])

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
    expect(await refused(person.accessToken)).toEqual(all)
  })

  test('while its person has shown a password alone, and has an authenticator app', async () => {
    const withApp = async (name: string, status: string) => {
      const person = await addUser(server, `${name}@potluck.example`)
      await db.query(
        `insert into auth.mfa_factors (id, user_id, factor_type, status) values (gen_random_uuid(), $1, 'totp', $2)`,
        [person.id, status],
      )
      return person.accessToken
    }
    expect(await refused(await withApp('olivia', 'verified'), UNPROVEN)).toEqual(all)
    expect(await refused(await withApp('omar', 'unverified'), UNPROVEN)).toEqual([])
    const token = await withApp('oskar', 'verified')
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    // Supabase counts a passkey as aal1; it is more than a password all the same.
    for (const shown of [{ aal: 'aal2' }, { amr: [{ method: 'passkey', timestamp: 1 }] }])
      expect(await refused(await server.tokens.sign({ ...claims, ...shown }, 60), UNPROVEN)).toEqual([])
  })

  test('when it was never for a session', async () => {
    const zoe = await addUser(server, 'zoe@potluck.example')
    const token = await server.tokens.sign({ sub: zoe.id, role: 'authenticated' }, 60)
    expect(await refused(token)).toEqual(all)
  })
})

test('a session that lives, a ban that is over, visitors and the server itself are let in', async () => {
  const nina = await addUser(server, 'nina@potluck.example')
  await sql('update auth.users set banned_until = now() where id = $1')(nina)
  await sql(`update auth.sessions set not_after = now() + interval '1 day' where user_id = $1`)(nina)
  const own = await nina.client.from('user_profiles').select('display_name').eq('user_id', nina.id)
  expect(own.error).toBeNull()
  for (const key of [server.anonKey, server.serviceKey])
    expect(
      (await newClient(server, key).from('service_provider_data').select('id').limit(1)).error,
    ).toBeNull()
})
