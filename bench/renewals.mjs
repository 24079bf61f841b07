// `npm run bench -- renewals`: 100,000 renewals are due at the same time, and two callers process them on Postgres
// while somebody else reads. Then two callers charge the renewals that are paid through the site, with the SQL that the
// function calls and a provider that immediately accepts everything, and the mails about the renewals are taken and
// settled. All this is compared with a bare INSERT of as many payments. `-- 100000 potluck problems=10000` adds as many
// seats with an open problem, whose renewals wait. With `function`, our built server charges, running the function and
// all its jobs, against a test double of Stripe in another process. Times of Postgres and the server are processor
// times, on two processors. The results are only printed.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { load } from '../scripts/run.mjs'
import { connect, onPostgres } from './cluster.mjs'
import { fillPotluck, startPotluck } from './contestants/potluck.mjs'
import { median, quantile, timed, verdict } from './figures.mjs'
import { createMeter } from './processes-cost.mjs'

const CALLERS = 2
const BATCH = 250
// The ledger of a first month, which was paid by card and has been earned except for its last days. Without these rows,
// Postgres would plan for empty tables.
const PAST = `
  insert into private.payment_provider (provider, mode) values ('stripe', 'test');
  insert into private.payment_customers (user_id, provider, reference) select member_id, 'stripe', 'cus_' || member_id from private.seats;
  insert into public.payment_methods (user_id, provider, reference, brand, last4, exp_month, exp_year)
    select member_id, 'stripe', 'pm_' || member_id, 'visa', '4242', 12, 2040 from private.seats;
  insert into private.unsubscribe_links (user_id) select distinct member_id from private.seats;
  insert into private.charges (payment_id, provider, intent, status, received)
    select id, 'stripe', 'pi_' || id, 'succeeded', card from public.member_payments;
  insert into public.user_wallets (user_id) select distinct owner_id from private.seats;
  insert into private.ledger_accounts (kind, owner)
    select kind, id from private.seats, unnest(array['held_share', 'held_fee']) as kind
    union all select 'wallet', user_id from public.user_wallets;
  analyze private.ledger_accounts, public.member_payments;
  insert into private.ledger_transfers
    (key, from_account, to_account, amount, kind, seat_id, payment_id, subscription_id, person_id, description, created_at)
    select format(move.key, m.id), giver.id, taker.id, move.amount, move.kind, m.seat_id, m.id, m.subscription_id,
      case move.kind when 'earning' then m.owner_id else m.member_id end, m.plan_name,
      -- No two movements of a wallet have the same time.
      m.paid_at + interval '1 microsecond' * row_number() over (order by m.id)
    from public.member_payments as m
    cross join lateral (values
      ('charge:pi_%s:share', 'outside', null, 'held_share', m.seat_id, m.share, 'payment'),
      ('charge:pi_%s:fee', 'outside', null, 'held_fee', m.seat_id, m.fee, 'payment'),
      ('earn:%s:0', 'held_share', m.seat_id, 'wallet', m.owner_id, m.earned_share, 'earning'),
      ('fee:%s:0', 'held_fee', m.seat_id, 'fees', null, m.earned_fee, 'fee')
    ) as move (key, gives, giver, takes, taker, amount, kind)
    join private.ledger_accounts as giver on giver.kind || coalesce(giver.owner::text, '') = move.gives || coalesce(move.giver::text, '')
    join private.ledger_accounts as taker on taker.kind || coalesce(taker.owner::text, '') = move.takes || coalesce(move.taker::text, '')
    order by move.kind = 'earning', move.kind = 'fee', m.id;
  insert into private.ledger_entries (account_id, version, transfer_id, amount, balance_before, balance_after, created_at)
    select account, row_number() over one, id, moved, sum(moved) over one - moved, sum(moved) over one, created_at
    from private.ledger_transfers as t, lateral (values (from_account, -amount), (to_account, amount)) as side (account, moved)
    window one as (partition by account order by id);
  update private.ledger_accounts as a set balance = e.balance, version = e.version from (
    select account_id, sum(amount) as balance, max(version) as version from private.ledger_entries group by account_id
  ) as e where e.account_id = a.id;
  insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
    select person_id, 'earned', amount, description, created_at from private.ledger_transfers where kind = 'earning';
  update public.user_wallets as w set coin_balance = a.balance, total_earned = a.balance
    from private.ledger_accounts as a where a.kind = 'wallet' and a.owner = w.user_id;
  select private.record_rows();`
const AT_ONCE = 250
/** The number of mails that our server takes from the queue together. */
const MAILS_AT_ONCE = 5
const CHARGED = `select count(*)::int as charged from public.member_payments where number = 2 and status = 'paid' and card = 5.5`
const CHECKED = `select count(*)::int as renewed from public.member_payments where number = 2 and status = 'due'`

/** Measures renewals of `seats` seats for each settlement named: 'potluck' (with earning, fee and charge) or 'direct'. */
export async function measure([seats = '100000', ...words] = []) {
  const problems = Number(words.find((word) => word.startsWith('problems='))?.slice(9) ?? 0)
  const settlements = words.filter((word) => word !== 'function' && !word.startsWith('problems='))
  return onPostgres('renewals', async (cluster, folder) => {
    await fillPotluck({ folder, databaseUrl: await cluster.create('renewals') })
    for (const settlement of settlements.length > 0 ? settlements : ['direct', 'potluck']) {
      const databaseUrl = await cluster.create(settlement, 'renewals')
      const sql = connect(databaseUrl, CALLERS + 2)
      await fill(sql, Number(seats) + problems, settlement)
      await openProblems(sql, problems)
      const pays = words.includes('function')
        ? () => chargeByFunction(sql, { cluster, databaseUrl, folder })
        : () => charge(sql, cluster)
      await report(sql, Number(seats), settlement, problems, { cluster, pays })
      await sql.end()
    }
  })
}

/** Adds four seats per plan, each at the end of its first month. The rows are inserted without firing triggers. */
async function fill(sql, seats, settlement) {
  const plans = Math.ceil(seats / 4)
  await sql.begin(async (tx) => {
    // Our server announces each change of tables that browsers listen to.
    await tx.unsafe(`select realtime.attach_capture(); set local session_replication_role = replica;
      create temp table person on commit drop as
        select n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id from generate_series(1, ${plans + seats}) as n;
      insert into auth.users (id, aud, role, email) select id, 'authenticated', 'authenticated', n || '@bench.example' from person;
      insert into private.user_profiles (user_id, display_name) select id, 'Person ' || n from person;
      insert into public.shared_subscriptions (id, catalogue_plan_id, name, provider, category, total_price, member_price,
        billing_cycle, max_members, owner_max_members, provider_max_members, current_members, owner_id, owner, status, settlement,
        fee_rate)
        select 'sub-' || n, 'netflix-premium', 'Premium', 'Netflix', 'streaming', 19.99, 5, 'monthly', 5, 5, 5, 5, id, 'o', 'active',
          '${settlement}', 0.1 from person where n <= ${plans};
      insert into public.subscription_members (subscription_id, user_id, name, email)
        select 'sub-' || (n - ${plans} - 1) / 4 + 1, id, 'm', 'm@bench.example' from person where n > ${plans};
      insert into private.seats (id, subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
        billing_cycle, share, fee_rate, begins_at_once_at, withdrawable_until, opened_at, admitted_at, access_given_at, anchor, next_at)
        select id, 'sub-' || (n - ${plans} - 1) / 4 + 1, 'netflix-premium', 'Netflix', 'Premium',
          ('00000000-0000-4000-8000-' || lpad(((n - ${plans} - 1) / 4 + 1)::text, 12, '0'))::uuid, id, '${settlement}', 'monthly', 5, 0.1, ${settlement === 'potluck' ? "now() - interval '32 days', current_date - 18" : 'null, null'},
          now() - interval '32 days', now() - interval '32 days', now() - interval '32 days', current_date - 32, now() - interval '1 minute' from person where n > ${plans};
      insert into public.member_payments (seat_id, subscription_id, plan_name, owner_id, member_id, number, settlement, share, fee,
        starts_at, ends_at, due_at, status, paid_at, card, earned_share, earned_fee, earned_until, announced_at, created_at)
        select id, subscription_id, 'Netflix Premium', owner_id, member_id, 1, '${settlement}', 5, ${settlement === 'potluck' ? 0.5 : 0},
          opened_at, now() - interval '1 minute', opened_at, 'paid', opened_at, ${settlement === 'potluck' ? 5.5 : 0},
          ${settlement === 'potluck' ? '4.5, 0.45' : '0, 0'}, now() - interval '3 days', now(), opened_at from private.seats;`)
    if (settlement === 'potluck') await tx.unsafe(PAST)
  })
  // A running site has sealed these rows; it closes its books once a day.
  await sql`select private.close_day()`
}

/** Adds to some seats a problem that waits for the plan's owner. */
async function openProblems(sql, count) {
  await sql.unsafe(`with troubled as (
      update private.seats set next_at = now() + interval '1 day'
      where id in (select id from private.seats order by id limit ${count}) returning *
    ) insert into public.seat_problems (seat_id, payment_id, subscription_id, plan_name, owner_id, member_id, reason, status, due_at)
      select s.id, m.id, s.subscription_id, m.plan_name, s.owner_id, s.member_id, 'password', 'owner', now() + interval '1 day'
      from troubled as s join public.member_payments as m on m.seat_id = s.id`)
  await sql.unsafe('vacuum analyze')
}

async function report(sql, seats, settlement, problems, { cluster, pays }) {
  const bare = await timed(() =>
    sql.unsafe(`create table bare (like public.member_payments including all excluding generated);
      insert into bare select * from public.member_payments`),
  )
  const reads = []
  const reading = new AbortController()
  const reader = (async () => {
    for (let n = 1; !reading.signal.aborted; n++) {
      reads.push(
        await timed(
          () =>
            sql`select * from public.member_payments where subscription_id = ${`sub-${((n * 7919) % (seats / 4)) + 1}`}`,
        ),
      )
      await pause(5)
    }
  })()
  const batches = []
  const work = async () => {
    for (;;) {
      let done = 0
      batches.push(
        await timed(async () => ([{ done }] = await sql`select private.run_due_work(${BATCH}) as done`)),
      )
      if (done === 0) return
    }
  }
  const meter = createMeter([], cluster.pid)
  meter.start()
  const took = await timed(() => Promise.all(Array.from({ length: CALLERS }, work)))
  const spent = secondsOf(meter.stop().postgres, took)
  reading.abort()
  await reader
  const [{ renewed }] = await sql.unsafe(CHECKED)
  const [{ failed }] = await sql`select count(*)::int as failed from private.seats where failures > 0`
  if (settlement === 'potluck') {
    const cost = await pays()
    const [{ charged }] = await sql.unsafe(CHARGED)
    const all = spent + cost.seconds
    const ofMany = (all / CALLERS / seats) * 100_000
    console.log(
      `${verdict(ofMany < 60 && charged === seats)} ${charged} of ${seats} charged: ${cost.said}; with the renewals ${all.toFixed(1)} s ` +
        `of ours; on ${CALLERS} cores 100,000 are ${ofMany.toFixed(0)} s, goal under 60 s`,
    )
    await sendMails(sql, cluster)
  }
  const begun = performance.now()
  await sql`select private.seal_transfers()`
  const sealed = performance.now()
  const [{ faults, seals }] =
    await sql`select count(*)::int as faults, (select line from private.ledger_seal_end) as seals from private.check_books()`
  const [sealing, checking] = [sealed - begun, performance.now() - sealed]
  const longest = Math.max(...reads)
  console.log(
    `${verdict(took < 60_000 && renewed === seats && failed + faults === 0)} ${settlement}: ${renewed} of ${seats} renewals in ` +
      `${(took / 1000).toFixed(1)} s, ${spent.toFixed(1)} s of Postgres, ${CALLERS} callers, batches of ${BATCH} (median ${median(batches).toFixed(0)} ms); ` +
      `goal under 60 s; ${problems} problems open; a bare INSERT of the payments ${(bare / 1000).toFixed(1)} s; ${failed} failed, ${faults} faults in the books ` +
      `(${seals} transfers sealed in ${(sealing / 1000).toFixed(1)} s, all checked in ${(checking / 1000).toFixed(1)} s)`,
  )
  console.log(
    `${verdict(longest < 100)} ${settlement}: ${reads.length} reads meanwhile, median ${median(reads).toFixed(1)} ms, ` +
      `p99 ${quantile(reads, 0.99).toFixed(1)} ms, longest ${longest.toFixed(1)} ms; goal none over 100 ms`,
  )
}

/** Returns the processor time in seconds. */
const secondsOf = ({ cores }, took) => (cores * took) / 1000

/** Charges the renewals as the function does. */
async function charge(sql, cluster) {
  const work = async () => {
    for (;;) {
      const [{ jobs }] = await sql`select lease_payment_jobs('stripe', ${AT_ONCE}) as jobs`
      if (jobs.length === 0) return
      const intents = jobs.map(({ order }) => [order.payment, `pi_${order.payment}`])
      await sql`select record_intents(${sql.json(Object.fromEntries(intents))})`
      const outcomes = jobs.map(({ order }) => ({
        ...{
          intent: `pi_${order.payment}`,
          status: 'succeeded',
          amount: order.amountCents / 100,
          cost: 0.31,
        },
      }))
      const [{ left }] = await sql`select record_charges(${sql.json(outcomes)}) as left`
      if (left.length > 0) throw new Error(`Not booked: ${left}`)
    }
  }
  const meter = createMeter([], cluster.pid)
  meter.start()
  const took = await timed(() => Promise.all(Array.from({ length: CALLERS }, work)))
  const seconds = secondsOf(meter.stop().postgres, took)
  return {
    seconds,
    said: `${(took / 1000).toFixed(1)} s, ${seconds.toFixed(1)} s of Postgres, without the function`,
  }
}

/** Charges the renewals with our server, which runs the function and all its jobs. */
async function chargeByFunction(sql, { cluster, databaseUrl, folder }) {
  const double = fork(join(import.meta.dirname, 'stripe.mjs'))
  const members = await sql`select member_id as id from private.seats`
  double.send(members.map(({ id }) => id))
  const [stripe] = await once(double, 'message')
  const settings = {
    ...{
      STRIPE_API_URL: stripe,
      STRIPE_SECRET_KEY: 'sk_test_bench',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
    },
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
  }
  const server = await startPotluck({ folder, databaseUrl, settings })
  try {
    const [meter, provider] = [createMeter([server.pid], cluster.pid), createMeter([double.pid])]
    for (const one of [meter, provider]) one.start()
    const tick = async (_, place) => {
      await pause(1_100 * place)
      for (;;) {
        const answer = await fetch(`${server.url}/functions/v1/payments/tick`, { method: 'POST' })
        if (!answer.ok) throw new Error(`The function answered ${answer.status}: ${await answer.text()}`)
        await answer.body?.cancel()
        const [{ left }] = await sql`select count(*)::int as left from private.payment_jobs`
        if (left === 0) return
      }
    }
    const took = await timed(() => Promise.all(Array.from({ length: CALLERS }, tick)))
    const ours = meter.stop()
    const [database, own] = [ours.postgres, ours.servers].map((cost) => secondsOf(cost, took))
    const its = secondsOf(provider.stop().servers, took)
    return {
      seconds: database + own,
      said:
        `${(took / 1000).toFixed(1)} s, ${database.toFixed(1)} s of Postgres and ${own.toFixed(1)} s of the server with the function; ` +
        `${its.toFixed(1)} s of the double are not ours`,
    }
  } finally {
    await server.stop()
    double.kill()
  }
}

/**
 * Takes the mails about the renewals as the sender does, writes their texts and settles them, until the queue is empty.
 */
async function sendMails(sql, cluster) {
  const { inWords } = await load('supabase/functions/mail/words.ts')
  await sql`update private.outgoing_mail set next_attempt_at = clock_timestamp()`
  let sent = 0
  const work = async () => {
    for (;;) {
      const due = await sql`select * from private.lease_due_mails(${MAILS_AT_ONCE})`
      if (due.length === 0) return
      for (const mail of due) {
        inWords(mail)
        await sql`select private.settle_mail(${mail.id}, ${mail.attempt}, null, false)`
        sent += 1
      }
    }
  }
  const meter = createMeter([process.pid], cluster.pid)
  meter.start()
  const took = await timed(() => Promise.all(Array.from({ length: CALLERS }, work)))
  const { postgres: database, servers: sender } = meter.stop()
  console.log(
    `     ${sent} mails taken, said and settled afterwards in ${(took / 1000).toFixed(1)} s: ${secondsOf(database, took).toFixed(1)} s of ` +
      `Postgres, ${secondsOf(sender, took).toFixed(1)} s of the sender, without the mail server`,
  )
}
