set local check_function_bodies = off;

DROP FUNCTION "private"."my_next_payments"();

DROP FUNCTION "private"."my_tasks"();

CREATE OR REPLACE FUNCTION private.faces(p_people uuid[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', u.user_id, 'name', u.display_name, 'avatarUrl', u.avatar_url) order by place), '[]')
  from unnest(p_people) with ordinality as one (id, place) join public.user_profiles as u on u.user_id = one.id
$function$;

CREATE OR REPLACE FUNCTION private.my_home()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with line as materialized (
    select t.kind like 'await-%' as awaits, row_number() over (order by t.lost_at, t.since, t.id) as place,
      jsonb_build_object('kind', t.kind, 'id', t.id, 'planId', t.subscription_id, 'provider', t.provider, 'plan', t.plan,
        'person', u.display_name, 'avatarUrl', u.avatar_url, 'amount', t.amount, 'dueAt', t.due_at, 'lostAt', t.lost_at) as it
    from private.my_tasks() as t left join public.user_profiles as u on u.user_id = t.person_id
  )
  select jsonb_build_object(
    'tasks', (select coalesce(jsonb_agg(it order by place), '[]') from line where not awaits),
    'awaited', (select coalesce(jsonb_agg(it order by place), '[]') from line where awaits),
    'plans', (select coalesce(jsonb_agg(jsonb_build_object('id', p.subscription_id, 'provider', p.provider, 'plan', p.plan,
        'isOwner', p.is_owner, 'people', private.faces(p.people), 'places', p.places, 'next', next.it)
        order by next.due_at, p.is_owner, p.plan, p.subscription_id), '[]')
      from private.my_plans() as p left join (
        select distinct on (n.subscription_id) n.subscription_id, n.due_at,
          jsonb_build_object('settlement', n.settlement, 'amount', n.amount, 'dueAt', n.due_at) as it
        from private.my_next_payments() as n order by n.subscription_id, n.due_at
      ) as next on next.subscription_id = p.subscription_id and not p.is_owner),
    'saved', (select jsonb_build_object('joined', s.joined, 'shared', s.shared) from private.saved_this_year() as s),
    'suggestion', private.my_suggestion(),
    'steps', private.my_first_steps())
  where private.require_user() is not null
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
    from private.seats as s
    cross join lateral (
      select * from public.member_payments as m where m.seat_id = s.id order by m.number desc limit 1
    ) as last
    cross join lateral private.period_price(s.settlement, s.billing_cycle, s.share, s.fee_rate, last.number + 1) as price
    cross join lateral (
      select last.amount, last.due_at where last.status in ('due', 'charging')
      union all
      select price.share + price.fee, last.ends_at where last.status in ('due', 'claimed', 'paid') and s.ends_at is null
    ) as next
    where s.member_id = v_user and s.ended_at is null and not private.has_open_problem(s.id)
      and next.due_at > private.now() and next.amount > 0;
end $function$;

CREATE OR REPLACE FUNCTION private.my_plans()
 RETURNS TABLE(subscription_id text, provider text, plan text, is_owner boolean, people uuid[], places integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.subscription_id, s.provider, s.provider || ' ' || s.plan_name, false, array[s.owner_id], null::integer
    from private.seats as s where s.member_id = v_user and s.ended_at is null
    union all
    select p.id, p.provider, p.provider || ' ' || p.name, true,
      array(select m.user_id from public.subscription_members as m where m.subscription_id = p.id and not m.is_owner order by m.joined_at, m.user_id),
      p.owner_max_members - 1
    from public.shared_subscriptions as p where p.owner_id = v_user;
end $function$;

CREATE OR REPLACE FUNCTION private.my_tasks()
 RETURNS TABLE(kind text, id uuid, subscription_id text, provider text, plan text, person_id uuid, amount numeric, due_at timestamp with time zone, lost_at timestamp with time zone, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
  with task as (
    select 'answer-request' as kind, r.id, p.id as subscription_id, p.provider, p.provider || ' ' || p.name as plan,
      r.user_id as person_id, null::numeric as amount,
      r.requested_at + private.request_lifetime() + private.unnoticed_gap() as due_at, r.requested_at as since
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = v_user and private.is_open_request(r)
    union all
    select 'await-answer', r.id, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null,
      r.requested_at + private.request_lifetime() + private.unnoticed_gap(), r.requested_at
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.user_id = v_user and private.is_open_request(r)
    union all
    select case when s.owner_id = v_user then 'give-access' when s.access_due_at is not null then 'await-access' else 'check-access' end,
      s.id, s.subscription_id, s.provider, s.provider || ' ' || s.plan_name,
      case s.owner_id when v_user then s.member_id else s.owner_id end,
      case when s.access_due_at is not null then (
        select sum(case m.owner_id when v_user then m.share else m.amount end) from public.member_payments as m
        where m.seat_id = s.id and m.status = 'paid') end,
      coalesce(s.access_due_at, greatest(s.access_given_at, s.admitted_at) + private.access_silence()),
      coalesce(s.access_given_at, s.admitted_at)
    from private.seats as s
    where v_user in (s.owner_id, s.member_id) and s.ended_at is null and s.admitted_at is not null
      and (s.access_due_at is not null or s.member_id = v_user
        and s.access_given_at is not null and not private.access_works(s) and not private.has_open_problem(s.id))
    union all
    select case when m.status = 'claimed' then case when m.owner_id = v_user then 'confirm-payment' else 'await-confirmation' end
        when m.status = 'needs-action' then 'confirm-card' when m.status = 'failed' then 'mend-payment'
        when m.note is not null then 'pay-again' else 'pay' end,
      m.id, m.subscription_id, s.provider, m.plan_name, case m.owner_id when v_user then m.member_id else m.owner_id end, m.amount,
      case when m.status = 'due' then m.due_at
        -- A renewal is tried again before its place ends, a first payment is not.
        when m.status <> 'claimed' then greatest(m.next_attempt_at,
          case when m.number > 1 then m.due_at + (select max(wait) from unnest(private.renewal_retries()) as wait) end) end,
      coalesce(m.claimed_at, m.due_at)
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    where v_user in (m.owner_id, m.member_id) and m.settlement = 'direct' and m.status = 'claimed'
      or m.member_id = v_user and (m.status in ('needs-action', 'failed')
        or m.settlement = 'direct' and m.status = 'due' and m.due_at <= private.now() and private.says_how_to_pay(m.owner_id))
    union all
    select case b.status when 'owner' then 'answer-problem' else 'check-fix' end, b.id, b.subscription_id, s.provider, b.plan_name,
      case b.owner_id when v_user then b.member_id else b.owner_id end, null, b.due_at, b.reported_at
    from public.seat_problems as b join private.seats as s on s.id = b.seat_id
    where b.owner_id = v_user and b.status = 'owner' or b.member_id = v_user and b.status = 'member'
    union all
    select 'change-password', null, p.id, p.provider, p.provider || ' ' || p.name, null, null, null, due.since
    from private.passwords_due() as due join public.shared_subscriptions as p on p.id = due.subscription_id
    union all
    select 'answer-terms', t.id, t.subscription_id, s.provider, s.provider || ' ' || s.plan_name, t.owner_id, t.share, null, t.proposed_at
    from public.term_proposals as t join private.seats as s on s.id = t.seat_id
    where t.member_id = v_user and t.answered_at is null and s.ended_at is null
    union all
    select 'say-how-to-pay', null, null, null, null, null, null, null, min(s.opened_at) from private.seats as s
    where s.owner_id = v_user and s.ended_at is null and s.settlement = 'direct'
      and not exists (select from public.payment_wishes as w where w.user_id = v_user)
    having count(*) > 0
    union all
    select 'take-place', null, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null, w.offered_until, w.joined_at
    from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
    where w.user_id = v_user and w.offered_until > now()
    union all
    select 'answer-invitation', i.id, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null,
      i.expires_at + private.unnoticed_gap(), i.created_at
    from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
    where i.email = private.my_email() and private.invitation_status(i) = 'open' and p.status = 'active'
      and not private.is_plan_member(p.id)
  )
  select t.kind, t.id, t.subscription_id, t.provider, t.plan, t.person_id, t.amount, t.due_at,
    case when t.kind in ('pay', 'pay-again') then t.due_at + private.direct_patience() else t.due_at end, t.since
  from task as t;
end $function$;

REVOKE ALL ON FUNCTION "private"."faces"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_next_payments"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_plans"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_tasks"() FROM PUBLIC;

