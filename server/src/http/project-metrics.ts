// Metrics that a project measures itself, by a function `metrics` for the service role.

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import type { Database } from '#db/database.ts'

interface Measured extends Record<string, unknown> {
  name: string
  help: string
  labels: Record<string, string>
  value: number
}

/**
 * Calls `public.metrics()`, whose rows have name, help, labels (an object) and value, before each reading of the
 * registry, and sets a gauge for each name. If that fails, the gauges are empty and `project_metrics_up` is 0. Does
 * nothing in a project without that function.
 */
export function addProjectMetrics(registry: Registry, db: Database, log: Logger): () => Promise<void> {
  const registers = [registry]
  const gauges = new Map<string, Gauge>()
  const up = new Gauge({
    name: 'project_metrics_up',
    help: '0 while the metrics of the project cannot be read from the database',
    registers,
  })
  const gaugeOf = ({ name, help, labels }: Measured) => {
    const gauge = gauges.get(name) ?? new Gauge({ name, help, labelNames: Object.keys(labels), registers })
    gauges.set(name, gauge)
    return gauge
  }
  // One at a time, so that a database that does not answer is not asked by each reading.
  let measuring: Promise<Measured[]> | undefined
  return async () => {
    for (const gauge of gauges.values()) gauge.reset()
    measuring ??= measure(db).finally(() => {
      measuring = undefined
    })
    try {
      for (const row of await inTime(measuring)) gaugeOf(row).set(row.labels, row.value)
      up.set(1)
    } catch (error) {
      up.set(0)
      log.warn({ err: error }, 'The metrics of the project cannot be read')
    }
  }
}

/** In ms. A monitor gives up after ten seconds, and needs the server's own metrics most while the database is busy. */
const PATIENCE_MS = 2_000

async function inTime<T>(work: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const late = pause(PATIENCE_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error('The database does not answer in time')
  })
  try {
    return await Promise.race([work, late])
  } finally {
    late.catch(() => undefined)
    ended.abort()
  }
}

const measure = (db: Database): Promise<Measured[]> =>
  db.transaction(
    async (tx) => {
      const [there] = await tx.query<{ there: boolean }>(
        `select to_regprocedure('public.metrics()') is not null as there`,
      )
      return there?.there ? tx.query<Measured>('select * from public.metrics()') : []
    },
    { role: 'service_role' },
  )
