// Realtime ends with the session, on every server of the database, though the access token goes on for an hour.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openPostgres } from '#db/postgres.ts'
import {
  type BareSocket,
  newPerson,
  openSocket,
  signClaims,
  startRealtimeAlone,
  testRealtime,
} from '../fixtures/realtime.ts'
import { addUser, newClient, PASSWORD, type TestUser } from '../harness.ts'

const server = await testRealtime()
const elsewhere = server.databaseUrl === undefined ? server.db : await openPostgres(server.databaseUrl)
const second = await startRealtimeAlone(elsewhere)
afterAll(async () => {
  await second.close()
  if (elsewhere !== server.db) await elsewhere.close()
})
const admin = newClient(server, server.serviceKey).auth.admin
const ENDED = 'Session from session_id claim in JWT does not exist'
const changes = [{ event: '*', schema: 'public', table: 'notes' }]

let people = 0
const open: BareSocket[] = []
/** Joined with the token on both servers. */
async function joined(token: string): Promise<BareSocket[]> {
  const sockets = await Promise.all([server, second].map((one) => openSocket(one)))
  open.push(...sockets)
  for (const socket of sockets) await socket.join('realtime:notes', { changes, token })
  return sockets
}
beforeEach(() => () => {
  for (const { ws } of open.splice(0)) ws.terminate()
})

async function isToldOfTheEnd(socket: BareSocket): Promise<void> {
  const { payload } = await socket.next({ event: 'system' }, (one) => one.payload.status === 'error')
  expect(payload).toEqual({ extension: 'system', status: 'error', message: ENDED, channel: 'notes' })
  // The kind of end after which a client joins again with the token it then has, if only the public key.
  await socket.next({ event: 'phx_error', joinRef: '1', ref: '1' })
}

const sql = (text: string) => (person: TestUser) =>
  server.db.transaction(
    async (tx) => {
      await tx.query(text, [person.id])
    },
    { role: 'project_owner' },
  )

describe('a session', () => {
  test.each<[string, (person: TestUser) => Promise<unknown>, ('here' | 'there')[]]>([
    ['signing out here', ({ client }) => client.auth.signOut({ scope: 'local' }), ['here']],
    ['signing out elsewhere', ({ client }) => client.auth.signOut({ scope: 'others' }), ['there']],
    ['signing out everywhere', ({ client }) => client.auth.signOut(), ['here', 'there']],
    ['a ban', ({ id }) => admin.updateUserById(id, { ban_duration: '1h' }), ['here', 'there']],
    ['the end of the account', ({ id }) => admin.deleteUser(id), ['here', 'there']],
    [
      'a function of the project that signs out',
      sql('delete from auth.sessions where user_id = $1'),
      ['here', 'there'],
    ],
    [
      'a function of the project that ends the account',
      sql('update auth.users set deleted_at = now() where id = $1'),
      ['here', 'there'],
    ],
  ])('ends with %s', async (_what, end, which) => {
    people += 1
    const olivia = await addUser(server, `olivia.${people}@example.com`)
    const signIn = { email: olivia.email, password: PASSWORD }
    const { data } = await newClient(server).auth.signInWithPassword(signIn)
    const tokens = { here: olivia.accessToken, there: data.session?.access_token ?? '' }
    const sockets = { here: await joined(tokens.here), there: await joined(tokens.there) }
    const marc = await addUser(server, `marc.${people}@example.com`)
    const bystanders = await joined(marc.accessToken)

    await end(olivia)
    for (const place of which) for (const socket of sockets[place]) await isToldOfTheEnd(socket)
    for (const { id } of [olivia, marc])
      await server.db.query('insert into notes (owner_id) values ($1)', [id])
    for (const socket of bystanders) await socket.next({ event: 'postgres_changes' })
    for (const place of ['here', 'there'] as const) {
      for (const socket of sockets[place]) {
        const goesOn = !which.includes(place)
        if (goesOn) await socket.next({ event: 'postgres_changes' })
        expect(socket.changes()).toHaveLength(goesOn ? 1 : 0)
        const again = await socket.tryJoin('realtime:again', { changes, token: tokens[place] })
        expect(again.payload).toMatchObject(
          goesOn ? { status: 'ok' } : { status: 'error', response: { reason: `InvalidJWTToken: ${ENDED}` } },
        )
      }
    }
  })

  test('joins, or goes on with another token, as the project says that judges each request', async () => {
    const name = await server.db.query('select current_database() as name')
    const set = (to: string) =>
      server.db.transaction((tx) =>
        tx.script(`create or replace function public.judge() returns void language plpgsql as $$ begin
          if auth.jwt() ->> 'aal' = 'aal1' then raise exception 'Not with a password alone' using errcode = '42501'; end if;
        end $$;
        alter role authenticator in database "${name[0]?.name}" set pgrst.db_pre_request = '${to}';
        notify pgrst, 'reload config';`),
      )
    const person = newPerson()
    const token = (aal: string) => signClaims({ sub: person.id, role: 'authenticated', aal }, 60)
    const here = await openSocket(server)
    open.push(here)
    await here.join('realtime:before', { changes, token: await token('aal1') })
    await set('judge')
    try {
      // Whoever joined before the project judged joins anew.
      await here.next({ event: 'phx_error', topic: 'realtime:before' })
      const refused = await here.tryJoin('realtime:notes', { changes, token: await token('aal1') })
      const reason = 'Unauthorized: Not with a password alone'
      expect(refused.payload).toMatchObject({ status: 'error', response: { reason } })
      await here.join('realtime:notes', { changes, token: await token('aal2') })
      const sent = await fetch(`${server.url}/realtime/v1/api/broadcast`, {
        method: 'POST',
        headers: { apikey: server.anonKey, Authorization: `Bearer ${await token('aal1')}` },
      })
      expect([sent.status, await sent.json()]).toEqual([401, { message: reason }])
      here.send(null, null, 'realtime:notes', 'access_token', { access_token: await token('aal1') })
      await here.next({ event: 'phx_close', topic: 'realtime:notes' })
    } finally {
      await set('')
    }
  })

  test('that is over, or never was, does not carry on a channel', async () => {
    const [socket] = await joined(await newPerson().token())
    const claims = { sub: newPerson().id, role: 'authenticated', session_id: newPerson().id }
    const token = await signClaims(claims, 60)
    socket?.send('1', null, 'realtime:notes', 'access_token', { access_token: token })
    await socket?.next({ event: 'system' }, ({ payload }) => payload.message === ENDED)
    await socket?.next({ event: 'phx_close' })
    const odd = await signClaims({ ...claims, session_id: 'odd' }, 60)
    const { payload } = (await socket?.tryJoin('realtime:x', { token: odd })) ?? {}
    expect(payload?.response).toEqual({ reason: `InvalidJWTToken: ${ENDED}` })
  })
})
