// Proves REQ 12, BROWSE 01, ADMIN 34 35
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { passwordMatches } from '@potluck/server/identity/passwords.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { LONG } from '../../server/test/fuzz/fuzz.ts'
import type { OpenApi } from '../generate/promise.ts'
import { type Asker, calling, ownDatabase, type Person } from './people.ts'
import { expectAlike } from './reads/alike.ts'

const { db, sql } = await ownDatabase()
let dana: Pick<Person, 'id'> & Asker
// Columns of hosted Supabase's auth.users that this server does not have.
const TOKENS = [
  'confirmation_token',
  'recovery_token',
  'email_change_token_new',
  'email_change_token_current',
].concat('phone_change', 'phone_change_token', 'reauthentication_token')
beforeAll(async () => {
  await db.query(
    `alter table auth.users ${TOKENS.map((column) => `add column if not exists ${column} text`).join(', ')}`,
  )
  const seed = await readFile(resolve(import.meta.dirname, '../seed.sql'), 'utf8')
  await db.transaction((tx) => tx.script(seed))
  const [account] = await sql<{ id: string }>`select id from auth.users where email = 'demo@potluck.example'`
  const id = account?.id ?? ''
  const claims = JSON.stringify({ sub: id, role: 'authenticated' })
  dana = { id, ...calling(db, { role: 'authenticated', claims }) }
})

test('the demo account signs in with the password it is shown with', async () => {
  const file = resolve(import.meta.dirname, '../demo-accounts.json')
  const accounts: { email: string; password: string }[] = JSON.parse(await readFile(file, 'utf8'))
  for (const { email, password } of accounts) {
    const [account] = await sql<{
      encrypted_password: string
    }>`select encrypted_password from auth.users join auth.identities as i on i.user_id = users.id
       where users.email = ${email} and email_confirmed_at is not null and i.provider = 'email' and i.email = ${email}`
    expect(await passwordMatches(password, account?.encrypted_password)).toBe(true)
  }
  expect(accounts).toHaveLength(1)
})

test('the auth service of hosted Supabase can read every demo account', async () => {
  const unreadable = [...TOKENS, 'email_change', 'instance_id']
    .map((column) => `${column} is null`)
    .join(' or ')
  expect((await sql`select 1 from auth.users`).length).toBeGreaterThan(0)
  expect(await db.query(`select email from auth.users where ${unreadable}`)).toEqual([])
})

describe('the demo data', () => {
  test.each([
    [
      'a plan has as many members as it counts',
      `select id as found from shared_subscriptions as p
       where current_members <> (select count(*) from subscription_members where subscription_id = p.id)`,
    ],
    [
      'a wallet holds the sum of its transactions',
      `select user_id as found from user_wallets as w where coin_balance <> (
         select sum(case when transaction_type in ('earned', 'refunded') then amount else -amount end)
         from coin_transactions where user_id = w.user_id)`,
    ],
    ['the books balance', 'select fault as found from private.check_books()'],
    [
      'an owner has earned what became theirs of what went through the site, and nothing else moves money',
      `select user_id as found from user_wallets as w where total_earned <> (
         select sum(earned_share) from member_payments where owner_id = w.user_id and settlement = 'potluck')
       union all select m.member_id from member_payments as m
         join private.ledger_transfers as t on t.payment_id = m.id where m.settlement = 'direct'
       union all select owner from private.ledger_accounts where kind = 'refunds_due' and balance <> 0`,
    ],
    [
      'nothing waits to be charged, and the clock shows what time it is',
      `select about as found from private.payment_jobs union all select ahead::text from private.clock where ahead <> '0'`,
    ],
    [
      'a withdrawal stays within the wallet',
      `select user_id as found from withdrawal_requests as r where status in ('pending', 'processing')
       group by user_id having sum(amount) > (select coin_balance from user_wallets where user_id = r.user_id)`,
    ],
    [
      'nobody joined before the plan was there or the account was opened',
      `select s.user_id as found from subscription_members as s
       join shared_subscriptions as p on p.id = s.subscription_id join auth.users as u on u.id = s.user_id
       where s.joined_at < p.created_at or s.joined_at < u.created_at`,
    ],
    [
      'nobody asks for a place they have',
      `select r.id as found from subscription_requests as r join subscription_members as m
         on m.subscription_id = r.subscription_id and m.user_id = r.user_id where r.status = 'pending'`,
    ],
    [
      'nothing happens in the future',
      `select id::text as found from coin_transactions where created_at > now()
       union all select id::text from messages where created_at > now()
       union all select id::text from user_notifications where created_at > now()
       union all select id from shared_subscriptions where next_payment < current_date`,
    ],
  ])('is sound: %s', async (_rule, offenders) => {
    expect(await db.query(offenders)).toEqual([])
  })

  test('fills the browse screen: many providers, most with a free place', async () => {
    const [found] =
      await dana.sql`select count(*) as plans, count(distinct provider) as providers, count(distinct category) as categories,
         count(*) filter (where current_members < owner_max_members) > 15 as roomy from shared_subscriptions`
    expect(found).toEqual({ plans: 28, providers: 24, categories: 5, roomy: true })
  })

  test('gives staff a plan to review and one to take back', async () => {
    expect(
      await sql`select status, count(*) from shared_subscriptions where status <> 'active' group by 1 order by 1`,
    ).toEqual([
      { status: 'pending', count: 1 },
      { status: 'rejected', count: 1 },
    ])
  })

  test("shows each expiry colour on Dana's plan", async () => {
    const rows = await dana.sql<{
      expires_in_hours: number
    }>`select expires_in_hours from get_pending_requests_with_expiry((
         select id from shared_subscriptions where owner_id = auth.uid() and provider = 'Netflix'))`
    const [red = 99, orange = 99, amber = 0] = rows.map(({ expires_in_hours }) => expires_in_hours)
    expect(rows).toHaveLength(3)
    expect(red).toBeLessThanOrEqual(6)
    expect(orange).toBeGreaterThan(6)
    expect(orange).toBeLessThanOrEqual(12)
    expect(amber).toBeGreaterThan(12)
  })

  test('gives Dana two plans, two places, a request, unread chats and news', async () => {
    const [found] = await dana.sql`select
         (select count(*) from shared_subscriptions where owner_id = ${dana.id}) as owned,
         (select count(*) from subscription_members where user_id = ${dana.id} and not is_owner) as joined,
         (select count(*) from subscription_requests where user_id = ${dana.id} and status = 'pending') as awaiting,
         (select count(*) from get_user_unread_conversations(${dana.id})) as unread,
         (select count(*) from user_notifications where not read) as news`
    expect(found).toEqual({ owned: 2, joined: 2, awaiting: 1, unread: 2, news: 4 })
  })

  test('shows Dana what is paid, due, late, said to be paid, refused and given back, to her and by her', async () => {
    const standing =
      await dana.sql`select status, count(*) > 0 as there, bool_or(due_at <= now() - interval '14 days') as long
       from member_payments where owner_id = ${dana.id} group by 1 order by 1`
    expect(standing).toEqual([
      { status: 'claimed', there: true, long: false },
      { status: 'closed', there: true, long: true },
      { status: 'due', there: true, long: true },
      { status: 'paid', there: true, long: true },
    ])
    expect(
      await dana.sql`select status from member_payments where member_id = ${dana.id} and paid_at is null order by 1`,
    ).toEqual([{ status: 'due' }, { status: 'failed' }])
    expect(
      await dana.sql`select validate_withdrawal_request(auth.uid(), 20) ->> 'error' as refusal,
         (select count(*) > 0 from member_payments where owner_id = auth.uid() and returned_share > 0) as back`,
    ).toEqual([{ refusal: 'Add the bank account to pay your coins to', back: true }])
    expect(await dana.sql`select kind from payment_wishes order by kind`).toEqual([
      { kind: 'iban' },
      { kind: 'iban' },
    ])
  })

  test('shows Dana a member to let in, a problem to answer, and one that is closed', async () => {
    expect(
      await dana.sql`select member_name, access_given_at, access_due_at between now() and now() + interval '29 hours' as soon
        from plan_seats((select id from shared_subscriptions where owner_id = ${dana.id} and provider = 'Netflix'))
        where access_given_at is null`,
    ).toEqual([{ member_name: expect.stringMatching(/^Pavel/), access_given_at: null, soon: true }])
    expect(await dana.sql`select status, outcome, reason from seat_problems order by reported_at`).toEqual([
      { status: 'closed', outcome: 'fixed', reason: 'password' },
      { status: 'owner', outcome: null, reason: 'removed' },
    ])
  })

  test('answers programs what openapi.json promises them, and nothing else', async () => {
    const text = await readFile(resolve(import.meta.dirname, '../../web/public/openapi.json'), 'utf8')
    const document: OpenApi = JSON.parse(text, (_key, value) =>
      value?.properties && value.type ? { additionalProperties: false, ...value } : value,
    )
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(document, 'openapi')
    const [plan] =
      await dana.sql`select id from shared_subscriptions where owner_id = auth.uid() and provider = 'Netflix'`
    const given: Record<string, string> = {
      p_subscription_id: `'${plan?.id}'`,
      p_id: `'${plan?.id}'`,
      p_year: 'extract(year from now())::int',
    }
    const reads = Object.entries(document.paths).flatMap(([path, { get, post }]) =>
      get || path.endsWith('get_pending_requests_with_expiry')
        ? [{ path, method: get ? 'get' : 'post', one: get ?? post }]
        : [],
    )
    expect(reads.length).toBeGreaterThan(20)
    for (const { path, method, one } of reads) {
      const name = path.split('/').at(-1)
      const schema = one?.responses['200']?.content?.['application/json']?.schema
      const needed = Object.keys(given).filter((argument) => JSON.stringify(one).includes(`"${argument}"`))
      const called = needed.map((argument) => `${argument} => ${given[argument]}`).join()
      const from = path.startsWith('/rpc/') ? `${name}(${called})` : name
      const [answer] = await dana.run(
        schema?.items
          ? `select coalesce(json_agg(t), '[]') as it from ${from} as t`
          : `select to_json(${from}) as it`,
      )
      const pointer = `openapi#/paths/${path.replaceAll('/', '~1')}/${method}/responses/200/content/application~1json/schema`
      ajv.validate({ $ref: pointer }, answer?.it)
      expect([
        path,
        ajv.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`) ?? [],
      ]).toEqual([path, []])
    }
  })

  test(
    'is read alike through the Data API and by hand, whatever is asked of it and by whom',
    LONG,
    async () => {
      await expectAlike(db, 80)
    },
  )

  test('leaves nothing of its own behind', async () => {
    expect(await db.query(`select relname from pg_class where relname like 'demo\\_%'`)).toEqual([])
  })
})
