set local check_function_bodies = off;

CREATE TABLE "private"."plans_to_tell" ("subscription_id" text NOT NULL, CONSTRAINT "plans_to_tell_pkey" PRIMARY KEY (subscription_id));

REVOKE ALL ON TABLE "private"."plans_to_tell" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."plans_to_tell" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."support_requests" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "writer_id" uuid, "request" text NOT NULL, "written_at" timestamp with time zone NOT NULL DEFAULT private.now(), "answer" text, "answered_at" timestamp with time zone, "answered_by" uuid, CONSTRAINT "support_requests_check" CHECK (((answered_at IS NULL) = (answer IS NULL))), CONSTRAINT "support_requests_pkey" PRIMARY KEY (id));

REVOKE ALL ON TABLE "private"."support_requests" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."support_requests" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."told_plans" ("user_id" uuid NOT NULL, "subscription_id" text NOT NULL, "told_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "told_plans_pkey" PRIMARY KEY (user_id, subscription_id));

REVOKE ALL ON TABLE "private"."told_plans" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."told_plans" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."plan_alerts" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "search" text, "category" text, "provider" text, "most" numeric(12,2), "settlement" text, "level" text, "instant" boolean NOT NULL DEFAULT false, CONSTRAINT "alert_names_something" CHECK (((num_nonnulls(search, category, provider, most, settlement, level) > 0) OR instant)), CONSTRAINT "one_alert_for_the_same" UNIQUE NULLS NOT DISTINCT (user_id, search, category, provider, most, settlement, level, instant), CONSTRAINT "plan_alerts_category_check" CHECK ((category = ANY (ARRAY['streaming'::text, 'music'::text, 'gaming'::text, 'productivity'::text, 'security'::text, 'other'::text]))), CONSTRAINT "plan_alerts_level_check" CHECK ((level = ANY (ARRAY['proven'::text, 'trusted'::text]))), CONSTRAINT "plan_alerts_most_check" CHECK ((most > (0)::numeric)), CONSTRAINT "plan_alerts_pkey" PRIMARY KEY (id), CONSTRAINT "plan_alerts_provider_check" CHECK (((char_length(provider) >= 1) AND (char_length(provider) <= 100))), CONSTRAINT "plan_alerts_search_check" CHECK (((search = lower(btrim(search))) AND ((char_length(search) >= 1) AND (char_length(search) <= 100)))), CONSTRAINT "plan_alerts_settlement_check" CHECK ((settlement = ANY (ARRAY['direct'::text, 'potluck'::text]))));

REVOKE ALL ON TABLE "public"."plan_alerts" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "public"."plan_alerts" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.alert_lifetime()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '90 days'::interval;

CREATE OR REPLACE FUNCTION private.answer_support_request(p_request_id uuid, p_answer text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_support();
  v_request private.support_requests;
begin
  select * into v_request from private.support_requests where id = p_request_id and answered_at is null for update;
  if not found then
    raise exception 'There is no such request to answer' using errcode = 'PT404';
  elsif v_user is not distinct from v_request.writer_id then
    raise exception 'Someone else answers your requests' using errcode = '42501';
  end if;
  update private.support_requests
  set answer = private.support_text(p_answer), answered_at = private.now(), answered_by = v_user
  where id = v_request.id returning * into v_request;
  if v_request.writer_id is not null then
    perform private.mail_notification(
      private.notify(v_request.writer_id, 'info', 'You Have an Answer', v_request.answer, null, 'support-answered', '{}'),
      '{}', 'Open your questions', '/help');
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
  delete from public.payment_wishes where user_id = v_user;
  delete from private.seat_reviews where subject_id = v_user;
  delete from private.person_reports where person_id = v_user;
  update private.person_reports set reporter_id = null where reporter_id = v_user;
  update private.support_requests set writer_id = null where writer_id = v_user;
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
    'vault_versions', (select jsonb_agg(to_jsonb(t) - 'sealed' order by t.created_at)
      from private.vault_entries as t where t.author_id = v_user),
    'vault_openings', (select jsonb_agg(to_jsonb(t) order by t.id)
      from private.vault_openings as t where t.kind = 'plan' and v_user in (t.owner_id, t.opened_by)),
    'payments', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.member_payments as t where v_user in (t.member_id, t.owner_id)),
    'cards', (select jsonb_agg(jsonb_build_object('brand', t.brand, 'last4', t.last4, 'exp_month', t.exp_month,
      'exp_year', t.exp_year, 'created_at', t.created_at) order by t.created_at)
      from public.payment_methods as t where t.user_id = v_user),
    'disputes', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'amount', t.amount, 'status', t.status,
      'opened_at', t.opened_at, 'closed_at', t.closed_at) order by t.opened_at)
      from public.payment_disputes as t where t.member_id = v_user),
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

CREATE OR REPLACE FUNCTION private.keep_house()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.outgoing_mail
  where created_at < now() - interval '30 days' and (sent_at is not null or given_up_at is not null);
  delete from private.account_changes where happened_at < now() - private.change_memory();
  select private.forget_push_devices();
  delete from public.plan_alerts where expires_at < now();
  delete from private.told_plans as t where not exists (select from public.plan_alerts as a where a.user_id = t.user_id);
  delete from private.rate_limit_usage where used_at[cardinality(used_at)] < now() - interval '1 day';
  delete from public.user_notifications
  where created_at < now() - case when read then interval '90 days' else interval '1 year' end;
$function$;

CREATE OR REPLACE FUNCTION private.list_support_requests(p_answered boolean DEFAULT false)
 RETURNS TABLE(id uuid, writer_id uuid, writer_name text, avatar_url text, request text, written_at timestamp with time zone, answer text, answered_at timestamp with time zone, answered_by_name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_support();
  return query
    select t.id, t.writer_id, writer.display_name, writer.avatar_url, t.request, t.written_at, t.answer, t.answered_at,
      staff.display_name
    from private.support_requests as t
    left join public.user_profiles as writer on writer.user_id = t.writer_id
    left join public.user_profiles as staff on staff.user_id = t.answered_by
    where (t.answered_at is not null) = p_answered
    order by t.answered_at desc, t.written_at, t.id limit 100;
end $function$;

CREATE OR REPLACE FUNCTION private.longest_support_text()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 2000;

CREATE OR REPLACE FUNCTION private.look_for_plan(p_search text DEFAULT NULL::text, p_category text DEFAULT NULL::text, p_provider text DEFAULT NULL::text, p_most numeric DEFAULT NULL::numeric, p_settlement text DEFAULT NULL::text, p_level text DEFAULT NULL::text, p_instant boolean DEFAULT false)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_id uuid;
begin
  -- One person's attempts take turns here, so that nobody exceeds the limit.
  perform private.spend_attempt('plan alert');
  delete from public.plan_alerts where user_id = v_user and expires_at <= now();
  insert into public.plan_alerts (user_id, search, category, provider, most, settlement, level, instant)
  values (v_user, nullif(lower(btrim(p_search)), ''), p_category, nullif(p_provider, ''), p_most, p_settlement, p_level,
    coalesce(p_instant, false))
  on conflict on constraint one_alert_for_the_same do update set expires_at = excluded.expires_at
  returning id into v_id;
  if (select count(*) from public.plan_alerts where user_id = v_user) > private.most_alerts() then
    raise exception 'You can look for % things at a time. Stop one of them first.', private.most_alerts() using errcode = '23514';
  end if;
  return v_id;
end $function$;

CREATE OR REPLACE FUNCTION private.most_alerts()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 10;

CREATE OR REPLACE FUNCTION private.my_support_requests()
 RETURNS TABLE(id uuid, request text, written_at timestamp with time zone, answer text, answered_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select t.id, t.request, t.written_at, t.answer, t.answered_at
  from private.support_requests as t where t.writer_id = private.require_user()
  order by t.written_at desc, t.id limit 100
$function$;

CREATE OR REPLACE FUNCTION private.notification_topics()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select array['messages', 'places', 'alerts', 'money', 'access', 'team'] $function$;

CREATE OR REPLACE FUNCTION private.require_support()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    raise exception 'Only staff answers' using errcode = '42501';
  end if;
  return v_user;
end $function$;

CREATE OR REPLACE FUNCTION private.run_due_work(p_limit integer DEFAULT 100)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_ids uuid[];
  v_id uuid;
begin
  perform private.keep_beat();
  perform private.expire_join_requests();
  perform private.tell_expiring_requests();
  perform private.close_questions();
  perform private.free_kept_places();
  perform private.tell_seekers();
  perform private.tell_of_failing_jobs();
  -- With membership and plan, which are locked first to end a seat.
  v_ids := array(
    select s.id from private.seats as s
    join public.subscription_members as m on m.subscription_id = s.subscription_id and m.user_id = s.member_id
    join public.shared_subscriptions as p on p.id = s.subscription_id
    where s.next_at <= private.now() order by s.next_at limit p_limit
    for update of s, m skip locked for no key update of p skip locked
  ) || array(
    -- Ended seats have neither, only a problem that outlived them.
    select id from private.seats where next_at <= private.now() and ended_at is not null order by next_at limit p_limit
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

CREATE OR REPLACE FUNCTION private.seekers_of(p_plan public.shared_subscriptions)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select distinct a.user_id
  from public.plan_alerts as a
  cross join (
    select private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.answer_minutes) as level
    from private.standing_facts(array[p_plan.owner_id]) as f
  ) as owner
  where a.expires_at > now() and a.user_id <> p_plan.owner_id
    and (a.search is null or strpos(lower(p_plan.provider || ' ' || p_plan.name), a.search) > 0)
    and (a.category is null or a.category = p_plan.category) and (a.provider is null or a.provider = p_plan.provider)
    and (a.most is null or a.most >= p_plan.monthly_cost) and (a.settlement is null or a.settlement = p_plan.settlement)
    and (a.level is null or owner.level in (a.level, 'trusted')) and (not a.instant or p_plan.instant_from is not null)
    and not exists (select from private.told_plans as t where t.user_id = a.user_id and t.subscription_id = p_plan.id)
    and not exists (select from public.blocked_people as b
      where (b.user_id, b.blocked_id) in ((a.user_id, p_plan.owner_id), (p_plan.owner_id, a.user_id)))
    and not exists (select from public.subscription_members as m where m.subscription_id = p_plan.id and m.user_id = a.user_id)
    and not exists (select from public.waiting_list as w where w.subscription_id = p_plan.id and w.user_id = a.user_id)
    and not exists (select from public.subscription_requests as r
      where r.subscription_id = p_plan.id and r.user_id = a.user_id and private.is_open_request(r))
$function$;

CREATE OR REPLACE FUNCTION private.support_text(p_text text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare v_text text := btrim(coalesce(p_text, ''));
begin
  if char_length(v_text) > private.longest_support_text() then
    raise exception 'This can be at most % characters long', private.longest_support_text() using errcode = '23514';
  elsif private.visible_length(v_text) = 0 then
    raise exception 'Please write a sentence' using errcode = '23514';
  end if;
  return v_text;
end $function$;

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
      or exists (select from public.closed_providers as c where c.provider = v_plan.provider);
    for v_seeker in select private.seekers_of(v_plan) loop
      insert into private.told_plans (user_id, subscription_id) values (v_seeker, v_plan.id) on conflict do nothing;
      continue when not found;
      perform private.mail_notification(private.notify(v_seeker, 'info', 'Plan Found',
        format('%s %s has a place for €%s a month, shared by %s.', v_plan.provider, v_plan.name, v_plan.monthly_cost,
          private.first_name((select display_name from public.user_profiles where user_id = v_plan.owner_id))),
        v_plan.id, 'plan-found', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'cost', v_plan.monthly_cost)),
        array[v_plan.id], 'See the plan', '/plans/' || v_plan.id);
    end loop;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_shared_subscriptions__queue_alerts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.plans_to_tell (subscription_id) values (new.id) on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_support_requests__log_staff()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.log_staff('support request answered', new.id::text,
    jsonb_build_object('writer', new.writer_id, 'request', new.request, 'answer', new.answer));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.topic_of(p_event text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = ANY (ARRAY['chat-message'::text, 'question-asked'::text])) THEN 'messages'::text WHEN (p_event = 'plan-found'::text) THEN 'alerts'::text WHEN (p_event ~ '^(problem|access|password)-'::text) THEN 'access'::text WHEN ((p_event ~ '^(payment|refund|withdrawal|wallet|coins|money)-'::text) OR (p_event = ANY (ARRAY['member-says-paid'::text, 'member-paid'::text, 'owner-owes-you'::text, 'you-owe-member'::text, 'owed-settled'::text, 'renewal-coming'::text]))) THEN 'money'::text WHEN ((p_event ~ '^(plan|provider-request|admin-access)-(approved|rejected)$'::text) OR (p_event = ANY (ARRAY['review-waits'::text, 'reviews-shown'::text, 'review-hidden'::text, 'report-read'::text, 'support-asked'::text, 'support-answered'::text]))) THEN 'team'::text ELSE 'places'::text END;

CREATE OR REPLACE FUNCTION private.write_to_support(p_request text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_text text := private.support_text(p_request);
begin
  perform private.spend_attempt('support request');
  perform private.ensure_profile(v_user);
  insert into private.support_requests (writer_id, request) values (v_user, v_text);
  perform private.notify(staff.id, 'info', 'Somebody Asks for Help',
    format('%s: %s', (select display_name from public.user_profiles where user_id = v_user), left(v_text, 200)),
    null, 'support-asked', '{}')
  from private.people_who_may('subscriptions.approve') as staff (id) where staff.id <> v_user;
end $function$;

CREATE OR REPLACE FUNCTION public.answer_support_request(p_request_id uuid, p_answer text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.answer_support_request(p_request_id, p_answer) $function$;

CREATE OR REPLACE FUNCTION public.list_support_requests(p_answered boolean DEFAULT false)
 RETURNS TABLE(id uuid, writer_id uuid, writer_name text, avatar_url text, request text, written_at timestamp with time zone, answer text, answered_at timestamp with time zone, answered_by_name text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_support_requests(p_answered) $function$;

CREATE OR REPLACE FUNCTION public.look_for_plan(p_search text DEFAULT NULL::text, p_category text DEFAULT NULL::text, p_provider text DEFAULT NULL::text, p_most numeric DEFAULT NULL::numeric, p_settlement text DEFAULT NULL::text, p_level text DEFAULT NULL::text, p_instant boolean DEFAULT false)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.look_for_plan(p_search, p_category, p_provider, p_most, p_settlement, p_level, p_instant) $function$;

CREATE OR REPLACE FUNCTION public.my_support_requests()
 RETURNS TABLE(id uuid, request text, written_at timestamp with time zone, answer text, answered_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_support_requests() $function$;

CREATE OR REPLACE FUNCTION public.write_to_support(p_request text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.write_to_support(p_request) $function$;

ALTER TABLE "private"."plans_to_tell" ADD CONSTRAINT "plans_to_tell_subscription_id_fkey" FOREIGN KEY (subscription_id) REFERENCES public.shared_subscriptions(id) ON DELETE CASCADE;

ALTER TABLE "private"."support_requests" ADD CONSTRAINT "support_requests_answered_by_fkey" FOREIGN KEY (answered_by) REFERENCES public.user_profiles(user_id) ON DELETE SET NULL;

ALTER TABLE "private"."support_requests" ADD CONSTRAINT "support_requests_writer_id_fkey" FOREIGN KEY (writer_id) REFERENCES public.user_profiles(user_id) ON DELETE SET NULL;

ALTER TABLE "private"."told_plans" ADD CONSTRAINT "told_plans_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."plan_alerts" ADD CONSTRAINT "plan_alerts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

CREATE INDEX support_requests_answered_by_idx ON private.support_requests USING btree (answered_by);

CREATE TRIGGER log_staff AFTER UPDATE OF answered_at ON private.support_requests FOR EACH ROW WHEN (((old.answered_at IS NULL) AND (new.answered_at IS NOT NULL))) EXECUTE FUNCTION private.tg_support_requests__log_staff();

CREATE TRIGGER queue_alerts AFTER INSERT ON public.shared_subscriptions FOR EACH ROW WHEN (((new.status = 'active'::text) AND (NOT new.is_private))) EXECUTE FUNCTION private.tg_shared_subscriptions__queue_alerts();

CREATE TRIGGER queue_changed_alerts AFTER UPDATE ON public.shared_subscriptions FOR EACH ROW WHEN (((new.status = 'active'::text) AND (NOT new.is_private) AND new.has_room AND ((old.status IS DISTINCT FROM new.status) OR (old.is_private IS DISTINCT FROM new.is_private) OR (old.has_room IS DISTINCT FROM new.has_room) OR (old.monthly_cost IS DISTINCT FROM new.monthly_cost) OR (old.settlement IS DISTINCT FROM new.settlement) OR (old.instant_from IS DISTINCT FROM new.instant_from)))) EXECUTE FUNCTION private.tg_shared_subscriptions__queue_alerts();

CREATE POLICY "People see what they look for" ON "public"."plan_alerts" FOR SELECT TO "authenticated" USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "People stop looking" ON "public"."plan_alerts" FOR DELETE TO "authenticated" USING ((user_id = ( SELECT auth.uid() AS uid)));

REVOKE ALL ON FUNCTION "private"."alert_lifetime"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."answer_support_request"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."answer_support_request"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_support_requests"(boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_support_requests"(boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."longest_support_text"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."look_for_plan"(text, text, text, numeric, text, text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."look_for_plan"(text, text, text, numeric, text, text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."most_alerts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_support_requests"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_support_requests"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."require_support"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."seekers_of"(public.shared_subscriptions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."support_text"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_seekers"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_shared_subscriptions__queue_alerts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_support_requests__log_staff"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."write_to_support"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."write_to_support"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."answer_support_request"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."answer_support_request"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_support_requests"(boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_support_requests"(boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."look_for_plan"(text, text, text, numeric, text, text, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."look_for_plan"(text, text, text, numeric, text, text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_support_requests"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_support_requests"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."write_to_support"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."write_to_support"(text) TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."plan_alerts" TO "authenticated";

GRANT DELETE, INSERT, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."plan_alerts" TO "service_role";

CREATE INDEX support_requests_open_idx ON private.support_requests USING btree (written_at) WHERE (answered_at IS NULL);

CREATE INDEX support_requests_writer_idx ON private.support_requests USING btree (writer_id, written_at DESC);

ALTER TABLE "public"."plan_alerts" ADD COLUMN "expires_at" timestamp with time zone NOT NULL DEFAULT (now() + private.alert_lifetime());

insert into private.rate_limits (action, attempts, window_seconds, requests) values
  ('plan alert', 20, 60, '{POST /rpc/look_for_plan}'),
  ('support request', 5, 3600, '{}');
