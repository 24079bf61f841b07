set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.own_profile()
 RETURNS SETOF public.user_profiles
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query select * from public.user_profiles where user_id = private.require_user();
end $function$;

CREATE OR REPLACE FUNCTION public.own_profile()
 RETURNS SETOF public.user_profiles
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.own_profile() $function$;

REVOKE ALL ON FUNCTION "private"."own_profile"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."own_profile"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."own_profile"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."own_profile"() TO "authenticated";

