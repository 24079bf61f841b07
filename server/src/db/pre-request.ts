// The function a project runs before each request, with the caller's rights; it may refuse the request.
import type { Transaction } from './database.ts'

const PRE_REQUEST = String.raw`
  select nullif(split_part(setting, '=', 2), '')::regproc::text as function
  from pg_db_role_setting, unnest(setconfig) as setting
  where setrole = to_regrole('authenticator') and setting like 'pgrst.db\_pre\_request=%'
    and setdatabase in (0, (select oid from pg_database where datname = current_database()))
  order by setdatabase desc limit 1`

/** Qualified for use with an empty `search_path`; undefined if the project has none. */
export async function readPreRequest(tx: Pick<Transaction, 'query'>): Promise<string | undefined> {
  const [row] = await tx.query<{ function: string | null }>(PRE_REQUEST)
  return row?.function ?? undefined
}
