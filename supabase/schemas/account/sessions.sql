-- A person's sessions.

-- Returns the methods by which a session was opened and confirmed, newest first. Our server stores them in the session, Supabase in
-- a table.
create function private.session_proof(p_session auth.sessions) returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if to_regclass('auth.mfa_amr_claims') is null then
    return array(select jsonb_path_query(to_jsonb(p_session), '$.amr[*].method') #>> '{}');
  end if;
  return array(select authentication_method from auth.mfa_amr_claims where session_id = p_session.id order by updated_at desc);
end $$;

-- The acting user's sessions, most recently used first. Refreshing a session counts as using it.
create function private.my_sessions() returns table (
  id uuid, user_agent text, ip text, created_at timestamptz, last_used_at timestamptz, proof text[], is_current boolean
)
language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare v_user uuid := private.require_user();
begin
  return query
  select s.id, s.user_agent::text, split_part(s.ip::text, '/', 1), s.created_at::timestamptz,
    greatest(s.created_at, s.refreshed_at::timestamptz), private.session_proof(s),
    s.id::text = coalesce(auth.jwt() ->> 'session_id', '')
  from auth.sessions as s where s.user_id = v_user and private.is_live_session(s.not_after)
  order by 5 desc, 1;
end $$;
select private.publish('my_sessions', 'authenticated');

-- Signs out one of the acting user's sessions: its refresh tokens are deleted, and its access token stops working.
create function private.end_session(p_session_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from auth.sessions where id = p_session_id and user_id = private.require_user();
  if not found then
    perform private.refuse('session_not_found');
  end if;
end $$;
select private.publish('end_session', 'authenticated');
