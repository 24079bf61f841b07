-- The number of active public plans of each catalogue plan, and how many of them have a place (`open`). Triggers update these numbers,
-- because counting a hundred thousand plans for every visitor is too slow.
create table private.plan_counts (
  category text not null,
  provider text not null,
  name text not null,
  plans integer not null,
  open integer not null,
  primary key (category, provider, name)
);
alter table private.plan_counts enable row level security;

-- Adds a plan to the counts if p_change is 1, or removes it if p_change is -1.
create function private.count_plan(p_plan public.shared_subscriptions, p_change integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.plan_counts as kept (category, provider, name, plans, open)
  select p_plan.category, p_plan.provider, p_plan.name, p_change,
    case when p_plan.has_room then p_change else 0 end
  where p_plan.status = 'active' and not p_plan.is_private
  on conflict (category, provider, name)
  do update set plans = kept.plans + excluded.plans, open = kept.open + excluded.open;
end $$;

create function private.tg_shared_subscriptions__tally() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then perform private.count_plan(old, -1); end if;
  if tg_op <> 'DELETE' then perform private.count_plan(new, 1); end if;
  return null;
end $$;
create trigger tally after insert or delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__tally();
-- This trigger runs only for changes that affect the counts, so that other changes do not wait for owners of plans with the same name.
create trigger tally_changes after update on public.shared_subscriptions
  for each row when (
    (old.category, old.provider, old.name, old.status, old.is_private, old.has_room)
    is distinct from (new.category, new.provider, new.name, new.status, new.is_private, new.has_room)
  ) execute function private.tg_shared_subscriptions__tally();

-- Returns the counts by category, provider and plan, without providers that are off and without plans of people who are hidden from the caller
-- (private.people_apart). Everybody may see these counts, as they may see the marketplace.
create function private.plan_counts()
returns table (category text, provider text, name text, plans integer, open integer)
language sql stable security definer set search_path = '' as $$
  select c.category, c.provider, c.name, c.plans - coalesce(apart.plans, 0)::integer, c.open - coalesce(apart.open, 0)::integer
  from private.plan_counts as c
  left join (
    select p.category, p.provider, p.name, count(*) as plans, count(*) filter (where p.has_room) as open
    from public.shared_subscriptions as p
    where p.owner_id = any ((select private.people_apart())::uuid[]) and p.status = 'active' and not p.is_private group by 1, 2, 3
  ) as apart using (category, provider, name)
  where c.plans > coalesce(apart.plans, 0) and c.provider not in (select private.providers_off())
$$;

-- Returns the categories and providers to choose from, with their numbers of plans.
create function public.count_available_plans()
returns table (category text, provider text, plans bigint, open bigint)
language sql stable set search_path = '' as $$
  select category, provider, sum(plans), sum(open) from private.plan_counts() group by category, provider
$$;
select private.publish('count_available_plans', 'anon', 'authenticated');

grant execute on function private.plan_counts() to anon, authenticated;
