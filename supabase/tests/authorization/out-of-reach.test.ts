// Everything outside schema public, which the matrix leaves out because no client can reach it.
// Proves ROLE 13
import { describe, expect, test } from 'vitest'
import { newClient, testServer } from '../../../server/test/harness.ts'
import { addPerson, visitor } from '../people.ts'

const server = await testServer()

const found = async (sql: string) => (await server.db.query<{ found: string }>(sql)).map((row) => row.found)

const CLIENT_ROLES = `(values ('anon'), ('authenticated')) as client (role)`
const NOT_EXPOSED = `n.nspname <> 'public' and n.nspname !~ '^(pg_|information_schema)'`

describe('outside schema public', () => {
  test('there are the schemas of the platform and one of our own', async () => {
    expect(
      await found(`select nspname as found from pg_namespace as n where ${NOT_EXPOSED} order by 1`),
    ).toEqual(['auth', 'cron', 'extensions', 'net', 'platform', 'private', 'realtime', 'supabase_migrations'])
  })

  // The two tables of `private` are behind the view user_profiles, whose cells are in the matrix.
  test('clients have a right to three tables, and not to a single column of another', async () => {
    expect(
      await found(`select role || ' ' || c.oid::regclass as found
        from ${CLIENT_ROLES}, pg_class as c join pg_namespace as n on n.oid = c.relnamespace
        where ${NOT_EXPOSED} and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and case c.relkind
          when 'S' then has_sequence_privilege(role, c.oid, 'usage, select, update')
          else has_any_column_privilege(role, c.oid, 'select, insert, update, references')
            or has_table_privilege(role, c.oid, 'delete, truncate, trigger') end order by 1`),
    ).toEqual([
      ...[
        'anon realtime.messages',
        'authenticated private.user_details',
        'authenticated private.user_profiles',
      ],
      'authenticated realtime.messages',
    ])
  })

  test('nobody broadcasts: no policy lets anybody see or write a message of realtime', async () => {
    expect(
      await found(
        `select relrowsecurity::text as found from pg_class where oid = 'realtime.messages'::regclass`,
      ),
    ).toEqual(['true'])
    expect(await found(`select policyname as found from pg_policies where schemaname = 'realtime'`)).toEqual(
      [],
    )
  })

  // Functions of schema `private` that visitors can call are listed in grants.test.ts.
  test('visitors can call what tells them who they are', async () => {
    expect(
      await found(`select p.oid::regprocedure::text as found
        from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
        where ${NOT_EXPOSED} and n.nspname <> 'private' and has_schema_privilege('anon', n.oid, 'usage')
          and has_function_privilege('anon', p.oid, 'execute') order by 1`),
    ).toEqual(['auth.email()', 'auth.jwt()', 'auth.role()', 'auth.uid()', 'realtime.topic()'])
  })

  test('signed-in people can call those and what schema private lends to schema public', async () => {
    expect(
      await found(`select distinct n.nspname::text as found
        from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
        where ${NOT_EXPOSED} and has_schema_privilege('authenticated', n.oid, 'usage')
          and has_function_privilege('authenticated', p.oid, 'execute') order by 1`),
    ).toEqual(['auth', 'private', 'realtime'])
  })

  test('and both are told of themselves alone', async () => {
    const zoe = await addPerson(server.db, 'Zoe')
    const who = 'select auth.uid() as id, auth.role() as role, auth.email() as email'
    expect(await zoe.run(who)).toEqual([{ id: zoe.id, role: 'authenticated', email: zoe.email }])
    expect(await visitor(server.db).run(who)).toEqual([{ id: null, role: 'anon', email: null }])
  })

  test('clients create nothing anywhere, and belong to no other role', async () => {
    expect(
      await found(`select role || ' ' || nspname as found from ${CLIENT_ROLES}, pg_namespace as n
        where has_schema_privilege(role, n.oid, 'create')`),
    ).toEqual([])
    expect(
      await found(`select member::regrole || ' ' || roleid::regrole as found from pg_auth_members
        where member::regrole::text in ('anon', 'authenticated')`),
    ).toEqual([])
  })

  test.each('auth cron extensions net platform private realtime supabase_migrations pg_catalog'.split(' '))(
    'schema %s is not served, not even with the service key',
    async (schema) => {
      for (const key of [server.anonKey, server.serviceKey]) {
        const client = newClient(server, key).schema(schema)
        expect((await client.from('users').select()).error).toMatchObject({ code: 'PGRST106' })
        expect((await client.rpc('is_admin')).error).toMatchObject({ code: 'PGRST106' })
      }
    },
  )
})
