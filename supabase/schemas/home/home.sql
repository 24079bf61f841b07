-- The home page after signing in: open tasks, tasks of others, plans with their next payments, and savings of this year. All of it
-- is derived; nothing is stored.

-- Tasks of the acting user, in plans they share, in places they have, and about places reserved for them; and, as `await-…`, tasks
-- of others that the acting user waits for. `due_at` is the deadline, or when a payment was due. `lost_at` is when inaction costs
-- something: the request or the reserved place lapses, money is refunded, or the place of a late payment may end.
create function private.my_tasks()
returns table (kind text, id uuid, subscription_id text, provider text, plan text, person_id uuid, amount numeric,
  due_at timestamptz, lost_at timestamptz, since timestamptz, currency text)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
  with task as (
    select 'answer-request' as kind, r.id, p.id as subscription_id, p.provider, p.provider || ' ' || p.name as plan,
      r.user_id as person_id, null::numeric as amount,
      private.request_deadline(r.requested_at) as due_at, r.requested_at as since
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = v_user and private.is_open_request(r)
    union all
    select 'await-answer', r.id, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null,
      private.request_deadline(r.requested_at), r.requested_at
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
    where v_user in (s.owner_id, s.member_id) and s.ended_at is null and s.admitted_at is not null and not private.is_paused(s)
      and (s.access_due_at is not null or s.member_id = v_user
        and s.access_given_at is not null and not private.access_works(s) and not private.has_open_problem(s.id))
    union all
    select case when m.status = 'claimed' then case when m.owner_id = v_user then 'confirm-payment' else 'await-confirmation' end
        when m.status = 'disputed' then 'await-decision'
        when m.status = 'needs-action' then 'confirm-card' when m.status = 'failed' then 'mend-payment'
        when m.note is not null then 'pay-again' else 'pay' end,
      m.id, m.subscription_id, s.provider, m.plan_name, case m.owner_id when v_user then m.member_id else m.owner_id end, m.amount,
      case when m.status = 'due' then m.due_at
        when private.is_unconfirmed(m.status) then (select c.answer_by from public.payment_claims as c where c.payment_id = m.id and c.answer_by is not null)
        -- A failed renewal is retried before its place ends; a failed first payment is not.
        else case when m.number > 1 then greatest(private.last_renewal_retry(m.due_at), m.next_attempt_at) else m.next_attempt_at end end,
      coalesce(m.claimed_at, m.due_at)
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    where v_user in (m.owner_id, m.member_id) and m.settlement = 'direct' and private.is_unconfirmed(m.status)
      or m.member_id = v_user and (private.has_failed(m.status) and not private.is_paused(s)
        or m.settlement = 'direct' and m.status = 'due' and (m.due_at <= private.now() or m.note is not null)
          and private.says_how_to_pay(m.owner_id))
    union all
    -- Debts of owners to members: the owner repays once the member has said where to, and the member confirms that the money has arrived.
    select case when claim.id is not null then case when m.owner_id = v_user then 'await-confirmation' else 'confirm-repayment' end
        when m.owner_id = v_user then 'pay-back' else 'say-where-to-pay-back' end,
      m.id, m.subscription_id, s.provider, m.plan_name, case m.owner_id when v_user then m.member_id else m.owner_id end, m.owed_back,
      coalesce(claim.answer_by, m.owed_since + (private.debt_steps())[cardinality(private.debt_steps())]), m.owed_since
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    left join public.payment_claims as claim on claim.payment_id = m.id and claim.kind = 'repayment' and claim.status = 'open'
    where v_user in (m.owner_id, m.member_id) and private.is_owed_back(m)
      and (claim.id is not null or not private.is_claimed_back(m.id) and (m.owner_id = v_user or not private.says_how_to_pay(v_user)))
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
    select 'say-how-to-pay', null, null, null, null, null, null, null, min(paid.since) from (
      select s.opened_at from private.seats as s where s.owner_id = v_user and s.ended_at is null and s.settlement = 'direct'
      union all
      select p.created_at from public.shared_subscriptions as p
      where p.owner_id = v_user and p.settlement = 'direct' and p.status = 'active'
    ) as paid (since)
    where not exists (select from public.payment_wishes as w where w.user_id = v_user)
    having count(*) > 0
    union all
    -- This task is open until the first member has access. A member who has paid for access has a task of their own, above.
    select 'add-access', null, p.id, p.provider, p.provider || ' ' || p.name, null, null, null, p.created_at
    from public.shared_subscriptions as p
    where p.owner_id = v_user and p.status = 'active' and p.catalogue_plan_id <> 'own' and not private.has_vault_entry(p.id)
      and not exists (select from private.seats as s
        where s.subscription_id = p.id and (s.access_given_at is not null or s.ended_at is null and s.access_due_at is not null))
    union all
    select 'take-place', null, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null, w.offered_until, w.joined_at
    from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
    where w.user_id = v_user and w.offered_until > now()
    union all
    select 'answer-invitation', i.id, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null,
      i.expires_at + private.unnoticed_gap(), i.created_at
    from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
    where i.email = private.my_email() and private.invitation_status(i) = 'open' and p.status = 'active'
      and not private.is_plan_member(p.id) and not private.is_suspended(p.owner_id)
  )
  select t.kind, t.id, t.subscription_id, t.provider, t.plan, t.person_id, t.amount, t.due_at,
    case when t.kind in ('pay', 'pay-again') then (select private.patience_ends(m) from public.member_payments as m where m.id = t.id)
      else t.due_at end, t.since, coalesce(plan.currency, 'EUR')
  from task as t
  left join lateral (
    -- A plan can be gone, but not its seats.
    select s.currency from private.seats as s where s.subscription_id = t.subscription_id and t.amount is not null limit 1
  ) as plan on true;
end $$;

-- Returns the next payments for the acting user's places.
create function private.my_next_payments()
returns table (subscription_id text, settlement text, amount numeric, due_at timestamptz, currency text)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select s.subscription_id, s.settlement, next.amount, next.due_at, s.currency
    from private.seats as s cross join lateral private.next_payments(s) as next
    where s.member_id = v_user and s.ended_at is null;
end $$;

-- Returns the acting user's savings, in EUR, from their payments of this year (in their time zone): as a member, the price of the
-- same months without sharing, less their payments; as an owner, the shares that members paid them. Time without access counts on
-- neither side. If a plan is gone and its price is unknown, it counts as no savings; so does an own plan.
create function private.saved_this_year(out joined numeric, out shared numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_zone text := private.zone_of(v_user);
  v_from timestamptz := date_trunc('year', private.now() at time zone v_zone) at time zone v_zone;
begin
  select greatest(0, coalesce(sum(round(
    alone.price * (1 - coalesce((m.returned_share + m.owed_back) / nullif(m.share, 0), 0)), 2)
    - (m.amount - m.returned_share - m.returned_fee - m.from_guarantee - case when m.repaid_at is not null then m.owed_back else 0 end)), 0))
  into joined
  from private.seats as s
  left join public.shared_subscriptions as p on p.id = s.subscription_id
  cross join lateral (
    select p.total_price as total, p.max_members as places where p.id is not null
    union all
    select round(sold.price, 2), sold.max_members from private.find_catalogue_plan(s.catalogue_plan_id, s.provider, s.plan_name) as sold
    where p.id is null and sold.id is not null
  ) as offer
  join public.member_payments as m on m.seat_id = s.id and private.is_paid(m.status) and m.paid_at >= v_from
  -- On the plan's current terms the share is part of its price; on older terms, the price follows from the share.
  cross join lateral (
    select case when m.share = (private.period_price('direct', s.billing_cycle, round(offer.total / offer.places, 2), s.fee_rate, m.number)).share
      then (private.period_price('direct', s.billing_cycle, offer.total, s.fee_rate, m.number)).share else m.share * offer.places end
  ) as alone (price)
  where s.member_id = v_user and s.counts;

  select coalesce(sum(case m.settlement when 'potluck' then m.earned_share else m.share - m.owed_back end), 0) into shared
  from public.member_payments as m join private.seats as s on s.id = m.seat_id and s.counts
  where m.owner_id = v_user and private.is_paid(m.status) and m.paid_at >= v_from;
end $$;

-- Returns the first steps that a beginner has taken; null for a person who has ever had a place or a member.
create function private.my_first_steps() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  if exists (select from private.seats where member_id = v_user) or exists (select from private.seats where owner_id = v_user) then
    return null;
  end if;
  select * into v_plan from public.shared_subscriptions where owner_id = v_user order by created_at desc, id limit 1;
  return jsonb_build_object(
    'hasAsked', exists (select from public.subscription_requests where user_id = v_user)
      or exists (select from public.waiting_list where user_id = v_user),
    'hasCard', exists (select from public.payment_methods where user_id = v_user),
    'takesCards', private.payment_provider() is not null,
    'planId', v_plan.id, 'settlement', v_plan.settlement,
    'hasWish', exists (select from public.payment_wishes where user_id = v_user),
    'hasInvited', exists (select from public.subscription_invitations where subscription_id = v_plan.id)
      or exists (select from public.subscription_requests where subscription_id = v_plan.id));
end $$;

-- Returns the acting user's plans for a list with one line each: the places they have, with the owner, and the plans they share,
-- with the members.
create function private.my_plans()
returns table (subscription_id text, provider text, plan text, is_owner boolean, people uuid[], places integer)
language plpgsql stable security definer set search_path = '' as $$
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
end $$;

-- Returns people for a row of avatars, in the given order.
create function private.people_json(p_people uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', u.user_id, 'name', u.display_name, 'avatarUrl', u.avatar_url) order by place), '[]')
  from unnest(p_people) with ordinality as one (id, place) join private.user_profiles as u on u.user_id = one.id
$$;

-- The content of the home page: the person's tasks, tasks of others that they wait for, their plans with the next payments, savings
-- of this year, and the progress of a beginner.
create function private.my_home() returns jsonb
language sql stable security definer set search_path = '' as $$
  with line as materialized (
    select t.kind like 'await-%' as awaits, row_number() over (order by t.lost_at, t.since, t.kind desc, t.id) as place,
      jsonb_build_object('kind', t.kind, 'id', t.id, 'planId', t.subscription_id, 'provider', t.provider, 'plan', t.plan,
        'person', u.display_name, 'avatarUrl', u.avatar_url, 'amount', t.amount, 'currency', t.currency, 'dueAt', t.due_at, 'lostAt', t.lost_at) as it
    from private.my_tasks() as t left join private.user_profiles as u on u.user_id = t.person_id
  )
  select jsonb_build_object(
    'tasks', (select coalesce(jsonb_agg(it order by place), '[]') from line where not awaits),
    'awaited', (select coalesce(jsonb_agg(it order by place), '[]') from line where awaits),
    'plans', (select coalesce(jsonb_agg(jsonb_build_object('id', p.subscription_id, 'provider', p.provider, 'plan', p.plan,
        'isOwner', p.is_owner, 'people', private.people_json(p.people), 'places', p.places, 'next', next.it)
        order by next.due_at, p.is_owner, p.plan, p.subscription_id), '[]')
      from private.my_plans() as p left join (
        select distinct on (n.subscription_id) n.subscription_id, n.due_at,
          jsonb_build_object('settlement', n.settlement, 'amount', n.amount, 'currency', n.currency, 'dueAt', n.due_at) as it
        from private.my_next_payments() as n order by n.subscription_id, n.due_at
      ) as next on next.subscription_id = p.subscription_id and not p.is_owner),
    'saved', (select jsonb_build_object('joined', s.joined, 'shared', s.shared) from private.saved_this_year() as s),
    'steps', private.my_first_steps())
  where private.require_user() is not null
$$;
select private.publish('my_home', 'authenticated');
