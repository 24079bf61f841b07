// Lists the tables in a copy of a site: data of people and of the project, on our own platform and on hosted Supabase.
import type { Transaction } from '#db/database.ts'

/** The columns of each table. All names are quoted for SQL. */
export type Tables = ReadonlyMap<string, readonly string[]>

// Sessions and pending flows belong to the server that started them, so they are left out: everybody signs in again.
const PASSING = [
  ...['sessions', 'refresh_tokens', 'mfa_amr_claims', 'one_time_tokens', 'flow_state', 'mfa_challenges'],
  ...['webauthn_challenges', 'audit_log_entries', 'schema_migrations'],
].map((name) => `auth.${name}`)

export async function readTables(tx: Pick<Transaction, 'query'>): Promise<Tables> {
  const rows = await tx.query<{ name: string; columns: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name, json_agg(quote_ident(a.attname) order by a.attnum) as columns
     from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
     join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and (n.nspname in ('auth', 'public', 'private') or c.oid = to_regclass('platform.settings'))
     group by c.oid, 1 order by 1`,
  )
  return new Map(
    rows.filter(({ name }) => !PASSING.includes(name)).map(({ name, columns }) => [name, columns]),
  )
}

/**
 * An SQL expression for row `t` as JSON text. Postgres builds the text, because parsing numbers and timestamps in
 * JavaScript would lose precision.
 */
export const rowText = (columns: readonly string[]) =>
  `(select row_to_json(r)::text from (select ${columns.map((name) => `t.${name}`).join(', ')}) as r)`

/** Returns the number of rows in a table, with a checksum of them that does not depend on their order. */
export async function digest(
  tx: Pick<Transaction, 'query'>,
  name: string,
  columns: readonly string[],
): Promise<string> {
  const [sum] = await tx.query<{ sum: string }>(
    `select count(*) || ':' || coalesce(sum(('x' || left(md5(${rowText(columns)}), 15))::bit(60)::bigint), 0) as sum
     from ${name} as t`,
  )
  return sum?.sum ?? ''
}
