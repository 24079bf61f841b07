// Exporting one's data, and ending an account.
import { describe, expect, test } from 'vitest'
import { columnOf, denied, expectRefusal, rule, single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { ask, join, openChat, setTheTable, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()

const end = (person: Person, giveUp = false) => person.sql`select delete_own_account(${giveUp})`
const credit = (person: Person, coins: string) => moveCoins(db, person, 'earned', coins, 'Share')

/** Returns the tables that still contain the person's id or email address, each with the number of rows. */
async function traces({ id, email }: Person): Promise<Record<string, number>> {
  const tables = await columnOf(sql`select c.oid::regclass::text from pg_class as c
    where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('public', 'private', 'auth') order by 1`)
  const counts = tables.map(
    (name) =>
      `select '${name}' as name, count(*)::int as n from ${name} as t where t::text like any (array[$1, $2])`,
  )
  const found = await db.query<{ name: string; n: number }>(counts.join(' union all '), [
    `%${id}%`,
    `%${email}%`,
  ])
  return Object.fromEntries(found.filter(({ n }) => n > 0).map(({ name, n }) => [name, n]))
}
const whoIs = ({ id }: Person) =>
  sql`select p.display_name, p.full_name, u.email, u.email_change, u.encrypted_password, u.raw_user_meta_data
    from user_profiles as p join auth.users as u on u.id = p.user_id where p.user_id = ${id}`
const NOBODY = {
  ...{ display_name: 'Deleted account', full_name: null, email: null, email_change: '' },
  ...{ encrypted_password: null, raw_user_meta_data: {} },
}

describe('export_own_data', () => {
  test('holds everything the database keeps on a person, and no more', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    await ask(db, zoe, plan, 'May I?')
    const chat = await openChat(db, plan, marc)
    await marc.sql`insert into messages (conversation_id, content) values (${chat}, ${'Hello Olivia'})`
    await marc.sql`update user_profiles set full_name = 'Marc Whole', phone_number = '+4930123456' where user_id = ${marc.id}`
    await credit(olivia, '7.50')
    const exported = (person: Person) => single<Record<string, unknown>>(person.sql`select export_own_data()`)
    const own = await exported(olivia)
    expect(own).toMatchObject({
      account: { id: olivia.id, email: olivia.email },
      profile: { display_name: 'Olivia' },
      wallet: { coin_balance: 7.5 },
      shared_plans: [{ id: plan.id }],
      memberships: [{ subscription_id: plan.id, is_owner: true }],
      conversations: [{ id: chat, messages: [{ content: 'Hello Olivia', sender_id: marc.id }] }],
      coin_transactions: [{ amount: 7.5, transaction_type: 'earned' }],
      join_requests: null,
      mails: [
        { event: 'request-made', params: { member: 'Zoe' }, sent_at: null },
        { event: 'chat-message', params: { person: 'Marc' }, sent_at: null },
      ],
      notification_choices: [{ topic: 'messages', mail: true, push: true }, {}, {}, {}, {}, {}],
      push_devices: null,
      calendar_address_since: null,
      tokens: null,
      message_drafts: null,
      webhooks: null,
      bank_entries_used: null,
      account_changes: null,
      sessions: null,
    })
    expect(own.notifications).not.toBeNull()
    for (const secret of ['Marc Whole', 'token_hash']) expect(JSON.stringify(own)).not.toContain(secret)
    expect(await exported(marc)).toMatchObject({
      profile: { full_name: 'Marc Whole', phone_number: '+4930123456' },
      seats: [{ subscription_id: plan.id, status: 'active' }],
      payments: [{ number: 1, share: 5 }],
      time_zone: 'UTC',
    })
    expect(await exported(zoe)).toMatchObject({ join_requests: [{ message: 'May I?' }], shared_plans: null })
  })

  test('names every table that keeps something on a person', async () => {
    const kept = await columnOf(sql`select distinct k.conrelid::regclass::text
      from pg_constraint as k where k.contype = 'f' and k.connamespace = 'public'::regnamespace
        and k.confrelid in ('private.user_profiles'::regclass, 'auth.users'::regclass)`)
    const body = await single(
      sql`select prosrc from pg_proc where oid = 'private.export_own_data()'::regprocedure`,
    )
    // chat_participants is left out: an unread mark says nothing about a person that the exported conversation does not
    // say.
    const said = kept.filter((name) => name !== 'chat_participants')
    expect(said.length).toBeGreaterThan(10)
    expect(said.filter((name) => !body.includes(`public.${name.replace('public.', '')}`))).toEqual([])
  })
})

describe('delete_own_account', () => {
  test('leaves no trace of a person who never had a seat or moved a coin', async () => {
    const marc = await addPerson(db, 'Marc')
    await marc.sql`select set_time_zone('Europe/Berlin')`
    await marc.sql`select choose_notifications('money', 'mail', false)`
    await marc.sql`insert into payment_wishes (kind, note) values ('text', 'Cash')`
    const other = await sharePlan(db, await addPerson(db, 'Nora'), { catalogueId: 'tidal-family' })
    await ask(db, marc, other)
    await sharePlan(db, marc, { catalogueId: 'youtube-premium-family' })
    await end(marc)
    expect(await traces(marc)).toEqual({})
  })

  test('keeps the seat of a member under nobody’s name, and leaves a place that somebody else can have', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    await openChat(db, plan, marc)
    await marc.sql`select set_time_zone('Europe/Berlin')`
    await marc.sql`select choose_notifications('money', 'mail', false)`
    await end(marc)
    expect(await traces(marc)).toEqual({
      ...{ 'auth.users': 1, 'private.user_profiles': 1, 'private.rate_limit_usage': 1 },
      ...{ member_payments: 1, 'private.seats': 1 },
    })
    expect(await whoIs(marc)).toEqual([NOBODY])
    expect(
      await columnOf(olivia.sql`select title from user_notifications where title ~ 'Left'`),
    ).toHaveLength(1)
    expect(await single(sql`select end_reason from private.seats where member_id = ${marc.id}`)).toBe('left')
    const members = () => single(sql`select current_members from shared_subscriptions where id = ${plan.id}`)
    expect(await members()).toBe(1)
    await join(db, zoe, plan)
    expect(await members()).toBe(2)
  })

  test('keeps the ledger of a person who earned, under nobody’s name', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await credit(olivia, '25')
    await addBankAccount(db, olivia)
    const { id } = await olivia.insert('withdrawal_requests', { amount: '25' })
    await sql`insert into auth.mfa_factors (id, user_id, factor_type, status) values (${olivia.id}, ${olivia.id}, 'totp', 'verified')`
    await sql`insert into auth.webauthn_credentials (user_id, credential_id, public_key) values (${olivia.id}, 'id', 'key')`
    for (const status of ['processing', 'completed'])
      await sql`update withdrawal_requests set status = ${status} where id = ${id}`
    await end(olivia)
    // The bank may return the payout within 31 days, so an email address for notifying Olivia is kept until then.
    expect(await traces(olivia)).toMatchObject({ 'private.closed_accounts': 1 })
    expect(await sql`select of_age_at from private.user_details where user_id = ${olivia.id}`).toEqual([
      { of_age_at: null },
    ])
    await sql`update private.clock set ahead = ahead + interval '31 days'`
    await sql`select private.settle_closed_accounts()`
    await sql`delete from private.outgoing_mail where recipient = ${olivia.email}`
    expect(await traces(olivia)).toEqual({
      ...{
        'auth.users': 1,
        'private.user_profiles': 1,
        user_wallets: 1,
        coin_transactions: 2,
        withdrawal_requests: 1,
      },
      ...{ 'private.ledger_accounts': 1, 'private.ledger_transfers': 2, 'private.staff_log': 3 },
    })
    expect(await whoIs(olivia)).toEqual([NOBODY])
    await expectRefusal(sharePlan(db, olivia), denied('This account has been deleted'))
  })

  test('cancels plans that others have a place in, once it is known where coins go, and asks before small change is given up', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    expect(await single(olivia.sql`select quote_account_end()`)).toEqual({
      plans: [{ id: plan.id, name: 'Netflix Premium', currency: 'EUR', members: 1, back: 0, owed: 0 }],
      debts: [],
      coins: 0,
    })
    await credit(olivia, '20')
    await expectRefusal(
      end(olivia, true),
      rule('You still have 20.00 coins. Add a bank account so we can pay them out.'),
    )
    await moveCoins(db, olivia, 'spent', 12.5, 'Test')
    await expectRefusal(
      end(olivia),
      rule('You still have 7.50 coins. Add a bank account so we can pay them out, or give them up.'),
    )
    expect(await columnOf(sql`select id from shared_subscriptions where owner_id = ${olivia.id}`)).toEqual([
      plan.id,
    ])
    await end(olivia, true)
    expect(await marc.sql`select end_reason from my_seats()`).toEqual([{ end_reason: 'cancelled' }])
    expect(
      await columnOf(marc.sql`select message from user_notifications where title = 'Subscription Cancelled'`),
    ).toEqual(['The owner cancelled Netflix Premium.'])
    expect(await single(sql`select coin_balance from user_wallets where user_id = ${olivia.id}`)).toBe('0.00')
  })
})

describe('deleting an account with the service key', () => {
  const KEPT = {
    code: 'PT409',
    message:
      'This account has records that must stay. Its owner can delete it in Account Settings, and you can ban it.',
  }
  const DELETIONS = [
    'delete from auth.users where id = $1',
    'update auth.users set deleted_at = now() where id = $1',
  ]

  test.each(DELETIONS)('is refused while anything that stays names its person: %s', async (deletion) => {
    const remove = ({ id }: Person) => db.query(deletion, [id])
    const { olivia, marc, zoe } = await setTheTable(db)
    const rich = await addPerson(db, 'Rich')
    await credit(rich, '1')
    for (const person of [olivia, marc, rich]) await expectRefusal(remove(person), KEPT)
    await sharePlan(db, zoe, { catalogueId: 'tidal-family' })
    // An empty wallet, created by opening its page, does not keep an account from being removed.
    await zoe.sql`select open_own_wallet()`
    await remove(zoe)
    await end(marc)
    await expectRefusal(db.query(DELETIONS[0] ?? '', [marc.id]), KEPT)
  })

  test('knows every table whose rows name a person and stay, of themselves or with a seat', async () => {
    const staying = await columnOf(sql`
      select distinct k.conrelid::regclass::text from pg_constraint as k
      where k.contype = 'f' and k.confdeltype in ('a', 'r') and k.confrelid in ('private.user_profiles'::regclass, 'auth.users'::regclass)
        and k.conrelid <> 'public.user_wallets'::regclass and not exists (
          select from pg_constraint as s where s.conrelid = k.conrelid and s.contype = 'f' and s.confrelid in
            ('private.seats'::regclass, 'public.member_payments'::regclass, 'private.charges'::regclass))`)
    const body = await single(
      sql`select prosrc from pg_proc where oid = 'private.has_records(uuid)'::regprocedure`,
    )
    expect(staying.length).toBeGreaterThan(4)
    expect(
      staying.filter((name) => !body.includes(name.replace(/^(public\.)?(?!private\.)/, 'public.'))),
    ).toEqual([])
  })
})
