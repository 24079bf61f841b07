// Many tokens of one person: a change is asked about once for all that are alike, and nobody waits for the others.
import { expect, test } from 'vitest'
import type { Database } from '#db/database.ts'
import { eventually } from '../eventually.ts'
import { newPerson, openSocket, signClaims, startRealtimeAlone, testRealtime } from '../fixtures/realtime.ts'
import { addAccount } from '../harness.ts'

const SESSIONS = 600
const CHANNELS = 100
const server = await testRealtime()
const { db } = server
const olivia = await addAccount(server, 'olivia@example.com')
const marc = newPerson()
for (const { id } of [olivia, marc]) await db.query('insert into room_members values (1, $1)', [id])
const sessions = await db.query<{ id: string }>(
  `insert into auth.sessions (user_id, amr) select $1, '[]' from generate_series(1, $2::int) returning id`,
  [olivia.id, String(SESSIONS)],
)
const changes = [{ event: 'INSERT', schema: 'public', table: 'room_messages' }]

/** The database, and whose claims the questions about rows are put to it with. */
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
  ['from as many sign-ins are one question', () => ({}), 1],
  [
    'with different metadata are many, and the others go before',
    (n: number) => ({ user_metadata: { n } }),
    SESSIONS,
  ],
])(`${SESSIONS} tokens %s`, async (_what, different, questions) => {
  const { askers, db } = overheard()
  const alone = await startRealtimeAlone(db)
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
    for (const { changes } of crowd) expect(changes()).toHaveLength(CHANNELS)
    expect(other.changes()).toHaveLength(1)
  })
  expect(askers.filter((id) => id === olivia.id)).toHaveLength(questions)
  // Of those under way together the first may be all hers.
  expect(askers.indexOf(marc.id)).toBeLessThan(5)
  for (const { ws } of [...crowd, other]) ws.terminate()
  await alone.close()
})
