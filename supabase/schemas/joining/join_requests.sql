-- How long a join request waits for its answer.
create function private.request_lifetime() returns interval
language sql immutable return interval '48 hours';
grant execute on function private.request_lifetime() to authenticated, service_role;

-- request_deadline() returns when a request has to be answered; requests_open_since() the time since which a request must have been
-- made to be still open. A gap that record_heartbeat() has not recorded yet (clock.sql) moves both.
create function private.request_deadline(p_requested_at timestamptz) returns timestamptz
language sql stable return least(p_requested_at + private.unnoticed_gap(), now()) + private.request_lifetime();
create function private.requests_open_since() returns timestamptz
language sql stable return now() - private.request_lifetime() - private.unnoticed_gap();

-- How long before a request's deadline the plan's owner is reminded to answer it.
create function private.reminder_lead() returns interval
language sql immutable return interval '6 hours';

-- The maximum length of the message with a request.
create function private.longest_join_message() returns integer
language sql immutable return 500;
grant execute on function private.longest_join_message() to authenticated, service_role;

-- A request for a place. Pending until it is answered or expires; approved, rejected and cancelled are final.
create table public.subscription_requests (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  -- The plan's owner at the time of the request, copied so that owners can subscribe to their requests alone.
  owner_id uuid not null,
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  -- The requester's name.
  name text not null,
  -- The requester's e-mail address.
  email text not null,
  -- The requester's message to the owner.
  message text not null default '' check (char_length(message) <= private.longest_join_message()),
  -- Whether to pay with the requester's coins first, as far as they go.
  coins_first boolean not null default false,
  -- When the requester asked for access to begin immediately, knowing that if they withdraw from the contract they pay for the days
  -- on which they had access; only for a contract from which they may withdraw.
  begins_at_once_at timestamptz,
  -- Whether the request is for a place offered from the waiting list, which stays reserved until the request is over.
  keeps_place boolean not null default false,
  -- Whether the request was approved on creation by the plan's terms (instant.sql), without an answer from the owner.
  instant boolean not null default false,
  -- The outcome. An expired request stays `pending`.
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  -- When the request was made. If the server did not run for a while, this time and the deadline move by that gap (clock.sql).
  requested_at timestamptz not null default clock_timestamp(),
  -- When the request was answered or cancelled.
  decided_at timestamptz,
  -- Whether the request expired without an answer and its requester has been told.
  expired boolean not null default false
);
create unique index subscription_requests_one_pending_key on public.subscription_requests (subscription_id, user_id)
  where status = 'pending' and not expired;
create index subscription_requests_due_idx on public.subscription_requests (requested_at) where status = 'pending' and not expired;
create index subscription_requests_user_idx on public.subscription_requests (user_id, requested_at desc);
create index subscription_requests_owner_idx on public.subscription_requests (owner_id);
create index subscription_requests_plan_idx on public.subscription_requests (subscription_id, status, requested_at);
alter table public.subscription_requests enable row level security;
select private.send_changes('subscription_requests');
create policy "Requesters and plan owners see a request" on public.subscription_requests
  for select to authenticated using (user_id = (select auth.uid()) or owner_id = (select auth.uid()));
create policy "People ask in their own name" on public.subscription_requests
  for insert to authenticated with check (user_id = (select auth.uid()) and (status = 'pending' or instant));
create policy "Requesters cancel" on public.subscription_requests
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- Returns whether the request is still open by the database's clock.
create function private.is_open_request(p_request public.subscription_requests) returns boolean
language sql stable as $$
  select p_request.status = 'pending' and not p_request.expired
    and p_request.requested_at > private.requests_open_since()
$$;

-- Returns whether the request is the acting user's, and still open.
create function private.may_cancel(p_request public.subscription_requests) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_request.user_id = auth.uid() and private.is_open_request(p_request);
end $$;

-- Marks every expired request and tells its requester, once. Called before requests are read, and by a scheduled job. Skips locked
-- rows; the next call handles them.
create function private.expire_join_requests() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_over record;
begin
  for v_over in
    select r.id, r.user_id, p.id as plan_id, p.provider, p.name
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.status = 'pending' and not r.expired and r.requested_at <= private.requests_open_since()
    for no key update of r skip locked
  loop
    continue when (private.lock_plan(v_over.plan_id)).id is null;
    update public.subscription_requests set expired = true where id = v_over.id;
    perform private.notify(v_over.user_id, 'warning', v_over.plan_id, 'request-expired',
      jsonb_build_object('plan', v_over.provider || ' ' || v_over.name, 'hours', private.hours_of(private.request_lifetime())));
  end loop;
end $$;

-- Requests about which the plan's owner has been reminded that they will expire soon.
create table private.expiry_reminders (
  request_id uuid primary key references public.subscription_requests (id) on delete cascade,
  told_at timestamptz not null default clock_timestamp()
);
alter table private.expiry_reminders enable row level security;
revoke all on private.expiry_reminders from public, anon, authenticated, service_role;

-- Tells owners, once per request, that little time is left to answer. Skips locked rows.
create function private.tell_expiring_requests() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_late record;
begin
  for v_late in
    select r.id, r.name as asks, p.id as plan_id, p.owner_id, p.provider, p.name
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.status = 'pending' and not r.expired
      and r.requested_at <= private.requests_open_since() + private.reminder_lead() and r.requested_at > private.requests_open_since()
      and not exists (select from private.expiry_reminders as told where told.request_id = r.id)
    for no key update of r skip locked
  loop
    continue when (private.lock_plan(v_late.plan_id)).id is null;
    insert into private.expiry_reminders (request_id) values (v_late.id) on conflict do nothing;
    if not found then continue; end if;
    perform private.mail_notification(private.notify(v_late.owner_id, 'warning', v_late.plan_id, 'request-expiring',
      jsonb_build_object('plan', v_late.provider || ' ' || v_late.name, 'member', v_late.asks, 'hours', private.hours_of(private.reminder_lead()))),
      array[v_late.id::text, v_late.plan_id], '/manage-shared/' || v_late.plan_id);
  end loop;
end $$;

-- Refuses members, repeated requests and full plans; fills in the requester, the time, and whether the requester gets the place
-- instantly.
create function private.tg_subscription_requests__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_plan public.shared_subscriptions;
  v_profile private.user_profiles;
  v_is_locked boolean;
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      perform private.refuse('request_of_another');
    end if;
    if new.subscription_id is null then
      perform private.refuse('plan_id_missing');
    end if;
    if new.status <> 'pending' then
      perform private.refuse('only_owner_answers_requests');
    end if;
    perform private.spend_attempt('join request');
    new.user_id := v_user;
    new.requested_at := clock_timestamp();
    new.decided_at := null;
    new.expired := false;
  end if;
  new.id := coalesce(new.id, gen_random_uuid());
  new.message := btrim(coalesce(new.message, ''));
  if char_length(new.message) > private.longest_join_message() then
    perform private.refuse('request_message_too_long', private.longest_join_message()::text);
  end if;
  v_profile := private.ensure_profile(new.user_id);
  new.name := v_profile.display_name;
  new.email := private.email_of(new.user_id);

  -- An instant request takes a place, so the plan is locked before the requests below. For requests made with an access token the plan is
  -- locked too, so that its terms cannot change meanwhile.
  perform from public.shared_subscriptions
  where id = new.subscription_id and (instant_from is not null or auth.jwt() ? 'token_id') and v_user is not null for no key update;
  v_is_locked := found;
  select * into v_plan from public.shared_subscriptions as p
  where p.id = new.subscription_id and (v_user is null or private.may_find(p));
  if not found then
    perform private.refuse('plan_not_found');
  end if;
  new.owner_id := v_plan.owner_id;
  if v_plan.owner_id = new.user_id then
    perform private.refuse('own_plan_requested');
  end if;
  if v_user is null then return new; end if;
  -- The member will be charged when they are admitted, either now or when the owner approves, so this check comes first.
  if v_plan.settlement = 'potluck' then
    perform private.refuse_tokens();
    perform private.require_may_contract(v_user);
  end if;
  if private.is_withdrawable(v_plan.settlement, v_plan.owner_id) then
    perform private.require_wish_to_begin(new.begins_at_once_at);
    new.begins_at_once_at := private.now();
  else
    new.begins_at_once_at := null;
  end if;
  perform private.require_reachable(v_plan.owner_id, 'plan_closed');
  perform private.require_offered(v_plan.provider);
  perform private.require_settled(v_plan.owner_id, v_user);
  -- Waits for a transaction that is marking this person's last request as expired; until that transaction commits, the request
  -- counts as pending.
  perform from public.subscription_requests
  where subscription_id = new.subscription_id and user_id = v_user and status = 'pending' and not expired for no key update;
  perform private.expire_join_requests();
  if private.is_plan_member(new.subscription_id) then
    perform private.refuse('already_member');
  end if;
  if exists (
    select 1 from public.subscription_requests as r
    where r.subscription_id = new.subscription_id and r.user_id = v_user and private.is_open_request(r)
  ) then
    perform private.refuse('already_requested');
  end if;
  new.keeps_place := private.accept_offer(v_plan, v_user, new.email);
  if v_is_locked and private.instant_refusal(v_plan, v_user, new.coins_first) is null then
    new.instant := true;
    new.status := 'approved';
    new.decided_at := new.requested_at;
  end if;
  return new;
end $$;
create trigger fill before insert on public.subscription_requests
  for each row execute function private.tg_subscription_requests__fill();

-- Returns whether this person has asked for this plan more than three times within the hour. If so, the owner is not told of each
-- request; the list of requests still shows the open ones.
create function private.is_wavering(p_request public.subscription_requests) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select count(*) > 3 from public.subscription_requests
    where subscription_id = p_request.subscription_id and user_id = p_request.user_id
      and requested_at > now() - interval '1 hour'
  );
end $$;

-- What happens when a request is made, in this order: an instant one gets its place in the same transaction, the place it keeps is counted,
-- a question that came before it stays open, and the owner is told. Without a signed-in person, the server is loading demo data.
create function private.tg_subscription_requests__made() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id;
  if new.instant and auth.uid() is not null then
    perform private.admit_member(v_plan, new.user_id, 'let-in');
  end if;
  if new.keeps_place then
    perform private.count_kept_places(new.subscription_id);
  end if;
  if new.status = 'pending' and not new.expired then
    update public.conversations set archived = false, question_until = null
    where subscription_id = new.subscription_id and member_id = new.user_id and (archived or question_until is not null);
  end if;
  if auth.uid() is null then return null; end if;
  if new.instant then
    perform private.notify(v_plan.owner_id, 'success', v_plan.id, 'member-let-in',
      jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name, 'request', new.id));
  elsif not private.is_wavering(new) then
    perform private.mail_notification(private.notify(v_plan.owner_id, 'info', v_plan.id, 'request-made',
      jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name, 'request', new.id)),
      array[new.id::text, v_plan.id], '/manage-shared/' || v_plan.id);
  end if;
  return null;
end $$;
create trigger made after insert on public.subscription_requests
  for each row execute function private.tg_subscription_requests__made();

-- Lets a client do nothing but cancel its own pending request; a request that is over never changes. The trigger runs with the
-- writer's rights on purpose, to distinguish a client from the functions below.
create function private.tg_subscription_requests__guard() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  if new.status is not distinct from old.status then return new; end if;
  if old.status <> 'pending' then
    perform private.refuse('request_already_answered', old.status);
  end if;
  if current_user in ('anon', 'authenticated') and new.status is distinct from 'cancelled' then
    perform private.refuse('only_owner_answers_requests');
  elsif current_user in ('anon', 'authenticated') and not private.may_cancel(old) then
    perform private.refuse('request_expired');
  end if;
  new.decided_at := clock_timestamp();
  return new;
end $$;
create trigger guard before update of status on public.subscription_requests
  for each row execute function private.tg_subscription_requests__guard();

-- What happens once a request is answered, cancelled, expired or deleted, in this order: its unsent mail is cancelled, the place kept for
-- it is free, its chat is archived unless the requester has a place, and the owner is told of a cancellation.
create function private.tg_subscription_requests__ends() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  perform private.cancel_mail(old.id::text);
  if old.keeps_place and (tg_op = 'DELETE' or new.status <> old.status) then
    perform private.count_kept_places(old.subscription_id);
  end if;
  if tg_op = 'DELETE' or old.status <> 'pending' or old.expired then return null; end if;
  if new.status in ('rejected', 'cancelled') or new.expired then
    update public.conversations as c set archived = true, question_until = null
    where c.subscription_id = new.subscription_id and c.member_id = new.user_id and not c.archived and not exists (
      select from public.subscription_members as m where m.subscription_id = c.subscription_id and m.user_id = c.member_id);
  end if;
  if new.status <> 'cancelled' then return null; end if;
  -- A plan that is being cancelled waits for this request, so waiting for the plan would deadlock.
  v_plan := private.lock_plan(new.subscription_id);
  if v_plan.id is not null and not private.is_wavering(new) then
    perform private.notify(v_plan.owner_id, 'info', v_plan.id, 'request-cancelled',
      jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name));
  end if;
  return null;
end $$;
create trigger ends after update of status, expired or delete on public.subscription_requests
  for each row execute function private.tg_subscription_requests__ends();

-- Tells people waiting for an answer that the plan is gone, before their requests are deleted with it.
create function private.tg_shared_subscriptions__tell_requesters() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.notify(r.user_id, 'warning', null, 'cancelled-while-asking', jsonb_build_object('plan', old.provider || ' ' || old.name))
  from public.subscription_requests as r
  where r.subscription_id = old.id and private.is_open_request(r);
  return old;
end $$;
create trigger tell_requesters before delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__tell_requesters();

-- Locks the plan against decisions by other transactions, for its owner only, and returns it. Raises PT404 if there is no such
-- plan, 42501 if the acting user is not its owner.
create function private.lock_own_plan(p_subscription_id text) returns public.shared_subscriptions
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found then
    perform private.refuse('plan_not_found');
  elsif v_plan.owner_id <> v_user then
    perform private.refuse('only_owner_answers_requests');
  end if;
  return v_plan;
end $$;

-- Locks the open request and returns it. Raises PT404 if the plan has no such request, 23514 if it is over.
create function private.lock_open_request(p_request_id uuid, p_subscription_id text) returns public.subscription_requests
language plpgsql volatile security definer set search_path = '' as $$
declare v_request public.subscription_requests;
begin
  select * into v_request from public.subscription_requests
  where id = p_request_id and subscription_id = p_subscription_id for update;
  if not found then
    perform private.refuse('request_not_found');
  elsif v_request.status <> 'pending' then
    perform private.refuse('request_already_answered', v_request.status);
  elsif not private.is_open_request(v_request) then
    perform private.refuse('request_expired');
  end if;
  return v_request;
end $$;

-- Gives a requester their place, and tells them in the app; the mail that they get is the one about the contract.
create function private.admit_member(p_plan public.shared_subscriptions, p_user_id uuid, p_event text) returns public.subscription_members
language plpgsql volatile security definer set search_path = '' as $$
declare v_member public.subscription_members := private.add_member(p_plan.id, p_user_id, false);
begin
  perform private.notify(p_user_id, 'success', p_plan.id, p_event, jsonb_build_object('plan', p_plan.provider || ' ' || p_plan.name));
  return v_member;
end $$;

-- Turns a pending request into a membership. Owner only; refuses an expired request, a full plan, and a plan paid directly whose owner
-- has not said how to pay.
create function private.approve_subscription_request(
  -- The id of the request.
  p_request_id uuid,
  p_subscription_id text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_request public.subscription_requests := private.lock_open_request(p_request_id, p_subscription_id);
begin
  perform private.require_reachable(v_request.user_id, 'request_already_answered', 'cancelled');
  perform private.require_payment_details(v_plan);
  perform private.spend_attempt('approval');
  perform private.require_open_slot(v_plan, private.email_of(v_request.user_id));
  update public.subscription_requests set status = 'approved' where id = p_request_id;
  return private.member_json(private.admit_member(v_plan, v_request.user_id, 'request-approved'));
end $$;
select private.publish('approve_subscription_request', 'authenticated');

-- Rejects an open request, which the caller has locked, and tells its requester.
create function private.reject_request(p_plan public.shared_subscriptions, p_request public.subscription_requests) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.subscription_requests set status = 'rejected' where id = p_request.id;
  perform private.mail_notification(private.notify(p_request.user_id, 'info', p_plan.id, 'request-rejected',
    jsonb_build_object('plan', p_plan.provider || ' ' || p_plan.name)),
    '{}', '/available-subscriptions');
end $$;

-- Rejects all open requests of a plan that has become dearer, because their senders have not agreed to that.
create function private.reject_open_requests(p_plan public.shared_subscriptions) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_request public.subscription_requests;
begin
  for v_request in
    select r.* from public.subscription_requests as r
    where r.subscription_id = p_plan.id and private.is_open_request(r) order by r.id for update
  loop
    perform private.reject_request(p_plan, v_request);
  end loop;
end $$;

-- Rejects a pending request. Owner only.
create function private.reject_subscription_request(
  -- The id of the request.
  p_request_id uuid,
  p_subscription_id text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_request public.subscription_requests := private.lock_open_request(p_request_id, p_subscription_id);
begin
  perform private.spend_attempt('rejection');
  perform private.reject_request(v_plan, v_request);
end $$;
select private.publish('reject_subscription_request', 'authenticated');

-- Open requests of a plan, oldest first, with whole hours left. For the plan's owner alone; calls are rate-limited.
create function private.get_pending_requests_with_expiry(p_subscription_id text)
returns table (
  id uuid, user_id uuid, name text, email text, avatar_url text, requested_at timestamptz, message text,
  -- Whole hours left, rounded up.
  expires_in_hours integer
)
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_user();
  if not private.is_plan_owner(p_subscription_id) then
    perform private.refuse('only_owner_sees_requests');
  end if;
  perform private.spend_attempt('view requests');
  perform private.expire_join_requests();
  return query
    select r.id, r.user_id, coalesce(p.display_name, r.name), r.email, p.avatar_url, r.requested_at, r.message,
      private.hours_of(private.request_deadline(r.requested_at) - now())
    from public.subscription_requests as r join private.user_profiles as p on p.user_id = r.user_id
    where r.subscription_id = p_subscription_id and private.is_open_request(r)
    order by r.requested_at, r.id;
end $$;
select private.publish('get_pending_requests_with_expiry', 'authenticated');

-- Requests of a plan that are over, newest first, for the owner to whom they were sent; other callers get no rows.
create function private.fetch_archived_requests(p_subscription_id text) returns setof public.subscription_requests
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.expire_join_requests();
  return query
    select * from public.subscription_requests as r
    where r.subscription_id = p_subscription_id and private.is_plan_owner(p_subscription_id) and r.owner_id = auth.uid()
      and not private.is_open_request(r)
    order by r.requested_at desc, r.id;
end $$;
select private.publish('fetch_archived_requests', 'authenticated');

-- The caller's own requests that are over, newest first.
create function private.fetch_user_archived_requests(p_user_id uuid) returns setof public.subscription_requests
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_self(p_user_id);
begin
  perform private.expire_join_requests();
  return query
    select * from public.subscription_requests as r
    where r.user_id = v_user and not private.is_open_request(r)
    order by r.requested_at desc, r.id;
end $$;
select private.publish('fetch_user_archived_requests', 'authenticated');

create function public.check_existing_subscription_request(p_subscription_id text, p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_self(p_user_id);
  return exists (
    select 1 from public.subscription_requests as r
    where r.subscription_id = p_subscription_id and r.user_id = p_user_id and private.may_cancel(r)
  );
end $$;
select private.publish('check_existing_subscription_request', 'authenticated');

revoke all on public.subscription_requests from public, anon, authenticated;
grant select, insert (subscription_id, user_id, name, email, message, coins_first, begins_at_once_at, status),
  update (status) on public.subscription_requests to authenticated;
grant all on public.subscription_requests to service_role;
-- The trigger above calls this with the rights of the person who cancels.
grant execute on function private.may_cancel(public.subscription_requests) to authenticated;

create trigger refuse before insert or update on public.subscription_requests
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
