set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.lost_a_factor(p_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from private.account_changes
    where user_id = p_user_id and kind in ('factor-removed', 'passkey-removed') and told is not null and undone_at is null
      and happened_at > now() - private.undo_lifetime()
  )
$function$;

CREATE OR REPLACE FUNCTION private.proof_methods()
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_methods text[] := array_remove(array[
    case when private.has_passkey(v_user) then 'passkey' end, case when private.has_second_factor(v_user) then 'totp' end
  ], null);
begin
  if v_methods <> '{}' then return v_methods; end if;
  return (select array[case when coalesce(encrypted_password, '') = '' or private.lost_a_factor(id) then 'email' else 'password' end]
    from auth.users where id = v_user);
end $function$;

CREATE OR REPLACE FUNCTION private.require_recent_proof()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_methods text[] := private.proof_methods();
  v_accepted text[] := '{passkey,totp,mfa/totp,mfa/phone,mfa/webauthn,mfa/recovery_code}';
begin
  if not v_methods && '{passkey,totp}' and not private.lost_a_factor(auth.uid()) then
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
    raise exception 'Please confirm that it is you.' using errcode = 'PT403';
  end if;
end $function$;

REVOKE ALL ON FUNCTION "private"."lost_a_factor"(uuid) FROM PUBLIC;

