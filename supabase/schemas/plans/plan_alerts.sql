-- The lifetime of a plan alert, and the maximum number of alerts that a person can have.
create function private.alert_lifetime() returns interval
language sql immutable return interval '90 days';
grant execute on function private.alert_lifetime() to service_role;
create function private.most_alerts() returns integer
language sql immutable return 10;

-- People's alerts for plans in the marketplace. A plan must match all filters of an alert; null filters are ignored. The person is notified
-- of each matching plan once, when it is published, gets a free place or changes its terms.
create table public.plan_alerts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  search text check (search = lower(btrim(search)) and char_length(search) between 1 and 100),
  category text check (category in ('streaming', 'music', 'gaming', 'productivity', 'security', 'other')),
  provider text check (char_length(provider) between 1 and 100),
  -- The highest monthly cost of a place, in EUR.
  most numeric(12, 2) check (most > 0),
  settlement text check (settlement in ('direct', 'potluck')),
  level text check (level in ('proven', 'trusted')),
  instant boolean not null default false,
  expires_at timestamptz not null default now() + private.alert_lifetime(),
  constraint alert_names_something check (num_nonnulls(search, category, provider, most, settlement, level) > 0 or instant),
  constraint one_alert_for_the_same unique nulls not distinct (user_id, search, category, provider, most, settlement, level, instant)
);
alter table public.plan_alerts enable row level security;
create policy "People see what they look for" on public.plan_alerts
  for select to authenticated using (user_id = (select auth.uid()));
create policy "People stop looking" on public.plan_alerts
  for delete to authenticated using (user_id = (select auth.uid()));

insert into private.rate_limits (action, attempts, window_seconds, requests)
values ('plan alert', 20, 60, '{POST /rpc/create_plan_alert}');

-- The plans of which a person has been notified, so that nobody is notified twice of a plan.
create table private.told_plans (
  user_id uuid not null references auth.users (id) on delete cascade,
  -- There is no foreign key, because notifications must not wait for a plan that is being deleted.
  subscription_id text not null,
  told_at timestamptz not null default now(),
  primary key (user_id, subscription_id)
);
alter table private.told_plans enable row level security;

-- The queue of plans that were published, or that got a free place, another price, another way of payment or another level for instant
-- joining. The scheduled job tell_seekers() notifies people of these plans later, so that the owner's change does not have to wait.
create table private.plans_to_tell (
  subscription_id text primary key references public.shared_subscriptions (id) on delete cascade
);
alter table private.plans_to_tell enable row level security;

create function private.tg_shared_subscriptions__queue_alerts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.plans_to_tell (subscription_id) values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger queue_alerts after insert on public.shared_subscriptions
  for each row when (new.status = 'active' and not new.is_private) execute function private.tg_shared_subscriptions__queue_alerts();
create trigger queue_changed_alerts after update on public.shared_subscriptions
  for each row when (
    new.status = 'active' and not new.is_private and new.has_room
    and (old.status is distinct from new.status or old.is_private is distinct from new.is_private
      or old.has_room is distinct from new.has_room or old.monthly_cost is distinct from new.monthly_cost
      or old.settlement is distinct from new.settlement or old.instant_from is distinct from new.instant_from)
  ) execute function private.tg_shared_subscriptions__queue_alerts();

-- Returns the people to notify of a plan because it matches one of their alerts. The plan's owner, people with a block between them and
-- the owner, people already notified, and people with a place, an open request or an entry on the waiting list are left out.
create function private.seekers_of(p_plan public.shared_subscriptions) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct a.user_id
  from public.plan_alerts as a
  cross join (
    select private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts,
      f.answer_minutes) as level
    from private.standing_facts(array[p_plan.owner_id]) as f
  ) as owner
  where a.expires_at > now() and a.user_id <> p_plan.owner_id
    and (a.search is null or strpos(lower(p_plan.provider || ' ' || p_plan.name), a.search) > 0)
    and (a.category is null or a.category = p_plan.category) and (a.provider is null or a.provider = p_plan.provider)
    and (a.most is null or a.most >= p_plan.monthly_cost) and (a.settlement is null or a.settlement = p_plan.settlement)
    and (a.level is null or owner.level in (a.level, 'trusted')) and (not a.instant or p_plan.instant_from is not null)
    and not exists (select from private.told_plans as t where t.user_id = a.user_id and t.subscription_id = p_plan.id)
    and not exists (select from public.blocked_people as b
      where (b.user_id, b.blocked_id) in ((a.user_id, p_plan.owner_id), (p_plan.owner_id, a.user_id)))
    and not exists (select from public.subscription_members as m where m.subscription_id = p_plan.id and m.user_id = a.user_id)
    and not exists (select from public.waiting_list as w where w.subscription_id = p_plan.id and w.user_id = a.user_id)
    and not exists (select from public.subscription_requests as r
      where r.subscription_id = p_plan.id and r.user_id = a.user_id and private.is_open_request(r))
$$;

-- Notifies people of each queued plan that matches their alerts and still has a place for a stranger. This is a scheduled job.
create function private.tell_seekers() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_id text;
  v_plan public.shared_subscriptions;
  v_seeker uuid;
begin
  for v_id in
    select subscription_id from private.plans_to_tell order by subscription_id limit 100 for update skip locked
  loop
    v_plan := private.lock_plan(v_id);
    -- Another transaction is deleting the plan, so the plan stays in the queue until the next call.
    continue when v_plan.id is null and exists (select from public.shared_subscriptions where id = v_id);
    delete from private.plans_to_tell where subscription_id = v_id;
    continue when v_plan.id is null or v_plan.status <> 'active' or v_plan.is_private or private.open_slots(v_plan, null) = 0
      or private.is_suspended(v_plan.owner_id) or private.rule_of(v_plan.provider) = 'off';
    for v_seeker in select private.seekers_of(v_plan) loop
      insert into private.told_plans (user_id, subscription_id) values (v_seeker, v_plan.id) on conflict do nothing;
      continue when not found;
      perform private.mail_notification(private.notify(v_seeker, 'info', v_plan.id, 'plan-found',
        jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'cost', v_plan.monthly_cost,
          'person', private.first_name((select display_name from private.user_profiles where user_id = v_plan.owner_id)))),
        array[v_plan.id], '/plans/' || v_plan.id);
    end loop;
  end loop;
end $$;

-- Creates an alert for the acting user, or renews their alert with the same filters. Null and false filters are ignored; at least one
-- other filter is needed.
create function private.create_plan_alert(
  p_search text default null, p_category text default null, p_provider text default null, p_most numeric default null,
  p_settlement text default null, p_level text default null, p_instant boolean default false
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_id uuid;
begin
  -- Simultaneous calls by one person wait for each other here, so the maximum number of alerts is never exceeded.
  perform private.spend_attempt('plan alert');
  delete from public.plan_alerts where user_id = v_user and expires_at <= now();
  insert into public.plan_alerts (user_id, search, category, provider, most, settlement, level, instant)
  values (v_user, nullif(lower(btrim(p_search)), ''), p_category, nullif(p_provider, ''), p_most, p_settlement, p_level,
    coalesce(p_instant, false))
  on conflict on constraint one_alert_for_the_same do update set expires_at = excluded.expires_at
  returning id into v_id;
  if (select count(*) from public.plan_alerts where user_id = v_user) > private.most_alerts() then
    perform private.refuse('too_many_alerts', private.most_alerts()::text);
  end if;
  return v_id;
end $$;
select private.publish('create_plan_alert', 'authenticated');

revoke all on public.plan_alerts, private.told_plans, private.plans_to_tell from public, anon, authenticated, service_role;
grant select, delete on public.plan_alerts to authenticated;
grant all on public.plan_alerts to service_role;
