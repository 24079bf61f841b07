// Realtime asks for the second factor as everything else does.
import { afterAll, expect, test } from 'vitest'
import { openSocket } from '../../../server/test/fixtures/realtime.ts'
import { addUser, testServer } from '../../../server/test/harness.ts'

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
