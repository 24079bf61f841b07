-- Time for periods: a clock that tests and the simulation can move, each person's time zone, and the ends of months.

-- If due work is not done for longer than this, deadlines move by the length of the gap.
create function private.longest_gap() returns interval
language sql immutable return interval '1 hour';

-- How long after the failed attempt of this number the next one follows: 1, 4, 16 … minutes, at most 6 hours.
create function private.retry_wait(p_attempt integer) returns interval
language sql immutable return least(interval '6 hours', interval '1 minute' * power(4, least(p_attempt, 10) - 1));

-- How far the site's clock is ahead of the database's; always zero where others can reach the site.
create table private.clock (
  id boolean primary key default true check (id),
  ahead interval not null default '0',
  -- When due work was last done, by the database's clock, so that moving the site's clock causes no gap. Null before the first time.
  beat_at timestamptz
);
insert into private.clock default values;
alter table private.clock enable row level security;

-- Returns the length of a gap in which nothing ran and which record_heartbeat() has not recorded yet (clock.sql); otherwise zero.
create function private.unnoticed_gap() returns interval
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select now() - beat_at from private.clock where beat_at < now() - private.longest_gap()), '0');
end $$;

-- Returns the current time by the site's clock, which everything about seats and payments follows.
create function private.now() returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return now() + coalesce((select ahead from private.clock), '0');
end $$;

-- Moves the site's clock, forward only, and returns the new time. Only the server itself may call this, and only on a site that
-- others cannot reach.
create function private.move_clock(p_by interval) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.is_sheltered() then
    perform private.refuse('clock_fixed');
  elsif p_by is null or p_by < '0' or p_by > interval '10 years' then
    perform private.refuse('clock_step_wrong');
  end if;
  update private.clock set ahead = ahead + p_by;
  return private.now();
end $$;
select private.publish('move_clock', 'service_role');

-- A person's time zone, as their browser reports it. Only that person can read it; if there is no row, the time zone is UTC.
create table private.time_zones (
  user_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  zone text not null
);
alter table private.time_zones enable row level security;

create function private.zone_of(p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select zone from private.time_zones where user_id = p_user_id),
    -- A guest has the zone of the owner.
    (select z.zone from private.user_profiles as u join private.time_zones as z on z.user_id = u.guest_of where u.user_id = p_user_id), 'UTC');
end $$;

create function private.my_time_zone() returns text
language sql stable security definer set search_path = '' as $$
  select zone from private.time_zones where user_id = private.require_user()
$$;
select private.publish('my_time_zone', 'authenticated');

-- Records the acting user's time zone, for periods that begin from now on.
create function private.set_time_zone(p_zone text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if (p_zone ~ '^[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$' and exists (select from pg_timezone_names where name = p_zone)) is not true then
    perform private.refuse('time_zone_unknown');
  end if;
  perform private.ensure_profile(v_user);
  insert into private.time_zones (user_id, zone) values (v_user, p_zone)
  on conflict (user_id) do update set zone = excluded.zone where time_zones.zone <> excluded.zone;
end $$;
select private.publish('set_time_zone', 'authenticated');

-- Returns the calendar day of a moment in a zone.
create function private.day_in(p_at timestamptz, p_zone text) returns date
language plpgsql stable set search_path = '' as $$
begin
  return (p_at at time zone p_zone)::date;
end $$;

-- Returns the day of a moment in words, in a person's time zone.
create function private.day_for(p_user_id uuid, p_at timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return to_char(private.day_in(p_at, private.zone_of(p_user_id)), 'FMDD FMMonth YYYY');
end $$;

-- Returns a moment in words, in this zone and with its name.
create function private.moment_in(p_at timestamptz, p_zone text, p_format text default 'FMDD FMMonth, HH24:MI') returns text
language plpgsql stable set search_path = '' set timezone = 'UTC' as $$
begin
  -- Sets the session's time zone until the function returns, because to_char can name no other zone.
  perform set_config('timezone', p_zone, true);
  return regexp_replace(to_char(p_at, p_format || ' TZ'), ' ([+-]\d+)$', ' GMT\1');
end $$;

-- Returns when the p_number-th month after a day ends: at midnight in the zone, on the same day of the month or the month's last day.
create function private.period_end(p_day date, p_number integer, p_zone text) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return (p_day + make_interval(months => p_number)) at time zone p_zone;
end $$;

-- Returns the number of the cycle that a day is in: cycle 0 begins on the anchor, and each has p_months months.
create function private.cycle_at(p_anchor date, p_months integer, p_day date) returns integer
language plpgsql immutable set search_path = '' as $$
declare
  v_months integer := (extract(year from p_day) - extract(year from p_anchor)) * 12 + extract(month from p_day) - extract(month from p_anchor);
  v_cycle integer := floor(v_months::numeric / p_months);
begin
  return v_cycle - case when (p_anchor + make_interval(months => v_cycle * p_months))::date > p_day then 1 else 0 end;
end $$;

-- Returns the part of the price of a whole cycle for its days from p_day on.
create function private.part_of_cycle(p_share numeric, p_currency text, p_anchor date, p_months integer, p_cycle integer, p_day date)
returns numeric
language plpgsql immutable set search_path = '' as $$
declare
  v_from date := p_anchor + make_interval(months => p_cycle * p_months);
  v_until date := p_anchor + make_interval(months => (p_cycle + 1) * p_months);
begin
  return round(p_share * (v_until - greatest(p_day, v_from)) / (v_until - v_from), private.currency_digits(p_currency));
end $$;

-- Returns instalment p_number of a year's price, which is divided into twelve; numbers above twelve belong to the following years.
-- The twelve add up to the price, to the cent.
create function private.instalment(p_year numeric, p_number integer) returns numeric
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select round(p_year * k / 12, 2) - round(p_year * (k - 1) / 12, 2) from (values ((p_number - 1) % 12 + 1)) as part (k)
  );
end $$;

-- Returns the price of a seat's p_number-th period. Direct payments carry no fee. For a yearly plan the share and the total are
-- divided, and the fee is the difference; but a fee below one cent a month is divided by itself, because the total could round
-- below the share.
create function private.period_price(
  p_settlement text, p_billing_cycle text, p_share numeric, p_fee_rate numeric, p_number integer, out share numeric, out fee numeric
)
language plpgsql immutable set search_path = '' as $$
declare v_whole numeric := private.place_price(p_settlement, p_share, p_fee_rate);
begin
  share := p_share;
  fee := v_whole - p_share;
  if p_billing_cycle = 'yearly' then
    share := private.instalment(p_share, p_number);
    fee := case when fee < 0.12 then private.instalment(fee, p_number) else private.instalment(v_whole, p_number) - share end;
  end if;
end $$;

revoke all on private.clock, private.time_zones from public, anon, authenticated, service_role;
