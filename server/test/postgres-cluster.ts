// Tests on Postgres: every test file gets its own database in a throwaway cluster.
import 'vitest'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '#db/postgres.ts'
import { findPostgres } from '../../scripts/postgres.mjs'
import { startCluster, urlOf, WITH_PG_CRON } from './cluster.ts'
import { migrateTemplate, TEMPLATE_DATABASE } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    clusterUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bin = findPostgres()
  if (!bin) throw new Error('No local Postgres binaries')
  const cluster = await startCluster(bin, WITH_PG_CRON ? [`cron.database_name=${TEMPLATE_DATABASE}`] : [])
  const admin = await openPostgres(cluster.url, { max: 1 })
  await admin.query(`create database ${TEMPLATE_DATABASE}`)
  await admin.close()
  const template = await openPostgres(urlOf(cluster.url, TEMPLATE_DATABASE), { max: 1 })
  if (WITH_PG_CRON) await template.query('create extension pg_cron')
  await migrateTemplate(template)
  // Half of the template consists of dead rows from the migrations, and every test file copies the template.
  await template.query('vacuum full')
  await template.close()
  if (WITH_PG_CRON) await closeToAll(cluster.url, TEMPLATE_DATABASE)
  project.provide('clusterUrl', cluster.url)
  return cluster.stop
}

/**
 * Makes the database refuse connections: pg_cron stays connected to a database that accepts them, and a database in use
 * cannot be copied.
 */
async function closeToAll(cluster: string, database: string): Promise<void> {
  const admin = await openPostgres(cluster, { max: 1 })
  await admin.query(`alter database ${database} allow_connections false`)
  const end = 'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1'
  await admin.query(end, [database])
  await admin.close()
}
