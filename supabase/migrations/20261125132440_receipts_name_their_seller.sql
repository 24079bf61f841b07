set local check_function_bodies = off;

CREATE TABLE "private"."seller" ("id" boolean NOT NULL DEFAULT true, "name" text NOT NULL, "address" text, "tax_number" text, CONSTRAINT "seller_id_check" CHECK (id), CONSTRAINT "seller_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."seller" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."member_payments" ADD COLUMN "seller_name" text;

ALTER TABLE "public"."member_payments" ADD COLUMN "seller_address" text;

ALTER TABLE "public"."member_payments" ADD COLUMN "seller_tax_number" text;

CREATE OR REPLACE FUNCTION private.report_seller(p_name text, p_address text, p_tax_number text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.seller where p_name is null;
  insert into private.seller (name, address, tax_number) select p_name, p_address, p_tax_number where p_name is not null
  on conflict (id) do update set name = excluded.name, address = excluded.address, tax_number = excluded.tax_number;
$function$;

CREATE OR REPLACE FUNCTION private.tg_member_payments__issue_receipt()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_number text := case new.settlement when 'direct' then nextval('private.direct_receipt_numbers')
  else nextval('private.receipt_numbers') end;
begin
  -- lpad() would cut a longer number.
  new.receipt_number := case new.settlement when 'direct' then 'D' else '' end || to_char(private.now() at time zone 'utc', 'YYYY') || '-'
    || lpad(v_number, greatest(6, char_length(v_number)), '0');
  new.owner_name := (select display_name from public.user_profiles where user_id = new.owner_id);
  new.member_name := (select display_name from public.user_profiles where user_id = new.member_id);
  if new.settlement = 'potluck' then
    select name, address, tax_number into new.seller_name, new.seller_address, new.seller_tax_number from private.seller;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.report_seller(p_name text, p_address text, p_tax_number text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.report_seller(p_name, p_address, p_tax_number) $function$;

REVOKE ALL ON FUNCTION "private"."report_seller"(text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."report_seller"(text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."report_seller"(text, text, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."report_seller"(text, text, text) TO "service_role";

revoke all on private.seller from public, anon, authenticated, service_role;
