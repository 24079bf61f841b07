// `npm run bench -- ledger`: compares the ledger's transfers per second with a bare INSERT of the same rows, and
// measures how long a wallet statement with many movements and the staff's lists of transfers take. A missed goal is
// printed but does not fail the run.
import { connect, onPostgres } from './cluster.mjs'
import { signUp, startPotluck } from './contestants/potluck.mjs'
import { median, quantile, sayLoad, timed, verdict } from './figures.mjs'
import { drive, WORKERS } from './load.mjs'

const ROUNDS = 5
const SECONDS = 3
const CALLS = 100
const ROWS = 1_000_000
const MOVEMENTS = 10_000

export const measure = () =>
  onPostgres('ledger', async (cluster, folder) => {
    const databaseUrl = await cluster.create('ledger')
    const server = await startPotluck({ folder, databaseUrl })
    await signUp(server, { email: 'bench@potluck.example', password: 'Bench-of-1-person!' })
    await server.stop()
    const sql = connect(databaseUrl, WORKERS)
    await reportTransfers(sql)
    await reportReading(sql)
    await sql.end()
    sayLoad()
  })

async function reportTransfers(sql) {
  const accounts =
    await sql`select private.ledger_account('held_share', gen_random_uuid()) as id from generate_series(1, 2000)`
  const [{ outside }] = await sql`select private.ledger_account('outside') as outside`
  for (const { id } of accounts)
    await sql`select private.transfer(${`filled ${id}`}, ${outside}, ${id}, 1000000, 'payment')`
  // The bare tables get the rows of a transfer without its logic.
  await sql`create table bare_transfers (like private.ledger_transfers including all)`
  await sql`create table bare_entries (like private.ledger_entries including all)`
  let n = 0
  const own = (worker) => accounts[worker * 200 + (n % 200)].id
  const contestants = {
    'distinct accounts': (worker) =>
      sql`select private.transfer(${`bench ${n++}`}, ${own(worker)}, ${accounts[worker * 200 + ((n + 1) % 200)].id}, 0.01, 'payment')`,
    'one hot account': (worker) =>
      sql`select private.transfer(${`bench ${n++}`}, ${own(worker)}, ${outside}, 0.01, 'refund-sent')`,
    'bare INSERT of the same rows': (worker) => {
      const [from, to] = [own(worker), own((worker + 1) % WORKERS)]
      return sql`with t as (
          insert into bare_transfers (key, from_account, to_account, amount, kind, created_at)
          values (${`bare ${n++}`}, ${from}, ${to}, 0.01, 'payment', clock_timestamp()) returning id, created_at
        ) insert into bare_entries (account_id, version, transfer_id, amount, balance_before, balance_after, created_at)
        select account, ${n}, t.id, amount, 0, amount, t.created_at
        from t, (values (${from}::bigint, -0.01), (${to}::bigint, 0.01)) as side (account, amount)`
    },
  }
  const rates = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]))
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [name, work] of Object.entries(contestants)) {
      const { perSecond } = await drive((_n, worker) => work(worker), { seconds: SECONDS })
      if (round > 0) rates[name].push(perSecond)
    }
  for (const [name, goal] of [
    ['distinct accounts', 2000],
    ['one hot account', 500],
    ['bare INSERT of the same rows'],
  ]) {
    const rate = median(rates[name])
    console.log(
      `${goal ? verdict(rate >= goal) : '    '} ${name}: ${Math.round(rate)} a second${goal ? `, promised ${goal}` : ''}`,
    )
  }
  // Checks only the ledger itself, since these transfers belong to no payment.
  const faults = await sql`select * from private.check_ledger()`
  console.log(`${verdict(faults.length === 0)} The books balance afterwards`)
}

async function reportReading(sql) {
  const [{ id }] = await sql`select id from auth.users limit 1`
  await sql`insert into user_roles (user_id, role) values (${id}, 'admin')`
  // The movements are spread over a year, a hundred per transaction, because each change of a row makes the next one in
  // the same transaction slower.
  for (let n = 0; n < MOVEMENTS; n += 100) {
    await sql`update private.clock set ahead = make_interval(secs => ${(n / MOVEMENTS) * 360 * 86_400})`
    await sql`select private.transfer('move ' || n, private.ledger_account('outside'), private.ledger_account('wallet', ${id}), 1, 'earning')
      from generate_series(${n}::int, ${n + 99}::int) as n`
  }
  // Writes rows as transfer() would, but in bulk and only to measure the pages: no site has that many yet.
  await sql`insert into private.ledger_transfers (key, from_account, to_account, amount, kind, subscription_id, person_id, description, created_at)
    select 'old ' || n, 1000000000001, 1, 1, (array['payment', 'earning', 'fee', 'refund', 'withdrawal'])[1 + n % 5],
      'plan-' || n % 5000, ('00000000-0000-4000-8000-' || lpad((n % 20000)::text, 12, '0'))::uuid, 'A share',
      now() - make_interval(secs => n * 30)
    from generate_series(1, ${ROWS}) as n`
  await sql`analyze`
  const person = '00000000-0000-4000-8000-000000000042'
  const old = new Date(Date.now() - 200 * 86_400_000).toISOString()
  const asAdmin = (query) =>
    sql.begin(async (tx) => {
      await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: id, role: 'authenticated', aal: 'aal2', amr: [] })}, true), set_config('app.settings.sheltered', 'on', true)`
      return timed(() => query(tx))
    })
  const reads = {
    [`statement of a month in a year with ${MOVEMENTS} movements`]: (tx) =>
      tx`select private.wallet_statement(now() + interval '150 days', now() + interval '180 days')`,
    'transfers, all': (tx) => tx`select * from public.list_transfers()`,
    'transfers of a person': (tx) => tx`select * from public.list_transfers(p_person => ${person})`,
    'transfers of a plan': (tx) => tx`select * from public.list_transfers(p_subscription_id => 'plan-42')`,
    'transfers of a kind': (tx) => tx`select * from public.list_transfers(p_kind => 'refund')`,
    'transfers of a time': (tx) => tx`select * from public.list_transfers(p_until => ${old})`,
    'transfers of a person and a kind': (tx) =>
      tx`select * from public.list_transfers(p_person => ${person}, p_kind => 'fee')`,
    'transfers of a kind and a time': (tx) =>
      tx`select * from public.list_transfers(p_kind => 'fee', p_until => ${old})`,
  }
  for (const [name, query] of Object.entries(reads)) {
    const times = []
    for (let call = 0; call < CALLS + 10; call += 1) {
      const time = await asAdmin(query)
      if (call >= 10) times.push(time)
    }
    const [middle, p95] = [0.5, 0.95].map((share) => quantile(times, share))
    console.log(
      `${verdict(p95 < 50)} ${name}: median ${middle.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, promised under 50`,
    )
  }
}
