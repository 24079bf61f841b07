// `npm run bench:standing`: how long the standing of everybody on a page of 50 plans takes, among 100,000 plans with
// 1,000,000 periods on Postgres: from cached facts, just after an event for one of them, and compared with computing
// everybody's facts. In wall-clock time, and in CPU time, which other load does not change. Printed only.
import postgres from 'postgres'
import { onPostgres } from './cluster.mjs'
import { fillPotluck } from './contestants/potluck.mjs'
import { quantile, sayLoad, verdict } from './figures.mjs'

const PLANS = 100_000
const PEOPLE = 40_000
const CALLS = 300
const GOAL = 20

export const measure = () =>
  onPostgres('standing', async (cluster, folder) => {
    const databaseUrl = await cluster.create('standing')
    await fillPotluck({ folder, databaseUrl })
    const sql = postgres(databaseUrl, { max: 1, onnotice: ({ detail }) => countProcessor(detail) })
    await fill(sql)
    const [{ periods }] = await sql`select count(*)::int as periods from public.member_payments`
    console.log(`${PLANS} plans, ${periods} periods`)
    await getToKnow(sql)
    const random = () =>
      sql`select distinct owner_id as id from (
        select owner_id from public.shared_subscriptions tablesample bernoulli (1) order by random() limit 50) as page`
    const busiest = () => sql`select id from (
      select owner_id as id from public.shared_subscriptions group by 1 order by count(*) desc, 1 limit 50) as page`
    await report(sql, '50 plans of anybody', random)
    await report(sql, 'the 50 people who share most', busiest)
    await sql.end()
    sayLoad()
  })

let processor = 0
/** Postgres's report on each statement while log_statement_stats is on. */
function countProcessor(detail = '') {
  const [, user = 0, system = 0] = /([\d.]+) s user, ([\d.]+) s system/.exec(detail) ?? []
  processor += (Number(user) + Number(system)) * 1000
}

/** Two seats a plan with five paid periods each, and four requests. Fifty people share fifty plans each. */
async function fill(sql) {
  await sql.begin((tx) =>
    tx.unsafe(`set local session_replication_role = replica;
      create function pg_temp.person(n integer) returns uuid language sql immutable
        as $$ select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid $$;
      insert into auth.users (id, aud, role, email) select pg_temp.person(n), 'authenticated', 'authenticated', n || '@bench.example'
        from generate_series(1, ${PEOPLE}) as n;
      insert into private.user_profiles (user_id, display_name, created_at)
        select id, 'Person', now() - interval '1 year' from auth.users;
      create temp table plan on commit drop as select n, 'sub-' || n as id, pg_temp.person(case when n <= 2500 then 1 + n % 50
        else 51 + n * 7919 % (${PEOPLE} - 50) end) as owner from generate_series(1, ${PLANS}) as n;
      insert into public.shared_subscriptions (id, catalogue_plan_id, name, provider, category, total_price, member_price,
        billing_cycle, max_members, owner_max_members, provider_max_members, current_members, owner_id, owner, status, settlement, fee_rate)
        select id, 'netflix-premium', 'Premium', 'Provider ' || n, 'streaming', 19.99, 5, 'monthly', 4, 4, 4, 3, owner, 'o', 'active',
          'potluck', 0.1 from plan;
      insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
        billing_cycle, share, fee_rate, opened_at, anchor, admitted_at, access_given_at)
        select id, 'netflix-premium', 'Netflix', 'Premium', owner, pg_temp.person(1 + (n * 31 + k * 104729) % ${PEOPLE}), 'potluck',
          'monthly', 5, 0.1, began, current_date - 150, began, began from plan, (values (now() - interval '150 days')) as at (began), generate_series(1, 2) as k;
      insert into public.member_payments (seat_id, subscription_id, plan_name, owner_id, member_id, number, settlement, share, fee,
        starts_at, ends_at, due_at, status, paid_at, card, created_at)
        select id, subscription_id, 'Netflix Premium', owner_id, member_id, k, 'potluck', 5, 0.5, at, at + interval '30 days', at,
          case k when 5 then 'paid' else 'closed' end, at + make_interval(hours => (hashtext(id::text || k) & 127)), 5.5, at
        from generate_series(1, 5) as k, private.seats, lateral (select opened_at + (k - 1) * interval '30 days') as began (at);
      insert into public.subscription_requests (subscription_id, owner_id, user_id, name, email, status, requested_at, decided_at)
        select id, owner, pg_temp.person(1 + (n * 17 + k * 7919) % ${PEOPLE}), 'p', 'p@bench.example', 'rejected', at, at + interval '5 hours'
        from plan, generate_series(1, 4) as k, lateral (select now() - make_interval(days => k * 40)) as asked (at);`),
  )
  await sql.unsafe('vacuum analyze')
}

/** As after an event for everybody. */
async function getToKnow(sql) {
  await sql`insert into private.fact_changes (user_id) select user_id from private.user_profiles`
  const before = performance.now()
  let people = 0
  for (let count = 1; count > 0; people += count)
    [{ count }] = await sql`select private.refresh_facts() as count`
  const seconds = (performance.now() - before) / 1000
  console.log(`The facts about ${people} people in ${seconds.toFixed(1)} s`)
  await sql`vacuum analyze private.known_facts, private.fact_changes`
}

const WAYS = {
  known: (tx, ids) => tx`select * from public.standing_of(${ids}::uuid[])`,
  'worked out anew': (
    tx,
    ids,
  ) => tx`select w.*, r.*, private.level_of(300, 0, w.paid_on_time, w.paid_late, w.problems, w.answer_minutes)
    from private.work_out_facts(${ids}::uuid[]) as w cross join lateral private.rating_of(w.user_id) as r`,
}

/** Both ways in turns, each for its own page. */
async function report(sql, name, page) {
  const times = { known: [], 'worked out anew': [] }
  for (let call = 0; call < CALLS + 10; call += 1) {
    for (const way of Object.keys(WAYS)) {
      const ids = (await page()).map(({ id }) => id)
      const time = await timed(sql, way, ids)
      if (call >= 10) times[way].push(time)
    }
  }
  for (const way of Object.keys(WAYS)) print(`${name}, ${way}`, times[way])
}

/** Rolled back afterwards. */
async function timed(sql, way, ids) {
  let time
  const undone = new Error('Undone')
  await sql
    .begin(async (tx) => {
      await tx`insert into private.fact_changes (user_id) values (${ids[0]})`
      await tx`set local log_statement_stats = on`
      await tx`set local client_min_messages = log`
      const claims = JSON.stringify({ sub: ids[0], role: 'authenticated' })
      await tx`select set_config('request.jwt.claims', ${claims}, true)`
      processor = 0
      const before = performance.now()
      const rows = await WAYS[way](tx, ids)
      time = [performance.now() - before, processor]
      if (rows.length !== ids.length)
        throw new Error(`${rows.length} of ${ids.length} people were answered for`)
      throw undone
    })
    .catch((error) => {
      if (error !== undone) throw error
    })
  return time
}

function print(name, times) {
  for (const [n, measure] of ['by the clock', 'of the processor'].entries()) {
    const [middle, p95] = [0.5, 0.95].map((share) =>
      quantile(
        times.map((time) => time[n]),
        share,
      ),
    )
    console.log(
      `${verdict(p95 < GOAL)} ${name}, ${measure}: median ${middle.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, promised under ${GOAL}`,
    )
  }
}
