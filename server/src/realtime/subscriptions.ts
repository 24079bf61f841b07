// Who watches which table, and which of them a change concerns.
import type { Watch } from './bindings.ts'
import type { Change } from './changes.ts'
import { type Comparison, comparisonName } from './comparisons.ts'
import { holds, openComparisons } from './conditions.ts'
import type { Credentials } from './credentials.ts'
import type { Fields } from './json-fields.ts'

/** A channel, as far as changes are concerned. */
export interface Subscriber {
  /** Whose rights decide; replaced when the client sends a new token. */
  readonly caller: Credentials
  readonly isOpen: boolean
  /** Sends an event; `payload` is JSON text. */
  push(event: string, payload: string): void
  /** Ends the channel so that its client joins again, because a change may have been missed. */
  fail(): void
}

/** Everything a change means to one subscriber: the ids of the bindings it matches. */
export type Matches = Map<Subscriber, number[]>

export class Subscriptions {
  readonly #byTable = new Map<string, Map<Subscriber, Watch[]>>()

  /** Replaces whatever the subscriber watched before. */
  set(subscriber: Subscriber, watches: readonly Watch[]): void {
    this.remove(subscriber)
    for (const watch of watches) {
      const ofTable = this.#byTable.get(watch.of) ?? new Map<Subscriber, Watch[]>()
      this.#byTable.set(watch.of, ofTable)
      ofTable.set(subscriber, [...(ofTable.get(subscriber) ?? []), watch])
    }
  }

  remove(subscriber: Subscriber): void {
    for (const [name, ofTable] of this.#byTable) {
      if (ofTable.delete(subscriber) && ofTable.size === 0) this.#byTable.delete(name)
    }
  }

  isWatched(table: string): boolean {
    return this.#byTable.has(table)
  }

  /** Ends every subscription of the tables, or of all. */
  fail(tables: Iterable<string> = this.#byTable.keys()): void {
    const affected = new Set([...tables].flatMap((name) => [...(this.#byTable.get(name)?.keys() ?? [])]))
    for (const subscriber of affected) subscriber.fail()
  }

  /** The comparisons that must be settled before `matching` can judge the change. */
  openComparisons(change: Change): Comparison[] {
    const fields = judgedFields(change)
    const open = new Map<string, Comparison>()
    for (const watch of this.#concerned(change)) {
      for (const condition of watch.conditions) {
        for (const one of openComparisons(condition, fields)) open.set(comparisonName(one), one)
      }
    }
    return [...open.values()]
  }

  matching(change: Change, held: ReadonlySet<string>): Matches {
    const fields = judgedFields(change)
    const matches: Matches = new Map()
    for (const [subscriber, watches] of this.#byTable.get(change.of) ?? []) {
      const ids = watches
        .filter(({ types }) => types.includes(change.type))
        .filter(({ conditions }) => conditions.every((condition) => holds(condition, fields, held)))
        .map(({ id }) => id)
      if (ids.length > 0) matches.set(subscriber, [...new Set(ids)])
    }
    return matches
  }

  *#concerned(change: Change): Iterable<Watch> {
    for (const watches of this.#byTable.get(change.of)?.values() ?? []) {
      yield* watches.filter(({ types }) => types.includes(change.type))
    }
  }
}

// Filters look at new values, of a DELETE at what the replica identity kept.
function judgedFields({ type, record, old }: Change): Fields {
  return type === 'DELETE' ? old : record
}
