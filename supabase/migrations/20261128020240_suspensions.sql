set local check_function_bodies = off;

ALTER TABLE "private"."seats" DROP CONSTRAINT "seats_end_reason_check";

DROP FUNCTION "private"."my_seats"();

DROP FUNCTION "private"."plan_seats"(text);

DROP FUNCTION "public"."my_seats"();

DROP FUNCTION "public"."plan_seats"(text);

CREATE TABLE "private"."country_questions" ("user_id" uuid NOT NULL, "declared" text NOT NULL, "card" text NOT NULL, "decided" text, CONSTRAINT "country_questions_card_check" CHECK ((card ~ '^[A-Z]{2}$'::text)), CONSTRAINT "country_questions_check1" CHECK ((declared <> card)), CONSTRAINT "country_questions_check" CHECK (((decided = declared) OR (decided = card))), CONSTRAINT "country_questions_declared_check" CHECK ((declared ~ '^[A-Z]{2}$'::text)), CONSTRAINT "country_questions_pkey" PRIMARY KEY (user_id), "asked_at" timestamp with time zone NOT NULL DEFAULT private.now());

ALTER TABLE "private"."country_questions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."payout_holds" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "ground" text NOT NULL, "until" timestamp with time zone NOT NULL, "released_at" timestamp with time zone, CONSTRAINT "payout_holds_pkey" PRIMARY KEY (id), "since" timestamp with time zone NOT NULL DEFAULT private.now(), CONSTRAINT "payout_holds_check" CHECK ((until > since)));

ALTER TABLE "private"."payout_holds" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."returned_payments" ("payment_id" uuid NOT NULL, "seat_id" uuid NOT NULL, "decided_at" timestamp with time zone, "is_goodwill" boolean, CONSTRAINT "returned_payments_check" CHECK (((decided_at IS NULL) = (is_goodwill IS NULL))), CONSTRAINT "returned_payments_pkey" PRIMARY KEY (payment_id), "returned_at" timestamp with time zone NOT NULL DEFAULT private.now());

ALTER TABLE "private"."returned_payments" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."suspensions" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "until" timestamp with time zone NOT NULL, "told_at" timestamp with time zone, "lifted_at" timestamp with time zone, "resumed_at" timestamp with time zone, "ended_places_at" timestamp with time zone, CONSTRAINT "suspensions_pkey" PRIMARY KEY (id), "since" timestamp with time zone NOT NULL DEFAULT private.now());

ALTER TABLE "private"."suspensions" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.accept_invitation(p_token text, p_begin_at_once boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_invitation public.subscription_invitations := private.find_invitation(p_token);
  v_plan public.shared_subscriptions := private.lock_plan_of_invitation(v_invitation.subscription_id);
  v_member public.subscription_members;
  v_begins_at_once_at timestamptz;
begin
  perform private.require_open_invitation(v_invitation.id);
  perform private.require_reachable(v_plan.owner_id, 'This invitation has already been withdrawn');
  perform private.require_open_slot(v_plan, v_invitation.email);
  update public.subscription_invitations set accepted_at = clock_timestamp() where id = v_invitation.id;
  update public.subscription_requests as r set status = 'approved'
  where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r)
  returning r.begins_at_once_at into v_begins_at_once_at;
  v_member := private.add_member(v_plan.id, v_user, false);
  -- Not what they said with a request for an earlier seat.
  update private.seats set begins_at_once_at = case when p_begin_at_once then private.now() else v_begins_at_once_at end
  where subscription_id = v_plan.id and member_id = v_user and ended_at is null;
  perform private.notify(v_plan.owner_id, 'success', 'Invitation Accepted',
    format('%s has joined %s %s.', v_member.name, v_plan.provider, v_plan.name), v_plan.id, 'invitation-accepted',
    jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', v_member.name));
  perform private.notify(v_user, 'success', 'You Are In', format('You have joined %s %s.', v_plan.provider, v_plan.name), v_plan.id,
    'joined', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  return v_plan.id;
end $function$;

CREATE OR REPLACE FUNCTION private.account_transfer_order(p_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('id', t.id, 'account', a.reference, 'amountCents', round(t.amount * 100)::integer, 'currency', 'eur',
    'group', t.payment_id, 'intent', case when m.coins = 0 then c.intent end,
    'since', floor(extract(epoch from t.created_at))::integer)
  from private.account_transfers as t join private.connected_accounts as a using (user_id)
  left join public.member_payments as m on m.id = t.payment_id left join private.charges as c on c.payment_id = m.id
  where t.id = p_id and t.status = 'queued' and not private.transfers_wait(t.user_id)
$function$;

CREATE OR REPLACE FUNCTION private.approve_subscription_request(p_request_id uuid, p_subscription_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_request public.subscription_requests := private.lock_open_request(p_request_id, p_subscription_id);
begin
  perform private.require_reachable(v_request.user_id, 'This request has already been cancelled');
  perform private.spend_attempt('approval');
  perform private.require_open_slot(v_plan, private.email_of(v_request.user_id));
  update public.subscription_requests set status = 'approved' where id = p_request_id;
  return private.member_json(private.let_in(v_plan, v_request.user_id, 'Request Approved',
    'Your request to join %s %s has been approved.', 'request-approved'));
end $function$;

CREATE OR REPLACE FUNCTION private.ask_about_country(p_user_id uuid, p_evidence jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_name text := (select display_name from public.user_profiles where user_id = p_user_id);
begin
  if (p_evidence ->> 'declared' <> p_evidence ->> 'card') is not true or p_evidence ->> 'decided' is not null then return; end if;
  insert into private.country_questions as q (user_id, declared, card) values (p_user_id, p_evidence ->> 'declared', p_evidence ->> 'card')
  on conflict (user_id) do update set declared = excluded.declared, card = excluded.card, decided = null, asked_at = excluded.asked_at
  where (q.declared, q.card) <> (excluded.declared, excluded.card);
  if not found then return; end if;
  perform private.tell_treasurers('warning', 'Countries That Contradict Each Other',
    format('%s says they live in %s, but pays from %s. Say on their page which one decides the VAT.', v_name, p_evidence ->> 'declared',
      p_evidence ->> 'card'),
    'tax-country-differs', jsonb_build_object('person', v_name, 'declared', p_evidence ->> 'declared', 'card', p_evidence ->> 'card'));
end $function$;

CREATE OR REPLACE FUNCTION private.ask_about_refund(p_period_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_seat private.seats;
  v_returned private.returned_payments;
  v_member text;
  v_until text;
begin
  select * into v_period from public.member_payments where id = p_period_id;
  select * into v_seat from private.seats where id = v_period.seat_id;
  if v_seat.ended_at is not null or v_period.ends_at <= private.now() or v_period.status not in ('paid', 'given-back')
    or private.left_on_card(v_period) > 0 then return; end if;
  insert into private.returned_payments (payment_id, seat_id) values (p_period_id, v_seat.id) on conflict do nothing
  returning * into v_returned;
  if v_returned.payment_id is null then return; end if;
  perform private.wake_seat(v_seat.id);
  v_member := (select display_name from public.user_profiles where user_id = v_seat.member_id);
  v_until := to_char(v_returned.due_at at time zone 'utc', 'FMDD FMMonth, HH24:MI') || ' UTC';
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'payment-went-back', 'Payment Refunded',
    format('Your payment for %s was refunded. Our team says whether your place goes on. Otherwise it ends on %s.', v_period.plan_name, v_until),
    jsonb_build_object('until', v_returned.due_at));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'warning', 'payment-of-member-went-back', 'Payment Refunded',
    format('The payment of %s for %s was refunded. Our team says whether the place goes on. Otherwise it ends on %s.', v_member,
      v_period.plan_name, v_until), jsonb_build_object('until', v_returned.due_at));
  perform private.tell_treasurers('warning', 'A Refund to Decide About',
    format('A payment of %s for %s was refunded at the provider. Say by %s whether the place ends or goes on.', v_member, v_period.plan_name, v_until),
    'payment-refund-to-decide', jsonb_build_object('member', v_member, 'plan', v_period.plan_name, 'until', v_returned.due_at));
end $function$;

CREATE OR REPLACE FUNCTION private.awaits_refund_decision(p_seat_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.returned_payments where seat_id = p_seat_id and decided_at is null);
end $function$;

CREATE OR REPLACE FUNCTION private.begin_payment(p_payment_id uuid, p_card_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_period public.member_payments;
  v_provider text := (select provider from private.payment_provider);
begin
  perform private.spend_attempt('payment');
  if not exists (select from public.member_payments where id = p_payment_id and member_id = v_user and settlement = 'potluck') then
    raise exception 'Payment not found' using errcode = 'PT404';
  elsif p_card_id is not null and not exists (select from public.payment_methods where id = p_card_id and user_id = v_user) then
    raise exception 'This card is not saved' using errcode = 'PT404';
  end if;
  perform private.lock_seat_of(p_payment_id);
  select * into v_period from public.member_payments where id = p_payment_id;
  if v_period.status not in ('due', 'charging', 'needs-action', 'failed') then
    raise exception 'There’s nothing to pay here' using errcode = '23514';
  elsif private.has_open_problem(v_period.seat_id) then
    raise exception 'We don’t charge you while a problem is open' using errcode = '23514';
  elsif (select private.is_paused(s) from private.seats as s where s.id = v_period.seat_id) then
    raise exception 'We don’t charge you while this place is paused' using errcode = '23514';
  end if;
  insert into private.charges (payment_id, provider, card_id, on_session) values (p_payment_id, v_provider, p_card_id, true)
  on conflict (payment_id) do update set card_id = excluded.card_id, on_session = true;
  insert into private.payment_jobs as j (kind, about, provider) values ('charge', p_payment_id::text, v_provider)
  on conflict (kind, about) do update set next_attempt_at = clock_timestamp()
  -- Not during an attempt.
  where j.last_error is not null;
end $function$;

CREATE OR REPLACE FUNCTION private.begin_suspension(p_suspension private.suspensions, p_seats private.seats[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := p_suspension.user_id;
begin
  perform private.wake_seat(s.id) from unnest(p_seats) as s;
  insert into private.fact_changes (user_id) select distinct unnest(array[s.owner_id, s.member_id]) from unnest(p_seats) as s;
  perform private.turn_down(p, r) from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
  where p.owner_id = v_user and private.is_open_request(r);
  update public.subscription_requests as r set status = 'cancelled' where r.user_id = v_user and private.is_open_request(r);
  perform private.call_back_mail(w.id::text) from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
  where v_user in (p.owner_id, w.user_id) and w.offered_until is not null;
  update public.waiting_list as w set offered_until = null from public.shared_subscriptions as p
  where p.id = w.subscription_id and v_user in (p.owner_id, w.user_id) and w.offered_until is not null;
  update public.conversations set archived = true, question_until = null
  where question_until is not null and v_user in (owner_id, member_id);
  insert into public.plan_departures (subscription_id)
  select id from public.shared_subscriptions where owner_id = v_user and status = 'active' and not is_private on conflict do nothing;
  delete from public.plan_departures as d using public.shared_subscriptions as p where p.id = d.subscription_id and p.owner_id = v_user;
  perform private.tell_suspension(p_suspension, p_seats);
  update private.suspensions set told_at = private.now() where id = p_suspension.id;
end $function$;

CREATE OR REPLACE FUNCTION private.buyer_of(p_payment public.member_payments, OUT name text, OUT evidence jsonb)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(kept.name, u.full_name, u.display_name), coalesce(kept.evidence, jsonb_build_object(
    'declared', (select country from private.home_countries where user_id = u.user_id),
    'card', (select pm.country from private.charges as c join public.payment_methods as pm on pm.id = c.tried_id
      where c.payment_id = p_payment.id and c.status = 'succeeded')))
    || coalesce((select jsonb_build_object('decided', q.decided) from private.country_questions as q
      where q.user_id = u.user_id and q.decided is not null and q.declared = (select country from private.home_countries where user_id = u.user_id)
        and q.card = (select pm.country from private.charges as c join public.payment_methods as pm on pm.id = c.tried_id
          where c.payment_id = p_payment.id and c.status = 'succeeded')), '{}')
  from public.user_profiles as u left join private.closed_buyers as kept on kept.payment_id = p_payment.id
  where u.user_id = p_payment.member_id
$function$;

CREATE OR REPLACE FUNCTION private.calendar_days(p_user_id uuid)
 RETURNS TABLE(uid text, day date, summary text, path text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with seat as (
    select s.*, s.provider || ' ' || s.plan_name as plan, paid.number, paid.until
    from private.seats as s
    left join lateral (
      select max(m.number) as number, max(m.ends_at) as until from public.member_payments as m
      where m.seat_id = s.id and m.status in ('paid', 'closed')
    ) as paid on true
    where s.member_id = p_user_id and s.ended_at is null and not private.is_paused(s)
  )
  select what.uid, (what.at at time zone private.zone_of(p_user_id))::date, what.summary, what.path
  from (
    select format('renewal-%s-%s', seat.id, seat.number + 1), seat.until,
      format('%s renews: %s', seat.plan, private.euros(price.share + price.fee)), '/manage-subscribed/' || seat.subscription_id
    from seat cross join lateral private.period_price(seat.settlement, seat.billing_cycle, seat.share, seat.fee_rate, seat.number + 1) as price
    where seat.ends_at is null and seat.until > private.now()
    union all
    select format('end-%s', seat.id), seat.ends_at, format('Your place in %s ends', seat.plan), '/manage-subscribed/' || seat.subscription_id
    from seat where seat.ends_at > private.now()
    union all
    select format('due-%s', m.id), m.due_at, format('%s is due for %s', private.euros(m.amount), m.plan_name), '/payments/' || m.id
    from public.member_payments as m where m.member_id = p_user_id and m.status in ('due', 'needs-action', 'failed')
  ) as what (uid, at, summary, path)
  union all
  select format('plan-%s-%s', id, next_payment), next_payment, format('Your payment to %s: %s', provider, private.euros(total_price)),
    '/manage-shared/' || id
  from public.shared_subscriptions where owner_id = p_user_id and status = 'active' and next_payment >= current_date
  order by 2, 1
$function$;

CREATE OR REPLACE FUNCTION private.calendar_of(p_token text)
 RETURNS TABLE(uid text, day date, summary text, path text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := (
  select u.id from private.calendars as c join auth.users as u on u.id = c.user_id
  where c.token_hash = encode(sha256(convert_to(coalesce(p_token, ''), 'UTF8')), 'hex')
    and private.is_open_account(u.deleted_at, u.banned_until)
);
begin
  if v_user is null then
    raise exception 'We don’t know this calendar' using errcode = 'PT404';
  end if;
  return query select * from private.calendar_days(v_user);
end $function$;

CREATE OR REPLACE FUNCTION private.check_session()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_claims jsonb := auth.jwt();
  v_has_factor boolean;
  v_action text;
  v_attempts integer;
  v_window integer;
begin
  -- Of a person's program: private.claims_of_ticket() has looked at its token.
  if v_user is null or v_claims ? 'token_id' then return; end if;
  -- One statement, as every request waits for it.
  select exists (select from auth.mfa_factors where user_id = u.id and status = 'verified'), l.action, l.attempts, l.window_seconds
  into v_has_factor, v_action, v_attempts, v_window
  from auth.sessions as s join auth.users as u on u.id = s.user_id
  left join private.rate_limits as l
    on (select current_setting('request.method', true) || ' ' || current_setting('request.path', true)) = any (l.requests)
  where s.id = (v_claims ->> 'session_id')::uuid and s.user_id = v_user
    and coalesce(s.not_after > now(), true)
    and private.is_open_account(u.deleted_at, u.banned_until);
  if not found then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  if v_has_factor and not private.shows_second_factor() then
    raise exception 'Your account asks for the code of your authenticator app as well.' using errcode = '42501';
  end if;
  if v_action is not null then
    perform private.count_attempt(v_user, v_action, v_attempts, v_window);
    perform set_config('request.counted', v_action, true);
  end if;
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
  v_lost_from timestamptz := least(case v_seat.end_reason when 'withdrawn' then v_seat.ended_at else p_lost_from end,
    private.suspended_since(v_seat));
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.settlement = 'direct' then
    v_unused := private.unused_of(v_period, v_lost_from);
    perform private.note_owed(v_seat, v_period, v_unused.share);
  elsif v_period.status = 'paid' then
    v_unused := private.unused_of(v_period, v_lost_from);
    perform private.give_back(p_period, v_unused.share, v_unused.fee,
      case when v_seat.end_reason = 'withdrawn' and v_seat.ended_at = private.now() then 'withdrawn'
        when v_period.starts_at is null then 'no-access' when v_seat.ended_at is not null then 'ended' else 'problem' end,
      case when v_seat.end_reason = 'withdrawn' and v_seat.begins_at_once_at is null
        then private.rest_of(v_period, v_unused.share + v_unused.fee) else 0 end);
    perform private.move_earnings(array[id], true) from public.member_payments where id = p_period and status = 'paid';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.close_returned_payment(p_payment_id uuid, p_goodwill boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  update private.returned_payments set decided_at = private.now(), is_goodwill = p_goodwill where payment_id = p_payment_id;
  select s.* into v_seat from private.returned_payments as r join private.seats as s on s.id = r.seat_id where r.payment_id = p_payment_id;
  if not p_goodwill then
    perform private.end_seat(v_seat.id, 'removed', null);
    return;
  end if;
  perform private.wake_seat(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.member_id, 'success', 'place-kept', 'Your Place Goes On',
    format('Your place in %s %s goes on.', v_seat.provider, v_seat.plan_name));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-back', 'Place Goes On',
    format('%s’s place in %s %s goes on as before.', (select display_name from public.user_profiles where user_id = v_seat.member_id),
      v_seat.provider, v_seat.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.close_suspended(p_suspension private.suspensions)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.notify(w.user_id, 'info', 'Waiting List Closed', format('%s %s takes no new members, so you’re no longer waiting for it.',
      p.provider, p.name), null, 'waiting-list-closed', jsonb_build_object('plan', p.provider || ' ' || p.name))
  from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id where p.owner_id = p_suspension.user_id;
  delete from public.waiting_list as w using public.shared_subscriptions as p
  where p.id = w.subscription_id and p_suspension.user_id in (p.owner_id, w.user_id);
  update private.suspensions set ended_places_at = private.now() where id = p_suspension.id;
  perform private.requeue_account_transfers(p_suspension.user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.country_of(p_evidence jsonb, p_day date)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_declared text := p_evidence ->> 'declared';
  v_card text := p_evidence ->> 'card';
begin
  return coalesce(p_evidence ->> 'decided',
    case when private.vat_rate(v_declared, p_day) is null and private.vat_rate(v_card, p_day) is not null then v_card end, v_declared, v_card);
end $function$;

CREATE OR REPLACE FUNCTION private.current_hold(p_user_id uuid)
 RETURNS private.payout_holds
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select h from private.payout_holds as h where user_id = p_user_id and released_at is null and until > private.now());
end $function$;

CREATE OR REPLACE FUNCTION private.decide_country(p_person_id uuid, p_country text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.require_treasurer() = p_person_id then
    raise exception 'Someone else decides about your own country' using errcode = '42501';
  end if;
  update private.country_questions set decided = p_country where user_id = p_person_id and p_country in (declared, card);
  if not found then
    raise exception 'Please choose one of the two countries' using errcode = '23514';
  end if;
  perform private.log_staff('country decided', p_person_id::text, jsonb_build_object('country', p_country));
end $function$;

CREATE OR REPLACE FUNCTION private.decide_returned_payment(p_payment_id uuid, p_goodwill boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_period public.member_payments;
  v_coins numeric;
begin
  select m.* into v_period from private.returned_payments as r join public.member_payments as m on m.id = r.payment_id
  where r.payment_id = p_payment_id;
  if not found then
    raise exception 'Payment not found' using errcode = 'PT404';
  elsif v_user in (v_period.owner_id, v_period.member_id) then
    raise exception 'Someone else decides about a payment of yours' using errcode = '42501';
  elsif p_goodwill is null then
    raise exception 'Please say whether the place ends or goes on' using errcode = '23514';
  end if;
  perform private.lock_place(v_period.seat_id);
  perform from private.returned_payments where payment_id = p_payment_id and decided_at is null for update;
  if not found then
    raise exception 'Someone already decided about this refund' using errcode = 'PT409';
  end if;
  perform private.log_staff(case when p_goodwill then 'refund left as goodwill' else 'place ended after a refund' end, p_payment_id::text,
    jsonb_build_object('owner', v_period.owner_id, 'member', v_period.member_id));
  perform private.close_returned_payment(p_payment_id, p_goodwill);
  v_coins := private.taken_by_refund(p_payment_id);
  if p_goodwill and v_coins > 0 then
    perform private.adjust_wallet(v_period.owner_id, v_coins, 'Goodwill: ' || v_period.plan_name);
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
  perform private.lock_ledger(array(select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_user));
  perform private.forfeit_problems(v_user);
  delete from public.shared_subscriptions where owner_id = v_user;
  v_coins := private.available_coins(v_user);
  v_refusal := private.account_end_refusal(v_user, coalesce(p_give_up_coins, false));
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  elsif v_coins > 0 and private.has_own_account(v_user) and private.moving_refusal(v_user) is null then
    perform private.send_coins(v_user, v_coins);
  elsif v_coins > 0 and p_give_up_coins and v_coins < private.least_withdrawal() then
    perform private.transfer('given-up:' || v_user, private.ledger_account('wallet', v_user),
      private.ledger_account('adjustments'), v_coins, 'given-up', p_description => 'Given up with the account');
  elsif v_coins > 0 then
    insert into public.withdrawal_requests (user_id, amount, closes_account) values (v_user, v_coins, true);
  end if;

  update public.subscription_requests set status = 'cancelled' where user_id = v_user and status = 'pending';
  delete from public.waiting_list where user_id = v_user;
  delete from public.plan_alerts where user_id = v_user;
  delete from private.told_plans where user_id = v_user;
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

  if not private.has_records(v_user) then
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
  delete from private.api_tokens where user_id = v_user;
  delete from public.message_drafts where user_id = v_user;
  delete from private.webhooks where user_id = v_user;
  delete from private.used_bank_entries where owner_id = v_user;
  delete from public.payment_wishes where user_id = v_user;
  delete from private.suspensions where user_id = v_user;
  delete from private.payout_holds where user_id = v_user;
  delete from private.seat_reviews where subject_id = v_user;
  delete from private.person_reports where person_id = v_user;
  update private.person_reports set reporter_id = null where reporter_id = v_user;
  update private.support_requests set writer_id = null where writer_id = v_user;
  update private.seat_reviews set reported_by = null where reported_by = v_user;
  delete from public.blocked_people where v_user in (user_id, blocked_id);
  delete from private.time_zones where user_id = v_user;
  perform private.keep_buyer(v_user);
  delete from private.home_countries where user_id = v_user;
  delete from private.country_questions where user_id = v_user;
  if v_is_owed then
    perform private.keep_closed_account(v_user, v_email);
  else
    delete from private.bank_accounts where user_id = v_user;
    delete from private.vault_keys where person_id = v_user and not private.needs_vault_key(v_user);
    delete from private.account_changes where user_id = v_user;
  end if;
  delete from public.provider_requests where user_id = v_user;
  delete from public.payment_methods where user_id = v_user;
  delete from public.admin_role_requests where user_id = v_user;
  delete from public.user_roles where user_id = v_user;
  update public.user_profiles set display_name = 'Deleted account', full_name = null, phone_number = null,
    avatar_url = null, language = case when v_is_owed then language end, deleted_at = now() where user_id = v_user;
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

CREATE OR REPLACE FUNCTION private.end_hold(p_hold private.payout_holds)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.payout_holds set released_at = private.now() where id = p_hold.id;
  perform private.requeue_account_transfers(p_hold.user_id);
  perform private.tell_hold(p_hold.user_id, 'success', 'Payouts Free Again', 'Your payouts are no longer held.', 'payout-released', '{}');
end $function$;

CREATE OR REPLACE FUNCTION private.end_seat(p_seat_id uuid, p_reason text, p_by uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats;
  v_plan text;
  v_member text;
  -- For the words: whose suspension it was.
  v_why text := p_reason;
begin
  v_seat := private.lock_place(p_seat_id);
  v_plan := format('%s %s', v_seat.provider, v_seat.plan_name);
  if p_reason = 'suspended' then
    v_why := case when private.is_suspended(v_seat.owner_id) then 'owner-suspended' else 'member-suspended' end;
  end if;
  v_member := (select display_name from public.user_profiles where user_id = v_seat.member_id);
  if v_seat.ended_at is not null then return; end if;
  perform private.settle_seat(v_seat.id, p_reason, p_by);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id and not is_owner;
  select * into v_seat from private.seats where id = v_seat.id;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning', 'seat-ended', 'Membership Ended',
    format(case v_why when 'unpaid' then 'Your place in %s ended because it wasn’t paid.'
      when 'no-access' then 'Your place in %s ended because the owner didn’t give you access in time. ' || case v_seat.settlement
        when 'direct' then 'They owe you a full refund.' else 'You get a full refund.' end
      when 'problem' then 'Your place in %s ended because it didn’t work. ' || case v_seat.settlement
        when 'direct' then 'The owner owes you what you paid for the time since you reported it.'
        else 'You get back what you paid for the time since you reported it.' end
      when 'owner-suspended' then 'Your place in %s ended because its owner stayed suspended. ' || case v_seat.settlement
        when 'direct' then 'The owner owes you what you paid for the time since.'
        else 'You get back what you paid for the time since.' end
      when 'member-suspended' then 'Your place in %s ended because your account stayed suspended.' || case v_seat.settlement
        when 'direct' then '' else ' You get back what you paid for the time since.' end
      else 'Your place in %s has ended.' end, v_plan), jsonb_build_object('reason', v_why, 'settlement', v_seat.settlement));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-seat-ended', 'Place Free Again',
    format(case v_why when 'unpaid' then '%s didn’t pay for %s, so the place is free again.'
      when 'no-access' then '%s didn’t get access to %s in time, so ' || case v_seat.settlement
        when 'direct' then 'you owe them a full refund' else 'they get a full refund' end || ' and the place is free again.'
      when 'problem' then 'The problem %s reported with %s wasn’t fixed, so the place is free again.'
      when 'owner-suspended' then 'The place of %s in %s ended because your account stayed suspended, so ' || case v_seat.settlement
        when 'direct' then 'you owe them what they paid for the time since.' else 'they get back what they paid for the time since.' end
      else 'The place of %s in %s is free again.' end, v_member, v_plan), jsonb_build_object('reason', v_why, 'settlement', v_seat.settlement));
end $function$;

CREATE OR REPLACE FUNCTION private.end_suspension(p_suspension private.suspensions, p_seats private.seats[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := p_suspension.user_id;
  v_seat private.seats;
  v_is_owner boolean;
begin
  update private.suspensions set resumed_at = private.now() where id = p_suspension.id;
  insert into private.fact_changes (user_id) select distinct unnest(array[s.owner_id, s.member_id]) from unnest(p_seats) as s;
  foreach v_seat in array p_seats loop
    continue when private.is_paused(v_seat);
    -- Since the first of them, if both sides were suspended.
    perform private.move_deadlines(private.now() - min(since), array[v_seat.id]) from private.suspensions
    where user_id in (v_seat.owner_id, v_seat.member_id) and resumed_at >= p_suspension.since;
    if v_seat.settlement = 'direct' then
      perform private.follow_direct_payments(v_seat.id);
    end if;
    if private.has_open_problem(v_seat.id) then
      perform private.wake_seat(v_seat.id);
    else
      perform private.resume_seat(v_seat, false);
    end if;
    continue when p_suspension.told_at is null;
    v_is_owner := v_seat.owner_id = v_user;
    perform private.tell_seat(v_seat, case when v_is_owner then v_seat.member_id else v_seat.owner_id end, 'success',
      case when v_is_owner then 'owner-back' else 'member-back' end, case when v_is_owner then 'Owner Is Back' else 'Place Goes On' end,
      format(case when v_is_owner then 'The owner of %1$s is no longer suspended. Your place goes on as before.'
        else '%2$s’s place in %1$s goes on as before.' end, v_seat.provider || ' ' || v_seat.plan_name,
        (select display_name from public.user_profiles where user_id = v_user)));
  end loop;
  insert into private.plans_to_tell (subscription_id)
  select id from public.shared_subscriptions where owner_id = v_user and status = 'active' and not is_private and has_room
  on conflict do nothing;
  perform private.requeue_account_transfers(v_user);
  if p_suspension.told_at is not null then
    perform private.mail_notification(private.notify(v_user, 'success', 'Account Open Again',
      case when p_suspension.ended_places_at is null then 'Your account is no longer suspended. Your plans and places go on as before.'
        else 'Your account is no longer suspended, and your plans can be found again. The places have ended.' end,
      null, 'you-are-back', jsonb_build_object('ended', p_suspension.ended_places_at is not null)), '{}', 'Open Potluck', '/');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.export_own_data()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', (select jsonb_build_object('id', id, 'email', email, 'created_at', created_at, 'last_sign_in_at',
      last_sign_in_at, 'user_metadata', raw_user_meta_data, 'app_metadata', raw_app_meta_data)
      from auth.users where id = v_user),
    'profile', (select to_jsonb(t) || coalesce(to_jsonb(d), '{}') from public.user_profiles as t
      left join public.user_details as d on d.user_id = t.user_id where t.user_id = v_user),
    'role', (select to_jsonb(t) from public.user_roles as t where t.user_id = v_user),
    'wallet', (select to_jsonb(t) from public.user_wallets as t where t.user_id = v_user),
    'shared_plans', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.shared_subscriptions as t where t.owner_id = v_user),
    'memberships', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.subscription_members as t where t.user_id = v_user),
    'join_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.subscription_requests as t where t.user_id = v_user),
    'plan_links', (select jsonb_agg(t.subscription_id order by 1) from private.link_visits as t where t.user_id = v_user),
    'waiting_lists', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.waiting_list as t where t.user_id = v_user),
    'plan_alerts', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('told_of', (
        select jsonb_agg(d.subscription_id) from private.told_plans as d where d.user_id = v_user)) order by t.expires_at)
      from public.plan_alerts as t where t.user_id = v_user),
    'invitations', (select jsonb_agg(to_jsonb(t) - 'token_hash' order by t.created_at)
      from public.subscription_invitations as t where t.invited_by = v_user or t.email = v_email),
    'conversations', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('messages', (
        select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.messages as m where m.conversation_id = t.id
      )) order by t.created_at)
      from public.conversations as t where v_user in (t.owner_id, t.member_id)),
    'notifications', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.user_notifications as t where t.user_id = v_user),
    'mails', (select jsonb_agg(jsonb_build_object('subject', t.subject, 'created_at', t.created_at, 'sent_at', t.sent_at)
      order by t.created_at) from private.outgoing_mail as t where lower(t.recipient) = v_email),
    'account_changes', (select jsonb_agg(to_jsonb(t) - 'token_hash' order by t.happened_at)
      from private.account_changes as t where t.user_id = v_user)
  ) || jsonb_build_object(
    'sessions', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_sessions() as t),
    'notification_choices', (select jsonb_agg(to_jsonb(t)) from private.get_notification_choices() as t),
    'push_devices', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_push_devices() as t),
    'calendar_address_since', private.get_calendar(),
    'tokens', (select jsonb_agg(to_jsonb(t)) from private.my_api_tokens() as t),
    'message_drafts', (select jsonb_agg(to_jsonb(t) order by t.made_at) from public.message_drafts as t where t.user_id = v_user),
    'webhooks', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('deliveries', (
        select jsonb_agg(to_jsonb(d) - '{webhook_id,taken_at,attempts_before}'::text[] order by d.made_at)
        from private.webhook_deliveries as d where d.webhook_id = t.id)))
      from private.my_webhooks() as t),
    'bank_entries_used', (select jsonb_agg(to_jsonb(t) - 'owner_id' order by t.used_at)
      from private.used_bank_entries as t where t.owner_id = v_user),
    'coin_transactions', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.coin_transactions as t where t.user_id = v_user),
    'withdrawals', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.withdrawal_requests as t where t.user_id = v_user),
    'seats', (select jsonb_agg(to_jsonb(t) - '{next_at,failures,last_error}'::text[] order by t.opened_at)
      from private.seats as t where v_user in (t.member_id, t.owner_id)),
    'reports', (select jsonb_agg(jsonb_build_object('person_id', t.person_id, 'reason', t.reason, 'reported_at', t.reported_at)
      order by t.reported_at) from private.person_reports as t where t.reporter_id = v_user),
    'support_requests', (select jsonb_agg(to_jsonb(t) order by t.written_at) from private.my_support_requests() as t),
    'time_zone', private.zone_of(v_user),
    'country', (select to_jsonb(t) - 'user_id' from private.home_countries as t where t.user_id = v_user),
    'country_question', (select to_jsonb(t) - 'user_id' from private.country_questions as t where t.user_id = v_user),
    'invoices', (select jsonb_agg(to_jsonb(t) order by t.issued_at, t.number) from public.fee_invoices as t where t.buyer_id = v_user),
    'problems', (select jsonb_agg(to_jsonb(t) - 'decided_by' || jsonb_build_object('statements', (
        select jsonb_agg(to_jsonb(s) - 'problem_id' order by s.line) from public.problem_statements as s where s.problem_id = t.id
      )) order by t.reported_at)
      from public.seat_problems as t where v_user in (t.member_id, t.owner_id)),
    'term_proposals', (select jsonb_agg(to_jsonb(t) order by t.proposed_at)
      from public.term_proposals as t where v_user in (t.member_id, t.owner_id)),
    'payment_wishes', (select to_jsonb(t) from public.payment_wishes as t where t.user_id = v_user),
    'suspensions', (select jsonb_agg(to_jsonb(t) order by t.since) from private.suspensions as t where t.user_id = v_user),
    'payout_holds', (select jsonb_agg(to_jsonb(t) order by t.since) from private.payout_holds as t where t.user_id = v_user),
    'bank_accounts', (select jsonb_agg(to_jsonb(t) - 'sealed' || jsonb_build_object('opened', (
        select jsonb_agg(jsonb_build_object('at', o.opened_at, 'for', o.purpose) order by o.id)
        from private.vault_openings as o where o.secret_id = t.id)) order by t.version)
      from private.bank_accounts as t where t.user_id = v_user),
    'tax_details_asked', (select to_jsonb(t) - 'user_id' from private.tax_questions as t where t.user_id = v_user),
    'tax_details', (select jsonb_agg(to_jsonb(t) - 'sealed' || jsonb_build_object('opened', (
        select jsonb_agg(jsonb_build_object('at', o.opened_at, 'for', o.purpose) order by o.id)
        from private.vault_openings as o where o.secret_id = t.id)) order by t.version)
      from private.tax_details as t where t.user_id = v_user),
    'tax_reports', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('year', r.year, 'made_at', r.made_at, 'void', r.voided_at is not null)
      order by t.report_id) from private.tax_report_entries as t join private.tax_reports as r on r.id = t.report_id where t.user_id = v_user),
    'vault_versions', (select jsonb_agg(to_jsonb(t) - 'sealed' order by t.created_at)
      from private.vault_entries as t where t.author_id = v_user),
    'vault_openings', (select jsonb_agg(to_jsonb(t) order by t.id)
      from private.vault_openings as t where t.kind = 'plan' and v_user in (t.owner_id, t.opened_by)),
    'payout_account', (select to_jsonb(t) || jsonb_build_object(
        'transfers', (select jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at) from private.account_transfers as s where s.user_id = v_user),
        'payouts', (select jsonb_agg(to_jsonb(p) - 'user_id' order by p.created_at) from private.account_payouts as p where p.user_id = v_user))
      from private.connected_accounts as t where t.user_id = v_user),
    'payments', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.member_payments as t where v_user in (t.member_id, t.owner_id)),
    'cards', (select jsonb_agg(jsonb_build_object('kind', t.kind, 'brand', t.brand, 'last4', t.last4, 'exp_month', t.exp_month,
      'exp_year', t.exp_year, 'mandate', t.mandate, 'country', t.country, 'created_at', t.created_at) order by t.created_at)
      from public.payment_methods as t where t.user_id = v_user),
    'disputes', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'amount', t.amount, 'status', t.status,
      'opened_at', t.opened_at, 'closed_at', t.closed_at, 'answered_at', t.answered_at, 'evidence',
      (select fields from private.dispute_evidence as e where e.dispute_id = t.id)) order by t.opened_at)
      from public.payment_disputes as t where t.member_id = v_user),
    'fraud_warnings', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'kind', t.fraud_type, 'at', t.warned_at,
      'refunded', t.refunded) order by t.warned_at) from public.fraud_warnings as t where t.member_id = v_user),
    'reviews', (select jsonb_agg(to_jsonb(t) - '{reported_by,author_id,shown_from}'::text[]
        || jsonb_build_object('written_by_you', t.author_id = v_user) order by t.written_at)
      from private.seat_reviews as t where t.author_id = v_user or (t.subject_id = v_user and t.shown_from <= private.now())),
    'blocked_people', (select jsonb_agg(to_jsonb(t) - 'user_id' order by t.blocked_at)
      from public.blocked_people as t where t.user_id = v_user),
    'provider_requests', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.provider_requests as t where t.user_id = v_user),
    'access_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.admin_role_requests as t where t.user_id = v_user),
    'payment_events_looked_at', (select jsonb_agg(jsonb_build_object('id', t.id, 'reviewed_at', t.reviewed_at, 'finding', t.finding)
      order by t.reviewed_at) from public.unknown_payment_events as t where t.reviewed_by = v_user),
    'site_settings', (select jsonb_build_object('updated_at', t.updated_at)
      from public.app_settings as t where t.updated_by = v_user)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.follow_suspensions()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := private.now();
  v_due private.suspensions[] := array(
    select s from private.suspensions as s where resumed_at is null and (told_at is null or lifted_at is not null or until <= v_now
      or ended_places_at is null and ends_places_at <= v_now and not exists (
        select from private.seats as t where s.user_id in (t.owner_id, t.member_id) and t.ended_at is null))
    order by since limit 20 for update skip locked);
  v_people uuid[] := array(select user_id from unnest(v_due));
  v_one private.suspensions;
  v_seats private.seats[];
begin
  if cardinality(v_due) = 0 then return; end if;
  perform from public.shared_subscriptions where owner_id = any (v_people)
    or id in (select subscription_id from private.seats where member_id = any (v_people) and ended_at is null)
    or id in (select subscription_id from public.subscription_requests where user_id = any (v_people) and status = 'pending' and not expired)
    or id in (select subscription_id from public.waiting_list where user_id = any (v_people))
  order by id for no key update;
  perform from private.seats where (owner_id = any (v_people) or member_id = any (v_people)) and ended_at is null order by id for update;
  foreach v_one in array v_due loop
    begin
      v_seats := array(select s from private.seats as s where v_one.user_id in (owner_id, member_id) and ended_at is null order by id);
      if v_one.lifted_at is null and v_one.until <= v_now then
        update private.suspensions set lifted_at = until where id = v_one.id returning * into v_one;
      end if;
      if v_one.lifted_at is not null then
        perform private.end_suspension(v_one, v_seats);
      elsif v_one.told_at is null then
        perform private.begin_suspension(v_one, v_seats);
      else
        perform private.close_suspended(v_one);
      end if;
    exception when others then
      raise warning 'Suspension %: %', v_one.id, sqlerrm;
    end;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.free_kept_places()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.shared_subscriptions as plan set kept_places = private.reserved_places(plan.id)
  from (
    select id from public.shared_subscriptions as p
    where (kept_places > 0 or waiting > 0) and (kept_places <> private.reserved_places(id) or (
      current_members + kept_places < owner_max_members
      and not private.is_suspended(owner_id) and exists (select from public.waiting_list
        where subscription_id = p.id and offered_until is null and not private.is_suspended(user_id))))
    for no key update skip locked
  ) as over
  where over.id = plan.id
$function$;

CREATE OR REPLACE FUNCTION private.hold_payouts(p_person_id uuid, p_ground text, p_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_ground text := btrim(coalesce(p_ground, ''));
begin
  if p_person_id = v_user then
    raise exception 'Someone else decides on your own withdrawal' using errcode = '42501';
  elsif not exists (select from public.user_profiles where user_id = p_person_id) then
    raise exception 'Person not found' using errcode = 'PT404';
  elsif private.visible_length(v_ground) = 0 or char_length(v_ground) > private.longest_ground() then
    raise exception 'Please give a reason, in up to % characters', private.longest_ground() using errcode = '23514';
  elsif (p_until > private.now() and p_until <= private.now() + private.longest_hold()) is not true then
    raise exception 'Payouts can be held for up to % days', extract(day from private.longest_hold()) using errcode = '23514';
  end if;
  insert into private.payout_holds (user_id, ground, until) values (p_person_id, v_ground, p_until)
  on conflict (user_id) where released_at is null do update set ground = excluded.ground, until = excluded.until;
  perform private.log_staff('payouts held', p_person_id::text, jsonb_build_object('reason', v_ground, 'until', p_until));
  perform private.tell_hold(p_person_id, 'warning', 'Payouts Held',
    format('We’re holding your payouts until %s: %s', to_char(p_until, 'FMDD FMMonth YYYY'), v_ground), 'payout-held',
    jsonb_build_object('day', private.day_in(p_until, private.zone_of(p_person_id)), 'reason', v_ground));
end $function$;

CREATE OR REPLACE FUNCTION private.hold_refusal(p_user_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_hold private.payout_holds := private.current_hold(p_user_id);
begin
  return case when v_hold.id is not null then format('Payouts are held until %s: %s', to_char(v_hold.until, 'FMDD FMMonth YYYY'), v_hold.ground) end;
end $function$;

CREATE OR REPLACE FUNCTION private.instant_refusal(p_plan public.shared_subscriptions, p_user_id uuid, p_coins_first boolean)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_levels constant text[] := '{new,proven,trusted}';
begin
  return case
    when p_plan.instant_from is null then 'approval'
    when array_position(v_levels, private.standing_level(p_user_id)) < array_position(v_levels, p_plan.instant_from) then 'level'
    when exists (select from public.member_payments where member_id = p_user_id and settlement = 'potluck'
      and status in ('due', 'charging', 'processing', 'needs-action', 'failed')) then 'open-payment'
    when private.has_open_dispute(p_user_id) or exists (select from private.seats where member_id = p_user_id
      and end_reason in ('unpaid', 'disputed') and ended_at > private.now() - private.mending_pause()) then 'unpaid'
    when not private.can_pay_first(p_plan, p_user_id, p_coins_first) then 'card'
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.is_always_mailed(p_event text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((p_event = ANY (ARRAY['renewal-coming'::text, 'payment-debit-coming'::text, 'payment-under-way'::text, 'contract-made'::text, 'contract-withdrawn'::text, 'you-are-suspended'::text, 'you-are-back'::text, 'payout-held'::text, 'payout-released'::text])), false);

CREATE OR REPLACE FUNCTION private.is_open_account(p_deleted_at timestamp with time zone, p_banned_until timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((p_deleted_at IS NULL) AND COALESCE((p_banned_until <= now()), true));

CREATE OR REPLACE FUNCTION private.is_paused(p_seat private.seats)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.suspensions where user_id in (p_seat.owner_id, p_seat.member_id) and resumed_at is null);
end $function$;

CREATE OR REPLACE FUNCTION private.is_suspended(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.suspensions where user_id = p_user_id and lifted_at is null and until > private.now());
end $function$;

CREATE OR REPLACE FUNCTION private.join_waiting_list(p_subscription_id text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  -- One person's attempts take turns here, so that nobody exceeds the limit.
  perform private.spend_attempt('waiting list');
  perform private.expire_join_requests();
  select * into v_plan from public.shared_subscriptions as p
  where p.id = p_subscription_id and private.may_find(p) for no key update;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  perform private.require_reachable(v_plan.owner_id, 'This plan takes no new members right now');
  perform private.require_offered(v_plan.provider);
  if private.is_plan_member(v_plan.id) then
    raise exception 'Already a Member' using errcode = '23505';
  elsif exists (
    select from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r)
  ) then
    raise exception 'Request Already Sent' using errcode = '23505';
  elsif exists (select from public.waiting_list where subscription_id = v_plan.id and user_id = v_user) then
    raise exception 'Already on the Waiting List' using errcode = '23505';
  elsif (select count(*) from public.waiting_list where user_id = v_user) >= private.most_waiting_lists() then
    raise exception 'You can be on up to % waiting lists. Leave one first.', private.most_waiting_lists() using errcode = '23514';
  elsif private.open_slots(v_plan, private.email_of(v_user)) > 0 then
    raise exception 'This plan has a free place. Ask for it instead.' using errcode = '23514';
  end if;
  insert into public.waiting_list (subscription_id, user_id) values (v_plan.id, v_user);
  return (select line."position" from private.line_of(v_plan.id) as line where line.user_id = v_user);
end $function$;

CREATE OR REPLACE FUNCTION private.keep_beat()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_gap interval := coalesce(now() - (select beat_at from private.clock), '1 minute');
begin
  -- A beat in the future was recorded before the clock was set back.
  if v_gap between '0' and '10 seconds' then return; end if;
  if v_gap <= private.longest_gap() then
    perform from private.clock for update skip locked;
    if found then
      update private.clock set beat_at = now();
    end if;
    return;
  end if;
  select now() - beat_at into v_gap from private.clock for update;
  if v_gap <= private.longest_gap() then return; end if;
  update private.clock set beat_at = now();
  -- Plans first, because whoever holds one may wait for any of these rows or for its seats.
  perform from public.shared_subscriptions where id in (
    select subscription_id from public.subscription_requests where status = 'pending' and not expired
    union all select subscription_id from public.subscription_invitations where expires_at > now() - v_gap
    union all select subscription_id from public.waiting_list where offered_until > now() - v_gap
  ) order by id for no key update;
  -- A request made during the gap gets no more than its full time.
  update public.subscription_requests set requested_at = least(requested_at + v_gap, now()) where status = 'pending' and not expired;
  update public.subscription_invitations set expires_at = expires_at + v_gap
  where accepted_at is null and declined_at is null and withdrawn_at is null and expires_at > now() - v_gap;
  update public.waiting_list set offered_until = offered_until + v_gap where offered_until > now() - v_gap;
  update public.conversations set question_until = question_until + v_gap where question_until > now() - v_gap;
  perform from private.seats where next_at is not null or ended_at is null order by id for update;
  update private.returned_payments set due_at = due_at + v_gap where decided_at is null;
  update private.suspensions set ends_places_at = ends_places_at + v_gap where lifted_at is null and ended_places_at is null;
  perform private.move_deadlines(v_gap);
  update private.seats set next_at = private.now()
  where access_due_at is not null and ended_at is null
    or id in (select seat_id from public.member_payments where status in ('due', 'charging', 'processing', 'needs-action', 'failed'))
    or id in (select seat_id from public.seat_problems where status <> 'closed');
end $function$;

CREATE OR REPLACE FUNCTION private.list_returned_payments()
 RETURNS TABLE(payment_id uuid, plan_name text, amount numeric, owner_id uuid, owner_name text, member_id uuid, member_name text, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query
    select m.id, m.plan_name, m.card, m.owner_id, owner.display_name, m.member_id, member.display_name, r.due_at
    from private.returned_payments as r join public.member_payments as m on m.id = r.payment_id
    join private.seats as s on s.id = r.seat_id and s.ended_at is null
    join public.user_profiles as owner on owner.user_id = m.owner_id join public.user_profiles as member on member.user_id = m.member_id
    where r.decided_at is null order by r.due_at, m.id;
end $function$;

CREATE OR REPLACE FUNCTION private.living_push_devices(p_user_id uuid)
 RETURNS SETOF private.push_devices
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select d.* from private.push_devices as d
    join auth.sessions as s on s.id = d.session_id and s.user_id = d.user_id
    join auth.users as u on u.id = d.user_id
    where d.user_id = p_user_id and coalesce(s.not_after > now(), true)
      and private.is_open_account(u.deleted_at, u.banned_until);
end $function$;

CREATE OR REPLACE FUNCTION private.living_token(p_token_hash text)
 RETURNS private.api_tokens
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_token private.api_tokens;
begin
  select t.* into v_token from private.api_tokens as t join auth.users as u on u.id = t.user_id
  where t.token_hash = p_token_hash and t.expires_at > clock_timestamp()
    and private.is_open_account(u.deleted_at, u.banned_until);
  if not found then
    raise exception 'This token is unknown or has expired' using errcode = 'PT401';
  end if;
  return v_token;
end $function$;

CREATE OR REPLACE FUNCTION private.longest_ground()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 300;

CREATE OR REPLACE FUNCTION private.longest_hold()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '180 days'::interval;

CREATE OR REPLACE FUNCTION private.mail_notifications(p_mailings private.mailing[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
begin
  insert into private.unsubscribe_links (user_id)
  select distinct n.user_id from unnest(p_mailings) as m
  cross join lateral (select * from public.user_notifications where id = m.id offset 0) as n
  where not private.is_always_mailed(n.event) and not exists (select from private.unsubscribe_links as l where l.user_id = n.user_id)
  on conflict (user_id) do nothing;
  insert into private.outgoing_mail (recipient, subject, about, unsubscribe_path, next_attempt_at, event, params, reader_id, parts)
  select u.email, private.mail_subject(n.message), case when always then m.about else m.id::text || m.about end,
    case when not always then '/unsubscribe/' || l.token end,
    clock_timestamp() + case when always then interval '0' else interval '10 minutes' end, n.event, n.params, n.user_id, jsonb_build_object(
      'heading', n.title,
      'sentences', jsonb_build_array(n.message),
      'action', m.action,
      'path', m.path,
      'small_print', 'You can also find this in your Potluck notifications.',
      'closing', case when n.event = 'contract-withdrawn' then 'You always get this email after a withdrawal.'
        when n.event = 'contract-made' then 'You always get this email after the first payment for a place.'
        when n.event in ('you-are-suspended', 'you-are-back') then 'You always get this email when your account is suspended.'
        when n.event in ('payout-held', 'payout-released') then 'You always get this email when payouts are held.'
        when always then 'You always get this email before a charge.'
        else 'You get this email because you hadn’t read it on Potluck yet.' end)
  from unnest(p_mailings) with ordinality as m (id, about, action, path, place)
  cross join lateral (select * from public.user_notifications where id = m.id offset 0) as n
  cross join lateral (select email from auth.users where id = n.user_id offset 0) as u
  left join lateral (select token from private.unsubscribe_links where user_id = n.user_id offset 0) as l on true
  cross join lateral private.is_always_mailed(n.event) as always
  where private.is_mailable(u.email) and (always or private.wants(n.user_id, private.topic_of(n.event), 'mail'))
  order by m.place;
end $function$;

CREATE OR REPLACE FUNCTION private.move_deadlines(p_by interval, p_seat_ids uuid[] DEFAULT NULL::uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.member_payments set due_at = due_at + p_by, next_attempt_at = next_attempt_at + p_by
  where status in ('due', 'charging', 'processing', 'needs-action', 'failed') and (p_seat_ids is null or seat_id = any (p_seat_ids));
  update public.seat_problems set due_at = due_at + p_by where status <> 'closed' and (p_seat_ids is null or seat_id = any (p_seat_ids));
  update private.seats set access_due_at = access_due_at + p_by
  where access_due_at is not null and ended_at is null and (p_seat_ids is null or id = any (p_seat_ids));
end $function$;

CREATE OR REPLACE FUNCTION private.moving_refusal(p_user_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_until timestamptz := private.withdrawals_wait_until(p_user_id);
begin
  return case when private.hold_refusal(p_user_id) is not null then private.hold_refusal(p_user_id)
    when v_until = 'infinity' then 'A payment to you is disputed, so your coins wait until that’s settled'
    when v_until > private.now() then format('Your coins wait until %s, as a bank may take back the first payments to you',
      to_char(v_until, 'FMDD FMMonth YYYY')) end;
end $function$;

CREATE OR REPLACE FUNCTION private.my_seats()
 RETURNS TABLE(id uuid, subscription_id text, provider text, plan_name text, owner_id uuid, owner_name text, settlement text, billing_cycle text, share numeric, coins_first boolean, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, may_stay boolean, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, withdraw_until timestamp with time zone, begins_at_once_at timestamp with time zone, back_now numeric, paused_until timestamp with time zone, pause_ends_place boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.subscription_id, s.provider, s.plan_name, s.owner_id, p.display_name, s.settlement, s.billing_cycle, s.share,
      s.coins_first, s.status, s.opened_at,
      (select max(m.ends_at) from public.member_payments as m where m.seat_id = s.id and m.status in ('paid', 'closed')),
      s.ends_at, s.ended_at, s.end_reason, s.ended_at is null and s.ends_at is not null and s.ended_by = v_user,
      s.admitted_at, s.access_given_at, s.access_due_at, s.invited_address, private.access_works(s),
      private.open_problem(s.id), private.owed_back(s.id),
      contract.until, s.begins_at_once_at, case when contract.until is not null then private.back_on_withdrawal(s) end,
      pause.until, pause.ends_place
    from private.seats as s cross join lateral private.pause_of(s) as pause join public.user_profiles as p on p.user_id = s.owner_id
    cross join lateral (select case when private.may_withdraw(s) then private.withdrawable_until(s) end) as contract (until)
    where s.member_id = v_user order by s.opened_at desc, s.id;
end $function$;

CREATE OR REPLACE FUNCTION private.my_tasks()
 RETURNS TABLE(kind text, id uuid, subscription_id text, provider text, plan text, person_id uuid, amount numeric, due_at timestamp with time zone, lost_at timestamp with time zone, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
  with task as (
    select 'answer-request' as kind, r.id, p.id as subscription_id, p.provider, p.provider || ' ' || p.name as plan,
      r.user_id as person_id, null::numeric as amount,
      r.requested_at + private.request_lifetime() + private.unnoticed_gap() as due_at, r.requested_at as since
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = v_user and private.is_open_request(r)
    union all
    select 'await-answer', r.id, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null,
      r.requested_at + private.request_lifetime() + private.unnoticed_gap(), r.requested_at
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.user_id = v_user and private.is_open_request(r)
    union all
    select case when s.owner_id = v_user then 'give-access' when s.access_due_at is not null then 'await-access' else 'check-access' end,
      s.id, s.subscription_id, s.provider, s.provider || ' ' || s.plan_name,
      case s.owner_id when v_user then s.member_id else s.owner_id end,
      case when s.access_due_at is not null then (
        select sum(case m.owner_id when v_user then m.share else m.amount end) from public.member_payments as m
        where m.seat_id = s.id and m.status = 'paid') end,
      coalesce(s.access_due_at, greatest(s.access_given_at, s.admitted_at) + private.access_silence()),
      coalesce(s.access_given_at, s.admitted_at)
    from private.seats as s
    where v_user in (s.owner_id, s.member_id) and s.ended_at is null and s.admitted_at is not null and not private.is_paused(s)
      and (s.access_due_at is not null or s.member_id = v_user
        and s.access_given_at is not null and not private.access_works(s) and not private.has_open_problem(s.id))
    union all
    select case when m.status = 'claimed' then case when m.owner_id = v_user then 'confirm-payment' else 'await-confirmation' end
        when m.status = 'needs-action' then 'confirm-card' when m.status = 'failed' then 'mend-payment'
        when m.note is not null then 'pay-again' else 'pay' end,
      m.id, m.subscription_id, s.provider, m.plan_name, case m.owner_id when v_user then m.member_id else m.owner_id end, m.amount,
      case when m.status = 'due' then m.due_at
        -- A renewal is tried again before its place ends, a first payment is not.
        when m.status <> 'claimed' then case when m.number > 1 then greatest(private.last_renewal_retry(m.due_at), m.next_attempt_at) else m.next_attempt_at end end,
      coalesce(m.claimed_at, m.due_at)
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    where v_user in (m.owner_id, m.member_id) and m.settlement = 'direct' and m.status = 'claimed'
      or m.member_id = v_user and (m.status in ('needs-action', 'failed') and not private.is_paused(s)
        or m.settlement = 'direct' and m.status = 'due' and m.due_at <= private.now() and private.says_how_to_pay(m.owner_id))
    union all
    select case b.status when 'owner' then 'answer-problem' else 'check-fix' end, b.id, b.subscription_id, s.provider, b.plan_name,
      case b.owner_id when v_user then b.member_id else b.owner_id end, null, b.due_at, b.reported_at
    from public.seat_problems as b join private.seats as s on s.id = b.seat_id
    where b.owner_id = v_user and b.status = 'owner' or b.member_id = v_user and b.status = 'member'
    union all
    select 'change-password', null, p.id, p.provider, p.provider || ' ' || p.name, null, null, null, due.since
    from private.passwords_due() as due join public.shared_subscriptions as p on p.id = due.subscription_id
    union all
    select 'answer-terms', t.id, t.subscription_id, s.provider, s.provider || ' ' || s.plan_name, t.owner_id, t.share, null, t.proposed_at
    from public.term_proposals as t join private.seats as s on s.id = t.seat_id
    where t.member_id = v_user and t.answered_at is null and s.ended_at is null
    union all
    select 'say-how-to-pay', null, null, null, null, null, null, null, min(s.opened_at) from private.seats as s
    where s.owner_id = v_user and s.ended_at is null and s.settlement = 'direct'
      and not exists (select from public.payment_wishes as w where w.user_id = v_user)
    having count(*) > 0
    union all
    select 'take-place', null, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null, w.offered_until, w.joined_at
    from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
    where w.user_id = v_user and w.offered_until > now()
    union all
    select 'answer-invitation', i.id, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null,
      i.expires_at + private.unnoticed_gap(), i.created_at
    from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
    where i.email = private.my_email() and private.invitation_status(i) = 'open' and p.status = 'active'
      and not private.is_plan_member(p.id) and not private.is_suspended(p.owner_id)
  )
  select t.kind, t.id, t.subscription_id, t.provider, t.plan, t.person_id, t.amount, t.due_at,
    case when t.kind in ('pay', 'pay-again') then t.due_at + private.direct_patience() else t.due_at end, t.since
  from task as t;
end $function$;

CREATE OR REPLACE FUNCTION private.next_payments(p_seat private.seats)
 RETURNS TABLE(share numeric, amount numeric, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select next.share, next.amount, next.due_at
    from (select * from public.member_payments as m where m.seat_id = p_seat.id order by m.number desc limit 1) as last
    cross join lateral private.period_price(p_seat.settlement, p_seat.billing_cycle, p_seat.share, p_seat.fee_rate, last.number + 1) as price
    cross join lateral (
      select last.share, last.amount, last.due_at where last.status in ('due', 'charging')
      union all
      select price.share, price.share + price.fee, last.ends_at where last.status in ('due', 'claimed', 'processing', 'paid') and p_seat.ends_at is null
    ) as next (share, amount, due_at)
    where p_seat.ended_at is null and next.due_at > private.now() and next.amount > 0 and not private.has_open_problem(p_seat.id)
      and not private.is_paused(p_seat) and not private.awaits_refund_decision(p_seat.id);
end $function$;

CREATE OR REPLACE FUNCTION private.next_steps(p_seat_ids uuid[])
 RETURNS TABLE(seat_id uuid, at timestamp with time zone, step text, period_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  return query
  select given.id, case when paused.yet then paused.until else coalesce(problem.due_at, returned.due_at, next.at) end,
    case when paused.yet then 'suspended' when problem.id is not null then 'problem' when returned.id is not null then 'returned' else next.step end,
    coalesce(problem.id, returned.id, next.id)
  from unnest(p_seat_ids) as given (id)
  cross join lateral (
    select count(*) > 0, min(x.ends_places_at) filter (where x.lifted_at is null and x.until > private.now())
    from private.seats as s join private.suspensions as x on x.user_id in (s.owner_id, s.member_id) and x.resumed_at is null
    where s.id = given.id and s.ended_at is null
  ) as paused (yet, until)
  left join lateral (
    select p.id, p.due_at from public.seat_problems as p where p.seat_id = given.id and p.status <> 'closed' limit 1
  ) as problem on true
  left join lateral (
    select r.payment_id as id, r.due_at from private.returned_payments as r join private.seats as s on s.id = r.seat_id and s.ended_at is null
    where r.seat_id = given.id and r.decided_at is null limit 1
  ) as returned on true
  left join lateral (
    with newest as (select * from public.member_payments where seat_id = given.id order by number desc limit 1),
    open as (
      select * from public.member_payments
      where seat_id = given.id and status in ('due', 'claimed', 'charging', 'processing', 'needs-action', 'failed', 'paid')
    )
    select todo.at, todo.step, todo.id from (
      -- The period is over: the seat ends with it, or the next one begins.
      select n.ends_at, 'turn', n.id from newest as n
      where n.ends_at is not null and (n.settlement = 'direct' or n.status in ('paid', 'closed', 'given-back', 'cancelled'))
      union all
      select coalesce(o.earned_until, o.starts_at) + private.earning_step(), 'earn', o.id from open as o
      where o.settlement = 'potluck' and o.status = 'paid' and coalesce(o.earned_until, o.starts_at) + private.earning_step() < o.ends_at
      union all
      select n.ends_at - private.renewal_notice(), 'announce', n.id from newest as n, private.seats as s
      where s.id = given.id and s.settlement = 'potluck' and s.ends_at is null and n.status = 'paid' and n.announced_at is null
      union all
      -- A first payment keeps its place for a while; a renewal is retried; without another attempt the seat ends.
      select coalesce(o.next_attempt_at, o.created_at), case when o.status in ('charging', 'processing') or (o.status = 'due' and o.number > 1) then 'undecided'
        when o.number = 1 or o.next_attempt_at is null then 'release' else 'retry' end, o.id from open as o
      where o.settlement = 'potluck' and o.status in ('due', 'charging', 'processing', 'needs-action', 'failed')
      union all
      -- Paid, but no access yet.
      select case when s.access_reminded then s.access_due_at else s.access_due_at - private.access_reminder() end,
        case when s.access_reminded then 'no-access' else 'remind-access' end, o.id
      from private.seats as s join open as o on o.seat_id = s.id
      where s.id = given.id and s.access_given_at is null
      union all
      select o.due_at + (private.direct_reminders())[o.reminders + 1], 'remind', o.id from open as o
      where o.settlement = 'direct' and o.status = 'due' and o.reminders < cardinality(private.direct_reminders())
        and private.says_how_to_pay(o.owner_id)
    ) as todo (at, step, id)
    where todo.at is not null and exists (select from private.seats where id = given.id and ended_at is null)
    order by todo.at, todo.step = 'turn' limit 1
  ) as next on problem.id is null;
end $function$;

CREATE OR REPLACE FUNCTION private.offer_places(p_subscription_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions;
  v_next record;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found or v_plan.status <> 'active' or private.is_suspended(v_plan.owner_id)
    or (select beat_at from private.clock) < now() - private.longest_gap() then return; end if;
  for v_next in
    delete from public.waiting_list where subscription_id = v_plan.id and offered_until <= now() returning user_id
  loop
    perform private.notify(v_next.user_id, 'info', 'Offer Lapsed',
      format('You didn’t take the place in %s %s within %s hours, so it’s no longer kept for you.',
        v_plan.provider, v_plan.name, private.hours(private.offer_lifetime())),
      v_plan.id, 'offer-lapsed', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name,
        'hours', private.hours(private.offer_lifetime())));
  end loop;
  for v_next in
    select line.id, line.user_id from private.line_of(v_plan.id) as line
    where line.offered_until is null and not private.is_suspended(line.user_id)
    order by line."position"
    limit greatest(0, v_plan.owner_max_members - v_plan.current_members - private.reserved_places(v_plan.id))
  loop
    update public.waiting_list set offered_until = now() + private.offer_lifetime() where id = v_next.id;
    perform private.mail_notification(private.notify(v_next.user_id, 'success', 'Place Offered',
      format('A place in %s %s is free. We’re keeping it for you for %s hours.',
        v_plan.provider, v_plan.name, private.hours(private.offer_lifetime())),
      v_plan.id, 'place-offered', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name,
        'hours', private.hours(private.offer_lifetime()))),
      array[v_next.id::text, v_plan.id], 'See the place', '/subscription/' || v_plan.id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.pause_of(p_seat private.seats, OUT until timestamp with time zone, OUT ends_place boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select min(least(x.until, x.ends_places_at)), bool_or(x.until > x.ends_places_at) into until, ends_place from private.suspensions as x
  where x.user_id in (p_seat.owner_id, p_seat.member_id) and x.lifted_at is null and x.until > private.now() and p_seat.ended_at is null;
end $function$;

CREATE OR REPLACE FUNCTION private.pay_out_suspended()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.pays_directly(p_owner_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return not private.is_suspended(p_owner_id) and exists (
    select from private.seats
    where owner_id = p_owner_id and member_id = (select auth.uid()) and ended_at is null and (settlement = 'direct'
      or exists (select from public.member_payments as m where m.seat_id = seats.id and m.settlement = 'direct' and m.status in ('due', 'claimed')))
  );
end $function$;

CREATE OR REPLACE FUNCTION private.people_apart()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := auth.uid();
begin
  return array(
    select case user_id when v_user then blocked_id else user_id end from public.blocked_people where v_user in (user_id, blocked_id)
    union all
    select suspended from unnest(private.suspended_people()) as suspended where suspended is distinct from v_user
  );
end $function$;

CREATE OR REPLACE FUNCTION private.period_failed(p_period uuid, p_code text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_next timestamptz;
  v_until timestamptz;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.status not in ('due', 'charging', 'processing', 'needs-action', 'failed') then return; end if;
  perform private.let_go(p_period);
  if v_period.number > 1 then
    select coalesce(min(v_period.due_at + wait),
      case when v_period.status = 'processing' and v_period.attempts = 0 then private.now() + private.mending_time() end)
    into v_next from unnest(private.renewal_retries()) as wait where v_period.due_at + wait > private.now();
  elsif v_period.status = 'processing' and v_period.attempts > 0 then
    v_next := null;
  elsif v_period.attempts > 0 then
    v_next := greatest(v_period.next_attempt_at, private.now());
    -- It has been undecided all the time.
    if p_code = 'undecided' and v_next = private.now() then v_next := null; end if;
  elsif not exists (
    select from private.seats where subscription_id = v_seat.subscription_id and member_id = v_seat.member_id
      and end_reason = 'unpaid' and ended_at > private.now() - private.mending_pause()
  ) then
    v_next := private.now() + private.mending_time();
  end if;
  update public.member_payments set status = case p_code when 'needs-action' then 'needs-action' else 'failed' end,
    attempts = attempts + 1, next_attempt_at = v_next, claimed_at = null where id = p_period;
  if v_seat.admitted_at is not null then
    update private.seats set late_since = coalesce(late_since, private.now()) where id = v_seat.id;
  end if;
  perform private.wake_seat(v_seat.id);
  -- Due work ends the seat, because it locks membership and plan first. A paused seat has no deadline.
  if v_next is null or private.is_paused(v_seat) then return; end if;
  v_until := v_next;
  if v_period.number > 1 and (p_code = 'undecided' or private.is_refused_for_good(p_code)) then
    v_until := greatest(v_next, private.last_renewal_retry(v_period.due_at));
  end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning',
    case p_code when 'needs-action' then 'payment-needs-action' else 'payment-failed' end,
    case p_code when 'needs-action' then 'Payment Needs Your Confirmation' when 'undecided' then 'Payment Not Made Yet' else 'Payment Failed' end,
    format(case
      when p_code = 'undecided' then 'We couldn’t take your payment for %s yet. It’s not your card’s fault, and we’ll try again. Your place is kept until %s UTC'
        || case v_period.number when 1 then '.' else '. Your access is closed until then.' end
      when private.is_refused_for_good(p_code) then 'Your payment for %s failed because your bank refuses this card. Pay with another card by %s UTC'
        || case v_period.number when 1 then ' to keep your place.' else '. Your access is closed until then.' end
      when v_period.number = 1 then 'Your payment for %s failed. Confirm it or pay with another card by %s UTC to keep your place.'
      else 'Your payment for %s failed, so your access is closed. We’ll try again on %s UTC, or pay with another card now.' end,
      v_period.plan_name, to_char(v_until at time zone 'utc', 'FMDD FMMonth, HH24:MI')),
    jsonb_build_object('payment', p_period, 'amount', v_period.amount, 'until', v_until, 'code', p_code, 'number', v_period.number,
      'why', case when p_code = 'undecided' then 'undecided' when private.is_refused_for_good(p_code) then 'refused' else 'declined' end
        || case v_period.number when 1 then '-first' else '' end));
end $function$;

CREATE OR REPLACE FUNCTION private.places_for_others(p_plan public.shared_subscriptions, p_email text)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION private.plan_seats(p_subscription_id text)
 RETURNS TABLE(id uuid, member_id uuid, member_name text, avatar_url text, settlement text, billing_cycle text, share numeric, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, unpaid_since timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, held numeric, earned numeric, next_release timestamp with time zone, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, unused numeric, paused_until timestamp with time zone, pause_ends_place boolean)
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
      private.open_problem(s.id), private.owed_back(s.id), private.unused_by(s), pause.until, pause.ends_place
    from private.seats as s cross join lateral private.pause_of(s) as pause join public.user_profiles as p on p.user_id = s.member_id
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

CREATE OR REPLACE FUNCTION private.precedence_of(p_user_id uuid)
 RETURNS TABLE(seat_id uuid, subscription_id text, catalogue_plan_id text, provider text, plan_name text, owner_id uuid, until timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.id, s.subscription_id, s.catalogue_plan_id, s.provider, s.plan_name, s.owner_id, lost.at + private.precedence_time()
  from private.seats as s
  cross join lateral (
    select max(greatest(s.ended_at, p.closed_at)) as at
    from (values (s.end_reason = 'cancelled' or s.end_reason = 'suspended' and private.was_suspended(s.owner_id, s.ended_at)))
      as plan (is_cancelled)
    left join public.seat_problems as p on p.seat_id = s.id and p.fault = 'owner'
    where plan.is_cancelled or p.id is not null
  ) as lost
  cross join lateral (
    select sum(last.at - m.starts_at - private.time_without_access(m, last.at, null)) as time
    from public.member_payments as m cross join lateral (select least(m.ends_at, s.ended_at)) as last (at)
    where m.seat_id = s.id and m.status in ('claimed', 'paid', 'closed') and m.share > 0 and m.starts_at < last.at
  ) as paid
  where s.member_id = p_user_id and s.ended_at is not null
    and lost.at + private.precedence_time() > private.now() and paid.time >= private.precedence_after()
$function$;

CREATE OR REPLACE FUNCTION private.record_refund(p_refund text, p_reference text, p_status text, p_reason text, p_intent text DEFAULT NULL::text, p_amount numeric DEFAULT NULL::numeric)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_refund private.refunds;
  v_period public.member_payments;
  v_seat private.seats;
  v_account bigint;
  v_payment uuid;
  v_rest numeric;
begin
  select * into v_refund from private.refunds where id::text = p_refund or reference = p_reference;
  if not found then
    select payment_id into v_payment from private.charges where intent = p_intent;
    if v_payment is null then return false; end if;
    if p_reference is null or p_status = 'failed' then return true; end if;
    perform private.adopt_refund(v_payment, p_reference, p_amount);
    select * into v_refund from private.refunds where reference = p_reference;
  end if;
  v_seat := private.lock_place((select seat_id from public.member_payments where id = v_refund.payment_id));
  perform private.lock_held_money(array[v_seat.id], '{outside,refunds_due,fees,guarantee}');
  select * into v_refund from private.refunds where id = v_refund.id for update;
  select * into v_period from public.member_payments where id = v_refund.payment_id;
  if p_status = 'failed' and v_refund.status <> 'failed' and v_refund.created_at > clock_timestamp() - private.refund_patience()
    and (private.refusal_may_pass(p_reason) or (p_reference is null and p_amount <> v_refund.amount)) then
    -- It stays in the queue; one that was made in vain is made anew.
    update private.refunds set reason = p_reason, reference = coalesce(reference, p_reference),
      status = case when p_reference is null then status else 'failed' end where id = v_refund.id;
    if p_reference is not null then
      -- It has left the provider's account and come back, whatever was heard of that.
      perform private.transfer('refund:' || v_refund.id, private.ledger_account('refunds_due'), private.ledger_account('outside'),
        v_refund.amount, 'refund-sent', v_period.seat_id, v_period.id, v_period.plan_name);
      perform private.transfer('refund-failed:' || v_refund.id, private.ledger_account('outside'), private.ledger_account('refunds_due'),
        v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
      perform private.queue_refund(v_period.id, v_refund.amount, v_refund.created_at);
    end if;
    return true;
  elsif p_status <> 'failed' and v_refund.status in ('queued', 'pending') and p_amount > v_refund.amount then
    -- A part of it was taken for another that was made by hand.
    v_rest := p_amount - v_refund.amount;
    update private.refunds set amount = p_amount where id = v_refund.id returning * into v_refund;
    perform private.take_returned(v_period.id, v_refund.id, p_reference, v_rest);
  end if;
  update private.refunds set reference = coalesce(reference, p_reference), reason = p_reason,
    status = case when status = 'failed' or (status = 'succeeded' and p_status <> 'failed') then status else p_status end
  where id = v_refund.id;
  if p_status = 'succeeded' and v_refund.status in ('queued', 'pending') then
    perform private.transfer('refund:' || v_refund.id, private.ledger_account('refunds_due'), private.ledger_account('outside'),
      v_refund.amount, 'refund-sent', v_period.seat_id, v_period.id, v_period.plan_name);
    perform private.book_returned_twice(v_refund, v_period);
  elsif p_status = 'failed' and v_refund.status <> 'failed' then
    v_account := private.ledger_account(case v_refund.status when 'succeeded' then 'outside' else 'refunds_due' end);
    v_refund.amount := v_refund.amount - private.leave_to_dispute(v_refund, v_account, v_period);
    if v_refund.amount > 0 and p_reason = 'charge_already_refunded' then
      perform private.transfer('refund-failed:' || v_refund.id, v_account, private.ledger_account('guarantee'),
        v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
    elsif v_refund.amount > 0 then
      perform private.transfer('refund-failed:' || v_refund.id, v_account, private.ledger_account('wallet', v_period.member_id),
        v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
      perform private.tell_seat(v_seat, v_period.member_id, 'warning', 'refund-to-wallet', 'Refund In Your Wallet',
        format('We couldn’t refund %s for %s to your card, so it’s in your wallet.', private.euros(v_refund.amount), v_period.plan_name),
        jsonb_build_object('amount', v_refund.amount));
    end if;
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.release_payouts(p_person_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_hold private.payout_holds;
begin
  select * into v_hold from private.payout_holds where user_id = p_person_id and released_at is null for update;
  if p_person_id = v_user then
    raise exception 'Someone else decides on your own withdrawal' using errcode = '42501';
  elsif v_hold.id is null then
    raise exception 'Payouts to this person are not held' using errcode = '23514';
  end if;
  perform private.log_staff('payouts released', p_person_id::text, '{}');
  perform private.end_hold(v_hold);
end $function$;

CREATE OR REPLACE FUNCTION private.requeue_account_transfers(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.queue_account_job('transfer', id) from private.account_transfers where user_id = p_user_id and status = 'queued';
end $function$;

CREATE OR REPLACE FUNCTION private.require_reachable(p_other uuid, p_refusal text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_unblocked(p_other, p_refusal);
  if private.is_suspended(p_other) then
    raise exception '%', p_refusal using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.returned_payment_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '72:00:00'::interval;

CREATE OR REPLACE FUNCTION private.run_due_work(p_limit integer DEFAULT 100)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := private.now();
  v_due uuid[];
  v_ids uuid[];
  v_id uuid;
begin
  perform private.keep_beat();
  perform private.follow_suspensions();
  perform private.expire_join_requests();
  perform private.tell_expiring_requests();
  perform private.close_questions();
  perform private.free_kept_places();
  perform private.tell_seekers();
  perform private.tell_of_failing_jobs();
  perform private.remind_of_disputes();
  -- Only as many as several workers take at once: every other way to write this grows with all that is due.
  v_due := array(select id from private.seats where next_at <= v_now order by next_at limit 4 * p_limit);
  -- With membership and plan, which are locked first to end a seat.
  v_ids := array(
    select s.id from unnest(v_due) with ordinality as due (id, place)
    join private.seats as s on s.id = due.id
    join public.subscription_members as m on m.subscription_id = s.subscription_id and m.user_id = s.member_id
    join public.shared_subscriptions as p on p.id = s.subscription_id
    where s.next_at <= v_now order by place limit p_limit
    for update of s, m skip locked for no key update of p skip locked
  ) || array(
    -- Ended seats have neither, only a problem that outlived them.
    select id from private.seats where id = any (v_due) and next_at <= v_now and ended_at is not null limit p_limit
    for update skip locked
  );
  begin
    perform private.catch_up_all(v_ids);
  exception when others then
    -- One failed: do each by itself, again locking all accounts before the first.
    perform private.lock_held_money(v_ids);
    foreach v_id in array v_ids loop
      begin
        perform private.catch_up_all(array[v_id]);
      exception when others then
        update private.seats set failures = failures + 1, last_error = left(sqlerrm, 500),
          next_at = private.now() + least(interval '6 hours', interval '1 minute' * power(4, least(failures, 10)))
        where id = v_id;
        raise warning 'Seat %: %', v_id, sqlerrm;
      end;
    end loop;
  end;
  return cardinality(v_ids);
end $function$;

CREATE OR REPLACE FUNCTION private.says_how_to_pay(p_owner_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.payment_wishes where user_id = p_owner_id) and not private.is_suspended(p_owner_id);
end $function$;

CREATE OR REPLACE FUNCTION private.settle_seat(p_seat_id uuid, p_reason text, p_by uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat(p_seat_id);
  v_period public.member_payments;
  v_lost_from timestamptz;
begin
  if v_seat.ended_at is not null then return; end if;
  perform private.lock_held_money(array[v_seat.id]);
  -- First, so that nothing triggered below finds a living seat.
  update private.seats set ended_at = private.now(), ended_by = p_by, end_reason = p_reason, next_at = null where id = v_seat.id;
  if p_reason in ('removed', 'cancelled') or p_reason = 'suspended' and private.is_suspended(v_seat.owner_id) then
    perform private.forfeit_problem(v_seat.id);
  end if;
  if p_reason in ('removed', 'cancelled') then
    v_lost_from := private.now();
  end if;
  for v_period in
    select * from public.member_payments where seat_id = v_seat.id
      and status in ('due', 'claimed', 'charging', 'processing', 'needs-action', 'failed', 'paid') order by number
  loop
    if v_period.status not in ('claimed', 'paid') then
      perform private.let_go(v_period.id);
      update public.member_payments set status = 'cancelled', next_attempt_at = null, closed_at = private.now() where id = v_period.id;
      -- An open charge is closed at the provider, or refunded.
      perform private.queue_payment_job('charge', payment_id::text, provider) from private.charges
      where payment_id = v_period.id and status in ('needs-action', 'processing');
    elsif not private.has_open_problem(v_seat.id) then
      perform private.close_period(v_period.id, v_lost_from);
    end if;
  end loop;
  perform private.wake_seat(v_seat.id);
  perform private.tell_precedence(v_seat);
  if p_reason <> 'cancelled' and not private.is_suspended(v_seat.owner_id) then
    perform private.ask_for_new_password(v_seat);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.staff_person_account(p_person_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', u.id, 'avatarUrl', profile.avatar_url, 'since', coalesce(u.created_at, 'epoch'), 'endedAt', u.deleted_at,
    'name', coalesce(profile.display_name, case when private.may('users.view') then nullif(split_part(u.email, '@', 1), '') end, 'Unknown'),
    'email', case when private.may('users.edit') then u.email end,
    'role', case when private.may('users.view') then held.role end,
    'suspendedUntil', case when private.may('users.view') and u.banned_until > now() then u.banned_until end,
    -- When their places end unless that is lifted, or when they did.
    'suspension', case when private.may('users.view') then (
      select jsonb_build_object('since', s.since, 'endsPlacesAt', s.ends_places_at, 'endedPlacesAt', s.ended_places_at)
      from private.suspensions as s where s.user_id = u.id and s.lifted_at is null and s.until > private.now()) end)
  from auth.users as u left join public.user_profiles as profile on profile.user_id = u.id
  left join public.user_roles as held on held.user_id = u.id
  where u.id = p_person_id
$function$;

CREATE OR REPLACE FUNCTION private.staff_person_money(p_person_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'balance', coalesce((select w.coin_balance from public.user_wallets as w where w.user_id = p_person_id), 0.00),
    'payouts', private.staff_person_payouts(p_person_id),
    -- Which country decides their VAT, while nobody has said so.
    'countries', (select jsonb_build_array(q.declared, q.card) from private.country_questions as q
      where q.user_id = p_person_id and q.decided is null),
    'hold', (select jsonb_build_object('ground', h.ground, 'until', h.until) from private.payout_holds as h
      where h.user_id = p_person_id and h.released_at is null and h.until > private.now()),
    'moved', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.last desc), '[]') from (
        select t.kind, count(*) as transfers, sum(t.amount) as amount, max(t.created_at) as last
        from private.ledger_transfers as t where t.person_id = p_person_id group by t.kind
      ) as m),
    'withdrawals', (
      select jsonb_build_object('all', count(*), 'waiting', count(*) filter (where w.status in ('pending', 'processing')))
      from public.withdrawal_requests as w where w.user_id = p_person_id),
    'disputes', (
      select jsonb_build_object('all', count(*), 'open', count(*) filter (where d.closed_at is null))
      from public.payment_disputes as d where p_person_id in (d.member_id, d.owner_id)),
    'places', (
      select coalesce(jsonb_agg(jsonb_build_object('seatId', place.seat_id, 'planName', place.plan_name,
        'ownerId', place.owner_id, 'ownerName', owner.display_name, 'settlement', place.settlement, 'amount', place.amount,
        'number', place.number, 'status', place.status, 'payable',
        place.settlement = 'potluck' or private.says_how_to_pay(place.owner_id), 'dueAt', place.due_at, 'returned',
        place.returned_share + place.returned_fee + place.from_guarantee)
        order by place.due_at desc, place.seat_id), '[]')
      from (
        select distinct on (m.seat_id) m.* from public.member_payments as m
        where m.member_id = p_person_id order by m.seat_id, m.number desc
      ) as place join public.user_profiles as owner on owner.user_id = place.owner_id))
  where private.may('users.edit') and private.may_act_as_staff()
$function$;

CREATE OR REPLACE FUNCTION private.start_charge(p_period uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_charge private.charges;
  v_card public.payment_methods;
  v_rest numeric;
  v_before text;
  v_closing jsonb;
begin
  select * into v_period from public.member_payments where id = p_period for update;
  select * into v_charge from private.charges where payment_id = p_period for update;
  v_before := v_charge.status;
  if v_before = 'succeeded' then return null; end if;
  if v_charge.intent is not null and v_before in ('charging', 'processing', 'needs-action') then
    v_closing := jsonb_build_object('period', p_period, 'intent', v_charge.intent, 'isOver', true);
  end if;
  -- What the bank is debiting is decided once it arrives.
  if v_period.status <> 'processing' then v_period := private.unless_past(v_period); end if;
  if v_period.status not in ('due', 'charging', 'processing', 'needs-action', 'failed') then
    update private.charges set status = 'charging' where payment_id = p_period and v_closing is not null;
    return v_closing;
  elsif v_before = 'processing' and v_charge.kind = 'sepa_debit' then
    -- Under way at the bank for days: it is only asked about.
    return jsonb_build_object('period', p_period, 'intent', v_charge.intent, 'isUnderWay', true);
  elsif v_before not in ('charging', 'processing') and (private.has_open_problem(v_period.seat_id)
    or (select private.is_paused(s) from private.seats as s where s.id = v_period.seat_id)) then
    -- No new charge until the problem is closed, or the suspension over.
    return null;
  end if;
  update private.charges set attempts = attempts + 1, status = 'charging' where payment_id = p_period returning * into v_charge;
  update public.member_payments set status = 'charging', next_attempt_at = coalesce(next_attempt_at, private.now() + private.charging_time())
  where id = p_period;
  perform private.wake_seat(v_period.seat_id);
  v_rest := v_period.amount - v_period.coins - v_period.card;
  -- While the last attempt is undecided, the card may have paid already.
  if v_before not in ('charging', 'processing') and v_period.coins = 0
    and (select coins_first from private.seats where id = v_period.seat_id) then
    v_rest := private.take_coins(v_period, format('coins:%s:%s', p_period, v_charge.attempts));
  end if;
  if v_rest <= 0 then
    update private.charges set status = 'queued' where payment_id = p_period and v_closing is null;
    perform private.period_paid(p_period);
    return v_closing;
  end if;
  -- What may be under way already is asked for with the same again, unless its member has just named another.
  v_card := private.method_of(v_period.member_id, v_charge.provider,
    case when v_before in ('charging', 'processing') and not v_charge.on_session then v_charge.tried_id else v_charge.card_id end);
  -- A card refused for good is charged again only for somebody who says so.
  if v_card.id is null or private.has_open_dispute(v_period.member_id) or (v_card.refused and not v_charge.on_session) then
    -- A charge that may still succeed is closed first, and fails after that.
    if v_closing is not null then return v_closing; end if;
    update private.charges set status = 'failed', code = case when v_card.id is null then 'no_card'
      when private.has_open_dispute(v_period.member_id) then 'disputed' else 'do_not_try_again' end
    where payment_id = p_period returning * into v_charge;
    perform private.period_failed(p_period, v_charge.code);
    return null;
  end if;
  update private.charges set card = concat_ws(' ', coalesce(v_card.brand, v_card.kind), v_card.last4), tried_id = v_card.id,
    kind = v_card.kind where payment_id = p_period;
  return private.charge_order(v_charge, v_period, v_rest, v_card.reference);
end $function$;

CREATE OR REPLACE FUNCTION private.start_charges(p_periods uuid[])
 RETURNS SETOF jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Each is looked up by its key: whatever Postgres guesses of what is due, no part grows with the queue.
  return query
  with plain as (
    select m.id, card.id as card_id, concat_ws(' ', coalesce(card.brand, card.kind), card.last4) as name, card.kind, card.reference
    from unnest(p_periods) as given (id)
    cross join lateral (select * from private.charges where payment_id = given.id offset 0) as c
    cross join lateral (select * from public.member_payments where id = given.id offset 0) as m
    cross join lateral (select * from private.seats where id = m.seat_id offset 0) as s
    cross join lateral (
      select * from public.payment_methods where user_id = m.member_id and provider = c.provider
      order by id = c.card_id desc nulls last, chosen_at desc limit 1
    ) as card
    where c.status = 'queued' and c.intent is null and m.status = 'due' and m.ends_at > private.now()
      and m.next_attempt_at is not null and m.coins + m.card = 0 and not s.coins_first and (c.on_session or not card.refused)
      and not private.has_open_problem(s.id) and not private.has_open_dispute(m.member_id)
      and not exists (select from private.suspensions as x where x.user_id in (m.owner_id, m.member_id) and x.resumed_at is null)
  ), period as (
    update public.member_payments as m set status = 'charging' from plain
    where m.id = plain.id returning m as begun, plain.*
  ), charge as (
    update private.charges as c set attempts = c.attempts + 1, status = 'charging', card = period.name, tried_id = period.card_id, kind = period.kind
    from period where c.payment_id = period.id returning c as tried, period.begun, period.reference
  )
  select private.charge_order(tried, begun, (begun).amount, reference) from charge;
end $function$;

CREATE OR REPLACE FUNCTION private.suspended_people()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return array(select user_id from private.suspensions where lifted_at is null and until > private.now());
end $function$;

CREATE OR REPLACE FUNCTION private.suspended_since(p_seat private.seats)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select min(since) from private.suspensions
    where (user_id = p_seat.owner_id or user_id = p_seat.member_id and p_seat.settlement = 'potluck')
      and since <= p_seat.ended_at and coalesce(lifted_at, 'infinity') > p_seat.ended_at);
end $function$;

CREATE OR REPLACE FUNCTION private.suspension_params(p_suspension private.suspensions, p_settlement text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('until', least(p_suspension.until, p_suspension.ends_places_at),
    'what', case when p_suspension.until <= p_suspension.ends_places_at then 'passing' else p_settlement end)
$function$;

CREATE OR REPLACE FUNCTION private.suspension_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '72:00:00'::interval;

CREATE OR REPLACE FUNCTION private.take_returned(p_period_id uuid, p_refund_id uuid, p_reference text, p_amount numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_held numeric;
  v_share numeric;
  v_fee numeric;
  v_rest numeric;
  v_part record;
begin
  select * into v_period from public.member_payments where id = p_period_id;
  v_held := case when v_period.status = 'paid'
    then greatest(0, least(p_amount, v_period.card - v_period.returned_share - v_period.returned_fee)) else 0 end;
  v_share := least(v_held, v_period.share - v_period.earned_share - v_period.returned_share);
  v_fee := least(v_held - v_share, v_period.fee - v_period.earned_fee - v_period.returned_fee);
  v_rest := p_amount - v_share - v_fee;
  v_rest := v_rest - private.take_from_account(v_period, v_rest, null, p_refund_id => p_refund_id);
  for v_part in select * from (values ('held_share', v_period.seat_id, v_share), ('held_fee', v_period.seat_id, v_fee),
    ('guarantee', null, v_rest)) as part (kind, owner, amount) where part.amount > 0
  loop
    perform private.transfer(format('by-hand:%s:%s', p_reference, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
      private.ledger_account('refunds_due'), v_part.amount, 'refund', v_period.seat_id, v_period.id, v_period.plan_name);
  end loop;
  update public.member_payments set returned_share = returned_share + v_share, returned_fee = returned_fee + v_fee where id = v_period.id;
  if v_period.status = 'paid' and v_period.returned_share + v_period.returned_fee + v_share + v_fee = v_period.amount then
    update public.member_payments set status = 'given-back', closed_at = private.now() where id = v_period.id;
  end if;
  perform private.ask_about_refund(v_period.id);
  if v_rest > 0 then
    perform private.tell_treasurers('warning', 'Refund Exceeds Held Money',
      format('%s of a payment for %s was refunded at the provider. The guarantee account covers %s, as no more was held.',
        private.euros(p_amount), v_period.plan_name, private.euros(v_rest)),
      'payment-returned-by-hand', jsonb_build_object('plan', v_period.plan_name, 'amount', p_amount, 'rest', v_rest, 'reference', p_reference));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.taken_by_refund(p_period_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select coalesce(sum(t.amount), 0.00) from private.ledger_transfers as t join private.ledger_accounts as a on a.id = t.from_account
    where t.period_id = p_period_id and t.kind = 'refund' and t.key ^@ 'by-hand:' and a.kind in ('held_share', 'connected'));
end $function$;

CREATE OR REPLACE FUNCTION private.tax_figures(p_year integer, p_user_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(user_id uuid, quarter integer, consideration numeric, fee numeric, activities bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_from timestamptz := make_timestamptz(p_year, 1, 1, 0, 0, 0, 'UTC');
  v_until timestamptz := make_timestamptz(p_year + 1, 1, 1, 0, 0, 0, 'UTC');
begin
  return query
    with moved as (
      select a.owner as person, e.created_at as at, e.amount as earned, 0.00 as charged, case t.kind when 'earning' then t.period_id end as period
      from private.ledger_accounts as a
      join private.ledger_entries as e on e.account_id = a.id and e.created_at >= v_from and e.created_at < v_until
      join private.ledger_transfers as t on t.id = e.transfer_id
      where a.kind in ('wallet', 'connected') and (p_user_id is null or a.owner = p_user_id)
        and (t.kind = 'earning' or a.kind = 'connected' and t.kind in ('chargeback', 'chargeback-won', 'refund'))
      union all
      select s.owner_id, e.created_at, 0.00, -e.amount, null
      from private.seats as s join private.ledger_accounts as a on a.kind = 'held_fee' and a.owner = s.id
      join private.ledger_entries as e on e.account_id = a.id and e.created_at >= v_from and e.created_at < v_until
      join private.ledger_transfers as t on t.id = e.transfer_id and t.kind = 'fee'
      where p_user_id is null or s.owner_id = p_user_id
    ), dated as (
      select *, extract(quarter from at at time zone 'utc')::integer as part from moved
    )
    select d.person, d.part, sum(d.earned), sum(d.charged), count(distinct d.period)
    from dated as d group by grouping sets ((d.person, d.part), (d.person));
end $function$;

CREATE OR REPLACE FUNCTION private.tell_hold(p_user_id uuid, p_type text, p_title text, p_message text, p_event text, p_params jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.mail_notification(private.notify(p_user_id, p_type, p_title, p_message, null, p_event, p_params),
    '{}', 'Open your payouts', '/account-settings/money')
$function$;

CREATE OR REPLACE FUNCTION private.tell_seekers()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id text;
  v_plan public.shared_subscriptions;
  v_seeker uuid;
begin
  for v_id in
    select subscription_id from private.plans_to_tell order by subscription_id limit 100 for update skip locked
  loop
    select * into v_plan from public.shared_subscriptions where id = v_id for key share skip locked;
    -- Locked, so it waits for the next time.
    continue when not found and exists (select from public.shared_subscriptions where id = v_id);
    delete from private.plans_to_tell where subscription_id = v_id;
    continue when v_plan.id is null or v_plan.status <> 'active' or v_plan.is_private or private.open_slots(v_plan, null) = 0
      or private.is_suspended(v_plan.owner_id) or exists (select from public.closed_providers as c where c.provider = v_plan.provider);
    for v_seeker in select private.seekers_of(v_plan) loop
      insert into private.told_plans (user_id, subscription_id) values (v_seeker, v_plan.id) on conflict do nothing;
      continue when not found;
      perform private.mail_notification(private.notify(v_seeker, 'info', 'Plan Found',
        format('%s %s has a place for €%s a month, shared by %s.', v_plan.provider, v_plan.name, v_plan.monthly_cost,
          private.first_name((select display_name from public.user_profiles where user_id = v_plan.owner_id))),
        v_plan.id, 'plan-found', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'cost', v_plan.monthly_cost,
          'person', private.first_name((select display_name from public.user_profiles where user_id = v_plan.owner_id)))),
        array[v_plan.id], 'See the plan', '/plans/' || v_plan.id);
    end loop;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_suspension(p_suspension private.suspensions, p_seats private.seats[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := p_suspension.user_id;
  v_name text := (select display_name from public.user_profiles where user_id = p_suspension.user_id);
  v_is_passing boolean := p_suspension.until <= p_suspension.ends_places_at;
  v_at timestamptz := least(p_suspension.until, p_suspension.ends_places_at);
  v_until text := to_char(v_at at time zone 'utc', 'FMDD FMMonth, HH24:MI') || ' UTC';
begin
  if v_name is null then return; end if;
  perform private.tell_seats(array(
    select case s.owner_id when v_user then private.seat_news(s, s.member_id, 'warning', 'owner-suspended', 'Owner Suspended',
        format(case when v_is_passing then 'The owner of %1$s is suspended until %2$s. Nothing is charged until then.'
          else 'The owner of %1$s is suspended. Nothing is charged. If that isn’t lifted by %2$s, your place ends, and ' || case s.settlement
            when 'direct' then '%3$s owes you what you paid for the time since.' else 'you get back what you paid for the time since.' end end,
          s.provider || ' ' || s.plan_name, v_until, v_name), private.suspension_params(p_suspension, s.settlement))
      else private.seat_news(s, s.owner_id, 'warning', 'member-suspended', 'Place Paused',
        format(case when v_is_passing then '%3$s’s place in %1$s is paused until %2$s. Nothing is charged until then.'
          else '%3$s’s place in %1$s is paused. Nothing is charged. If that isn’t lifted by %2$s, the place ends' || case s.settlement
            when 'direct' then '.' else ', and they get back what they paid for the time since.' end end,
          s.provider || ' ' || s.plan_name, v_until, v_name), private.suspension_params(p_suspension, s.settlement)) end
    from unnest(p_seats) as s));
  perform private.mail_notification(private.notify(v_user, 'warning', 'Account Suspended',
    format(case when v_is_passing then 'Your account is suspended until %s. Your plans are hidden, and nothing is charged or paid out until then.'
      else 'Your account is suspended. Your plans are hidden, and nothing is charged or paid out. If that isn’t lifted by %s, your places and '
        || 'those in your plans end, and what was paid for the time since goes back.' end, v_until),
    null, 'you-are-suspended', jsonb_build_object('until', v_at, 'what', case when v_is_passing then 'passing' else 'ending' end)),
    '{}', 'Open Potluck', '/');
  if v_is_passing or cardinality(p_seats) = 0 then return; end if;
  perform private.notify(staff.id, 'warning', 'Places Will End',
    format('%s is suspended. If that isn’t lifted by %s, ' || case cardinality(p_seats) when 1 then '%s place ends.' else '%s places end.' end,
      v_name, v_until, cardinality(p_seats)),
    null, 'person-suspended', jsonb_build_object('until', v_at, 'person', v_name, 'places', cardinality(p_seats)))
  from private.people_who_may('users.edit') as staff (id);
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_plan public.shared_subscriptions;
  v_profile public.user_profiles;
  v_is_locked boolean;
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only ask for yourself' using errcode = '42501';
    end if;
    if new.subscription_id is null then
      raise exception 'Subscription ID is required' using errcode = '23514';
    end if;
    if new.status <> 'pending' then
      raise exception 'Only the plan''s owner can answer requests' using errcode = '42501';
    end if;
    perform private.spend_attempt('join request');
    new.user_id := v_user;
    new.requested_at := clock_timestamp();
    new.decided_at := null;
    new.expired := false;
    new.begins_at_once_at := case when new.begins_at_once_at is not null then private.now() end;
  end if;
  new.id := coalesce(new.id, gen_random_uuid());
  new.message := btrim(coalesce(new.message, ''));
  if char_length(new.message) > private.longest_join_message() then
    raise exception 'The message can be at most % characters long', private.longest_join_message() using errcode = '23514';
  end if;
  v_profile := private.named_profile(new.user_id);
  new.name := v_profile.display_name;
  new.email := private.email_of(new.user_id);

  -- Letting people in takes a place, so lock the plan, and do it before the requests below. Programs must not meet new terms halfway.
  perform from public.shared_subscriptions
  where id = new.subscription_id and (instant_from is not null or auth.jwt() ? 'token_id') and v_user is not null for no key update;
  v_is_locked := found;
  select * into v_plan from public.shared_subscriptions as p
  where p.id = new.subscription_id and (v_user is null or private.may_find(p));
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  new.owner_id := v_plan.owner_id;
  if v_plan.owner_id = new.user_id then
    raise exception 'Owners cannot request their own plan' using errcode = '23514';
  end if;
  if v_user is null then return new; end if;
  -- Whoever is let in, at once or by the owner later, is charged for it.
  if v_plan.settlement = 'potluck' then
    perform private.refuse_tokens();
  end if;
  perform private.require_reachable(v_plan.owner_id, 'This plan takes no new members right now');
  perform private.require_offered(v_plan.provider);
  perform private.expire_join_requests();
  if private.is_plan_member(new.subscription_id) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  if exists (
    select 1 from public.subscription_requests as r
    where r.subscription_id = new.subscription_id and r.user_id = v_user and private.is_open_request(r)
  ) then
    raise exception 'Request Already Sent' using errcode = '23505';
  end if;
  new.keeps_place := private.take_offer(v_plan, v_user, new.email);
  if v_is_locked and private.instant_refusal(v_plan, v_user, new.coins_first) is null then
    new.instant := true;
    new.status := 'approved';
    new.decided_at := new.requested_at;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_users__suspend()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_now timestamptz := private.now();
begin
  -- The clock has not noticed yet that the last one ended by itself.
  update private.suspensions set lifted_at = until where user_id = new.id and lifted_at is null and until <= v_now;
  if new.banned_until > now() then
    insert into private.suspensions (user_id, until) values (new.id, new.banned_until + (v_now - now()))
    on conflict (user_id) where lifted_at is null do update set until = excluded.until;
  else
    update private.suspensions set lifted_at = v_now where user_id = new.id and lifted_at is null;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_withdrawal_requests__hold()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_until timestamptz := private.withdrawals_wait_until(new.user_id);
  v_hold private.payout_holds := private.current_hold(new.user_id);
begin
  if v_hold.id is not null then
    raise exception 'Payouts are held until %: %', to_char(v_hold.until, 'FMDD FMMonth YYYY'), v_hold.ground using errcode = '23514';
  elsif v_until = 'infinity' then
    raise exception 'A payment to this person is disputed, so this withdrawal has to wait' using errcode = '23514';
  elsif v_until > private.now() then
    raise exception 'This withdrawal has to wait until %, as a bank may take back their first payments',
      to_char(v_until, 'FMDD FMMonth YYYY') using errcode = '23514';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.transfers_wait(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (private.current_hold(p_user_id)).id is not null
    or exists (select from private.suspensions where user_id = p_user_id and lifted_at is null and ended_places_at is null and until > private.now());
end $function$;

CREATE OR REPLACE FUNCTION private.turn_all(p_seat_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := private.now();
  v_periods uuid[];
  v_seats uuid[];
  v_numbers integer[];
  v_starts timestamptz[];
begin
  select array_agg(m.id), array_agg(s.id), array_agg(m.number + 1), array_agg(m.ends_at) into v_periods, v_seats, v_numbers, v_starts
  from private.seats as s join public.member_payments as m on m.seat_id = s.id and m.status = 'paid'
  where s.id = any (p_seat_ids) and s.settlement = 'potluck' and s.ended_at is null and s.ends_at is null and not private.is_paused(s)
    and not private.awaits_refund_decision(s.id)
    and m.starts_at is not null and m.ends_at <= v_now and m.announced_at is not null
    and private.period_end(s.anchor, m.number + 1 - s.anchor_after, private.zone_of(s.member_id)) > v_now
    and not exists (select from public.member_payments as o where o.seat_id = s.id and o.id <> m.id
      and (o.number > m.number or o.status in ('due', 'claimed', 'charging', 'needs-action', 'failed', 'paid')))
    and not exists (select from public.seat_problems as p where p.seat_id = s.id
      and (p.status <> 'closed' or coalesce(p.lost_until, 'infinity') > m.starts_at));
  if v_periods is null then return '{}'; end if;
  perform private.move_earnings(v_periods, true);
  perform private.open_periods(v_seats, v_numbers, v_starts);
  perform private.tell_first_months(v_periods);
  with turned as (
    update private.seats as s set next_at = m.next_attempt_at, failures = 0, last_error = null
    from unnest(v_seats, v_numbers) as next (seat_id, number)
    join public.member_payments as m on m.seat_id = next.seat_id and m.number = next.number and m.status = 'due'
    where s.id = any (v_seats) and s.id = next.seat_id returning s.id
  )
  select array_agg(id) into v_seats from turned;
  return coalesce(v_seats, '{}');
end $function$;

CREATE OR REPLACE FUNCTION private.was_suspended(p_user_id uuid, p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.suspensions where user_id = p_user_id and since <= p_at and coalesce(lifted_at, 'infinity') > p_at);
end $function$;

CREATE OR REPLACE FUNCTION private.webhooks_for(p_user_id uuid, p_type text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select w.id from private.webhooks as w join auth.users as u on u.id = w.user_id
    where w.user_id = p_user_id and p_type = any (w.events) and w.stopped_at is null
      and private.is_open_account(u.deleted_at, u.banned_until);
end $function$;

CREATE OR REPLACE FUNCTION private.withdrawal_refusal(p_user_id uuid, p_amount numeric, p_closes_account boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_available numeric := private.available_coins(p_user_id);
begin
  return case
    when p_amount is null or p_amount = 'NaN' or p_amount <= 0 or p_amount <> round(p_amount, 2) then 'Please enter a valid amount'
    when p_amount < private.least_withdrawal() and not p_closes_account then format('Minimum withdrawal amount is %s coins', private.least_withdrawal())
    when p_amount > v_available then format('Maximum withdrawal amount is %s coins', v_available)
    when auth.uid() is not null and not private.has_bank_account(p_user_id)
      then 'Add the bank account to pay your coins to'
    else private.hold_refusal(p_user_id)
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.withdrawals_wait_until(p_user_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case when exists (select from public.payment_disputes where owner_id = p_user_id and closed_at is null) then 'infinity'
    else (
      select greatest((private.current_hold(p_user_id)).until, card + private.card_earnings_wait(),
        case when debit < card + private.debit_earnings_wait() then debit + private.debit_earnings_wait() end)
      from (
        select min(t.created_at) as card, min(t.created_at) filter (where m.paid_with = 'sepa_debit') as debit
        from private.ledger_transfers as t join public.member_payments as m on m.id = t.period_id
        where t.person_id = p_user_id and t.kind = 'earning' and m.card > 0
      ) as first
    ) end;
end $function$;

CREATE OR REPLACE FUNCTION private.work_out_facts(p_user_ids uuid[])
 RETURNS SETOF private.known_facts
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
AS $function$
begin
  return query
  -- Evaluated once, because these are not constants.
  with terms as materialized (select private.now() as now, private.now() - now() as ahead)
  select u.user_id, terms.now,
    least(given.until, paid.until, faults.until, answered.until + terms.ahead, asked.until + terms.ahead, 'infinity'),
    coalesce(given.time, '0'), coalesce(given.pace, 0)::integer, coalesce(paid.on_time, 0)::integer,
    coalesce(paid.late, 0)::integer, faults.problems::integer, answered.people::integer, answered.minutes::integer
  from terms cross join public.user_profiles as u
  -- Per member, the paid time with working access while the seat lived; for a running period, up to now.
  cross join lateral (
    select sum(least(by_member.time, private.pair_limit())) as time,
      sum(by_member.pace) filter (where by_member.time < private.pair_limit()) as pace,
      least(min(by_member.until), min(terms.now + (private.pair_limit() - by_member.time) / nullif(by_member.pace, 0))
        filter (where by_member.time < private.pair_limit())) as until
    from (
      select coalesce(sum(least(ended.at, terms.now) - m.starts_at - case when problem.was
          then private.time_without_access(m, least(ended.at, terms.now), null) else '0' end) filter (where begun.yet), '0') as time,
        count(*) filter (where begun.yet and ended.at > terms.now and problem.lasts is not true) as pace,
        min(case when begun.yet then ended.at else m.starts_at end) filter (where ended.at > terms.now) as until
      from private.seats as s
      cross join lateral (
        select count(*) > 0 as was, bool_or(coalesce(lost_until, 'infinity') > terms.now) as lasts
        from public.seat_problems where seat_id = s.id
      ) as problem
      join public.member_payments as m on m.seat_id = s.id
      cross join lateral (select least(m.ends_at, s.ended_at)) as ended (at)
      cross join lateral (select m.starts_at < terms.now) as begun (yet)
      where s.owner_id = u.user_id and m.status in ('paid', 'closed') and private.is_sure_payment(m) and m.starts_at < ended.at
      group by s.member_id
    ) as by_member
  ) as given
  -- What they paid, per owner. A confirmed direct payment is dated by "I've paid". Each stands for a month, and only as many
  -- as fit the pair limit count; late payments always count.
  cross join lateral (
    select sum(least(by_owner.on_time, extract(day from private.pair_limit())::integer / 30)) as on_time, sum(by_owner.late) as late,
      min(by_owner.until) as until
    from (
      select count(*) filter (where is_paid and not is_behind and private.is_sure_payment(m)) as on_time,
        count(*) filter (where is_behind and m.due_at > terms.now - private.standing_memory() and (is_paid
          or m.status in ('due', 'needs-action', 'failed') or (m.status = 'cancelled'
            and exists (select from private.seats where id = m.seat_id and end_reason = 'unpaid')))) as late,
        min(changes.at) filter (where changes.at > terms.now) as until
      from public.member_payments as m
      cross join lateral (select m.status in ('paid', 'closed'),
        coalesce(m.claimed_at, m.paid_at, terms.now) > m.due_at + private.payment_grace()
          and (m.settlement = 'potluck' or m.status <> 'due' or private.says_how_to_pay(m.owner_id))) as judged (is_paid, is_behind)
      cross join lateral (select case when is_behind then m.due_at + private.standing_memory()
        when coalesce(m.claimed_at, m.paid_at) is null then m.due_at + private.payment_grace() end) as changes (at)
      where m.member_id = u.user_id and m.share > 0 and m.starts_at is not null
      group by m.owner_id
    ) as by_owner
  ) as paid
  -- Problems that were their fault, and paid places they gave no access to.
  cross join lateral (
    select count(*) as problems, min(fault.at) + private.standing_memory() as until from (
      select closed_at from public.seat_problems where owner_id = u.user_id and fault = 'owner'
      union all select closed_at from public.seat_problems where member_id = u.user_id and fault = 'member'
      union all select ended_at from private.seats where owner_id = u.user_id and end_reason = 'no-access'
    ) as fault (at) where fault.at > terms.now - private.standing_memory() and not private.was_suspended(u.user_id, fault.at)
  ) as faults
  -- The last answer to each requester; an expired request took the whole time.
  cross join lateral (
    select count(*) as people, percentile_cont(0.5) within group (order by last.minutes) as minutes,
      min(last.requested_at) + private.standing_memory() as until
    from (
      select distinct on (r.user_id) r.requested_at,
        extract(epoch from least(r.decided_at - r.requested_at, private.request_lifetime())) / 60 as minutes
      from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
      where p.owner_id = u.user_id and r.requested_at > now() - private.standing_memory()
        and not r.instant and (r.status in ('approved', 'rejected') or (r.status = 'pending' and not private.is_open_request(r)))
        and not private.was_suspended(u.user_id, coalesce(r.decided_at, r.requested_at + private.request_lifetime()) + terms.ahead)
      order by r.user_id, r.requested_at desc
    ) as last
  ) as answered
  -- Requests that still wait for their answer.
  cross join lateral (
    select min(r.requested_at) + private.request_lifetime() as until
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = u.user_id and r.status = 'pending' and r.requested_at > now() - private.request_lifetime()
  ) as asked
  where u.user_id = any (p_user_ids);
end $function$;

CREATE OR REPLACE FUNCTION private.work_seat(p_seat private.seats, p_step text, p_period_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_period public.member_payments;
begin
  select * into v_period from public.member_payments where id = p_period_id;
  case p_step
    when 'earn' then perform private.earn(v_period.id);
    when 'turn' then
      perform private.close_period(v_period.id);
      if p_seat.ends_at is not null then
        perform private.end_seat(p_seat.id, 'over', p_seat.ended_by);
      else
        perform private.renew(p_seat, v_period);
        perform private.tell_first_months(array[v_period.id]);
      end if;
    when 'retry' then
      update public.member_payments set status = 'due', next_attempt_at = null where id = v_period.id;
      perform private.queue_charges(array[v_period.id]);
    when 'undecided' then perform private.period_failed(v_period.id, 'undecided');
    when 'release' then perform private.end_seat(p_seat.id, 'unpaid', null);
    when 'announce' then
      update public.member_payments set announced_at = private.now() where id = v_period.id;
      perform private.announce_renewal(p_seat, v_period);
    when 'remind' then perform private.remind_of_payment(p_seat, v_period);
    when 'remind-access' then perform private.remind_of_access(p_seat);
    when 'no-access' then perform private.end_seat(p_seat.id, 'no-access', null);
    when 'problem' then perform private.lapse_problem(p_period_id);
    when 'returned' then perform private.close_returned_payment(p_period_id, false);
    when 'suspended' then perform private.end_seat(p_seat.id, 'suspended', null);
  end case;
end $function$;

CREATE OR REPLACE FUNCTION private.write_invoice(p_payment public.member_payments, p_settings public.vat_settings, p_first public.fee_invoices, p_gross numeric, p_is_credit_note boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_new public.fee_invoices := p_first;
  v_rate numeric;
  v_before numeric := 0;
begin
  if v_new.id is null then
    v_new.payment_id := p_payment.id;
    v_new.buyer_id := p_payment.member_id;
    v_new.paid_at := p_payment.paid_at;
    v_new.plan_name := p_payment.plan_name;
    v_new.period := p_payment.number;
    select name, evidence into v_new.buyer_name, v_new.evidence from private.buyer_of(p_payment);
    v_new.buyer_country := coalesce(private.country_of(v_new.evidence, (p_payment.paid_at at time zone 'utc')::date), p_settings.country);
    if p_settings.mode <> 'small' then
      perform private.ask_about_country(p_payment.member_id, v_new.evidence);
    end if;
    v_new.seller := to_jsonb(p_settings) - '{id,since,prefix}'::text[];
    v_rate := private.vat_rate(v_new.buyer_country, (p_payment.paid_at at time zone 'utc')::date);
    v_new.category := case when p_settings.mode = 'small' then 'E' when v_rate is null then 'O' else 'S' end;
    v_new.vat_rate := case when v_new.category <> 'S' then 0 when p_settings.mode = 'oss' then v_rate
      else private.vat_rate(p_settings.country, (p_payment.paid_at at time zone 'utc')::date) end;
  else
    v_before := (select sum(case when corrects is null then gross else -gross end) from public.fee_invoices where payment_id = p_payment.id);
  end if;
  v_new.gross := p_gross;
  v_new.vat := abs(private.vat_in(v_before + case when p_is_credit_note then -p_gross else p_gross end, v_new.vat_rate)
    - private.vat_in(v_before, v_new.vat_rate));
  v_new.net := p_gross - v_new.vat;
  v_new.corrects := case when p_is_credit_note then p_first.id end;
  v_new.id := gen_random_uuid();
  v_new.issued_at := private.now();
  v_new.number := private.next_invoice_number(p_settings.prefix, p_is_credit_note);
  insert into public.fee_invoices select v_new.*;
end $function$;

CREATE OR REPLACE FUNCTION public.decide_country(p_person_id uuid, p_country text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.decide_country(p_person_id, p_country); end$function$;

CREATE OR REPLACE FUNCTION public.decide_returned_payment(p_payment_id uuid, p_goodwill boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.decide_returned_payment(p_payment_id, p_goodwill); end$function$;

CREATE OR REPLACE FUNCTION public.hold_payouts(p_person_id uuid, p_ground text, p_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.hold_payouts(p_person_id, p_ground, p_until); end$function$;

CREATE OR REPLACE FUNCTION public.list_returned_payments()
 RETURNS TABLE(payment_id uuid, plan_name text, amount numeric, owner_id uuid, owner_name text, member_id uuid, member_name text, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.list_returned_payments(); end$function$;

CREATE OR REPLACE FUNCTION public.my_seats()
 RETURNS TABLE(id uuid, subscription_id text, provider text, plan_name text, owner_id uuid, owner_name text, settlement text, billing_cycle text, share numeric, coins_first boolean, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, may_stay boolean, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, withdraw_until timestamp with time zone, begins_at_once_at timestamp with time zone, back_now numeric, paused_until timestamp with time zone, pause_ends_place boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.my_seats(); end$function$;

CREATE OR REPLACE FUNCTION public.plan_seats(p_subscription_id text)
 RETURNS TABLE(id uuid, member_id uuid, member_name text, avatar_url text, settlement text, billing_cycle text, share numeric, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, unpaid_since timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, held numeric, earned numeric, next_release timestamp with time zone, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, unused numeric, paused_until timestamp with time zone, pause_ends_place boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.plan_seats(p_subscription_id); end$function$;

CREATE OR REPLACE FUNCTION public.release_payouts(p_person_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.release_payouts(p_person_id); end$function$;

ALTER TABLE "private"."country_questions" ADD CONSTRAINT "country_questions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."payout_holds" ADD CONSTRAINT "payout_holds_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."returned_payments" ADD CONSTRAINT "returned_payments_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE RESTRICT;

ALTER TABLE "private"."returned_payments" ADD CONSTRAINT "returned_payments_seat_id_fkey" FOREIGN KEY (seat_id) REFERENCES private.seats(id) ON DELETE RESTRICT;

ALTER TABLE "private"."seats" ADD CONSTRAINT "seats_end_reason_check" CHECK ((end_reason = ANY (ARRAY['left'::text, 'removed'::text, 'cancelled'::text, 'unpaid'::text, 'over'::text, 'unused'::text, 'disputed'::text, 'no-access'::text, 'problem'::text, 'withdrawn'::text, 'suspended'::text])));

ALTER TABLE "private"."suspensions" ADD CONSTRAINT "suspensions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE UNIQUE INDEX payout_holds_one_at_a_time_key ON private.payout_holds USING btree (user_id) WHERE (released_at IS NULL);

CREATE INDEX payout_holds_user_idx ON private.payout_holds USING btree (user_id);

CREATE INDEX returned_payments_seat_idx ON private.returned_payments USING btree (seat_id);

CREATE UNIQUE INDEX suspensions_one_at_a_time_key ON private.suspensions USING btree (user_id) WHERE (lifted_at IS NULL);

CREATE INDEX suspensions_pausing_idx ON private.suspensions USING btree (user_id) WHERE (resumed_at IS NULL);

CREATE TRIGGER suspend_new AFTER INSERT ON auth.users FOR EACH ROW WHEN ((new.banned_until IS NOT NULL)) EXECUTE FUNCTION private.tg_users__suspend();

CREATE TRIGGER suspend AFTER UPDATE OF banned_until ON auth.users FOR EACH ROW WHEN ((old.banned_until IS DISTINCT FROM new.banned_until)) EXECUTE FUNCTION private.tg_users__suspend();

REVOKE ALL ON FUNCTION "private"."ask_about_country"(uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_about_refund"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."awaits_refund_decision"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."begin_suspension"(private.suspensions, private.seats[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_returned_payment"(uuid, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_suspended"(private.suspensions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."country_of"(jsonb, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."current_hold"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decide_country"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."decide_country"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."decide_returned_payment"(uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."decide_returned_payment"(uuid, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."end_hold"(private.payout_holds) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_suspension"(private.suspensions, private.seats[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."follow_suspensions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_payouts"(uuid, text, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."hold_payouts"(uuid, text, timestamp with time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."hold_refusal"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_open_account"(timestamp with time zone, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_paused"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_suspended"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."list_returned_payments"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_returned_payments"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."longest_ground"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."longest_hold"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."move_deadlines"(interval, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_seats"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_seats"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."pause_of"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pay_out_suspended"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plan_seats"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."plan_seats"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."release_payouts"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."release_payouts"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."requeue_account_transfers"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."returned_payment_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."suspended_people"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."suspended_since"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."suspension_params"(private.suspensions, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."suspension_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."taken_by_refund"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_hold"(uuid, text, text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_suspension"(private.suspensions, private.seats[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_users__suspend"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."transfers_wait"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."was_suspended"(uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."decide_country"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."decide_country"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."decide_returned_payment"(uuid, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."decide_returned_payment"(uuid, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."hold_payouts"(uuid, text, timestamp with time zone) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."hold_payouts"(uuid, text, timestamp with time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_returned_payments"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_returned_payments"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_seats"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_seats"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."plan_seats"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."plan_seats"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."release_payouts"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."release_payouts"(uuid) TO "authenticated";

ALTER TABLE "private"."returned_payments" ADD COLUMN "due_at" timestamp with time zone NOT NULL DEFAULT (private.now() + private.returned_payment_time());

CREATE INDEX suspensions_user_idx ON private.suspensions USING btree (user_id, since);

ALTER TABLE "private"."suspensions" ADD COLUMN "ends_places_at" timestamp with time zone NOT NULL DEFAULT (private.now() + private.suspension_time());

ALTER TABLE "private"."payout_holds" ADD CONSTRAINT "payout_holds_ground_check" CHECK (((char_length(btrim(ground)) >= 1) AND (char_length(btrim(ground)) <= private.longest_ground())));

SELECT cron.schedule('suspended-payouts', '* * * * *', 'select private.pay_out_suspended()');

REVOKE ALL ON TABLE "private"."payout_holds" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."suspensions" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."country_questions" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."returned_payments" FROM PUBLIC, anon, authenticated, service_role;
