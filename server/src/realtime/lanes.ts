// Delivers changes to people. People with the same rights share a lane: while one visibility check is running, further
// changes queue up and are then checked together, in order. A person has at most one running check, so a slow policy or
// many tokens of one person do not delay others.

import { setImmediate as letOthersWork } from 'node:timers/promises'
import limitConcurrency from 'p-limit'
import type { Logger } from 'pino'
import { type Database, DatabaseError, isUnavailable } from '#db/database.ts'
import type { PublishedTable } from './catalogue.ts'
import type { Change } from './changes.ts'
import type { Credentials } from './credentials.ts'
import { describeChange, mayReceive, needsLook } from './payloads.ts'
import { formerRows, visibleRows } from './rows.ts'
import type { Matches, Subscriber } from './subscriptions.ts'

const MAX_KEYS = 500
// Checks share the database with requests, so they get few connections, and on the embedded database every other turn.
const CHECKS_AT_ONCE = { pglite: 1, postgres: 4 }

interface Delivery {
  change: Change
  table: PublishedTable
  to: { subscriber: Subscriber; ids: number[]; caller: Credentials }[]
}

interface Lane {
  waiting: Delivery[]
  isRunning: boolean
}

interface Lanes {
  /** Queues the change for every matching subscriber. */
  add(change: Change, table: PublishedTable, matches: Matches): void
}

export function createLanes(parts: { db: Database; log: Logger; onRefusedRead: () => void }): Lanes {
  const { db, log } = parts
  const lanes = new Map<string, Lane>()
  const inTurn = limitConcurrency(CHECKS_AT_ONCE[db.kind])
  const lastTurns = new Map<string | undefined, Promise<unknown>>()

  async function run(name: string, lane: Lane): Promise<void> {
    lane.isRunning = true
    while (lane.waiting.length > 0) {
      const batch = lane.waiting.splice(0, MAX_KEYS)
      try {
        await deliver(batch)
      } catch (error) {
        log.error({ err: error }, 'realtime: changes could not be delivered')
        for (const { to } of batch) for (const { subscriber } of to) subscriber.fail()
      }
    }
    lanes.delete(name)
  }

  async function deliver(batch: Delivery[]): Promise<void> {
    // All subscribers have the same rights, so the check runs as any of them whose channel is open: policies may refuse
    // a person whose session has just ended.
    const caller = batch.flatMap(({ to }) => to).findLast(({ subscriber }) => subscriber.isOpen)?.caller
    if (!caller) return
    const visible = new Set<Delivery>()
    await Promise.all(
      [...groupByTable(batch)].map(async ([table, deliveries]) => {
        const asked: Delivery[] = []
        const gone: Delivery[] = []
        for (const one of deliveries) {
          if (!needsLook(one.change, table)) visible.add(one)
          else if (one.change.type === 'DELETE') gone.push(one)
          else asked.push(one)
        }
        const seen = [
          await look(caller, table, asked, () =>
            visibleRows(
              db,
              caller,
              table,
              asked.map(({ change }) => change.record),
            ),
          ),
          await look(caller, table, gone, () =>
            formerRows(
              db,
              caller,
              table,
              gone.map(({ change }) => change.gone),
            ),
          ),
        ]
        for (const one of seen.flat()) visible.add(one)
      }),
    )
    for (const delivery of batch) if (visible.has(delivery)) send(delivery, caller.role)
  }

  /** Returns the entries of `asked` whose index `ask` returns. */
  async function look(
    caller: Credentials,
    table: PublishedTable,
    asked: Delivery[],
    ask: () => Promise<Set<number>>,
  ): Promise<Delivery[]> {
    if (asked.length === 0) return []
    try {
      const seen = await onePerPerson(caller.person, ask)
      return asked.filter((_one, index) => seen.has(index))
    } catch (error) {
      // Postgres refused: nothing is delivered, and our copy of the table's definition may be out of date.
      if (!(error instanceof DatabaseError) || isUnavailable(error)) throw error
      log.warn(
        { err: error, table: table.name, role: caller.role },
        'realtime: a visibility check was refused',
      )
      parts.onRefusedRead()
      return []
    }
  }

  async function onePerPerson<T>(person: string | undefined, ask: () => Promise<T>): Promise<T> {
    // The embedded database responds within one turn of the event loop, but sockets need a new turn to send and
    // receive.
    const answer = Promise.resolve(lastTurns.get(person)).then(() => inTurn(() => letOthersWork().then(ask)))
    const over = answer.catch(() => undefined)
    lastTurns.set(person, over)
    try {
      return await answer
    } finally {
      if (lastTurns.get(person) === over) lastTurns.delete(person)
    }
  }

  return {
    add: (change, table, matches) => {
      for (const [subscriber, ids] of matches) {
        const { caller } = subscriber
        if (!mayReceive(table, caller.role)) continue
        const lane = lanes.get(caller.rights) ?? { waiting: [], isRunning: false }
        lanes.set(caller.rights, lane)
        const last = lane.waiting.at(-1)
        const recipient = { subscriber, ids, caller }
        if (last?.change === change) last.to.push(recipient)
        else lane.waiting.push({ change, table, to: [recipient] })
      }
      for (const [name, lane] of lanes) if (!lane.isRunning) void run(name, lane)
    },
  }
}

function send({ change, table, to }: Delivery, role: string): void {
  const data = describeChange(change, table, role)
  for (const { subscriber, ids, caller } of to) {
    // In the meantime the channel may have ended, or a new token may have changed its person.
    if (!subscriber.isOpen || subscriber.caller.subject !== caller.subject || subscriber.caller.role !== role)
      continue
    subscriber.push('postgres_changes', `{"ids":${JSON.stringify(ids)},"data":${data}}`)
  }
}

function groupByTable(batch: Delivery[]): Map<PublishedTable, Delivery[]> {
  const groups = new Map<PublishedTable, Delivery[]>()
  for (const one of batch) {
    const group = groups.get(one.table)
    if (group) group.push(one)
    else groups.set(one.table, [one])
  }
  return groups
}
