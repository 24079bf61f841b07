set local check_function_bodies = off;

REVOKE ALL ON FUNCTION "private"."longest_login_name"() FROM "authenticated";

REVOKE ALL ON FUNCTION "private"."may_get_in"(text) FROM "authenticated";

REVOKE ALL ON FUNCTION "private"."longest_login_name"() FROM "service_role";

ALTER PUBLICATION "supabase_realtime" DROP TABLE "public"."subscription_logins";

DROP FUNCTION "private"."current_vault_entry"(text);

DROP FUNCTION "private"."list_vault_versions"(text);

DROP FUNCTION "private"."prepare_vault_entry"(text);

DROP FUNCTION "private"."save_vault_entry"(uuid, text, integer, text, jsonb);

DROP FUNCTION "public"."list_vault_versions"(text);

DROP FUNCTION "public"."prepare_vault_entry"(text);

DROP FUNCTION "public"."save_vault_entry"(uuid, text, integer, text, jsonb);

CREATE TABLE "private"."clear_logins" ("subscription_id" text NOT NULL, "login_name" text NOT NULL, "updated_at" timestamp with time zone NOT NULL, CONSTRAINT "clear_logins_pkey" PRIMARY KEY (subscription_id));

ALTER TABLE "private"."clear_logins" ENABLE ROW LEVEL SECURITY;

-- The function `vault` seals them once the clock runs.
insert into private.clear_logins (subscription_id, login_name, updated_at)
select subscription_id, login_name, updated_at from public.subscription_logins;

DROP TABLE "public"."subscription_logins";

DROP FUNCTION "private"."tg_subscription_logins__limit"();

ALTER TABLE "private"."vault_entries" ADD COLUMN "part" text NOT NULL DEFAULT 'access'::text;

CREATE OR REPLACE FUNCTION private.call_for_clear_logins()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.call_function('vault/seal-logins') where exists (select from private.clear_logins)
$function$;

CREATE OR REPLACE FUNCTION private.current_vault_entry(p_subscription_id text, p_part text DEFAULT 'access'::text)
 RETURNS private.vault_entries
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select * from private.vault_entries where subscription_id = p_subscription_id and part = p_part order by version desc limit 1
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

CREATE OR REPLACE FUNCTION private.has_vault_entry(p_subscription_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.vault_entries where subscription_id = p_subscription_id and part = 'access');
end $function$;

CREATE OR REPLACE FUNCTION private.list_vault_versions(p_subscription_id text)
 RETURNS TABLE(version integer, created_at timestamp with time zone, author_name text, part text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select e.version, e.created_at, p.display_name, e.part
  from private.vault_entries as e join public.user_profiles as p on p.user_id = e.author_id
  where e.subscription_id = p_subscription_id
    and (private.is_plan_owner(p_subscription_id) or private.may_get_in(p_subscription_id))
  order by e.version desc
$function$;

CREATE OR REPLACE FUNCTION private.next_vault_version(p_subscription_id text)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(max(version), 0) + 1 from private.vault_entries where subscription_id = p_subscription_id
$function$;

CREATE OR REPLACE FUNCTION private.open_vault_entry(p_subscription_id text, p_version integer DEFAULT NULL::integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_entry private.vault_entries := private.current_vault_entry(p_subscription_id);
begin
  if private.is_plan_owner(p_subscription_id) then
    select * into v_entry from private.vault_entries
    where subscription_id = p_subscription_id and version = coalesce(p_version, v_entry.version);
  elsif not private.may_get_in(p_subscription_id) or p_version <> v_entry.version then
    v_entry := null;
  end if;
  if v_entry.version is null then
    raise exception 'There is nothing for you to open' using errcode = 'PT404';
  end if;
  perform private.require_recent_proof();
  perform private.spend_attempt('vault opening');
  insert into private.vault_openings (kind, subscription_id, version, owner_id, opened_by, purpose, opened_at)
  select 'plan', id, v_entry.version, owner_id, v_user, 'to get in', private.now()
  from public.shared_subscriptions where id = p_subscription_id;
  return jsonb_build_object('version', v_entry.version, 'part', v_entry.part, 'sealed', v_entry.sealed,
    'key', private.vault_key_of(null, p_subscription_id));
end $function$;

CREATE OR REPLACE FUNCTION private.open_vault_login(p_subscription_id text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('version', e.version, 'sealed', e.sealed, 'key', private.vault_key_of(null, p_subscription_id))
  from private.current_vault_entry(p_subscription_id, 'login') as e
  where e.version is not null and (private.is_plan_owner(p_subscription_id) or private.may_get_in(p_subscription_id))
$function$;

CREATE OR REPLACE FUNCTION private.prepare_vault_entry(p_subscription_id text, p_part text DEFAULT 'access'::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_entry private.vault_entries;
begin
  perform private.lock_own_plan_vault(p_subscription_id);
  if p_part is distinct from 'login' then
    perform private.require_recent_proof();
  end if;
  v_entry := private.current_vault_entry(p_subscription_id, p_part);
  return jsonb_build_object('author', auth.uid(), 'version', private.next_vault_version(p_subscription_id),
    'key', private.vault_key_of(null, p_subscription_id), 'current', case when v_entry.version is not null
      then jsonb_build_object('version', v_entry.version, 'sealed', v_entry.sealed) end);
end $function$;

CREATE OR REPLACE FUNCTION private.problem_timeline(p_problem_id uuid)
 RETURNS TABLE(at timestamp with time zone, kind text, person_id uuid, person_name text, note text, amount numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_problem public.seat_problems;
begin
  select * into v_problem from public.seat_problems where id = p_problem_id and private.sees_problem(id);
  if not found then
    raise exception 'Problem not found' using errcode = 'PT404';
  end if;
  return query
    select line.at, line.kind, line.person_id, p.display_name, line.note, line.amount from (
      select m.paid_at, 'paid', m.member_id, null, m.amount from public.member_payments as m
      where m.seat_id = v_problem.seat_id and m.paid_at is not null
      union all
      select s.access_given_at, case when s.invited_address is null then 'access-given' else 'invitation-sent' end, s.owner_id, s.invited_address,
        null from private.seats as s where s.id = v_problem.seat_id and s.access_given_at is not null
      union all
      select s.access_confirmed_at, 'access-confirmed', s.member_id, null, null
      from private.seats as s where s.id = v_problem.seat_id and s.access_confirmed_at is not null
      union all
      select e.created_at, case e.part when 'login' then 'vault-login' else 'vault-version' end, e.author_id, e.version::text, null from private.vault_entries as e
      where e.subscription_id = v_problem.subscription_id
      union all
      select o.opened_at, 'vault-opened', o.opened_by, o.version::text, null from private.vault_openings as o
      where o.subscription_id = v_problem.subscription_id and o.opened_by = v_problem.member_id
      union all
      select t.at, t.kind, t.person_id, t.note, null
      from public.problem_statements as t join public.seat_problems as q on q.id = t.problem_id
      where q.seat_id = v_problem.seat_id and q.reported_at <= v_problem.reported_at
      union all
      select min(t.created_at), 'given-back', null, null, sum(t.amount) from private.ledger_transfers as t
      where t.subscription_id = v_problem.subscription_id and t.seat_id = v_problem.seat_id and t.kind = 'refund' group by t.period_id
      union all
      select s.ended_at, 'seat-ended', s.ended_by, s.end_reason, null
      from private.seats as s where s.id = v_problem.seat_id and s.ended_at is not null
    ) as line (at, kind, person_id, note, amount)
    left join public.user_profiles as p on p.user_id = line.person_id
    order by line.at, line.kind;
end $function$;

CREATE OR REPLACE FUNCTION private.save_vault_entry(p_author_id uuid, p_subscription_id text, p_version integer, p_sealed text, p_key jsonb, p_part text DEFAULT 'access'::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_entry private.vault_entries;
begin
  perform private.act_for(p_author_id);
  perform private.lock_own_plan_vault(p_subscription_id);
  if p_version is distinct from private.next_vault_version(p_subscription_id) then
    raise exception 'Something else was stored at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  if p_key is not null then
    perform private.keep_vault_key(p_key, p_subscription_id);
  end if;
  perform private.spend_attempt('vault version');
  insert into private.vault_entries (subscription_id, version, sealed, author_id, part)
  values (p_subscription_id, p_version, p_sealed, auth.uid(), p_part) returning * into v_entry;
  if p_part = 'login' then
    delete from private.clear_logins where subscription_id = p_subscription_id;
  else
    perform private.note_stored_access(p_subscription_id);
  end if;
  perform private.tell_vault_version(v_entry);
  return private.get_vault_entry(p_subscription_id);
end $function$;

CREATE OR REPLACE FUNCTION private.seal_clear_login(p_subscription_id text, p_version integer, p_sealed text, p_key jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_since timestamptz;
begin
  perform private.act_for((select owner_id from public.shared_subscriptions where id = p_subscription_id));
  perform private.lock_own_plan_vault(p_subscription_id);
  delete from private.clear_logins where subscription_id = p_subscription_id returning updated_at into v_since;
  if v_since is null or p_version is distinct from private.next_vault_version(p_subscription_id) then
    raise exception 'Something else was stored at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  if p_key is not null then
    perform private.keep_vault_key(p_key, p_subscription_id);
  end if;
  insert into private.vault_entries (subscription_id, version, sealed, author_id, created_at, part)
  values (p_subscription_id, p_version, p_sealed, auth.uid(), v_since, 'login');
end $function$;

CREATE OR REPLACE FUNCTION private.take_clear_logins()
 RETURNS jsonb
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('plan', c.subscription_id, 'login', c.login_name,
    'version', private.next_vault_version(c.subscription_id), 'key', private.vault_key_of(null, c.subscription_id))), '[]')
  from (select * from private.clear_logins order by random() limit 100) as c
$function$;

CREATE OR REPLACE FUNCTION private.tell_vault_version(p_entry private.vault_entries)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats;
  v_is_first boolean := not exists (select from private.vault_entries
    where subscription_id = p_entry.subscription_id and part = p_entry.part and version < p_entry.version);
begin
  for v_seat in
    select * from private.seats where subscription_id = p_entry.subscription_id and ended_at is null and (access_given_at, admitted_at is null)
      is distinct from (p_entry.created_at, false) order by id
  loop
    perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'access-changed',
      case p_entry.part when 'login' then 'Account Login' else 'Access' end || case when v_is_first then ' Stored' else ' Changed' end,
      format(case p_entry.part when 'login' then 'The account login of %s %s' else 'What you need to get into %s %s' end
        || case when v_is_first then ' is stored on the plan''s page.' else ' has changed. You find it on the plan''s page.' end,
        v_seat.provider, v_seat.plan_name), jsonb_build_object('version', p_entry.version));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.list_vault_versions(p_subscription_id text)
 RETURNS TABLE(version integer, created_at timestamp with time zone, author_name text, part text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_vault_versions(p_subscription_id) $function$;

CREATE OR REPLACE FUNCTION public.open_vault_login(p_subscription_id text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.open_vault_login(p_subscription_id) $function$;

CREATE OR REPLACE FUNCTION public.prepare_vault_entry(p_subscription_id text, p_part text DEFAULT 'access'::text)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.prepare_vault_entry(p_subscription_id, p_part) $function$;

CREATE OR REPLACE FUNCTION public.save_vault_entry(p_author_id uuid, p_subscription_id text, p_version integer, p_sealed text, p_key jsonb, p_part text DEFAULT 'access'::text)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.save_vault_entry(p_author_id, p_subscription_id, p_version, p_sealed, p_key, p_part) $function$;

CREATE OR REPLACE FUNCTION public.seal_clear_login(p_subscription_id text, p_version integer, p_sealed text, p_key jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.seal_clear_login(p_subscription_id, p_version, p_sealed, p_key) $function$;

CREATE OR REPLACE FUNCTION public.take_clear_logins()
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.take_clear_logins() $function$;

ALTER TABLE "private"."clear_logins" ADD CONSTRAINT "clear_logins_subscription_id_fkey" FOREIGN KEY (subscription_id) REFERENCES public.shared_subscriptions(id) ON DELETE CASCADE;

ALTER TABLE "private"."vault_entries" ADD CONSTRAINT "vault_entries_part_check" CHECK ((part = ANY (ARRAY['access'::text, 'login'::text])));

REVOKE ALL ON FUNCTION "private"."call_for_clear_logins"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."current_vault_entry"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."list_vault_versions"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_vault_versions"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."next_vault_version"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_vault_login"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."open_vault_login"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."prepare_vault_entry"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."prepare_vault_entry"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."save_vault_entry"(uuid, text, integer, text, jsonb, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."save_vault_entry"(uuid, text, integer, text, jsonb, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."seal_clear_login"(text, integer, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."seal_clear_login"(text, integer, text, jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "private"."take_clear_logins"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."take_clear_logins"() TO "service_role";

REVOKE ALL ON FUNCTION "public"."list_vault_versions"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_vault_versions"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."open_vault_login"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."open_vault_login"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."prepare_vault_entry"(text, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."prepare_vault_entry"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."save_vault_entry"(uuid, text, integer, text, jsonb, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."save_vault_entry"(uuid, text, integer, text, jsonb, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."seal_clear_login"(text, integer, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."seal_clear_login"(text, integer, text, jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "public"."take_clear_logins"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."take_clear_logins"() TO "service_role";
-- To be written by hand: + job clear-logins
-- To be written by hand: ~ rows of private.rate_limits

update private.rate_limits
set requests = '{PATCH /shared_subscriptions,DELETE /shared_subscriptions,DELETE /subscription_members,POST /rpc/withdraw_invitation}'
where action = 'owner action';

select cron.schedule('clear-logins', '10 seconds', 'select private.call_for_clear_logins()');
