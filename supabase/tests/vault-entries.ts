// Vault entries for SQL tests. The sealed data is fake: encryption is tested in edge-functions/.
import type { Database } from '@potluck/server/db/database.ts'
import { single } from './answers.ts'
import type { Person } from './people.ts'
import type { SharedPlan } from './plans.ts'

/** Stores a plan's next version as the function `vault` does, and returns what its owner sees of it. */
export async function storeEntry(
  db: Pick<Database, 'query'>,
  { id, owner }: SharedPlan,
  sealed = 'v1.sealed.elsewhere',
  part: 'access' | 'login' = 'access',
): Promise<{ version: number; changed_at: string; opened: boolean; change_due_since: string | null }> {
  const siteKey = await single(db.query("select begin_vault('test')"))
  const place = await single<{ author: string; version: number; key: object | null }>(
    owner.sql`select prepare_vault_entry(${id}, ${part})`,
  )
  const key = place.key ? null : JSON.stringify({ wrapped: 'v1.wrapped', siteKey })
  return single(
    db.query('select save_vault_entry($1, $2, $3, $4, $5, $6)', [
      place.author,
      id,
      String(place.version),
      sealed,
      key,
      part,
    ]),
  )
}

/** Stores a plan's next account login in the same way. */
export const storeLogin = (db: Pick<Database, 'query'>, plan: SharedPlan, sealed?: string) =>
  storeEntry(db, plan, sealed, 'login')

/** Returns the sealed account login that this person may open; null if there is none. */
export const openLogin = async (person: Pick<Person, 'sql'>, { id }: Pick<SharedPlan, 'id'>) =>
  (await single<{ sealed: string } | null>(person.sql`select open_vault_login(${id})`))?.sealed ?? null

/** Opens the vault entry as this person; returns the version and the sealed data. */
export async function openEntry(
  person: Pick<Person, 'sql'>,
  { id }: Pick<SharedPlan, 'id'>,
  version: number | null = null,
): Promise<{ version: number; sealed: string; part?: string }> {
  const opened = await single<{ version: number; sealed: string }>(
    person.sql`select open_vault_entry(${id}, ${version})`,
  )
  return { version: opened.version, sealed: opened.sealed }
}
