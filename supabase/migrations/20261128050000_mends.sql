set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.is_catalogue(p_data jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when coalesce(jsonb_typeof(p_data), '') = 'array' then (
    select coalesce(bool_and(
      jsonb_typeof(provider) = 'object'
      and private.is_text(provider -> 'id', true)
      and private.is_text(provider -> 'name', true)
      and private.is_text(provider -> 'website', false)
      and private.is_text(provider -> 'category', false)
      and case when jsonb_typeof(provider -> 'plans') = 'array' then (
        select coalesce(bool_and(private.is_catalogue_plan(plan)), true) from jsonb_array_elements(provider -> 'plans') as plan
      ) else false end
    ), false) from jsonb_array_elements(p_data) as provider
  ) else false end
$function$;

REVOKE ALL ON FUNCTION "private"."alert_lifetime"() FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."alert_lifetime"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."first_fee_rate"() FROM "authenticated";

GRANT EXECUTE ON FUNCTION "private"."first_fee_rate"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."first_fee_rate"() FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."first_fee_rate"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."invitation_lifetime"() FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."invitation_lifetime"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."is_catalogue"(jsonb) FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."is_catalogue"(jsonb) TO "service_role";
