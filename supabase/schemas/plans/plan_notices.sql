-- News from the provider that an owner passes on to everybody in the plan: a new price, or a pause. Each has a day, stays on the plan's page
-- for some time after it unless the owner ends it, and reaches guests too, who have no chat for announcements. A notice changes nothing
-- about what members pay.

-- The maximum length of the text of a notice, how many months away its day may be, and for how many days after it the notice is shown.
create function private.longest_notice() returns integer
language sql immutable return 280;
create function private.furthest_notice_months() returns integer
language sql immutable return 12;
create function private.notice_days_shown() returns integer
language sql immutable return 30;

-- The notices of a plan. Those that were ended or replaced are kept, for when an owner announces what is not true.
create table private.plan_notices (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  kind text not null check (kind in ('price', 'pause')),
  -- The first day of the new price, or of the pause.
  day date not null,
  -- What the whole plan will cost per billing cycle, in its currency.
  price numeric(12, 2) check (price > 0),
  -- What the owner adds to it, as plain text.
  note text check (char_length(note) between 1 and private.longest_notice()),
  made_at timestamptz not null default private.now(),
  -- When the owner ended or replaced it.
  ended_at timestamptz,
  constraint only_a_new_price_has_a_price check ((kind = 'price') = (price is not null))
);
create unique index plan_notices_one_open_key on private.plan_notices (subscription_id, kind) where ended_at is null;
create index plan_notices_plan_idx on private.plan_notices (subscription_id);
alter table private.plan_notices enable row level security;
revoke all on private.plan_notices from public, anon, authenticated, service_role;

-- Returns the notices of a plan that are not over, by day. Those of a suspended owner are hidden, and its text is if owner and reader have
-- blocked each other.
create function private.open_notices(p_subscription_id text) returns setof private.plan_notices
language plpgsql stable security definer set search_path = '' as $$
declare
  v_owner uuid := (select owner_id from public.shared_subscriptions where id = p_subscription_id);
  v_apart boolean := exists (select from public.blocked_people
    where (user_id, blocked_id) in ((auth.uid(), v_owner), (v_owner, auth.uid())));
begin
  return query
    select n.id, n.subscription_id, n.kind, n.day, n.price, case when not v_apart then n.note end, n.made_at, n.ended_at
    from private.plan_notices as n
    where n.subscription_id = p_subscription_id and n.ended_at is null
      and n.day >= private.day_in(private.now(), private.zone_of(v_owner)) - private.notice_days_shown() and not private.is_suspended(v_owner)
    order by n.day, n.kind;
end $$;

-- Returns the notices of a plan that are not over, by day: a new `price` of the whole plan per billing cycle, or a `pause`. For its owner,
-- members and staff who may see every plan.
create function private.plan_notices(p_subscription_id text) returns table (id uuid, kind text, day date, price numeric, note text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_user();
  if not private.is_plan_owner(p_subscription_id) and not private.is_plan_member(p_subscription_id)
    and not private.may('subscriptions.view') then
    perform private.refuse('plan_not_found');
  end if;
  return query select n.id, n.kind, n.day, n.price, n.note from private.open_notices(p_subscription_id) as n;
end $$;
select private.publish('plan_notices', 'authenticated');

-- Tells all members of a plan about a notice; those who have blocked the owner, or are blocked, without a mail. The owner's text is on the plan's page alone, so that no mail of the site carries it.
create function private.tell_notice(p_notice private.plan_notices, p_event text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.tell_seats(array(
    select private.seat_news(s, s.member_id, 'info', p_event, jsonb_strip_nulls(jsonb_build_object('kind', p_notice.kind, 'day', p_notice.day,
      'cost', p_notice.price, 'months', coalesce(s.cycle_months, case s.billing_cycle when 'yearly' then 12 else 1 end))),
      not exists (select from public.blocked_people where (user_id, blocked_id) in ((s.owner_id, s.member_id), (s.member_id, s.owner_id))))
    from private.seats as s where s.subscription_id = p_notice.subscription_id and s.ended_at is null order by s.id));
end $$;

-- Announces to everybody in the plan that its provider changes the price of the whole plan per billing cycle to p_price (`price`), or pauses
-- the plan (`pause`), on a day. It replaces an earlier notice of that kind. Returns the notice's id. Owner only.
create function private.make_plan_notice(
  p_subscription_id text, p_kind text, p_day date, p_price numeric default null, p_note text default null
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_today date := private.day_in(private.now(), private.zone_of(v_plan.owner_id));
  v_notice private.plan_notices;
begin
  if p_kind is null or p_kind not in ('price', 'pause') then
    perform private.refuse('notice_kind_missing');
  elsif (p_day between v_today and v_today + make_interval(months => private.furthest_notice_months())) is not true then
    perform private.refuse('notice_day_wrong', private.furthest_notice_months()::text);
  elsif char_length(btrim(p_note)) > private.longest_notice() then
    perform private.refuse('text_too_long', private.longest_notice()::text);
  end if;
  if p_kind = 'price' then
    perform private.require_own_price(p_price, v_plan.currency);
  end if;
  perform private.spend_attempt('announcement');
  update private.plan_notices set ended_at = private.now() where subscription_id = v_plan.id and kind = p_kind and ended_at is null;
  insert into private.plan_notices (subscription_id, kind, day, price, note)
  values (v_plan.id, p_kind, p_day, case p_kind when 'price' then p_price end, nullif(btrim(p_note), '')) returning * into v_notice;
  perform private.tell_notice(v_notice, case p_kind when 'price' then 'price-announced' else 'pause-announced' end);
  return v_notice.id;
end $$;
select private.publish('make_plan_notice', 'authenticated');

-- Ends a notice. Until its day is over, that means that the provider does not do it after all, and everybody in the plan is told. Owner only.
create function private.end_plan_notice(p_notice_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan text := (select p.id from private.plan_notices as n join public.shared_subscriptions as p on p.id = n.subscription_id
    where n.id = p_notice_id and p.owner_id = v_user);
  v_notice private.plan_notices;
begin
  if v_plan is not null then
    perform private.lock_own_plan(v_plan);
  end if;
  update private.plan_notices set ended_at = private.now()
  where id = p_notice_id and id in (select n.id from private.open_notices(v_plan) as n) returning * into v_notice;
  if v_notice.id is null then
    perform private.refuse('notice_not_open');
  end if;
  perform private.spend_attempt('announcement');
  if v_notice.day >= private.day_in(private.now(), private.zone_of(v_user)) then
    perform private.tell_notice(v_notice, 'notice-withdrawn');
  end if;
end $$;
select private.publish('end_plan_notice', 'authenticated');
