// Passes each change to the people it concerns.
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { Catalogue } from './catalogue.ts'
import { type Change, toChange } from './changes.ts'
import { compare } from './comparisons.ts'
import { createLanes } from './lanes.ts'
import type { ChangeRow } from './reader.ts'
import type { Subscriptions } from './subscriptions.ts'

interface Feed {
  /** Queues changes for the people whom they concern; never throws. */
  hear(rows: readonly ChangeRow[]): Promise<void>
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

  async function handOut(changes: Change[]): Promise<void> {
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

  return {
    hear: async (rows) => {
      const changes = rows.flatMap((row) => toChange(row, (table) => subscriptions.isWatched(table)) ?? [])
      try {
        await handOut(changes)
      } catch (error) {
        log.error({ err: error }, 'realtime: changes could not be handed out')
        subscriptions.fail(changes.map(({ of }) => of))
      }
    },
  }
}
