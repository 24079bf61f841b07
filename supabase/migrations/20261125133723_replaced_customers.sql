set local check_function_bodies = off;

DROP FUNCTION "private"."record_customer"(uuid, text);

DROP FUNCTION "public"."record_customer"(uuid, text);

CREATE OR REPLACE FUNCTION private.record_customer(p_user_id uuid, p_customer text, p_instead text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_provider text := (select provider from private.payment_provider);
begin
  update private.payment_customers set reference = p_customer
  where user_id = p_user_id and provider = v_provider and reference = p_instead and reference <> p_customer;
  if found then
    delete from public.payment_methods where user_id = p_user_id and provider = v_provider;
  end if;
  insert into private.payment_customers (user_id, provider, reference) values (p_user_id, v_provider, p_customer)
  on conflict (user_id, provider) do nothing;
  return (select reference from private.payment_customers where user_id = p_user_id and provider = v_provider);
end $function$;

CREATE OR REPLACE FUNCTION public.record_customer(p_user_id uuid, p_customer text, p_instead text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_customer(p_user_id, p_customer, p_instead) $function$;

REVOKE ALL ON FUNCTION "private"."record_customer"(uuid, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_customer"(uuid, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."record_customer"(uuid, text, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_customer"(uuid, text, text) TO "service_role";
