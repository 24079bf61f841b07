-- Staff can put a person's payouts on hold until a set date, with reasons that the person reads (staff/decisions.sql). During a hold, nothing is paid out, sent to the person's own account or withdrawn. This file also pays out the coins of
-- people who stay suspended.

create function private.longest_hold() returns interval
language sql immutable return interval '180 days';

create table private.payout_holds (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  -- Whether the hold came by itself, because the person has no bank account.
  lacks_account boolean not null default false,
  since timestamptz not null default private.now(),
  until timestamptz not null check (until > since),
  -- When staff released the payouts, or the hold ended.
  released_at timestamptz
);
create unique index payout_holds_one_at_a_time_key on private.payout_holds (user_id) where released_at is null;
create index payout_holds_user_idx on private.payout_holds (user_id);
alter table private.payout_holds enable row level security;

-- Returns the hold on this person's payouts; null if there is none.
create function private.current_hold(p_user_id uuid) returns private.payout_holds
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select h from private.payout_holds as h where user_id = p_user_id and released_at is null and until > private.now());
end $$;

-- Returns why nothing may be paid to a person now, as a refusal and its values; null if their payouts are not held.
create function private.hold_refusal(p_user_id uuid) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare v_hold private.payout_holds := private.current_hold(p_user_id);
begin
  return case when v_hold.id is not null then array['payouts_held', private.day_for(p_user_id, v_hold.until)] end;
end $$;

-- Returns whether transfers to this person's own account have to wait: while payouts are held, or during a suspension until the
-- person's places have ended.
create function private.transfers_wait(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (private.current_hold(p_user_id)).id is not null
    or exists (select from private.suspensions where user_id = p_user_id and lifted_at is null and ended_places_at is null and until > private.now());
end $$;

-- Queues the waiting transfers again; their jobs were deleted while they waited.
create function private.requeue_account_transfers(p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.queue_account_job('transfer', id) from private.account_transfers where user_id = p_user_id and status = 'queued';
end $$;

create function private.tell_hold(p_user_id uuid, p_type text, p_event text, p_params jsonb default '{}') returns void
language sql volatile security definer set search_path = '' as $$
  select private.mail_notification(private.notify(p_user_id, p_type, null, p_event, p_params),
    '{}', '/account-settings/money')
$$;

-- Creates or changes a person's hold.
create function private.create_hold(p_user_id uuid, p_until timestamptz, p_lacks_account boolean default false) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.payout_holds (user_id, until, lacks_account) values (p_user_id, p_until, p_lacks_account)
  on conflict (user_id) where released_at is null do update set until = excluded.until, lacks_account = excluded.lacks_account
$$;

-- Holds a person's payouts until p_until, or changes the end of the existing hold.
create function private.hold_payouts(p_person_id uuid, p_until timestamptz, p_reasons jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_reasons private.reasons := private.require_reasons(p_reasons);
begin
  if p_person_id = v_user then
    perform private.refuse('own_withdrawal_decided');
  elsif not exists (select from private.user_profiles where user_id = p_person_id) then
    perform private.refuse('person_not_found');
  elsif (p_until > private.now() and p_until <= private.now() + private.longest_hold()) is not true then
    perform private.refuse('payout_hold_too_long', extract(day from private.longest_hold())::text);
  end if;
  perform private.create_hold(p_person_id, p_until);
  perform private.record_decision(p_person_id, 'payouts-held', null, null, v_reasons, p_until);
end $$;
select private.publish('hold_payouts', 'authenticated');

create function private.end_hold(p_hold private.payout_holds) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.payout_holds set released_at = private.now() where id = p_hold.id;
  perform private.requeue_account_transfers(p_hold.user_id);
  perform private.tell_hold(p_hold.user_id, 'success', 'payout-released');
end $$;

-- Releases a person's payouts before the end of the hold.
create function private.release_payouts(p_person_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_hold private.payout_holds;
begin
  select * into v_hold from private.payout_holds where user_id = p_person_id and released_at is null for update;
  if p_person_id = v_user then
    perform private.refuse('own_withdrawal_decided');
  elsif v_hold.id is null then
    perform private.refuse('payouts_not_held');
  end if;
  perform private.log_staff('payouts released', p_person_id::text, '{}');
  perform private.end_hold(v_hold);
  perform private.mark_undone(p_person_id, '{payouts-held}');
end $$;
select private.publish('release_payouts', 'authenticated');

-- Ends expired holds, and pays out the coins of people who stay suspended after their places have ended: to their connected
-- account, or else as a withdrawal to their bank account, which staff process as usual. If they have neither, their payouts are
-- held, and staff are told. Once staff have rejected such a withdrawal, no other is made during the suspension. The scheduled jobs
-- (clock.sql) call this in a separate transaction, because it locks wallets.
create function private.pay_out_suspended() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid;
  v_account private.bank_accounts;
  v_coins numeric;
begin
  perform private.end_hold(h) from private.payout_holds as h
  where h.id in (select id from private.payout_holds where released_at is null and until <= private.now() order by id for update skip locked);
  for v_user in
    select s.user_id from private.suspensions as s
    where s.lifted_at is null and s.until > private.now() and s.ended_places_at is not null
      and private.available_coins(s.user_id) > 0 and coalesce(private.withdrawals_wait_until(s.user_id) <= private.now(), true)
      and not exists (select from public.withdrawal_requests as w
        where w.user_id = s.user_id and w.status = 'rejected' and w.requested_at > s.since - (private.now() - now()))
    order by s.user_id limit 20 for update skip locked
  loop
    perform private.lock_ledger(array(select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_user));
    v_coins := private.available_coins(v_user);
    v_account := private.current_bank_account(v_user);
    if v_coins > 0 and private.has_own_account(v_user) then
      perform private.send_coins(v_user, v_coins);
    elsif v_coins > 0 and v_account.id is not null then
      insert into public.withdrawal_requests (user_id, amount, closes_account, bank_account_id, bank_account_last4)
      values (v_user, v_coins, v_coins < private.least_withdrawal(), v_account.id, v_account.last4);
    elsif v_coins > 0 then
      perform private.create_hold(v_user, private.now() + private.longest_hold(), true);
      perform private.tell_hold(v_user, 'warning', 'payout-held',
        jsonb_build_object('day', private.day_in(private.now() + private.longest_hold(), private.zone_of(v_user))));
      perform private.notify(id, 'warning', null, 'payout-account-missing',
        jsonb_build_object('person', (select display_name from private.user_profiles where user_id = v_user), 'id', v_user, 'coins', v_coins))
      from private.people_who_may('users.edit') as staff (id);
    end if;
  end loop;
end $$;

revoke all on private.payout_holds from public, anon, authenticated, service_role;
