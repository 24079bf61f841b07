-- How long a place is reserved for an invited person.
create function private.invitation_lifetime() returns interval
language sql immutable return interval '7 days';
grant execute on function private.invitation_lifetime() to service_role;

-- An invitation reserves a place for an e-mail address, for private.invitation_lifetime(). The link in the mail carries a token, of
-- which only a hash is stored, and works only for the invited address. All code that changes reserved places locks the plan's row
-- first.
create table public.subscription_invitations (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  email text not null check (email = lower(btrim(email)) and email like '%_@_%' and char_length(email) <= private.longest_address()),
  invited_by uuid not null references private.user_profiles (user_id) on delete cascade,
  token_hash text not null unique,
  -- The delivery of the invitation's mail; `delayed`: an attempt failed and another follows.
  mail_status text not null default 'waiting' check (mail_status in ('waiting', 'delayed', 'sent', 'failed')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + private.invitation_lifetime(),
  accepted_at timestamptz,
  -- The account that this invitation admitted to a site for invited people; it admits no second one.
  account_id uuid references private.user_profiles (user_id) on delete set null,
  -- When the invited person asked for access to begin immediately, as in a request for a place.
  begins_at_once_at timestamptz,
  declined_at timestamptz,
  withdrawn_at timestamptz
);
create unique index subscription_invitations_open_key on public.subscription_invitations (subscription_id, email)
  where accepted_at is null and declined_at is null and withdrawn_at is null;
create index subscription_invitations_plan_idx on public.subscription_invitations (subscription_id);
create index subscription_invitations_inviter_idx on public.subscription_invitations (invited_by);
create index subscription_invitations_email_idx on public.subscription_invitations (email);
create index subscription_invitations_account_idx on public.subscription_invitations (account_id);
alter table public.subscription_invitations enable row level security;

insert into private.rate_limits (action, attempts, window_seconds, requests)
values ('invitation', 10, 3600, '{POST /rpc/invite_member}');

-- Returns the acting user's email address if they have confirmed it.
create function private.my_email() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select lower(email) from auth.users where id = (select auth.uid()) and email_confirmed_at is not null);
end $$;

create policy "Owners see whom they invited, people how they are invited" on public.subscription_invitations
  for select to authenticated using (
    -- After a handover, the new owner does not see whom the earlier one invited.
    invited_by = (select auth.uid()) and private.is_plan_owner(subscription_id) or email = (select private.my_email())
  );

-- Returns the status of an invitation: open, accepted, declined, withdrawn or, by the database's clock, expired.
create function private.invitation_status(p_invitation public.subscription_invitations) returns text
language sql stable as $$
  select case
    when p_invitation.accepted_at is not null then 'accepted'
    when p_invitation.declined_at is not null then 'declined'
    when p_invitation.withdrawn_at is not null then 'withdrawn'
    when p_invitation.expires_at <= now() - private.unnoticed_gap() then 'expired'
    else 'open'
  end
$$;

-- Returns how many places of a plan are reserved, not counting any for the address p_except. Places are reserved for people who are
-- invited, have an offer from the waiting list, or have asked for an offered place and wait for the owner's answer.
create function private.reserved_places(p_subscription_id text, p_except text default null) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select count(*)::integer from (
      select i.email from public.subscription_invitations as i
      where i.subscription_id = p_subscription_id and private.invitation_status(i) = 'open'
      union
      select lower(private.email_of(w.user_id)) from public.waiting_list as w
      where w.subscription_id = p_subscription_id and w.offered_until > now()
      union
      select lower(private.email_of(r.user_id)) from public.subscription_requests as r
      where r.subscription_id = p_subscription_id and r.keeps_place and private.is_open_request(r)
    ) as kept where kept.email is distinct from p_except
  );
end $$;

-- Returns the number of free places that this address cannot have: places reserved for others and, unless one is reserved for this
-- address, places whose offer ended unused and that a scheduled job has yet to offer to the next person on the waiting list.
create function private.places_for_others(p_plan public.shared_subscriptions, p_email text) returns integer
language plpgsql stable security definer set search_path = '' as $$
declare
  v_others integer := private.reserved_places(p_plan.id, lower(p_email));
  v_first integer := 0;
begin
  if private.reserved_places(p_plan.id) = v_others then
    select count(*) into v_first from public.waiting_list as w
    where w.subscription_id = p_plan.id and coalesce(w.offered_until <= now(), true) and lower(private.email_of(w.user_id)) is distinct from lower(p_email)
      and not private.is_suspended(w.user_id);
  end if;
  return v_others + greatest(0, least(v_first, p_plan.owner_max_members - p_plan.current_members - v_others));
end $$;

-- Returns how many places are available to this address.
create function private.open_slots(p_plan public.shared_subscriptions, p_email text) returns integer
language sql stable security definer set search_path = '' as $$
  select greatest(0, p_plan.owner_max_members - p_plan.current_members - private.places_for_others(p_plan, p_email))
$$;

-- Updates the plan's kept_places. The caller has locked the plan.
create function private.tg_subscription_invitations__count() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.shared_subscriptions set kept_places = private.reserved_places(id) where id = new.subscription_id;
  return null;
end $$;
create trigger count after insert or update of accepted_at, declined_at, withdrawn_at on public.subscription_invitations
  for each row execute function private.tg_subscription_invitations__count();

-- Updates kept_places after reservations have expired or an account was closed, and after changes that other functions left to this
-- scheduled job. Skips locked rows; the next call updates them.
create function private.free_kept_places() returns void
language sql volatile security definer set search_path = '' as $$
  update public.shared_subscriptions as plan set kept_places = private.reserved_places(plan.id)
  from (
    select id from public.shared_subscriptions as p
    where (kept_places > 0 or waiting > 0) and (kept_places <> private.reserved_places(id) or (
      has_room
      and not private.is_suspended(owner_id) and exists (select from public.waiting_list
        where subscription_id = p.id and offered_until is null and not private.is_suspended(user_id))))
    for no key update skip locked
  ) as over
  where over.id = plan.id
$$;

-- Refuses one more person when every place is taken or reserved for others; a place reserved for this address does not count. The
-- result is only final while the plan's row is locked.
create function private.require_open_slot(p_plan public.shared_subscriptions, p_email text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_plan.current_members >= p_plan.owner_max_members then
    perform private.refuse('plan_full');
  elsif private.open_slots(p_plan, p_email) = 0 then
    perform private.refuse('places_reserved');
  end if;
end $$;

-- Locks the plan of an invitation and returns it. Raises PT404 if the plan is gone, 23514 if it cannot be joined.
create function private.lock_plan_of_invitation(p_subscription_id text) returns public.shared_subscriptions
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found then
    perform private.refuse('plan_not_found');
  elsif v_plan.status <> 'active' then
    perform private.refuse('plan_closed');
  end if;
  return v_plan;
end $$;

-- Refuses an invitation that is over. The caller has locked the plan.
create function private.require_open_invitation(p_invitation_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_status text;
begin
  select private.invitation_status(i) into v_status from public.subscription_invitations as i where i.id = p_invitation_id;
  if not found then
    perform private.refuse('invitation_not_found');
  elsif v_status = 'expired' then
    perform private.refuse('invitation_expired');
  elsif v_status <> 'open' then
    perform private.refuse('invitation_already_answered', v_status);
  end if;
end $$;

create function private.mail_invitation(
  p_id uuid, p_email text, p_token text, p_plan public.shared_subscriptions, p_inviter text
) returns void
language sql volatile security definer set search_path = '' as $$
  select private.write_mail(p_email, (select id from auth.users where lower(email) = p_email), 'invited', jsonb_build_object(
    'person', p_inviter, 'plan', p_plan.provider || ' ' || p_plan.name, 'cycle', p_plan.billing_cycle,
    'months', coalesce(p_plan.cycle_months, 1), 'currency', p_plan.currency, 'settlement', p_plan.settlement,
    'share', private.place_price(p_plan.settlement, p_plan.member_price, p_plan.fee_rate),
    'days', extract(day from private.invitation_lifetime())
  ), '/invitation/' || p_token, array[p_id::text, p_plan.id], p_id => p_id)
$$;

-- Reserves a place for an email address and mails the link to it; returns the invitation's id. Owner only. Inviting an address
-- again replaces the link and restarts the time.
create function private.invite_member(p_subscription_id text, p_email text) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions := private.lock_plan_of_invitation(p_subscription_id);
  v_email text;
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_replaced uuid;
  v_id uuid;
begin
  if v_plan.owner_id <> v_user then
    perform private.refuse('only_owner_invites');
  end if;
  v_email := private.require_address(p_email);
  if v_email = lower(private.email_of(v_user)) then
    perform private.refuse('own_account_invited');
  elsif exists (
    select 1 from public.subscription_members as m join auth.users as u on u.id = m.user_id
    where m.subscription_id = p_subscription_id and lower(u.email) = v_email
  ) then
    perform private.refuse('already_member');
  end if;
  perform private.require_reachable(id, 'address_not_invitable') from auth.users where lower(email) = v_email;
  perform private.require_offered(v_plan.provider);
  perform private.require_payment_details(v_plan);
  perform private.require_settled(v_user, (select id from auth.users where lower(email) = v_email));
  perform private.require_open_slot(v_plan, v_email);
  perform private.spend_attempt('invitation');

  select i.id into v_replaced from public.subscription_invitations as i
  where i.subscription_id = p_subscription_id and i.email = v_email and private.invitation_status(i) in ('open', 'expired');
  perform private.cancel_mail(v_replaced::text);
  update public.subscription_invitations set withdrawn_at = clock_timestamp() where id = v_replaced;
  insert into public.subscription_invitations (subscription_id, email, invited_by, token_hash)
  values (p_subscription_id, v_email, v_user, encode(sha256(convert_to(v_token, 'UTF8')), 'hex'))
  returning id into v_id;
  perform private.mail_invitation(v_id, v_email, v_token, v_plan,
    (select display_name from private.user_profiles where user_id = v_user));
  return v_id;
end $$;
select private.publish('invite_member', 'authenticated');

-- Withdraws an open invitation: its place is free again and its link stops working. Owner only.
create function private.revoke_invitation(p_invitation_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan_id text;
begin
  select i.subscription_id into v_plan_id from public.subscription_invitations as i
  join public.shared_subscriptions as p on p.id = i.subscription_id and p.owner_id = v_user
  where i.id = p_invitation_id for no key update of p;
  if not found then
    perform private.refuse('invitation_not_found');
  end if;
  perform private.require_open_invitation(p_invitation_id);
  perform private.spend_attempt('owner action');
  perform private.cancel_mail(p_invitation_id::text);
  update public.subscription_invitations set withdrawn_at = clock_timestamp() where id = p_invitation_id;
end $$;
select private.publish('revoke_invitation', 'authenticated');

-- Returns the invitation behind a link. A signed-in person gets it only if it was sent to their address; a visitor who is not
-- signed in may be the invited person. A person who has confirmed the invited address needs no secret: for them the invitation's id
-- is enough.
create function private.find_invitation(p_token text) returns public.subscription_invitations
language plpgsql stable security definer set search_path = '' as $$
declare v_invitation public.subscription_invitations;
begin
  select * into v_invitation from public.subscription_invitations
  where token_hash = encode(sha256(convert_to(p_token, 'UTF8')), 'hex');
  if not found then
    select * into v_invitation from public.subscription_invitations where email = private.my_email() and id::text = p_token;
  end if;
  if not found then
    perform private.refuse('invitation_not_found');
  elsif (select auth.uid()) is not null and v_invitation.email is distinct from private.my_email() then
    perform private.refuse('invitation_of_another');
  end if;
  return v_invitation;
end $$;

-- The invitation as the invited person sees it: one row with the plan, its price without the fee, and the status. A visitor with
-- the link sees what the mail said. Only the status and the deadline are returned to visitors once the invitation is over, and to
-- everybody if inviter or invited person has blocked the other.
create function private.get_invitation(p_token text)
returns table (
  status text, expires_at timestamptz, email text, subscription_id text, provider text, name text, description text,
  member_price numeric, currency text, billing_cycle text, settlement text, fee_rate numeric, next_payment date, owner_name text, owner_avatar_url text,
  -- The number of months of one payment, for an own plan; null for others.
  cycle_months integer
)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_invitation public.subscription_invitations := private.find_invitation(p_token);
  v_status text := private.invitation_status(v_invitation);
  v_is_apart boolean := v_invitation.invited_by = any (private.people_apart());
begin
  if v_is_apart or (auth.uid() is null and v_status <> 'open') then
    return query select v_status, v_invitation.expires_at, null, null, null, null, null, null::numeric, null, null, null,
      null::numeric, null::date, null, null, null::integer;
    return;
  end if;
  return query
    select v_status, v_invitation.expires_at, v_invitation.email, p.id, p.provider, p.name, p.description,
      p.member_price, p.currency, p.billing_cycle, p.settlement, p.fee_rate, p.next_payment, o.display_name, o.avatar_url,
      p.cycle_months
    from public.shared_subscriptions as p join private.user_profiles as o on o.user_id = p.owner_id
    where p.id = v_invitation.subscription_id;
end $$;
-- Visitors see the invitation before they sign in.
select private.publish('get_invitation', 'anon', 'authenticated');

-- Turns the reserved place into a membership, like an approval, and approves the person's open request if there is one. Returns the
-- plan's id. p_begin_at_once: the person asks for access to begin immediately, knowing that if they withdraw from the contract they
-- pay for the days on which they had access. A place that is paid through the site requires this, here or with the request.
create function private.accept_invitation(p_token text, p_begin_at_once boolean default false) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_invitation public.subscription_invitations := private.find_invitation(p_token);
  v_plan public.shared_subscriptions := private.lock_plan_of_invitation(v_invitation.subscription_id);
  v_member public.subscription_members;
begin
  perform private.require_open_invitation(v_invitation.id);
  perform private.require_reachable(v_plan.owner_id, 'invitation_already_answered', 'withdrawn');
  perform private.require_open_slot(v_plan, v_invitation.email);
  update public.subscription_invitations set accepted_at = clock_timestamp(),
    begins_at_once_at = case when p_begin_at_once and private.is_withdrawable(v_plan.settlement, v_plan.owner_id) then private.now() end where id = v_invitation.id;
  update public.subscription_requests as r set status = 'approved'
  where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r);
  v_member := private.add_member(v_plan.id, v_user, false);
  perform private.notify(v_plan.owner_id, 'success', v_plan.id, 'invitation-accepted',
    jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', v_member.name));
  perform private.notify(v_user, 'success', v_plan.id, 'joined', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  return v_plan.id;
end $$;
select private.publish('accept_invitation', 'authenticated');

-- Declines the invitation, which frees the reserved place, and notifies the owner.
create function private.decline_and_notify(p_invitation_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation public.subscription_invitations;
  v_plan public.shared_subscriptions;
begin
  select * into v_invitation from public.subscription_invitations where id = p_invitation_id;
  select * into v_plan from public.shared_subscriptions where id = v_invitation.subscription_id for no key update;
  perform private.require_open_invitation(v_invitation.id);
  update public.subscription_invitations set declined_at = clock_timestamp() where id = v_invitation.id;
  perform private.notify(v_plan.owner_id, 'info', v_plan.id, 'invitation-declined',
    jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'email', v_invitation.email));
end $$;
create function private.decline_invitation(p_token text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_user();
  perform private.decline_and_notify((private.find_invitation(p_token)).id);
end $$;
select private.publish('decline_invitation', 'authenticated');

-- Marks a person's open invitation as accepted when they get the place by an approved request instead.
create function private.use_invitation(p_member public.subscription_members) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_used uuid;
begin
  select i.id into v_used from public.subscription_invitations as i
  where i.subscription_id = p_member.subscription_id and i.email = lower(private.email_of(p_member.user_id))
    and private.invitation_status(i) = 'open';
  if not found then return; end if;
  perform private.cancel_mail(v_used::text);
  update public.subscription_invitations set accepted_at = clock_timestamp() where id = v_used;
end $$;

-- Keeps an owner from removing a place that is reserved for a person. The update has locked the plan's row before this runs.
create function private.tg_shared_subscriptions__keep_reserved() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_least integer := old.current_members + private.reserved_places(old.id);
begin
  if new.owner_max_members < old.owner_max_members and new.owner_max_members < v_least then
    perform private.refuse('fewer_slots_than_members_and_invited', v_least::text);
  end if;
  return new;
end $$;
create trigger keep_reserved before update of owner_max_members on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__keep_reserved();

-- Copies the delivery status of the invitation's mail to the invitation, for the owner. The mail carries the invitation's id.
create function private.tg_outgoing_mail__tell_invitation() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.subscription_invitations set mail_status =
    case when new.sent_at is not null then 'sent' when new.given_up_at is not null then 'failed' else 'delayed' end
  where id = new.id;
  return null;
end $$;
create trigger tell_invitation after update of sent_at, given_up_at, last_error on private.outgoing_mail
  for each row execute function private.tg_outgoing_mail__tell_invitation();

select private.send_changes('subscription_invitations');

revoke all on public.subscription_invitations from public, anon, authenticated;
grant select (id, subscription_id, email, invited_by, mail_status, created_at, expires_at, accepted_at, declined_at, withdrawn_at)
  on public.subscription_invitations to authenticated;
grant all on public.subscription_invitations to service_role;
grant execute on function private.my_email() to authenticated;
