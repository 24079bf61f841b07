set local check_function_bodies = off;

CREATE TABLE "private"."catalogue_prices" ("catalogue_plan_id" text NOT NULL, "created_at" timestamp with time zone NOT NULL, "cost" numeric(12,2) NOT NULL, CONSTRAINT "catalogue_prices_pkey" PRIMARY KEY (catalogue_plan_id, created_at));

ALTER TABLE "private"."catalogue_prices" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."plan_prices" ("subscription_id" text NOT NULL, "since" timestamp with time zone NOT NULL, "cost" numeric(12,2) NOT NULL, CONSTRAINT "plan_prices_pkey" PRIMARY KEY (subscription_id, since));

ALTER TABLE "private"."plan_prices" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.market_plan(p_id text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.market_cards(array[p.id]) -> 0 || jsonb_build_object('quote', private.quote_of(p), 'prices', private.price_history(p),
    'offered', p.provider not in (select c.provider from public.closed_providers as c))
  from public.shared_subscriptions as p
  where p.id = p_id and private.may_find(p)
$function$;

CREATE OR REPLACE FUNCTION private.note_catalogue_prices(p_data jsonb, p_since timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.catalogue_prices (catalogue_plan_id, created_at, cost)
  select distinct on (sold.id) sold.id, p_since, sold.cost
  from jsonb_array_elements(p_data) as provider, jsonb_array_elements(provider -> 'plans') as plan,
    lateral (select coalesce(plan ->> 'id', (provider ->> 'id') || ':' || (plan ->> 'name')) as id,
      round(coalesce(plan -> 'price' ->> 'europe', plan ->> 'price')::numeric
        / case plan ->> 'cycle' when 'yearly' then 12 else 1 end, 2) as cost) as sold
  where sold.cost is distinct from (
    select noted.cost from private.catalogue_prices as noted where noted.catalogue_plan_id = sold.id order by noted.created_at desc limit 1)
  on conflict (catalogue_plan_id, created_at) do update set cost = excluded.cost;
end $function$;

CREATE OR REPLACE FUNCTION private.price_history(p_plan public.shared_subscriptions)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'place', (select coalesce(jsonb_agg(jsonb_build_object('since', since, 'cost', cost) order by since), '[]')
      from private.plan_prices where subscription_id = p_plan.id),
    'alone', (select coalesce(jsonb_agg(jsonb_build_object('since', created_at, 'cost', cost) order by created_at), '[]')
      from private.catalogue_prices where catalogue_plan_id = p_plan.catalogue_plan_id))
$function$;

CREATE OR REPLACE FUNCTION private.tg_service_provider_data__note_prices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.note_catalogue_prices(new.data, now());
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_shared_subscriptions__note_price()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.plan_prices (subscription_id, since, cost)
  values (new.id, case tg_op when 'INSERT' then new.created_at else now() end, new.monthly_cost)
  on conflict (subscription_id, since) do update set cost = excluded.cost;
  return null;
end $function$;

ALTER TABLE "private"."plan_prices" ADD CONSTRAINT "plan_prices_subscription_id_fkey" FOREIGN KEY (subscription_id) REFERENCES public.shared_subscriptions(id) ON DELETE CASCADE;

CREATE TRIGGER note_prices AFTER INSERT OR UPDATE OF data, is_current ON public.service_provider_data FOR EACH ROW WHEN ((new.is_current AND new.is_readable)) EXECUTE FUNCTION private.tg_service_provider_data__note_prices();

CREATE TRIGGER note_changed_price AFTER UPDATE ON public.shared_subscriptions FOR EACH ROW WHEN ((old.monthly_cost <> new.monthly_cost)) EXECUTE FUNCTION private.tg_shared_subscriptions__note_price();

CREATE TRIGGER note_price AFTER INSERT ON public.shared_subscriptions FOR EACH ROW EXECUTE FUNCTION private.tg_shared_subscriptions__note_price();

REVOKE ALL ON FUNCTION "private"."note_catalogue_prices"(jsonb, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."price_history"(public.shared_subscriptions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_service_provider_data__note_prices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_shared_subscriptions__note_price"() FROM PUBLIC;

-- To be written by hand: ~ relation private.catalogue_prices
-- To be written by hand: ~ relation private.plan_prices

REVOKE ALL ON private.plan_prices, private.catalogue_prices FROM public, anon, authenticated, service_role;

-- What places have cost so far: what the first payment before any new terms said, then each of the terms proposed.
INSERT INTO private.plan_prices (subscription_id, since, cost)
SELECT p.id, p.created_at, coalesce((
  SELECT m.share + m.fee FROM public.member_payments AS m
  WHERE m.subscription_id = p.id AND m.starts_at < (SELECT min(t.proposed_at) FROM public.term_proposals AS t WHERE t.subscription_id = p.id)
  ORDER BY m.starts_at, m.number LIMIT 1), p.monthly_cost)
FROM public.shared_subscriptions AS p;
INSERT INTO private.plan_prices (subscription_id, since, cost)
SELECT DISTINCT ON (t.subscription_id, t.proposed_at) t.subscription_id, t.proposed_at, round(
  CASE t.settlement WHEN 'potluck' THEN private.with_fee(t.share, p.fee_rate) ELSE t.share END
  / CASE p.billing_cycle WHEN 'yearly' THEN 12 ELSE 1 END, 2)
FROM public.term_proposals AS t JOIN public.shared_subscriptions AS p ON p.id = t.subscription_id
ON CONFLICT DO NOTHING;
DELETE FROM private.plan_prices AS price USING (
  SELECT subscription_id, since, cost = lag(cost) OVER (PARTITION BY subscription_id ORDER BY since) AS is_same FROM private.plan_prices
) AS noted WHERE noted.is_same AND (noted.subscription_id, noted.since) = (price.subscription_id, price.since);

DO $$
DECLARE v_row public.service_provider_data;
BEGIN
  FOR v_row IN SELECT * FROM public.service_provider_data WHERE is_readable ORDER BY created_at, is_current LOOP
    PERFORM private.note_catalogue_prices(v_row.data, v_row.created_at);
  END LOOP;
END $$;
