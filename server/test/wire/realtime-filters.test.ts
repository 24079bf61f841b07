// What the filter of a binding lets through, and what is said of one that cannot be meant.
import { expect, test } from 'vitest'
import { newPerson, testRealtime, testSocket } from '../fixtures/realtime.ts'

const olivia = newPerson()
const server = await testRealtime()
const socket = testSocket(server)

const insert = (title: string, ...values: (string | null)[]) =>
  server.db.query(
    'insert into notes (owner_id, title, number, price, at, tags) values ($1, $2, $3, $4, $5, $6)',
    [olivia.id, title, ...values, ...Array(4 - values.length).fill(null)],
  )
const onNotes = { event: '*', schema: 'public', table: 'notes' }

test('a filter lets through the rows it describes', async () => {
  const expected = {
    'number=eq.5': ['five'],
    'number=neq.5': ['six', 'big'],
    'number=gt.5': ['six', 'big'],
    'number=gte.5,number=lte.6': ['five', 'six'],
    'number=lt.6': ['five'],
    'number=in.(5,6)': ['five', 'six'],
    'number=eq.9007199254740993': ['big'],
    // 15.9 and 15.90 are one number, and one moment may be written in many ways.
    'price=eq.15.9': ['five'],
    'price=in.(15.900,1)': ['five'],
    'at=eq.2026-11-20T11:00:00+01:00': ['five'],
    'at=gt.2026-11-20': ['five'],
    'title=eq."five"': ['five'],
    'tags=eq."{a,b}"': ['five'],
    'number=eq.5,title=neq.five': [],
    [`owner_id=eq.${olivia.id}`]: ['five', 'six', 'big', 'none'],
  }
  const token = await olivia.token()
  for (const filter of Object.keys(expected))
    await socket.join(`realtime:${filter}`, { changes: [{ ...onNotes, event: 'INSERT', filter }], token })
  await insert('five', '5', '15.90', '2026-11-20T10:00:00Z', '{a,b}')
  await insert('six', '6')
  await insert('big', '9007199254740993')
  await insert('none')
  // The last topic hears of every row, and changes are handed out in order.
  const last = `realtime:owner_id=eq.${olivia.id}`
  await socket.next({ topic: last, event: 'postgres_changes' }, () => socket.changes(last).length === 4)
  const heard = Object.keys(expected).map((filter) => [
    filter,
    socket.changes(`realtime:${filter}`).map(({ record }) => record?.title),
  ])
  expect(Object.fromEntries(heard)).toEqual(expected)
})

test.each([
  ['an unknown column', { filter: 'colour=eq.red' }],
  ['a column the role may not select', { filter: 'secret=eq.x' }],
  ['a value that does not fit the column', { filter: 'number=eq.five' }],
  ['a value that breaks out of nothing', { filter: `number=eq.5'); drop table notes; --` }],
  ['an operator there is none of', { filter: 'number=about.5' }],
  ['a table that is not published', { table: 'unpublished' }],
  ['a table that does not exist', { table: 'nowhere' }],
  ['an event there is none of', { event: 'TRUNCATE' }],
])('a binding to %s is told after the join, and nothing is watched', async (_what, wrong) => {
  const changes = [onNotes, { ...onNotes, ...wrong }]
  await socket.join('realtime:x', { changes, token: await olivia.token() })
  const { payload } = await socket.next({ topic: 'realtime:x', event: 'system' })
  expect(payload).toMatchObject({ extension: 'postgres_changes', status: 'error', channel: 'x' })
  expect(payload.message).toMatch(/^Unable to subscribe to changes with given parameters\. Please check/)
  await socket.join('realtime:y', { changes: [onNotes], token: await olivia.token() })
  await insert('seen by y only')
  await socket.next({ topic: 'realtime:y', event: 'postgres_changes' })
  expect(socket.changes('realtime:x')).toEqual([])
})
