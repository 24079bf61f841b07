// Each list of staff that comes page by page says in its address how far somebody has read.
import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { moveCoins } from '../../../supabase/tests/coins.ts'
import { addPerson } from '../../../supabase/tests/people.ts'
import { openTill } from '../../../supabase/tests/till.ts'
import { openApp } from '../app.tsx'

const server = await testServer()
const { db } = server
const sofia = await addUser(server, 'sofia@staff.example')
await db.query("insert into user_roles (user_id, role) values ($1, 'super-admin')", [sofia.id])

const till = await openTill(db)
const olivia = await addPerson(db, 'Olivia')
const mia = await till.payer('Mia')
await till.enter(mia, await till.share(olivia))
await till.work()
await moveCoins(db, olivia, 'earned', 100)
await db.query(
  `insert into payment_disputes (id, payment_id, plan_name, member_id, owner_id, amount, charged, given_back, reason, status)
   select 'dp', c.payment_id, 'Netflix', p.member_id, p.owner_id, 1, 1, 0, 'fraudulent', 'lost'
   from private.charges as c join member_payments as p on p.id = c.payment_id`,
)
await db.query("select keep_unknown_event('evt', 'charge.refunded', 'ch_elsewhere')")
await db.query('insert into private.payout_files (payments, amount, created_by) values (1, 1, $1)', [
  sofia.id,
])
await db.query(
  `insert into seat_problems (seat_id, payment_id, subscription_id, plan_name, owner_id, member_id, reason, status, lost_until, outcome, closed_at)
   select p.seat_id, p.id, p.subscription_id, 'Netflix', p.owner_id, p.member_id, 'other', 'closed', now(), 'fixed', now()
   from member_payments as p`,
)

/** Fifty-one more rows like the first one, but for `changes`: past the triggers, which are not what this is about. */
async function copy(table: string, changes: string, people = 'generate_series(1, 51) as n') {
  const [{ columns } = { columns: '' }] = await db.query<{ columns: string }>(
    `select string_agg('made.' || quote_ident(attname), ', ') as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  await db.transaction(async (tx) => {
    await tx.script(`alter table ${table} disable trigger user;
      insert into ${table} (${columns.replaceAll('made.', '')}) overriding system value
      select ${columns} from (select * from ${table} limit 1) as one cross join ${people}
      cross join jsonb_populate_record(null::${table}, to_jsonb(one) || ${changes}) as made;
      alter table ${table} enable trigger user;`)
  })
}
const named = (id: string) => `jsonb_build_object('id', ${id})`
const CROWD = "(select id as user_id from auth.users where email like '%@crowd.example') as crowd"

await db.query(
  `insert into auth.users (id, aud, role, email, email_confirmed_at, raw_user_meta_data)
   select gen_random_uuid(), 'authenticated', 'authenticated', 'person' || n || '@crowd.example', now(),
     jsonb_build_object('name', case when n < 27 then 'Few' else 'Many' end)
   from generate_series(1, 51) as n`,
)
await copy('public.user_wallets', 'to_jsonb(crowd)', CROWD)
await copy(
  'public.shared_subscriptions',
  `${named("'sub-' || user_id")} || jsonb_build_object('owner_id', user_id)`,
  CROWD,
)
await db.query(`insert into withdrawal_requests (user_id, amount, status) values ($1, 20, 'completed')`, [
  olivia.id,
])
await copy('public.withdrawal_requests', named('md5(n::text)::uuid'))
await copy('public.seat_problems', named('md5(n::text)::uuid'))
await copy('public.payment_disputes', named("'dp' || n"))
await copy('public.unknown_payment_events', named("'evt' || n"))
await copy('private.payout_files', named('1000 + n'))
await copy('private.ledger_transfers', `${named('1000000 + n')} || jsonb_build_object('key', 'copy ' || n)`)
await copy('private.staff_log', "jsonb_build_object('line', 1000 + n)")

/** As somebody left them who had read more than a page of each list. */
const LISTS = [
  ['/admin/users?q=few&rows=26', { Users: 26 }],
  ['/admin/subscriptions?rows=40', { 'Subscription plans': 40 }],
  ['/admin/financials?tab=wallets&rows=51', { 'User Wallets': 51 }],
  ['/admin/transfers?rows=51', { Transfers: 51 }],
  ['/admin/log?rows=51', { 'Log of staff': 51 }],
  ['/admin/problems?rows=51', { 'Closed problems': 51 }],
  ['/admin/withdrawals?rows=51&fileRows=11', { 'Withdrawal Requests': 51, 'Payment files': 11 }],
  ['/admin/disputes?rows=51&eventRows=51', { Chargebacks: 51, 'Unknown events': 51 }],
] as const

const count = (name: string) => document.querySelectorAll(`table[aria-label="${name}"] tbody tr`).length

it('finds as much of each list as was read', async () => {
  const { router } = await openApp(server, '/admin/reviews', { as: sofia })
  for (const [href, read] of LISTS) {
    await router.navigate({ href })
    for (const [name, rows] of Object.entries(read))
      await waitFor(() => expect(count(name)).toBeGreaterThanOrEqual(rows))
  }
})

it('says how much was read, to a reload and the way back, until the list is narrowed', async () => {
  const { router, cache, at } = await openApp(server, '/admin/subscriptions', { as: sofia })
  await waitFor(() => expect(count('Subscription plans')).toBe(20))
  fireEvent.click(await screen.findByText('Load more subscriptions'))
  await waitFor(() => expect(at()).toBe('/admin/subscriptions?rows=40'))
  await router.navigate({ href: '/admin/reviews' })
  await waitFor(() => expect(count('Subscription plans')).toBe(0))
  cache.removeQueries({ type: 'inactive' })
  router.history.back()
  await waitFor(() => expect(count('Subscription plans')).toBe(40))
  fireEvent.click(document.querySelector('input[value="active"]') as Element)
  await waitFor(() => expect(at()).toBe('/admin/subscriptions?status=active'))
})
