// The Postgres run: every test gets its own database in a throwaway cluster.
import 'vitest'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '#db/postgres.ts'
import { findPostgres } from '../../scripts/postgres.mjs'
import { startCluster, urlOf } from './cluster.ts'
import { migrateTemplate, TEMPLATE_DATABASE } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    clusterUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bin = findPostgres()
  if (!bin) throw new Error('No local Postgres binaries')
  const cluster = await startCluster(bin)
  const admin = await openPostgres(cluster.url, { max: 1 })
  await admin.query(`create database ${TEMPLATE_DATABASE}`)
  await admin.close()
  const template = await openPostgres(urlOf(cluster.url, TEMPLATE_DATABASE), { max: 1 })
  await migrateTemplate(template)
  // Half of it is left over from the migrations, and every test file copies it.
  await template.query('vacuum full')
  await template.close()
  project.provide('clusterUrl', cluster.url)
  return cluster.stop
}
