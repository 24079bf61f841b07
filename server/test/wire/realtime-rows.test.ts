// Who receives which rows.
import { describe, expect, test } from 'vitest'
import { everythingIsHeard, newPerson, openSocket, testRealtime, testSocket } from '../fixtures/realtime.ts'

const olivia = newPerson()
const marc = newPerson()
const zoe = newPerson()
const server = await testRealtime()
const socket = testSocket(server)

const run = (sql: string, ...values: (string | null)[]) => server.db.query(sql, values)
const onNotes = { event: '*', schema: 'public', table: 'notes' }

const everythingCame = (person = olivia) => everythingIsHeard(server, socket, person)

describe('an inserted row', () => {
  test('reaches its owner and nobody else: not a stranger, not a visitor', async () => {
    await socket.join('realtime:olivia', { changes: [onNotes], token: await olivia.token() })
    await socket.join('realtime:zoe', { changes: [onNotes], token: await zoe.token() })
    await socket.join('realtime:visitor', { changes: [onNotes] })
    await run(`insert into notes (owner_id, title) values ($1, 'hers')`, olivia.id)
    await socket.next({ topic: 'realtime:olivia', event: 'postgres_changes' })
    await everythingCame()
    expect(socket.changes('realtime:olivia').map(({ record }) => record?.title)).toEqual(['hers', 'last'])
    expect(socket.changes('realtime:zoe')).toEqual([])
    expect(socket.changes('realtime:visitor')).toEqual([])
  })

  test('reaches a member, and no longer once the member is removed', async () => {
    await run('insert into room_members values (1, $1)', marc.id)
    const onMessages = { event: 'INSERT', schema: 'public', table: 'room_messages', filter: 'room_id=eq.1' }
    await socket.join('realtime:room', { changes: [onMessages], token: await marc.token() })
    await run(`insert into room_messages (room_id, body) values (1, 'welcome')`)
    await socket.next({ event: 'postgres_changes' })
    await run('delete from room_members where user_id = $1', marc.id)
    await run(`insert into room_messages (room_id, body) values (1, 'behind his back')`)
    await everythingCame()
    expect(socket.changes().map(({ record }) => record?.body)).toEqual(['welcome'])
  })

  test('reaches the service key whoever owns it', async () => {
    const service = await openSocket(server, server.serviceKey)
    await service.join('realtime:all', { changes: [onNotes] })
    await run(`insert into notes (owner_id, secret) values ($1, 'kept')`, zoe.id)
    const { payload } = await service.next({ event: 'postgres_changes' })
    expect(payload).toMatchObject({ data: { record: { owner_id: zoe.id, secret: 'kept' } } })
    service.ws.terminate()
  })
})

test('a row carries its selectable columns as to_jsonb prints them, times in UTC', async () => {
  await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token() })
  await server.db.transaction(async (tx) => {
    await tx.script(`set local time zone 'Asia/Tokyo'`)
    await tx.query(
      `insert into notes (id, owner_id, title, price, number, at, tags, secret)
       values ('00000000-0000-4000-8000-000000000001', $1, E'two\\nlines', 15.90, 9007199254740993,
         '2026-11-20T22:53:10.5Z', '{a,b}', 'kept')`,
      [olivia.id],
    )
  })
  const { text, payload, joinRef } = await socket.next({ event: 'postgres_changes' })
  const times = { at: 'timestamptz', tags: '_text' }
  const types = { id: 'uuid', owner_id: 'uuid', title: 'text', price: 'numeric', number: 'int8', ...times }
  expect(text).toContain('"price":15.90')
  expect(text).toContain('"number":9007199254740993')
  expect(joinRef).toBeNull()
  expect(payload.data).toEqual({
    schema: 'public',
    table: 'notes',
    type: 'INSERT',
    commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    columns: Object.entries(types).map(([name, type]) => ({ name, type })),
    record: {
      id: '00000000-0000-4000-8000-000000000001',
      owner_id: olivia.id,
      title: 'two\nlines',
      price: 15.9,
      number: Number('9007199254740993'),
      at: '2026-11-20T22:53:10.5+00:00',
      tags: ['a', 'b'],
    },
    errors: null,
  })
})

describe('an updated row', () => {
  test('comes with its new values and the key of the old', async () => {
    const changes = [{ ...onNotes, event: 'UPDATE' }]
    await socket.join('realtime:x', { changes, token: await olivia.token() })
    const [note] = await run(`insert into notes (owner_id) values ($1) returning id`, olivia.id)
    await run(`update notes set title = 'new', secret = 'kept' where id = $1`, String(note?.id))
    const { payload } = await socket.next({ event: 'postgres_changes' })
    expect(payload).toMatchObject({ data: { type: 'UPDATE', record: { title: 'new' } } })
    expect(socket.changes()[0]?.old_record).toEqual({ id: note?.id })
    expect(socket.changes()[0]?.record).not.toHaveProperty('secret')
  })

  test('that leaves the reader sight does not come', async () => {
    await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token() })
    const [note] = await run(
      `insert into notes (owner_id, title) values ($1, 'first') returning id`,
      olivia.id,
    )
    await socket.next({ event: 'postgres_changes' })
    await run('update notes set owner_id = $1 where id = $2', zoe.id, String(note?.id))
    await everythingCame()
    expect(socket.changes().map(({ type, record }) => [type, record?.title])).toEqual([
      ['INSERT', 'first'],
      ['INSERT', 'last'],
    ])
  })

  test('comes with all old values where the table keeps them', async () => {
    await run(`insert into moods values ($1, '2026-11-20', 'calm', 'before')`, olivia.id)
    const onMoods = { event: 'UPDATE', schema: 'public', table: 'moods', filter: 'mood=eq.busy' }
    await socket.join('realtime:x', { changes: [onMoods], token: await olivia.token() })
    await run(`update moods set mood = 'busy', remark = 'after' where owner_id = $1`, olivia.id)
    await socket.next({ event: 'postgres_changes' })
    const key = { owner_id: olivia.id, day: '2026-11-20' }
    expect(socket.changes()[0]?.record).toEqual({ ...key, mood: 'busy', remark: 'after' })
    expect(socket.changes()[0]?.old_record).toEqual({ ...key, mood: 'calm', remark: 'before' })
  })
})

describe('a deleted row', () => {
  test('of a protected table reaches everybody, as nothing but its key', async () => {
    const day = '2026-11-21'
    await run(`insert into moods values ($1, $2, 'calm', 'private')`, olivia.id, day)
    const onMoods = { event: 'DELETE', schema: 'public', table: 'moods' }
    await socket.join('realtime:zoe', { changes: [onMoods], token: await zoe.token() })
    await run('delete from moods where day = $1', day)
    await socket.next({ event: 'postgres_changes' })
    expect(socket.changes()).toMatchObject([{ type: 'DELETE', old_record: { owner_id: olivia.id, day } }])
    expect(Object.keys(socket.changes()[0]?.old_record ?? {})).toEqual(['owner_id', 'day'])
    expect(socket.changes()[0]).not.toHaveProperty('record')
  })

  test('of an open table comes whole where the table keeps old values', async () => {
    await run(`insert into open_moods values ($1, '2026-11-22', 'calm', 'seen')`, olivia.id)
    await socket.join('realtime:x', { changes: [{ event: 'DELETE', schema: 'public', table: 'open_moods' }] })
    await run('delete from open_moods')
    await socket.next({ event: 'postgres_changes' })
    expect(socket.changes()[0]?.old_record).toMatchObject({ mood: 'calm', remark: 'seen' })
  })

  test('is filtered by old values, of which a plain table keeps only the key', async () => {
    const token = await olivia.token()
    await run(`insert into moods values ($1, '2026-11-23', 'busy', 'x')`, olivia.id)
    const [note] = await run(
      `insert into notes (owner_id, title) values ($1, 'gone') returning id`,
      olivia.id,
    )
    await socket.join('realtime:moods', {
      changes: [{ event: 'DELETE', schema: 'public', table: 'moods', filter: 'mood=eq.busy' }],
      token,
    })
    await socket.join('realtime:title', { changes: [{ ...onNotes, filter: 'title=eq.gone' }], token })
    await socket.join('realtime:key', { changes: [{ ...onNotes, filter: `id=eq.${note?.id}` }], token })
    await run(`delete from moods where day = '2026-11-23'`)
    await run(`delete from notes where title = 'gone'`)
    await socket.next({ topic: 'realtime:key', event: 'postgres_changes' })
    await socket.next({ topic: 'realtime:moods', event: 'postgres_changes' })
    expect(socket.changes('realtime:title')).toEqual([])
  })
})

test('changes of one transaction come in the order they were made, and only once it commits', async () => {
  await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token() })
  await server.db
    .transaction(async (tx) => {
      await tx.query(`insert into notes (owner_id, title) values ($1, 'rolled back')`, [olivia.id])
      throw new Error('changed her mind')
    })
    .catch(() => undefined)
  await server.db.transaction(async (tx) => {
    const [note] = await tx.query(`insert into notes (owner_id, title) values ($1, 'a') returning id`, [
      olivia.id,
    ])
    await tx.query(`update notes set title = 'b' where id = $1`, [String(note?.id)])
    // The very same update many times within a moment: NOTIFY drops a payload it has seen in the transaction.
    await tx.script(`
      do $$ begin
        for n in 1..20 loop update public.notes set title = 'c' where id = '${note?.id}'; end loop;
      end $$`)
  })
  await everythingCame()
  const titles = socket.changes().map(({ record }) => record?.title)
  expect(titles).toEqual(['a', 'b', ...Array(20).fill('c'), 'last'])
})

describe('a large row', () => {
  const long = 'ü'.repeat(9000)
  test('comes whole, to those who may see it', async () => {
    await socket.join('realtime:olivia', {
      changes: [{ ...onNotes, filter: 'number=eq.77' }],
      token: await olivia.token(),
    })
    await socket.join('realtime:zoe', { changes: [onNotes], token: await zoe.token() })
    await run('insert into notes (owner_id, number, title) values ($1, 77, $2)', olivia.id, long)
    await socket.next({ event: 'postgres_changes' })
    await everythingCame()
    expect(socket.changes('realtime:olivia').map(({ record }) => record?.title)).toEqual([long])
    expect(socket.changes('realtime:olivia')[0]?.record).not.toHaveProperty('secret')
    expect(socket.changes('realtime:zoe')).toEqual([])
  })

  test('that is deleted is still filtered by its short old values', async () => {
    await run(`insert into moods values ($1, '2026-11-24', 'busy', $2)`, olivia.id, long)
    await socket.join('realtime:x', {
      changes: [{ event: 'DELETE', schema: 'public', table: 'moods', filter: 'mood=eq.busy' }],
    })
    await run(`delete from moods where day = '2026-11-24'`)
    await socket.next({ event: 'postgres_changes' })
    expect(socket.changes()[0]?.old_record).toEqual({ owner_id: olivia.id, day: '2026-11-24' })
  })

  test('above a megabyte comes as its short fields, with an error', async () => {
    await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token() })
    await run(`insert into notes (owner_id, number, title) values ($1, 78, repeat('x', 1100000))`, olivia.id)
    await socket.next({ event: 'postgres_changes' })
    expect(socket.changes()[0]).toMatchObject({
      record: { owner_id: olivia.id, number: 78 },
      errors: ['Error 413: Payload Too Large'],
    })
    expect(socket.changes()[0]?.record).not.toHaveProperty('title')
  })
})

test('a table without primary key tells only that something changed', async () => {
  const changes = [{ event: 'INSERT', schema: 'public', table: 'keyless' }]
  await socket.join('realtime:x', { changes, token: await olivia.token() })
  await run(`insert into keyless values ('word')`)
  await socket.next({ event: 'postgres_changes' })
  expect(socket.changes()).toMatchObject([
    { table: 'keyless', columns: [], record: {}, errors: ['Error 400: Bad Request, no primary key'] },
  ])
})

test('a table that the role may not select does not even tell that something changed', async () => {
  const changes = [{ event: '*', schema: 'public', table: 'staff_only' }, onNotes]
  await socket.join('realtime:olivia', { changes, token: await olivia.token() })
  await run('insert into staff_only values (1)')
  await run('update staff_only set id = 2')
  await run('delete from staff_only')
  await run(`insert into notes (owner_id, title) values ($1, 'after')`, olivia.id)
  await socket.next({ event: 'postgres_changes' })
  expect(socket.changes()).toMatchObject([{ table: 'notes', record: { title: 'after' } }])
})
