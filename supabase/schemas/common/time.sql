-- Time as periods see it: a clock that tests and the simulation can move, the zone a person lives in, and where a month
-- that began on some day ends.

-- After how long without anybody looking for due work deadlines move by that time.
create function private.longest_gap() returns interval
language sql immutable return interval '1 hour';

-- How far ahead of the database's clock periods are; never anything but zero where others can reach the site.
create table private.clock (
  id boolean primary key default true check (id),
  ahead interval not null default '0',
  -- When due work was last looked for, by the database's own clock: moving ours is no gap. Null before the first time.
  beat_at timestamptz
);
insert into private.clock default values;
alter table private.clock enable row level security;

-- How long nothing has run, where that is a gap which has not been noticed yet (clock.sql); otherwise zero.
create function private.unnoticed_gap() returns interval
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select now() - beat_at from private.clock where beat_at < now() - private.longest_gap()), '0');
end $$;

-- What time it is for everything about seats and periods.
create function private.now() returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return now() + coalesce((select ahead from private.clock), '0');
end $$;

-- Moves that clock, forward alone, and gives the new time. For the server itself, where nobody else can reach it.
create function private.move_clock(p_by interval) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.is_sheltered() then
    raise exception 'The clock stays as it is where others can reach the site' using errcode = '42501';
  elsif p_by is null or p_by < '0' or p_by > interval '10 years' then
    raise exception 'The clock moves forward, by ten years at most' using errcode = '23514';
  end if;
  update private.clock set ahead = ahead + p_by;
  return private.now();
end $$;
select private.publish('move_clock', 'service_role');

-- Where a person's days begin, as their browser says. Nobody else reads it; without a row it is UTC.
create table private.time_zones (
  user_id uuid primary key references public.user_profiles (user_id) on delete cascade,
  zone text not null
);
alter table private.time_zones enable row level security;

create function private.zone_of(p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select zone from private.time_zones where user_id = p_user_id), 'UTC');
end $$;

create function private.my_time_zone() returns text
language sql stable security definer set search_path = '' as $$
  select zone from private.time_zones where user_id = private.require_user()
$$;
select private.publish('my_time_zone', 'authenticated');

-- Notes the acting user's zone, for periods that begin from now on.
create function private.set_time_zone(p_zone text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if (p_zone ~ '^[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$' and exists (select from pg_timezone_names where name = p_zone)) is not true then
    raise exception 'This time zone is not known' using errcode = '23514';
  end if;
  perform private.ensure_profile(v_user);
  insert into private.time_zones (user_id, zone) values (v_user, p_zone)
  on conflict (user_id) do update set zone = excluded.zone where time_zones.zone <> excluded.zone;
end $$;
select private.publish('set_time_zone', 'authenticated');

-- The day it is for somebody.
create function private.day_in(p_at timestamptz, p_zone text) returns date
language plpgsql stable set search_path = '' as $$
begin
  return (p_at at time zone p_zone)::date;
end $$;

-- When the p_number-th month since a day ends: midnight in a zone, on the same day of the month or its last one.
create function private.period_end(p_day date, p_number integer, p_zone text) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return (p_day + make_interval(months => p_number)) at time zone p_zone;
end $$;

-- The p_number-th of twelve parts of a year's price, again from the first after a year; they add up to the cent.
create function private.instalment(p_year numeric, p_number integer) returns numeric
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select round(p_year * k / 12, 2) - round(p_year * (k - 1) / 12, 2) from (values ((p_number - 1) % 12 + 1)) as part (k)
  );
end $$;

-- What the p_number-th period of a seat costs. Who pays the owner directly pays no fee. Of a yearly plan share and sum are
-- divided, and the fee is what is between them; only a fee of less than a cent a month is divided itself, as rounding
-- could leave the sum below the share.
create function private.period_price(
  p_settlement text, p_billing_cycle text, p_share numeric, p_fee_rate numeric, p_number integer, out share numeric, out fee numeric
)
language plpgsql immutable set search_path = '' as $$
declare v_whole numeric := private.with_fee(p_share, p_fee_rate);
begin
  share := p_share;
  fee := v_whole - p_share;
  if p_billing_cycle = 'yearly' then
    share := private.instalment(p_share, p_number);
    fee := case when fee < 0.12 then private.instalment(fee, p_number) else private.instalment(v_whole, p_number) - share end;
  end if;
  if p_settlement = 'direct' then
    fee := 0.00;
  end if;
end $$;

revoke all on private.clock, private.time_zones from public, anon, authenticated, service_role;
