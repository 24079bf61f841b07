set local check_function_bodies = off;

DROP INDEX "public"."shared_subscriptions_all_idx";

DROP INDEX "public"."shared_subscriptions_category_idx";

DROP INDEX "public"."shared_subscriptions_cheapest_idx";

DROP INDEX "public"."shared_subscriptions_instant_idx";

DROP INDEX "public"."shared_subscriptions_offer_idx";

DROP INDEX "public"."shared_subscriptions_provider_idx";

DROP INDEX "public"."shared_subscriptions_settlement_idx";

DROP FUNCTION "private"."count_kept_places"(text[]);

DROP FUNCTION "private"."market_plan_ids"(text, text, text, numeric, text, text, boolean, boolean, numeric, timestamp with time zone, text, integer);

DROP FUNCTION "private"."market_plans"(text, text, text, numeric, text, text, boolean, boolean, numeric, timestamp with time zone, text, integer);

DROP FUNCTION "public"."count_kept_places"(text[]);

DROP FUNCTION "public"."market_plans"(text, text, text, numeric, text, text, boolean, boolean, numeric, timestamp with time zone, text, integer);

DROP FUNCTION "public"."search_plans"(text, text, text, timestamp with time zone, text, integer, boolean, boolean);

ALTER TABLE "public"."shared_subscriptions" DROP COLUMN "is_full";

ALTER TABLE "public"."shared_subscriptions" ADD COLUMN "has_room" boolean GENERATED ALWAYS AS (((current_members + kept_places) < owner_max_members)) STORED NOT NULL;

CREATE OR REPLACE FUNCTION private.market_cards(p_ids text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with wanted as (
    select plan as p, nth from unnest(p_ids) with ordinality as list (id, nth)
    join public.shared_subscriptions as plan on plan.id = list.id
  ), owners as materialized (
    select f.user_id, private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.answer_minutes) as level
    from private.standing_facts(array(select distinct (p).owner_id from wanted)) as f
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', (p).id, 'provider', (p).provider, 'name', (p).name, 'category', (p).category, 'currency', (p).currency,
    'totalPrice', (p).total_price, 'memberPrice', (p).member_price, 'cycle', (p).billing_cycle, 'settlement', (p).settlement,
    'feeRate', (p).fee_rate, 'monthlyCost', (p).monthly_cost, 'currentMembers', (p).current_members, 'ownerMaxMembers', (p).owner_max_members,
    'hasRoom', (p).has_room, 'kept', coalesce(places.kept, (p).kept_places), 'keptForYou', coalesce(places.mine, false), 'instantFrom', (p).instant_from, 'nextPayment', (p).next_payment, 'createdAt', (p).created_at,
    'ownerId', person.user_id, 'ownerName', private.first_name(person.display_name), 'ownerAvatarUrl', person.avatar_url,
    'ownerSince', person.created_at, 'ownerLevel', owners.level, 'ownerRating', rated.rating, 'ownerReviewers', rated.reviewers
  ) order by nth), '[]')
  from wanted join owners on owners.user_id = (p).owner_id
  join public.user_profiles as person on person.user_id = (p).owner_id
  cross join lateral private.rating_of(person.user_id) as rated
  left join lateral (
    select private.places_for_others(p, me.email) as kept,
      private.reserved_places((p).id, lower(me.email)) < private.reserved_places((p).id) as mine
    from (select private.email_of((select auth.uid())) as email) as me
    where me.email is not null and (p).kept_places + (p).waiting > 0
  ) as places on true
$function$;

CREATE OR REPLACE FUNCTION private.market_plan_ids(p_search text, p_category text, p_provider text, p_plan text, p_most numeric, p_settlement text, p_level text, p_instant boolean, p_cheapest boolean, p_full boolean, p_after_room boolean, p_above numeric, p_before timestamp with time zone, p_before_id text, p_limit integer)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_sort TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_apart uuid[] := private.people_apart();
  v_owners uuid[] := case when p_level <> 'new' then private.owners_from_level(p_level) end;
  v_limit integer := least(greatest(p_limit, 1), 100);
  v_search text := nullif(btrim(lower(p_search)), '');
  v_found text[] := '{}';
  v_room boolean;
begin
  foreach v_room in array case when not p_after_room then '{f}' when p_full then '{t,f}' else '{t}' end::boolean[] loop
    v_found := v_found || array(
      select plan.id from private.plan_counts() as offer cross join lateral (
        select one.id, one.monthly_cost, one.created_at from public.shared_subscriptions as one
        where one.status = 'active' and not one.is_private and one.has_room = v_room
          and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
          and (p_most is null or one.monthly_cost <= p_most) and (p_settlement is null or one.settlement = p_settlement)
          and (v_owners is null or one.owner_id = any (v_owners)) and (not p_instant or one.instant_from is not null)
          and one.owner_id <> all (v_apart)
          and (p_above is null or one.monthly_cost >= p_above)
          and (one.monthly_cost > p_above or (one.created_at, one.id) < (p_before, p_before_id))
        order by case when p_cheapest then one.monthly_cost end, one.created_at desc, one.id desc limit v_limit
      ) as plan
      where (v_search is null or strpos(lower(offer.provider || ' ' || offer.name), v_search) > 0)
        and (p_category is null or offer.category = p_category) and (p_provider is null or offer.provider = p_provider)
        and (p_plan is null or offer.name = p_plan)
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
    -- The others begin with their first.
    p_above := null;
    p_before := 'infinity';
    p_before_id := '';
  end loop;
  return v_found;
end $function$;

CREATE OR REPLACE FUNCTION private.market_plans(p_search text DEFAULT NULL::text, p_category text DEFAULT NULL::text, p_provider text DEFAULT NULL::text, p_plan text DEFAULT NULL::text, p_most numeric DEFAULT NULL::numeric, p_settlement text DEFAULT NULL::text, p_level text DEFAULT NULL::text, p_instant boolean DEFAULT false, p_cheapest boolean DEFAULT false, p_full boolean DEFAULT false, p_after_room boolean DEFAULT true, p_above numeric DEFAULT NULL::numeric, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id text DEFAULT ''::text, p_limit integer DEFAULT 24)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.market_cards(private.market_plan_ids(p_search, p_category, p_provider, p_plan, p_most, p_settlement, p_level,
    p_instant, p_cheapest, p_full, p_after_room, p_above, p_before, p_before_id, p_limit))
$function$;

CREATE OR REPLACE FUNCTION private.my_suggestion()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_apart uuid[] := private.people_apart();
  v_found jsonb;
begin
  select jsonb_build_object('kind', 'free-places', 'planId', p.id, 'plan', p.provider || ' ' || p.name, 'isPrivate', p.is_private,
    'places', private.open_slots(p, null)) into v_found
  from public.shared_subscriptions as p
  where p.owner_id = v_user and p.status = 'active' and private.open_slots(p, null) > 0
  order by private.open_slots(p, null) desc, p.created_at, p.id limit 1;
  if found then return v_found; end if;
  with mine as materialized (
    select p.category, p.provider from public.subscription_members as m
    join public.shared_subscriptions as p on p.id = m.subscription_id where m.user_id = v_user
  )
  select jsonb_build_object('kind', 'cheapest', 'planId', p.id, 'plan', p.provider || ' ' || p.name, 'category', p.category,
    'cost', p.monthly_cost, 'alone', round(p.total_price / case p.billing_cycle when 'yearly' then 12 else 1 end, 2)) into v_found
  from private.plan_counts() as offer
  -- An index gives the cheapest of each name.
  cross join lateral (
    select * from public.shared_subscriptions as one
    where one.status = 'active' and not one.is_private and one.has_room
      and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
      and one.owner_id <> v_user and one.owner_id <> all (v_apart)
      and not exists (select from public.subscription_requests as r
        where r.subscription_id = one.id and r.user_id = v_user and private.is_open_request(r))
    order by one.monthly_cost, one.created_at desc, one.id desc limit 1
  ) as p
  where offer.category in (select category from mine) and offer.provider not in (select provider from mine)
  order by p.monthly_cost, p.created_at desc, p.id limit 1;
  return v_found;
end $function$;

CREATE OR REPLACE FUNCTION private.owners_from_level(p_level text)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select array(
    select f.user_id from private.standing_levels() as l cross join private.standing_facts(array(
      select u.user_id from (
        select k.user_id from private.known_facts as k union select c.user_id from private.fact_changes as c
      ) as u where exists (
        select from public.shared_subscriptions as p
        where p.owner_id = u.user_id and p.status = 'active' and not p.is_private)
    )) as f
    where l.level = p_level and private.is_enough(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems,
      f.answer_minutes, l.days_here, l.hours_given, l.paid_on_time, l.most_paid_late, l.most_problems, l.most_answer_hours)
  )
$function$;

CREATE OR REPLACE FUNCTION private.plan_counts()
 RETURNS TABLE(category text, provider text, name text, plans integer, open integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.category, c.provider, c.name, c.plans - coalesce(apart.plans, 0)::integer, c.open - coalesce(apart.open, 0)::integer
  from private.plan_counts as c
  left join (
    select p.category, p.provider, p.name, count(*) as plans, count(*) filter (where p.current_members < p.owner_max_members) as open
    from public.shared_subscriptions as p
    where p.owner_id = any ((select private.people_apart())::uuid[]) and p.status = 'active' and not p.is_private group by 1, 2, 3
  ) as apart using (category, provider, name)
  where c.plans > coalesce(apart.plans, 0) and c.provider not in (select closed.provider from public.closed_providers as closed)
$function$;

CREATE OR REPLACE FUNCTION private.site_paths()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select unnest(array['/', '/plans', '/about', '/books', '/privacy', '/terms'])
  union all
  (select '/plans/' || id from public.shared_subscriptions
  where status = 'active' and not is_private and has_room and provider not in (select c.provider from public.closed_providers as c)
    and owner_id <> all ((select private.people_apart())::uuid[])
  order by created_at desc, id desc limit 49900)
$function$;

CREATE OR REPLACE FUNCTION public.market_plans(p_search text DEFAULT NULL::text, p_category text DEFAULT NULL::text, p_provider text DEFAULT NULL::text, p_plan text DEFAULT NULL::text, p_most numeric DEFAULT NULL::numeric, p_settlement text DEFAULT NULL::text, p_level text DEFAULT NULL::text, p_instant boolean DEFAULT false, p_cheapest boolean DEFAULT false, p_full boolean DEFAULT false, p_after_room boolean DEFAULT true, p_above numeric DEFAULT NULL::numeric, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id text DEFAULT ''::text, p_limit integer DEFAULT 24)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.market_plans(p_search, p_category, p_provider, p_plan, p_most, p_settlement, p_level, p_instant, p_cheapest, p_full, p_after_room, p_above, p_before, p_before_id, p_limit) $function$;

CREATE INDEX shared_subscriptions_offer_idx ON public.shared_subscriptions USING btree (category, provider, name, has_room, created_at DESC, id DESC) WHERE ((status = 'active'::text) AND (NOT is_private));

CREATE INDEX shared_subscriptions_settlement_idx ON public.shared_subscriptions USING btree (category, provider, name, has_room, settlement) WHERE ((status = 'active'::text) AND (NOT is_private));

REVOKE ALL ON FUNCTION "private"."market_plan_ids"(text, text, text, text, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."market_plans"(text, text, text, text, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."market_plans"(text, text, text, text, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."market_plans"(text, text, text, text, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."market_plans"(text, text, text, text, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) TO "anon", "authenticated";

CREATE INDEX shared_subscriptions_cheapest_idx ON public.shared_subscriptions USING btree (category, provider, name, has_room, monthly_cost, created_at DESC, id DESC) WHERE ((status = 'active'::text) AND (NOT is_private));
