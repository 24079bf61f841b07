// A primary and its streaming standbys: which one serves visitors and when, and that a promoted standby works.
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '#db/database.ts'
import { migrate, OWNER_ROLE, readMigrations } from '#db/migrate.ts'
import { openPostgres } from '#db/postgres.ts'
import { openReplica } from '#db/replica.ts'
import { findPostgres } from '../../scripts/postgres.mjs'
import { startCluster, startStandby, urlOf, WITH_STANDBYS } from './cluster.ts'
import { eventually } from './eventually.ts'
import { migrateTemplate } from './template.ts'

const bin = findPostgres() ?? ''
const primary = await startCluster(bin, WITH_STANDBYS)
afterAll(primary.stop)
const within = { timeout: 10_000 }

test('visitors read from the replica, unless it lags, is gone, or is no replica', {
  timeout: 60_000,
}, async () => {
  const standby = await startStandby(bin, primary.url)
  const db = await openPostgres(primary.url)
  const log = pino({ enabled: false })
  const reads = openReplica({ db, url: standby.url, log })
  const elsewhere = openReplica({ db, url: primary.url, log })
  const whose = async (from = reads) =>
    (await from.batch([{ text: 'select pg_is_in_recovery() as replica' }]))[0]

  await eventually(async () => expect(await whose()).toEqual([{ replica: true }]), within)
  expect(await whose(elsewhere)).toEqual([{ replica: false }])
  // The statement runs on the primary: a standby would refuse it.
  expect(await reads.batch([{ text: 'create table added as select 1 as one' }])).toEqual([[]])

  const direct = await openPostgres(standby.url, { max: 1, isReplica: true })
  // A server with the standby's address in DATABASE_URL must not take it for the primary.
  await expect(openPostgres(standby.url)).rejects.toMatchObject({ code: '08001' })
  await direct.query('select pg_wal_replay_pause()')
  await db.query('insert into added values (2)')
  await eventually(async () => expect(await whose()).toEqual([{ replica: false }]), within)
  await direct.query('select pg_wal_replay_resume()')
  await eventually(async () => expect(await whose()).toEqual([{ replica: true }]), within)
  await direct.close()

  await standby.pause()
  expect(await whose()).toEqual([{ replica: false }])
  await standby.restart()
  await eventually(async () => expect(await whose()).toEqual([{ replica: true }]), within)

  await Promise.all([reads.close(), elsewhere.close()])
  await db.close()
  await standby.stop()
})

// Before issue 47 was fixed, the queue of requests numbered its rows with an identity column.
const EARLIER_QUEUE = `create schema net;
  create unlogged table net.http_request_queue (
    id bigint generated always as identity primary key, method text not null, url text not null, headers jsonb, body text,
    timeout_milliseconds integer not null
  )`

/** Expects every table to be readable and every sequence to work. Unlogged tables may be empty. */
async function expectToWork(db: Database, where: string): Promise<void> {
  const relations = await db.query<{ name: string; kind: string }>(
    `select oid::regclass::text as name, relkind as kind from pg_class
     where relkind in ('r', 'S') and relnamespace::regnamespace::text in ('auth', 'cron', 'net', 'platform', 'private', 'public', 'realtime')`,
  )
  expect(relations.length, where).toBeGreaterThan(50)
  for (const { name, kind } of relations)
    await db.query(
      kind === 'S' ? 'select nextval($1)' : `select count(*) from ${name}`,
      kind === 'S' ? [name] : [],
    )
  // Records a person's rate-limited attempt, and calls a function.
  const user = '00000000-0000-4000-8000-000000000001'
  await db.query('insert into auth.users (id, email) values ($1, $2) on conflict do nothing', [
    user,
    'ana@example.org',
  ])
  await db.transaction(
    async (tx) => {
      await tx.query(`select private.count_attempt($1, 'provider request', 5, 3600)`, [user])
      await tx.query(`select net.http_post('http://127.0.0.1:1/')`)
    },
    { role: OWNER_ROLE },
  )
  expect(await db.query('select url from net.http_request_queue'), where).not.toEqual([])
}

test('everything works after a crash, on a copy of the files, and once a standby is promoted', {
  timeout: 240_000,
}, async () => {
  const standby = await startStandby(bin, primary.url)
  const site = urlOf(primary.url, 'site')
  const admin = await openPostgres(primary.url, { max: 1 })
  for (const name of ['site', 'earlier']) await admin.query(`create database ${name}`)
  // The table must be created while the standby is attached, because standbys learn of unlogged relations only from the
  // log.
  const earlier = await openPostgres(urlOf(primary.url, 'earlier'), { max: 1 })
  await earlier.transaction((tx) => tx.script(EARLIER_QUEUE))
  await earlier.close()
  const db = await openPostgres(site, { max: 2 })
  await migrateTemplate(db)
  await expectToWork(db, 'on the primary')
  const [end] = await admin.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
  await db.close()
  await admin.close()

  const taken = await openPostgres(standby.url, { max: 1, isReplica: true })
  await eventually(
    async () => {
      const [row] = await taken.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as there', [
        end?.lsn ?? '',
      ])
      expect(row?.there).toBe(true)
    },
    { timeout: 60_000 },
  )
  await taken.query('select pg_promote()')
  await taken.close()
  const promoted = await openPostgres(urlOf(standby.url, 'site'), { max: 2 })
  await expectToWork(promoted, 'on the standby that was promoted')
  await promoted.close()
  // The next start repairs a site of an earlier version whose sequence is unreadable.
  const mended = await openPostgres(urlOf(standby.url, 'earlier'), { max: 2 })
  await migrate(mended, {
    platform: await readMigrations(`${import.meta.dirname}/../src/platform`),
    migrations: [],
  })
  await mended.transaction((tx) => tx.query(`select net.http_post('http://127.0.0.1:1/')`), {
    role: OWNER_ROLE,
  })
  await mended.close()

  await primary.crash()
  const copy = await startStandby(bin, primary.url)
  const copied = await openPostgres(copy.url, { max: 1, isReplica: true })
  await copied.query('select pg_promote()')
  await copied.close()
  for (const [where, cluster] of Object.entries({
    'after a crash': primary,
    'on a copy of the files': copy,
  })) {
    const there = await openPostgres(urlOf(cluster.url, 'site'), { max: 2 })
    await expectToWork(there, where)
    await there.close()
  }
  await copy.stop()
  await standby.stop()
})
