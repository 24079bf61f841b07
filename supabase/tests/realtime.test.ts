// The recipients of changes. Each table of the publication is written to while a stranger, a visitor, the owner of the
// plan and an admin listen to all of them.
// Proves ROLE 02 12 13, MEMB 02

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '../../server/test/harness.ts'
import { addBankAccount } from './bank-accounts.ts'
import { moveCoins } from './coins.ts'
import {
  everythingCame,
  type Heard,
  type Listener,
  listen,
  publishedTables,
  startServerToListenTo,
} from './listeners.ts'
import { addPeople, type Person } from './people.ts'
import { ask, join, openChat, sayingHowPaid, sharePlan } from './plans.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServerToListenTo()
})
afterAll(() => server.close())

const run = (sql: string, ...values: string[]) => server.db.query(sql, values)
const named = <const N extends readonly string[]>(...names: N) => addPeople(server.db, names)

/** An update of every row that changes only one column, and that is permitted. */
const TOUCH: Record<string, string> = {
  shared_subscriptions: 'next_payment = next_payment + 1',
  subscription_members: 'joined_at = joined_at',
  subscription_requests: 'message = message',
  subscription_invitations: 'created_at = created_at',
  waiting_list: 'joined_at = joined_at',
  conversations: 'created_at = created_at',
  messages: 'metadata = metadata',
  message_drafts: 'content = content',
  chat_participants: 'has_unread = has_unread',
  user_notifications: 'read = read',
  user_wallets: 'updated_at = now()',
  coin_transactions: 'description = description',
  withdrawal_requests: 'requested_at = requested_at',
  provider_requests: 'description = description',
  admin_role_requests: 'name = name',
  member_payments: 'note = note',
  fee_invoices: 'plan_name = plan_name',
  term_proposals: 'share = share',
  payment_claims: 'reminders = reminders',
  seat_problems: 'refusals = refusals',
  cases: 'body = body',
  provider_rules: 'provider = provider',
  plan_departures: 'subscription_id = subscription_id',
}

/**
 * Creates a plan that only its owner and members may see, with a member, a chat, a request, an invitation, coins and a
 * withdrawal.
 */
async function liveALittle(olivia: Person, marc: Person, rita: Person): Promise<void> {
  await moveCoins(server.db, olivia, 'earned', 100, 'A start')
  await addBankAccount(server.db, olivia)
  const id = (
    await run(
      `insert into shared_subscriptions (owner_id, catalogue_plan_id, owner_max_members, next_payment, status)
    values ($1, 'netflix-premium', 4, current_date + 30, 'pending') returning id`,
      olivia.id,
    )
  )[0]?.id
  const plan = { id: String(id), owner: olivia }
  const names: Record<string, string> = { olivia: olivia.id, marc: marc.id, rita: rita.id, plan: plan.id }
  for (const statement of [
    'insert into withdrawal_requests (user_id, amount) values (:olivia, 20)',
    `insert into provider_requests (user_id, provider_name, category, website_url, description, plans_data)
     values (:olivia, 'Mubi', 'Streaming', 'https://mubi.com', 'Hand-picked films, a new one a day.',
       '[{"plan_name":"Solo","price":9,"billing_cycle":"monthly","max_members":2}]')`,
    `insert into admin_role_requests (user_id, name, email, reason)
     values (:olivia, 'Olivia', 'olivia@potluck.example', 'I would like to help with payouts.')`,
    'insert into subscription_requests (subscription_id, user_id) values (:plan, :marc), (:plan, :rita)',
    'select private.add_member(:plan, :marc, false)',
    `insert into term_proposals (seat_id, subscription_id, owner_id, member_id, settlement, share)
     select id, subscription_id, owner_id, member_id, 'direct', 4 from private.seats where member_id = :marc`,
    `insert into seat_problems (seat_id, payment_id, subscription_id, plan_name, owner_id, member_id, reason, status, due_at)
     select seat_id, id, subscription_id, plan_name, owner_id, member_id, 'password', 'owner', now()
     from member_payments where member_id = :marc`,
    `insert into payment_claims (payment_id, seat_id, owner_id, member_id, kind, amount, after_end, status, closed_at)
     select id, seat_id, owner_id, member_id, 'payment', 5, false, 'received', now() from member_payments where member_id = :marc`,
    `insert into subscription_invitations (subscription_id, email, invited_by, token_hash)
     values (:plan, 'ivy@potluck.example', :olivia, 'x')`,
    `insert into provider_rules (provider, rule, reason, ground, clause) values ('Mubi', 'off', 'Its rules', 'provider', '4.2')`,
    // A trigger protects invoices from every change.
    'alter table fee_invoices disable trigger keep',
    `insert into fee_invoices (number, payment_id, buyer_id, paid_at, plan_name, period, gross, net, vat, category, vat_rate, buyer_name,
       buyer_country, evidence, seller) select 'INV-1', id, owner_id, now(), plan_name, 1, 1, 1, 0, 'E', 0, 'Olivia', 'DE', '{}', '{}'
     from member_payments where member_id = :marc`,
    'insert into plan_departures (subscription_id) values (:plan)',
    // Only staff are notified of reports, and only of those about others.
    `insert into user_roles (user_id, role) values (:olivia, 'moderator')`,
    `insert into cases (kind, person_id, writer_id, body) values ('person', :marc, :rita, 'Rude')`,
    'insert into waiting_list (subscription_id, user_id) values (:plan, :olivia)',
    `select private.notify(:olivia, 'info', :plan, 'payout-released')`,
  ])
    await run(statement.replace(/(?<!:):([a-z]+)/g, (_, name: string) => `'${names[name]}'`))
  const chat = await openChat(server.db, plan, marc)
  await marc.sql`insert into messages (conversation_id, content) values (${chat}, 'Hello')`
  await run(
    `insert into message_drafts (conversation_id, user_id, content, made_by) values ($1, $2, 'Hello', 'Script')`,
    chat,
    olivia.id,
  )
}

describe('somebody who listens to everything', () => {
  let olivia: Person
  let zoe: Person
  let owner: Listener
  let stranger: Listener
  let visitor: Listener
  let tables: string[]
  beforeAll(async () => {
    // The owner must receive every insert, update and delete, so the test waits for these.
    tables = await publishedTables(server)
    const [o, z, marc, rita] = await named('Olivia', 'Zoe', 'Marc', 'Rita')
    olivia = o
    zoe = z
    owner = await listen(server, olivia)
    stranger = await listen(server, zoe)
    visitor = await listen(server)
    await liveALittle(olivia, marc, rita)
    await owner.hears('INSERT', tables)
    for (const table of tables) await run(`update ${table} set ${TOUCH[table]}`)
    await owner.hears('UPDATE', tables)
    // Deletes each row before the rows that it refers to: the readers of a message are known only as long as its
    // conversation exists.
    for (const table of ['fee_invoices', 'messages', ...tables.toReversed()]) {
      await run(`delete from ${table}`)
      await owner.hears('DELETE', [table])
    }
    await everythingCame(server, stranger, zoe)
  })

  test('is told as a stranger of no row that select would refuse, inserted or changed', () => {
    // Leaves out rows that everybody may see: providers that are switched off, and plans that people can no longer see.
    const rows = (heard: Heard[]) =>
      heard.filter(
        ({ event, table }) => event !== 'DELETE' && table !== 'provider_rules' && table !== 'plan_departures',
      )
    expect(rows(stranger.heard)).toMatchObject([
      { table: 'user_notifications', event: 'INSERT', new: { user_id: zoe.id, title: 'The last' } },
    ])
  })

  test('is told of deleted rows that they might have seen, by their key alone: no drafts, no memberships of others', async () => {
    const keys = await keyColumns()
    const gone = stranger.heard.filter(({ event }) => event === 'DELETE')
    expect([...new Set(gone.map(({ table }) => table))].sort()).toEqual(['plan_departures', 'provider_rules'])
    for (const one of gone) {
      expect(one.new).toEqual({})
      expect([one.table, Object.keys(one.old)]).toEqual([one.table, keys.get(one.table)])
    }
  })

  test('is told as a visitor nothing at all, not even that something was deleted', () => {
    expect(visitor.heard).toEqual([])
  })

  // Postgres cannot check permissions for a deleted row, so all clients receive its key. A wallet is deleted only with
  // its account, of which nothing else remains.
  test('learns from the key of a deleted row who it was about only where nothing else is left of them', async () => {
    const naming = await server.db.query<{ name: string }>(
      `select c.relname as name from pg_publication_tables as p
       join pg_class as c on c.oid = format('%I.%I', p.schemaname, p.tablename)::regclass
       join pg_index as i on i.indrelid = c.oid and i.indisprimary
       join pg_constraint as k on k.conrelid = c.oid and k.contype = 'f' and k.conkey && i.indkey::int2[]
       where p.pubname = 'supabase_realtime'
         and k.confrelid in ('auth.users'::regclass, 'private.user_profiles'::regclass)`,
    )
    expect(naming.map(({ name }) => name)).toEqual(['user_wallets'])
  })
})

test.each([`status = 'pending'`, 'is_private = true'])(
  'a plan that everybody may see reaches the stranger too; once %s, that it is out of sight and no more',
  async (hidden) => {
    const [olivia, zoe] = await named('Olivia', 'Zoe')
    const stranger = await listen(server, zoe)
    const plan = await sharePlan(server.db, olivia)
    await stranger.hears('INSERT', ['shared_subscriptions'])
    stranger.forget()
    await run(`update shared_subscriptions set ${hidden} where id = $1`, plan.id)
    await everythingCame(server, stranger, zoe)
    expect(stranger.heard).toMatchObject([
      { table: 'plan_departures', event: 'DELETE', old: { subscription_id: plan.id } },
      { table: 'user_notifications' },
    ])
    stranger.forget()
    await run(`update shared_subscriptions set next_payment = next_payment + 1 where id = $1`, plan.id)
    await everythingCame(server, stranger, zoe)
    expect(stranger.heard.map(({ table }) => table)).toEqual(['user_notifications'])
  },
)

describe('a member who listens', () => {
  const changePlan = `
    update public.shared_subscriptions set next_payment = next_payment + 1 where id = '%';
    update public.subscription_members set joined_at = now() where subscription_id = '%';`
  const change = (id: string) => changePlan.replaceAll('%', id)

  test('hears nothing more of the plan from the very transaction that removes them', async () => {
    const { db } = server
    const [olivia, marc, rita] = await named('Olivia', 'Marc', 'Rita')
    const plan = await sharePlan(db, olivia)
    await join(db, marc, plan)
    await ask(db, rita, plan)
    const chat = await openChat(db, plan, marc)
    await run(`update shared_subscriptions set status = 'pending' where id = $1`, plan.id)

    const member = await listen(server, marc)
    await db.transaction((tx) => tx.script(change(plan.id)))
    await olivia.sql`insert into messages (conversation_id, content) values (${chat}, 'Hello')`
    await member.hears('UPDATE', ['shared_subscriptions', 'subscription_members'])
    await member.hears('INSERT', ['messages'])
    await everythingCame(server, member, marc)

    member.forget()
    await db.transaction(async (tx) => {
      await tx.query('delete from subscription_members where user_id = $1', [marc.id])
      await tx.script(change(plan.id))
    })
    await db.transaction((tx) => tx.script(change(plan.id)))
    await everythingCame(server, member, marc)
    expect(member.heard.map(({ table, event }) => `${event} ${table}`)).toEqual([
      'UPDATE member_payments',
      'DELETE subscription_members',
      'UPDATE conversations',
      'INSERT user_notifications',
      'INSERT user_notifications',
    ])
  })
})

test('whoever may see a plan hears of a place that is kept, and not for whom', async () => {
  const [olivia, zoe] = await named('Olivia', 'Zoe')
  const stranger = await listen(server, zoe)
  const { id } = await sharePlan(server.db, olivia)
  // The server may read a change after somebody who came later has subscribed, so the plan is heard of first.
  await stranger.hears('INSERT', ['shared_subscriptions'])
  stranger.forget()
  await sayingHowPaid(olivia, () => olivia.sql`select invite_member(${id}, 'ivy@potluck.example')`)
  await stranger.hears('UPDATE', ['shared_subscriptions'])
  expect(stranger.heard).toMatchObject([{ event: 'UPDATE', new: { id, kept_places: 1 } }])
})

test('an admin who listens hears of the coins of others until the role is taken away', async () => {
  const [ada, olivia] = await named('Ada', 'Olivia')
  await run(`insert into user_roles (user_id, role) values ($1, 'admin')`, ada.id)
  const admin = await listen(server, ada)
  await moveCoins(server.db, olivia, 'earned', 5, 'One')
  await admin.hears('INSERT', ['user_wallets', 'coin_transactions'])
  admin.forget()
  await run('delete from user_roles where user_id = $1', ada.id)
  await moveCoins(server.db, olivia, 'earned', 5, 'Two')
  await everythingCame(server, admin, ada)
  expect(admin.heard.map(({ table }) => table)).toEqual(['user_notifications'])
})

async function keyColumns(): Promise<Map<string, string[]>> {
  const rows = await server.db.query<{ name: string; key: string[] }>(
    `select c.relname as name, json_agg(a.attname order by a.attnum) as key
     from pg_class as c join pg_index as i on i.indrelid = c.oid and i.indisprimary
     join pg_attribute as a on a.attrelid = c.oid and a.attnum = any (i.indkey)
     where c.relnamespace = 'public'::regnamespace group by c.relname`,
  )
  return new Map(rows.map(({ name, key }) => [name, key]))
}
