// `npm run bench:sharding`: what of our SQL stands in the way of a Postgres whose tables are spread over several machines,
// counted in the migrated schema; and, where the extension Citus is installed, what Citus itself says when it is asked to
// spread them. Rules: https://docs.citusdata.com/en/stable/develop/reference_ddl.html. Printed only.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgres } from '../scripts/postgres.mjs'
import { load } from '../scripts/run.mjs'
import { connect, onPostgres } from './cluster.mjs'
import { fillPotluck } from './contestants/potluck.mjs'
import { table } from './report.mjs'

/** The columns a row could be placed by: the plan it belongs to, or the person. */
const KEYS = {
  plan: { anchor: 'public.shared_subscriptions', columns: ['subscription_id', 'plan_id'] },
  person: { anchor: 'auth.users', columns: ['user_id', 'owner_id', 'member_id', 'person_id'] },
}

const citus = existsSync(join(findPostgres() ?? '', '../lib/citus.so'))

export const measure = () =>
  onPostgres(
    'sharding',
    async (cluster, folder) => {
      const place = { folder, databaseUrl: await cluster.create('schema') }
      await fillPotluck(place, undefined, await load('bench/server-parts.mjs'))
      const sql = connect(place.databaseUrl)
      try {
        const kinds = []
        for (const [name, key] of Object.entries(KEYS)) kinds.push([name, await inTheWay(sql, key)])
        const counted = [...new Set(kinds.flatMap(([, found]) => Object.keys(found)))]
        const rows = counted.map((what) => [what, ...kinds.map(([, found]) => String(found[what]))])
        console.log(`\n${table([['', ...kinds.map(([name]) => `placed by ${name}`)], ...rows])}`)
        console.log(
          `\n${table([['anywhere', 'count'], ...Object.entries(await anywhere(sql)).map(([what, count]) => [what, String(count)])])}`,
        )
        if (citus) await askCitus(sql)
        else console.log('\nThe extension Citus is not installed, so it was not asked.')
      } finally {
        await sql.end()
      }
    },
    citus ? ['shared_preload_libraries=citus'] : [],
  )

// The project's own tables, with the columns of each; the platform's are few and small, except the people.
const TABLES = `
  select c.oid, n.nspname || '.' || c.relname as name, (select array_agg(attname::text) from pg_attribute
    where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
  from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth')`

async function inTheWay(sql, { anchor, columns }) {
  const tables = await sql.unsafe(TABLES)
  const keyOf = new Map(
    tables.map(({ oid, name, columns: own }) => [
      oid,
      name === anchor ? 'id' : columns.find((column) => own.includes(column)),
    ]),
  )
  const keys = await sql`
    select conrelid as table, confrelid as other, (select array_agg(attname::text order by place)
        from unnest(conkey) with ordinality as k (num, place) join pg_attribute on attrelid = conrelid and attnum = num) as columns,
      (select array_agg(attname::text order by place)
        from unnest(confkey) with ordinality as k (num, place) join pg_attribute on attrelid = confrelid and attnum = num) as others
    from pg_constraint where contype = 'f'`
  // Fine where the referenced table is on every machine, or where both rows lie together because the key's columns say so.
  const spread = (oid) => keyOf.get(oid) !== undefined
  const together = ({ table: from, other, columns: own, others }) => {
    const at = own.indexOf(keyOf.get(from))
    return at >= 0 && others[at] === keyOf.get(other)
  }
  const between = keys.filter((key) => spread(key.table) && spread(key.other))
  const unique = await sql`
    select indrelid as table, (select array_agg(attname::text) from pg_attribute
      where attrelid = indrelid and attnum = any (indkey::int2[])) as columns
    from pg_index where indisunique`
  const triggers = await sql`select tgrelid as table from pg_trigger where not tgisinternal`
  const uniqueHere = unique.filter((index) => spread(index.table))
  return {
    'tables that have the column': tables.filter(({ oid }) => spread(oid)).length,
    'tables without it, copied to every machine': tables.filter(({ oid }) => !spread(oid)).length,
    'foreign keys between spread tables': between.length,
    'of these, to a row that may lie elsewhere': between.filter((key) => !together(key)).length,
    'foreign keys from copied to spread tables': keys.filter((key) => !spread(key.table) && spread(key.other))
      .length,
    'primary keys and unique indexes of spread tables': uniqueHere.length,
    'of these, without the column': uniqueHere.filter(
      (index) => !(index.columns ?? []).includes(keyOf.get(index.table)),
    ).length,
    'triggers on spread tables': triggers.filter((trigger) => spread(trigger.table)).length,
  }
}

/** Counts of what works on one machine alone, whatever the rows are placed by. */
async function anywhere(sql) {
  const functions = `from pg_proc join pg_namespace as n on n.oid = pronamespace where nspname in ('public', 'private', 'auth')`
  const count = async (text) => Number((await sql.unsafe(`select count(*) ${text}`))[0].count)
  const saying = (pattern) => count(`${functions} and prosrc ~* '${pattern}'`)
  return {
    'functions with rights of their own (security definer)': await count(`${functions} and prosecdef`),
    'functions that write to two tables or more': await count(
      `${functions} and (select count(distinct word[2]) from regexp_matches(prosrc, '(insert into|update|delete from)\\s+((public|private|auth)\\.\\w+)', 'gi') as word) > 1`,
    ),
    'functions that lock rows (for update, skip locked)': await saying('for (no key )?update'),
    'functions with advisory locks': await saying('pg_(try_)?advisory'),
    'functions that notify': await saying('pg_notify|notify '),
    'row-level security policies': await count(`from pg_policy`),
    'policies that look into other tables': await count(
      `from pg_policy where coalesce(pg_get_expr(polqual, polrelid), '') || coalesce(pg_get_expr(polwithcheck, polrelid), '') ~* 'select|private\\.'`,
    ),
    'sequences and identities': await count(
      `from pg_class join pg_namespace as n on n.oid = relnamespace where relkind = 'S' and nspname in ('public', 'private', 'auth')`,
    ),
    'scheduled jobs': await count('from cron.job'),
  }
}

/** Asks Citus to spread what it takes, biggest first, each in a transaction that is rolled back, and prints what it says. */
async function askCitus(sql) {
  await sql.unsafe('create extension citus')
  const [{ extversion: version }] = await sql`select extversion from pg_extension where extname = 'citus'`
  await sql.unsafe("select citus_set_coordinator_host('127.0.0.1', current_setting('port')::integer)")
  const tables = await sql.unsafe(TABLES)
  for (const [name, { anchor, columns }] of Object.entries(KEYS)) {
    const said = new Map()
    for (const { name: relation, columns: own } of tables) {
      const column = relation === anchor ? 'id' : columns.find((one) => own.includes(one))
      if (!column) continue
      const answer = await refusal(sql, `select create_distributed_table('${relation}', '${column}')`)
      said.set(answer, [...(said.get(answer) ?? []), relation])
    }
    console.log(`\nCitus ${version}, placed by ${name}, one table at a time:\n${answers(said)}`)
    const all = await placeAll(sql, tables, { anchor, columns })
    console.log(
      `\nThe same with unsafe triggers allowed, in whatever order works: ${all.placed} placed; of the others:\n${answers(all.said)}`,
    )
  }
}

async function refusal(sql, statement) {
  const undo = new Error('undone')
  try {
    await sql.begin(async (tx) => {
      await tx.unsafe(statement)
      throw undo
    })
  } catch (error) {
    return error === undo ? 'done' : wordsOf(error)
  }
}

/**
 * Places all tables in one transaction, which is rolled back: those without the column are copied to all machines. Returns how many
 * were placed once no further one can be, and what is said of the others.
 */
async function placeAll(sql, tables, { anchor, columns }) {
  const statementOf = ({ name, columns: own }) => {
    const column = name === anchor ? 'id' : columns.find((one) => own.includes(one))
    return column
      ? `select create_distributed_table('${name}', '${column}')`
      : `select create_reference_table('${name}')`
  }
  const undo = new Error('undone')
  let left = tables
  let said = new Map()
  try {
    await sql.begin(async (tx) => {
      await tx.unsafe('set local citus.enable_unsafe_triggers = on')
      for (let before = Number.POSITIVE_INFINITY; left.length < before; ) {
        before = left.length
        said = new Map()
        const refused = []
        for (const one of left) {
          const answer = await tx.savepoint((point) => point.unsafe(statementOf(one))).then(() => '', wordsOf)
          if (answer === '') continue
          refused.push(one)
          said.set(answer, [...(said.get(answer) ?? []), one.name])
        }
        left = refused
      }
      throw undo
    })
  } catch (error) {
    if (error !== undo) throw error
  }
  return { placed: tables.length - left.length, said }
}

const wordsOf = (error) => error.message.replaceAll(/"[^"]*"/g, '…').replaceAll(/\s+/g, ' ')

const answers = (said) =>
  table([
    ['it says', 'tables', 'such as'],
    ...[...said].map(([answer, all]) => [answer, String(all.length), all.slice(0, 3).join(', ')]),
  ])
