-- One person's place in a plan, the owner's included. Rows are created with the plan, and when a person is admitted.
create table public.subscription_members (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  -- The person's name.
  name text not null,
  -- The person's e-mail address.
  email text not null,
  -- Whether this is the place of the plan's owner.
  is_owner boolean not null default false,
  -- When the person got the place.
  joined_at timestamptz not null default clock_timestamp(),
  unique (subscription_id, user_id)
);
create unique index subscription_members_one_owner_key on public.subscription_members (subscription_id) where is_owner;
create index subscription_members_user_idx on public.subscription_members (user_id);
alter table public.subscription_members enable row level security;
select private.send_changes('subscription_members');

-- Returns whether the acting user has a place in this plan. Policies call this function, so it bypasses policies itself.
create function private.is_plan_member(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.subscription_members where subscription_id = p_subscription_id and user_id = auth.uid());
end $$;

-- Returns whether the acting user is a member who may see the owner's place, with their e-mail address: not yet somebody who has taken over
-- a guest's place, before the owner's word.
create function private.may_see_owner(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_plan_member(p_subscription_id) and not exists (
    select from private.seats as s
    where s.subscription_id = p_subscription_id and s.member_id = auth.uid() and s.ended_at is null and private.is_claim_open(s));
end $$;

create policy "Owners see all members, members the owner and themselves" on public.subscription_members
  for select to authenticated using (
    user_id = (select auth.uid())
    or private.is_plan_owner(subscription_id)
    or (is_owner and private.may_see_owner(subscription_id))
  );
-- The owner's own place is deleted only with the plan.
create policy "Members leave, owners remove members" on public.subscription_members
  for delete to authenticated using (
    not is_owner and (user_id = (select auth.uid()) or private.is_plan_owner(subscription_id))
  );

-- Returns a member as JSON, with the display name and picture from their profile.
create function private.member_json(p_member public.subscription_members) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_member.id,
    'user_id', p_member.user_id,
    'name', p_member.name,
    'email', p_member.email,
    'is_owner', p_member.is_owner,
    'is_admin', p_member.user_id in (select private.people_who_may('users.edit')),
    'displayName', coalesce(profile.display_name, p_member.name),
    'avatarUrl', profile.avatar_url
  )
  from private.user_profiles as profile
  where profile.user_id = p_member.user_id
$$;

-- Gives a person a place; a constraint of the plan refuses one place too many.
create function private.add_member(p_subscription_id text, p_user_id uuid, p_is_owner boolean)
returns public.subscription_members
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_profile private.user_profiles := private.ensure_profile(p_user_id);
  v_member public.subscription_members;
begin
  if not p_is_owner then
    perform private.require_settled((select owner_id from public.shared_subscriptions where id = p_subscription_id), p_user_id);
  end if;
  insert into public.subscription_members (subscription_id, user_id, name, email, is_owner)
  values (p_subscription_id, p_user_id, v_profile.display_name, private.email_of(p_user_id), p_is_owner)
  returning * into v_member;
  return v_member;
end $$;

-- Adds the owner as a member of each new plan.
create function private.tg_shared_subscriptions__add_owner() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.add_member(new.id, new.owner_id, true);
  return new;
end $$;
create trigger add_owner after insert on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__add_owner();

-- Keeps a plan from being deleted until this transaction ends, and returns the plan; null if another transaction is deleting the
-- plan, because that transaction may be waiting for this one. SKIP LOCKED alone is not enough: it still waits for the row of a plan
-- that has just changed.
create function private.lock_plan(p_subscription_id text) returns public.shared_subscriptions
language plpgsql volatile security definer set search_path = '' set lock_timeout = '50ms' as $$
declare v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for key share skip locked;
  return v_plan;
exception when lock_not_available then
  return null;
end $$;
-- Does the same as lock_plan() for many plans; returns the ids of those that are locked now.
create function private.lock_plans(p_subscription_ids text[]) returns text[]
language plpgsql volatile security definer set search_path = '' set lock_timeout = '50ms' as $$
begin
  return array(select id from public.shared_subscriptions where id = any (p_subscription_ids) for key share skip locked);
exception when lock_not_available then
  return array(select id from unnest(p_subscription_ids) as id where (private.lock_plan(id)).id is not null);
end $$;

-- Locks the plan against decisions by other transactions. Returns false instead of waiting if one of them holds the plan, because
-- that transaction may be waiting for this one.
create function private.try_lock_plan(p_subscription_id text) returns boolean
language plpgsql volatile security definer set search_path = '' set lock_timeout = '50ms' as $$
begin
  perform from public.shared_subscriptions where id = p_subscription_id for no key update;
  return true;
exception when lock_not_available then
  return false;
end $$;

-- Locks the plan that a person is leaving, after their membership. Raises PT404 if the plan is being cancelled: that transaction holds
-- the plan and waits for the membership. Once the plan cannot be deleted, only other decisions can hold it, and these end soon.
create function private.lock_plan_to_leave(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if (private.lock_plan(p_subscription_id)).id is not null then
    for v_try in 1 .. 100 loop
      if private.try_lock_plan(p_subscription_id) then return; end if;
    end loop;
  -- This transaction has deleted the plan, with its members.
  elsif not exists (select from public.shared_subscriptions where id = p_subscription_id) then
    return;
  end if;
  perform private.refuse('plan_not_found');
end $$;

-- What happens when a person gets a place, in this order. The lock of the plan's row, which its count takes, makes it impossible to give
-- the last place twice. The owner's own place is created and deleted with the plan, whose count starts at 1.
create function private.tg_subscription_members__taken() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.reopen_chat(new);
  update public.shared_subscriptions set current_members = current_members + 1 where id = new.subscription_id;
  perform private.open_seat(new);
  perform private.leave_line(new.subscription_id, new.user_id);
  perform private.use_invitation(new);
  return null;
end $$;
create trigger taken after insert on public.subscription_members
  for each row when (not new.is_owner) execute function private.tg_subscription_members__taken();

-- What happens before a person loses a place. A removal by the owner counts as an owner action; a deletion with the plan or an account does
-- not. The plan is locked before the action is counted, as in a cancellation of the plan, which is an owner action too.
create function private.tg_subscription_members__leaving() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_plan_to_leave(old.subscription_id);
  -- The receiver of a payment owes a removed member the unused time. An owner cannot cause that debt for an earlier owner of the plan.
  if pg_trigger_depth() = 1 and old.user_id is distinct from auth.uid() and exists (
    select from public.member_payments as m join private.seats as s on s.id = m.seat_id
    where s.subscription_id = old.subscription_id and s.member_id = old.user_id and s.ended_at is null
      and m.status <> 'cancelled' and m.ends_at > private.now() and (m.owner_id <> s.owner_id and m.share > 0
        -- The earlier owner has paid the provider for their own free period.
        or m.share = 0 and exists (select from private.seats as h
          where h.subscription_id = s.subscription_id and h.owner_id = s.member_id and h.end_reason = 'handed-over'))) then
    perform private.refuse('removal_after_handover');
  end if;
  if pg_trigger_depth() = 1 and old.user_id is distinct from auth.uid() then
    perform private.spend_attempt('owner action');
  end if;
  perform private.settle_seats(old);
  return old;
end $$;
create trigger leaving before delete on public.subscription_members
  for each row when (not old.is_owner) execute function private.tg_subscription_members__leaving();

-- What happens after a person has lost a place: the other side is told. If the whole plan is deleted, a trigger of the plan tells them.
create function private.tg_subscription_members__gone() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  perform private.archive_chat(old);
  update public.shared_subscriptions set current_members = current_members - 1 where id = old.subscription_id returning * into v_plan;
  -- If the seat ended for another reason, both sides have already been told that reason.
  if not found or exists (
    select from private.seats where subscription_id = old.subscription_id and member_id = old.user_id
      and ended_at = private.now() and end_reason not in ('left', 'removed')
  ) then return null; end if;
  if old.user_id = auth.uid() then
    perform private.notify(v_plan.owner_id, 'info', v_plan.id, 'member-left',
      jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', old.name));
  elsif exists (select 1 from private.user_profiles where user_id = old.user_id) then
    perform private.notify(old.user_id, 'warning', v_plan.id, 'membership-ended', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  end if;
  return null;
end $$;
create trigger gone after delete on public.subscription_members
  for each row when (not old.is_owner) execute function private.tg_subscription_members__gone();

-- Tells members that their plan is cancelled, before its rows are deleted.
create function private.tg_shared_subscriptions__tell() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.cancel_mail(old.id);
  perform private.notify(user_id, 'warning', null, 'plan-cancelled', jsonb_build_object('plan', old.provider || ' ' || old.name))
  from public.subscription_members
  where subscription_id = old.id and not is_owner;
  return old;
end $$;
create trigger tell before delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__tell();

create function public.check_existing_subscription_membership(p_subscription_id text, p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_self(p_user_id);
  return private.is_plan_member(p_subscription_id);
end $$;
select private.publish('check_existing_subscription_membership', 'authenticated');

revoke all on public.subscription_members from public, anon, authenticated;
grant select, delete on public.subscription_members to authenticated;
grant all on public.subscription_members to service_role;
grant execute on function private.is_plan_member(text), private.may_see_owner(text) to authenticated;
