-- The history of a plan, for its owner and for staff.

-- A change of what people who join a plan rely on.
create table private.plan_changes (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  changed_at timestamptz not null,
  -- The person who made the change; null for the site, or if their account is gone.
  changed_by uuid references private.user_profiles (user_id) on delete set null,
  what text not null check (what in ('places', 'renewal', 'private', 'instant', 'settlement', 'price', 'status')),
  -- The values before and after the change, as text; null for none.
  was text,
  becomes text
);
create index plan_changes_plan_idx on private.plan_changes (subscription_id, changed_at desc);
create index plan_changes_person_idx on private.plan_changes (changed_by);
alter table private.plan_changes enable row level security;
revoke all on private.plan_changes from public, anon, authenticated, service_role;

create function private.tg_shared_subscriptions__note_change() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_at timestamptz := clock_timestamp();
begin
  insert into private.plan_changes (subscription_id, changed_at, changed_by, what, was, becomes)
  select new.id, v_at, (select user_id from private.user_profiles where user_id = auth.uid()), change.*
  from (values
    ('places', old.owner_max_members::text, new.owner_max_members::text),
    ('renewal', old.next_payment::text, case when new.catalogue_plan_id = 'own' then old.next_payment else new.next_payment end::text),
    ('private', old.is_private::text, new.is_private::text),
    ('instant', old.instant_from, new.instant_from),
    ('settlement', old.settlement, new.settlement),
    ('price', old.member_price::text, new.member_price::text),
    ('status', old.status, new.status)
  ) as change (what, was, becomes)
  where change.was is distinct from change.becomes;
  return null;
end $$;
create trigger note_change
  after update of owner_max_members, next_payment, is_private, instant_from, settlement, member_price, status on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__note_change();

-- Returns the changes of a plan, newest first, at most 100: when, by whom (null for the site or a deleted account), what, and its text
-- before and after. Prices are in EUR per billing cycle, without the fee. For the plan's owner, and staff who may see every plan.
create function private.plan_changes(p_subscription_id text)
returns table (id uuid, changed_at timestamptz, person text, what text, was text, becomes text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_plan_owner(p_subscription_id) and not private.may('subscriptions.view') then
    perform private.refuse('plan_not_found');
  end if;
  return query
    select c.id, c.changed_at, u.display_name, c.what, c.was, c.becomes
    from private.plan_changes as c left join private.user_profiles as u on u.user_id = c.changed_by
    where c.subscription_id = p_subscription_id
    order by c.changed_at desc, c.what limit 100;
end $$;
select private.publish('plan_changes', 'authenticated');
