set local check_function_bodies = off;

DROP FUNCTION "private"."list_payout_files"(integer, integer);

DROP FUNCTION "private"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid);

DROP FUNCTION "private"."list_staff_log"(bigint, integer, uuid);

DROP FUNCTION "private"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer);

DROP FUNCTION "private"."list_users"(text, integer, timestamp with time zone, uuid, text);

DROP FUNCTION "private"."list_withdrawals"(integer, integer, text, uuid);

DROP FUNCTION "private"."market_plan_ids"(text, text, text, text, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer);

DROP FUNCTION "private"."market_plans"(text, text, text, text, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer);

DROP FUNCTION "public"."list_payout_files"(integer, integer);

DROP FUNCTION "public"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid);

DROP FUNCTION "public"."list_staff_log"(bigint, integer, uuid);

DROP FUNCTION "public"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer);

DROP FUNCTION "public"."list_users"(text, integer, timestamp with time zone, uuid, text);

DROP FUNCTION "public"."list_withdrawals"(integer, integer, text, uuid);

DROP FUNCTION "public"."market_plans"(text, text, text, text, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer);

CREATE OR REPLACE FUNCTION private.list_payout_files(p_limit integer DEFAULT 20, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id bigint, payments integer, completed integer, amount numeric, created_at timestamp with time zone, created_by_name text, voided_at timestamp with time zone, voided_by_name text, void_reason text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query execute private.page_of($query$
    select f.id, f.payments, (select count(*)::integer from private.payout_file_entries as e
        join public.withdrawal_requests as w on w.id = e.withdrawal_id where e.file_id = f.id and not e.voided and w.status = 'completed'),
      f.amount, f.created_at, author.display_name, f.voided_at, voider.display_name as voided_by_name, f.void_reason
    from private.payout_files as f
    left join public.user_profiles as author on author.user_id = f.created_by
    left join public.user_profiles as voider on voider.user_id = f.voided_by
  $query$, null, coalesce(p_sort, '-id'), 'id', p_after, p_limit);
end $function$;

CREATE OR REPLACE FUNCTION private.list_plans_for_review(p_status text DEFAULT 'all'::text, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id text DEFAULT ''::text, p_limit integer DEFAULT 20, p_owner uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id text, name text, provider text, category text, status text, price numeric, billing_cycle text, owner_id uuid, created_by text, created_at timestamp with time zone, members_count integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_plan_reviewer();
  return query execute private.page_of(format($query$
    select plan.id, plan.name, plan.provider, plan.category, plan.status, plan.total_price as price, plan.billing_cycle,
      plan.owner_id, profile.display_name as created_by, plan.created_at, plan.current_members as members_count
    -- Each status is a separate index range, so that a page reads only the rows it shows.
    from unnest(case $1 when 'all' then array['active', 'pending', 'rejected'] else array[$1] end) as wanted (status)
    cross join lateral (
      select * from public.shared_subscriptions as one
      where one.status = wanted.status and ($2 is null or one.owner_id = $2) and (one.created_at, one.id) < ($3, $4) %s
    ) as plan
    join public.user_profiles as profile on profile.user_id = plan.owner_id
  $query$, case when p_sort is null then 'order by one.created_at desc, one.id desc limit $5' end),
    'plan.created_at desc, plan.id desc', p_sort, 'id', p_after, p_limit)
  using p_status, p_owner, p_before, p_before_id, least(greatest(p_limit, 1), 100);
end $function$;

CREATE OR REPLACE FUNCTION private.list_staff_log(p_before bigint DEFAULT NULL::bigint, p_limit integer DEFAULT 50, p_person uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(line bigint, at timestamp with time zone, actor uuid, actor_name text, action text, subject text, subject_name text, details jsonb, hash text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.proven(private.may('roles.manage')) then
    raise exception 'Only a super-admin reads the log of staff' using errcode = '42501';
  end if;
  -- Built with or without the person, because one statement for both would fit no index.
  return query execute private.page_of(format($query$
    select page.line, page.at, page.actor, actor.display_name as actor_name, page.action, page.subject,
      coalesce(person.display_name, plan.provider || ' ' || plan.name), page.details, page.hash
    from (select l.* from %s as l where l.line < $1 %s) as page left join public.user_profiles as actor on actor.user_id = page.actor
    left join public.user_profiles as person
      on person.user_id = case when page.subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then page.subject::uuid end
    left join public.shared_subscriptions as plan on plan.id = page.subject
  $query$, case when p_person is null then 'private.staff_log' else 'private.log_about($3)' end,
    case when p_sort is null then 'order by l.line desc limit $2' end),
    'page.line desc', p_sort, 'line', p_after, p_limit)
  using coalesce(p_before, 9223372036854775807), least(greatest(p_limit, 1), 100), p_person;
end $function$;

CREATE OR REPLACE FUNCTION private.list_transfers(p_person uuid DEFAULT NULL::uuid, p_subscription_id text DEFAULT NULL::text, p_kind text DEFAULT NULL::text, p_from timestamp with time zone DEFAULT NULL::timestamp with time zone, p_until timestamp with time zone DEFAULT NULL::timestamp with time zone, p_before timestamp with time zone DEFAULT NULL::timestamp with time zone, p_before_id bigint DEFAULT NULL::bigint, p_limit integer DEFAULT 50, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id bigint, created_at timestamp with time zone, kind text, amount numeric, from_kind text, to_kind text, person_id uuid, person_name text, subscription_id text, plan_name text, description text, moved_by text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A single bound, so that the index scan starts at the page.
  v_goes_on boolean := coalesce(p_before < p_until, p_before is not null);
  v_before timestamptz := case when v_goes_on then p_before else coalesce(p_until, 'infinity') end;
  v_before_id bigint := case when v_goes_on then p_before_id else 0 end;
begin
  perform private.require_treasurer();
  -- Built from the filters in use, because one statement for all of them would fit no index.
  return query execute private.page_of(format($query$
    select page.id, page.created_at, page.kind, page.amount, source.kind as from_kind, target.kind as to_kind, page.person_id,
      person.display_name as person_name, page.subscription_id, plan.provider || ' ' || plan.name as plan_name,
      page.description, staff.display_name
    from (
      select t.* from private.ledger_transfers as t
      where (t.created_at, t.id) < ($5, $6) and t.created_at >= $4 %s %s %s %s
    ) as page join private.ledger_accounts as source on source.id = page.from_account
    join private.ledger_accounts as target on target.id = page.to_account
    left join public.user_profiles as person on person.user_id = page.person_id
    left join public.user_profiles as staff on staff.user_id = page.created_by
    left join public.shared_subscriptions as plan on plan.id = page.subscription_id
  $query$,
    case when p_person is not null then 'and t.person_id = $1' end,
    case when p_subscription_id is not null then 'and t.subscription_id = $2' end,
    case when p_kind is not null then 'and t.kind = $3' end,
    case when p_sort is null then 'order by t.created_at desc, t.id desc limit $7' end),
    'page.created_at desc, page.id desc', p_sort, 'id', p_after, p_limit, 1000)
  using p_person, p_subscription_id, p_kind, coalesce(p_from, '-infinity'), v_before,
    coalesce(v_before_id, 0), least(greatest(p_limit, 1), 1000);
end $function$;

CREATE OR REPLACE FUNCTION private.list_users(p_search text DEFAULT ''::text, p_limit integer DEFAULT 25, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, p_role text DEFAULT NULL::text, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id uuid, email text, display_name text, avatar_url text, role text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.may('users.view') then
    raise exception 'Only staff sees who has an account' using errcode = '42501';
  end if;
  return query execute private.page_of($query$
  select account.id, case when $5 then account.email::text end as email, account.shown_name as display_name, account.avatar_url,
    held.role, account.opened_at as created_at
  from (
    select u.id, u.email, profile.avatar_url, coalesce(u.created_at, 'epoch') as opened_at, coalesce(
      profile.display_name, nullif(split_part(u.email, '@', 1), ''), 'Unknown'
    ) as shown_name
    from auth.users as u left join public.user_profiles as profile on profile.user_id = u.id
    where u.deleted_at is null
  ) as account
  left join public.user_roles as held on held.user_id = account.id
  where position(lower(btrim(coalesce($1, ''))) in lower(account.shown_name)) > 0
    and ($2 is null or coalesce(held.role, 'none') = $2)
    and (account.opened_at, account.id) < ($3, $4)
  $query$, 'account.opened_at desc, account.id desc', p_sort, 'id', p_after, p_limit)
  using p_search, p_role, p_before, p_before_id, private.may('users.edit');
end $function$;

CREATE OR REPLACE FUNCTION private.list_withdrawals(p_limit integer DEFAULT 50, p_status text DEFAULT NULL::text, p_person uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id uuid, user_id uuid, display_name text, full_name text, avatar_url text, amount numeric, status text, requested_at timestamp with time zone, processed_at timestamp with time zone, completed_at timestamp with time zone, rejection_reason text, stripe_transfer_id text, bank_account_last4 text, processed_by uuid, processed_by_name text, completed_by uuid, completed_by_name text, has_account boolean, payout_file_id bigint, returned_at timestamp with time zone, return_reason text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query execute private.page_of($query$
  select w.id, w.user_id, p.display_name, p.full_name, p.avatar_url, w.amount, w.status, w.requested_at, w.processed_at,
    w.completed_at, w.rejection_reason, w.stripe_transfer_id, w.bank_account_last4, w.processed_by, processed.display_name as processed_by_name,
    w.completed_by, completed.display_name as completed_by_name, w.bank_account_id is not null, private.payout_file_of(w.id), w.returned_at,
    w.return_reason
  from public.withdrawal_requests as w join public.user_profiles as p on p.user_id = w.user_id
  left join public.user_profiles as processed on processed.user_id = w.processed_by
  left join public.user_profiles as completed on completed.user_id = w.completed_by
  where ($1 is null or w.status = $1) and ($2 is null or w.user_id = $2)
  $query$, null, coalesce(p_sort, '-requested_at'), 'id', p_after, p_limit) using p_status, p_person;
end $function$;

CREATE OR REPLACE FUNCTION private.market_plan_ids(p_search text, p_category text, p_provider text, p_like uuid, p_most numeric, p_settlement text, p_level text, p_instant boolean, p_cheapest boolean, p_full boolean, p_after_room boolean, p_above numeric, p_before timestamp with time zone, p_before_id text, p_limit integer)
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
    -- The others begin with their first.
    p_above := null;
    p_before := 'infinity';
    p_before_id := '';
  end loop;
  return v_found;
end $function$;

CREATE OR REPLACE FUNCTION private.market_plans(p_search text DEFAULT NULL::text, p_category text DEFAULT NULL::text, p_provider text DEFAULT NULL::text, p_like uuid DEFAULT NULL::uuid, p_most numeric DEFAULT NULL::numeric, p_settlement text DEFAULT NULL::text, p_level text DEFAULT NULL::text, p_instant boolean DEFAULT false, p_cheapest boolean DEFAULT false, p_full boolean DEFAULT false, p_after_room boolean DEFAULT true, p_above numeric DEFAULT NULL::numeric, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id text DEFAULT ''::text, p_limit integer DEFAULT 24)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.market_cards(private.market_plan_ids(p_search, p_category, p_provider, p_like, p_most, p_settlement, p_level,
    p_instant, p_cheapest, p_full, p_after_room, p_above, p_before, p_before_id, p_limit))
$function$;

CREATE OR REPLACE FUNCTION private.my_next_payments()
 RETURNS TABLE(subscription_id text, settlement text, amount numeric, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.subscription_id, s.settlement, next.amount, next.due_at
    from private.seats as s cross join lateral private.next_payments(s) as next
    where s.member_id = v_user and s.ended_at is null;
end $function$;

CREATE OR REPLACE FUNCTION private.my_payment_days()
 RETURNS TABLE(receives boolean, subscription_id text, plan text, person text, amount numeric, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.owner_id = v_user, s.subscription_id, s.provider || ' ' || s.plan_name, other.display_name,
      case s.owner_id when v_user then due.share else due.amount end, due.due_at
    from private.seats as s
    join public.user_profiles as other on other.user_id = case s.owner_id when v_user then s.member_id else s.owner_id end
    cross join lateral (
      select m.settlement, m.share, m.amount, m.due_at from public.member_payments as m
      where m.seat_id = s.id and m.amount > 0
        and (m.status in ('needs-action', 'failed') or m.status in ('due', 'charging') and m.due_at <= private.now())
      union all
      select s.settlement, next.share, next.amount, next.due_at from private.next_payments(s) as next
    ) as due
    where v_user in (s.owner_id, s.member_id) and s.ended_at is null
      and (due.settlement = 'potluck' or private.says_how_to_pay(s.owner_id))
    order by due.due_at, s.id;
end $function$;

CREATE OR REPLACE FUNCTION private.next_payments(p_seat private.seats)
 RETURNS TABLE(share numeric, amount numeric, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select next.share, next.amount, next.due_at
    from (select * from public.member_payments as m where m.seat_id = p_seat.id order by m.number desc limit 1) as last
    cross join lateral private.period_price(p_seat.settlement, p_seat.billing_cycle, p_seat.share, p_seat.fee_rate, last.number + 1) as price
    cross join lateral (
      select last.share, last.amount, last.due_at where last.status in ('due', 'charging')
      union all
      select price.share, price.share + price.fee, last.ends_at where last.status in ('due', 'claimed', 'paid') and p_seat.ends_at is null
    ) as next (share, amount, due_at)
    where p_seat.ended_at is null and next.due_at > private.now() and next.amount > 0 and not private.has_open_problem(p_seat.id);
end $function$;

CREATE OR REPLACE FUNCTION private.page_of(p_query text, p_usual text, p_sort text, p_key text, p_after jsonb, p_limit integer, p_most integer DEFAULT 100)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  v_by text := ltrim(p_sort, '-');
  v_way text := case when p_sort like '-%' then 'desc' else 'asc' end;
  v_than text := case v_way when 'desc' then '<' else '>' end;
  v_limit integer := least(greatest(p_limit, 1), p_most);
begin
  if p_sort is null then
    return format('%s order by %s limit %s', p_query, p_usual, v_limit);
  end if;
  return format('select * from (%s) as list where %s order by list.%I %s nulls last, list.%5$I %4$s limit %6$s', p_query,
    format(case when p_after is null then 'true'
      when p_after ->> 0 is null then 'list.%1$I is null and list.%2$I %3$s %5$L'
      else '(list.%1$I %3$s %4$L or list.%1$I is null or list.%1$I = %4$L and list.%2$I %3$s %5$L)' end,
      v_by, p_key, v_than, p_after ->> 0, p_after ->> 1),
    v_by, v_way, p_key, v_limit);
end $function$;

CREATE OR REPLACE FUNCTION private.pays_directly(p_owner_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from private.seats
    where owner_id = p_owner_id and member_id = (select auth.uid()) and ended_at is null and (settlement = 'direct'
      or exists (select from public.member_payments as m where m.seat_id = seats.id and m.settlement = 'direct' and m.status in ('due', 'claimed')))
  );
end $function$;

CREATE OR REPLACE FUNCTION private.staff_person_money(p_person_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'balance', coalesce((select w.coin_balance from public.user_wallets as w where w.user_id = p_person_id), 0.00),
    'moved', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.last desc), '[]') from (
        select t.kind, count(*) as transfers, sum(t.amount) as amount, max(t.created_at) as last
        from private.ledger_transfers as t where t.person_id = p_person_id group by t.kind
      ) as m),
    'withdrawals', (
      select jsonb_build_object('all', count(*), 'waiting', count(*) filter (where w.status in ('pending', 'processing')))
      from public.withdrawal_requests as w where w.user_id = p_person_id),
    'disputes', (
      select jsonb_build_object('all', count(*), 'open', count(*) filter (where d.closed_at is null))
      from public.payment_disputes as d where p_person_id in (d.member_id, d.owner_id)),
    'places', (
      select coalesce(jsonb_agg(jsonb_build_object('seatId', place.seat_id, 'planName', place.plan_name,
        'ownerId', place.owner_id, 'ownerName', owner.display_name, 'settlement', place.settlement, 'amount', place.amount,
        'number', place.number, 'status', place.status, 'payable',
        place.settlement = 'potluck' or private.says_how_to_pay(place.owner_id), 'dueAt', place.due_at, 'returned', place.returned_share + place.returned_fee)
        order by place.due_at desc, place.seat_id), '[]')
      from (
        select distinct on (m.seat_id) m.* from public.member_payments as m
        where m.member_id = p_person_id order by m.seat_id, m.number desc
      ) as place join public.user_profiles as owner on owner.user_id = place.owner_id))
  where private.may('users.edit') and private.may_act_as_staff()
$function$;

CREATE OR REPLACE FUNCTION public.list_payout_files(p_limit integer DEFAULT 20, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id bigint, payments integer, completed integer, amount numeric, created_at timestamp with time zone, created_by_name text, voided_at timestamp with time zone, voided_by_name text, void_reason text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_payout_files(p_limit, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.list_plans_for_review(p_status text DEFAULT 'all'::text, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id text DEFAULT ''::text, p_limit integer DEFAULT 20, p_owner uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id text, name text, provider text, category text, status text, price numeric, billing_cycle text, owner_id uuid, created_by text, created_at timestamp with time zone, members_count integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_plans_for_review(p_status, p_before, p_before_id, p_limit, p_owner, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.list_staff_log(p_before bigint DEFAULT NULL::bigint, p_limit integer DEFAULT 50, p_person uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(line bigint, at timestamp with time zone, actor uuid, actor_name text, action text, subject text, subject_name text, details jsonb, hash text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_staff_log(p_before, p_limit, p_person, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.list_transfers(p_person uuid DEFAULT NULL::uuid, p_subscription_id text DEFAULT NULL::text, p_kind text DEFAULT NULL::text, p_from timestamp with time zone DEFAULT NULL::timestamp with time zone, p_until timestamp with time zone DEFAULT NULL::timestamp with time zone, p_before timestamp with time zone DEFAULT NULL::timestamp with time zone, p_before_id bigint DEFAULT NULL::bigint, p_limit integer DEFAULT 50, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id bigint, created_at timestamp with time zone, kind text, amount numeric, from_kind text, to_kind text, person_id uuid, person_name text, subscription_id text, plan_name text, description text, moved_by text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_transfers(p_person, p_subscription_id, p_kind, p_from, p_until, p_before, p_before_id, p_limit, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.list_users(p_search text DEFAULT ''::text, p_limit integer DEFAULT 25, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, p_role text DEFAULT NULL::text, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id uuid, email text, display_name text, avatar_url text, role text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_users(p_search, p_limit, p_before, p_before_id, p_role, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.list_withdrawals(p_limit integer DEFAULT 50, p_status text DEFAULT NULL::text, p_person uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id uuid, user_id uuid, display_name text, full_name text, avatar_url text, amount numeric, status text, requested_at timestamp with time zone, processed_at timestamp with time zone, completed_at timestamp with time zone, rejection_reason text, stripe_transfer_id text, bank_account_last4 text, processed_by uuid, processed_by_name text, completed_by uuid, completed_by_name text, has_account boolean, payout_file_id bigint, returned_at timestamp with time zone, return_reason text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_withdrawals(p_limit, p_status, p_person, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.market_plans(p_search text DEFAULT NULL::text, p_category text DEFAULT NULL::text, p_provider text DEFAULT NULL::text, p_like uuid DEFAULT NULL::uuid, p_most numeric DEFAULT NULL::numeric, p_settlement text DEFAULT NULL::text, p_level text DEFAULT NULL::text, p_instant boolean DEFAULT false, p_cheapest boolean DEFAULT false, p_full boolean DEFAULT false, p_after_room boolean DEFAULT true, p_above numeric DEFAULT NULL::numeric, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id text DEFAULT ''::text, p_limit integer DEFAULT 24)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.market_plans(p_search, p_category, p_provider, p_like, p_most, p_settlement, p_level, p_instant, p_cheapest, p_full, p_after_room, p_above, p_before, p_before_id, p_limit) $function$;

CREATE OR REPLACE FUNCTION public.my_payment_days()
 RETURNS TABLE(receives boolean, subscription_id text, plan text, person text, amount numeric, due_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_payment_days() $function$;

CREATE INDEX shared_subscriptions_catalogue_idx ON public.shared_subscriptions USING btree (catalogue_plan_id, category, provider, name, has_room) WHERE ((status = 'active'::text) AND (NOT is_private));

REVOKE ALL ON FUNCTION "private"."list_payout_files"(integer, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_payout_files"(integer, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_staff_log"(bigint, integer, uuid, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_staff_log"(bigint, integer, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_users"(text, integer, timestamp with time zone, uuid, text, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_users"(text, integer, timestamp with time zone, uuid, text, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_withdrawals"(integer, text, uuid, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_withdrawals"(integer, text, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."market_plan_ids"(text, text, text, uuid, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."market_plans"(text, text, text, uuid, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."market_plans"(text, text, text, uuid, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "private"."my_payment_days"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_payment_days"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."next_payments"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."page_of"(text, text, text, text, jsonb, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."list_payout_files"(integer, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_payout_files"(integer, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_staff_log"(bigint, integer, uuid, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_staff_log"(bigint, integer, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_users"(text, integer, timestamp with time zone, uuid, text, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_users"(text, integer, timestamp with time zone, uuid, text, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_withdrawals"(integer, text, uuid, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_withdrawals"(integer, text, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."market_plans"(text, text, text, uuid, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."market_plans"(text, text, text, uuid, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."my_payment_days"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_payment_days"() TO "authenticated";

