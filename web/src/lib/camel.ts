import type { Database } from '@potluck/supabase/types'

type CamelName<Name> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelName<Rest>>}`
  : Name

/** A row with its column names in camel case. */
export type Camel<Row> = { [Name in keyof Row as CamelName<Name>]: Row[Name] }

type Public = Database['public']
type Item<Rows> = Rows extends (infer Row)[] ? Row : Rows

/**
 * A row returned by a database function. The generated types cannot tell which columns may be null or which texts a
 * column may hold, so that is declared here: `RowOf<'list_users', 'avatarUrl', { status: Status }>`.
 */
export type RowOf<
  Name extends keyof Public['Functions'],
  MayBeNull extends keyof Camel<Item<Public['Functions'][Name]['Returns']>> = never,
  Narrowed extends object = object,
> = Narrow<Camel<Item<Public['Functions'][Name]['Returns']>>, MayBeNull, Narrowed>

export type TableRow<Name extends keyof Public['Tables']> = Camel<Public['Tables'][Name]['Row']>

type Narrow<Row, MayBeNull, Narrowed> = {
  [Name in keyof Row]: Name extends keyof Narrowed
    ? Narrowed[Name]
    : Name extends MayBeNull
      ? Row[Name] | null
      : Row[Name]
}

/** `{ due_on: … }` as `{ dueOn: … }`; values are not changed. */
export function camel<Row>(row: object): Row {
  const named = Object.entries(row).map(([name, value]) => [
    name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ])
  return Object.fromEntries(named) as Row
}
