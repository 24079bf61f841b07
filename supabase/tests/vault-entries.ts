// Entries of the vault for SQL tests. What is sealed opens nowhere: that is proved in edge-functions/.
import type { Database } from '@potluck/server/db/database.ts'
import type { Person } from './people.ts'
import type { SharedPlan } from './plans.ts'

/** Stores a plan's next version as the function `vault` does, and answers what its owner is shown of it. */
export async function storeEntry(
  db: Pick<Database, 'query'>,
  { id, owner }: SharedPlan,
  sealed = 'v1.sealed.elsewhere',
): Promise<{ version: number; changed_at: string; opened: boolean; change_due_since: string | null }> {
  const [site] = await db.query<{ name: string }>("select begin_vault('test') as name")
  const [row] = await owner.sql<{
    place: { author: string; version: number; key: object | null }
  }>`select prepare_vault_entry(${id}) as place`
  const key = row?.place.key ? null : JSON.stringify({ wrapped: 'v1.wrapped', siteKey: site?.name })
  const [stored] = await db.query<{ entry: Awaited<ReturnType<typeof storeEntry>> }>(
    'select save_vault_entry($1, $2, $3, $4, $5) as entry',
    [row?.place.author ?? null, id, String(row?.place.version ?? 0), sealed, key],
  )
  if (!stored) throw new Error('Nothing was stored')
  return stored.entry
}

/** Opens it as this person: the version and what was sealed. */
export async function openEntry(
  person: Pick<Person, 'sql'>,
  { id }: Pick<SharedPlan, 'id'>,
  version: number | null = null,
): Promise<{ version: number; sealed: string }> {
  const [row] = await person.sql<{
    opened: { version: number; sealed: string }
  }>`select open_vault_entry(${id}, ${version}) as opened`
  if (!row) throw new Error('Nothing was opened')
  return { version: row.opened.version, sealed: row.opened.sealed }
}
