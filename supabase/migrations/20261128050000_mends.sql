set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.missing_vault_keys(p_site_keys text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('name', name, 'count', count) order by name), '[]') from (
    select name, (select count(*) from private.vault_keys where site_key = name) as count
    from (select name from private.vault_site_key union select distinct site_key from private.vault_keys) as used
    where name <> all (p_site_keys)
  ) as missing
$function$;

CREATE OR REPLACE FUNCTION public.missing_vault_keys(p_site_keys text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return private.missing_vault_keys(p_site_keys); end$function$;

REVOKE ALL ON FUNCTION "private"."missing_vault_keys"(text[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."missing_vault_keys"(text[]) TO "service_role";

REVOKE ALL ON FUNCTION "public"."missing_vault_keys"(text[]) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."missing_vault_keys"(text[]) TO "service_role";
