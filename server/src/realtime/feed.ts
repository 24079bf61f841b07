// Reads announcements in commit order and passes each change to the people it concerns.
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { Catalogue } from './catalogue.ts'
import { type Change, readChange } from './changes.ts'
import { compare } from './comparisons.ts'
import { splitFields } from './json-fields.ts'
import { createLanes } from './lanes.ts'
import { currentRows } from './rows.ts'
import type { Subscriptions } from './subscriptions.ts'

const MAX_BATCH = 500

interface Feed {
  /** Handles one announcement of the trigger; never throws. */
  hear(payload: string): void
}

export function createFeed(parts: {
  db: Database
  catalogue: Catalogue
  subscriptions: Subscriptions
  log: Logger
  onStale: () => void
}): Feed {
  const { db, catalogue, subscriptions, log } = parts
  const lanes = createLanes({ db, log, onRefusedRead: parts.onStale })
  const heard: Change[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (heard.length > 0) {
      const batch = heard.splice(0, MAX_BATCH)
      try {
        await handOut(batch)
      } catch (error) {
        log.error({ err: error }, 'realtime: changes could not be handed out')
        subscriptions.fail(batch.map(({ of }) => of))
      }
    }
    isRunning = false
  }

  async function handOut(batch: Change[]): Promise<void> {
    const changes = await complete(batch)
    const held = await compare(
      db,
      changes.flatMap((change) => subscriptions.openComparisons(change)),
    )
    for (const change of changes) {
      const table = catalogue.find(change.of)
      const matches = subscriptions.matching(change, held)
      if (table && matches.size > 0) lanes.add(change, table, matches)
    }
  }

  // Reads rows that were too large for NOTIFY. If a row no longer exists, its change is dropped.
  async function complete(batch: Change[]): Promise<Change[]> {
    const rows = new Map<Change, string | undefined>()
    const incomplete = batch.filter(({ shortened, type }) => shortened && type !== 'DELETE')
    for (const of of new Set(incomplete.map((change) => change.of))) {
      const table = catalogue.find(of)
      if (!table || table.key.length === 0) continue
      const changes = incomplete.filter((change) => change.of === of)
      const current = await currentRows(
        db,
        table,
        changes.map(({ record }) => record),
      )
      for (const [index, change] of changes.entries()) rows.set(change, current.get(index))
    }
    return batch.flatMap((change) => {
      if (!rows.has(change)) return [change]
      const row = rows.get(change)
      return row === undefined ? [] : [{ ...change, record: splitFields(row) }]
    })
  }

  return {
    hear: (payload) => {
      try {
        const change = readChange(payload, (table) => subscriptions.isWatched(table))
        if (!change) return
        heard.push(change)
      } catch (error) {
        log.warn({ err: error }, 'realtime: an announcement could not be read')
        return
      }
      if (!isRunning) void run()
    },
  }
}
