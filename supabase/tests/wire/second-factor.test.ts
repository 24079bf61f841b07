// A session without the second factor of its account: neither the Data API nor Realtime serves it.
import { afterAll, expect, test } from 'vitest'
import { openSocket } from '../../../server/test/fixtures/realtime.ts'
import { addUser, newClient, type TestUser, testServer } from '../../../server/test/harness.ts'
import { NEEDS_CODE, protect } from '../edge-functions/hosts.ts'

const server = await testServer()
const changes = [{ event: '*', schema: 'public', table: 'user_notifications' }]
const tell = (id: string) =>
  server.db.query(`select private.notify($1, 'info', 'Hello', 'Welcome', null)`, [id])

test('a session without the second factor of its account hears nothing, from the moment there is one', async () => {
  const olivia = await addUser(server, 'olivia@potluck.example')
  const socket = await openSocket(server)
  afterAll(() => socket.ws.terminate())
  const join = (token: string) => socket.tryJoin('realtime:me', { changes, token })
  await join(olivia.accessToken)
  await socket.next({ event: 'system' })
  await tell(olivia.id)
  await socket.next({ event: 'postgres_changes' })

  const enrol = (status: string) =>
    server.db.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
       values (gen_random_uuid(), $1, $2, 'totp', $2)`,
      [olivia.id, status],
    )
  await enrol('unverified')
  expect((await join(olivia.accessToken)).payload).toMatchObject({ status: 'ok' })
  await server.db.query(`update auth.mfa_factors set status = 'verified' where user_id = $1`, [olivia.id])
  await socket.next({ event: 'phx_error' })
  const reason = 'Unauthorized: Your account asks for the code of your authenticator app as well.'
  expect((await join(olivia.accessToken)).payload).toMatchObject({ status: 'error', response: { reason } })
  await tell(olivia.id)

  const claims = JSON.parse(Buffer.from(olivia.accessToken.split('.')[1] ?? '', 'base64url').toString())
  for (const shown of [{ aal: 'aal2' }, { amr: [{ method: 'passkey', timestamp: 1 }] }])
    expect((await join(await server.tokens.sign({ ...claims, ...shown }, 60))).payload).toMatchObject({
      status: 'ok',
    })
  await tell(olivia.id)
  await socket.next({ event: 'postgres_changes' }, (one) => socket.heard.indexOf(one) > 3)
  expect(socket.changes()).toHaveLength(2)
})

test('a session without the second factor of its account reads no table and calls no function; a passkey does', async () => {
  const marc = await addUser(server, 'marc@potluck.example')
  const withPasskey = newClient(server, server.anonKey, await protect(server, marc))
  const tables = await server.db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
     and has_any_column_privilege('authenticated', oid, 'select')`,
  )
  const functions = await server.db.query<{ name: string; args: Record<string, null> }>(
    `select proname as name, coalesce((select json_object_agg(arg, null) from
       unnest(proargnames[1:pronargs]) as arg), '{}') as args
     from pg_proc where pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', oid, 'execute')`,
  )
  const names = [...tables, ...functions].map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['user_wallets', 'member_payments', 'begin_payment', 'get_bank_account']),
  )
  for (const { name } of tables) {
    const read = (client: TestUser['client']) => client.from(name).select('count')
    expect([name, (await read(marc.client)).error]).toEqual([name, expect.objectContaining(NEEDS_CODE)])
    expect([name, (await read(withPasskey)).error]).not.toEqual([name, expect.objectContaining(NEEDS_CODE)])
  }
  for (const { name, args } of functions)
    expect([name, (await marc.client.rpc(name, args)).error]).toEqual([
      name,
      expect.objectContaining(NEEDS_CODE),
    ])
  expect(await withPasskey.rpc('get_bank_account')).toMatchObject({ error: null })
})
