// `npm run bench:reckoning`: how large the database of 10,000,000 plans and 50,000,000 people becomes, from the bytes a row of the
// town takes with its indexes, and how long pg_dump takes for it. Printed only; the assumptions are in docs/scale.md.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { findPostgres } from '../scripts/postgres.mjs'
import { connect, startCluster } from './cluster.mjs'
import { timed } from './figures.mjs'
import { table } from './report.mjs'
import { fillTown, keptFolder } from './town.mjs'

const PEOPLE = 50e6
const PLANS = 10e6
const SEATS = 3 * PLANS
const MONTHS = 12
const MESSAGES_EACH = 10

/** Rows assumed, by table. */
const ROWS = {
  'auth.users': PEOPLE,
  'auth.sessions': PEOPLE / 2,
  'private.user_profiles': PEOPLE,
  'public.user_wallets': PEOPLE,
  'public.shared_subscriptions': PLANS,
  'public.subscription_members': PLANS + SEATS,
  'private.seats': SEATS,
  'public.member_payments': SEATS * MONTHS,
  'public.conversations': SEATS,
  'public.chat_participants': 2 * SEATS,
  'public.messages': SEATS * MESSAGES_EACH,
  'public.coin_transactions': SEATS,
}
/** Of a person, for all other tables: as the town has them. */
const OTHERS = PEOPLE

export async function measure() {
  const folder = keptFolder('postgres')
  const cluster = await startCluster(folder)
  const databaseUrl = await cluster.open('town')
  try {
    await fillTown({ folder, databaseUrl }, (step) => console.log(`${step} …`))
    const sql = connect(databaseUrl)
    const sizes = await sql`
      select n.nspname || '.' || c.relname as name, c.reltuples::float8 as rows, pg_table_size(c.oid)::float8 as heap,
        pg_indexes_size(c.oid)::float8 as indexes
      from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth') and c.reltuples >= 1000
      order by pg_total_relation_size(c.oid) desc`
    const [{ people, bytes }] =
      await sql`select (select count(*) from auth.users)::float8 as people, pg_database_size('town')::float8 as bytes`
    const largest = await sql`
      select indexrelname as name, relname, pg_relation_size(indexrelid)::float8 as bytes from pg_stat_user_indexes
      order by 3 desc limit 8`
    await sql.end()
    const sums = { heap: 0, indexes: 0 }
    const rows = sizes.map(({ name, rows, heap, indexes }) => {
      const wanted = ROWS[name] ?? (rows / people) * OTHERS
      const times = wanted / rows
      sums.heap += heap * times
      sums.indexes += indexes * times
      return [
        name,
        millions(wanted),
        each(heap, rows),
        each(indexes, rows),
        gigabytes(heap * times),
        gigabytes(indexes * times),
      ]
    })
    console.log(
      `\n${table([
        ['table', 'million rows', 'bytes a row', 'of indexes', 'GB', 'GB of indexes'],
        ...rows,
        ['all', '', '', '', gigabytes(sums.heap), gigabytes(sums.indexes)],
      ])}`,
    )
    const factorOf = ({ relname }) => {
      const found = sizes.find(({ name }) => name.endsWith(`.${relname}`))
      return found ? (ROWS[found.name] ?? (found.rows / people) * OTHERS) / found.rows : 1
    }
    console.log(
      `\n${table([['largest indexes', 'of', 'GB'], ...largest.map((index) => [index.name, index.relname, gigabytes(index.bytes * factorOf(index))])])}`,
    )
    const dump = ['-Fc', '--no-sync', '-f', '/dev/null', databaseUrl]
    const ms = await timed(() => execFileSync(join(findPostgres(), 'pg_dump'), dump))
    const perSecond = bytes / (ms / 1000)
    console.log(
      `\npg_dump: ${(perSecond / 1e6).toFixed(0)} MB of database a second, so ${((sums.heap + sums.indexes) / perSecond / 3600).toFixed(1)} hours`,
    )
  } finally {
    await cluster.stop()
  }
}

const millions = (count) => (count / 1e6).toFixed(0)
const each = (bytes, rows) => (bytes / rows).toFixed(0)
const gigabytes = (bytes) => (bytes / 1e9).toFixed(1)
