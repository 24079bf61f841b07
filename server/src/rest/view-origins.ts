// Finds the table columns behind the columns of views, so that views have the relationships of their tables.

export interface View {
  id: string
  /** The view's rule as stored by Postgres, a pg_node_tree. */
  rule: string
}

/** For each table, and each number of its columns, the numbers of the view's columns that show this column. */
export type Origins = ReadonlyMap<string, ReadonlyMap<number, readonly number[]>>

interface Origin {
  table: string
  column: number
}

/** Returns the origins by view id. For views of views, these are columns of the underlying tables. */
export function findOrigins(views: readonly View[]): ReadonlyMap<string, Origins> {
  const direct = new Map(views.map(({ id, rule }) => [id, readRule(rule)]))
  // Views that were replaced may refer to each other in a circle.
  const resolve = (origin: Origin, through: readonly string[] = []): Origin | undefined => {
    const inner = direct.get(origin.table)
    if (!inner) return origin
    const deeper = through.includes(origin.table) ? undefined : inner.get(origin.column)
    return deeper && resolve(deeper, [...through, origin.table])
  }
  return new Map(
    [...direct].map(([id, columns]) => {
      const found = new Map<string, Map<number, number[]>>()
      for (const [place, origin] of columns) {
        const { table, column } = resolve(origin) ?? {}
        if (table === undefined || column === undefined) continue
        const shown = found.get(table) ?? new Map<number, number[]>()
        found.set(table, shown.set(column, [...(shown.get(column) ?? []), place]))
      }
      return [id, found]
    }),
  )
}

/** Returns every choice of view columns that together show these columns of the table. */
export function showing(
  origins: Origins | undefined,
  table: string,
  columns: readonly number[],
): readonly number[][] {
  const shown = origins?.get(table)
  return columns.reduce<number[][]>(
    (choices, column) =>
      choices.flatMap((chosen) => (shown?.get(column) ?? []).map((place) => [...chosen, place])),
    [[]],
  )
}

// Matches an escaped character, a brace, or a field of a target entry.
const TOKEN = /\\.|[{}]|:(resno|resorigtbl|resorigcol) (\d+)/gs
// The depth of the view's own entries: a rule is one QUERY node, and deeper entries belong to subqueries.
const ENTRY_DEPTH = 2

/** Returns the origin of each of the view's columns that shows a column of a table or of another view. */
function readRule(rule: string): Map<number, Origin> {
  const origins = new Map<number, Origin>()
  let depth = 0
  let [place, table] = [0, '0']
  for (const [token, field, value = ''] of rule.matchAll(TOKEN)) {
    if (token === '{') depth += 1
    else if (token === '}') depth -= 1
    else if (depth !== ENTRY_DEPTH) continue
    else if (field === 'resno') place = Number(value)
    else if (field === 'resorigtbl') table = value
    else if (field === 'resorigcol' && table !== '0') origins.set(place, { table, column: Number(value) })
  }
  return origins
}
