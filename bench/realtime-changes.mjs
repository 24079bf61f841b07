// Makes changes in the town at a given rate, and finds out who should have received each.
import { isWatched, openConversation, watchesOf } from './realtime-clients.mjs'
import { conversationId, personId } from './requests.mjs'
import { PEOPLE, planId } from './town.mjs'

const below = (count) => Math.floor(Math.random() * count)

/** Kinds of changes, with percentages. Most change rows that people are watching, some do not. */
const KINDS = [
  [
    55,
    (sql, people) => {
      const person = below(people) + 1
      return sql`insert into public.messages (conversation_id, sender_id, content)
        values (${openConversation(person)}, ${personId(person)}, 'Shall I pay you tomorrow?')`
    },
  ],
  [
    10,
    (sql, people) => {
      const plan = people * 10 + 1 + below((PEOPLE - people) * 10)
      return sql`insert into public.messages (conversation_id, sender_id, content)
        values (${conversationId(plan)}, ${personId(Math.floor((plan - 1) / 10) + 1)}, 'Nobody here may read this')`
    },
  ],
  [
    20,
    (sql, people) => sql`insert into public.user_notifications (user_id, type, title, message)
      values (${personId(below(people) + 1)}, 'info', 'Renewal', 'Netflix is renewed tomorrow')`,
  ],
  [
    13,
    (sql, people) =>
      sql`update public.user_wallets set updated_at = clock_timestamp() where user_id = ${personId(below(people) + 1)}`,
  ],
  [
    2,
    (sql, people) => sql`insert into public.subscription_requests (subscription_id, user_id, name, email)
      values (${planId(below(people * 10) + 1)}, ${personId(people + below(PEOPLE - people) + 1)}, 'p', 'p@town.example')
      on conflict do nothing`,
  ],
]
const TICKETS = KINDS.flatMap(([weight, make]) => Array.from({ length: weight }, () => make))

/** Makes changes at this rate for this many seconds, each in its own transaction. Returns the rate achieved. */
export async function writeChanges(sql, people, { seconds, perSecond }) {
  const started = performance.now()
  const pending = []
  for (let n = 0; n < seconds * perSecond; n += 1) {
    const early = started + (n * 1000) / perSecond - performance.now()
    if (early > 1) await new Promise((done) => setTimeout(done, early))
    // A query is sent only when it is awaited or executed.
    pending.push(TICKETS[below(TICKETS.length)](sql, people).execute())
  }
  await Promise.all(pending)
  return (pending.length * 1000) / (performance.now() - started)
}

export const keyOf = ({ table, type, record, commit_timestamp }) =>
  `${table} ${type} ${record.id ?? record.user_id} ${commit_timestamp}`

/** Collects the changes recorded from now on. The server deletes each a minute after it has read it, or later. */
export async function overhear(sql) {
  const [{ start }] = await sql`select clock_timestamp()::text as start`
  const known = new Set()
  const heard = []
  const look = async () => {
    const rows = await sql`select id, "table", type, coalesce(record, '{}') as record,
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as commit_timestamp
      from realtime.changes where at > ${start}::timestamptz order by id`
    for (const { id, ...change } of rows) if (!known.has(id)) heard.push(change)
    for (const { id } of rows) known.add(id)
  }
  const timer = setInterval(look, 10_000)
  const stop = async () => {
    clearInterval(timer)
    await look()
  }
  return { heard, stop }
}

const KEYS = { user_wallets: 'user_id' }

/** Returns the changes that each person should have received: those that their screen watches and that they may see. */
export async function expectedOf(sql, people, changes) {
  const expected = new Map()
  for (const person of people) {
    const watches = watchesOf(person)
    const watched = changes.filter((change) => isWatched(watches, change))
    expected.set(person, new Set(await visible(sql, person, watched)))
  }
  return expected
}

async function visible(sql, person, changes) {
  const tables = [...new Set(changes.map(({ table }) => table))]
  const shown = new Set()
  await sql.begin(async (tx) => {
    const claims = JSON.stringify({ sub: personId(person), role: 'authenticated', aal: 'aal1' })
    await tx`select set_config('request.jwt.claims', ${claims}, true), set_config('role', 'authenticated', true)`
    for (const table of tables) {
      const key = KEYS[table] ?? 'id'
      const ids = changes.filter((change) => change.table === table).map(({ record }) => record[key])
      const rows =
        await tx`select ${tx(key)} as id from ${tx(`public.${table}`)} where ${tx(key)} in ${tx([...new Set(ids)])}`
      for (const { id } of rows) shown.add(`${table} ${id}`)
    }
  })
  return changes
    .filter(({ table, record }) => shown.has(`${table} ${record[KEYS[table] ?? 'id']}`))
    .map(keyOf)
}
