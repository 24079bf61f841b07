-- The import of plans that people manage elsewhere. Browsers read the files and send their rows; the database returns the outcome of each
-- row. The preview and the import share the code that decides the outcome.

-- The maximum number of rows in one import.
create function private.most_imported_rows() returns integer
language sql immutable return 2000;

insert into private.rate_limits (action, attempts, window_seconds, requests) values
  ('plan import', 20, 3600, '{POST /rpc/import_plans}'),
  -- A person without an account whom an import adds; it does not count as a new guest as well.
  ('imported guest', 300, 3600, '{}'),
  -- A reading of another site by the function `import`.
  ('import reading', 10, 3600, '{}');

-- Counts one reading of another site against the acting user's rate limit.
create function private.begin_import() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_user();
  perform private.spend_attempt('import reading');
end $$;
select private.publish('begin_import', 'authenticated');

create function private.require_few_rows(p_rows jsonb) returns void
language plpgsql stable set search_path = '' as $$
begin
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) > private.most_imported_rows() then
    perform private.refuse('too_many_rows', private.most_imported_rows()::text);
  end if;
end $$;

-- Returns the words of a text between single spaces, for comparing names of plans: in lower case, without accents, and with words such as
-- "familia" and "famille" replaced by "family".
create function private.plain_words(p_text text) returns text
language sql immutable set search_path = '' as $$
  select ' ' || btrim(regexp_replace(regexp_replace(regexp_replace(normalize(lower(replace(left(p_text, 200), '+', ' plus ')), nfkd),
    '[\u0300-\u036f]', '', 'g'), '[^a-z0-9]+', ' ', 'g'), '\mfam(ilia|ilie|ille|iglia|ilies)\M', 'family', 'g')) || ' '
$$;

-- Returns the plan of one provider that best fits a text and a monthly price, and whether the match is certain. The match is certain if
-- only one plan has this price; otherwise, if one plan's name shares more words with the text than any other, or if only one plan is for
-- several people. If no match is certain, this returns the plan for several people that is nearest in price.
create function private.match_plan(
  p_plans private.catalogue_plan[], p_words text, p_price numeric, out plan private.catalogue_plan, out certain boolean
)
language plpgsql stable set search_path = '' as $$
declare
  v_best integer;
  v_scores numeric[];
  v_positions integer[];
  v_prices numeric[] := array(
    select round(price / case billing_cycle when 'yearly' then 12 else 1 end, 2) from unnest(p_plans));
begin
  certain := true;
  if cardinality(array_positions(v_prices, round(p_price, 2))) = 1 then
    plan := p_plans[array_position(v_prices, round(p_price, 2))];
    return;
  end if;
  select array_agg(score order by score desc), (array_agg(at order by score desc))[1] into v_scores, v_best from (
    -- Each word of the plan's name counts 1 if the text has it. Missing words only break ties.
    select at, (select sum(case when p_words like '% ' || word || ' %' then 1 else -0.01 end)
      from unnest(string_to_array(btrim(private.plain_words(regexp_replace(p_plans[at].name, '\(.*\)', ''))), ' ')) as word) as score
    from generate_subscripts(p_plans, 1) as at
  ) as scored;
  if v_scores[1] > 0 and v_scores[1] > coalesce(v_scores[2], 0) then
    plan := p_plans[v_best];
    return;
  end if;
  select array_agg(at order by abs(v_prices[at] - p_price), at) into v_positions
  from generate_subscripts(p_plans, 1) as at where p_plans[at].max_members > 1;
  plan := p_plans[coalesce(v_positions[1], 1)];
  certain := coalesce(cardinality(v_positions), 0) < 2;
end $$;

-- Returns the first day, from today on, that is a whole number of months or (with p_yearly) years after the payment on p_date.
create function private.next_renewal(p_date date, p_yearly boolean) returns date
language sql stable set search_path = '' as $$
  select (p_date + months * interval '1 month')::date from generate_series(0, 36, case when p_yearly then 12 else 1 end) as months
  where (p_date + months * interval '1 month')::date >= current_date order by months limit 1
$$;

-- Returns the outcome of each row, in order, without changing anything. `fate` is the outcome, and `params` has the values for the sentence
-- that explains it:
--   new         becomes a catalogue plan         own        becomes an own plan (own_imports.sql)
--   choose      plan of the provider is unclear  date       next payment day is missing          alone     the file names nobody who shares it
--   name        a person’s name is refused       people     more people than places
--   shared      the person already shares it     twice      an earlier row is of the same        theirs    another person pays
--   currency    a currency unknown here          price      price is missing or no amount        shares    the parts do not add up
--   varies      neither price nor days are steady           title      its name is unreadable    single    a plan for one person
--   closed      provider is switched off         irregular  no cycle of whole months             once      does not repeat
--   ended       has ended                        repayment  not a subscription                   lifetime  bought once, for ever
--   plans, guests                                more own plans, or people without an account, than one person may have
-- A row may include the person's choices: the plan (`own` for an own plan), its places, its people and its next payment day. If the day of
-- the payment is not certain, the row has the possible days in `dates`, and the answer has the next payment day for each of them.
create function private.preview_import(p_rows jsonb) returns table (key text, fate text, params jsonb)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plans private.catalogue_plan[] := array(select p from private.catalogue_plans() as p);
  v_shared text[] := array(select s.provider from public.shared_subscriptions as s where s.owner_id = v_user and s.catalogue_plan_id <> 'own');
  v_taken text[] := '{}';
  v_own integer := (select count(*) from public.shared_subscriptions as s where s.owner_id = v_user and s.catalogue_plan_id = 'own');
  v_guests integer := (select count(*) from private.user_profiles where guest_of = v_user and deleted_at is null);
  v_row record;
  v_meant record;
  v_answer record;
  v_plan private.catalogue_plan;
  v_renews date;
  v_people integer;
begin
  perform private.require_few_rows(p_rows);
  for v_row in
    with sellers as materialized (
      select distinct p.provider, words from unnest(v_plans) as p,
        unnest(array[private.plain_words(p.provider), private.plain_words(replace(p.provider, '+', ''))]) as words
    ), wanted as materialized (
      select r.*, private.plain_words(r.name) as words, coalesce(cardinality(r.dates), 0) > 0 as is_unsure,
        case when r.every between 1 and private.longest_cycle() then r.every * case r.unit when 'year' then 12 when 'month' then 1 end end as months
      from rows from (jsonb_to_recordset(p_rows) as (key text, name text, kind text, price numeric, currency text, unit text, every integer,
        date date, payer text, plan text, places integer, renews date, dates date[], size integer, rule text, people jsonb, invite jsonb,
        unsteady boolean, label text, website text, note text)) with ordinality
        as r (key, name, kind, price, currency, unit, every, date, payer, plan, places, renews, dates, size, rule, people, invite,
          unsteady, label, website, note, at)
    )
    select w.*, w.price / case w.months when 12 then 12 else 1 end as monthly,
      coalesce((select p.provider from unnest(v_plans) as p where p.id = w.plan), (
        -- “HBOMax” matches HBO Max, and “Apple TV+” matches Apple TV.
        select s.provider from sellers as s
        where position(s.words in w.words) > 0 or replace(w.words, ' ', '') like replace(s.words, ' ', '') || '%'
        order by length(s.words) desc, s.provider limit 1
      )) as provider
    from wanted as w order by w.at
  loop
    key := v_row.key;
    params := '{}';
    v_people := case jsonb_typeof(v_row.people) when 'array' then jsonb_array_length(v_row.people) else 0 end;
    fate := case
      when v_row.kind is not null then v_row.kind
      when v_row.unit is null then 'once'
      when (v_row.months between 1 and private.longest_cycle()) is not true then 'irregular'
      when v_row.date < current_date - make_interval(months => case v_row.months when 1 then 3 else v_row.months + 3 end)
        and not v_row.is_unsure then 'ended'
      when v_row.payer is not null then 'theirs'
      when private.rule_of(v_row.provider) = 'off' then 'closed'
    end;
    v_plan := null;
    if fate is null and v_row.provider is not null and v_row.currency = 'EUR' and v_row.months in (1, 12) and v_row.plan is distinct from 'own' then
      v_meant := private.match_plan(array(select p from unnest(v_plans) as p
        where case when v_row.plan is null then p.provider = v_row.provider else p.id = v_row.plan end), v_row.words, v_row.monthly);
      -- A group stays in the catalogue if its people pay what the catalogue says; else it becomes an own plan, unless that is impossible.
      if v_row.plan is not null or v_row.size is null or v_row.rule = 'unclear' or v_row.unsteady or v_row.price is null
        or (v_meant.certain, (v_meant.plan).max_members, (v_meant.plan).price, coalesce(v_row.rule, 'equal'), (v_meant.plan).billing_cycle)
          = (true, v_row.size, v_row.price, 'equal', case v_row.months when 12 then 'yearly' else 'monthly' end) then
        v_plan := v_meant.plan;
      end if;
    end if;
    if fate is null and v_plan.id is null then
      v_answer := private.own_import(to_jsonb(v_row));
      fate := case when v_answer.service = any (v_taken) then 'twice'
        when v_answer.fate = 'own' and v_own >= private.most_own_plans() then 'plans' else v_answer.fate end;
      params := v_answer.params;
      v_taken := v_taken || case when fate in ('own', 'date') then array[v_answer.service::text] else '{}' end;
      v_own := v_own + case fate when 'own' then 1 else 0 end;
    elsif fate is null then
      v_renews := coalesce(v_row.renews, case when not v_row.is_unsure then private.next_renewal(v_row.date, v_row.months = 12) end);
      fate := case
        when v_row.provider = any (v_shared) then 'shared'
        when v_row.provider = any (v_taken) then 'twice'
        when v_plan.max_members < 2 then 'single'
        when not v_meant.certain then 'choose'
        when v_people > least(v_plan.max_members, greatest(2, coalesce(v_row.places, v_plan.max_members))) - 1 then 'people'
        when private.refused_name(v_row.people) is not null then 'name'
        when (v_renews between current_date and private.latest_renewal_date()) is not true then 'date'
        else 'new'
      end;
      params := jsonb_build_object('plan', v_plan.id, 'name', v_plan.name, 'price', v_plan.price, 'cycle', v_plan.billing_cycle,
        'most', v_plan.max_members, 'places', least(v_plan.max_members, greatest(2, coalesce(v_row.places, v_plan.max_members))),
        'people', case when v_people > 0 then v_row.people end, 'refused', case when fate = 'name' then private.refused_name(v_row.people) end,
        'renews', case when fate = 'date' then null else v_renews end,
        'dates', case when fate = 'date' and v_row.is_unsure then (
          select jsonb_agg(distinct private.next_renewal(d, v_row.months = 12)) from unnest(v_row.dates) as d
          where private.next_renewal(d, v_row.months = 12) is not null) end,
        'provider', v_row.provider);
      v_taken := v_taken || v_row.provider::text;
    else
      params := jsonb_build_object('provider', v_row.provider);
    end if;
    if fate in ('new', 'own') then
      fate := case when v_guests + v_people > private.most_guests() then 'guests' else fate end;
      v_guests := v_guests + case fate when 'guests' then 0 else v_people end;
    end if;
    params := jsonb_strip_nulls(params);
    return next;
  end loop;
end $$;

select private.publish('preview_import', 'authenticated');

-- Shares one imported plan, adds its people by name, and sends invitations to these email addresses. Returns the plan's id and status; each
-- person with the secret of their link, which is shown only once; and each address, with the refusal if it could not be invited.
create function private.share_imported(p_plan jsonb, p_private boolean, p_addresses jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_id text;
  v_status text;
  v_name text;
  v_links jsonb := '[]';
  v_address text;
  v_invited jsonb := '[]';
  v_hint text;
  v_details text;
begin
  if p_plan ->> 'plan' = 'own' then
    v_id := private.share_own_import(p_plan);
  else
    insert into public.shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, is_private)
    values (p_plan ->> 'plan', (p_plan ->> 'places')::integer, (p_plan ->> 'renews')::date,
      p_private or p_plan -> 'people' is not null or private.rule_of(p_plan ->> 'provider') <> 'listed')
    returning id into v_id;
  end if;
  for v_name in select jsonb_path_query(p_plan, '$.people[*].name') #>> '{}' loop
    perform private.spend_attempt('imported guest');
    -- Counted above, so it does not count against the rate limit for guests who are added one by one.
    perform set_config('request.counted', 'new guest', true);
    v_links := v_links || jsonb_build_object('name', v_name, 'link', private.add_guest(v_id, v_name));
  end loop;
  if p_plan ->> 'plan' = 'own' then
    perform private.divide_own_import(v_id, p_plan, v_links);
  end if;
  for v_address in select jsonb_array_elements_text(coalesce(p_addresses, '[]')) loop
    begin
      perform private.invite_member(v_id, v_address);
      v_invited := v_invited || jsonb_build_object('email', v_address);
    exception when check_violation or unique_violation or insufficient_privilege or sqlstate 'PT429' then
      get stacked diagnostics v_hint = pg_exception_hint, v_details = pg_exception_detail;
      v_invited := v_invited || jsonb_build_object('email', v_address, 'refusal', jsonb_build_object('message', sqlerrm, 'hint', v_hint, 'details', nullif(v_details, '')));
    end;
  end loop;
  select status into v_status from public.shared_subscriptions where id = v_id;
  return jsonb_build_object('id', v_id, 'status', v_status, 'links', v_links, 'invited', v_invited);
end $$;

-- Shares the rows that can become plans, in one transaction, with the people named in them. Returns the outcome of each row, as
-- preview_import() does. For a new plan, it is `done`, with the plan's id, the links of people without an account, and the outcome of each
-- invitation. If the same rows are imported again, it is `shared`.
create function private.import_plans(p_rows jsonb, p_private boolean default true) returns table (key text, fate text, params jsonb)
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_user();
  -- Simultaneous imports by one person wait for each other here, so that the second sees the plans that the first has shared.
  perform private.spend_attempt('plan import');
  -- The rate limit counts imports, not invitations, so the number of addresses in one import is limited here.
  perform private.require_few_rows(jsonb_path_query_array(p_rows, '$[*].invite[*]'));
  for key, fate, params in select f.key, f.fate, f.params from private.preview_import(p_rows) as f loop
    if fate in ('new', 'own') then
      -- The import as a whole has been counted already, so this plan does not count against the rate limit for new plans.
      perform set_config('request.counted', 'plan creation', true);
      params := params || private.share_imported(params, p_private, (
        select r -> 'invite' from jsonb_array_elements(p_rows) as r where r ->> 'key' = import_plans.key limit 1));
      fate := 'done';
    end if;
    return next;
  end loop;
end $$;
select private.publish('import_plans', 'authenticated');
