-- A factor or passkey is enrolled with a proof of identity no older than the one money asks for.
set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.tg_auth__require_proof()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    raise exception 'Please confirm that it is you.' using errcode = 'PT403';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.require_recent_proof()
 RETURNS void
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.require_recent_proof() $function$;

CREATE TRIGGER a_require_proof BEFORE INSERT OR UPDATE OF created_at ON auth.mfa_factors FOR EACH ROW EXECUTE FUNCTION private.tg_auth__require_proof();

do $$ begin
  -- Older auth services lack this table.
  if to_regclass('auth.webauthn_credentials') is not null then
    create trigger a_require_proof before insert on auth.webauthn_credentials
      for each row execute function private.tg_auth__require_proof();
  end if;
end $$;

REVOKE ALL ON FUNCTION "private"."require_recent_proof"() FROM "authenticated";

GRANT EXECUTE ON FUNCTION "private"."require_recent_proof"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."tg_auth__require_proof"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."require_recent_proof"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."require_recent_proof"() TO "authenticated";

