// The function a project has run before each request, which it names in a setting of a role.
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openLibrary } from './library.ts'

const library = await openLibrary()

await library.db.transaction((tx) =>
  tx.script(`
    create schema hidden;
    grant usage on schema hidden to anon, authenticated, service_role;
    create table hidden.seen (who text, method text, path text);
    create function hidden."Look"() returns void language plpgsql security definer as $$
    begin
      if current_setting('transaction_read_only') = 'off' then
        insert into hidden.seen
        values (current_setting('role'), current_setting('request.method'), current_setting('request.path'));
      end if;
      if current_setting('request.headers')::json ->> 'x-stop' is not null then
        raise exception 'Not now' using errcode = 'PT429';
      end if;
    end $$;
    do $set$ begin
      execute format($$alter role authenticator in database %I set pgrst.db_pre_request = 'hidden."Look"'$$,
        current_database());
    end $set$;
    notify pgrst, 'reload config';`),
)
const stopped = { headers: { 'x-stop': 'yes' } }
while ((await library.ask('/lib_genres', stopped)).status !== 429) await pause(10)

const seen = () => library.db.query('delete from hidden.seen returning who, method, path')

test('it refuses what is read, written and called', async () => {
  for (const [path, options] of [
    ['/lib_genres', {}],
    ['/lib_authors', { method: 'POST', body: { name: 'Nobody' } }],
    ['/rpc/lib_add', { method: 'POST', body: { a: 1 } }],
  ] as const) {
    expect((await library.ask(path, options)).status).toBeLessThan(300)
    const refusal = await library.ask(path, { ...options, ...stopped })
    expect(refusal).toMatchObject({ status: 429, json: { code: 'PT429', message: 'Not now' } })
  }
  expect(await library.db.query(`select name from lib_authors where name = 'Nobody'`)).toHaveLength(1)
  await seen()
})

test('it runs as the caller in the transaction of the request', async () => {
  await library.ask('/lib_authors?name=eq.Nobody', { as: 'service', method: 'DELETE' })
  expect(await seen()).toEqual([{ who: 'service_role', method: 'DELETE', path: '/lib_authors' }])
})

test('what it wrote about a request that was refused stays, once', async () => {
  const broken = { method: 'POST', body: { id: 1, name: 'Again' } }
  expect((await library.ask('/lib_genres', broken)).status).toBeGreaterThanOrEqual(400)
  expect(await seen()).toEqual([{ who: 'authenticated', method: 'POST', path: '/lib_genres' }])
  const single = { Accept: 'application/vnd.pgrst.object+json', Prefer: 'return=representation' }
  const several = { method: 'PATCH', body: { born: '1900-01-01' }, headers: single }
  expect((await library.ask('/lib_authors?id=not.is.null', several)).status).toBe(406)
  expect(await seen()).toEqual([{ who: 'authenticated', method: 'PATCH', path: '/lib_authors' }])
})
