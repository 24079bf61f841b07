// A large number of plans for tests and benchmarks of lists. Inserting a hundred thousand with triggers would take
// minutes, so the triggers are disabled, and the columns that they fill in are written here instead.
import type { Database } from '@potluck/server/db/database.ts'

/** The provider of only three plans, the oldest ones. */
export const RARE_PROVIDER = 'Norton 360'

/**
 * Shares `count` plans of all providers in the catalogue. Each owner has five, of different providers; a few providers
 * are far more popular than the others. One plan in ten is full. Their times are a second apart, newest first.
 */
export async function shareManyPlans(db: Database, count: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.script(
      `${triggers('disable')}${people(Math.ceil(count / 5))}${plans(count)}${triggers('enable')}`,
    )
  })
  await db.query('analyze')
}

const triggers = (change: 'disable' | 'enable') => `
  alter table public.shared_subscriptions ${change} trigger fill, ${change} trigger add_owner;
  alter table public.subscription_members ${change} trigger user;`

const person = (number: string) => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`

const people = (count: number) => `
  insert into auth.users (id, aud, role, email, email_confirmed_at)
  select ${person('p')}, 'authenticated', 'authenticated', 'person' || p || '@crowd.example', now()
  from generate_series(1, ${count}) as p;`

// An owner's five providers are one of the first three, one of the next seven and three of the others, each range
// cycled through separately, so that no owner shares two plans of one provider.
const plans = (count: number) => `
  with shareable as materialized (
    select provider, row_number() over (order by place) - 1 as place
    from public.service_provider_data as current,
      jsonb_array_elements(current.data) with ordinality as one (provider, place)
    where current.is_current and provider ->> 'name' <> '${RARE_PROVIDER}'
      and exists (
        select 1 from jsonb_array_elements(provider -> 'plans') as plan where (plan ->> 'maxMembers')::integer >= 2
      )
  ), offers as materialized (
    select shareable.place, plan, count(*) over (partition by shareable.place) as choices,
      row_number() over (partition by shareable.place order by plan ->> 'id') - 1 as choice
    from shareable, jsonb_array_elements(provider -> 'plans') as plan
    where (plan ->> 'maxMembers')::integer >= 2
  ), wanted as (
    select n, (n - 1) / 5 as owner, case n % 5
        when 0 then (n / 5) % 3
        when 1 then 3 + (n / 5) % 7
        else 10 + (n / 5 * 3 + n % 5) % ((select count(*) from shareable) - 10)
      end as place
    from generate_series(1, ${count} - 3) as n
  )
  insert into public.shared_subscriptions (
    id, catalogue_plan_id, name, provider, description, category, total_price, member_price, billing_cycle,
    max_members, owner_max_members, provider_max_members, current_members, owner_id, owner, status, next_payment, fee_rate, created_at
  )
  select 'sub-crowd-' || n, plan ->> 'id', plan ->> 'name', plan ->> 'provider', plan ->> 'description',
    plan ->> 'category', 12, 3, 'monthly', 4, 4, 4, case when n % 10 = 0 then 4 else 1 + n % 3 end,
    ${person('owner + 1')}, 'person', 'active', current_date + 1 + n % 28, 0.1,
    now() - make_interval(secs => (n::bigint * 7919) % ${count})
  from wanted join offers on offers.place = wanted.place and offers.choice = (n / 7) % offers.choices
  union all
  select 'sub-rare-' || n, 'norton-rare', 'Deluxe', '${RARE_PROVIDER}', '', 'security', 12, 3, 'monthly', 4, 4, 4, 1,
    ${person('n')}, 'person', 'active', current_date + 9, 0.1, now() - make_interval(secs => ${count} + n)
  from generate_series(1, 3) as n;
  insert into public.subscription_members (subscription_id, user_id, name, email, is_owner)
  select id, owner_id, 'Person', 'person@crowd.example', true from public.shared_subscriptions
  where id like 'sub-crowd-%' or id like 'sub-rare-%';`
