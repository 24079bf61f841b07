set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.are_names_alike(p_name text, p_other text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from unnest(private.name_spellings(p_name)) as a, unnest(private.name_spellings(p_other)) as b
    where a <> '' and a = b or exists (
      select from unnest(string_to_array(a, ' ')) as word where word = any (string_to_array(b, ' '))
        -- Two Chinese, Japanese or Korean letters are a name.
        and (length(word) > 2 or word ~ '^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2}$')
        -- A word that stands beside many names tells nobody from others.
        and word <> all ('{and,del,della,den,der,des,dos,frau,gmbh,herr,ltd,mrs,ten,ter,the,und,van,vom,von,zum,zur}')))
$function$;

CREATE OR REPLACE FUNCTION private.entry_fates(p_entries jsonb)
 RETURNS TABLE(key text, fate text, params jsonb, payment uuid, entry_hash text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_entry record;
  v_named public.member_payments;
  v_fit jsonb;
  v_by_name jsonb;
  v_taken uuid[] := '{}';
begin
  perform private.require_few_rows(p_entries);
  for v_entry in
    with entries as (
      select e.*, named.known is true as names_known, named.anew is true as names_payment,
        private.hash_of(concat_ws('|', v_user, coalesce(e.ref, e.name || e.text), e.amount, e.booked)) as hash
      from rows from (jsonb_to_recordset(p_entries) as (key text, amount numeric, currency text, kind text, booked date, name text, text text,
        ref text, payment uuid)) with ordinality as e (key, amount, currency, kind, booked, name, text, ref, payment, at)
      cross join lateral (
        -- A standing order has the first month's reference for ever: what comes days after that was confirmed is for another.
        select bool_or(true) as known, bool_or((m.status in ('paid', 'closed') and e.booked > m.paid_at::date + 3) is not true) as anew
        from private.payments_named_in(e.text) as m
      ) as named
    )
    -- Banks may give two transfers of a day the same reference.
    select e.*, hash || '-' || row_number() over (partition by hash order by at) as own_hash from entries as e
    -- What is certain chooses first, so that what is not takes nothing from it.
    order by e.payment is null, not names_payment, booked, at
  loop
    key := v_entry.key;
    params := '{}';
    payment := null;
    entry_hash := v_entry.own_hash;
    fate := case
      when v_entry.kind is not null then v_entry.kind
      when exists (select from private.used_bank_entries as u where u.owner_id = v_user and u.entry_hash = v_entry.own_hash) then 'confirmed'
      when v_entry.currency is distinct from 'EUR' then 'currency'
    end;
    if fate is null and v_entry.names_payment then
      -- One that it pays before one that it might.
      select m.* into v_named from private.payments_named_in(v_entry.text) as m
      order by m.amount = v_entry.amount and m.status in ('due', 'claimed', 'disputed') and m.id <> all (v_taken) desc, m.number limit 1;
      fate := case
        when v_named.id = any (v_taken) then 'twice'
        when v_named.status = 'cancelled' then 'cancelled'
        when v_named.status not in ('due', 'claimed', 'disputed') then 'confirmed'
        when v_named.amount is distinct from v_entry.amount then 'amount'
        else 'pays'
      end;
      params := private.entry_payment(v_named) || jsonb_build_object('by', 'reference');
    elsif fate is null then
      with fitting as (
        select m.id, m.seat_id, m.due_at, m.number, private.entry_payment(m) as about,
          private.are_names_alike(v_entry.name, p.display_name) as is_theirs
        from public.member_payments as m join public.user_profiles as p on p.user_id = m.member_id
        where m.owner_id = v_user and m.settlement = 'direct' and m.status in ('due', 'claimed', 'disputed') and m.amount = v_entry.amount
          and m.id <> all (v_taken) and m.due_at - interval '10 days' < v_entry.booked + 1
      )
      -- Of several months of one place, the oldest is paid first.
      select jsonb_agg(about order by due_at, number, id),
        case count(distinct seat_id) filter (where is_theirs) when 1 then (array_agg(about order by due_at, number) filter (where is_theirs))[1] end
      into v_fit, v_by_name from fitting;
      fate := case when v_fit is null then case when v_entry.names_known then 'confirmed' else 'nothing' end when v_by_name is null then 'choose' else 'pays' end;
      params := case fate when 'pays' then v_by_name || jsonb_build_object('by', 'name') when 'choose' then jsonb_build_object('of', v_fit) else '{}' end;
      if v_fit @> jsonb_build_array(jsonb_build_object('payment', v_entry.payment)) then
        fate := 'pays';
        params := (select one from jsonb_array_elements(v_fit) as one where one ->> 'payment' = v_entry.payment::text)
          || jsonb_build_object('by', 'choice');
      end if;
    end if;
    if fate = 'pays' then
      payment := (params ->> 'payment')::uuid;
      v_taken := v_taken || payment;
    end if;
    return next;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.name_spellings(p_name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select array_agg(distinct (
    select coalesce(string_agg(word, ' ' order by word collate "C"), '') from regexp_split_to_table(
      normalize(regexp_replace(normalize(spelling, nfkd), '[\u0300-\u036f\u0640\u064b-\u065f\u0670]', '', 'g'), nfc),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u05be\u060c\u2010-\u206f\u3000-\u303f\u30fb]+') as word where word <> ''))
  from (
    select translate(lower(regexp_replace(normalize(left(p_name, 200), nfkc), '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]', '', 'g')),
      'ÄÖÜÅØÆŒŁĐÐÞẞÑÇÉΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςΆΈΉΊΌΎΏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЁЄІЇҐ',
      'äöüåøæœłđðþßñçéαβγδεζηθικλμνξοπρστυφχψωσάέήίόύώабвгдежзийклмнопрстуфхцчшщъыьэюяёєіїґ') as name
  ) as small
  cross join lateral (values (replace(replace(replace(replace(replace(name, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'å', 'aa'), 'ø', 'oe')),
    (replace(name, 'ø', 'o'))) as spelled (letters)
  cross join lateral (select replace(replace(replace(replace(translate(letters, 'łđðı', 'lddi'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th')
    as spelling) as final
$function$;

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

REVOKE ALL ON FUNCTION "private"."are_names_alike"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."name_spellings"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_renewal"(date, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plain_iban"(text) FROM PUBLIC;

