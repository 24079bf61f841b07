// A Postgres with pg_cron as packaged by Debian 12: version 1.4, which does not support intervals in seconds.
import { afterAll, expect, test } from 'vitest'
import { openPostgres } from '#db/postgres.ts'
import { findPostgres } from '../../scripts/postgres.mjs'
import { startCluster } from './cluster.ts'
import { eventually } from './eventually.ts'
import { serveTest } from './harness.ts'
import { migrateTemplate } from './template.ts'

const cluster = await startCluster(findPostgres() ?? '', ['shared_preload_libraries=pg_cron'])
const db = await openPostgres(cluster.url)
afterAll(() => cluster.stop())

const scheduled = (schema: string) =>
  db.query(`select jobname, schedule from ${schema}.job where jobname in ('due-work', 'mine') order by 1`)
const DUE_WORK = { jobname: 'due-work', schedule: '10 seconds' }
const MINE = { jobname: 'mine', schedule: '0 0 1 1 *' }

test('the jobs of the site are the server’s, every 10 seconds, and those of others stay with pg_cron', async () => {
  await db.query('create extension pg_cron')
  const mine = () => db.query(`select cron.schedule('mine', '0 0 1 1 *', 'select 1')`)
  await mine()
  // A job that an earlier version of the server gave to pg_cron.
  await db.query(
    `insert into cron.job (jobname, schedule, command) values ('platform-housekeeping', '@daily', 'select 1')`,
  )
  for (const _start of [1, 2]) await migrateTemplate(db)
  await mine()
  expect([await scheduled('cron'), await scheduled('project_cron')]).toEqual([[MINE], [DUE_WORK]])

  const server = await serveTest(db, cluster.url)
  await eventually(async () =>
    expect(
      await db.query(`select count(*) filter (where status = 'succeeded') as done, count(*) filter (where status = 'failed') as failed
        from project_cron.job_run_details natural join project_cron.job where jobname = 'due-work'`),
    ).toEqual([{ done: 2, failed: 0 }]),
  )

  await db.query('drop extension pg_cron')
  await migrateTemplate(db)
  expect(await scheduled('cron')).toEqual([DUE_WORK])
  await server.close()
})
