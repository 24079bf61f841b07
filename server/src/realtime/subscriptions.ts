// Keeps the subscribers of each table, and finds those whom a change concerns.
import type { Watch } from './bindings.ts'
import type { Change } from './changes.ts'
import { type Comparison, comparisonName } from './comparisons.ts'
import { holds, isJudgedHere, openComparisons } from './conditions.ts'
import type { Credentials } from './credentials.ts'
import type { Fields } from './json-fields.ts'

export interface Subscriber {
  /** The rights that apply; replaced when the client sends a new token. */
  readonly caller: Credentials
  readonly isOpen: boolean
  /** Sends an event; `payload` is JSON text. */
  push(event: string, payload: string): void
  /** Ends the channel so that its client rejoins, because a change may have been missed. */
  fail(): void
}

/** The subscribers whom a change concerns, with the ids of their matching bindings. */
export type Matches = Map<Subscriber, number[]>

interface Entry {
  subscriber: Subscriber
  watch: Watch
}

export class Subscriptions {
  readonly #wishes = new Map<Subscriber, readonly Entry[]>()
  // Indexed by table and filter value, so that a change is not compared with every binding.
  readonly #entries = new Map<string, Entry[]>()
  readonly #tables = new Map<string, number>()

  /** Sets the subscriber's bindings, in place of all earlier ones. */
  set(subscriber: Subscriber, watches: readonly Watch[]): void {
    this.remove(subscriber)
    const wish = watches.map((watch) => ({ subscriber, watch }))
    if (wish.length > 0) this.#wishes.set(subscriber, wish)
    for (const entry of wish) {
      const name = awaitedBy(entry.watch)
      const others = this.#entries.get(name)
      if (others) others.push(entry)
      else this.#entries.set(name, [entry])
      this.#count(entry.watch.of, 1)
    }
  }

  remove(subscriber: Subscriber): void {
    for (const entry of this.#wishes.get(subscriber) ?? []) {
      const name = awaitedBy(entry.watch)
      const entries = this.#entries.get(name) ?? []
      entries.splice(entries.indexOf(entry), 1)
      if (entries.length === 0) this.#entries.delete(name)
      this.#count(entry.watch.of, -1)
    }
    this.#wishes.delete(subscriber)
  }

  isWatched(table: string): boolean {
    return this.#tables.has(table)
  }

  /** Ends all subscriptions to these tables, or to all tables. */
  fail(tables: Iterable<string> = this.#tables.keys()): void {
    const affected = new Set(tables)
    for (const [subscriber, wish] of [...this.#wishes])
      if (wish.some(({ watch }) => affected.has(watch.of))) subscriber.fail()
  }

  /** Returns the comparisons that `matching` needs for this change. */
  openComparisons(change: Change): Comparison[] {
    const fields = judgedFields(change)
    const open = new Map<string, Comparison>()
    for (const { watch } of this.#concerned(change)) {
      for (const condition of watch.conditions) {
        for (const one of openComparisons(condition, fields)) open.set(comparisonName(one), one)
      }
    }
    return [...open.values()]
  }

  matching(change: Change, held: ReadonlySet<string>): Matches {
    const fields = judgedFields(change)
    const matches: Matches = new Map()
    for (const { subscriber, watch } of this.#concerned(change)) {
      if (!watch.conditions.every((condition) => holds(condition, fields, held))) continue
      const ids = matches.get(subscriber) ?? []
      if (!ids.includes(watch.id)) matches.set(subscriber, [...ids, watch.id])
    }
    return matches
  }

  *#concerned(change: Change): Iterable<Entry> {
    const values = [...judgedFields(change)].map(([column, value]) => awaited(change.of, column, value))
    for (const name of [change.of, ...values])
      for (const entry of this.#entries.get(name) ?? [])
        if (entry.watch.types.includes(change.type)) yield entry
  }

  #count(table: string, more: 1 | -1): void {
    const count = (this.#tables.get(table) ?? 0) + more
    if (count > 0) this.#tables.set(table, count)
    else this.#tables.delete(table)
  }
}

const awaited = (table: string, column: string, value: string) => `${table} ${column} ${value}`

/**
 * Returns the index key of a binding: its table and, if rows can be looked up by one, the value that a row must have.
 */
function awaitedBy({ of, conditions }: Watch): string {
  const equal = conditions.find((condition) => condition.operator === 'eq' && isJudgedHere(condition))
  return equal ? awaited(of, equal.column.name, equal.operands[0] ?? '') : of
}

// Filters apply to the new values, and on DELETE to the columns that the replica identity kept.
function judgedFields({ type, record, old }: Change): Fields {
  return type === 'DELETE' ? old : record
}
