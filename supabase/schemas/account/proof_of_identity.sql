-- Recent proof of identity: an open session or a stolen token is not enough for actions that cannot be undone. The token contains the proof
-- and its time; refreshing the token does not renew them.

-- How long a proof of identity is valid.
create function private.proof_lifetime() returns interval
language sql immutable return interval '10 minutes';

create function private.has_second_factor(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from auth.mfa_factors where user_id = p_user_id and status = 'verified')
$$;
create function private.has_passkey(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  -- Hosted projects may run an older auth service.
  if to_regclass('auth.webauthn_credentials') is null then return false; end if;
  return exists (select from auth.webauthn_credentials where user_id = p_user_id);
end $$;

-- Returns whether a factor or passkey was removed so recently that its owner may not have seen the mail about that. People who have
-- lost one can remove it with their password, but so can a thief; so after a removal the password alone is not a proof.
create function private.has_lost_factor(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.account_changes
    where user_id = p_user_id and kind in ('factor-removed', 'passkey-removed') and told is not null and undone_at is null
      and happened_at > now() - private.undo_lifetime()
  )
$$;

-- The acting user's methods for proving their identity, best first. People with a passkey or a second factor must use it, because a
-- thief with the password lacks it; a mailed code is for people without other methods, who sign in through a provider or have just
-- removed their factor.
create function private.proof_methods() returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_methods text[] := array_remove(array[
    case when private.has_passkey(v_user) then 'passkey' end, case when private.has_second_factor(v_user) then 'totp' end
  ], null);
begin
  if v_methods <> '{}' then return v_methods; end if;
  return (select array[case when coalesce(encrypted_password, '') = '' or private.has_lost_factor(id) then 'email' else 'password' end]
    from auth.users where id = v_user);
end $$;
select private.publish('proof_methods', 'authenticated');

-- Refuses people who have not used one of private.proof_methods() within private.proof_lifetime(). The method names are those of
-- the auth service's tokens.
create function private.require_recent_proof() returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_methods text[] := private.proof_methods();
  v_accepted text[] := '{passkey,totp,mfa/totp,mfa/phone,mfa/webauthn,mfa/recovery_code}';
begin
  if not v_methods && '{passkey,totp}' and not private.has_lost_factor(auth.uid()) then
    v_accepted := v_accepted || '{password}'::text[];
  end if;
  if v_methods = '{email}' then
    v_accepted := v_accepted || '{otp,magiclink,recovery,invite,email/signup,email_change}'::text[];
  end if;
  if not exists (
    select from jsonb_path_query(auth.jwt(), '$.amr[*] ? (@.method.type() == "string" && @.timestamp.type() == "number")') as shown
    where shown ->> 'method' = any (v_accepted) and (shown ->> 'timestamp')::numeric
      between extract(epoch from now() - private.proof_lifetime()) and extract(epoch from now())
  ) then
    perform private.refuse('proof_required');
  end if;
end $$;
-- If a service refuses a call without being able to say why, clients call this function to learn the reason.
select private.publish('require_recent_proof', 'authenticated');

-- Refuses a new factor or passkey without a recent proof of identity; otherwise a stale session could create a proof for itself.
-- Our auth service names the person for whom it writes. Supabase's does not, so there the newest proof in any of the person's
-- sessions counts.
create function private.tg_auth__require_proof() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_is_proven boolean := true;
begin
  if auth.uid() = new.user_id then
    perform private.require_recent_proof();
  elsif to_regclass('auth.mfa_amr_claims') is not null then
    select exists (
      select from auth.mfa_amr_claims as shown join auth.sessions as s on s.id = shown.session_id
      where s.user_id = new.user_id and shown.updated_at > now() - private.proof_lifetime()
    ) into v_is_proven;
  end if;
  if not v_is_proven then
    perform private.refuse('proof_required');
  end if;
  return new;
end $$;
-- Our auth service gives recovery codes a new date when they are replaced.
create trigger a_require_proof before insert or update of created_at on auth.mfa_factors
  for each row execute function private.tg_auth__require_proof();
do $$ begin
  -- Older auth services lack this table.
  if to_regclass('auth.webauthn_credentials') is not null then
    create trigger a_require_proof before insert on auth.webauthn_credentials
      for each row execute function private.tg_auth__require_proof();
  end if;
end $$;
