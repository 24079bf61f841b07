// A Postgres whose superuser is out of reach, as in managed services. Checks which roles may set up a site, and that
// the site's owner role alone can run it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { main } from '#copy/main.ts'
import type { Database } from '#db/database.ts'
import { MissingRights, migrate, OWNER_ROLE } from '#db/migrate.ts'
import { openPostgres } from '#db/postgres.ts'
import { findPostgres } from '../../scripts/postgres.mjs'
import { startCluster, urlOf } from './cluster.ts'
import { eventually } from './eventually.ts'
import { addAccount, newClient, serveTest } from './harness.ts'
import { migrateTemplate } from './template.ts'

const cluster = await startCluster(findPostgres() ?? '')
const superuser = await openPostgres(cluster.url, { max: 1 })
afterAll(async () => {
  await superuser.close()
  await cluster.stop()
})
const urlAs = (role: string, database: string) =>
  urlOf(cluster.url.replace('postgres@', `${role}@`), database)
const start = async (role: string, database: string): Promise<Database> => {
  const db = await openPostgres(urlAs(role, database), { max: 4 })
  await migrateTemplate(db).catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  return db
}
const startOnce = async (role: string, database: string) => (await start(role, database)).close()
const policies = (db: Database) =>
  db.query(
    `select distinct policyname from pg_policies where policyname like '% bypasses row-level security' order by 1`,
  )

test('a role with CREATEROLE sets its database up, and without it starts the server again, copies it and runs it', {
  timeout: 240_000,
}, async () => {
  await superuser.query('create role site login createrole createdb')
  for (const name of ['site', 'copy']) await superuser.query(`create database ${name} owner site`)
  await startOnce('site', 'site')
  await superuser.query('alter role site nocreaterole nocreatedb')
  const db = await start('site', 'site')
  expect(await policies(db)).toEqual([
    { policyname: 'project_owner bypasses row-level security' },
    { policyname: 'service_role bypasses row-level security' },
  ])
  // A later migration adds this table.
  const sql = `create table public.added (id integer primary key); alter table public.added enable row level security;
    grant all on public.added to anon, service_role`
  await migrate(db, { platform: [], migrations: [{ version: '990', name: 'added', sql }] })

  const server = await serveTest(db, urlAs('site', 'site'))
  await db.query(`update cron.job set next_run_at = statement_timestamp()`)
  const service = newClient(server, server.serviceKey)
  expect((await service.from('added').insert({ id: 1 }).select()).data).toEqual([{ id: 1 }])
  expect((await newClient(server).from('added').select()).data).toEqual([])
  const ana = await addAccount(server, 'ana@example.org')
  expect((await service.from('user_profiles').select('user_id')).data).toEqual([{ user_id: ana.id }])
  // The project's pre-request function must refuse requests of an ended session.
  const own = newClient(server, server.anonKey, ana.accessToken)
  const profile = () => own.from('user_profiles').select()
  expect((await profile()).error).toBeNull()
  await db.query('delete from auth.sessions')
  expect((await profile()).error).not.toBeNull()
  const runs = (status: string) =>
    db.query(
      `select command, return_message from cron.job_run_details where status ${status} 'succeeded' and end_time is not null`,
    )
  await eventually(async () => expect((await runs('=')).length).toBeGreaterThan(15), { timeout: 30_000 })
  expect(await runs('<>')).toEqual([])
  expect(
    await db.query(`select count(*) as n from cron.job where username not in ('site', '${OWNER_ROLE}')`),
  ).toEqual([{ n: 0 }])
  await server.close()

  const folder = await mkdtemp(join(tmpdir(), 'potluck-owner-'))
  afterAll(() => rm(folder, { recursive: true }))
  const site = await openPostgres(urlAs('site', 'site'), { max: 1 })
  const rules = `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint where contype = 'f'
    union all select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal and tgname <> '_realtime_capture' order by 1, 2`
  await site.transaction((tx) =>
    tx.script(
      "delete from supabase_migrations.schema_migrations where version = '990'; drop table public.added",
    ),
  )
  const before = await site.query(rules)
  await site.close()
  expect(
    await main(['move', urlAs('site', 'copy')], { DATA_DIR: folder, DATABASE_URL: urlAs('site', 'site') }),
  ).toBe(0)
  const copy = await openPostgres(urlAs('site', 'copy'), { max: 1 })
  expect(await copy.query('select email from auth.users')).toEqual([{ email: 'ana@example.org' }])
  expect(await copy.query(rules)).toEqual(before)
  await copy.close()

  for (const role of ['service_role', OWNER_ROLE]) await superuser.query(`alter role ${role} bypassrls`)
  const eased = await start('site', 'site')
  expect(await policies(eased)).toEqual([])
  await eased.close()
})

test('a superuser hands what it set up to the owner of the database, who starts the server from then on', {
  timeout: 240_000,
}, async () => {
  await superuser.query('create role plain login')
  await superuser.query('create database handed owner plain')
  await startOnce('postgres', 'handed')
  await startOnce('plain', 'handed')
  const db = await start('plain', 'handed')
  expect(
    await db.query(`select distinct pg_get_userbyid(relowner) as owner from pg_class
      where relnamespace::regnamespace::text in ('auth', 'cron', 'net', 'platform', 'realtime', 'supabase_migrations') order by 1`),
  ).toEqual([{ owner: 'plain' }, { owner: OWNER_ROLE }])
  expect(await db.query(`select username from cron.job where jobname = 'platform-housekeeping'`)).toEqual([
    { username: 'plain' },
  ])
  await db.close()
})

test('a role that may not set the database up is told what is missing, and needs no CREATEROLE where the roles are there', async () => {
  await superuser.query('create role stranger login')
  await superuser.query('create database strange owner stranger')
  await expect(startOnce('stranger', 'strange')).rejects.toThrow(MissingRights)
  await expect(startOnce('stranger', 'strange')).rejects.toThrow(/CREATEROLE/)
  // The roles exist already, from another site on this Postgres.
  await superuser.query(`grant anon, authenticated, service_role, ${OWNER_ROLE} to stranger`)
  await startOnce('stranger', 'strange')
})
