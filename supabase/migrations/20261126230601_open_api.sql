set local check_function_bodies = off;

ALTER TABLE "private"."account_changes" DROP CONSTRAINT "account_changes_kind_check";

CREATE TABLE "private"."api_calls" ("request" text NOT NULL, "scope" text NOT NULL, CONSTRAINT "api_calls_pkey" PRIMARY KEY (request), CONSTRAINT "api_calls_scope_check" CHECK ((scope = ANY (ARRAY['read plans'::text, 'write plans'::text, 'read money'::text, 'chat'::text]))));

ALTER TABLE "private"."api_calls" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."api_tickets" ("ticket_hash" text NOT NULL, "token_id" uuid NOT NULL, "request" text NOT NULL, "made_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "api_tickets_pkey" PRIMARY KEY (ticket_hash));

ALTER TABLE "private"."api_tickets" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."api_tokens" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "name" text NOT NULL, "scopes" text[] NOT NULL, "token_hash" text NOT NULL, "made_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), "expires_at" timestamp with time zone NOT NULL, "last_used_at" timestamp with time zone, CONSTRAINT "api_tokens_pkey" PRIMARY KEY (id), CONSTRAINT "api_tokens_scopes_check" CHECK (((scopes <> '{}'::text[]) AND (scopes <@ '{"read plans","write plans","read money",chat}'::text[]))), CONSTRAINT "api_tokens_token_hash_key" UNIQUE (token_hash), CONSTRAINT "api_tokens_name_check" CHECK (((private.visible_length(name) >= 1) AND (char_length(name) <= 60))));

ALTER TABLE "private"."api_tokens" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."used_bank_entries" ("owner_id" uuid NOT NULL, "entry_hash" text NOT NULL, CONSTRAINT "used_bank_entries_pkey" PRIMARY KEY (owner_id, entry_hash), "used_at" timestamp with time zone NOT NULL DEFAULT private.now());

ALTER TABLE "private"."used_bank_entries" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."webhook_deliveries" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "webhook_id" uuid NOT NULL, "type" text NOT NULL, "payload" jsonb NOT NULL, "made_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), "attempts" integer NOT NULL DEFAULT 0, "attempts_before" integer NOT NULL DEFAULT 0, "next_attempt_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), "taken_at" timestamp with time zone, "last_attempt_at" timestamp with time zone, "last_status" integer, "last_error" text, "last_answer" text, "last_ms" integer, "delivered_at" timestamp with time zone, "failed_at" timestamp with time zone, CONSTRAINT "at_most_one_end" CHECK ((num_nonnulls(delivered_at, failed_at) <= 1)), CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."webhook_deliveries" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."webhooks" ("id" uuid NOT NULL, "user_id" uuid NOT NULL, "name" text NOT NULL, "host" text NOT NULL, "events" text[] NOT NULL, "version" integer NOT NULL, "sealed" text NOT NULL, "old_sealed" text, "old_until" timestamp with time zone, "made_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), "failing_since" timestamp with time zone, "stopped_at" timestamp with time zone, "stopped_why" text, CONSTRAINT "webhooks_check1" CHECK (((old_sealed IS NULL) = (old_until IS NULL))), CONSTRAINT "webhooks_check" CHECK (((stopped_at IS NULL) = (stopped_why IS NULL))), CONSTRAINT "webhooks_host_check" CHECK (((char_length(host) >= 1) AND (char_length(host) <= 260))), CONSTRAINT "webhooks_pkey" PRIMARY KEY (id), CONSTRAINT "webhooks_sealed_check" CHECK (((char_length(sealed) >= 1) AND (char_length(sealed) <= 4000))), CONSTRAINT "webhooks_stopped_why_check" CHECK ((stopped_why = ANY (ARRAY['failing'::text, 'gone'::text]))), CONSTRAINT "webhooks_version_check" CHECK ((version > 0)), CONSTRAINT "webhooks_name_check" CHECK (((private.visible_length(name) >= 1) AND (char_length(name) <= 60))));

ALTER TABLE "private"."webhooks" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."message_drafts" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "conversation_id" uuid NOT NULL, "user_id" uuid NOT NULL, "content" text NOT NULL, "made_by" text NOT NULL, "made_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "message_drafts_conversation_id_user_id_key" UNIQUE (conversation_id, user_id), CONSTRAINT "message_drafts_pkey" PRIMARY KEY (id));

REVOKE ALL ON TABLE "public"."message_drafts" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "public"."message_drafts" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.admit_api_token(p_token_hash text, p_request text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_token private.api_tokens := private.living_token(p_token_hash);
  v_ticket text := v_token.user_id || ':' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_scope text;
begin
  select scope into v_scope from private.api_calls where request = p_request;
  if not found then
    raise exception 'Tokens cannot call this' using errcode = 'PT404';
  elsif v_scope <> all (v_token.scopes) then
    raise exception 'This token may not: %', v_scope using errcode = '42501';
  end if;
  perform private.act_for(v_token.user_id);
  perform private.spend_attempt('token call');
  update private.api_tokens set last_used_at = date_trunc('minute', clock_timestamp())
  where id = v_token.id and last_used_at is distinct from date_trunc('minute', clock_timestamp());
  delete from private.api_tickets where token_id = v_token.id and made_at < clock_timestamp() - private.ticket_lifetime();
  insert into private.api_tickets (ticket_hash, token_id, request) values (private.hash_of(v_ticket), v_token.id, p_request);
  return v_ticket;
end $function$;

CREATE OR REPLACE FUNCTION private.api_token(p_token_hash text)
 RETURNS TABLE(user_id uuid, scopes text[], expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select t.user_id, t.scopes, t.expires_at from private.living_token(p_token_hash) as t
$function$;

CREATE OR REPLACE FUNCTION private.begin_import()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_user();
  perform private.spend_attempt('import reading');
end $function$;

CREATE OR REPLACE FUNCTION private.call_webhooks()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.webhook_deliveries as d set failed_at = clock_timestamp() from private.webhooks as w
  where w.id = d.webhook_id and w.stopped_at is not null and d.delivered_at is null and d.failed_at is null;
  if exists (
    select from private.webhook_deliveries
    where next_attempt_at <= clock_timestamp() - interval '1 second' and delivered_at is null and failed_at is null
  ) then
    perform private.call_function('webhooks');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.catalogue_plans()
 RETURNS SETOF private.catalogue_plan
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
  select
    coalesce(plan ->> 'id', (provider ->> 'id') || ':' || (plan ->> 'name')),
    provider ->> 'name',
    plan ->> 'name',
    case when sold.category in ('streaming', 'music', 'gaming', 'productivity', 'security') then sold.category else 'other' end,
    coalesce(plan ->> 'description', ''),
    provider ->> 'logo',
    (case jsonb_typeof(plan -> 'price') when 'object' then plan -> 'price' ->> 'europe' else plan ->> 'price' end)::numeric,
    coalesce(plan ->> 'cycle', 'monthly'),
    coalesce((plan ->> 'maxMembers')::numeric::integer, (plan ->> 'provider_max_members')::numeric::integer, 5)
  from jsonb_array_elements(private.catalogue()) with ordinality as one (provider, place),
    jsonb_array_elements(provider -> 'plans') with ordinality as other (plan, nth),
    lateral (select coalesce(plan ->> 'category', provider ->> 'category') as category) as sold
  order by place, nth;
end $function$;

CREATE OR REPLACE FUNCTION private.check_request()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if current_setting('request.headers', true) like '%"x-potluck-ticket"%' then
    perform set_config('request.jwt.claims',
      private.claims_of_ticket(current_setting('request.headers')::json ->> 'x-potluck-ticket'), true);
    perform set_config('role', 'authenticated', true);
  end if;
  perform private.check_session();
end $function$;

CREATE OR REPLACE FUNCTION private.check_session()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_session uuid;
  v_action text;
begin
  if v_user is null then return; end if;
  -- Of a person's program: private.claims_of_ticket() has looked at its token.
  if auth.jwt() ? 'token_id' then return; end if;
  v_session := auth.jwt() ->> 'session_id';
  if not exists (
    select from auth.sessions as s join auth.users as u on u.id = s.user_id
    where s.id = v_session and s.user_id = v_user
      and coalesce(s.not_after > now(), true)
      and u.deleted_at is null and coalesce(u.banned_until <= now(), true)
  ) then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  if exists (select from auth.mfa_factors where user_id = v_user and status = 'verified') and not private.shows_second_factor() then
    raise exception 'Your account asks for the code of your authenticator app as well.' using errcode = '42501';
  end if;
  select action into v_action from private.rate_limits
  where current_setting('request.method', true) || ' ' || current_setting('request.path', true) = any (requests);
  if not found then return; end if;
  perform private.spend_attempt(v_action);
  perform set_config('request.counted', v_action, true);
end $function$;

CREATE OR REPLACE FUNCTION private.claims_of_ticket(p_ticket text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_claims text := (
  select jsonb_build_object('sub', t.user_id, 'role', 'authenticated', 'aal', 'aal1', 'token_id', t.id)
  from private.api_tickets as k join private.api_tokens as t on t.id = k.token_id
  where k.ticket_hash = private.hash_of(p_ticket) and k.made_at > clock_timestamp() - private.ticket_lifetime()
    and k.request = current_setting('request.method', true) || ' ' || current_setting('request.path', true)
);
begin
  if v_claims is null then
    raise exception 'This ticket is unknown or has expired' using errcode = 'PT401';
  end if;
  return v_claims;
end $function$;

CREATE OR REPLACE FUNCTION private.confirm_direct_payments(p_entries jsonb)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_entry record;
begin
  for v_entry in
    select f.*, c.chosen from private.entry_fates(p_entries) as f
    join (select e ->> 'key' as entry, (e ->> 'payment')::uuid as chosen from jsonb_array_elements(p_entries) as e) as c on c.entry = f.key
    left join public.member_payments as m on m.id = f.payment
    -- Places are locked in one order.
    order by m.seat_id, m.number
  loop
    key := v_entry.key;
    fate := v_entry.fate;
    params := v_entry.params;
    if v_entry.fate = 'pays' and v_entry.payment = v_entry.chosen then
      if (private.lock_direct_payment(v_entry.payment, true)).status in ('due', 'claimed') then
        insert into private.used_bank_entries (owner_id, entry_hash) values (v_user, v_entry.entry_hash) on conflict do nothing;
        fate := case when found then 'done' else 'confirmed' end;
      else
        fate := 'confirmed';
      end if;
      if fate = 'done' then
        perform private.confirm_payment(v_entry.payment);
      end if;
    end if;
    return next;
  end loop;
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
  delete from private.seat_reviews where subject_id = v_user;
  delete from private.person_reports where person_id = v_user;
  update private.person_reports set reporter_id = null where reporter_id = v_user;
  update private.support_requests set writer_id = null where writer_id = v_user;
  update private.seat_reviews set reported_by = null where reported_by = v_user;
  delete from public.blocked_people where v_user in (user_id, blocked_id);
  delete from private.time_zones where user_id = v_user;
  perform private.keep_buyer(v_user);
  delete from private.home_countries where user_id = v_user;
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

CREATE OR REPLACE FUNCTION private.deliveries_at_once()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 40;

CREATE OR REPLACE FUNCTION private.deliveries_at_once_per_person()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 6;

CREATE OR REPLACE FUNCTION private.deliveries_at_once_per_webhook()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 3;

CREATE OR REPLACE FUNCTION private.deliveries_page()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 30;

CREATE OR REPLACE FUNCTION private.delivery_memory()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '30 days'::interval;

CREATE OR REPLACE FUNCTION private.draft_lifetime()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '30 days'::interval;

CREATE OR REPLACE FUNCTION private.draft_message(p_conversation_id uuid, p_text text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_program text := (select name from private.api_tokens where id::text = auth.jwt() ->> 'token_id');
begin
  if v_program is null then
    raise exception 'Only programs leave drafts' using errcode = '42501';
  end if;
  perform private.require_open_chat(p_conversation_id);
  perform private.require_message(p_text);
  insert into public.message_drafts (conversation_id, user_id, content, made_by) values (p_conversation_id, v_user, p_text, v_program)
  on conflict (conversation_id, user_id)
  do update set id = excluded.id, content = excluded.content, made_by = excluded.made_by, made_at = excluded.made_at;
end $function$;

CREATE OR REPLACE FUNCTION private.end_api_token(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.api_tokens where id = p_id and user_id = private.require_user();
  if not found then
    raise exception 'Token not found' using errcode = 'PT404';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.end_webhook(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_webhook(p_id);
  delete from private.webhooks where id = p_id;
  perform private.call_back_mail(p_id::text);
end $function$;

CREATE OR REPLACE FUNCTION private.entry_fates(p_entries jsonb)
 RETURNS TABLE(key text, fate text, params jsonb, payment uuid, entry_hash text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_entry record;
  v_named public.member_payments;
  v_fit jsonb;
  v_by_name jsonb;
  v_taken uuid[] := '{}';
begin
  perform private.require_few_rows(p_entries);
  for v_entry in
    with entries as (
      select e.*, named.known is true as names_known, named.anew is true as names_payment,
        private.hash_of(concat_ws('|', v_user, coalesce(e.ref, e.name || e.text), e.amount, e.booked)) as hash
      from rows from (jsonb_to_recordset(p_entries) as (key text, amount numeric, currency text, kind text, booked date, name text, text text,
        ref text, payment uuid)) with ordinality as e (key, amount, currency, kind, booked, name, text, ref, payment, at)
      cross join lateral (
        -- A standing order has the first month's reference for ever: what comes days after that was confirmed is for another.
        select bool_or(true) as known, bool_or((m.status in ('paid', 'closed') and e.booked > m.paid_at::date + 3) is not true) as anew
        from private.payments_named_in(e.text) as m
      ) as named
    )
    -- Banks may give two transfers of a day the same reference.
    select e.*, hash || '-' || row_number() over (partition by hash order by at) as own_hash from entries as e
    -- What is certain chooses first, so that what is not takes nothing from it.
    order by e.payment is null, not names_payment, booked, at
  loop
    key := v_entry.key;
    params := '{}';
    payment := null;
    entry_hash := v_entry.own_hash;
    fate := case
      when v_entry.kind is not null then v_entry.kind
      when exists (select from private.used_bank_entries as u where u.owner_id = v_user and u.entry_hash = v_entry.own_hash) then 'confirmed'
      when v_entry.currency is distinct from 'EUR' then 'currency'
    end;
    if fate is null and v_entry.names_payment then
      -- One that it pays before one that it might.
      select m.* into v_named from private.payments_named_in(v_entry.text) as m
      order by m.amount = v_entry.amount and m.status in ('due', 'claimed') and m.id <> all (v_taken) desc, m.number limit 1;
      fate := case
        when v_named.id = any (v_taken) then 'twice'
        when v_named.status = 'cancelled' then 'cancelled'
        when v_named.status not in ('due', 'claimed') then 'confirmed'
        when v_named.amount is distinct from v_entry.amount then 'amount'
        else 'pays'
      end;
      params := private.entry_payment(v_named) || jsonb_build_object('by', 'reference');
    elsif fate is null then
      with fitting as (
        select m.id, m.seat_id, m.due_at, m.number, private.entry_payment(m) as about,
          exists (select from unnest(string_to_array(btrim(private.plain_words(v_entry.name)), ' ')) as word
            -- What stands beside many names tells nobody from others.
            where length(word) > 2 and word <> all ('{and,del,della,den,der,des,dos,frau,gmbh,herr,ltd,mrs,ten,ter,the,und,van,vom,von,zum,zur}')
              and private.plain_words(p.display_name) like '% ' || word || ' %') as is_theirs
        from public.member_payments as m join public.user_profiles as p on p.user_id = m.member_id
        where m.owner_id = v_user and m.settlement = 'direct' and m.status in ('due', 'claimed') and m.amount = v_entry.amount
          and m.id <> all (v_taken) and m.due_at - interval '10 days' < v_entry.booked + 1
      )
      -- Of several months of one place, the oldest is paid first.
      select jsonb_agg(about order by due_at, number, id),
        case count(distinct seat_id) filter (where is_theirs) when 1 then (array_agg(about order by due_at, number) filter (where is_theirs))[1] end
      into v_fit, v_by_name from fitting;
      fate := case when v_fit is null then case when v_entry.names_known then 'confirmed' else 'nothing' end when v_by_name is null then 'choose' else 'pays' end;
      params := case fate when 'pays' then v_by_name || jsonb_build_object('by', 'name') when 'choose' then jsonb_build_object('of', v_fit) else '{}' end;
      if v_fit @> jsonb_build_array(jsonb_build_object('payment', v_entry.payment)) then
        fate := 'pays';
        params := (select one from jsonb_array_elements(v_fit) as one where one ->> 'payment' = v_entry.payment::text)
          || jsonb_build_object('by', 'choice');
      end if;
    end if;
    if fate = 'pays' then
      payment := (params ->> 'payment')::uuid;
      v_taken := v_taken || payment;
    end if;
    return next;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.entry_payment(p_payment public.member_payments)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('payment', p_payment.id, 'member', display_name, 'plan', p_payment.plan_name, 'amount', p_payment.amount,
    'due', p_payment.due_at)
  from public.user_profiles where user_id = p_payment.member_id
$function$;

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
    'invoices', (select jsonb_agg(to_jsonb(t) order by t.issued_at, t.number) from public.fee_invoices as t where t.buyer_id = v_user),
    'problems', (select jsonb_agg(to_jsonb(t) - 'decided_by' || jsonb_build_object('statements', (
        select jsonb_agg(to_jsonb(s) - 'problem_id' order by s.line) from public.problem_statements as s where s.problem_id = t.id
      )) order by t.reported_at)
      from public.seat_problems as t where v_user in (t.member_id, t.owner_id)),
    'term_proposals', (select jsonb_agg(to_jsonb(t) order by t.proposed_at)
      from public.term_proposals as t where v_user in (t.member_id, t.owner_id)),
    'payment_wishes', (select to_jsonb(t) from public.payment_wishes as t where t.user_id = v_user),
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

CREATE OR REPLACE FUNCTION private.find_catalogue_plan(p_plan_id text, p_provider text, p_name text)
 RETURNS private.catalogue_plan
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_plan private.catalogue_plan;
begin
  select * into v_plan from private.catalogue_plans()
  where case when p_plan_id is not null then id = p_plan_id else provider = p_provider and name = p_name end limit 1;
  return v_plan;
end $function$;

CREATE OR REPLACE FUNCTION private.hash_of(p_secret text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN encode(sha256(convert_to(COALESCE(p_secret, ''::text), 'UTF8'::name)), 'hex'::text);

CREATE OR REPLACE FUNCTION private.import_plans(p_rows jsonb, p_private boolean DEFAULT true)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_user();
  -- Imports of one person take turns here, so that the second sees what the first has shared.
  perform private.spend_attempt('plan import');
  -- Neither does it try any number of addresses.
  perform private.require_few_rows(jsonb_path_query_array(p_rows, '$[*].invite[*]'));
  for key, fate, params in select f.key, f.fate, f.params from private.preview_import(p_rows) as f loop
    if fate = 'new' then
      -- The import as a whole was counted.
      perform set_config('request.counted', 'plan creation', true);
      params := params || private.share_imported(params, p_private, (
        select r -> 'invite' from jsonb_array_elements(p_rows) as r where r ->> 'key' = import_plans.key limit 1));
      fate := 'done';
    end if;
    return next;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.keep_house()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.outgoing_mail
  where created_at < now() - interval '30 days' and (sent_at is not null or given_up_at is not null);
  delete from public.message_drafts where made_at < now() - private.draft_lifetime();
  delete from private.webhook_deliveries where made_at < now() - private.delivery_memory();
  delete from private.account_changes where happened_at < now() - private.change_memory();
  select private.forget_push_devices();
  delete from public.plan_alerts where expires_at < now();
  delete from private.told_plans as t where not exists (select from public.plan_alerts as a where a.user_id = t.user_id);
  delete from private.rate_limit_usage where used_at[cardinality(used_at)] < now() - interval '1 day';
  delete from public.user_notifications
  where created_at < now() - case when read then interval '90 days' else interval '1 year' end;
$function$;

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
    and u.deleted_at is null and coalesce(u.banned_until <= now(), true);
  if not found then
    raise exception 'This token is unknown or has expired' using errcode = 'PT401';
  end if;
  return v_token;
end $function$;

CREATE OR REPLACE FUNCTION private.longest_token()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 365;

CREATE OR REPLACE FUNCTION private.mail_account_change(p_change private.account_changes, p_token text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_title text := case p_change.kind
    when 'email' then 'The email address of your account was changed'
    when 'password' then 'The password of your account was changed'
    when 'factor-added' then 'An authenticator app was added to your account'
    when 'factor-removed' then 'An authenticator app was removed from your account'
    when 'passkey-added' then 'A passkey was added to your account'
    when 'passkey-removed' then 'A passkey was removed from your account'
    when 'recovery-codes' then 'The recovery codes of your account were changed'
    when 'bank-account' then 'The bank account for your payouts was changed'
    when 'token-added' then 'A token for programs was added to your account'
    when 'sign-in-added' then 'Another sign-in was added to your account'
    when 'webhook-added' then 'A webhook was added to your account'
    when 'webhook-secret' then 'The secret of a webhook was replaced'
  end;
  v_at text := to_char(p_change.happened_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI "UTC"');
  v_address text := private.masked_address((select email from auth.users where id = p_change.user_id and p_change.kind = 'email'));
  v_hours numeric := private.hours(private.undo_lifetime());
begin
  perform private.write_mail(p_change.told, p_change.user_id, v_title, jsonb_build_object(
    'heading', v_title,
    'sentences', jsonb_build_array(
      format('It was changed on %s.', v_at) || coalesce(format(' The account now uses %s.', v_address), ''),
      'If it wasn’t you, undo it: ' || case
        when p_change.kind = 'email' then 'the account gets this address back'
        when p_change.kind = 'password' then 'the new password stops working'
        when p_change.kind in ('factor-added', 'passkey-added', 'token-added', 'sign-in-added', 'webhook-added') then 'it is removed again'
        when p_change.kind = 'recovery-codes' then 'these codes stop working'
        when p_change.kind = 'webhook-secret' then 'the webhook is removed'
        when p_change.kind = 'bank-account' then 'nothing more is paid to it'
        -- Nobody else knows what it was.
        else 'we can’t restore what was removed, but whoever did it is locked out'
      end || '. We also undo later changes and sign out every device, and you choose a new password.'
    ),
    'action', 'This wasn’t me',
    'path', '/undo-change#token=' || p_token,
    'small_print', format('The link works once, for %s hours.', v_hours),
    'closing', 'Was it you? Then there’s nothing to do.'
  ), 'account-' || p_change.kind,
    jsonb_build_object('at', p_change.happened_at, 'address', v_address, 'hours', v_hours), array[p_change.id::text]);
end $function$;

CREATE OR REPLACE FUNCTION private.make_api_token(p_name text, p_scopes text[], p_days integer)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_token text := 'pot_' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_id uuid;
begin
  perform private.require_recent_proof();
  if (p_days between 1 and private.longest_token()) is not true then
    raise exception 'A token lasts between 1 and % days', private.longest_token() using errcode = '23514';
  end if;
  -- Each is told by mail. Attempts of one person take turns, so nobody passes the maximum.
  perform private.spend_attempt('new token');
  if (select count(*) from private.api_tokens where user_id = v_user) >= private.most_tokens() then
    raise exception 'You have % tokens. Remove one first.', private.most_tokens() using errcode = '23514';
  end if;
  insert into private.api_tokens (user_id, name, scopes, token_hash, expires_at)
  values (v_user, btrim(p_name), array(select distinct unnest(p_scopes) order by 1), private.hash_of(v_token), clock_timestamp() + make_interval(days => p_days))
  returning id into v_id;
  perform private.note_account_change(v_user, 'token-added', (select email from auth.users where id = v_user), v_id);
  return v_token;
end $function$;

CREATE OR REPLACE FUNCTION private.meant_plan(p_plans private.catalogue_plan[], p_words text, p_price numeric, OUT plan private.catalogue_plan, OUT certain boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_best integer;
  v_scores numeric[];
  v_positions integer[];
  v_prices numeric[] := array(
    select round(price / case billing_cycle when 'yearly' then 12 else 1 end, 2) from unnest(p_plans));
begin
  certain := true;
  if cardinality(array_positions(v_prices, round(p_price, 2))) = 1 then
    plan := p_plans[array_position(v_prices, round(p_price, 2))];
    return;
  end if;
  select array_agg(score order by score desc), (array_agg(at order by score desc))[1] into v_scores, v_best from (
    -- Words that the text has count; those it lacks only break ties.
    select at, (select sum(case when p_words like '% ' || word || ' %' then 1 else -0.01 end)
      from unnest(string_to_array(btrim(private.plain_words(regexp_replace(p_plans[at].name, '\(.*\)', ''))), ' ')) as word) as score
    from generate_subscripts(p_plans, 1) as at
  ) as scored;
  if v_scores[1] > 0 and v_scores[1] > coalesce(v_scores[2], 0) then
    plan := p_plans[v_best];
    return;
  end if;
  select array_agg(at order by abs(v_prices[at] - p_price), at) into v_positions
  from generate_subscripts(p_plans, 1) as at where p_plans[at].max_members > 1;
  plan := p_plans[coalesce(v_positions[1], 1)];
  certain := coalesce(cardinality(v_positions), 0) < 2;
end $function$;

CREATE OR REPLACE FUNCTION private.most_imported_rows()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 2000;

CREATE OR REPLACE FUNCTION private.most_tokens()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 20;

CREATE OR REPLACE FUNCTION private.most_webhooks()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 10;

CREATE OR REPLACE FUNCTION private.my_api_tokens()
 RETURNS TABLE(id uuid, name text, scopes text[], made_at timestamp with time zone, expires_at timestamp with time zone, last_used_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select t.id, t.name, t.scopes, t.made_at, t.expires_at, t.last_used_at
  from private.api_tokens as t where t.user_id = private.require_user() order by t.made_at desc, t.id
$function$;

CREATE OR REPLACE FUNCTION private.my_conversations()
 RETURNS TABLE(id uuid, subscription_id text, plan text, is_owner boolean, person_id uuid, person text, is_question boolean, archived boolean, unread boolean, last_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select c.id, c.subscription_id, s.provider || ' ' || s.name, c.owner_id = v_user, u.user_id, u.display_name, c.is_question,
      c.archived, p.has_unread, (select max(m.created_at) from public.messages as m where m.conversation_id = c.id) as last_at
    from public.chat_participants as p
    join public.conversations as c on c.id = p.conversation_id
    join public.shared_subscriptions as s on s.id = c.subscription_id
    join public.user_profiles as u on u.user_id = case c.owner_id when v_user then c.member_id else c.owner_id end
    where p.user_id = v_user order by last_at desc nulls last, c.id;
end $function$;

CREATE OR REPLACE FUNCTION private.my_webhook_deliveries(p_webhook_id uuid, p_after integer DEFAULT 0)
 RETURNS TABLE(id uuid, type text, payload jsonb, made_at timestamp with time zone, attempts integer, next_attempt_at timestamp with time zone, last_attempt_at timestamp with time zone, last_status integer, last_error text, last_answer text, last_ms integer, delivered_at timestamp with time zone, failed_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select d.id, d.type, d.payload, d.made_at, d.attempts, d.next_attempt_at, d.last_attempt_at, d.last_status, d.last_error,
      d.last_answer, d.last_ms, d.delivered_at, d.failed_at
    from private.webhook_deliveries as d join private.webhooks as w on w.id = d.webhook_id
    where d.webhook_id = p_webhook_id and w.user_id = v_user
    order by d.made_at desc, d.id offset greatest(p_after, 0) limit private.deliveries_page();
end $function$;

CREATE OR REPLACE FUNCTION private.my_webhooks()
 RETURNS TABLE(id uuid, name text, host text, events text[], made_at timestamp with time zone, old_until timestamp with time zone, stopped_at timestamp with time zone, stopped_why text, last_attempt_at timestamp with time zone, has_failed boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select w.id, w.name, w.host, w.events, w.made_at, case when w.old_until > clock_timestamp() then w.old_until end, w.stopped_at, w.stopped_why,
    d.last_attempt_at, d.id is not null and d.delivered_at is null and d.taken_at is null
  from private.webhooks as w
  left join lateral (
    select * from private.webhook_deliveries where webhook_id = w.id and last_attempt_at is not null order by made_at desc, id limit 1
  ) as d on true
  where w.user_id = private.require_user() order by w.made_at desc, w.id
$function$;

CREATE OR REPLACE FUNCTION private.old_secret_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '24:00:00'::interval;

CREATE OR REPLACE FUNCTION private.payments_named_in(p_text text)
 RETURNS SETOF public.member_payments
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_letters text := regexp_replace(upper(p_text), '[^A-Z0-9]', '', 'g');
begin
  if v_letters ~ 'PL[0-9A-F]{8}[0-9]' then
    return query
    select m.* from public.member_payments as m
    where m.owner_id = auth.uid() and m.settlement = 'direct' and position(replace(m.reference, '-', '') in v_letters) > 0
      -- PL-0A1B2C3D-1 is not in PL-0A1B2C3D-12.
      and upper(p_text) ~ (regexp_replace(replace(m.reference, '-', ''), '(.)(?=.)', '\1[^A-Z0-9]*', 'g') || '(?![0-9])');
  end if;
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
  -- Due work ends the seat, because it locks membership and plan first.
  if v_next is null then return; end if;
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

CREATE OR REPLACE FUNCTION private.period_paid(p_period uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.status in ('paid', 'closed', 'given-back') then return; end if;
  if v_seat.ended_at is not null or v_period.status = 'cancelled' then
    perform private.give_back(p_period, least(v_period.share, v_period.coins + v_period.card),
      greatest(0, v_period.coins + v_period.card - v_period.share), 'too-late');
    -- Its member can pay, so the next month begins like any other.
    update private.seats set late_since = null where id = v_seat.id and ended_at is null;
    return;
  elsif v_period.coins + v_period.card < v_period.amount then
    -- The coins of this attempt were returned and spent, so the amount is too small; it cannot be charged again.
    update public.member_payments set status = 'failed', next_attempt_at = null where id = p_period;
    perform private.wake_seat(v_seat.id);
    return;
  end if;
  update public.member_payments set status = 'paid', paid_at = private.now(), next_attempt_at = null, note = null
  where id = p_period returning * into v_period;
  update private.seats set late_since = null, admitted_at = coalesce(admitted_at, private.now()) where id = v_seat.id;
  v_seat := private.begin_periods(v_seat.id);
  perform private.tell_paid(array[v_period.id]);
  if v_period.number = 1 then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-paid', 'Member Has Paid',
      format(case when v_seat.access_given_at is null then '%s has paid for %s. Give them access within %s hours.'
        else '%s has paid for %s.' end, (select display_name from public.user_profiles where user_id = v_seat.member_id),
        v_period.plan_name, private.hours(private.access_time())), jsonb_build_object('payment', p_period, 'amount', v_period.amount, 'hours', private.hours(private.access_time()),
        'given', v_seat.access_given_at is not null));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.plain_words(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select ' ' || btrim(regexp_replace(regexp_replace(regexp_replace(normalize(lower(replace(left(p_text, 200), '+', ' plus ')), nfkd),
    '[\u0300-\u036f]', '', 'g'), '[^a-z0-9]+', ' ', 'g'), '\mfam(ilia|ilie|ille|iglia|ilies)\M', 'family', 'g')) || ' '
$function$;

CREATE OR REPLACE FUNCTION private.prepare_webhook(p_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_webhook private.webhooks;
begin
  perform private.require_recent_proof();
  if p_id is not null then
    v_webhook := private.require_webhook(p_id);
  end if;
  return jsonb_build_object('owner', jsonb_build_object('kind', 'person', 'id', v_user), 'key', private.vault_key_of(v_user),
    'current', case when p_id is not null then jsonb_build_object('id', p_id, 'version', v_webhook.version, 'sealed', v_webhook.sealed) end);
end $function$;

CREATE OR REPLACE FUNCTION private.preview_import(p_rows jsonb)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plans private.catalogue_plan[] := array(select p from private.catalogue_plans() as p);
  v_shared text[] := array(select s.provider from public.shared_subscriptions as s where s.owner_id = v_user);
  v_taken text[] := '{}';
  v_row record;
  v_meant record;
  v_plan private.catalogue_plan;
  v_renews date;
begin
  perform private.require_few_rows(p_rows);
  for v_row in
    with sellers as materialized (
      select distinct p.provider, words from unnest(v_plans) as p,
        unnest(array[private.plain_words(p.provider), private.plain_words(replace(p.provider, '+', ''))]) as words
    ), wanted as materialized (
      select r.*, private.plain_words(r.name) as words,
        r.price / case when r.unit = 'year' or r.every = 12 then 12 else 1 end as monthly,
        (r.unit, r.every) in (('month', 1), ('month', 12), ('year', 1)) as is_regular
      from rows from (jsonb_to_recordset(p_rows) as (key text, name text, kind text, price numeric, currency text, unit text, every integer,
        date date, payer text, plan text, places integer, renews date)) with ordinality
        as r (key, name, kind, price, currency, unit, every, date, payer, plan, places, renews, at)
    )
    select w.*, coalesce((select p.provider from unnest(v_plans) as p where p.id = w.plan), (
      -- “HBOMax” is HBO Max; “Apple TV+” is Apple TV.
      select s.provider from sellers as s where w.plan is null and w.is_regular and w.currency = 'EUR'
        and (position(s.words in w.words) > 0 or replace(w.words, ' ', '') like replace(s.words, ' ', '') || '%')
      order by length(s.words) desc, s.provider limit 1
    )) as provider
    from wanted as w order by w.at
  loop
    key := v_row.key;
    params := '{}';
    fate := case
      when v_row.kind is not null then v_row.kind
      when v_row.unit is null then 'once'
      when v_row.is_regular is not true then 'irregular'
      when v_row.date < current_date - case when v_row.unit = 'year' or v_row.every = 12 then interval '15 months' else interval '3 months' end then 'ended'
      when v_row.currency is distinct from 'EUR' then 'currency'
      when v_row.payer is not null then 'theirs'
      when v_row.provider is null then 'unknown'
      when v_row.provider = any (v_shared) then 'shared'
      when v_row.provider = any (v_taken) then 'twice'
      when exists (select from public.closed_providers as c where c.provider = v_row.provider) then 'closed'
    end;
    if fate is null then
      v_taken := v_taken || v_row.provider::text;
      v_meant := private.meant_plan(array(select p from unnest(v_plans) as p
        where case when v_row.plan is null then p.provider = v_row.provider else p.id = v_row.plan end), v_row.words, v_row.monthly);
      v_plan := v_meant.plan;
      -- The next time after the last one that is known.
      v_renews := coalesce(v_row.renews, (
        select (v_row.date + months * interval '1 month')::date from generate_series(0, 36, case when v_row.unit = 'year' or v_row.every = 12 then 12 else 1 end) as months
        where (v_row.date + months * interval '1 month')::date >= current_date order by months limit 1));
      fate := case
        when v_plan.max_members < 2 then 'single'
        when not v_meant.certain then 'choose'
        when v_renews is null or v_renews < current_date or v_renews > current_date + 3660 then 'date'
        else 'new'
      end;
      params := jsonb_build_object('plan', v_plan.id, 'name', v_plan.name, 'price', v_plan.price, 'cycle', v_plan.billing_cycle,
        'most', v_plan.max_members, 'places', least(v_plan.max_members, greatest(2, coalesce(v_row.places, v_plan.max_members))),
        'renews', case when fate = 'date' then null else v_renews end);
    end if;
    params := jsonb_strip_nulls(params || jsonb_build_object('provider', v_row.provider));
    return next;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.propose_direct_payments(p_entries jsonb)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_user();
  return query select f.key, f.fate, f.params from private.entry_fates(p_entries) as f;
end $function$;

CREATE OR REPLACE FUNCTION private.propose_terms(p_subscription_id text, p_settlement text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_sold private.catalogue_plan := private.find_catalogue_plan(v_plan.catalogue_plan_id, v_plan.provider, v_plan.name);
  v_price numeric := round(coalesce(v_sold.price, v_plan.total_price), 2);
  v_share numeric := round(coalesce(v_sold.price, v_plan.total_price) / v_plan.max_members, 2);
  v_request public.subscription_requests;
  v_seat private.seats;
  v_asked integer := 0;
begin
  if p_settlement is null or p_settlement not in ('direct', 'potluck') then
    raise exception 'Choose whether members pay you directly or through the site' using errcode = '23514';
  elsif (v_plan.settlement, v_plan.member_price) = (p_settlement, v_share) then
    raise exception 'These are the current terms' using errcode = '23514';
  end if;
  perform private.require_settlement(p_settlement, v_plan.billing_cycle, v_share, v_plan.fee_rate);
  -- This update counts as an owner action. Instant plans need payment through the site.
  update public.shared_subscriptions set settlement = p_settlement, total_price = v_price, member_price = v_share,
    instant_from = case p_settlement when 'potluck' then instant_from end
  where id = v_plan.id;
  if (v_plan.settlement, p_settlement) = ('direct', 'potluck') or v_share > v_plan.member_price then
    for v_request in
      select r.* from public.subscription_requests as r
      where r.subscription_id = v_plan.id and private.is_open_request(r) order by r.id for update
    loop
      perform private.turn_down(v_plan, v_request);
    end loop;
  end if;
  for v_seat in
    select * from private.seats where subscription_id = v_plan.id and ended_at is null order by id for update
  loop
    delete from public.term_proposals where seat_id = v_seat.id and answered_at is null;
    continue when (v_seat.settlement, v_seat.share) = (p_settlement, v_share);
    insert into public.term_proposals (seat_id, subscription_id, owner_id, member_id, settlement, share)
    values (v_seat.id, v_plan.id, v_seat.owner_id, v_seat.member_id, p_settlement, v_share);
    v_asked := v_asked + 1;
    perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'terms-proposed', 'New Terms Proposed',
      format('The owner of %s %s proposes new terms: %s a %s, paid %s. Nothing changes unless you accept.', v_seat.provider,
        v_seat.plan_name, private.euros(v_share), case v_seat.billing_cycle when 'yearly' then 'year' else 'month' end,
        case p_settlement when 'direct' then 'directly' else 'through the site' end),
      jsonb_build_object('settlement', p_settlement, 'share', v_share, 'cycle', v_seat.billing_cycle));
  end loop;
  return v_asked;
end $function$;

CREATE OR REPLACE FUNCTION private.queue_charges(p_periods uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_provider text := coalesce((select provider from private.payment_provider), 'stripe');
begin
  if coalesce(cardinality(p_periods), 0) = 0 then return; end if;
  perform private.refuse_tokens();
  update public.member_payments set next_attempt_at = private.now() + private.charging_time()
  where id = any (p_periods) and next_attempt_at is null;
  insert into private.charges as c (payment_id, provider) select period, v_provider from unnest(p_periods) as period
  on conflict (payment_id) do update set on_session = false where c.status not in ('charging', 'processing', 'succeeded');
  perform private.queue_payment_jobs('charge', p_periods::text[], v_provider);
end $function$;

CREATE OR REPLACE FUNCTION private.refuse_tokens()
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if auth.jwt() ? 'token_id' then
    raise exception 'Tokens cannot move money. Do this in the app.' using errcode = 'PT403';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.reject_subscription_request(p_request_id uuid, p_subscription_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_request public.subscription_requests := private.lock_open_request(p_request_id, p_subscription_id);
begin
  perform private.spend_attempt('rejection');
  perform private.turn_down(v_plan, v_request);
end $function$;

CREATE OR REPLACE FUNCTION private.require_few_rows(p_rows jsonb)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) > private.most_imported_rows() then
    raise exception 'Bring along % rows at a time', private.most_imported_rows() using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_open_chat(p_conversation_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_conversation public.conversations;
begin
  -- Writers share this lock, but wait for anybody archiving the chat.
  select * into v_conversation from public.conversations
  where id = p_conversation_id and v_user in (owner_id, member_id) for share;
  if not found then
    raise exception 'Unauthorized: Cannot send message to this conversation' using errcode = '42501';
  elsif v_conversation.archived and not v_conversation.is_question then
    raise exception 'This conversation has been archived because the member has left the subscription.' using errcode = '23514';
  elsif v_conversation.archived or v_conversation.question_until <= now() - private.unnoticed_gap() then
    raise exception 'This conversation has ended.' using errcode = '23514';
  end if;
  perform private.require_reachable(case v_user when v_conversation.owner_id then v_conversation.member_id
    else v_conversation.owner_id end, 'This conversation is closed');
end $function$;

CREATE OR REPLACE FUNCTION private.require_running(p_webhook private.webhooks)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_webhook.stopped_at is not null then
    raise exception 'This webhook has stopped. Turn it on first.' using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_webhook(p_id uuid)
 RETURNS private.webhooks
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_webhook private.webhooks;
begin
  select * into v_webhook from private.webhooks where id = p_id and user_id = private.require_user() for no key update;
  if not found then
    raise exception 'Webhook not found' using errcode = 'PT404';
  end if;
  return v_webhook;
end $function$;

CREATE OR REPLACE FUNCTION private.resend_webhook_delivery(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_webhook private.webhooks := private.require_webhook((select webhook_id from private.webhook_deliveries where id = p_id));
begin
  perform private.spend_attempt('webhook');
  perform private.require_running(v_webhook);
  update private.webhook_deliveries set attempts_before = attempts, next_attempt_at = clock_timestamp(), delivered_at = null, failed_at = null
  where id = p_id and num_nonnulls(delivered_at, failed_at) = 1;
  if not found then
    raise exception 'This is still being sent' using errcode = '23514';
  end if;
  perform private.call_function('webhooks');
end $function$;

CREATE OR REPLACE FUNCTION private.resume_webhook(p_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_webhook(p_id);
  update private.webhooks set stopped_at = null, stopped_why = null, failing_since = null where id = p_id;
  perform private.call_back_mail(p_id::text);
  return private.test_webhook(p_id);
end $function$;

CREATE OR REPLACE FUNCTION private.save_webhook(p_user_id uuid, p_id uuid, p_version integer, p_sealed text, p_key jsonb, p_name text DEFAULT NULL::text, p_host text DEFAULT NULL::text, p_events text[] DEFAULT NULL::text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.act_for(p_user_id);
  -- Attempts of one person take turns, so nobody passes the maximum.
  perform private.spend_attempt('webhook');
  if p_key is not null then
    perform private.keep_vault_key(p_key);
  end if;
  if p_version = 1 then
    if (select count(*) from private.webhooks where user_id = p_user_id) >= private.most_webhooks() then
      raise exception 'You have % webhooks. Remove one first.', private.most_webhooks() using errcode = '23514';
    end if;
    insert into private.webhooks (id, user_id, name, host, events, version, sealed)
    values (p_id, p_user_id, btrim(p_name), p_host, array(select distinct unnest(p_events) order by 1), 1, p_sealed);
  else
    update private.webhooks set old_sealed = sealed, old_until = clock_timestamp() + private.old_secret_time(), sealed = p_sealed, version = p_version
    where id = p_id and user_id = p_user_id and version = p_version - 1;
    if not found then
      raise exception 'Something else changed at the same moment. Please try again.' using errcode = 'PT409';
    end if;
  end if;
  perform private.note_account_change(p_user_id, case p_version when 1 then 'webhook-added' else 'webhook-secret' end,
    private.email_of(p_user_id), p_id);
end $function$;

CREATE OR REPLACE FUNCTION private.settle_delivery(p_id uuid, p_attempt integer, p_status integer, p_error text, p_answer text, p_ms integer, p_retry_after integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := clock_timestamp();
  v_arrived boolean := coalesce(p_status between 200 and 299, false) and p_error is null;
  v_delivery private.webhook_deliveries;
  v_webhook private.webhooks;
  v_waits constant interval[] := '{5 seconds,5 minutes,30 minutes,2 hours,5 hours,8 hours,9 hours}';
  v_wait interval;
begin
  select w.* into v_webhook from private.webhooks as w
  where w.id = (select webhook_id from private.webhook_deliveries where id = p_id) for no key update;
  select * into v_delivery from private.webhook_deliveries where id = p_id for no key update;
  if not found or num_nonnulls(v_delivery.delivered_at, v_delivery.failed_at) > 0
    or (v_delivery.attempts <> p_attempt and not v_arrived) then return; end if;
  v_wait := v_waits[p_attempt - v_delivery.attempts_before];
  if v_wait is not null and p_retry_after is not null then
    v_wait := greatest(v_wait, least(make_interval(secs => p_retry_after), v_wait + interval '1 hour'));
  end if;
  update private.webhook_deliveries set taken_at = null, last_status = p_status, last_error = left(p_error, 500),
    last_answer = left(nullif(p_answer, ''), 1024), last_ms = p_ms, next_attempt_at = v_now + coalesce(v_wait, '0'),
    delivered_at = case when v_arrived then v_now end, failed_at = case when not v_arrived and v_wait is null then v_now end
  where id = p_id;
  if v_arrived then
    update private.webhooks set failing_since = null where id = v_webhook.id and failing_since is not null;
  elsif p_status = 410 then
    perform private.stop_webhook(v_webhook.id, 'gone');
  elsif v_webhook.failing_since <= v_now - private.webhook_patience() then
    perform private.stop_webhook(v_webhook.id, 'failing');
  elsif v_webhook.failing_since is null then
    update private.webhooks set failing_since = v_now where id = v_webhook.id;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.share_imported(p_plan jsonb, p_private boolean, p_addresses jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id text;
  v_status text;
  v_address text;
  v_invited jsonb := '[]';
begin
  insert into public.shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, is_private)
  values (p_plan ->> 'plan', (p_plan ->> 'places')::integer, (p_plan ->> 'renews')::date, p_private) returning id, status into v_id, v_status;
  for v_address in select jsonb_array_elements_text(coalesce(p_addresses, '[]')) loop
    begin
      perform private.invite_member(v_id, v_address);
      v_invited := v_invited || jsonb_build_object('email', v_address);
    exception when check_violation or unique_violation or insufficient_privilege or sqlstate 'PT429' then
      v_invited := v_invited || jsonb_build_object('email', v_address, 'refusal', sqlerrm);
    end;
  end loop;
  return jsonb_build_object('id', v_id, 'status', v_status, 'invited', v_invited);
end $function$;

CREATE OR REPLACE FUNCTION private.stop_webhook(p_id uuid, p_why text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_webhook private.webhooks;
begin
  update private.webhooks set stopped_at = clock_timestamp(), stopped_why = p_why where id = p_id and stopped_at is null returning * into v_webhook;
  if not found then return; end if;
  update private.webhook_deliveries set failed_at = clock_timestamp(), taken_at = null
  where webhook_id = p_id and delivered_at is null and failed_at is null;
  perform private.mail_notification(private.notify(v_webhook.user_id, 'warning', 'A Webhook Has Stopped',
    format(case p_why when 'gone' then '“%s” said that it’s gone, so nothing more is sent there.'
      else '“%s” hasn’t taken anything for a day, so nothing more is sent there.' end, v_webhook.name), null,
    'webhook-stopped', jsonb_build_object('name', v_webhook.name, 'why', p_why, 'webhook', p_id)),
    array[p_id::text], 'Open your webhooks', '/account-settings/elsewhere');
end $function$;

CREATE OR REPLACE FUNCTION private.take_due_deliveries(p_limit integer)
 RETURNS TABLE(id uuid, attempt integer, payload jsonb, webhook_id uuid, owner_id uuid, version integer, sealed text, old_sealed text, key jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := clock_timestamp();
  v_ids uuid[];
begin
  -- One at a time, or two would count the same ones as being sent.
  perform pg_advisory_xact_lock(hashtextextended('potluck.take_due_deliveries', 0));
  with recursive sending as materialized (
    select d.webhook_id, w.user_id from private.webhook_deliveries as d join private.webhooks as w on w.id = d.webhook_id
    where d.taken_at is not null and d.next_attempt_at > v_now
  ), queues (webhook_id) as (
    (select d.webhook_id from private.webhook_deliveries as d where d.delivered_at is null and d.failed_at is null order by 1 limit 1)
    union all
    select (
      select d.webhook_id from private.webhook_deliveries as d
      where d.delivered_at is null and d.failed_at is null and d.webhook_id > q.webhook_id order by 1 limit 1
    ) from queues as q where q.webhook_id is not null
  ), first as (
    select due.id, due.next_attempt_at,
      (select count(*) from sending as s where s.user_id = w.user_id)
        + row_number() over (partition by w.user_id order by due.place, due.next_attempt_at) as of_person
    from queues as q join private.webhooks as w on w.id = q.webhook_id and w.stopped_at is null
    cross join lateral (select count(*) as number from sending as s where s.webhook_id = w.id) as sent
    cross join lateral (
      select d.id, d.next_attempt_at, sent.number + row_number() over (order by d.next_attempt_at) as place from private.webhook_deliveries as d
      where d.webhook_id = w.id and d.next_attempt_at <= v_now and d.delivered_at is null and d.failed_at is null
      order by d.next_attempt_at limit greatest(0, private.deliveries_at_once_per_webhook() - sent.number)
    ) as due
  )
  select array(
    select f.id from first as f where f.of_person <= private.deliveries_at_once_per_person() order by f.of_person, f.next_attempt_at
    limit greatest(0, least(p_limit, private.deliveries_at_once() - (select count(*) from sending)))
  ) into v_ids;
  return query
    with taken as (
      update private.webhook_deliveries as d set attempts = d.attempts + 1, taken_at = v_now, last_attempt_at = v_now,
        next_attempt_at = v_now + interval '1 minute'
      where d.id = any (v_ids) and d.delivered_at is null and d.failed_at is null
      returning d.*
    )
    select t.id, t.attempts, t.payload, w.id, w.user_id, w.version, w.sealed,
      case when w.old_until > v_now then w.old_sealed end, private.vault_key_of(w.user_id)
    from taken as t join private.webhooks as w on w.id = t.webhook_id;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_paid(p_periods uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.tell_seats(array(
    select private.seat_news(s, m.member_id, 'success', case when terms is null then 'payment-made' else 'contract-made' end,
      'Payment Received', concat_ws(' ', format('We received your %s for %s.', private.euros(m.amount), m.plan_name),
        private.terms_in_words(terms)),
      jsonb_build_object('payment', m.id, 'amount', m.amount, 'asked', terms -> 'asked', 'at', terms -> 'at', 'until', terms -> 'until'),
      p_invoiced => case when m.fee > 0 then m.id end)
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    cross join lateral private.contract_terms(s, m) as terms where m.id = any (p_periods)));
end $function$;

CREATE OR REPLACE FUNCTION private.tell_payment(p_payment public.member_payments, p_to_owner boolean, p_type text, p_event text, p_title text, p_sentence text, p_note text DEFAULT NULL::text, p_params jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  select * into v_seat from private.seats where id = p_payment.seat_id;
  perform private.tell_seat(v_seat, case when p_to_owner then p_payment.owner_id else p_payment.member_id end, p_type, p_event, p_title,
    format(p_sentence, private.euros(p_payment.amount), p_payment.plan_name, (select display_name from public.user_profiles
      where user_id = case when p_to_owner then p_payment.member_id else p_payment.owner_id end), p_note),
    jsonb_strip_nulls(jsonb_build_object('payment', p_payment.id, 'amount', p_payment.amount, 'reference', p_payment.reference, 'note', p_note)) || p_params);
end $function$;

CREATE OR REPLACE FUNCTION private.tell_seats(p_news private.news[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  -- A plan that is being cancelled waits for the seat, so waiting for the plan would deadlock.
  v_plans text[] := private.keep_plans(array(
    select distinct (seat).subscription_id from unnest(p_news) where (seat).ended_at is null or user_id = (seat).owner_id));
  v_mailings private.mailing[];
begin
  with given as materialized (
    select n.*, told.id, told as notice from unnest(p_news) as n
    left join lateral (select display_name from public.user_profiles where user_id = (n.seat).member_id offset 0) as member on true
    left join lateral (select display_name from public.user_profiles where user_id = (n.seat).owner_id offset 0) as owner on true
    left join unnest(v_plans) as kept on kept = (n.seat).subscription_id
    cross join lateral private.notice(n.user_id, n.type, n.title, n.message,
      case when (n.seat).ended_at is null or n.user_id = (n.seat).owner_id then kept end,
      n.event, n.params || jsonb_build_object('plan', (n.seat).provider || ' ' || (n.seat).plan_name, 'member', member.display_name,
        'owner', owner.display_name, 'seat', (n.seat).id)) as told
  ), told as (
    insert into public.user_notifications select (notice).* from given
  )
  select array_agg((given.id, array_remove(array[(seat).id::text, plan], null),
    case when invoice is not null then 'See the invoice' when plan is null then 'See your payments' else 'Open the plan' end,
    case when invoice is not null then '/payments/' || invoice when plan is null then '/payments'
      when user_id = (seat).owner_id then '/manage-shared/' || plan else '/manage-subscribed/' || plan end)::private.mailing)
  into v_mailings from given
  cross join lateral (select (notice).subscription_id) as opens (plan)
  left join lateral (
    select m.id from public.member_payments as m where m.id = given.invoiced and (private.vat_mode_at(m.paid_at) is not null
      or exists (select from public.fee_invoices where payment_id = m.id))
  ) as invoiced (invoice) on true where given.mails;
  perform private.mail_notifications(v_mailings);
end $function$;

CREATE OR REPLACE FUNCTION private.test_webhook(p_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_webhook private.webhooks := private.require_webhook(p_id);
  v_id uuid;
begin
  perform private.spend_attempt('webhook');
  perform private.require_running(v_webhook);
  insert into private.webhook_deliveries (webhook_id, type, payload)
  values (p_id, 'test', private.webhook_payload('test', clock_timestamp(), jsonb_build_object('event', 'webhook-test', 'webhook', v_webhook.name)))
  returning id into v_id;
  return v_id;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_conversations__call_back()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.call_back_mail(new.id::text);
  delete from public.message_drafts where conversation_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_identities__tell_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The first one came with the account.
  if exists (select from auth.identities where user_id = new.user_id and id <> new.id) then
    perform private.note_account_change(new.user_id, 'sign-in-added', (select email from auth.users where id = new.user_id), new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_messages__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := auth.uid();
begin
  if v_user is null then return new; end if;
  if coalesce(new.sender_id, v_user::text) <> v_user::text or coalesce(new.message_type, 'user') <> 'user' then
    raise exception 'Unauthorized: Cannot send message to this conversation' using errcode = '42501';
  end if;
  perform private.require_open_chat(new.conversation_id);
  perform private.named_profile(v_user);
  new.content := coalesce(new.content, '');
  perform private.require_message(new.content);
  perform private.spend_attempt('chat message');
  new.id := coalesce(new.id, gen_random_uuid());
  new.sender_id := v_user::text;
  new.message_type := 'user';
  new.created_at := clock_timestamp();
  new.metadata := jsonb_build_object('status', 'delivered', 'retry_count',
    case when jsonb_typeof(new.metadata -> 'retry_count') = 'number'
      then least(3, greatest(0, trunc((new.metadata ->> 'retry_count')::numeric))) else 0 end);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_messages__queue_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.webhook_deliveries (webhook_id, type, payload)
  select hears.id, 'message', private.webhook_payload('message', new.created_at, jsonb_build_object(
    'event', 'chat-message', 'message_id', new.id, 'conversation_id', c.id, 'plan_id', p.id, 'plan', p.provider || ' ' || p.name,
    'person', private.first_name((select display_name from public.user_profiles where user_id::text = new.sender_id))))
  from public.conversations as c
  cross join lateral private.webhooks_for(case when c.owner_id::text = new.sender_id then c.member_id else c.owner_id end, 'message') as hears (id)
  join public.shared_subscriptions as p on p.id = c.subscription_id
  where c.id = new.conversation_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_messages__use_draft()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.message_drafts where id = new.id and user_id::text = new.sender_id;
  return null;
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
  perform private.require_unblocked(v_plan.owner_id, 'This plan takes no new members right now');
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

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_plan public.shared_subscriptions;
begin
  if auth.uid() is null or (private.is_wavering(new) and not new.instant) then return null; end if;
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id;
  if new.instant then
    perform private.notify(v_plan.owner_id, 'success', 'New Member',
      format('%s has joined %s %s instantly.', new.name, v_plan.provider, v_plan.name), v_plan.id,
      'member-let-in', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name, 'request', new.id));
    return null;
  end if;
  perform private.mail_notification(private.notify(v_plan.owner_id, 'info', 'New Join Request',
    format('%s would like to join %s %s.', new.name, v_plan.provider, v_plan.name), v_plan.id,
    'request-made', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name, 'request', new.id)),
    array[new.id::text, v_plan.id], 'Answer the request', '/manage-shared/' || v_plan.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_user_notifications__queue_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.webhook_deliveries (webhook_id, type, payload)
  select hears.id, n.webhook_type, private.webhook_payload(n.webhook_type, n.created_at, jsonb_build_object(
    'event', n.event, 'notification_id', n.id, 'plan_id', coalesce(s.subscription_id, n.subscription_id), 'plan', n.params -> 'plan',
    'person', private.first_name(case when coalesce(s.owner_id, p.owner_id) = n.user_id then n.params ->> 'member'
      else coalesce(n.params ->> 'owner', (select display_name from public.user_profiles where user_id = p.owner_id)) end),
    'request_id', n.params -> 'request', 'seat_id', s.id, 'payment_id', n.params -> 'payment', 'problem_id', n.params -> 'problem',
    'amount', (n.params ->> 'amount')::numeric(14, 2)::text, 'currency', case when n.params ? 'amount' then 'EUR' end,
    'day', n.params -> 'day', 'until', n.params -> 'until'))
  -- Few people have a webhook.
  from (
    select t.*, private.webhook_type(t.event, t.params) as webhook_type from told as t
    where exists (select from private.webhooks as w where w.user_id = t.user_id) offset 0
  ) as n
  cross join lateral private.webhooks_for(n.user_id, n.webhook_type) as hears (id)
  left join private.seats as s on s.id = (n.params ->> 'seat')::uuid
  left join public.shared_subscriptions as p on p.id = n.subscription_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_webhook_deliveries__wake()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from made) and current_setting('potluck.called_webhooks', true) is distinct from 'yes' then
    perform set_config('potluck.called_webhooks', 'yes', true);
    perform private.call_function('webhooks');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.ticket_lifetime()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '00:00:30'::interval;

CREATE OR REPLACE FUNCTION private.topic_of(p_event text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = ANY (ARRAY['chat-message'::text, 'question-asked'::text])) THEN 'messages'::text WHEN (p_event = 'plan-found'::text) THEN 'alerts'::text WHEN (p_event ~ '^(problem|access|password|webhook)-'::text) THEN 'access'::text WHEN ((p_event ~ '^(payment|payout|tax|refund|withdrawal|wallet|coins|money)-'::text) OR (p_event = ANY (ARRAY['member-says-paid'::text, 'member-paid'::text, 'member-debited'::text, 'owner-owes-you'::text, 'you-owe-member'::text, 'owed-settled'::text, 'renewal-coming'::text, 'contract-made'::text, 'contract-withdrawn'::text]))) THEN 'money'::text WHEN ((p_event ~ '^(plan|provider-request|admin-access)-(approved|rejected)$'::text) OR (p_event = ANY (ARRAY['review-waits'::text, 'reviews-shown'::text, 'review-hidden'::text, 'report-read'::text, 'support-asked'::text, 'support-answered'::text]))) THEN 'team'::text ELSE 'places'::text END;

CREATE OR REPLACE FUNCTION private.transfer(p_key text, p_from bigint, p_to bigint, p_amount numeric, p_kind text, p_seat uuid DEFAULT NULL::uuid, p_period uuid DEFAULT NULL::uuid, p_description text DEFAULT NULL::text)
 RETURNS private.ledger_transfers
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_account private.ledger_accounts;
  v_from private.ledger_accounts;
  v_to private.ledger_accounts;
  v_transfer private.ledger_transfers;
  -- The time of the lock, not of the transaction, as others may have moved money since; by the site's clock.
  v_at timestamptz;
  v_plan text;
  v_member uuid;
begin
  perform private.refuse_tokens();
  if p_amount is null or p_amount <= 0 or p_amount > private.most_coins() or p_amount <> round(p_amount, 2) then
    raise exception 'Please enter a valid amount' using errcode = '23514';
  end if;
  for v_account in select * from private.ledger_accounts where id in (p_from, p_to) order by id for update loop
    if v_account.id = p_from then v_from := v_account; else v_to := v_account; end if;
  end loop;
  if v_from.id is null or v_to.id is null then
    raise exception 'Money moves between two accounts' using errcode = '23514';
  end if;
  select * into v_transfer from private.ledger_transfers where key = p_key;
  if found then
    if (v_transfer.from_account, v_transfer.to_account, v_transfer.amount) is distinct from (p_from, p_to, p_amount) then
      raise exception 'Another transfer has this key' using errcode = '23505';
    end if;
    return v_transfer;
  end if;

  v_transfer.description := coalesce(p_description, '');
  v_at := clock_timestamp() + (private.now() - now());
  if v_from.kind = 'wallet' then
    v_at := private.write_coins(v_from.owner, p_kind, false, p_amount, v_transfer.description, v_at);
  end if;
  if v_to.kind = 'wallet' then
    v_at := private.write_coins(v_to.owner, p_kind, true, p_amount, v_transfer.description, v_at);
  end if;
  if v_from.balance < p_amount and v_from.kind not in ('outside', 'connected', 'guarantee', 'costs', 'adjustments') then
    raise exception 'The balance cannot go below zero' using errcode = '23514';
  end if;
  if p_seat is not null then
    select subscription_id, member_id into v_plan, v_member from private.seats where id = p_seat;
  end if;
  update private.ledger_accounts set balance = balance - p_amount, version = version + 1 where id = p_from;
  update private.ledger_accounts set balance = balance + p_amount, version = version + 1 where id = p_to;
  insert into private.ledger_transfers
    (key, from_account, to_account, amount, kind, seat_id, period_id, subscription_id, person_id, description, created_at)
  values (p_key, p_from, p_to, p_amount, p_kind, p_seat, p_period, v_plan,
    case when v_to.kind in ('wallet', 'connected') then v_to.owner when v_from.kind in ('wallet', 'connected') then v_from.owner
      else v_member end,
    v_transfer.description, v_at)
  returning * into v_transfer;
  insert into private.ledger_entries (account_id, version, transfer_id, amount, balance_before, balance_after, created_at)
  values
    (p_from, v_from.version + 1, v_transfer.id, -p_amount, v_from.balance, v_from.balance - p_amount, v_at),
    (p_to, v_to.version + 1, v_transfer.id, p_amount, v_to.balance, v_to.balance + p_amount, v_at);
  return v_transfer;
end $function$;

CREATE OR REPLACE FUNCTION private.transfer_all(p_moves private.move[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_at timestamptz;
begin
  if p_moves = '{}' then return; end if;
  perform private.refuse_tokens();
  perform private.lock_ledger(array(select unnest(array[from_account, to_account]) from unnest(p_moves) as m));
  v_at := clock_timestamp() + (private.now() - now());
  if exists (
    select from unnest(p_moves) as m
    left join private.ledger_accounts as giver on giver.id = m.from_account and giver.kind <> 'wallet'
    left join private.ledger_accounts as taker on taker.id = m.to_account
    where (m.amount > 0 and m.amount <= private.most_coins() and m.amount = round(m.amount, 2) and giver.id <> taker.id) is not true
  ) then
    raise exception 'Money moves between two accounts, in whole cents' using errcode = '23514';
  end if;
  with move as (
    select m.*, taker.kind = 'wallet' as is_coins, s.subscription_id,
      case when taker.kind in ('wallet', 'connected') then taker.owner else s.member_id end as person_id,
      -- Each coin movement is strictly later than the one before.
      case taker.kind when 'wallet' then greatest(v_at, interval '1 microsecond'
        + (select max(c.created_at) from public.coin_transactions as c where c.user_id = taker.owner))
        + interval '1 microsecond' * (row_number() over (partition by taker.id order by m.place) - 1) else v_at end as at
    from unnest(p_moves) with ordinality
      as m (key, from_account, to_account, amount, kind, seat_id, period_id, description, place)
    join private.ledger_accounts as taker on taker.id = m.to_account
    left join private.seats as s on s.id = m.seat_id
  ), coins as (
    insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
    select person_id, private.coin_type(kind, true), amount, description, at from move where is_coins
  ), wallet as (
    update public.user_wallets as w set coin_balance = coin_balance + sums.coins, total_earned = total_earned + sums.earned, updated_at = now()
    from (
      select person_id, sum(amount) as coins,
        sum(case private.coin_type(kind, true) when 'earned' then amount else 0 end) as earned
      from move where is_coins group by person_id
    ) as sums where w.user_id = sums.person_id
  ), transfer as (
    insert into private.ledger_transfers
      (key, from_account, to_account, amount, kind, seat_id, period_id, subscription_id, person_id, description, created_at)
    select key, from_account, to_account, amount, kind, seat_id, period_id, subscription_id, person_id, description, at
    from move order by place
    returning *
  ), side as (
    select account, id, amount, created_at, count(*) over earlier as place, sum(amount) over earlier as total from (
      select from_account as account, id, -amount as amount, created_at from transfer
      union all
      select to_account, id, amount, created_at from transfer
    ) as half
    window earlier as (partition by account order by id)
  ), entry as (
    insert into private.ledger_entries (account_id, version, transfer_id, amount, balance_before, balance_after, created_at)
    select a.id, a.version + s.place, s.id, s.amount, a.balance + s.total - s.amount, a.balance + s.total, s.created_at
    from side as s join private.ledger_accounts as a on a.id = s.account
  )
  update private.ledger_accounts as a set balance = balance + sums.amount, version = version + sums.entries
  from (select account, sum(amount) as amount, count(*) as entries from side group by account) as sums where a.id = sums.account;
end $function$;

CREATE OR REPLACE FUNCTION private.turn_down(p_plan public.shared_subscriptions, p_request public.subscription_requests)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.subscription_requests set status = 'rejected' where id = p_request.id;
  perform private.mail_notification(private.notify(p_request.user_id, 'info', 'Request Rejected',
    format('Your request to join %s %s has been rejected.', p_plan.provider, p_plan.name), p_plan.id,
    'request-rejected', jsonb_build_object('plan', p_plan.provider || ' ' || p_plan.name)),
    '{}', 'Look at other plans', '/available-subscriptions');
end $function$;

CREATE OR REPLACE FUNCTION private.undo_account_change(p_token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_hash text := encode(sha256(convert_to(coalesce(p_token, ''), 'UTF8')), 'hex');
  v_user uuid;
  v_change private.account_changes;
  v_email text;
  v_undone private.account_changes;
begin
  -- One undo at a time, and not during a change by the auth service.
  select account.id into v_user from auth.users as account
  where account.id = (select user_id from private.account_changes where token_hash = v_hash)
    and (account.deleted_at is null or private.is_closed(account.id)) for no key update;
  select * into v_change from private.account_changes where token_hash = v_hash and user_id = v_user;
  if not found then
    raise exception 'This link doesn’t work' using errcode = 'PT404';
  elsif v_change.undone_at is not null then
    raise exception 'This change was already undone' using errcode = 'PT409';
  elsif v_change.happened_at <= now() - private.undo_lifetime() then
    raise exception 'This link has expired' using errcode = 'PT410';
  end if;
  if private.is_closed(v_user) then
    return private.undo_on_closed_account(v_change);
  end if;
  perform set_config('private.undoing', 'on', true);

  -- The first of several address changes has the original address.
  select told into v_email from private.account_changes
  where user_id = v_user and kind = 'email' and undone_at is null and happened_at >= v_change.happened_at
  order by happened_at limit 1;
  if v_email is not null then
    -- Somebody may have signed up with it since; an unproven account gives way.
    delete from auth.users where lower(email) = lower(v_email) and id <> v_user and email_confirmed_at is null;
    if exists (select from auth.users where lower(email) = lower(v_email) and id <> v_user) then
      raise exception 'Another account now has this address' using errcode = '23505';
    end if;
    update auth.users set email = v_email, email_confirmed_at = now(),
      raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('email', v_email) where id = v_user;
    update auth.identities set identity_data = identity_data || jsonb_build_object('email', v_email), updated_at = now()
    where user_id = v_user and provider = 'email';
  end if;

  for v_undone in
    update private.account_changes set undone_at = clock_timestamp()
    where user_id = v_user and undone_at is null and happened_at >= v_change.happened_at returning *
  loop
    perform private.call_back_mail(v_undone.id::text);
    delete from auth.mfa_factors where id = v_undone.subject_id;
    delete from auth.identities where id = v_undone.subject_id;
    delete from private.webhooks where id = v_undone.subject_id;
    if v_undone.kind = 'passkey-added' then
      delete from auth.webauthn_credentials where id = v_undone.subject_id;
    elsif v_undone.kind = 'bank-account' then
      perform private.take_back_bank_account(v_undone.subject_id);
    end if;
  end loop;
  delete from auth.mfa_factors where user_id = v_user and status = 'unverified';
  -- Whoever was in could have made one, or have seen where its owner keeps it.
  delete from private.api_tokens where user_id = v_user;
  -- A sign-in provider linked since the change would still let the intruder in.
  delete from auth.identities where user_id = v_user and provider <> 'email' and created_at >= v_change.happened_at;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set encrypted_password = null, email_change = '', updated_at = now() where id = v_user
  returning email into v_email;
  perform set_config('private.undoing', '', true);
  return jsonb_build_object('kind', v_change.kind, 'happened_at', v_change.happened_at, 'email', v_email,
    'next', format('To choose a new password, use “Forgot your password?” on the sign-in page. We’ll email a link to %s.', v_email));
end $function$;

CREATE OR REPLACE FUNCTION private.webhook_patience()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '1 day'::interval;

CREATE OR REPLACE FUNCTION private.webhook_payload(p_type text, p_at timestamp with time zone, p_data jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return jsonb_build_object('type', p_type, 'timestamp', to_char(p_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'data', jsonb_strip_nulls(p_data));
end $function$;

CREATE OR REPLACE FUNCTION private.webhook_type(p_event text, p_params jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = 'request-made'::text) THEN 'request'::text WHEN (p_event = ANY (ARRAY['request-approved'::text, 'let-in'::text, 'member-let-in'::text])) THEN 'approval'::text WHEN ((p_event = ANY (ARRAY['renewal-coming'::text, 'payment-debit-coming'::text])) OR ((p_event = 'payment-due'::text) AND ((p_params ->> 'late'::text) = 'false'::text))) THEN 'payment.due'::text WHEN (p_event = 'member-says-paid'::text) THEN 'payment.claimed'::text WHEN (p_event = ANY (ARRAY['payment-made'::text, 'contract-made'::text, 'payment-received'::text, 'member-paid'::text])) THEN 'payment.paid'::text WHEN (p_event = ANY (ARRAY['payment-due'::text, 'payment-nudge'::text, 'payment-not-received'::text, 'payment-failed'::text, 'payment-needs-action'::text])) THEN 'payment.late'::text WHEN ((p_event ~~ 'problem-%'::text) AND (p_event <> 'problem-to-decide'::text)) THEN 'problem'::text ELSE NULL::text END;

CREATE OR REPLACE FUNCTION private.webhook_types()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN '{request,approval,payment.due,payment.claimed,payment.paid,payment.late,message,problem}'::text[];

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
      and u.deleted_at is null and coalesce(u.banned_until <= now(), true);
end $function$;

CREATE OR REPLACE FUNCTION public.admit_api_token(p_token_hash text, p_request text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.admit_api_token(p_token_hash, p_request) $function$;

CREATE OR REPLACE FUNCTION public.api_token(p_token_hash text)
 RETURNS TABLE(user_id uuid, scopes text[], expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.api_token(p_token_hash) $function$;

CREATE OR REPLACE FUNCTION public.begin_import()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.begin_import() $function$;

CREATE OR REPLACE FUNCTION public.confirm_direct_payments(p_entries jsonb)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select * from private.confirm_direct_payments(p_entries) $function$;

CREATE OR REPLACE FUNCTION public.draft_message(p_conversation_id uuid, p_text text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.draft_message(p_conversation_id, p_text) $function$;

CREATE OR REPLACE FUNCTION public.end_api_token(p_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.end_api_token(p_id) $function$;

CREATE OR REPLACE FUNCTION public.end_webhook(p_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.end_webhook(p_id) $function$;

CREATE OR REPLACE FUNCTION public.import_plans(p_rows jsonb, p_private boolean DEFAULT true)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select * from private.import_plans(p_rows, p_private) $function$;

CREATE OR REPLACE FUNCTION public.make_api_token(p_name text, p_scopes text[], p_days integer)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.make_api_token(p_name, p_scopes, p_days) $function$;

CREATE OR REPLACE FUNCTION public.my_api_tokens()
 RETURNS TABLE(id uuid, name text, scopes text[], made_at timestamp with time zone, expires_at timestamp with time zone, last_used_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_api_tokens() $function$;

CREATE OR REPLACE FUNCTION public.my_conversations()
 RETURNS TABLE(id uuid, subscription_id text, plan text, is_owner boolean, person_id uuid, person text, is_question boolean, archived boolean, unread boolean, last_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_conversations() $function$;

CREATE OR REPLACE FUNCTION public.my_webhook_deliveries(p_webhook_id uuid, p_after integer DEFAULT 0)
 RETURNS TABLE(id uuid, type text, payload jsonb, made_at timestamp with time zone, attempts integer, next_attempt_at timestamp with time zone, last_attempt_at timestamp with time zone, last_status integer, last_error text, last_answer text, last_ms integer, delivered_at timestamp with time zone, failed_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_webhook_deliveries(p_webhook_id, p_after) $function$;

CREATE OR REPLACE FUNCTION public.my_webhooks()
 RETURNS TABLE(id uuid, name text, host text, events text[], made_at timestamp with time zone, old_until timestamp with time zone, stopped_at timestamp with time zone, stopped_why text, last_attempt_at timestamp with time zone, has_failed boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_webhooks() $function$;

CREATE OR REPLACE FUNCTION public.prepare_webhook(p_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.prepare_webhook(p_id) $function$;

CREATE OR REPLACE FUNCTION public.preview_import(p_rows jsonb)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.preview_import(p_rows) $function$;

CREATE OR REPLACE FUNCTION public.propose_direct_payments(p_entries jsonb)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.propose_direct_payments(p_entries) $function$;

CREATE OR REPLACE FUNCTION public.resend_webhook_delivery(p_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.resend_webhook_delivery(p_id) $function$;

CREATE OR REPLACE FUNCTION public.resume_webhook(p_id uuid)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.resume_webhook(p_id) $function$;

CREATE OR REPLACE FUNCTION public.save_webhook(p_user_id uuid, p_id uuid, p_version integer, p_sealed text, p_key jsonb, p_name text DEFAULT NULL::text, p_host text DEFAULT NULL::text, p_events text[] DEFAULT NULL::text[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.save_webhook(p_user_id, p_id, p_version, p_sealed, p_key, p_name, p_host, p_events) $function$;

CREATE OR REPLACE FUNCTION public.settle_delivery(p_id uuid, p_attempt integer, p_status integer, p_error text, p_answer text, p_ms integer, p_retry_after integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.settle_delivery(p_id, p_attempt, p_status, p_error, p_answer, p_ms, p_retry_after) $function$;

CREATE OR REPLACE FUNCTION public.take_due_deliveries(p_limit integer)
 RETURNS TABLE(id uuid, attempt integer, payload jsonb, webhook_id uuid, owner_id uuid, version integer, sealed text, old_sealed text, key jsonb)
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select * from private.take_due_deliveries(p_limit) $function$;

CREATE OR REPLACE FUNCTION public.test_webhook(p_id uuid)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.test_webhook(p_id) $function$;

ALTER TABLE "private"."account_changes" ADD CONSTRAINT "account_changes_kind_check" CHECK ((kind = ANY (ARRAY['email'::text, 'password'::text, 'factor-added'::text, 'factor-removed'::text, 'passkey-added'::text, 'passkey-removed'::text, 'recovery-codes'::text, 'bank-account'::text, 'token-added'::text, 'sign-in-added'::text, 'webhook-added'::text, 'webhook-secret'::text])));

ALTER TABLE "private"."api_tickets" ADD CONSTRAINT "api_tickets_token_id_fkey" FOREIGN KEY (token_id) REFERENCES private.api_tokens(id) ON DELETE CASCADE;

ALTER TABLE "private"."api_tokens" ADD CONSTRAINT "api_tokens_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."used_bank_entries" ADD CONSTRAINT "used_bank_entries_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_fkey" FOREIGN KEY (webhook_id) REFERENCES private.webhooks(id) ON DELETE CASCADE;

ALTER TABLE "private"."webhooks" ADD CONSTRAINT "webhooks_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."message_drafts" ADD CONSTRAINT "message_drafts_conversation_id_fkey" FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE;

ALTER TABLE "public"."message_drafts" ADD CONSTRAINT "message_drafts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

CREATE INDEX api_tickets_token_id_idx ON private.api_tickets USING btree (token_id);

CREATE INDEX api_tokens_user_id_idx ON private.api_tokens USING btree (user_id);

CREATE INDEX webhook_deliveries_due_idx ON private.webhook_deliveries USING btree (next_attempt_at) WHERE ((delivered_at IS NULL) AND (failed_at IS NULL));

CREATE INDEX webhook_deliveries_made_idx ON private.webhook_deliveries USING btree (made_at);

CREATE INDEX webhook_deliveries_newest_idx ON private.webhook_deliveries USING btree (webhook_id, made_at DESC, id);

CREATE INDEX webhook_deliveries_open_idx ON private.webhook_deliveries USING btree (webhook_id, next_attempt_at) WHERE ((delivered_at IS NULL) AND (failed_at IS NULL));

CREATE INDEX webhook_deliveries_taken_idx ON private.webhook_deliveries USING btree (next_attempt_at) WHERE (taken_at IS NOT NULL);

CREATE INDEX webhooks_user_id_idx ON private.webhooks USING btree (user_id);

CREATE INDEX message_drafts_user_idx ON public.message_drafts USING btree (user_id);

CREATE TRIGGER tell_change AFTER INSERT ON auth.identities FOR EACH ROW WHEN ((new.provider <> 'email'::text)) EXECUTE FUNCTION private.tg_identities__tell_change();

CREATE TRIGGER wake AFTER INSERT ON private.webhook_deliveries REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION private.tg_webhook_deliveries__wake();

CREATE TRIGGER queue_webhooks AFTER INSERT ON public.messages FOR EACH ROW WHEN ((new.message_type <> 'system'::text)) EXECUTE FUNCTION private.tg_messages__queue_webhooks();

CREATE TRIGGER use_draft AFTER INSERT ON public.messages FOR EACH ROW EXECUTE FUNCTION private.tg_messages__use_draft();

CREATE TRIGGER queue_webhooks AFTER INSERT ON public.user_notifications REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION private.tg_user_notifications__queue_webhooks();

CREATE POLICY "People discard drafts left for them" ON "public"."message_drafts" FOR DELETE TO "authenticated" USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "People see drafts left for them" ON "public"."message_drafts" FOR SELECT TO "authenticated" USING ((user_id = ( SELECT auth.uid() AS uid)));

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."message_drafts";

REVOKE ALL ON FUNCTION "private"."admit_api_token"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."admit_api_token"(text, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."api_token"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."api_token"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."begin_import"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."begin_import"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."call_webhooks"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."catalogue_plans"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_session"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."check_session"() TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "private"."check_session"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."claims_of_ticket"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."claims_of_ticket"(text) TO "anon";

REVOKE ALL ON FUNCTION "private"."confirm_direct_payments"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."confirm_direct_payments"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."deliveries_at_once"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."deliveries_at_once_per_person"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."deliveries_at_once_per_webhook"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."deliveries_page"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delivery_memory"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."draft_lifetime"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."draft_message"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."draft_message"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."end_api_token"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."end_api_token"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."end_webhook"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."end_webhook"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."entry_fates"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."entry_payment"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hash_of"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."import_plans"(jsonb, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."import_plans"(jsonb, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."living_token"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."longest_token"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."make_api_token"(text, text[], integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."make_api_token"(text, text[], integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."meant_plan"(private.catalogue_plan[], text, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."most_imported_rows"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."most_tokens"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."most_webhooks"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_api_tokens"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_api_tokens"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."my_conversations"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_conversations"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."my_webhook_deliveries"(uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_webhook_deliveries"(uuid, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."my_webhooks"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_webhooks"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."old_secret_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."payments_named_in"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plain_words"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."prepare_webhook"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."prepare_webhook"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."preview_import"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."preview_import"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."propose_direct_payments"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."propose_direct_payments"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."refuse_tokens"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_few_rows"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_open_chat"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_running"(private.webhooks) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_webhook"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."resend_webhook_delivery"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."resend_webhook_delivery"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."resume_webhook"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."resume_webhook"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."save_webhook"(uuid, uuid, integer, text, jsonb, text, text, text[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."save_webhook"(uuid, uuid, integer, text, jsonb, text, text, text[]) TO "service_role";

REVOKE ALL ON FUNCTION "private"."settle_delivery"(uuid, integer, integer, text, text, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."settle_delivery"(uuid, integer, integer, text, text, integer, integer) TO "service_role";

REVOKE ALL ON FUNCTION "private"."share_imported"(jsonb, boolean, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."stop_webhook"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_due_deliveries"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."take_due_deliveries"(integer) TO "service_role";

REVOKE ALL ON FUNCTION "private"."test_webhook"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."test_webhook"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."tg_identities__tell_change"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_messages__queue_webhooks"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_messages__use_draft"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_user_notifications__queue_webhooks"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_webhook_deliveries__wake"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ticket_lifetime"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."turn_down"(public.shared_subscriptions, public.subscription_requests) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."webhook_patience"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."webhook_payload"(text, timestamp with time zone, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."webhook_type"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."webhook_types"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."webhooks_for"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."admit_api_token"(text, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."admit_api_token"(text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."api_token"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."api_token"(text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."begin_import"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."begin_import"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."confirm_direct_payments"(jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."confirm_direct_payments"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."draft_message"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."draft_message"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."end_api_token"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."end_api_token"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."end_webhook"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."end_webhook"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."import_plans"(jsonb, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."import_plans"(jsonb, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."make_api_token"(text, text[], integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."make_api_token"(text, text[], integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_api_tokens"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_api_tokens"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_conversations"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_conversations"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_webhook_deliveries"(uuid, integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_webhook_deliveries"(uuid, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_webhooks"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_webhooks"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."prepare_webhook"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."prepare_webhook"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."preview_import"(jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."preview_import"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."propose_direct_payments"(jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."propose_direct_payments"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."resend_webhook_delivery"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."resend_webhook_delivery"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."resume_webhook"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."resume_webhook"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."save_webhook"(uuid, uuid, integer, text, jsonb, text, text, text[]) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."save_webhook"(uuid, uuid, integer, text, jsonb, text, text, text[]) TO "service_role";

REVOKE ALL ON FUNCTION "public"."settle_delivery"(uuid, integer, integer, text, text, integer, integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."settle_delivery"(uuid, integer, integer, text, text, integer, integer) TO "service_role";

REVOKE ALL ON FUNCTION "public"."take_due_deliveries"(integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."take_due_deliveries"(integer) TO "service_role";

REVOKE ALL ON FUNCTION "public"."test_webhook"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."test_webhook"(uuid) TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."message_drafts" TO "authenticated";

GRANT ALL ON TABLE "public"."message_drafts" TO "service_role";

ALTER TABLE "private"."webhooks" ADD CONSTRAINT "webhooks_events_check" CHECK (((events <> '{}'::text[]) AND (events <@ private.webhook_types())));

insert into private.api_calls (scope, request)
select scope, unnest(requests) from (values
  ('read plans', '{GET /rpc/market_plans,GET /rpc/market_plan,GET /rpc/plan_seats,GET /rpc/my_seats,GET /rpc/my_home,
    GET /rpc/my_waiting_lists,POST /rpc/get_pending_requests_with_expiry,GET /shared_subscriptions,GET /subscription_members,
    GET /subscription_requests,GET /service_provider_data,GET /user_notifications}'::text[]),
  ('write plans', '{POST /shared_subscriptions,PATCH /shared_subscriptions,POST /subscription_requests,
    PATCH /subscription_requests,POST /rpc/approve_subscription_request,POST /rpc/reject_subscription_request,
    POST /rpc/join_waiting_list,POST /rpc/leave_waiting_list,POST /rpc/mark_notifications_as_read}'::text[]),
  ('read money', '{GET /member_payments,GET /rpc/payment_totals,GET /rpc/my_payment_days,GET /user_wallets,
    GET /coin_transactions,GET /rpc/yearly_statement,GET /fee_invoices,GET /payment_wishes}'::text[]),
  ('chat', '{GET /rpc/my_conversations,GET /conversations,GET /messages,POST /messages,POST /rpc/draft_message,
    POST /rpc/find_or_create_conversation,
    POST /rpc/mark_conversation_read,POST /rpc/announce_to_members}'::text[])
) as promised (scope, requests);

insert into private.rate_limits (action, attempts, window_seconds, requests) values
  ('new token', 30, 3600, '{}'),
  ('token call', 120, 60, '{}'),
  ('webhook', 30, 600, '{POST /rpc/test_webhook,POST /rpc/resume_webhook,POST /rpc/resend_webhook_delivery}'),
  ('plan import', 20, 3600, '{POST /rpc/import_plans}'),
  ('import reading', 10, 3600, '{}');

select cron.schedule('webhooks', '10 seconds', 'select private.call_webhooks()');

REVOKE ALL ON TABLE "private"."api_calls" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."api_tickets" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."api_tokens" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."used_bank_entries" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."webhook_deliveries" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."webhooks" FROM PUBLIC, anon, authenticated, service_role;
