set local check_function_bodies = off;

ALTER TABLE "private"."account_changes" DROP CONSTRAINT "account_changes_kind_check";

CREATE TABLE "private"."api_calls" ("request" text NOT NULL, "scope" text NOT NULL, CONSTRAINT "api_calls_pkey" PRIMARY KEY (request), CONSTRAINT "api_calls_scope_check" CHECK ((scope = ANY (ARRAY['read plans'::text, 'write plans'::text, 'read money'::text, 'chat'::text]))));

ALTER TABLE "private"."api_calls" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."api_tickets" ("ticket_hash" text NOT NULL, "token_id" uuid NOT NULL, "request" text NOT NULL, "made_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "api_tickets_pkey" PRIMARY KEY (ticket_hash));

ALTER TABLE "private"."api_tickets" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."api_tokens" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "name" text NOT NULL, "scopes" text[] NOT NULL, "token_hash" text NOT NULL, "made_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), "expires_at" timestamp with time zone NOT NULL, "last_used_at" timestamp with time zone, CONSTRAINT "api_tokens_pkey" PRIMARY KEY (id), CONSTRAINT "api_tokens_scopes_check" CHECK (((scopes <> '{}'::text[]) AND (scopes <@ '{"read plans","write plans","read money",chat}'::text[]))), CONSTRAINT "api_tokens_token_hash_key" UNIQUE (token_hash), CONSTRAINT "api_tokens_name_check" CHECK (((private.visible_length(name) >= 1) AND (char_length(name) <= 60))));

ALTER TABLE "private"."api_tokens" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.admit_api_token(p_token text, p_request text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_ticket text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_token private.api_tokens;
  v_scope text;
begin
  select t.* into v_token from private.api_tokens as t join auth.users as u on u.id = t.user_id
  where t.token_hash = private.hash_of(p_token) and t.expires_at > clock_timestamp()
    and u.deleted_at is null and coalesce(u.banned_until <= now(), true);
  if not found then
    raise exception 'This token is unknown or has expired' using errcode = 'PT401';
  end if;
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
      from private.account_changes as t where t.user_id = v_user),
    'sessions', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_sessions() as t),
    'notification_choices', (select jsonb_agg(to_jsonb(t)) from private.get_notification_choices() as t),
    'push_devices', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_push_devices() as t),
    'calendar_address_since', private.get_calendar(),
    'tokens', (select jsonb_agg(to_jsonb(t)) from private.my_api_tokens() as t),
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

CREATE OR REPLACE FUNCTION private.hash_of(p_secret text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN encode(sha256(convert_to(COALESCE(p_secret, ''::text), 'UTF8'::name)), 'hex'::text);

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
        when p_change.kind in ('factor-added', 'passkey-added', 'token-added') then 'it is removed again'
        when p_change.kind = 'recovery-codes' then 'these codes stop working'
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
  if (select count(*) from private.api_tokens where user_id = v_user) >= private.most_tokens() then
    raise exception 'You have % tokens. Remove one first.', private.most_tokens() using errcode = '23514';
  end if;
  insert into private.api_tokens (user_id, name, scopes, token_hash, expires_at)
  values (v_user, btrim(p_name), array(select distinct unnest(p_scopes) order by 1), private.hash_of(v_token), clock_timestamp() + make_interval(days => p_days))
  returning id into v_id;
  perform private.note_account_change(v_user, 'token-added', (select email from auth.users where id = v_user), v_id);
  return v_token;
end $function$;

CREATE OR REPLACE FUNCTION private.most_tokens()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 20;

CREATE OR REPLACE FUNCTION private.my_api_tokens()
 RETURNS TABLE(id uuid, name text, scopes text[], made_at timestamp with time zone, expires_at timestamp with time zone, last_used_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select t.id, t.name, t.scopes, t.made_at, t.expires_at, t.last_used_at
  from private.api_tokens as t where t.user_id = private.require_user() order by t.made_at desc, t.id
$function$;

CREATE OR REPLACE FUNCTION private.queue_charges(p_periods uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_provider text := coalesce((select provider from private.payment_provider), 'stripe');
begin
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

CREATE OR REPLACE FUNCTION private.ticket_lifetime()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '00:00:30'::interval;

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

CREATE OR REPLACE FUNCTION public.admit_api_token(p_token text, p_request text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.admit_api_token(p_token, p_request) $function$;

CREATE OR REPLACE FUNCTION public.end_api_token(p_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.end_api_token(p_id) $function$;

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

ALTER TABLE "private"."account_changes" ADD CONSTRAINT "account_changes_kind_check" CHECK ((kind = ANY (ARRAY['email'::text, 'password'::text, 'factor-added'::text, 'factor-removed'::text, 'passkey-added'::text, 'passkey-removed'::text, 'recovery-codes'::text, 'bank-account'::text, 'token-added'::text])));

ALTER TABLE "private"."api_tickets" ADD CONSTRAINT "api_tickets_token_id_fkey" FOREIGN KEY (token_id) REFERENCES private.api_tokens(id) ON DELETE CASCADE;

ALTER TABLE "private"."api_tokens" ADD CONSTRAINT "api_tokens_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE INDEX api_tickets_token_id_idx ON private.api_tickets USING btree (token_id);

CREATE INDEX api_tokens_user_id_idx ON private.api_tokens USING btree (user_id);

REVOKE ALL ON FUNCTION "private"."admit_api_token"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."admit_api_token"(text, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."check_session"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."check_session"() TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "private"."check_session"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."claims_of_ticket"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."claims_of_ticket"(text) TO "anon";

REVOKE ALL ON FUNCTION "private"."end_api_token"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."end_api_token"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."hash_of"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."longest_token"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."make_api_token"(text, text[], integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."make_api_token"(text, text[], integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."most_tokens"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_api_tokens"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_api_tokens"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."refuse_tokens"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ticket_lifetime"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."admit_api_token"(text, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."admit_api_token"(text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."end_api_token"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."end_api_token"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."make_api_token"(text, text[], integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."make_api_token"(text, text[], integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_api_tokens"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_api_tokens"() TO "authenticated";

insert into private.api_calls (scope, request)
select scope, unnest(requests) from (values
  ('read plans', '{GET /rpc/market_plans,GET /rpc/market_plan,GET /rpc/plan_seats,GET /rpc/my_seats,GET /rpc/my_home,
    GET /rpc/my_waiting_lists,GET /rpc/get_pending_requests_with_expiry,GET /shared_subscriptions,GET /subscription_members,
    GET /subscription_requests,GET /service_provider_data,GET /user_notifications}'::text[]),
  ('write plans', '{POST /shared_subscriptions,PATCH /shared_subscriptions,POST /subscription_requests,
    PATCH /subscription_requests,POST /rpc/approve_subscription_request,POST /rpc/reject_subscription_request,
    POST /rpc/join_waiting_list,POST /rpc/leave_waiting_list,POST /rpc/mark_notifications_as_read}'::text[]),
  ('read money', '{GET /member_payments,GET /rpc/payment_totals,GET /rpc/my_payment_days,GET /rpc/wallet_overview,
    GET /coin_transactions,GET /rpc/yearly_statement,GET /fee_invoices}'::text[]),
  ('chat', '{GET /conversations,GET /messages,POST /messages,POST /rpc/find_or_create_conversation,
    POST /rpc/mark_conversation_read,POST /rpc/announce_to_members}'::text[])
) as promised (scope, requests);

insert into private.rate_limits (action, attempts, window_seconds, requests) values ('token call', 120, 60, '{}');

REVOKE ALL ON TABLE "private"."api_calls" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."api_tickets" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."api_tokens" FROM PUBLIC, anon, authenticated, service_role;
