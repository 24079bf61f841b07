set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.get_plan_link(p_subscription_id text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_plan_owner(p_subscription_id) then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  return (select coalesce(l.token, p.code) from public.shared_subscriptions as p
    left join private.plan_links as l on l.subscription_id = p.id where p.id = p_subscription_id);
end $function$;

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
  select jsonb_build_object('kind', 'free-places', 'planId', p.id, 'plan', p.provider || ' ' || p.name,
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

CREATE OR REPLACE FUNCTION private.new_code(p_parts integer)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return (
    with parts as materialized (select uuid_send(gen_random_uuid()) as bytes from generate_series(1, p_parts))
    -- These bytes of a random UUID end in five random bits.
    select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(bytes, nth) & 31) + 1, 1), '')
    from parts cross join generate_series(8, 15) as nth
  );
end $function$;

CREATE OR REPLACE FUNCTION private.open_plan_link(p_token text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plan_id text;
begin
  -- The lock keeps a link that is being replaced from working.
  select l.subscription_id into v_plan_id from private.plan_links as l
  join public.shared_subscriptions as p on p.id = l.subscription_id and p.owner_id <> all (private.people_apart())
  where l.token = private.plain_code(p_token) for key share of l;
  if not found then
    raise exception 'This link is not known' using errcode = 'PT404';
  end if;
  insert into private.link_visits (subscription_id, user_id) values (v_plan_id, v_user) on conflict do nothing;
  return v_plan_id;
end $function$;

CREATE OR REPLACE FUNCTION private.page_head(p_path text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id text := coalesce(substring(p_path from '^/plans/(sub-[0-9a-z-]+)/?$'),
    private.plan_of_code(substring(p_path from '^/p/([0-9A-Za-z]{8})/?$')));
  v_card jsonb;
  v_free integer;
begin
  if p_path ~ '^/plans/?$' then
    return jsonb_build_object('title', 'Plans to join · Potluck',
      'description', 'Streaming, music, gaming and software plans people share, with a place for you and the whole price beside it.');
  elsif p_path ~ '^/people/' then
    -- For people, not for search engines.
    v_card := private.get_person(substring(p_path from '^/people/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?$')::uuid);
    return jsonb_build_object('title', coalesce(v_card ->> 'name', 'There is nobody here') || ' · Potluck', 'status', 200,
      'description', 'Who shares a plan here, how far they can be relied on, and what others say of them.');
  -- The longer secret of a private plan says nothing of it, not even whether it is one.
  elsif p_path !~ '^/plans/' and p_path !~ '^/p/[0-9A-Za-z]{8}/?$' then
    return null;
  end if;
  v_card := private.market_plan(v_id);
  if v_card is null then
    return jsonb_build_object('title', 'This plan is not here · Potluck', 'heading', 'This plan is not here', 'status', 404,
      'description', 'Its owner may have ended it or made it private. Others have a place for you.');
  end if;
  v_free := greatest((v_card ->> 'ownerMaxMembers')::integer - (v_card ->> 'currentMembers')::integer - (v_card ->> 'kept')::integer, 0);
  return jsonb_build_object(
    'title', format('%s %s for €%s a month · Potluck', v_card ->> 'provider', v_card ->> 'name', v_card ->> 'monthlyCost'),
    'heading', format('%s %s', v_card ->> 'provider', v_card ->> 'name'),
    'description', format('%s shares it: %s of %s places open, €%s a month all in.', v_card ->> 'ownerName', v_free,
      v_card ->> 'ownerMaxMembers', v_card ->> 'monthlyCost'),
    'image', (
      select jsonb_build_object('path', format('/share/%s.png', provider ->> 'id'),
        'alt', format('The mark of %s and a clay pot: Share %1$s. Split the cost.', provider ->> 'name'))
      from jsonb_array_elements(private.catalogue()) as provider where provider ->> 'name' = v_card ->> 'provider' limit 1
    ));
end $function$;

CREATE OR REPLACE FUNCTION private.plain_code(p_code text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN translate(lower(btrim(p_code)), 'oil'::text, '011'::text);

CREATE OR REPLACE FUNCTION private.plan_of_code(p_code text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p.id from public.shared_subscriptions as p
  where p.code = private.plain_code(p_code) and not p.is_private and private.may_find(p)
$function$;

CREATE OR REPLACE FUNCTION private.tg_shared_subscriptions__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_plan private.catalogue_plan;
  v_status text := case when (select review_new_plans from public.app_settings) then 'pending' else 'active' end;
begin
  -- Data loaded by the server itself (nobody signed in) keeps its times and owner.
  if v_user is not null then
    if new.owner_id is distinct from v_user and new.owner_id is not null then
      raise exception 'You can only share a plan in your own name' using errcode = '42501';
    end if;
    perform private.spend_attempt('plan creation');
    new.owner_id := v_user;
    new.id := private.new_plan_id();
    new.code := private.new_code(1);
    new.created_at := clock_timestamp();
    if new.status <> v_status then
      raise exception 'Only staff reviews plans' using errcode = '42501';
    end if;
    new.status := v_status;
    if new.fee_rate <> private.fee_rate() then
      raise exception 'The fee is % percent now. Please look at what members pay once more.', trim_scale(private.fee_rate() * 100)
        using errcode = '23514';
    end if;
    perform private.require_renewal_date(new.next_payment);
  end if;
  if new.current_members <> 1 or new.kept_places <> 0 or new.waiting <> 0 then
    raise exception 'A new plan has one member, its owner' using errcode = '23514';
  end if;
  new.status := coalesce(new.status, 'active');
  perform private.ensure_profile(new.owner_id);
  new.id := coalesce(new.id, private.new_plan_id());
  new.current_members := 1;
  new.owner := coalesce(nullif(split_part(private.email_of(new.owner_id), '@', 1), ''), 'Unknown');

  v_plan := private.find_catalogue_plan(new.catalogue_plan_id, new.provider, new.name);
  if v_plan.id is null then
    raise exception 'This plan is not in the catalogue' using errcode = '23514';
  end if;
  if v_user is not null then
    perform private.require_offered(v_plan.provider);
  end if;
  if v_plan.max_members < 2 then
    raise exception 'This plan cannot be shared' using errcode = '23514';
  end if;
  if new.total_price <> round(v_plan.price, 2) or new.provider <> v_plan.provider or new.name <> v_plan.name
    or new.billing_cycle <> v_plan.billing_cycle or new.max_members <> v_plan.max_members
    or new.member_price <> round(v_plan.price / v_plan.max_members, 2) then
    raise exception 'The price and terms of a plan are fixed by its provider' using errcode = '23514';
  end if;
  if new.owner_max_members is null or new.owner_max_members < 2 or new.owner_max_members > v_plan.max_members then
    raise exception 'Open slots must be between 1 and %.', v_plan.max_members - 1 using errcode = '23514';
  end if;
  if exists (select 1 from public.shared_subscriptions where owner_id = new.owner_id and provider = v_plan.provider) then
    raise exception 'Each user can only share one plan per service provider.' using errcode = '23505';
  end if;

  new.catalogue_plan_id := v_plan.id;
  new.provider := v_plan.provider;
  new.name := v_plan.name;
  new.category := v_plan.category;
  new.description := v_plan.description;
  new.logo := v_plan.logo;
  new.total_price := round(v_plan.price, 2);
  new.member_price := round(v_plan.price / v_plan.max_members, 2);
  new.currency := 'EUR';
  new.billing_cycle := v_plan.billing_cycle;
  new.max_members := v_plan.max_members;
  new.provider_max_members := v_plan.max_members;
  new.fee_rate := coalesce(new.fee_rate, private.fee_rate());
  perform private.require_settlement(new.settlement, new.billing_cycle, new.member_price, new.fee_rate);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.plan_of_code(p_code text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.plan_of_code(p_code) $function$;

REVOKE ALL ON FUNCTION "private"."new_code"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."new_code"(integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "private"."new_code"(integer) TO "service_role";

REVOKE ALL ON FUNCTION "private"."plain_code"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plan_of_code"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."plan_of_code"(text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."plan_of_code"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."plan_of_code"(text) TO "anon", "authenticated";

ALTER TABLE "public"."shared_subscriptions" ADD COLUMN "code" text NOT NULL DEFAULT private.new_code(1);

ALTER TABLE "public"."shared_subscriptions" ADD CONSTRAINT "shared_subscriptions_code_key" UNIQUE (code);

ALTER TABLE "private"."plan_links" ALTER COLUMN "token" SET DEFAULT private.new_code(2);
