-- The first page of the administration.

-- The times when the number of active plans went up or down by one. They are stored because past counts include plans that were deleted
-- later, of which no other row is left. Rows are only added, never updated, so that transactions do not wait for a lock.
create table private.active_plan_changes (
  id uuid primary key default gen_random_uuid(),
  at timestamptz not null,
  change smallint not null check (change in (-1, 1))
);
create index active_plan_changes_at_idx on private.active_plan_changes (at);
alter table private.active_plan_changes enable row level security;

create function private.tg_shared_subscriptions__log() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' and old.status = 'active' then
    insert into private.active_plan_changes (at, change) values (now(), -1);
  end if;
  if tg_op <> 'DELETE' and new.status = 'active' then
    insert into private.active_plan_changes (at, change)
    values (case tg_op when 'INSERT' then new.created_at else now() end, 1);
  end if;
  return null;
end $$;
create trigger log after insert or delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__log();
create trigger log_status after update on public.shared_subscriptions
  for each row when ((old.status = 'active') is distinct from (new.status = 'active'))
  execute function private.tg_shared_subscriptions__log();

-- Returns the figures of the dashboard and, in the columns with `_before`, their values at the start of the month in the acting user's time
-- zone. Fees are in EUR and for admins only: moderators get null. Only staff may call this.
create function private.get_admin_dashboard()
returns table (
  active_plans integer, active_plans_before integer, revenue numeric, revenue_before numeric,
  users integer, users_before integer, active_users integer, admins integer
)
language plpgsql stable security definer set search_path = '' as $$
declare v_month timestamptz := date_trunc('month', now(), private.zone_of(auth.uid()));
begin
  perform private.require_user();
  if not private.is_staff() then
    perform private.refuse('only_staff_sees_figures');
  end if;
  select coalesce(sum(c.plans), 0) into active_plans from private.plan_counts as c;
  select active_plans - coalesce(sum(l.change), 0) into active_plans_before
  from private.active_plan_changes as l where l.at >= v_month;
  if private.may('users.edit') and private.may_act_as_staff() then
    select a.balance, coalesce((
        select e.balance_after from private.ledger_entries as e where e.account_id = a.id and e.created_at < v_month
        order by e.created_at desc, e.version desc limit 1), 0)
    into revenue, revenue_before from private.ledger_accounts as a where a.kind = 'fees';
  end if;
  select count(*), count(*) filter (where u.created_at < v_month),
    count(*) filter (where u.last_sign_in_at >= now() - interval '30 days')
  into users, users_before, active_users from auth.users as u where u.deleted_at is null;
  select count(*) into admins from private.people_who_may('users.edit') as admin (id) join auth.users as u using (id) where u.deleted_at is null;
  return next;
end $$;
select private.publish('get_admin_dashboard', 'authenticated');

-- Returns the site's history by weeks or months in the acting user's time zone: at most twelve periods, and none before the first account.
-- Each period has the new people who still have an account, the plans and places at its end, the payments through the site, and the
-- site's fees less refunded fees. Amounts are in EUR and for admins only. The last period is still running.
create function private.site_series(p_step text)
returns table (starts_on date, people bigint, plans bigint, places bigint, paid numeric, fees numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_step interval := case p_step when 'week' then interval '1 week' when 'month' then interval '1 month' end;
  v_zone text := private.zone_of(auth.uid());
  v_last timestamp := date_trunc(p_step, private.now() at time zone v_zone);
  v_first timestamp := (select date_trunc(p_step, min(u.created_at) at time zone v_zone) from auth.users as u);
  v_money boolean := private.may('users.edit') and private.may_act_as_staff();
begin
  perform private.require_user();
  if not private.is_staff() then
    perform private.refuse('only_staff_sees_figures');
  elsif v_step is null then
    perform private.refuse('figures_interval_unknown');
  end if;
  return query
  select s.start::date,
    (select count(*) from auth.users as u where u.deleted_at is null and u.created_at >= s.since and u.created_at < s.until),
    (select coalesce(sum(c.plans), 0)::bigint from private.plan_counts as c)
      - (select coalesce(sum(l.change), 0) from private.active_plan_changes as l where l.at >= s.until),
    (select count(*) from private.seats as seat
      where seat.admitted_at < s.until and coalesce(seat.ended_at >= s.until, true)),
    case when v_money then (select coalesce(sum(t.amount), 0) from private.ledger_transfers as t
      where t.kind = 'payment' and t.created_at >= s.since and t.created_at < s.until) end,
    case when v_money then (select coalesce(sum(e.amount), 0) from private.ledger_entries as e
      join private.ledger_accounts as a on a.id = e.account_id and a.kind = 'fees'
      where e.created_at >= s.since and e.created_at < s.until) end
  from generate_series(greatest(v_first, v_last - 11 * v_step), v_last, v_step) as step (start)
  cross join lateral (
    select step.start, step.start at time zone v_zone as since, (step.start + v_step) at time zone v_zone as until
  ) as s
  order by s.start;
end $$;
select private.publish('site_series', 'authenticated');

revoke all on private.active_plan_changes from public, anon, authenticated, service_role;
