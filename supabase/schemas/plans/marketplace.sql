-- The marketplace: shared plans as everybody sees them, signed in or not. Owners appear with their first name, members only as taken
-- places, and private plans are left out.

-- For the newest plans of a name. Plans with a place and full plans are separate ranges of the index.
create index shared_subscriptions_offer_idx
  on public.shared_subscriptions (category, provider, name, has_room, created_at desc, id desc) where status = 'active' and not is_private;
create index shared_subscriptions_cheapest_idx
  on public.shared_subscriptions (category, provider, name, has_room, monthly_cost, created_at desc, id desc)
  where status = 'active' and not is_private;
-- For finding out whether any plan of a name is paid directly, or through the site.
create index shared_subscriptions_settlement_idx on public.shared_subscriptions (category, provider, name, has_room, settlement)
  where status = 'active' and not is_private;

-- For finding the names under which a plan of the catalogue is shared.
create index shared_subscriptions_catalogue_idx on public.shared_subscriptions (catalogue_plan_id, category, provider, name, has_room)
  where status = 'active' and not is_private;

-- Returns the cards of these plans as JSON, in the given order. `kept` is the number of places kept for other people; `keptForYou` is true
-- if a place is kept for the acting user. The calling function must have checked that the acting user may see the plans. The comment of
-- each key is its type and its description in openapi.json.
create function private.market_cards(p_ids text[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  with wanted as (
    select plan as p, nth from unnest(p_ids) with ordinality as list (id, nth)
    join public.shared_subscriptions as plan on plan.id = list.id
  ), owners as materialized (
    select f.user_id, private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts,
      f.answer_minutes) as level
    from private.standing_facts(array(select distinct (p).owner_id from wanted)) as f
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', (p).id, -- text: Its id.
    'provider', (p).provider, -- text: The company that sells it.
    'name', (p).name, -- text: What the provider calls it.
    'category', (p).category, -- text: What kind of service it is.
    'currency', (p).currency, -- currency: The currency by ISO 4217: EUR, or that of an own plan.
    'totalPrice', (p).total_price, -- number: What the provider takes per cycle.
    'memberPrice', (p).member_price, -- number: A place per cycle, without the fee.
    'cycle', (p).billing_cycle, -- monthly|yearly|months: How often the provider bills. An own plan is paid every `cycleMonths`.
    'cycleMonths', (p).cycle_months, -- count?: Of an own plan, how many months one payment covers.
    'settlement', (p).settlement, -- direct|potluck: How it is paid: to the owner, or through the site.
    'feeRate', (p).fee_rate, -- number: The fee of the site as a part of the price: 0.05 is 5%.
    'monthlyCost', (p).monthly_cost, -- number: A place a month, with the fee.
    'currentMembers', (p).current_members, -- count: How many people have a place, the owner included.
    'ownerMaxMembers', (p).owner_max_members, -- count: How many places there are, the owner’s included.
    'hasRoom', (p).has_room, -- truth: Whether a stranger can get a place.
    'kept', coalesce(places.kept, (p).kept_places), -- count: Places kept for others.
    'keptForYou', coalesce(places.mine, false), -- truth: Whether one is kept for you.
    'instantFrom', (p).instant_from, -- level?: The level of standing from which people are let in at once.
    'nextPayment', (p).next_payment, -- day?: When the provider bills next.
    'createdAt', (p).created_at, -- time: Since when it is shared.
    'ownerId', person.user_id, -- id: The id of the owner.
    'ownerName', private.first_name(person.display_name), -- text: The owner’s first name.
    'ownerAvatarUrl', person.avatar_url, -- text?: The address of the owner’s picture.
    'ownerSince', person.created_at, -- time: Since when the owner is here.
    'ownerLevel', owners.level, -- level: The owner’s level of standing.
    'ownerRating', rated.rating, -- number?: From 1 to 5, on average.
    'ownerReviewers', rated.reviewers -- count: How many people reviewed the owner.
  ) order by nth), '[]')
  from wanted join owners on owners.user_id = (p).owner_id
  join private.user_profiles as person on person.user_id = (p).owner_id
  cross join lateral private.rating_of(person.user_id) as rated
  left join lateral (
    select private.places_for_others(p, me.email) as kept,
      private.reserved_places((p).id, lower(me.email)) < private.reserved_places((p).id) as mine
    from (select private.email_of((select auth.uid())) as email) as me
    where me.email is not null and (p).kept_places + (p).waiting > 0
  ) as places on true
$$;

-- Returns the owners of public plans who have at least this level of standing. A person without any facts is New, so everybody above New
-- is in known_facts or fact_changes.
create function private.owners_from_level(p_level text) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select array(
    select f.user_id from private.standing_levels() as l cross join private.standing_facts(array(
      select u.user_id from (
        select k.user_id from private.known_facts as k union select c.user_id from private.fact_changes as c
      ) as u where exists (
        select from public.shared_subscriptions as p
        where p.owner_id = u.user_id and p.status = 'active' and not p.is_private)
    )) as f
    where l.level = p_level and private.is_enough(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts,
      f.answer_minutes, l.days_here, l.hours_given, l.paid_on_time, l.most_paid_late, l.most_problems, l.most_unkept_debts, l.most_answer_hours)
  )
$$;

-- Returns the ids of active plans, at most 100: first the plans with a place, then, with p_full, the plans without one. Both groups are
-- sorted by time, newest first, or, with p_cheapest, by cost. The parameters are those of market_plans() below; null filters are ignored.
-- p_like is a former place that gives the acting user precedence (precedence.sql); plans of that place's owner are left out. A further
-- page starts after the plan with the cost p_above (null without p_cheapest), the time p_before and the id p_before_id; if p_after_room
-- is false, it has only plans without a place.
-- The filters first narrow down the few dozen names that are shared. For each remaining name, an index gives the first plans, and one
-- index lookup excludes the name if no plan is cheap enough or paid this way. The query is planned on every call, because the filters
-- decide which index is best. Sorting is disabled, because the planner underestimates the number of plans of a name and would read and
-- sort them all.
create function private.market_plan_ids(
  p_search text, p_category text, p_provider text, p_like uuid, p_most numeric, p_settlement text, p_level text, p_instant boolean,
  p_cheapest boolean, p_full boolean, p_after_room boolean, p_above numeric, p_before timestamptz, p_before_id text, p_limit integer
) returns text[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' set enable_sort = off set jit = off as $$
declare
  v_apart uuid[] := private.people_apart();
  v_owners uuid[] := case when p_level <> 'new' then private.owners_from_level(p_level) end;
  v_limit integer := least(greatest(p_limit, 1), 100);
  v_search text := nullif(btrim(lower(p_search)), '');
  v_like text;
  v_but uuid;
  v_found text[] := '{}';
  v_room boolean;
begin
  if p_like is not null then
    select lost.catalogue_plan_id, lost.owner_id into v_like, v_but
    from private.precedence_of((select auth.uid())) as lost where lost.seat_id = p_like;
    if not found then return v_found; end if;
  end if;
  foreach v_room in array case when not p_after_room then '{f}' when p_full then '{t,f}' else '{t}' end::boolean[] loop
    v_found := v_found || array(
      select plan.id from private.plan_counts() as offer cross join lateral (
        select one.id, one.monthly_cost, one.created_at from public.shared_subscriptions as one
        where one.status = 'active' and not one.is_private and one.has_room = v_room
          and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
          and (p_most is null or one.monthly_cost <= p_most) and (p_settlement is null or one.settlement = p_settlement)
          and (v_owners is null or one.owner_id = any (v_owners)) and (not p_instant or one.instant_from is not null)
          and one.owner_id <> all (v_apart) and (v_like is null or one.catalogue_plan_id = v_like and one.owner_id <> v_but)
          and (p_above is null or one.monthly_cost >= p_above)
          and (one.monthly_cost > p_above or (one.created_at, one.id) < (p_before, p_before_id))
        order by case when p_cheapest then one.monthly_cost end, one.created_at desc, one.id desc limit v_limit
      ) as plan
      where (v_search is null or strpos(lower(offer.provider || ' ' || offer.name), v_search) > 0)
        and (p_category is null or offer.category = p_category) and (p_provider is null or offer.provider = p_provider)
        and (v_like is null or (
          select true from public.shared_subscriptions as one
          where one.status = 'active' and not one.is_private and one.has_room = v_room
            and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
            and one.catalogue_plan_id = v_like limit 1))
        and (p_most is null or (
          select true from public.shared_subscriptions as one
          where one.status = 'active' and not one.is_private and one.has_room = v_room
            and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
            and one.monthly_cost <= p_most limit 1))
        and (p_settlement is null or (
          select true from public.shared_subscriptions as one
          where one.status = 'active' and not one.is_private and one.has_room = v_room
            and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
            and one.settlement = p_settlement limit 1))
      order by case when p_cheapest then plan.monthly_cost end, plan.created_at desc, plan.id desc
      limit v_limit - cardinality(v_found)
    );
    exit when cardinality(v_found) = v_limit;
    -- The next round lists plans without a place from the beginning, because the previous page ended among the plans with a place.
    p_above := null;
    p_before := 'infinity';
    p_before_id := '';
  end loop;
  return v_found;
end $$;

-- Returns active plans as everybody sees them: first the plans with a place, then, with `p_full`, the plans without one. Both groups are
-- sorted newest first or, with `p_cheapest`, cheapest first. Null filters are ignored.
create function private.market_plans(
  -- A text that the names of provider and plan must contain, ignoring case.
  p_search text default null,
  -- Only of this category.
  p_category text default null,
  -- Only plans of this provider.
  p_provider text default null,
  -- Only plans like the one in which you had this place, if the place gives you precedence.
  p_like uuid default null,
  -- The highest monthly cost of a place, with the fee.
  p_most numeric default null,
  -- Only plans that are paid in this way: `direct` or `potluck`.
  p_settlement text default null,
  -- The lowest level of standing that the owner may have: `new`, `proven` or `trusted`.
  p_level text default null,
  -- Only plans that let people in as soon as they ask.
  p_instant boolean default false,
  -- Whether the cheapest plans come first.
  p_cheapest boolean default false,
  -- Whether plans without a place are included.
  p_full boolean default false,
  -- For the next page: whether the last plan had a place.
  p_after_room boolean default true,
  -- For the next page, with `p_cheapest`: the `monthlyCost` of the last plan.
  p_above numeric default null,
  -- For the next page: the `createdAt` of the last plan.
  p_before timestamptz default 'infinity',
  -- For the next page: the `id` of the last plan.
  p_before_id text default '',
  -- The maximum number of plans, at most 100.
  p_limit integer default 24
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.market_cards(private.market_plan_ids(p_search, p_category, p_provider, p_like, p_most, p_settlement, p_level,
    p_instant, p_cheapest, p_full, p_after_room, p_above, p_before, p_before_id, p_limit))
$$;
select private.publish('market_plans', 'anon', 'authenticated');

-- Returns one plan, full or not, with its monthly cost and its past prices; null if the caller may not find it.
create function private.market_plan(
  -- The plan's id.
  p_id text
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.market_cards(array[p.id]) -> 0 || jsonb_build_object('quote', private.quote_of(p), 'prices', private.price_history(p),
    'offered', p.provider not in (select private.providers_off()))
  from public.shared_subscriptions as p
  where p.id = p_id and private.may_find(p)
$$;
select private.publish('market_plan', 'anon', 'authenticated');

-- Returns the title, heading, description and picture of a public page, for its first view, search engines and link previews; null for any
-- other page. A plan that a visitor cannot find has the same answer as a plan that does not exist. The web build draws pictures for
-- shipped providers; pages of providers added by staff keep the general picture.
create function private.page_head(p_path text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_id text := coalesce(substring(p_path from '^/plans/(sub-[0-9a-z-]+)/?$'),
    private.plan_of_code(substring(p_path from '^/p/([0-9A-Za-z]{8})/?$')));
  v_card jsonb;
  v_free integer;
begin
  if p_path ~ '^/plans/?$' then
    return jsonb_build_object('title', 'Browse Plans · Potluck',
      'description', 'Streaming, music, gaming and software plans to share. The price you see is all you pay.');
  elsif p_path ~ '^/people/' then
    -- This page is for people, not for search engines.
    v_card := private.get_person(substring(p_path from '^/people/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?$')::uuid);
    return jsonb_build_object('title', coalesce(v_card ->> 'name', 'No one here') || ' · Potluck', 'status', 200,
      'description', 'See what this person shares, how reliable they are and their reviews.');
  elsif p_path ~ '^/p/[^/]' and p_path !~ '^/p/[0-9A-Za-z]{8}/?$' then
    -- A code of any other length is taken for the secret of a private plan. The answer does not reveal whether that plan exists.
    return jsonb_build_object('title', 'A private plan · Potluck', 'heading', 'A private plan', 'status', 200,
      'description', 'Sign in or sign up to see it.');
  elsif p_path !~ '^/(plans|p)/' then
    return null;
  end if;
  v_card := private.market_plan(v_id);
  if v_card is null then
    return jsonb_build_object('title', 'We can’t find this plan · Potluck', 'heading', 'We can’t find this plan', 'status', 404,
      'description', 'The owner may have cancelled it or made it private. Other plans have a place for you.');
  end if;
  v_free := greatest((v_card ->> 'ownerMaxMembers')::integer - (v_card ->> 'currentMembers')::integer - (v_card ->> 'kept')::integer, 0);
  return jsonb_build_object(
    'title', format('%s %s for €%s a month · Potluck', v_card ->> 'provider', v_card ->> 'name', v_card ->> 'monthlyCost'),
    'heading', format('%s %s', v_card ->> 'provider', v_card ->> 'name'),
    'description', format('Shared by %s. %s of %s places open, €%s a month all in.', v_card ->> 'ownerName', v_free,
      v_card ->> 'ownerMaxMembers', v_card ->> 'monthlyCost'),
    'image', (
      select jsonb_build_object('path', format('/share/%s.png', provider ->> 'id'),
        'alt', format('The mark of %s and a clay pot: Share %1$s. Split the cost.', provider ->> 'name'))
      from jsonb_array_elements(private.catalogue()) as provider where provider ->> 'name' = v_card ->> 'provider' limit 1
    ));
end $$;
select private.publish('page_head', 'anon', 'authenticated');

-- Returns the URL paths for search engines: the public pages, and the newest plans with a place, up to the limit of one sitemap.
create function private.site_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select unnest(array['/', '/plans', '/about', '/books', '/privacy', '/terms'])
  union all
  (select '/plans/' || id from public.shared_subscriptions
  where status = 'active' and not is_private and has_room and provider not in (select private.providers_off())
    and owner_id <> all ((select private.people_apart())::uuid[])
  order by created_at desc, id desc limit 49900)
$$;
select private.publish('site_paths', 'anon', 'authenticated');
