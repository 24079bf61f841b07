-- Own plans: plans of services that are not in the catalogue, for people who know each other. The owner says what the service is and what
-- it costs. An own plan is always private and paid directly, and counts towards nobody's standing, savings or reviews.

-- Limits of own plans: how many people one covers, and how many one owner has.
create function private.most_people() returns integer
language sql immutable return 50;
create function private.most_own_plans() returns integer
language sql immutable return 50;

-- Returns what each member pays if the price is divided equally. It is rounded down, so that the owner bears the odd cents.
create function private.equal_share(p_price numeric, p_people integer, p_currency text) returns numeric
language plpgsql immutable set search_path = '' as $$
begin
  return trunc(p_price / p_people, private.currency_digits(p_currency));
end $$;

-- Returns the highest price of an own plan. In many currencies, a unit is worth far less than a euro.
create function private.most_own_price(p_currency text) returns integer
language plpgsql immutable set search_path = '' as $$
begin
  return private.most_plan_price() * case p_currency when 'EUR' then 1 else 1000 end;
end $$;

-- Refuses a currency that is unknown, and a price that is not an amount of it or has too many digits.
create function private.require_own_price(p_price numeric, p_currency text) returns void
language plpgsql immutable set search_path = '' as $$
declare
  v_digits integer := private.currency_digits(p_currency);
  v_most integer := private.most_own_price(p_currency);
begin
  if v_digits is null then
    perform private.refuse('currency_unknown');
  elsif (p_price > 0 and p_price <= v_most and p_price = round(p_price, v_digits)) is not true then
    perform private.refuse('own_price_out_of_range', v_most::text, v_digits::text);
  end if;
end $$;

-- Returns whether a service or its plan may have this name. Mails to guests say it, so it must not look like an address or like the site.
create function private.is_service_name(p_name text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return coalesce(private.visible_length(p_name) > 0 and char_length(p_name) <= private.longest_plan_name() and p_name !~ '://|@'
    and private.name_refusal(p_name) is null, false);
end $$;

-- Returns the name without surrounding and doubled spaces. Raises 23514 if nothing visible is left, or too much.
create function private.service_name(p_name text) returns text
language plpgsql immutable set search_path = '' as $$
declare v_name text := btrim(regexp_replace(p_name, '\s+', ' ', 'g'));
begin
  if not private.is_service_name(v_name) then
    perform private.refuse('service_name_wrong', private.longest_plan_name()::text);
  end if;
  return v_name;
end $$;

-- Returns whether a provider that is off sells this service, by its name or its website.
create function private.is_of_provider_off(p_name text, p_website text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare v_host text := lower(substring(p_website from '^https://([^/?#:]+)'));
begin
  return exists (
    select from private.providers_off() as off (provider) left join jsonb_array_elements(private.catalogue()) as sold on sold ->> 'name' = off.provider
    cross join lateral (select lower(regexp_replace(substring(sold ->> 'website' from '^https?://([^/?#:]+)'), '^www\.', ''))) as site (host)
    where lower(off.provider) = lower(p_name) or v_host = site.host or v_host like '%.' || site.host
  );
end $$;

-- Completes a new own plan: checks what its owner says of it, and fills in all that follows. Called by the trigger on plans.
create function private.fill_own_plan(p_plan public.shared_subscriptions) returns public.shared_subscriptions
language plpgsql stable security definer set search_path = '' as $$
declare v_today date := private.day_in(private.now(), private.zone_of(p_plan.owner_id));
begin
  p_plan.provider := private.service_name(p_plan.provider);
  p_plan.name := private.service_name(p_plan.name);
  -- “Proton Family” of Proton is its plan “Family”, because both are always said together.
  if starts_with(lower(p_plan.name), lower(p_plan.provider) || ' ') then
    p_plan.name := substr(p_plan.name, char_length(p_plan.provider) + 2);
  end if;
  p_plan.website := nullif(btrim(p_plan.website), '');
  p_plan.note := nullif(btrim(p_plan.note), '');
  p_plan.currency := upper(btrim(coalesce(p_plan.currency, 'EUR')));
  perform private.require_own_price(p_plan.total_price, p_plan.currency);
  if p_plan.cycle_months not between 1 and private.longest_cycle() then
    perform private.refuse('cycle_out_of_range', private.longest_cycle()::text);
  elsif (p_plan.max_members between 2 and private.most_people()) is not true then
    perform private.refuse('people_out_of_range', private.most_people()::text);
  elsif p_plan.next_payment > v_today + make_interval(months => p_plan.cycle_months) then
    perform private.refuse('renewal_date_after_cycle');
  elsif p_plan.settlement <> 'direct' or p_plan.instant_from is not null then
    perform private.refuse('own_plan_direct');
  elsif coalesce(p_plan.catalogue_plan_id, 'own') <> 'own' then
    perform private.refuse('plan_terms_changed');
  elsif private.is_plain_link(p_plan.website) is false or char_length(p_plan.website) > private.longest_website() then
    perform private.refuse('website_wrong');
  elsif char_length(p_plan.note) > private.longest_plan_note() then
    perform private.refuse('text_too_long', private.longest_plan_note()::text);
  elsif private.is_of_provider_off(p_plan.provider, p_plan.website) then
    perform private.refuse('provider_unavailable', p_plan.provider);
  elsif (select count(*) from public.shared_subscriptions where owner_id = p_plan.owner_id and catalogue_plan_id = 'own')
    >= private.most_own_plans() then
    perform private.refuse('too_many_own_plans', private.most_own_plans()::text);
  end if;
  p_plan.catalogue_plan_id := 'own';
  p_plan.share_rule := 'equal';
  p_plan.category := 'other';
  p_plan.description := '';
  p_plan.logo := null;
  p_plan.billing_cycle := 'months';
  p_plan.anchor := coalesce(p_plan.next_payment, v_today);
  p_plan.next_payment := p_plan.anchor;
  p_plan.provider_max_members := p_plan.max_members;
  p_plan.owner_max_members := p_plan.max_members;
  p_plan.member_price := private.equal_share(p_plan.total_price, p_plan.max_members, p_plan.currency);
  p_plan.fee_rate := 0;
  p_plan.is_private := true;
  p_plan.status := 'active';
  return p_plan;
end $$;

-- Refuses changes that an own plan cannot have. Its day is fixed, because all its members pay on it.
create function private.guard_own_plan(p_was public.shared_subscriptions, p_becomes public.shared_subscriptions) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_becomes.catalogue_plan_id <> 'own' then return; end if;
  if not p_becomes.is_private then
    perform private.refuse('own_plan_private');
  elsif p_becomes.instant_from is not null then
    perform private.refuse('own_plan_direct');
  elsif auth.uid() is not null and p_becomes.next_payment is distinct from p_was.next_payment then
    perform private.refuse('own_plan_day_fixed');
  end if;
end $$;

-- Returns what each living seat of an own plan would pay per cycle on these terms. Equal shares are those of all places, an amount is itself,
-- and a percentage is one of the price; all are rounded down to the currency's unit, so that the owner bears the rest. Who is carried pays
-- nothing, and who carries pays both.
create function private.shares_of(p_plan public.shared_subscriptions) returns table (seat_id uuid, share numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    with own as (
      select s.id, s.carried_by, case p_plan.share_rule
        when 'equal' then private.equal_share(p_plan.total_price, p_plan.max_members, p_plan.currency)
        when 'amount' then coalesce(s.part, 0)
        else trunc(p_plan.total_price * coalesce(s.part, 0) / 100, private.currency_digits(p_plan.currency)) end as share
      from private.seats as s where s.subscription_id = p_plan.id and s.ended_at is null
    )
    select own.id, case when own.carried_by is null
      then own.share + coalesce((select sum(carried.share) from own as carried where carried.carried_by = own.id), 0) else 0.00 end
    from own;
end $$;

-- Gives each living seat of an own plan its part: p_parts has, by the seat's id, the `part` (an amount or a percentage) and, if another
-- member pays it, that seat as `carriedBy`. Without an entry, a seat has no part and pays for itself.
create function private.give_parts(p_plan public.shared_subscriptions, p_parts jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if jsonb_typeof(p_parts) <> 'object' or exists (
    select from jsonb_each(p_parts) as given (seat, says)
    where not exists (select from private.seats as s where s.id::text = given.seat and s.subscription_id = p_plan.id and s.ended_at is null)
      or jsonb_typeof(given.says) <> 'object' or coalesce(jsonb_typeof(given.says -> 'part'), 'number') <> 'number'
      or coalesce((given.says ->> 'part')::numeric, 0) < 0
      or coalesce((given.says ->> 'part')::numeric, 0)
        <> round(coalesce((given.says ->> 'part')::numeric, 0), case p_plan.share_rule when 'amount' then private.currency_digits(p_plan.currency) else 2 end)
      -- A carrier must be another member of the same plan who pays for themselves.
      or given.says ->> 'carriedBy' is not null and (
        given.says ->> 'carriedBy' = given.seat or p_parts -> (given.says ->> 'carriedBy') ->> 'carriedBy' is not null
        or not exists (select from private.seats as s where s.id::text = given.says ->> 'carriedBy' and s.subscription_id = p_plan.id
          and s.ended_at is null))
  ) then
    perform private.refuse('parts_wrong');
  end if;
  update private.seats set part = case when p_plan.share_rule <> 'equal' then coalesce((p_parts -> id::text ->> 'part')::numeric, 0) end,
    carried_by = (p_parts -> id::text ->> 'carriedBy')::uuid
  where subscription_id = p_plan.id and ended_at is null;
end $$;

-- Changes what an own plan costs, in its currency per cycle, and how its members divide that: p_rule is `equal`, `amount` or `percent`, for
-- p_parts see give_parts(). Returns how many members are asked. A lower share is theirs from the next period on; a higher one only if they
-- accept it, and until then the owner bears the difference. Who is to be carried goes on paying until the carrier accepts. Requests whose senders have not agreed to it are rejected. Who joins later pays
-- an equal share, or nothing before the owner has given them one. Owner only.
create function private.propose_shares(p_subscription_id text, p_price numeric, p_rule text default 'equal', p_parts jsonb default '{}')
returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_was numeric := v_plan.member_price;
  v_given record;
  v_seat private.seats;
  v_asked integer := 0;
begin
  if v_plan.catalogue_plan_id <> 'own' then
    perform private.refuse('plan_terms_changed');
  elsif p_rule is null or p_rule not in ('equal', 'amount', 'percent') then
    perform private.refuse('parts_wrong');
  end if;
  perform private.require_own_price(p_price, v_plan.currency), private.spend_attempt('owner action');
  perform from private.seats where subscription_id = v_plan.id and ended_at is null order by id for update;
  perform private.drop_plan_offer(v_plan.id, 'terms');
  v_plan.total_price := p_price;
  v_plan.share_rule := p_rule;
  v_plan.member_price := case p_rule when 'equal' then private.equal_share(p_price, v_plan.max_members, v_plan.currency) else 0 end;
  perform private.give_parts(v_plan, coalesce(p_parts, '{}'));
  if (select coalesce(sum(share), 0) from private.shares_of(v_plan)) > p_price then
    perform private.refuse('shares_above_price', private.money(p_price, v_plan.currency));
  end if;
  update public.shared_subscriptions set total_price = p_price, share_rule = p_rule, member_price = v_plan.member_price where id = v_plan.id;
  if v_plan.member_price > v_was then
    perform private.reject_open_requests(v_plan);
  end if;
  for v_given in select * from private.shares_of(v_plan) order by seat_id loop
    select * into v_seat from private.seats where id = v_given.seat_id;
    delete from public.term_proposals where seat_id = v_seat.id and answered_at is null;
    if v_given.share > v_seat.share then
      insert into public.term_proposals (seat_id, subscription_id, owner_id, member_id, settlement, share)
      values (v_seat.id, v_plan.id, v_seat.owner_id, v_seat.member_id, 'direct', v_given.share);
      v_asked := v_asked + 1;
    elsif exists (select from private.shares_of(v_plan) as of_carrier join private.seats as c on c.id = of_carrier.seat_id
      where c.id = v_seat.carried_by and of_carrier.share > c.share) then
      continue;
    elsif v_given.share < v_seat.share then
      update private.seats set share = v_given.share where id = v_seat.id;
    end if;
    continue when v_given.share = v_seat.share;
    perform private.tell_seat(v_seat, v_seat.member_id, 'info', case when v_given.share > v_seat.share then 'share-proposed' else 'share-lowered' end,
      jsonb_build_object('share', v_given.share, 'months', v_seat.cycle_months));
  end loop;
  return v_asked;
end $$;
select private.publish('propose_shares', 'authenticated');

-- Follows the answer of a member who was asked to pay for others: those pay nothing any more, or go on paying for themselves.
create function private.answer_for_carried(p_seat private.seats, p_accepted boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_carried private.seats;
begin
  for v_carried in
    select * from private.seats where carried_by = p_seat.id and ended_at is null and share > 0 order by id for update
  loop
    if p_accepted then
      update private.seats set share = 0 where id = v_carried.id;
      perform private.tell_seat(v_carried, v_carried.member_id, 'info', 'share-lowered',
        jsonb_build_object('share', 0, 'months', v_carried.cycle_months));
    else
      update private.seats set carried_by = null where id = v_carried.id;
    end if;
  end loop;
end $$;

-- Returns the first names of the members for whom another member, the one with this seat, pays or is asked to pay.
create function private.carried_names(p_seat_id uuid) returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select private.first_name(u.display_name) from private.seats as s join private.user_profiles as u on u.user_id = s.member_id
    where s.carried_by = p_seat_id and s.ended_at is null order by s.opened_at, s.id);
end $$;

-- When a seat ends whose member paid for others, these pay nothing until the owner divides the price anew, and the owner is told. When a seat
-- ends that another pays for, that one pays less from the next payment on. The seat has ended.
create function private.drop_carried(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_carrier private.seats;
  v_share numeric;
begin
  if p_seat.end_reason = 'cancelled' then return; end if;
  update private.seats set carried_by = null where carried_by = p_seat.id and ended_at is null;
  if found then
    perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'carrier-left');
  end if;
  select s.* into v_carrier from private.seats as s where s.id = p_seat.carried_by and s.ended_at is null for update;
  if not found then return; end if;
  select n.share into v_share from public.shared_subscriptions as p cross join lateral private.shares_of(p) as n
  where p.id = p_seat.subscription_id and n.seat_id = v_carrier.id;
  delete from public.term_proposals where seat_id = v_carrier.id and answered_at is null and share > v_share and v_share <= v_carrier.share;
  update public.term_proposals set share = v_share where seat_id = v_carrier.id and answered_at is null and share > v_share;
  if v_share < v_carrier.share then
    update private.seats set share = v_share where id = v_carrier.id;
    perform private.tell_seat(v_carrier, v_carrier.member_id, 'info', 'share-lowered',
      jsonb_build_object('share', v_share, 'months', v_carrier.cycle_months));
  end if;
end $$;

-- Moves the renewal days of own plans that are over to the next ones.
create function private.move_own_renewals() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.shared_subscriptions as p
  set next_payment = (p.anchor + make_interval(months => p.cycle_months * (1 + private.cycle_at(p.anchor, p.cycle_months, today.day))))::date
  from (
    select id, private.day_in(private.now(), private.zone_of(owner_id)) as day from public.shared_subscriptions where catalogue_plan_id = 'own'
  ) as today
  where p.id = today.id and p.next_payment < today.day;
end $$;
