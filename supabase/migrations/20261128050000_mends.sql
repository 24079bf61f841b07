set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.next_renewal(p_date date, p_yearly boolean)
 RETURNS date
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select (p_date + months * interval '1 month')::date from generate_series(0, 36, case when p_yearly then 12 else 1 end) as months
  where (p_date + months * interval '1 month')::date >= current_date order by months limit 1
$function$;

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

CREATE OR REPLACE FUNCTION private.preview_import(p_rows jsonb)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plans private.catalogue_plan[] := array(select p from private.catalogue_plans() as p);
  v_shared text[] := array(select s.provider from public.shared_subscriptions as s where s.owner_id = v_user);
  v_taken text[] := '{}';
  v_row record;
  v_meant record;
  v_plan private.catalogue_plan;
  v_renews date;
begin
  perform private.require_few_rows(p_rows);
  for v_row in
    with sellers as materialized (
      select distinct p.provider, words from unnest(v_plans) as p,
        unnest(array[private.plain_words(p.provider), private.plain_words(replace(p.provider, '+', ''))]) as words
    ), wanted as materialized (
      select r.*, private.plain_words(r.name) as words,
        r.price / case when r.unit = 'year' or r.every = 12 then 12 else 1 end as monthly,
        coalesce(r.unit = 'year' or r.every = 12, false) as is_yearly, coalesce(cardinality(r.dates), 0) > 0 as is_unsure,
        (r.unit, r.every) in (('month', 1), ('month', 12), ('year', 1)) as is_regular
      from rows from (jsonb_to_recordset(p_rows) as (key text, name text, kind text, price numeric, currency text, unit text, every integer,
        date date, payer text, plan text, places integer, renews date, dates date[])) with ordinality
        as r (key, name, kind, price, currency, unit, every, date, payer, plan, places, renews, dates, at)
    )
    select w.*, coalesce((select p.provider from unnest(v_plans) as p where p.id = w.plan), (
      -- “HBOMax” is HBO Max; “Apple TV+” is Apple TV.
      select s.provider from sellers as s where w.plan is null and w.is_regular and w.currency = 'EUR'
        and (position(s.words in w.words) > 0 or replace(w.words, ' ', '') like replace(s.words, ' ', '') || '%')
      order by length(s.words) desc, s.provider limit 1
    )) as provider
    from wanted as w order by w.at
  loop
    key := v_row.key;
    params := '{}';
    fate := case
      when v_row.kind is not null then v_row.kind
      when v_row.unit is null then 'once'
      when v_row.is_regular is not true then 'irregular'
      when v_row.date < current_date - case when v_row.is_yearly then interval '15 months' else interval '3 months' end and not v_row.is_unsure then 'ended'
      when v_row.currency is distinct from 'EUR' then 'currency'
      when v_row.payer is not null then 'theirs'
      when v_row.provider is null then 'unknown'
      when v_row.provider = any (v_shared) then 'shared'
      when v_row.provider = any (v_taken) then 'twice'
      when exists (select from public.closed_providers as c where c.provider = v_row.provider) then 'closed'
    end;
    if fate is null then
      v_taken := v_taken || v_row.provider::text;
      v_meant := private.meant_plan(array(select p from unnest(v_plans) as p
        where case when v_row.plan is null then p.provider = v_row.provider else p.id = v_row.plan end), v_row.words, v_row.monthly);
      v_plan := v_meant.plan;
      v_renews := coalesce(v_row.renews, case when not v_row.is_unsure then private.next_renewal(v_row.date, v_row.is_yearly) end);
      fate := case
        when v_plan.max_members < 2 then 'single'
        when not v_meant.certain then 'choose'
        when v_renews is null or v_renews < current_date or v_renews > current_date + 3660 then 'date'
        else 'new'
      end;
      params := jsonb_build_object('plan', v_plan.id, 'name', v_plan.name, 'price', v_plan.price, 'cycle', v_plan.billing_cycle,
        'most', v_plan.max_members, 'places', least(v_plan.max_members, greatest(2, coalesce(v_row.places, v_plan.max_members))),
        'renews', case when fate = 'date' then null else v_renews end,
        'dates', case when fate = 'date' and v_row.is_unsure then (
          select jsonb_agg(distinct private.next_renewal(d, v_row.is_yearly)) from unnest(v_row.dates) as d
          where private.next_renewal(d, v_row.is_yearly) is not null) end);
    end if;
    params := jsonb_strip_nulls(params || jsonb_build_object('provider', v_row.provider));
    return next;
  end loop;
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

REVOKE ALL ON FUNCTION "private"."next_renewal"(date, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plain_iban"(text) FROM PUBLIC;

