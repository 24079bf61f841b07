-- Imported rows that become own plans: services that are not in the catalogue, other currencies and cycles, and groups whose people share
-- the price in their own way.

-- Returns the first name in p_people that nobody may have, shortened; null if there is none.
create function private.refused_name(p_people jsonb) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(left(nullif(btrim(given.name), ''), 40), '?')
    from jsonb_array_elements(case jsonb_typeof(p_people) when 'array' then p_people else '[]' end) with ordinality as person (says, at)
    cross join lateral (select btrim(regexp_replace(coalesce(person.says ->> 'name', ''), '\s+', ' ', 'g'))) as given (name)
    where private.visible_length(given.name) = 0 or char_length(given.name) > private.longest_display_name()
      or private.name_refusal(given.name) is not null
    order by person.at limit 1
  );
end $$;

-- Returns the first payment day after p_today, if payments come every p_months months and one of them is on p_date. Days up to today belong
-- to the group's earlier accounts.
create function private.next_payment_after(p_date date, p_months integer, p_today date) returns date
language plpgsql immutable set search_path = '' as $$
begin
  return case when p_date > p_today then p_date
    else (p_date + make_interval(months => p_months * (private.cycle_at(p_date, p_months, p_today) + 1)))::date end;
end $$;

-- Returns what each of these people pays per cycle, in their order, by the same rules as shares_of(); null if the parts are no parts of the
-- price. p_rule is `equal`, `amount` or `percent`, and p_places counts the owner.
create function private.imported_shares(p_people jsonb, p_rule text, p_price numeric, p_currency text, p_places integer) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  v_digits integer := private.currency_digits(p_currency);
  v_shares jsonb;
  v_sum numeric;
  v_parts numeric;
  v_wrong boolean;
begin
  if p_rule is null or p_rule not in ('equal', 'amount', 'percent')
    or exists (select from jsonb_array_elements(p_people) as person (says) where jsonb_typeof(says -> 'part') not in ('number', 'null')) then
    return null;
  end if;
  select jsonb_agg(jsonb_build_object('name', btrim(regexp_replace(says ->> 'name', '\s+', ' ', 'g')), 'part', part, 'share', own.share) order by at),
    sum(own.share), sum(part), bool_or(part < 0 or part > 1000000000 or part <> round(part, case p_rule when 'amount' then v_digits else 2 end))
  into v_shares, v_sum, v_parts, v_wrong
  from jsonb_array_elements(p_people) with ordinality as person (says, at)
  cross join lateral (select case when p_rule <> 'equal' then coalesce((says ->> 'part')::numeric, 0) end) as given (part)
  cross join lateral (select case p_rule when 'equal' then private.equal_share(p_price, p_places, p_currency) when 'amount' then part
    else trunc(p_price * part / 100, v_digits) end) as own (share);
  return case when v_wrong or v_sum > p_price or p_rule = 'percent' and v_parts > 100 then null else coalesce(v_shares, '[]') end;
end $$;

-- Returns the outcome of a row that becomes an own plan, with its values, as preview_import() does. `service` identifies the plan: a person
-- who has one with the same names, currency and cycle does not import it again.
create function private.own_import(p_row jsonb, out fate text, out params jsonb, out service text)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_today date := private.day_in(private.now(), private.zone_of(v_user));
  v_title text := btrim(regexp_replace(left(p_row ->> 'name', 200), '\s+', ' ', 'g'));
  -- “Netflix 4K” is the plan “4K” of Netflix; a single word has the file's or the page's word for a group as its plan.
  v_service text := coalesce(
    (select sold from (values (p_row ->> 'provider')) as p (sold) where lower(v_title) = lower(sold) or lower(v_title) like lower(sold) || ' %'),
    split_part(v_title, ' ', 1));
  v_name text := left(coalesce(nullif(btrim(substr(v_title, length(v_service) + 1)), ''), nullif(btrim(p_row ->> 'label'), ''), v_service),
    private.longest_plan_name());
  v_currency text := p_row ->> 'currency';
  v_digits integer := private.currency_digits(v_currency);
  v_price numeric := (p_row ->> 'price')::numeric;
  v_months integer := (p_row ->> 'months')::integer;
  v_website text := nullif(btrim(p_row ->> 'website'), '');
  v_people jsonb := case jsonb_typeof(p_row -> 'people') when 'array' then p_row -> 'people' else '[]' end;
  v_invited integer := case jsonb_typeof(p_row -> 'invite') when 'array' then jsonb_array_length(p_row -> 'invite') else 0 end;
  v_places integer := greatest((p_row ->> 'places')::integer, jsonb_array_length(v_people) + v_invited + 1);
  v_days date[] := array(select d::date
    from jsonb_array_elements_text(case jsonb_typeof(p_row -> 'dates') when 'array' then p_row -> 'dates' else '[]' end) as d);
  v_renews date := coalesce((p_row ->> 'renews')::date,
    case when cardinality(v_days) = 0 then private.next_payment_after((p_row ->> 'date')::date, v_months, v_today) end);
  v_rule text := coalesce(p_row ->> 'rule', 'equal');
  v_shares jsonb;
begin
  -- A link that does not lead where it seems to is left behind.
  if private.is_plain_link(v_website) is not true or char_length(v_website) > private.longest_website() then
    v_website := null;
  end if;
  service := jsonb_build_array('own', lower(v_service), lower(v_name), v_currency, v_months)::text;
  fate := case
    when v_digits is null then 'currency'
    when (v_price > 0 and v_price <= private.most_own_price(v_currency) and v_price = round(v_price, v_digits)) is not true then 'price'
    when (p_row ->> 'unsteady')::boolean then 'varies'
    when not private.is_service_name(v_service) or not private.is_service_name(v_name) then 'title'
    when private.is_of_provider_off(v_service, v_website) then 'closed'
    when exists (
      select from public.shared_subscriptions as s where s.owner_id = v_user and s.catalogue_plan_id = 'own' and lower(s.provider) = lower(v_service)
        and lower(s.name) = lower(v_name) and s.currency = v_currency and s.cycle_months = v_months
    ) then 'shared'
    when v_places < 2 then 'alone'
    when v_places > private.most_people() then 'people'
    when private.refused_name(v_people) is not null then 'name'
  end;
  if fate is null then
    v_shares := private.imported_shares(v_people, v_rule, v_price, v_currency, v_places);
    fate := case when v_shares is null then 'shares'
      when (v_renews > v_today and v_renews <= v_today + make_interval(months => v_months)) is not true then 'date' else 'own' end;
  end if;
  params := jsonb_build_object('plan', 'own', 'sold', p_row ->> 'provider', 'provider', v_service, 'name', v_name, 'price', v_price,
    'currency', v_currency, 'months', v_months, 'most', private.most_people(), 'places', case when fate <> 'alone' then v_places end,
    'rule', v_rule, 'people', v_shares, 'refused', case when fate = 'name' then private.refused_name(v_people) end,
    'rest', v_price - (select coalesce(sum((one ->> 'share')::numeric), 0) from jsonb_array_elements(v_shares) as one),
    'website', v_website, 'note', nullif(left(btrim(p_row ->> 'note'), private.longest_plan_note()), ''),
    'renews', case when fate <> 'date' then v_renews end,
    'dates', case when fate = 'date' then (
      select jsonb_agg(distinct next.day) from unnest(v_days) as d cross join lateral (select private.next_payment_after(d, v_months, v_today)) as next (day)
      where next.day <= v_today + make_interval(months => v_months)) end);
end $$;

-- Creates an own plan from what own_import() has returned; nobody has a place in it yet. Until its price is divided, a place costs nothing.
create function private.share_own_import(p_plan jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_id text;
begin
  insert into public.shared_subscriptions (provider, name, total_price, currency, cycle_months, max_members, next_payment, website, note)
  values (p_plan ->> 'provider', p_plan ->> 'name', (p_plan ->> 'price')::numeric, p_plan ->> 'currency', (p_plan ->> 'months')::integer,
    (p_plan ->> 'places')::integer, (p_plan ->> 'renews')::date, p_plan ->> 'website', p_plan ->> 'note')
  returning id into v_id;
  update public.shared_subscriptions set member_price = 0 where id = v_id;
  return v_id;
end $$;

-- Divides the price of an imported own plan. Its people owe nothing for the days before the next payment day, because their group has
-- settled these elsewhere: their places were opened while they cost nothing, so their first payment is on that day.
create function private.divide_own_import(p_plan_id text, p_plan jsonb, p_links jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions;
  v_rule text := p_plan ->> 'rule';
begin
  update public.shared_subscriptions set share_rule = v_rule, member_price = case v_rule
    when 'equal' then private.equal_share(total_price, max_members, currency) else 0 end
  where id = p_plan_id returning * into v_plan;
  -- The first price of a new plan is no change.
  delete from private.plan_changes where subscription_id = p_plan_id;
  update private.seats as s set part = (p_plan -> 'people' -> (one.at::integer - 1) ->> 'part')::numeric
  from jsonb_array_elements(p_links) with ordinality as one (link, at)
  where v_rule <> 'equal' and s.subscription_id = p_plan_id and s.id = (private.place_behind(one.link ->> 'link')).id;
  update private.seats as s set share = given.share from private.shares_of(v_plan) as given where given.seat_id = s.id;
end $$;
