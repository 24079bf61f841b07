// The function a project has run before each request, as whoever makes it; it may refuse.
import type { Transaction } from './database.ts'

const PRE_REQUEST = String.raw`
  select nullif(split_part(setting, '=', 2), '')::regproc::text as function
  from pg_db_role_setting, unnest(setconfig) as setting
  where setrole = to_regrole('authenticator') and setting like 'pgrst.db\_pre\_request=%'
    and setdatabase in (0, (select oid from pg_database where datname = current_database()))
  order by setdatabase desc limit 1`

/** As SQL writes it after `search_path` has been emptied; undefined where the project names none. */
export async function readPreRequest(tx: Pick<Transaction, 'query'>): Promise<string | undefined> {
  const [row] = await tx.query<{ function: string | null }>(PRE_REQUEST)
  return row?.function ?? undefined
}
