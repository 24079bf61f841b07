// Which rows and columns subscribers receive, how filters apply, and the triggers that capture changes.
import { describe, expect, test, vi } from 'vitest'
import { openPostgres } from '#db/postgres.ts'
import { cases } from '../cases.ts'
import { eventually } from '../eventually.ts'
import {
  attachedTables,
  everythingIsHeard,
  newPerson,
  openSocket,
  startRealtimeAlone,
  testRealtime,
  testSocket,
} from '../fixtures/realtime.ts'

const [olivia, marc, zoe] = [newPerson(), newPerson(), newPerson()]
const server = await testRealtime()
const socket = testSocket(server)

const run = (sql: string, ...values: (string | null)[]) => server.db.query(sql, values)
const script = (sql: string) => server.db.transaction((tx) => tx.script(sql))
const insert = async (title: string, owner = olivia, number = '0'): Promise<string> => {
  const sql = 'insert into notes (owner_id, title, number) values ($1, $2, $3) returning id'
  return String((await run(sql, owner.id, title, number))[0]?.id)
}
const change = (topic?: string) => socket.next({ event: 'postgres_changes', ...(topic && { topic }) })
const everythingCame = () => everythingIsHeard(server, socket, olivia)

describe('an inserted row', () => {
  test('reaches its owner and the service key, and nobody else: not a stranger, not a visitor', async () => {
    const service = await openSocket(server, server.serviceKey)
    await service.watch('all')
    await socket.watch('olivia', olivia)
    await socket.watch('zoe', zoe)
    await socket.watch('visitor')
    await run(`insert into notes (owner_id, title, secret) values ($1, 'hers', 'kept')`, olivia.id)
    await change('realtime:olivia')
    await everythingCame()
    await eventually(() => expect(socket.heardOf('title', 'realtime:olivia')).toEqual(['hers', 'last']))
    expect(socket.changes()).toHaveLength(2)
    const { payload } = await service.next({ event: 'postgres_changes' })
    expect(payload).toMatchObject({ data: { record: { owner_id: olivia.id, secret: 'kept' } } })
    service.ws.terminate()
  })

  test('reaches a member, and no longer once the member is removed', async () => {
    await run('insert into room_members values (1, $1)', marc.id)
    await socket.watch('room', marc, { event: 'INSERT', table: 'room_messages', filter: 'room_id=eq.1' })
    await run(`insert into room_messages (room_id, body) values (1, 'welcome')`)
    await change()
    await run('delete from room_members where user_id = $1', marc.id)
    await run(`insert into room_messages (room_id, body) values (1, 'behind his back')`)
    await everythingCame()
    expect(socket.heardOf('body')).toEqual(['welcome'])
  })

  test('carries its selectable columns as to_jsonb prints them, times in UTC', async () => {
    await socket.watch('x', olivia)
    await server.db.transaction(async (tx) => {
      await tx.script(`set local time zone 'Asia/Tokyo'`)
      await tx.query(
        `insert into notes (id, owner_id, title, price, number, at, tags, secret)
         values ('00000000-0000-4000-8000-000000000001', $1, E'two\\nlines', 15.90, 9007199254740993,
           '2026-11-20T22:53:10.5Z', '{a,b}', 'kept')`,
        [olivia.id],
      )
    })
    const { text, payload, joinRef } = await change()
    const times = { at: 'timestamptz', tags: '_text' }
    const types = { id: 'uuid', owner_id: 'uuid', title: 'text', price: 'numeric', number: 'int8', ...times }
    expect(text).toContain('"price":15.90')
    expect(text).toContain('"number":9007199254740993')
    expect(joinRef).toBeNull()
    expect(payload.data).toEqual({
      ...{ schema: 'public', table: 'notes', type: 'INSERT', errors: null },
      commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      columns: Object.entries(types).map(([name, type]) => ({ name, type })),
      record: {
        ...{ id: '00000000-0000-4000-8000-000000000001', owner_id: olivia.id, title: 'two\nlines' },
        ...{ price: 15.9, number: Number('9007199254740993'), tags: ['a', 'b'] },
        at: '2026-11-20T22:53:10.5+00:00',
      },
    })
  })
})

const ID = '00000000-0000-4000-8000-000000000007'
const KEY = `"owner_id":"${olivia.id}","day":"2026-11-20"`
const NOTE = `insert into notes (id, owner_id, title) values ('${ID}', '${olivia.id}', 'gone')`
const mood = (table: string, remark: string) =>
  `insert into ${table} values ('${olivia.id}', '2026-11-20', 'busy', ${remark})`
// Each case has a name, setup, listener, change, and expected events.
const heard = cases(`
  an updated row comes with its new values and the key of the old | ${NOTE} | olivia UPDATE notes | update notes set title = 'new', secret = 'kept' where id = '${ID}' | [{"type":"UPDATE","record":{"id":"${ID}","owner_id":"${olivia.id}","title":"new","price":null,"number":null,"at":null,"tags":null},"old_record":{"id":"${ID}"}}]
  an updated row that leaves the reader’s sight does not come | ${NOTE} | olivia * notes | update notes set owner_id = '${zoe.id}' | []
  an updated row comes with all old values where the table keeps them | ${mood('moods', "'was'")} | olivia UPDATE moods mood=eq.busy | update moods set remark = 'is' | [{"type":"UPDATE","record":{${KEY},"mood":"busy","remark":"is"},"old_record":{${KEY},"mood":"busy","remark":"was"}}]
  a deleted row of a protected table reaches those who might see it, as nothing but its key | ${mood('moods', "'private'")} | olivia DELETE moods | delete from moods | [{"type":"DELETE","old_record":{${KEY}}}]
  a deleted row of a protected table does not reach a stranger | ${mood('moods', "'private'")} | zoe DELETE moods | delete from moods | []
  a deleted row of an open table comes whole where the table keeps old values | ${mood('open_moods', "'seen'")} | zoe DELETE open_moods | delete from open_moods | [{"type":"DELETE","old_record":{${KEY},"mood":"busy","remark":"seen"}}]
  a deleted row is filtered by its old values, however large it is | ${mood('moods', "repeat('ü', 9000)")} | olivia DELETE moods mood=eq.busy | delete from moods | [{"type":"DELETE","old_record":{${KEY}}}]
  a deleted row whose old values do not fit does not come | ${mood('moods', "'x'")} | olivia DELETE moods mood=eq.calm | delete from moods | []
  a deleted row is filtered by its key, which is all that a plain table keeps | ${NOTE} | olivia DELETE notes id=eq.${ID} | delete from notes | [{"type":"DELETE","old_record":{"id":"${ID}"}}]
  a deleted row is not filtered by what a plain table does not keep | ${NOTE} | olivia DELETE notes title=eq.gone | delete from notes | []
  a row of a table without primary key tells only that something changed | select | olivia INSERT keyless | insert into keyless values ('word') | [{"type":"INSERT","record":{},"columns":[],"errors":["Error 400: Bad Request, no primary key"]}]
  a row of a table that may not be selected does not even tell that | select | olivia * staff_only | insert into staff_only values (1); update staff_only set id = 2; delete from staff_only | []`)
test.each(heard)('%s', async (_what, before, wish = '', sql = '', expected = '') => {
  await script(`delete from notes; delete from moods; ${before}`)
  await everythingCame()
  const [name, event, table, filter] = wish.split(' ')
  await socket.watch('x', name === 'zoe' ? zoe : olivia, { event, table, ...(filter && { filter }) })
  await script(sql)
  await everythingCame()
  const told = socket.changes().filter(({ record }) => record?.title !== 'last')
  const parts = told.map(({ type, record, old_record, columns, errors }) => ({
    type,
    ...(record && { record }),
    ...(old_record && { old_record }),
    ...(errors && { columns, errors }),
  }))
  expect(parts).toEqual(JSON.parse(expected))
})

test('changes of one transaction come in the order they were made, and only once it commits', async () => {
  await socket.watch('x', olivia)
  const undone = server.db.transaction(async (tx) => {
    await tx.query(`insert into notes (owner_id, title) values ($1, 'rolled back')`, [olivia.id])
    throw new Error('changed her mind')
  })
  await expect(undone).rejects.toThrow('changed her mind')
  await script(`
    insert into notes (owner_id, title) values ('${olivia.id}', 'a');
    update notes set title = 'b' where title = 'a';
    do $$ begin
      for n in 1..20 loop update public.notes set title = 'c' where title in ('b', 'c'); end loop;
    end $$`)
  await everythingCame()
  await eventually(() => expect(socket.heardOf('title')).toEqual(['a', 'b', ...Array(20).fill('c'), 'last']))
})

describe('a large row', () => {
  const LONG = 'ü'.repeat(9000)
  test('comes whole, to those who may see it', async () => {
    await socket.watch('olivia', olivia, { filter: 'number=eq.77' })
    await socket.watch('zoe', zoe)
    await insert(LONG, olivia, '77')
    await everythingCame()
    expect(socket.heardOf('title')).toEqual([LONG])
    expect(socket.changes()[0]?.record).not.toHaveProperty('secret')
  })

  test('above a megabyte comes as its short fields, with an error', async () => {
    await socket.watch('x', olivia)
    await insert('x'.repeat(1_048_000), olivia, '78')
    await insert('x'.repeat(1_100_000), olivia, '79')
    await change()
    await socket.next({ event: 'postgres_changes' }, () => socket.changes().length === 2)
    const [whole, cut] = socket.changes()
    expect(whole?.errors).toBeNull()
    expect(cut).toMatchObject({ record: { owner_id: olivia.id, number: 79 } })
    expect(cut?.errors).toEqual(['Error 413: Payload Too Large'])
    expect(cut?.record).not.toHaveProperty('title')
  })
})

test('a filter lets through the rows it describes', async () => {
  const all = `owner_id=eq.${olivia.id}`
  const expected = {
    'number=eq.5': ['five'],
    'number=neq.5': ['six', 'big'],
    'number=gt.5': ['six', 'big'],
    'number=gte.5,number=lte.6': ['five', 'six'],
    'number=lt.6': ['five'],
    'number=in.(5,6)': ['five', 'six'],
    'number=eq.9007199254740993': ['big'],
    // 15.9 and 15.90 are the same number, and one moment can be written in several ways.
    'price=eq.15.9': ['five'],
    'price=in.(15.900,1)': ['five'],
    'at=eq.2026-11-20T11:00:00+01:00': ['five'],
    'at=gt.2026-11-20': ['five'],
    'title=eq."five"': ['five'],
    'tags=eq."{a,b}"': ['five'],
    'number=eq.5,title=neq.five': [],
    [all]: ['five', 'six', 'big', 'none'],
  }
  for (const filter of Object.keys(expected)) await socket.watch(filter, olivia, { event: 'INSERT', filter })
  await run(
    `insert into notes (owner_id, title, number, price, at, tags) values
       ($1, 'five', 5, 15.90, '2026-11-20T10:00:00Z', '{a,b}'), ($1, 'six', 6, null, null, null),
       ($1, 'big', 9007199254740993, null, null, null), ($1, 'none', null, null, null, null)`,
    olivia.id,
  )
  // Changes are delivered in order, so once the last topic has every row, the others have theirs.
  await socket.next({}, () => socket.changes(`realtime:${all}`).length === 4)
  const heard = Object.keys(expected).map((filter) => [filter, socket.heardOf('title', `realtime:${filter}`)])
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
  await socket.watch('x', olivia, {}, wrong)
  const { payload } = await socket.next({ topic: 'realtime:x', event: 'system' })
  expect(payload).toMatchObject({ extension: 'postgres_changes', status: 'error', channel: 'x' })
  expect(payload.message).toMatch(/^Unable to subscribe to changes with given parameters\. Please check/)
  await socket.watch('y', olivia)
  await insert('seen by y only')
  await change('realtime:y')
  expect(socket.changes('realtime:x')).toEqual([])
})

describe('the triggers', () => {
  const triggers = () =>
    run(`select oid::text, tgrelid::regclass::text as name, tgargs::text from pg_trigger
      where tgname = '_realtime_capture' order by 2`)

  test('sit on exactly the published tables, and are left alone by another attaching, or several at once', async () => {
    const published = await run(
      `select schemaname || '.' || tablename as name from pg_publication_tables
       where pubname = 'supabase_realtime' order by schemaname, tablename`,
    )
    const before = await triggers()
    await Promise.all([1, 2, 3].map(() => run('select realtime.attach_capture()')))
    expect(await triggers()).toEqual(before)
    expect(await attachedTables(server.db)).toEqual(published.map(({ name }) => name))
    expect(await attachedTables(server.db)).not.toContain('public.unpublished')
  })

  test('follow the publication, a table’s key and its replica identity when the schema is reloaded', async () => {
    await script(`create table public.followed (id int); create table public.dropped (id int primary key);
      create table public.kept_whole (id int primary key);
      alter publication supabase_realtime add table public.followed, public.dropped, public.kept_whole;
      select realtime.attach_capture()`)
    const argsOf = async (table: string) => (await triggers()).find(({ name }) => name === table)?.tgargs
    const before = { key: await argsOf('followed'), identity: await argsOf('kept_whole') }
    await script(`create table public.added (id int primary key);
      alter publication supabase_realtime add table public.added;
      alter publication supabase_realtime drop table public.dropped;
      alter table public.followed add primary key (id); alter table public.kept_whole replica identity full;
      notify pgrst, 'reload schema'`)
    await eventually(async () => {
      const attached = await attachedTables(server.db)
      expect(attached).toContain('public.added')
      expect(attached).not.toContain('public.dropped')
      expect(await argsOf('followed')).not.toBe(before.key)
      expect(await argsOf('kept_whole')).not.toBe(before.identity)
    })
  })

  test('fire before those of the project, so a change comes before its consequences', async () => {
    await script(`
      create function public.note_it() returns trigger language plpgsql as $$
      begin
        insert into public.room_messages (room_id, body) values (9, new.remark);
        return null;
      end $$;
      create trigger a_first after insert on public.open_moods for each row execute function public.note_it()`)
    const service = await openSocket(server, server.serviceKey)
    await service.join('realtime:x', { changes: [{ event: 'INSERT', schema: 'public' }] })
    await run(`insert into open_moods values ($1, '2026-11-25', 'calm', 'why')`, olivia.id)
    await eventually(() => expect(service.changes()).toHaveLength(2))
    expect(service.changes().map(({ table }) => table)).toEqual(['open_moods', 'room_messages'])
    service.ws.terminate()
    await script('drop trigger a_first on public.open_moods')
  })

  test('let a write through whose row they cannot describe', async () => {
    await script(`
      create type public.stubborn as (a int);
      create function public.refuse_json(public.stubborn) returns json language plpgsql as
        $$ begin raise exception 'not to be described'; end $$;
      create cast (public.stubborn as json) with function public.refuse_json(public.stubborn);
      create table public.stubborn_rows (id int primary key, what public.stubborn);
      alter publication supabase_realtime add table public.stubborn_rows;
      select realtime.attach_capture()`)
    await run(`insert into stubborn_rows values (1, row(5))`)
    await run('update stubborn_rows set id = 2')
    expect(await run('delete from stubborn_rows returning id')).toEqual([{ id: 2 }])
  })

  test('tell nobody who asks: the functions and the table are the server’s own', async () => {
    const open = await run(
      `select p.proname from pg_proc as p, unnest(array['anon', 'authenticated']) as r
       where p.pronamespace = 'realtime'::regnamespace and p.proname <> 'topic'
         and has_function_privilege(r, p.oid, 'execute')`,
    )
    expect(open).toEqual([])
    for (const role of ['anon', 'authenticated', 'service_role', 'project_owner'])
      for (const right of ['select', 'insert', 'update', 'delete', 'trigger'])
        expect(
          await run(`select has_table_privilege($1, 'realtime.changes', $2) as has`, role, right),
        ).toEqual([{ has: false }])
  })
})

describe('a change', () => {
  test('nobody waits for costs no question, and the others are asked about together for all sockets of a person', async () => {
    const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(server)))
    for (const one of sockets)
      await one.watch('x', olivia, { event: 'INSERT', filter: `owner_id=eq.${olivia.id}` })
    const batch = vi.spyOn(server.db, 'batch')
    // Checks of rows that an earlier test deleted may still reach the database.
    const asked = () =>
      batch.mock.calls.filter(([statements]) => statements.some(({ text }) => text.includes('"notes"')))
    await run(`insert into room_messages (room_id, body) values (1, 'unwatched')`)
    await insert('unwatched too', zoe)
    await insert('one')
    await eventually(() => expect(sockets.map((one) => one.changes().length)).toEqual(Array(5).fill(1)))
    expect(asked()).toHaveLength(1)
    await script(`insert into notes (owner_id) select '${olivia.id}' from generate_series(1, 50)`)
    await eventually(() => expect(sockets.map((one) => one.changes().length)).toEqual(Array(5).fill(51)))
    expect(asked().length).toBeLessThanOrEqual(4)
    batch.mockRestore()
    for (const { ws } of sockets) ws.terminate()
  })

  test('is heard by every server on the database', async () => {
    // On Postgres, the second server has its own connections; the embedded database has only one.
    const own = server.databaseUrl === undefined ? undefined : await openPostgres(server.databaseUrl)
    const second = await startRealtimeAlone(own ?? server.db)
    const there = await openSocket(second)
    for (const one of [socket, there]) await one.watch('x', olivia)
    for (const db of [server.db, own ?? server.db])
      await db.query('insert into notes (owner_id) values ($1)', [olivia.id])
    for (const one of [socket, there]) await eventually(() => expect(one.changes()).toHaveLength(2))
    there.ws.terminate()
    await second.close()
    await own?.close()
  })
})
