// Realtime ends with the session on every server of the database, although the access token is valid for an hour. Many
// tokens of one person cost no more than one.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, DatabaseError } from '#db/database.ts'
import { openPostgres } from '#db/postgres.ts'
import { eventually } from '../eventually.ts'
import {
  type BareSocket,
  newPerson,
  ON_NOTES,
  openSocket,
  signClaims,
  startRealtimeAlone,
  testRealtime,
} from '../fixtures/realtime.ts'
import { addAccount, addUser, newClient, PASSWORD, type TestUser } from '../harness.ts'

const server = await testRealtime()
const { db } = server
const elsewhere = server.databaseUrl === undefined ? db : await openPostgres(server.databaseUrl)
const second = await startRealtimeAlone(elsewhere)
afterAll(async () => {
  await second.close()
  if (elsewhere !== db) await elsewhere.close()
})
const admin = newClient(server, server.serviceKey).auth.admin
const ENDED = 'Session from session_id claim in JWT does not exist'
const changes = [ON_NOTES]

let people = 0
const open: BareSocket[] = []
/** Opens a socket on each server, and joins with the token. */
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
  // The channel ends in such a way that the client rejoins with its latest token, even if that is only the public key.
  await socket.next({ event: 'phx_error', joinRef: '1', ref: '1' })
}

const asProject = (sql: string) => (person: TestUser) =>
  db.transaction((tx) => tx.query(sql, [person.id]), { role: 'project_owner' })
const end = 'delete from auth.sessions where user_id = $1'
const close = 'update auth.users set deleted_at = now() where id = $1'

test.each<[string, (person: TestUser) => Promise<unknown>, ('here' | 'there')[]]>([
  ['signing out here', ({ client }) => client.auth.signOut({ scope: 'local' }), ['here']],
  ['signing out elsewhere', ({ client }) => client.auth.signOut({ scope: 'others' }), ['there']],
  ['signing out everywhere', ({ client }) => client.auth.signOut(), ['here', 'there']],
  ['a ban', ({ id }) => admin.updateUserById(id, { ban_duration: '1h' }), ['here', 'there']],
  ['the end of the account', ({ id }) => admin.deleteUser(id), ['here', 'there']],
  ['a function of the project that signs out', asProject(end), ['here', 'there']],
  ['a function of the project that ends the account', asProject(close), ['here', 'there']],
])('a session ends with %s', async (_what, end, which) => {
  people += 1
  const olivia = await addUser(server, `olivia.${people}@example.com`)
  const signIn = { email: olivia.email, password: PASSWORD }
  const { data } = await newClient(server).auth.signInWithPassword(signIn)
  const tokens = { here: olivia.accessToken, there: data.session?.access_token ?? '' }
  const sockets = { here: await joined(tokens.here), there: await joined(tokens.there) }
  const marc = await addAccount(server, `marc.${people}@example.com`)
  const bystanders = await joined(marc.accessToken)

  await end(olivia)
  for (const place of which) for (const socket of sockets[place]) await isToldOfTheEnd(socket)
  for (const { id } of [olivia, marc]) await db.query('insert into notes (owner_id) values ($1)', [id])
  for (const socket of bystanders) await socket.next({ event: 'postgres_changes' })
  for (const place of ['here', 'there'] as const) {
    const goesOn = !which.includes(place)
    for (const socket of sockets[place]) {
      if (goesOn) await socket.next({ event: 'postgres_changes' })
      expect(socket.changes()).toHaveLength(goesOn ? 1 : 0)
      const again = await socket.tryJoin('realtime:again', { changes, token: tokens[place] })
      expect(again.payload).toMatchObject(
        goesOn ? { status: 'ok' } : { status: 'error', response: { reason: `InvalidJWTToken: ${ENDED}` } },
      )
    }
  }
})

test('a session that is over, or never was, does not carry on a channel', async () => {
  const [socket] = await joined(await newPerson().token())
  const claims = { sub: newPerson().id, role: 'authenticated', session_id: newPerson().id }
  socket?.send('1', null, 'realtime:notes', 'access_token', { access_token: await signClaims(claims, 60) })
  await socket?.next({ event: 'system' }, ({ payload }) => payload.message === ENDED)
  await socket?.next({ event: 'phx_close' })
  const odd = await signClaims({ ...claims, session_id: 'odd' }, 60)
  const { payload } = (await socket?.tryJoin('realtime:x', { token: odd })) ?? {}
  expect(payload?.response).toEqual({ reason: `InvalidJWTToken: ${ENDED}` })
})

test('joins, and goes on with another token, who may by the project that judges each request', async () => {
  const name = await db.query('select current_database() as name')
  const judgeBy = (judge: string) =>
    db.transaction((tx) =>
      tx.script(`create or replace function public.judge() returns void language plpgsql as $$ begin
        if auth.jwt() ->> 'aal' = 'aal1' then raise exception 'Not with a password alone' using errcode = '42501'; end if;
        if auth.jwt() ->> 'aal' = 'busy' then raise exception 'Too many' using errcode = '53300'; end if;
      end $$;
      alter role authenticator in database "${name[0]?.name}" set pgrst.db_pre_request = '${judge}';
      notify pgrst, 'reload config';`),
    )
  const person = newPerson()
  const token = (aal: string) => signClaims({ sub: person.id, role: 'authenticated', aal }, 60)
  const here = await openSocket(server)
  open.push(here)
  await here.join('realtime:before', { changes, token: await token('aal1') })
  await judgeBy('judge')
  try {
    // A client that joined before the project had a pre-request function has to rejoin.
    await here.next({ event: 'phx_error', topic: 'realtime:before' })
    const refused = await here.tryJoin('realtime:notes', { changes, token: await token('aal1') })
    const reason = 'Unauthorized: Not with a password alone'
    expect(refused.payload).toMatchObject({ status: 'error', response: { reason } })
    await here.join('realtime:notes', { changes, token: await token('aal2') })
    const send = async (aal: string) =>
      fetch(`${server.url}/realtime/v1/api/broadcast`, {
        method: 'POST',
        headers: { apikey: server.anonKey, Authorization: `Bearer ${await token(aal)}` },
      })
    const sent = await send('aal1')
    expect([sent.status, await sent.json()]).toEqual([401, { message: reason }])
    // A database that could not judge has not refused.
    expect((await send('busy')).status).toBe(503)
    here.send(null, null, 'realtime:notes', 'access_token', { access_token: await token('aal1') })
    await here.next({ event: 'phx_close', topic: 'realtime:notes' })
  } finally {
    await judgeBy('')
  }
})

describe('many tokens of one person', async () => {
  const SESSIONS = 120
  const CHANNELS = 60
  const olivia = await addAccount(server, 'olivia@example.com')
  const marc = newPerson()
  for (const { id } of [olivia, marc]) await db.query('insert into room_members values (1, $1)', [id])
  const sessions = await db.query<{ id: string }>(
    `insert into auth.sessions (user_id, amr) select $1, '[]' from generate_series(1, $2::int) returning id`,
    [olivia.id, String(SESSIONS)],
  )
  const changes = [{ event: 'INSERT', schema: 'public', table: 'room_messages' }]

  /** Returns the database, and a record of the people whose visibility is checked. */
  function overheard(): { askers: string[]; db: Database } {
    const askers: string[] = []
    const batch: Database['batch'] = (statements, options) => {
      if (statements.some(({ text }) => text.startsWith('select asked.n')))
        askers.push(JSON.parse(statements[0]?.values?.[1] ?? '').sub)
      return db.batch(statements, options)
    }
    return { askers, db: { ...db, batch } }
  }

  test.each([
    ['of as many sign-ins are one question', () => ({}), 1],
    [
      'with different metadata are many, and the others go before',
      (n: number) => ({ user_metadata: { n } }),
      SESSIONS,
    ],
  ])('%s', async (_what, different, questions) => {
    const { askers, db: listened } = overheard()
    const alone = await startRealtimeAlone(listened)
    const crowd = await Promise.all(
      Array.from({ length: SESSIONS / CHANNELS }, async (_, s) => {
        const socket = await openSocket(alone)
        for (const [c, { id }] of sessions.slice(s * CHANNELS, (s + 1) * CHANNELS).entries()) {
          const n = s * CHANNELS + c
          const signIn = { session_id: id, jti: id, iat: n, amr: [{ method: 'password', timestamp: n }] }
          const claims = { sub: olivia.id, role: 'authenticated', ...signIn, ...different(n) }
          await socket.join(`realtime:${n}`, { changes, token: await signClaims(claims, 3600 + n) })
        }
        return socket
      }),
    )
    const other = await openSocket(alone)
    await other.join('realtime:other', { changes, token: await marc.token() })

    await db.query(`insert into room_messages (room_id, body) values (1, 'to all')`)
    await eventually(() => {
      for (const socket of crowd) expect(socket.changes()).toHaveLength(CHANNELS)
      expect(other.changes()).toHaveLength(1)
    })
    expect(askers.filter((id) => id === olivia.id)).toHaveLength(questions)
    // The first checks, which run at the same time, may all be for Olivia.
    expect(askers.indexOf(marc.id)).toBeLessThan(5)
    for (const { ws } of [...crowd, other]) ws.terminate()
    await alone.close()
  })

  test('a change that nobody could be asked about ends the channels, so their clients reload', async () => {
    const batch: Database['batch'] = (statements, options) =>
      statements.some(({ text }) => text.startsWith('select asked.n'))
        ? Promise.reject(
            new DatabaseError({ code: '08006', message: 'The connection to the database broke' }),
          )
        : db.batch(statements, options)
    const alone = await startRealtimeAlone({ ...db, batch })
    const socket = await openSocket(alone)
    await socket.join('realtime:gap', { changes, token: await marc.token() })
    await db.query(`insert into room_messages (room_id, body) values (1, 'unseen')`)
    await socket.next({ event: 'phx_error', topic: 'realtime:gap' })
    socket.ws.terminate()
    await alone.close()
  })
})
