set local check_function_bodies = off;

DROP FUNCTION "private"."plan_seats"(text);

DROP FUNCTION "public"."plan_seats"(text);

CREATE OR REPLACE FUNCTION private.account_end_refusal(p_user_id uuid, p_give_up_coins boolean)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_coins numeric := private.available_coins(p_user_id);
begin
  return case
    when v_coins = 0 or private.has_bank_account(p_user_id) then null
    when v_coins >= private.least_withdrawal()
      then format('You still have %s coins. Add the bank account that they are to be paid to.', v_coins)
    when not p_give_up_coins
      then format('You still have %s coins. Add the bank account that they are to be paid to, or give them up.', v_coins)
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.close_period(p_period uuid, p_lost_from timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_unused record;
begin
  select * into v_period from public.member_payments where id = p_period;
  v_unused := private.unused_of(v_period, p_lost_from);
  if v_period.settlement = 'direct' then
    perform private.note_owed(v_seat, v_period, v_unused.share);
  elsif v_period.status = 'paid' then
    perform private.give_back(p_period, v_unused.share, v_unused.fee,
      case when v_period.starts_at is null then 'no-access' when v_seat.ended_at is not null then 'ended' else 'problem' end);
    perform private.move_earnings(p_period, true) from public.member_payments where id = p_period and status = 'paid';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_own_account(p_give_up_coins boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
  v_seats uuid[];
  v_coins numeric;
  v_refusal text;
  v_is_owed boolean;
begin
  perform private.require_recent_proof();
  -- Waits for anybody approving a member or moving coins right now.
  perform from public.shared_subscriptions
  where owner_id = v_user or id in (select subscription_id from public.waiting_list where user_id = v_user)
  order by id for update;
  perform from public.subscription_members where user_id = v_user order by id for update;
  perform private.lock_plan_to_leave(subscription_id) from (
    select subscription_id from private.seats where member_id = v_user and ended_at is null order by subscription_id
  ) as left_now;
  -- Seats that have ended may still hold the money of a problem.
  v_seats := array(select id from private.seats
    where v_user in (member_id, owner_id) and (ended_at is null or next_at is not null) order by id for update);
  perform private.lock_held_money(v_seats);
  perform private.lock_ledger(array(select id from private.ledger_accounts where kind = 'wallet' and owner = v_user));
  perform private.forfeit_problems(v_user);
  delete from public.shared_subscriptions where owner_id = v_user;
  v_coins := private.available_coins(v_user);
  v_refusal := private.account_end_refusal(v_user, coalesce(p_give_up_coins, false));
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  elsif v_coins > 0 and p_give_up_coins and v_coins < private.least_withdrawal() then
    perform private.transfer('given-up:' || v_user, private.ledger_account('wallet', v_user),
      private.ledger_account('adjustments'), v_coins, 'given-up', p_description => 'Given up with the account');
  elsif v_coins > 0 then
    insert into public.withdrawal_requests (user_id, amount, closes_account) values (v_user, v_coins, true);
  end if;

  update public.subscription_requests set status = 'cancelled' where user_id = v_user and status = 'pending';
  delete from public.waiting_list where user_id = v_user;
  delete from private.link_visits where user_id = v_user;
  delete from public.subscription_members where user_id = v_user;
  v_is_owed := private.is_owed(v_user);
  -- Mail before invitation, the lock order of a mail that was sent. Mail about a change that an intruder may have made, to
  -- be paid in this person's place, still goes out.
  delete from private.outgoing_mail where lower(recipient) = v_email and not (v_is_owed and event like 'account-%');
  delete from public.subscription_invitations where email = v_email;
  -- Openings of one's own secrets concern nobody else.
  delete from private.vault_openings where owner_id = v_user and opened_by = v_user;
  -- Skips locked rows: whoever is reading them deletes them.
  delete from private.fact_changes
  where id in (select id from private.fact_changes where user_id = v_user for update skip locked);

  if not exists (select from public.coin_transactions where v_user in (user_id, created_by))
    and not exists (select from public.withdrawal_requests where v_user in (user_id, processed_by, completed_by, returned_by))
    and not exists (select from private.payout_files where v_user in (created_by, voided_by))
    and not exists (select from private.vault_openings where opened_by = v_user)
    and not exists (select from public.problem_statements where person_id = v_user)
    and not exists (select from private.seats where v_user in (member_id, owner_id, ended_by)) then
    delete from public.user_wallets where user_id = v_user;
    delete from private.ledger_accounts where kind = 'wallet' and owner = v_user;
    delete from auth.users where id = v_user;
    return;
  end if;

  delete from public.conversations where v_user in (owner_id, member_id);
  delete from public.subscription_requests where user_id = v_user;
  delete from public.user_notifications where user_id = v_user;
  delete from private.unwanted_notifications where user_id = v_user;
  delete from private.unsubscribe_links where user_id = v_user;
  delete from private.push_devices where user_id = v_user;
  delete from private.calendars where user_id = v_user;
  delete from public.payment_wishes where user_id = v_user;
  delete from private.seat_reviews where subject_id = v_user;
  delete from private.person_reports where person_id = v_user;
  update private.person_reports set reporter_id = null where reporter_id = v_user;
  update private.seat_reviews set reported_by = null where reported_by = v_user;
  delete from public.blocked_people where v_user in (user_id, blocked_id);
  delete from private.time_zones where user_id = v_user;
  if v_is_owed then
    perform private.keep_closed_account(v_user, v_email);
  else
    delete from private.bank_accounts where user_id = v_user;
    delete from private.vault_keys where person_id = v_user;
    delete from private.account_changes where user_id = v_user;
  end if;
  delete from public.provider_requests where user_id = v_user;
  delete from public.payment_methods where user_id = v_user;
  delete from public.admin_role_requests where user_id = v_user;
  delete from public.user_roles where user_id = v_user;
  update public.user_profiles set display_name = 'Deleted account', full_name = null, phone_number = null,
    avatar_url = null, deleted_at = now() where user_id = v_user;
  delete from auth.identities where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set email = null, email_change = '', encrypted_password = null,
    raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = now(), updated_at = now()
  where id = v_user;
  -- Last, because nobody is told about what is removed from a closed account.
  delete from auth.mfa_factors where user_id = v_user;
  if private.has_passkey(v_user) then
    delete from auth.webauthn_credentials where user_id = v_user;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.plan_seats(p_subscription_id text)
 RETURNS TABLE(id uuid, member_id uuid, member_name text, avatar_url text, settlement text, billing_cycle text, share numeric, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, unpaid_since timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, held numeric, earned numeric, next_release timestamp with time zone, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, unused numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.member_id, p.display_name, p.avatar_url, s.settlement, s.billing_cycle, s.share, s.status, s.opened_at,
      sums.paid_until, sums.unpaid_since, s.ends_at, s.ended_at, s.end_reason, sums.held, sums.earned, sums.next_release,
      s.admitted_at, s.access_given_at, s.access_due_at, s.invited_address, private.access_works(s),
      private.open_problem(s.id), private.owed_back(s.id), private.unused_by(s)
    from private.seats as s join public.user_profiles as p on p.user_id = s.member_id
    cross join lateral (
      select max(m.ends_at) filter (where m.status in ('paid', 'closed')) as paid_until,
        min(m.due_at) filter (where m.status in ('due', 'needs-action', 'failed')
          and (m.settlement = 'potluck' or private.says_how_to_pay(m.owner_id))) as unpaid_since,
        coalesce(sum(m.share - m.earned_share - m.returned_share)
          filter (where m.settlement = 'potluck' and m.status = 'paid'), 0.00) as held,
        coalesce(sum(m.earned_share), 0.00) as earned,
        min(least(coalesce(m.earned_until, m.starts_at) + private.earning_step(), m.ends_at))
          filter (where m.settlement = 'potluck' and m.status = 'paid' and not private.has_open_problem(s.id)) as next_release
      from public.member_payments as m where m.seat_id = s.id
    ) as sums
    where s.subscription_id = p_subscription_id and s.owner_id = v_user
    order by s.ended_at is not null, s.opened_at, s.id;
end $function$;

CREATE OR REPLACE FUNCTION private.quote_account_end()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return jsonb_build_object(
    'plans', (
      select coalesce(jsonb_agg(to_jsonb(plan) order by plan.name, plan.id), '[]') from (
        select p.id, p.provider || ' ' || p.name as name, count(*) as members,
          coalesce(sum(private.unused_by(s)) filter (where s.settlement = 'potluck'), 0) as back,
          coalesce(sum(private.unused_by(s)) filter (where s.settlement = 'direct'), 0) as owed
        from public.shared_subscriptions as p join private.seats as s on s.subscription_id = p.id and s.ended_at is null
        where p.owner_id = v_user group by p.id
      ) as plan
    ),
    'coins', private.available_coins(v_user) + (
      select coalesce(sum(m.share - m.earned_share - m.returned_share - unused.share), 0)
      from private.seats as s join public.member_payments as m on m.seat_id = s.id
      cross join lateral private.unused_of(m, case when s.ended_at is null then private.now() end) as unused
      where s.owner_id = v_user and m.settlement = 'potluck' and m.status = 'paid'
    ));
end $function$;

CREATE OR REPLACE FUNCTION private.unused_by(p_seat private.seats)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select coalesce(sum(unused.share + case m.settlement when 'direct' then 0 else unused.fee end), 0.00)
    from public.member_payments as m cross join lateral private.unused_of(m, private.now()) as unused
    where m.seat_id = p_seat.id and p_seat.ended_at is null and m.status in ('claimed', 'paid'));
end $function$;

CREATE OR REPLACE FUNCTION private.unused_of(p_period public.member_payments, p_lost_from timestamp with time zone, OUT share numeric, OUT fee numeric)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_part numeric := 1;
begin
  if p_period.starts_at is not null then
    v_part := extract(epoch from private.time_without_access(p_period, p_period.ends_at, p_lost_from))
      / extract(epoch from p_period.ends_at - p_period.starts_at);
  end if;
  share := round(p_period.share * v_part, 2);
  fee := round(p_period.fee * v_part, 2);
  if p_period.settlement = 'potluck' then
    share := greatest(0, least(share - p_period.returned_share, p_period.share - p_period.earned_share - p_period.returned_share));
    fee := greatest(0, least(fee - p_period.returned_fee, p_period.fee - p_period.earned_fee - p_period.returned_fee));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.plan_seats(p_subscription_id text)
 RETURNS TABLE(id uuid, member_id uuid, member_name text, avatar_url text, settlement text, billing_cycle text, share numeric, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, unpaid_since timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, held numeric, earned numeric, next_release timestamp with time zone, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, unused numeric)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.plan_seats(p_subscription_id) $function$;

CREATE OR REPLACE FUNCTION public.quote_account_end()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.quote_account_end() $function$;

REVOKE ALL ON FUNCTION "private"."plan_seats"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."plan_seats"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."quote_account_end"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."quote_account_end"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."unused_by"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unused_of"(public.member_payments, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."plan_seats"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."plan_seats"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."quote_account_end"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."quote_account_end"() TO "authenticated";

