// The triggers behind realtime: who has one, and that they never stand in a write's way.
import { describe, expect, test, vi } from 'vitest'
import { openPostgres } from '#db/postgres.ts'
import { eventually } from '../eventually.ts'
import {
  attachedTables,
  newPerson,
  openSocket,
  startRealtimeAlone,
  testRealtime,
} from '../fixtures/realtime.ts'

const olivia = newPerson()
const server = await testRealtime()

const run = (sql: string, ...values: (string | null)[]) => server.db.query(sql, values)
const triggers = () =>
  run(`select oid::text, tgrelid::regclass::text as name, tgargs::text from pg_trigger
    where tgname = '_realtime_capture' order by 2`)

describe('the triggers', () => {
  test('sit on exactly the published tables', async () => {
    const published = await run(
      `select schemaname || '.' || tablename as name from pg_publication_tables
       where pubname = 'supabase_realtime' order by schemaname, tablename`,
    )
    expect(await attachedTables(server.db)).toEqual(published.map(({ name }) => name))
    expect(await attachedTables(server.db)).not.toContain('public.unpublished')
  })

  test('are left alone by another attaching, whoever runs it at the same time', async () => {
    const before = await triggers()
    await Promise.all([1, 2, 3].map(() => run('select realtime.attach_capture()')))
    expect(await triggers()).toEqual(before)
  })

  test('follow the publication, a table’s key and its replica identity when the schema is reloaded', async () => {
    const argsOf = async (table: string) => (await triggers()).find(({ name }) => name === table)?.tgargs
    const before = await argsOf('keyless')
    await run('alter publication supabase_realtime add table public.unpublished')
    await run('alter publication supabase_realtime drop table public.staff_only')
    await run('alter table public.keyless add primary key (word)')
    await run('alter table public.notes replica identity full')
    const notesBefore = await argsOf('notes')
    await run(`notify pgrst, 'reload schema'`)
    await eventually(async () => {
      expect(await attachedTables(server.db)).toContain('public.unpublished')
      expect(await attachedTables(server.db)).not.toContain('public.staff_only')
      expect(await argsOf('keyless')).not.toBe(before)
      expect(await argsOf('notes')).not.toBe(notesBefore)
    })
  })

  test('fire before those of the project, so a change comes before its consequences', async () => {
    await server.db.transaction((tx) =>
      tx.script(`
        create function public.note_it() returns trigger language plpgsql as $$
        begin
          insert into public.room_messages (room_id, body) values (9, new.remark);
          return null;
        end $$;
        create trigger a_first after insert on public.open_moods for each row execute function public.note_it();
      `),
    )
    const socket = await openSocket(server, server.serviceKey)
    await socket.join('realtime:x', { changes: [{ event: 'INSERT', schema: 'public' }] })
    await run(`insert into open_moods values ($1, '2026-11-25', 'calm', 'why')`, olivia.id)
    await eventually(() => expect(socket.changes()).toHaveLength(2))
    expect(socket.changes().map(({ table }) => table)).toEqual(['open_moods', 'room_messages'])
    socket.ws.terminate()
  })

  test('let a write through whose row they cannot describe', async () => {
    await server.db.transaction((tx) =>
      tx.script(`
        create type public.stubborn as (a int);
        create function public.refuse_json(public.stubborn) returns json language plpgsql as
          $$ begin raise exception 'not to be described'; end $$;
        create cast (public.stubborn as json) with function public.refuse_json(public.stubborn);
        create table public.stubborn_rows (id int primary key, what public.stubborn);
        alter publication supabase_realtime add table public.stubborn_rows;
        select realtime.attach_capture();
      `),
    )
    await run(`insert into stubborn_rows values (1, row(5))`)
    await run('update stubborn_rows set id = 2')
    expect(await run('select id from stubborn_rows')).toEqual([{ id: 2 }])
    await run('delete from stubborn_rows')
  })

  test('announce to nobody who asks: the functions are the server’s own', async () => {
    const [row] = await run(
      `select bool_or(has_function_privilege(r, p.oid, 'execute')) as open
       from pg_proc as p, unnest(array['anon', 'authenticated']) as r
       where p.pronamespace = 'realtime'::regnamespace and p.proname <> 'topic'`,
    )
    expect(row?.open).toBe(false)
  })
})

test('what is no announcement is logged, and the next change comes', async () => {
  const socket = await openSocket(server, server.serviceKey)
  await socket.join('realtime:x', { changes: [{ event: 'INSERT', schema: 'public', table: 'notes' }] })
  server.logged.length = 0
  for (const forged of ['', 'rubbish', '[1,2]', '["public","notes","DROP","",false,1]\n{}\n']) {
    await run('select pg_notify($1, $2)', 'realtime_changes', forged)
  }
  await run(`insert into notes (owner_id, title) values ($1, 'real')`, olivia.id)
  await socket.next({ event: 'postgres_changes' })
  expect(socket.changes().map(({ record }) => record?.title)).toEqual(['real'])
  expect(server.logged.filter((line) => line.includes('could not be read'))).toHaveLength(4)
  socket.ws.terminate()
})

test('changes nobody watches cost no question to the database', async () => {
  const socket = await openSocket(server)
  await socket.join('realtime:x', {
    changes: [{ event: 'INSERT', schema: 'public', table: 'notes', filter: `owner_id=eq.${olivia.id}` }],
    token: await olivia.token(),
  })
  const batch = vi.spyOn(server.db, 'batch')
  await run(`insert into room_messages (room_id, body) values (1, 'unwatched')`)
  await run('insert into notes (owner_id) values (gen_random_uuid())')
  await run('insert into notes (owner_id) values ($1)', olivia.id)
  await socket.next({ event: 'postgres_changes' })
  expect(batch).toHaveBeenCalledTimes(1)
  socket.ws.terminate()
})

test('many sockets of one person cost one question, and changes that pile up are asked about together', async () => {
  const token = await olivia.token()
  const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(server)))
  for (const socket of sockets) {
    await socket.join('realtime:x', {
      changes: [{ event: 'INSERT', schema: 'public', table: 'notes' }],
      token,
    })
  }
  const batch = vi.spyOn(server.db, 'batch')
  await server.db.transaction(async (tx) => {
    for (let n = 0; n < 50; n += 1) await tx.query('insert into notes (owner_id) values ($1)', [olivia.id])
  })
  await eventually(() =>
    expect(sockets.map((socket) => socket.changes().length)).toEqual([50, 50, 50, 50, 50]),
  )
  expect(batch.mock.calls.length).toBeLessThanOrEqual(3)
  for (const { ws } of sockets) ws.terminate()
})

test('servers side by side on one database share their changes', async () => {
  // On Postgres with connections of its own; the embedded database has only the one.
  const own = server.databaseUrl === undefined ? undefined : await openPostgres(server.databaseUrl)
  const second = await startRealtimeAlone(own ?? server.db)
  const here = await openSocket(server, server.serviceKey)
  const there = await openSocket(second, second.serviceKey)
  for (const socket of [here, there]) {
    await socket.join('realtime:x', { changes: [{ event: '*', schema: 'public', table: 'notes' }] })
  }
  for (const db of [server.db, own ?? server.db]) {
    await db.query('insert into notes (owner_id) values ($1)', [olivia.id])
  }
  for (const socket of [here, there]) await eventually(() => expect(socket.changes()).toHaveLength(2))
  await second.close()
  await own?.close()
  here.ws.terminate()
})
