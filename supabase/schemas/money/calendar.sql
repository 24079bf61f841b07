-- The next payments of seats, a person's calendar of payments, and its feed for calendar programs.

-- Returns the next payments of a seat and when they are due: the current one if it is not due yet, and that of the following period
-- unless the seat ends first. Returns no rows while the seat has an open problem, is paused by a suspension or waits for staff to
-- decide about a refund.
create function private.next_payments(p_seat private.seats) returns table (share numeric, amount numeric, due_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select next.share, next.amount, next.due_at
    from (select * from public.member_payments as m where m.seat_id = p_seat.id order by m.number desc limit 1) as last
    cross join lateral private.seat_price(p_seat, last.number + 1) as price
    cross join lateral (
      select last.share, last.amount, last.due_at where last.status in ('due', 'charging')
      union all
      select price.share, price.share + price.fee, last.ends_at where last.status in ('due', 'claimed', 'disputed', 'processing', 'paid') and p_seat.ends_at is null
    ) as next (share, amount, due_at)
    where p_seat.ended_at is null and next.due_at > private.now() and next.amount > 0 and not private.has_open_problem(p_seat.id)
      and not private.is_paused(p_seat) and not private.awaits_refund_decision(p_seat.id);
end $$;

-- The payments that the acting user has to make or, where `receives` is true, will receive, by due date: the open ones, and the
-- next ones of each place. Direct payments are left out until the owner has said how to pay. An owner gets the shares without the
-- fee.
create function private.my_payment_days()
returns table (
  -- True if the acting user is the owner, who is paid.
  receives boolean,
  subscription_id text,
  -- Provider and plan.
  plan text,
  -- The name of the other side.
  person text,
  -- The amount; for an owner, the share without the fee.
  amount numeric,
  -- The due date.
  due_at timestamptz,
  -- The currency of the amount.
  currency text
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select due.owner_id = v_user, s.subscription_id, s.provider || ' ' || s.plan_name, other.display_name,
      case due.owner_id when v_user then due.share else due.amount end, due.due_at, s.currency
    from (
      select m.seat_id, m.owner_id, m.settlement, m.share, m.amount, m.due_at from public.member_payments as m
      where v_user in (m.owner_id, m.member_id) and m.amount > 0
        and (private.has_failed(m.status) or m.status in ('due', 'charging') and m.due_at <= private.now())
      union all
      select t.id, t.owner_id, t.settlement, next.share, next.amount, next.due_at
      from private.seats as t cross join lateral private.next_payments(t) as next where v_user in (t.owner_id, t.member_id)
    ) as due join private.seats as s on s.id = due.seat_id
    join private.user_profiles as other on other.user_id = case due.owner_id when v_user then s.member_id else due.owner_id end
    where due.settlement = 'potluck' or private.says_how_to_pay(due.owner_id)
    order by due.due_at, s.id;
end $$;
select private.publish('my_payment_days', 'authenticated');

-- A feed of a person's renewals and due dates for calendar programs, which cannot sign in: anyone who knows its URL can read it.
-- The URL is shown only once, because only a hash of its secret is stored.
create table private.calendars (
  user_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  token_hash text not null unique,
  made_at timestamptz not null default clock_timestamp()
);
alter table private.calendars enable row level security;

-- When the acting user's calendar feed got its URL; null if they have no feed.
create function private.get_calendar() returns timestamptz
language sql stable security definer set search_path = '' as $$
  select made_at from private.calendars where user_id = (select auth.uid())
$$;
select private.publish('get_calendar', 'authenticated');

-- Creates or replaces the URL of the acting user's calendar feed and returns its secret; the old URL stops working immediately.
create function private.make_calendar() returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  insert into private.calendars (user_id, token_hash)
  values (private.require_user(), private.hash_of(v_token))
  on conflict (user_id) do update set token_hash = excluded.token_hash, made_at = excluded.made_at;
  return v_token;
end $$;
select private.publish('make_calendar', 'authenticated');

create function private.end_calendar() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.calendars where user_id = private.require_user()
$$;
select private.publish('end_calendar', 'authenticated');

-- Returns the entries of a person's calendar, as days in their time zone: the next payments of their seats, open payments, ends of
-- seats, and renewals of their own plans at the provider.
create function private.calendar_days(p_user_id uuid) returns table (uid text, day date, summary text, path text)
language sql stable security definer set search_path = '' as $$
  with seat as (
    select s.id, s.subscription_id, s.currency, s.ends_at, s.provider || ' ' || s.plan_name as plan, paid.number, paid.until, price.share + price.fee as amount
    from private.seats as s
    left join lateral (
      select max(m.number) as number, max(m.ends_at) as until from public.member_payments as m
      where m.seat_id = s.id and private.is_paid(m.status)
    ) as paid on true
    cross join lateral private.seat_price(s, paid.number + 1) as price
    where s.member_id = p_user_id and s.ended_at is null and not private.is_paused(s)
  )
  select what.uid, private.day_in(what.at, private.zone_of(p_user_id)), what.summary, what.path
  from (
    select format('renewal-%s-%s', seat.id, seat.number + 1), seat.until,
      format('%s renews: %s', seat.plan, private.money(seat.amount, seat.currency)), '/manage-subscribed/' || seat.subscription_id
    from seat where seat.ends_at is null and seat.until > private.now()
    union all
    select format('end-%s', seat.id), seat.ends_at, format('Your place in %s ends', seat.plan), '/manage-subscribed/' || seat.subscription_id
    from seat where seat.ends_at > private.now()
    union all
    select format('due-%s', m.id), m.due_at, format('%s is due for %s', private.money(m.amount, m.currency), m.plan_name), '/payments/' || m.id
    from public.member_payments as m where m.member_id = p_user_id and private.awaits_member(m.status)
  ) as what (uid, at, summary, path)
  union all
  select format('plan-%s-%s', id, next_payment), next_payment, format('Your payment to %s: %s', provider, private.money(total_price, currency)),
    '/manage-shared/' || id
  from public.shared_subscriptions where owner_id = p_user_id and status = 'active' and next_payment >= private.day_in(now(), private.zone_of(p_user_id))
  order by 2, 1
$$;

-- Returns the same entries to a calendar program that knows the feed's secret. Raises PT404 if the secret is unknown, or if the
-- account is banned or deleted.
create function private.calendar_of(p_token text) returns table (uid text, day date, summary text, path text)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := (
  select c.user_id from private.calendars as c join private.user_profiles as p on p.user_id = c.user_id
  left join auth.users as u on u.id = p.account_id
  where c.token_hash = private.hash_of(p_token) and case when p.guest_of is null then private.is_open_account(u.deleted_at, u.banned_until)
    -- A guest's feed ends with the last link to the place.
    else exists (select from private.place_links as l where l.person_id = p.user_id and coalesce(l.ends_at > private.now(), true)) end
);
begin
  if v_user is null then
    perform private.refuse('calendar_unknown');
  end if;
  return query
    -- A guest has no pages but the one of the place.
    select d.uid, d.day, d.summary, case when private.is_guest(v_user) then '/place' else d.path end from private.calendar_days(v_user) as d;
end $$;
-- Only the Edge Function `calendar` may call this.
select private.publish('calendar_of', 'service_role');

revoke all on private.calendars from public, anon, authenticated, service_role;
