-- Schema private holds everything that the API does not expose: function bodies that run with the owner's rights, helpers for
-- policies, and the rate limits.
create schema if not exists private;
revoke all on schema private from public, anon, authenticated;
-- Visitors (`anon`) need this too, because the Data API calls private.check_request() for them.
grant usage on schema private to anon, authenticated, service_role;

-- Functions can be called only by roles to which they are granted; by default Postgres lets all roles call them.
alter default privileges revoke execute on functions from public;

-- Publishes a function to the API for these roles: either a function of `private`, through a wrapper of the same name and
-- parameters in `public` that runs as its caller, or one that is in `public` already. The wrapper is plpgsql, which keeps its plan:
-- as SQL it would be parsed and planned for each request. The wrapper of a volatile function reports broken constraints in words
-- that people understand (constraints.sql). Only the schemas call this.
create function private.publish(p_name text, variadic p_roles text[]) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_roles text := array_to_string(p_roles, ', ');
  v_function pg_catalog.pg_proc;
  v_call text;
begin
  select * into v_function from pg_catalog.pg_proc where pronamespace = 'private'::regnamespace and proname = p_name;
  if found then
    v_call := format(case when v_function.proretset then 'return query select * from private.%I(%s);'
      when v_function.prorettype = 'void'::regtype then 'perform private.%I(%s);'
      else 'return private.%I(%s);' end, p_name, array_to_string(v_function.proargnames[:v_function.pronargs], ', '));
    execute format('create function public.%I(%s) returns %s language plpgsql %s set search_path = '''' as %L',
      p_name, pg_get_function_arguments(v_function.oid), pg_get_function_result(v_function.oid),
      case v_function.provolatile when 's' then 'stable' else 'volatile' end,
      case when v_function.provolatile = 'v' then format('declare v_schema text; v_table text; v_rule text; v_column text; begin %s
exception when integrity_constraint_violation then
  get stacked diagnostics v_schema = schema_name, v_table = table_name, v_rule = constraint_name, v_column = column_name;
  if v_table = '''' then raise; end if;
  perform private.refuse_constraint(sqlstate, v_schema, v_table, v_rule, v_column, sqlerrm); end', v_call)
        else format('begin %s end', v_call) end);
    execute format('grant execute on function %s to %s', v_function.oid::regprocedure, v_roles);
  end if;
  select * into strict v_function from pg_catalog.pg_proc where pronamespace = 'public'::regnamespace and proname = p_name;
  -- Hosted projects differ in their default grants.
  execute format('revoke all on function %s from public, anon, authenticated, service_role', v_function.oid::regprocedure);
  execute format('grant execute on function %s to %s', v_function.oid::regprocedure, v_roles);
end $$;

-- Sends the changes of a table to browsers; row-level security decides who receives a row.
create function private.send_changes(p_table text) returns void
language plpgsql volatile set search_path = '' as $$
begin
  execute format('alter publication supabase_realtime add table public.%I', p_table);
exception when duplicate_object then null;
end $$;

-- Returns the acting user. Raises 42501 if the caller is not signed in.
create function private.require_user() returns uuid
language plpgsql stable set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if v_user is null then
    perform private.refuse('not_signed_in');
  end if;
  return v_user;
end $$;

-- Returns the acting user. Raises an error unless p_user_id is that person.
create function private.require_self(p_user_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if p_user_id is distinct from v_user then
    perform private.refuse('for_yourself_only');
  end if;
  return v_user;
end $$;

-- Lets the rest of this transaction act for this person. Only for calls by Edge Functions, after the person's own token has proved
-- who they are and which proofs they have given.
create function private.act_for(p_user_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_user_id)::text, true);
end $$;

-- Returns the length of the visible text, without surrounding white space and invisible characters.
create function private.visible_length(p_text text) returns integer
language sql immutable
return char_length(regexp_replace(
    regexp_replace(coalesce(p_text, ''), '[\u00ad\u034f\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]', '', 'g'),
    '^[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$', '', 'g'
  ));

-- Returns whether a link leads where it seems to: only https, no user name before the host, a host in plain ASCII (other letters
-- look alike, as such or in punycode), and nothing that hides or reverses text.
create function private.is_plain_link(p_link text) returns boolean
language sql immutable
return p_link ~* '^https://([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(:[0-9]{1,5})?([/?#][^\s\\\u0001-\u001f\u007f-\u009f\u061c]*)?$'
  and p_link !~* '^https://([^/?#]*\.)?xn--' and private.visible_length(p_link) = char_length(p_link);

-- Returns whether only the person at the machine can reach the site. The server sets this in each of its sessions (embedded
-- database, loopback, outside production); no request can. On hosted Supabase it is never set.
create function private.is_sheltered() returns boolean
language sql stable
return coalesce(current_setting('app.settings.sheltered', true) = 'on', false);

-- Returns whether the session is based on a phishing-resistant or second proof: a second factor, or a passkey, which Supabase
-- counts as aal1.
create function private.shows_second_factor() returns boolean
language sql stable
return coalesce(auth.jwt() ->> 'aal' in ('aal2', 'aal3') or auth.jwt() @? '$.amr[*] ? (@.method == "passkey")', false);

-- Returns a text as a UUID; null if it is none.
create function private.uuid_in(p_text text) returns uuid
language sql immutable
return case when p_text ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_text::uuid end;

-- Returns a duration in whole hours, rounded up, as countdowns show it.
create function private.hours_of(p_time interval) returns integer
language sql immutable return ceil(extract(epoch from p_time) / 3600)::integer;

-- Returns whether an account with these dates may sign in and its programs may call the API. Other effects of a ban follow
-- private.is_suspended(). Postgres can inline this function, which matters because every request calls it.
create function private.is_open_account(p_deleted_at timestamptz, p_banned_until timestamptz) returns boolean
language sql stable return p_deleted_at is null and coalesce(p_banned_until <= now(), true);

-- Returns whether a session with this end, or with none, has not ended yet.
create function private.is_live_session(p_not_after timestamptz) returns boolean
language sql stable return coalesce(p_not_after > now(), true);

-- Refuses a token whose session or account has ended (signed out, banned or deleted), and counts attempts before anything can
-- refuse them. On our server the count survives a refused request; PostgREST rolls it back, so there refused attempts do not count.
-- Every request waits for this, so only people who have a second factor are checked for one.
create function private.check_session() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_claims jsonb := auth.jwt();
  v_has_factor boolean;
  v_action text;
  v_attempts integer;
  v_window integer;
begin
  -- A request of a person's program: private.claims_of_ticket() has checked its token.
  if v_user is null or v_claims ? 'token_id' then return; end if;
  -- One statement, because every request waits for it.
  select exists (select from auth.mfa_factors where user_id = u.id and status = 'verified'), l.action, l.attempts, l.window_seconds
  into v_has_factor, v_action, v_attempts, v_window
  from auth.sessions as s join auth.users as u on u.id = s.user_id
  left join private.rate_limits as l
    on (select current_setting('request.method', true) || ' ' || current_setting('request.path', true)) = any (l.requests)
  where s.id = (v_claims ->> 'session_id')::uuid and s.user_id = v_user
    and private.is_live_session(s.not_after)
    and private.is_open_account(u.deleted_at, u.banned_until);
  if not found then
    perform private.refuse('session_ended');
  end if;
  if v_has_factor and not private.shows_second_factor() then
    perform private.refuse('second_factor_required');
  end if;
  if v_action is not null then
    perform private.count_attempt(v_user, v_action, v_attempts, v_window);
    perform set_config('request.counted', v_action, true);
  end if;
end $$;

-- Reads that return the same rows to every visitor, because they do not depend on other headers, IP addresses or cookies.
create function private.shared_reads() returns text[]
language sql immutable return '{rpc/market_plans,rpc/market_plan,rpc/count_available_plans,rpc/plan_of_code,rpc/get_person,rpc/reviews_of,rpc/fee_rate,rpc/public_books,service_provider_data}'::text[];

-- Called by the Data API before each request, with the request's role. With a ticket of the function `api`, the request acts for the
-- token's person. Reads that visitors share are marked for shared caches (decision 038).
create function private.check_request() returns void
language plpgsql volatile set search_path = '' as $$
begin
  if current_setting('request.headers', true) like '%"x-potluck-ticket"%' then
    perform set_config('request.jwt.claims',
      private.claims_of_ticket(current_setting('request.headers')::json ->> 'x-potluck-ticket'), true);
    perform set_config('role', 'authenticated', true);
  elsif current_user = 'anon' and auth.uid() is null and current_setting('request.method', true) in ('GET', 'HEAD')
    and substr(current_setting('request.path', true), 2) = any (private.shared_reads()) then
    -- Caches may serve this answer until it is two seconds old; browsers only after revalidating.
    perform set_config('response.headers', '[{"Cache-Control": "public, max-age=0, s-maxage=2, must-revalidate"},
      {"Vary": "Accept, Accept-Profile, Authorization, Apikey, Prefer, Range, X-Potluck-Ticket"}]', true);
  end if;
  perform private.check_session();
end $$;

do $$
declare
  v_owner name := current_user;
  v_setting text := 'pgrst.db_pre_request=private.check_request';
begin
  -- Roles are shared by all databases of a cluster: the setup of another database may have set this already.
  if exists (
    select from pg_catalog.pg_db_role_setting where setrole = 'authenticator'::regrole and setdatabase = 0 and v_setting = any (setconfig)
  ) then return; end if;
  alter role authenticator set pgrst.db_pre_request = 'private.check_request';
exception when insufficient_privilege then
  -- On hosted Supabase the owner may alter the role authenticator; elsewhere the owner can become that role, and a role may alter itself.
  set local role authenticator;
  alter role authenticator set pgrst.db_pre_request = 'private.check_request';
  execute format('set local role %I', v_owner);
end $$;
notify pgrst, 'reload config';

grant execute on function private.require_user(), private.require_self(uuid), private.is_sheltered(),
  private.shows_second_factor() to authenticated;
grant execute on function private.check_request(), private.check_session(), private.shared_reads() to anon, authenticated, service_role;
