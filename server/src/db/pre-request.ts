// Finds the project's function that runs before each request with the caller's rights, and may refuse the request.
import type { Transaction } from './database.ts'

/**
 * The setting that names the function. It belongs to the role authenticator, as for PostgREST, or the server has stored
 * it (migrate.ts).
 */
export const PRE_REQUEST = 'pgrst.db_pre_request'

const NAMED = String.raw`
  select nullif(value, '')::regproc::text as function from (
    select split_part(setting, '=', 2) as value, setdatabase::bigint as rank
    from pg_db_role_setting, unnest(setconfig) as setting
    where setrole = to_regrole('authenticator') and setting like 'pgrst.db\_pre\_request=%'
      and setdatabase in (0, (select oid from pg_database where datname = current_database()))
    union all
    select value, -1 from platform.settings where key = '${PRE_REQUEST}'
  ) as named order by rank desc limit 1`

/** Returns the function's name, with its schema if `search_path` is empty, or undefined if the project has none. */
export async function readPreRequest(tx: Pick<Transaction, 'query'>): Promise<string | undefined> {
  const [row] = await tx.query<{ function: string | null }>(NAMED)
  return row?.function ?? undefined
}
