// A town for benchmarks: 10,000 people with 100,000 plans, 200,000 places in them, 1,000,000 periods and 1,000,000
// messages. Filling it takes a minute or more, so a filled database is kept in the system's temporary folder until the
// migrations or this file change.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bcrypt } from 'hash-wasm'
import { ROOT } from '../scripts/install.mjs'
import { fillPotluck } from './contestants/potluck.mjs'

export const PEOPLE = 10_000
export const PLANS = 100_000
export const PASSWORD = 'Bench-of-a-town-1!'
const PLANS_EACH = PLANS / PEOPLE
const MESSAGES = 1_000_000
const PERIODS_EACH = 5

export const planId = (n) => `sub-town-${n}`
export const emailOf = (person) => `person${person}@town.example`
/**
 * Each plan has its owner and two members. The first member talks to the owner, in the conversation that has the plan's
 * number.
 */
export const ownerOf = (plan) => Math.floor((plan - 1) / PLANS_EACH) + 1
export const memberOf = (plan, place) =>
  ((ownerOf(plan) - 1 + (place === 1 ? 1 : 37) * (1 + ((plan - 1) % PLANS_EACH))) % PEOPLE) + 1

const id = (block, n) => `('00000000-0000-4000-${block}-' || lpad((${n})::text, 12, '0'))::uuid`
const OWNER = `((n - 1) / ${PLANS_EACH} + 1)`
const member = (place) =>
  `((${OWNER} - 1 + (case ${place} when 1 then 1 else 37 end) * (1 + (n - 1) % ${PLANS_EACH})) % ${PEOPLE} + 1)`

// These rows are written as the triggers would have written them, because triggers are bypassed.
const STEPS = [
  [
    'people',
    (password) => `
    insert into auth.users (id, aud, role, email, email_confirmed_at, encrypted_password, raw_user_meta_data, raw_app_meta_data)
      select ${id('8000', 'n')}, 'authenticated', 'authenticated', 'person' || n || '@town.example', now(), '${password}',
        jsonb_build_object('name', 'Person ' || n), '{"provider": "email", "providers": ["email"]}'
      from generate_series(1, ${PEOPLE}) as n;
    insert into auth.sessions (id, user_id, amr) select ${id('a000', 'n')}, ${id('8000', 'n')}, '[]' from generate_series(1, ${PEOPLE}) as n;
    set local session_replication_role = replica;
    insert into public.user_wallets (user_id, coin_balance, total_earned) select ${id('8000', 'n')}, 20, 20 from generate_series(1, ${PEOPLE}) as n
      on conflict (user_id) do update set coin_balance = 20, total_earned = 20;
    insert into public.payment_wishes (user_id, kind, note) select ${id('8000', 'n')}, 'text', 'In cash' from generate_series(1, ${PEOPLE}) as n;
    insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
      select ${id('8000', 'n')}, 'earned', 1, 'Earned for Netflix Premium', now() - make_interval(days => day)
      from generate_series(1, ${PEOPLE}) as n, generate_series(1, 20) as day;`,
  ],
  [
    'plans',
    () => `
    set local session_replication_role = replica;
    create temp table offer on commit drop as
      select row_number() over (order by provider) - 1 as place, count(*) over () as places, plan from (
        select distinct on (provider ->> 'name') provider ->> 'name' as provider, plan
        from public.service_provider_data as current, jsonb_array_elements(current.data) as provider,
          jsonb_array_elements(provider -> 'plans') as plan
        where current.is_current and (plan ->> 'maxMembers')::integer >= 2
        order by provider ->> 'name', plan ->> 'id') as each;
    insert into public.shared_subscriptions (id, catalogue_plan_id, name, provider, description, category, total_price, member_price,
        billing_cycle, max_members, owner_max_members, provider_max_members, current_members, owner_id, owner, status, settlement,
        fee_rate, next_payment, created_at)
      select 'sub-town-' || n, plan ->> 'id', plan ->> 'name', plan ->> 'provider', coalesce(plan ->> 'description', ''), plan ->> 'category',
        16 + n % 9, 4 + (n % 9) / 4.0, 'monthly', 4, 4, 4, 3, ${id('8000', OWNER)}, 'Person ' || ${OWNER}, 'active', 'direct',
        private.fee_rate(), current_date + 1 + n % 28, now() - make_interval(secs => (n::bigint * 7919) % ${PLANS} * 30)
      from generate_series(1, ${PLANS}) as n
      join offer on offer.place = (${OWNER} * 7 + (n - 1) % ${PLANS_EACH}) % offer.places;
    insert into public.subscription_members (subscription_id, user_id, name, email, is_owner)
      select 'sub-town-' || n, ${id('8000', 'person')}, 'Person ' || person, 'person' || person || '@town.example', place = 0
      from generate_series(1, ${PLANS}) as n, generate_series(0, 2) as place,
        lateral (select case place when 0 then ${OWNER} else ${member('place')} end as person) as one;`,
  ],
  [
    'periods',
    () => `
    set local session_replication_role = replica;
    insert into private.seats (id, subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement, billing_cycle,
        share, fee_rate, opened_at, admitted_at, access_given_at, anchor, next_at)
      select ${id('b000', 'n * 10 + place')}, p.id, p.catalogue_plan_id, p.provider, p.name, p.owner_id, ${id('8000', member('place'))},
        'direct', 'monthly', p.member_price, p.fee_rate, began, began, began, began::date, now() + interval '300 days'
      from public.shared_subscriptions as p, lateral (select substr(p.id, 10)::integer as n) as number, generate_series(1, 2) as place,
        lateral (select now() - interval '150 days' as began) as since
      where p.id like 'sub-town-%';
    insert into public.member_payments (seat_id, subscription_id, plan_name, owner_id, member_id, number, settlement, share, fee, starts_at,
        ends_at, due_at, status, paid_at, created_at)
      select id, subscription_id, provider || ' ' || plan_name, owner_id, member_id, k, 'direct', share, 0, at, at + interval '30 days',
        case k when ${PERIODS_EACH} then now() + interval '300 days' else at end, case k when ${PERIODS_EACH} then 'due' else 'closed' end,
        case k when ${PERIODS_EACH} then null else at end, at
      from generate_series(1, ${PERIODS_EACH}) as k, private.seats, lateral (select opened_at + (k - 1) * interval '30 days') as began (at);`,
  ],
  [
    'messages',
    () => `
    set local session_replication_role = replica;
    insert into public.conversations (id, subscription_id, owner_id, member_id)
      select ${id('9000', 'n')}, 'sub-town-' || n, ${id('8000', OWNER)}, ${id('8000', member(1))} from generate_series(1, ${PLANS}) as n;
    insert into public.chat_participants (conversation_id, user_id, has_unread)
      select id, person, id < ${id('9000', PLANS / 10)} from public.conversations, unnest(array[owner_id, member_id]) as person;
    insert into public.messages (conversation_id, sender_id, content, created_at)
      select c.id, case k % 2 when 0 then c.owner_id else c.member_id end, 'The next payment is due on Friday; shall I send it to you then? ' || k,
        now() - make_interval(hours => k * 5)
      from public.conversations as c, generate_series(1, ${MESSAGES / PLANS}) as k;`,
  ],
  [
    'what is known of people',
    () => `
    insert into private.fact_changes (user_id) select user_id from private.user_profiles;
    update private.rate_limits set attempts = 1000000, window_seconds = 1;`,
  ],
]

const migrations = join(ROOT, 'supabase/migrations')
const digest = createHash('sha256')
for (const file of [...readdirSync(migrations).map((name) => join(migrations, name)), import.meta.filename])
  digest.update(readFileSync(file))

/** Returns the folder of a kept database. A database that was not filled completely is deleted. */
export function keptFolder(name) {
  const folder = join(tmpdir(), `potluck-bench-town-${digest.copy().digest('hex').slice(0, 12)}`, name)
  if (!existsSync(join(folder, 'filled'))) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Fills the database unless it has been filled before. */
export async function fillTown(place, onStep) {
  const filled = join(place.folder, 'filled')
  if (existsSync(filled)) return
  onStep('migrating')
  await fillPotluck(place, async (db) => {
    const password = await bcrypt({
      password: PASSWORD,
      salt: randomBytes(16),
      costFactor: 10,
      outputType: 'encoded',
    })
    for (const [name, sql] of STEPS) {
      onStep(`filling in ${name}`)
      await db.transaction((tx) => tx.script(sql(password)))
    }
    onStep('analyzing')
    await db.query('vacuum analyze')
    for (let known = 1; known > 0; )
      known = Number((await db.query('select private.refresh_facts() as count'))[0].count)
    await db.query('vacuum analyze')
  })
  writeFileSync(filled, '')
}
