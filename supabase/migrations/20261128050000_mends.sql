set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.plain_iban(p_pasted text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return regexp_replace(upper(regexp_replace(normalize(p_pasted, nfkd), '[^A-Za-z0-9]', '', 'g')),
    '^IBAN(?:N|NO|NR|NUM|NUMBER|NUMMER|NUMERO)?(?=[A-Z]{2}[0-9]{2})', '');
end $function$;

CREATE OR REPLACE FUNCTION private.tg_payment_wishes__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.ensure_profile(new.user_id);
  new.iban := case new.kind when 'iban' then private.plain_iban(new.iban) end;
  new.holder := case new.kind when 'iban' then btrim(new.holder) end;
  new.link := case new.kind when 'link' then btrim(new.link) end;
  new.note := nullif(btrim(new.note), '');
  new.updated_at := now();
  if new.kind = 'iban' and not private.is_iban(coalesce(new.iban, '')) then
    raise exception 'This IBAN is not valid. Please check it.' using errcode = '23514';
  elsif new.kind = 'iban' and private.visible_length(new.holder) = 0 then
    raise exception 'Please enter the account holder’s name. Please enter a name' using errcode = '23514';
  elsif new.kind = 'link' and private.is_plain_link(new.link) is not true then
    raise exception 'Please enter a link that starts with https://' using errcode = '23514';
  elsif new.kind = 'text' and private.visible_length(new.note) = 0 then
    raise exception 'Please tell members how to pay you' using errcode = '23514';
  end if;
  return new;
end $function$;

REVOKE ALL ON FUNCTION "private"."plain_iban"(text) FROM PUBLIC;

