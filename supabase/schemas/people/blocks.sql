-- The people whom a person has blocked. A block in either direction stops requests, invitations and messages between the two, and hides
-- each of them and their plans from the other. A place that one already has in the other's plan continues. The blocked person is not told.
create table public.blocked_people (
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  blocked_id uuid not null references private.user_profiles (user_id) on delete cascade,
  blocked_at timestamptz not null default now(),
  -- The blocked person's name when they were blocked; the blocker does not see later names. Null if the name was already hidden.
  name text,
  primary key (user_id, blocked_id),
  check (user_id <> blocked_id)
);
create index blocked_people_blocked_idx on public.blocked_people (blocked_id);
alter table public.blocked_people enable row level security;
create policy "People see whom they have blocked" on public.blocked_people
  for select to authenticated using (user_id = (select auth.uid()));

-- Returns the people whom the acting user has blocked, who have blocked the acting user, or who are suspended. Queries that show or count
-- people and plans leave these people out.
create function private.people_apart() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  return array(
    select case user_id when v_user then blocked_id else user_id end from public.blocked_people where v_user in (user_id, blocked_id)
    union all
    select suspended from unnest(private.suspended_people()) as suspended where suspended is distinct from v_user
  );
end $$;

-- Returns whether the acting user now has a place in a plan of this person, or this person in a plan of the acting user. If so, they see
-- each other's standing even if one has blocked the other.
create function private.shares_place_with(p_other uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from private.seats where ended_at is null and (owner_id, member_id) in ((auth.uid(), p_other), (p_other, auth.uid())));
end $$;

-- Returns whether the acting user and this person have ever had a place, a payment or a chat together. If so, their payments, problems and messages
-- still name them to each other, even if one has blocked the other.
create function private.has_dealt_with(p_other uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.seats where (owner_id, member_id) in ((auth.uid(), p_other), (p_other, auth.uid())))
    -- A plan that was handed over leaves payments with its earlier owner.
    or exists (select from public.member_payments where (owner_id, member_id) in ((auth.uid(), p_other), (p_other, auth.uid())))
    or exists (select from public.conversations where (owner_id, member_id) in ((auth.uid(), p_other), (p_other, auth.uid())));
end $$;

create policy "People see how others appear, and owners their guests" on private.user_profiles
  for select to authenticated using (
    case when guest_of is not null then guest_of = (select auth.uid()) or private.has_dealt_with(user_id) or (select private.is_staff()) else user_id <> all ((select private.people_apart())::uuid[]) or private.has_dealt_with(user_id) or (select private.is_staff()) end);

-- Refuses the call if the acting user has blocked the other person, or if that person has blocked the acting user. In the second case,
-- the refusal is p_refusal, which does not reveal the block.
create function private.require_unblocked(p_other uuid, variadic p_refusal text[]) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from public.blocked_people where user_id = auth.uid() and blocked_id = p_other) then
    perform private.refuse('person_blocked');
  elsif exists (select from public.blocked_people where user_id = p_other and blocked_id = auth.uid()) then
    perform private.refuse(variadic p_refusal);
  end if;
end $$;

-- Refuses the call if the other person is blocked or suspended. A suspension has the same refusal as a block by the other person, so that
-- the caller cannot tell which of the two it is.
create function private.require_reachable(p_other uuid, variadic p_refusal text[]) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_unblocked(p_other, variadic p_refusal);
  if private.is_suspended(p_other) then
    perform private.refuse(variadic p_refusal);
  end if;
end $$;

-- Blocks a person, and ends everything that is open between the two on the caller's behalf: requests are cancelled or rejected, questions
-- closed, waiting list entries and offers of a plan deleted, and invitations declined or revoked. Alerts about unread messages between the two are cancelled.
create function private.block_person(p_person_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if p_person_id = v_user then
    perform private.refuse('own_account_blocked');
  elsif not exists (select from private.user_profiles where user_id = p_person_id and deleted_at is null) then
    perform private.refuse('person_not_found');
  end if;
  perform private.ensure_profile(v_user);
  -- Lock the plans of both people, to wait for transactions that are deciding about a place in one of them.
  perform from public.shared_subscriptions where owner_id in (v_user, p_person_id) order by id for no key update;
  insert into public.blocked_people (user_id, blocked_id, name)
  select v_user, user_id, case when user_id <> all (private.people_apart()) or private.has_dealt_with(user_id) then display_name end
  from private.user_profiles where user_id = p_person_id on conflict do nothing;
  update public.subscription_requests as r set status = 'cancelled'
  where r.owner_id = p_person_id and r.user_id = v_user and private.is_open_request(r);
  perform private.reject_subscription_request(r.id, r.subscription_id)
  from public.subscription_requests as r
  where r.owner_id = v_user and r.user_id = p_person_id and private.is_open_request(r);
  update public.conversations set archived = true, question_until = null
  where question_until is not null and (owner_id, member_id) in ((v_user, p_person_id), (p_person_id, v_user));
  perform private.cancel_chat_notices(r.id)
  from public.chat_participants as r join public.conversations as c on c.id = r.conversation_id
  where (c.owner_id, c.member_id) in ((v_user, p_person_id), (p_person_id, v_user));
  -- The other side is not told, as of a block.
  delete from private.plan_offers as o using public.shared_subscriptions as p
  where p.id = o.subscription_id and (p.owner_id, o.person_id) in ((v_user, p_person_id), (p_person_id, v_user));
  perform private.leave_line(w.subscription_id, w.user_id)
  from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
  where (p.owner_id, w.user_id) in ((v_user, p_person_id), (p_person_id, v_user));
  perform private.decline_and_notify(i.id)
  from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
  where p.owner_id = p_person_id and i.email = private.my_email() and private.invitation_status(i) = 'open';
  perform private.revoke_invitation(i.id)
  from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
  where p.owner_id = v_user and i.email = lower(private.email_of(p_person_id)) and private.invitation_status(i) = 'open';
end $$;
select private.publish('block_person', 'authenticated');

create function private.unblock_person(p_person_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from public.blocked_people where user_id = private.require_user() and blocked_id = p_person_id;
end $$;
select private.publish('unblock_person', 'authenticated');

revoke all on public.blocked_people from public, anon, authenticated;
grant select on public.blocked_people to authenticated;
grant all on public.blocked_people to service_role;
grant execute on function private.people_apart(), private.has_dealt_with(uuid) to authenticated;
