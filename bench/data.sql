-- 1,000 people, 5,000 plans, 20,000 requests to join, 5,000 conversations: the same rows in every database, written through the project's
-- own triggers. Person p owns plans 5p-4 to 5p. Times are counted back from the moment of loading.
insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
select
  ('00000000-0000-4000-8000-' || lpad(p::text, 12, '0'))::uuid,
  'person' || p || '@bench.test',
  now(),
  jsonb_build_object('name', 'Person ' || p, 'avatar_url', 'https://bench.test/avatars/' || p || '.png')
from generate_series(1, 1000) as p;
-- Creates the sessions that people's tokens name, because the server refuses a token without a session.
insert into auth.sessions (id, user_id, aal, amr)
select ('00000000-0000-4000-a000-' || right(id::text, 12))::uuid, id, 'aal1', '[]' from auth.users;

-- Each person shares plans of five different providers, because a person may share only one plan per provider.
with shareable as (
  select row_number() over (order by provider ->> 'id') - 1 as place, count(*) over () as places, plan.id
  from public.service_provider_data as current,
    jsonb_array_elements(current.data) as provider,
    lateral (
      select one ->> 'id' as id from jsonb_array_elements(provider -> 'plans') as one
      where (one ->> 'maxMembers')::integer >= 3 order by one ->> 'id' limit 1
    ) as plan
  where current.is_current
)
insert into public.shared_subscriptions (id, catalogue_plan_id, owner_id, owner_max_members, next_payment, created_at)
select
  'sub-bench-' || lpad(n::text, 5, '0'),
  shareable.id,
  ('00000000-0000-4000-8000-' || lpad(((n - 1) / 5 + 1)::text, 12, '0'))::uuid,
  3,
  current_date + 1 + n % 28,
  now() - make_interval(mins => (n * 7919) % 50000)
from generate_series(1, 5000) as n
join shareable on shareable.place = ((n - 1) / 5 + (n - 1) % 5) % shareable.places
order by n;

select count(private.add_member(
  'sub-bench-' || lpad(n::text, 5, '0'),
  ('00000000-0000-4000-8000-' || lpad((((n - 1) / 5 + 500) % 1000 + 1)::text, 12, '0'))::uuid,
  false
)) from generate_series(1, 5000) as n;

-- Four requests per plan: two open, one rejected, one cancelled.
insert into public.subscription_requests (subscription_id, user_id, message, status, requested_at)
select
  'sub-bench-' || lpad(n::text, 5, '0'),
  ('00000000-0000-4000-8000-' || lpad((((n - 1) / 5 + r * 37) % 1000 + 1)::text, 12, '0'))::uuid,
  'I would like to share this one, and I pay on time. Request ' || r || ' of plan ' || n || '.',
  (array['pending', 'pending', 'rejected', 'cancelled'])[r],
  now() - make_interval(hours => (n + r * 11) % 36 + 1)
from generate_series(1, 5000) as n, generate_series(1, 4) as r;

insert into public.conversations (id, subscription_id, owner_id, member_id)
select
  ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid,
  'sub-bench-' || lpad(n::text, 5, '0'),
  ('00000000-0000-4000-8000-' || lpad(((n - 1) / 5 + 1)::text, 12, '0'))::uuid,
  ('00000000-0000-4000-8000-' || lpad((((n - 1) / 5 + 500) % 1000 + 1)::text, 12, '0'))::uuid
from generate_series(1, 5000) as n;
insert into public.chat_participants (conversation_id, user_id)
select id, person from public.conversations, unnest(array[owner_id, member_id]) as person;

-- Every message is still counted; only the limit per minute is raised.
update private.rate_limits set attempts = 1000000 where action = 'chat message';
update private.rate_limits set attempts = 1000000, window_seconds = 1 where action = 'view requests';
