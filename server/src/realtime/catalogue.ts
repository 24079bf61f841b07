// The server's catalogue of published tables. Whenever the list is read, triggers are attached to the tables as well.
import { z } from 'zod'
import type { Database } from '#db/database.ts'
import { readPreRequest } from '#db/pre-request.ts'

/** Returns the table's schema and name as one text, which is the table's key in every Map. */
export function tableName({ schema, name }: { schema: string; name: string }): string {
  return JSON.stringify([schema, name])
}

const column = z.object({
  name: z.string(),
  /** The type's name in pg_type: `int8`, `_text`. */
  type: z.string(),
  /** The type's name in SQL, schema-qualified if necessary. */
  sqlType: z.string(),
  /** True if equal values of this type have equal text. */
  exact: z.boolean(),
  /** The API roles that may select the column. */
  readers: z.array(z.string()),
})
const tables = z.array(
  z
    .object({
      schema: z.string(),
      name: z.string(),
      rls: z.boolean(),
      /** Columns of the primary key; empty if there is none. */
      key: z.array(z.string()),
      /** Policies for SELECT. A condition is SQL about a row whose alias is the table's name. */
      policies: z.array(
        z.object({ roles: z.array(z.string()), permissive: z.boolean(), condition: z.string().nullable() }),
      ),
      columns: z.array(column),
    })
    .transform((table) => ({ ...table, of: tableName(table) })),
)

export type Column = z.infer<typeof column>
export type PublishedTable = z.infer<typeof tables>[number]

export interface Catalogue {
  find(name: string): PublishedTable | undefined
  /** Returns tables by schema and name; `*` means all. */
  matching(schema: string, table: string): PublishedTable[]
  /** The function that runs before each request of a person; undefined if the project has none. */
  preRequest(): string | undefined
  /** Attaches triggers and reads the list again. Returns true if anything has changed. */
  reload(): Promise<boolean>
  /** Waits for a reload in progress. */
  settled(): Promise<void>
}

/** Attaches the triggers and reads the catalogue for the first time. */
export async function openCatalogue(db: Database): Promise<Catalogue> {
  let known = new Map<string, PublishedTable>()
  let preRequest: string | undefined
  let text = ''
  let last: Promise<unknown> = Promise.resolve()

  const load = async (): Promise<boolean> => {
    preRequest = await readPreRequest(db)
    await db.query('select realtime.attach_capture()')
    const [row] = await db.query<{ list: unknown }>('select realtime.published_tables() as list')
    const list = tables.parse(row?.list)
    const before = text
    text = JSON.stringify([list, preRequest])
    if (text === before) return false
    known = new Map(list.map((table) => [table.of, table]))
    return true
  }
  await load()
  return {
    find: (name) => known.get(name),
    matching: (schema, table) =>
      [...known.values()].filter(
        (one) => (schema === '*' || one.schema === schema) && (table === '*' || one.name === table),
      ),
    preRequest: () => preRequest,
    reload: () => {
      const next = last.then(load)
      last = next.catch(() => undefined)
      return next
    },
    settled: async () => {
      await last
    },
  }
}
