set local check_function_bodies = off;

ALTER TABLE "private"."payment_jobs" DROP CONSTRAINT "payment_jobs_kind_check";

CREATE TABLE "private"."provider_movements" ("id" text NOT NULL, "kind" text NOT NULL, "intent" text, "amount" numeric(12,2) NOT NULL, "moved_at" timestamp with time zone NOT NULL, CONSTRAINT "provider_movements_id_check" CHECK ((char_length(id) <= 200)), CONSTRAINT "provider_movements_intent_check" CHECK ((char_length(intent) <= 200)), CONSTRAINT "provider_movements_kind_check" CHECK ((char_length(kind) <= 100)), CONSTRAINT "provider_movements_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."provider_movements" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."reconciliations" ("day" date NOT NULL, "differences" integer NOT NULL, CONSTRAINT "reconciliations_pkey" PRIMARY KEY (day));

ALTER TABLE "private"."reconciliations" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.booking_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '01:00:00'::interval;

CREATE OR REPLACE FUNCTION private.compare_movements(p_day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_outside bigint := private.ledger_account('outside');
  v_span tstzrange;
  v_since timestamptz;
  v_until timestamptz;
  v_differences integer;
begin
  -- Two workers may have listed the same.
  perform pg_advisory_xact_lock(hashtext('reconciliation'));
  v_span := private.unreconciled(p_day);
  if v_span is null then return; end if;
  v_since := lower(v_span) - private.booking_time();
  v_until := upper(v_span) - private.booking_time();
  with moved as (
    select c.payment_id from private.provider_movements as p join private.charges as c on c.intent = p.intent
    where p.moved_at >= v_since and p.moved_at < v_until
    union
    select t.period_id from private.ledger_transfers as t
    where t.created_at >= v_since and t.created_at < v_until and v_outside in (t.from_account, t.to_account)
  ), difference as (
    select format('books:%s:%s:%s', c.intent, there.amount, here.amount) as id, c.intent as about,
      left(format('%s at the provider, %s in the books: %s', private.euros(there.amount), private.euros(here.amount), m.plan_name), 200) as type
    from moved join private.charges as c on c.payment_id = moved.payment_id and c.provider <> 'simulated'
    join public.member_payments as m on m.id = c.payment_id
    cross join lateral (
      select coalesce(sum(amount), 0) as amount, max(moved_at) as latest from private.provider_movements where intent = c.intent
    ) as there
    cross join lateral (
      -- A refund has left the provider's balance while it is under way.
      select coalesce(sum(case t.from_account when v_outside then t.amount else -t.amount end), 0.00)
        - (select coalesce(sum(amount), 0) from private.refunds where payment_id = m.id and status = 'pending') as amount,
        max(t.created_at) as latest
      from private.ledger_transfers as t
      where t.person_id = m.member_id and t.period_id = m.id and v_outside in (t.from_account, t.to_account)
    ) as here
    where there.amount <> here.amount and greatest(there.latest, here.latest) < v_until
    union all
    select 'books:' || about, about, left(format('Not in the books: %s of %s', kinds, private.euros(abs(amount))), 200) from (
      select coalesce(p.intent, p.id) as about, string_agg(distinct replace(p.kind, '_', ' '), ', ') as kinds, sum(p.amount) as amount
      from private.provider_movements as p
      where p.moved_at >= lower(v_span) and p.moved_at < upper(v_span) and not exists (select from private.charges as c where c.intent = p.intent)
      group by 1
    ) as foreign_one
    where not exists (select from public.unknown_payment_events as e where e.about = foreign_one.about)
  ), found as (
    insert into public.unknown_payment_events (id, type, about) select id, type, about from difference on conflict do nothing returning id
  ) select count(*) into v_differences from found;
  insert into private.reconciliations (day, differences) values (p_day, v_differences);
  if v_differences > 0 then
    perform private.tell_treasurers('warning', 'The Books Differ From the Provider',
      format('The nightly comparison with the payment provider found %s. See the unknown events.',
        case v_differences when 1 then 'a difference' else v_differences || ' differences' end),
      'payment-books-differ', jsonb_build_object('day', p_day, 'differences', v_differences));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.queue_reconciliation()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.queue_payment_job('reconcile', ((private.now() at time zone 'utc')::date - 1)::text, provider) from private.payment_provider
  where provider <> 'simulated' and not exists (select from private.payment_jobs where kind = 'reconcile')
$function$;

CREATE OR REPLACE FUNCTION private.reconciliation_order(p_day date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('day', p_day, 'since', floor(extract(epoch from lower(span))), 'until', extract(epoch from coalesce(
    (select min(moved_at) + interval '1 second' from private.provider_movements where moved_at >= lower(span) and moved_at < upper(span)),
    upper(span)))::bigint)
  from private.unreconciled(p_day) as span where span is not null
$function$;

CREATE OR REPLACE FUNCTION private.record_movements(p_day date, p_movements jsonb, p_goes_on boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.provider_movements (id, kind, intent, amount, moved_at)
  select id, kind, intent, cents / 100.0, to_timestamp(at)
  from jsonb_to_recordset(p_movements) as page (id text, kind text, intent text, cents bigint, at bigint)
  on conflict do nothing;
  if not p_goes_on then
    perform private.compare_movements(p_day);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.take_payment_jobs(p_provider text, p_limit integer, p_payment_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seats uuid[];
  v_job private.payment_jobs;
  v_order jsonb;
  v_taken jsonb := '[]';
begin
  select array_agg(id) into v_seats from (
    select s.id from private.seats as s
    where s.id in (
      select m.seat_id from private.payment_jobs as j join public.member_payments as m on m.id = case j.kind when 'charge' then j.about::uuid end
      where j.provider = p_provider and j.next_attempt_at <= clock_timestamp()
        and (p_payment_id is null or m.id = p_payment_id)
      order by j.next_attempt_at limit p_limit
    ) order by s.id for update skip locked
  ) as free;
  perform private.lock_held_money(v_seats, '{}');
  perform set_config('potluck.holds_money', 'yes', true);
  for v_job in
    select j.* from private.payment_jobs as j
    left join public.member_payments as m on m.id = case j.kind when 'charge' then j.about::uuid end
    where j.provider = p_provider and j.next_attempt_at <= clock_timestamp()
      and case when p_payment_id is null then j.kind <> 'charge' or m.seat_id = any (v_seats)
        else m.id = p_payment_id and m.seat_id = any (v_seats) end
    order by j.next_attempt_at limit p_limit for update of j skip locked
  loop
    begin
      if v_job.kind = 'charge' then
        v_order := private.start_charge(v_job.about::uuid);
      elsif v_job.kind = 'refund' then
        v_order := private.refund_order(v_job.about::uuid);
      elsif v_job.kind = 'reconcile' then
        v_order := private.reconciliation_order(v_job.about::date);
      else
        v_order := jsonb_build_object('method', v_job.about);
      end if;
    exception when others then
      -- A failure must not hold up the others.
      update private.payment_jobs set attempts = attempts + 1 where id = v_job.id;
      perform private.settle_payment_job(v_job.id, v_job.attempts + 1, sqlerrm);
      continue;
    end;
    if v_order is null then
      delete from private.payment_jobs where id = v_job.id;
      continue;
    end if;
    update private.payment_jobs set attempts = attempts + 1, next_attempt_at = clock_timestamp() + interval '2 minutes', last_error = null
    where id = v_job.id;
    v_taken := v_taken || jsonb_build_object('job', v_job.id, 'kind', v_job.kind, 'attempt', v_job.attempts + 1,
      'order', jsonb_build_object('attempt', v_job.attempts + 1) || v_order);
  end loop;
  return v_taken;
end $function$;

CREATE OR REPLACE FUNCTION private.unreconciled(p_day date)
 RETURNS tstzrange
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when since < until then tstzrange(since, until) end from (
    select coalesce((select max(day) + 1 from private.reconciliations)::timestamp at time zone 'utc',
        (select min(created_at) from private.charges where provider = 'stripe') - private.booking_time()) as since,
      (p_day + 1)::timestamp at time zone 'utc' as until
  ) as span
$function$;

CREATE OR REPLACE FUNCTION public.record_movements(p_day date, p_movements jsonb, p_goes_on boolean)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_movements(p_day, p_movements, p_goes_on) $function$;

ALTER TABLE "private"."payment_jobs" ADD CONSTRAINT "payment_jobs_kind_check" CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text, 'remove-card'::text, 'reconcile'::text])));

CREATE INDEX provider_movements_intent_idx ON private.provider_movements USING btree (intent);

CREATE INDEX provider_movements_newest_idx ON private.provider_movements USING btree (moved_at);

REVOKE ALL ON FUNCTION "private"."booking_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."compare_movements"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_reconciliation"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reconciliation_order"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_movements"(date, jsonb, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_movements"(date, jsonb, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "private"."unreconciled"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."record_movements"(date, jsonb, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_movements"(date, jsonb, boolean) TO "service_role";

REVOKE ALL ON TABLE private.provider_movements, private.reconciliations FROM PUBLIC, anon, authenticated, service_role;

SELECT cron.schedule('reconciliation', '37 4 * * *', 'select private.queue_reconciliation()');
