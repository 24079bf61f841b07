-- Returns a random code of p_parts parts. Each part has eight characters and 40 random bits. The letters i, l, o and u are left out, so
-- that a code is easy to read aloud and to type.
create function private.new_code(p_parts integer) returns text
language plpgsql volatile set search_path = '' as $$
begin
  return (
    with parts as materialized (select uuid_send(gen_random_uuid()) as bytes from generate_series(1, p_parts))
    -- Each of the bytes 8 to 15 of a random UUID ends in five random bits.
    select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(bytes, nth) & 31) + 1, 1), '')
    from parts cross join generate_series(8, 15) as nth
  );
end $$;
grant execute on function private.new_code(integer) to authenticated, service_role;

-- The number of places of a new plan, the owner's included, unless the owner chooses another.
create function private.default_places() returns integer
language sql immutable return 4;
grant execute on function private.default_places() to authenticated, service_role;

-- Limits of own plans: the months of a cycle, and the length of the owner's note.
create function private.longest_cycle() returns integer
language sql immutable return 60;
create function private.longest_plan_note() returns integer
language sql immutable return 500;
grant execute on function private.longest_cycle(), private.longest_plan_note() to authenticated, service_role;

-- Plans that their owners share. The catalogue fixes a plan's contents and price; the owner chooses how many places to open and when the
-- plan renews. An own plan is not in the catalogue: its owner says what it is and what it costs (own_plans.sql). current_members and every
-- maximum include the owner.
create table public.shared_subscriptions (
  id text primary key check (id ~ '^sub-[0-9a-z-]{1,60}$'),
  -- The plan's id in the catalogue, such as `netflix-premium`; `own` for an own plan.
  catalogue_plan_id text not null,
  -- The provider's name for the plan.
  name text not null check (name <> ''),
  provider text not null check (provider <> ''),
  -- A description in one sentence.
  description text not null default '',
  -- The kind of service.
  category text not null check (category in ('streaming', 'music', 'gaming', 'productivity', 'security', 'other')),
  -- The URL of the provider's logo.
  logo text,
  -- The provider's price per billing cycle.
  total_price numeric(12, 2) not null check (total_price >= 0),
  -- The price of a place per billing cycle, without the fee.
  member_price numeric(12, 2) not null check (member_price >= 0),
  -- The currency of the prices; EUR for a plan of the catalogue.
  currency text not null default 'EUR' check (private.currency_digits(currency) is not null),
  -- How often the provider bills. An own plan is paid every `cycle_months`, in one payment.
  billing_cycle text not null check (billing_cycle in ('monthly', 'yearly', 'months')),
  -- The number of months that one payment for a place covers; only for an own plan.
  cycle_months integer check (cycle_months between 1 and private.longest_cycle()),
  -- The day from which the cycles of an own plan are counted.
  anchor date,
  -- How the members of an own plan divide its price.
  share_rule text not null default 'equal' check (share_rule in ('equal', 'amount', 'percent')),
  -- The provider's website; only for an own plan.
  website text,
  -- What the owner wants members to know; only for an own plan.
  note text check (char_length(note) <= private.longest_plan_note()),
  -- The number of people that the total price covers.
  max_members integer not null check (max_members >= 2),
  -- The number of places that the owner opens, their own included.
  owner_max_members integer not null default private.default_places() check (owner_max_members >= 1),
  -- The same as `max_members`.
  provider_max_members integer not null,
  -- The number of people with a place, the owner included.
  current_members integer not null check (current_members >= 1),
  -- The number of places kept for invitations, offers and requests for an offered place. It is stored so that viewers see it change.
  kept_places integer not null default 0 check (kept_places >= 0),
  -- The number of people on the waiting list. It is stored so that everybody on the list sees it change.
  waiting integer not null default 0 check (waiting >= 0),
  owner_id uuid not null references private.user_profiles (user_id) on delete cascade,
  -- The part of the owner's email address before the @.
  owner text not null,
  -- `pending` until staff have reviewed the plan, if the site requires a review.
  status text not null check (status in ('active', 'pending', 'rejected')),
  -- When the provider bills the owner next.
  next_payment date,
  -- How members pay: the owner directly, or through the site, which holds the money until it is earned.
  settlement text not null default 'direct' check (settlement in ('direct', 'potluck')),
  -- Whether people can find the plan only by its link.
  is_private boolean not null default false,
  -- The level of standing from which people get a place as soon as they ask, if they can pay; null if the owner answers every request.
  instant_from text check (instant_from in ('new', 'proven', 'trusted')),
  -- The site's fee when the plan was shared: 0.1 is 10%. Later changes of the fee do not affect the plan.
  fee_rate numeric not null check (fee_rate between 0 and 1),
  -- The monthly cost of a place, with the fee; a yearly price is spread over its months.
  monthly_cost numeric(12, 2) not null generated always as (round(
    private.place_price(settlement, member_price, fee_rate) / case billing_cycle when 'yearly' then 12 when 'months' then cycle_months else 1 end, 2)) stored,
  created_at timestamptz not null default now(),
  -- Whether a stranger can get a place.
  has_room boolean not null generated always as (current_members + kept_places < owner_max_members) stored,
  -- The part after /p/ in the link to share a public plan (plan_links.sql). The code is no secret: it opens only plans that the reader of
  -- the link may find anyway.
  code text not null unique default private.new_code(1),
  constraint one_maximum check (provider_max_members = max_members),
  constraint places_within_provider_maximum check (owner_max_members <= provider_max_members),
  constraint members_within_places check (current_members <= owner_max_members),
  constraint instant_is_paid_through_the_site check (instant_from is null or settlement = 'potluck'),
  constraint only_own_plans_have_a_cycle_of_their_own check (
    case when catalogue_plan_id = 'own' then num_nulls(cycle_months, anchor) = 0 and billing_cycle = 'months'
      else num_nulls(cycle_months, anchor, website, note) = 4 and billing_cycle <> 'months' and currency = 'EUR' and share_rule = 'equal' end),
  constraint own_plans_are_private_and_direct check (
    catalogue_plan_id <> 'own' or is_private and settlement = 'direct' and instant_from is null and fee_rate = 0)
);
create unique index one_plan_per_provider_and_owner on public.shared_subscriptions (owner_id, provider) where catalogue_plan_id <> 'own';
create index shared_subscriptions_owner_idx on public.shared_subscriptions (owner_id);
create index shared_subscriptions_own_idx on public.shared_subscriptions (next_payment) where catalogue_plan_id = 'own';
create index shared_subscriptions_newest_idx on public.shared_subscriptions (status, created_at desc, id desc);
create index shared_subscriptions_keeping_idx on public.shared_subscriptions (id) where kept_places > 0 or waiting > 0;
alter table public.shared_subscriptions enable row level security;
select private.send_changes('shared_subscriptions');

-- Returns whether the acting user is this plan's owner. The function bypasses row-level security, because policies call it.
create function private.is_plan_owner(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.shared_subscriptions where id = p_subscription_id and owner_id = auth.uid());
end $$;

-- Returns a plan id that is unique even if two plans are created in the same millisecond.
create function private.new_plan_id() returns text
language sql volatile
return 'sub-' || (extract(epoch from clock_timestamp()) * 1000)::bigint || '-' || left(replace(gen_random_uuid()::text, '-', ''), 10);

-- Returns the earliest date that is still today somewhere: local time is at most twelve hours behind UTC. The database does not know where
-- a person is, so it refuses only days that are over everywhere; the app refuses days that are over for the person.
create function private.earliest_today(p_now timestamptz) returns date
language sql immutable set search_path = '' as $$ select (p_now at time zone 'utc' - interval '12 hours')::date $$;

-- The maximum number of years that a renewal date may lie ahead; a later date is a typo. The years are counted from a person's today,
-- which may be tomorrow in UTC.
create function private.furthest_renewal_years() returns integer
language sql immutable return 10;

create function private.latest_renewal_date() returns date
language sql stable
return (current_date + 1 + make_interval(years => private.furthest_renewal_years()))::date;

-- Refuses a renewal date that is missing, in the past or too far ahead. Today is allowed, wherever the person is.
create function private.require_renewal_date(p_date date) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_date is null or p_date > private.latest_renewal_date() then
    perform private.refuse('renewal_date_missing');
  elsif p_date < private.earliest_today(now()) then
    perform private.refuse('renewal_date_past');
  end if;
end $$;

-- Refuses payment through the site if the site cannot take payments for this owner yet, or if the price is too low for a card.
create function private.require_settlement(p_settlement text, p_billing_cycle text, p_share numeric, p_fee_rate numeric) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_settlement is distinct from 'potluck' then return; end if;
  -- Members of a plan paid through the site are charged, so tokens may not create such a plan.
  perform private.refuse_tokens(), private.require_age();
  if auth.uid() is not null and private.payment_provider() is null then
    perform private.refuse('site_takes_no_cards');
  elsif auth.uid() is not null and not private.are_payments_open() then
    perform private.refuse('live_payments_closed');
  elsif auth.uid() is not null and private.uses_accounts() and not private.has_own_account(auth.uid()) then
    perform private.refuse('payouts_not_set_up_for_cards');
  end if;
  -- The smallest instalment of a yearly price is a twelfth, rounded down.
  if trunc(private.place_price(p_settlement, p_share, p_fee_rate) / (case p_billing_cycle when 'yearly' then 12 else 1 end), 2) < private.least_sum() then
    perform private.refuse('price_too_low_for_cards', private.least_sum()::text);
  end if;
end $$;

-- Turns a client's row into a plan of the catalogue: fills in the columns that the database decides, and refuses values that differ from
-- the catalogue.
create function private.tg_shared_subscriptions__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_plan private.catalogue_plan;
  v_fee numeric;
  v_status text := case when (select review_new_plans from public.app_settings) then 'pending' else 'active' end;
begin
  -- Rows that the server itself loads, without a signed-in person, keep their times and owner.
  if v_user is not null then
    if new.owner_id is distinct from v_user and new.owner_id is not null then
      perform private.refuse('plan_of_another');
    end if;
    perform private.spend_attempt('plan creation');
    new.owner_id := v_user;
    new.id := private.new_plan_id();
    new.code := private.new_code(1);
    new.created_at := clock_timestamp();
    if new.status <> v_status then
      perform private.refuse('only_staff_reviews_plans');
    end if;
    new.status := v_status;
    perform private.require_renewal_date(new.next_payment);
  end if;
  if new.current_members <> 1 or new.kept_places <> 0 or new.waiting <> 0 then
    perform private.refuse('new_plan_member_count_wrong');
  end if;
  new.status := coalesce(new.status, 'active');
  perform private.ensure_profile(new.owner_id), private.require_age();
  new.id := coalesce(new.id, private.new_plan_id());
  new.current_members := 1;
  new.owner := private.name_of_address(private.email_of(new.owner_id));
  if new.cycle_months is not null then
    return private.fill_own_plan(new);
  end if;

  v_plan := private.find_catalogue_plan(new.catalogue_plan_id, new.provider, new.name);
  if v_plan.id is null then
    perform private.refuse('plan_not_in_catalogue');
  end if;
  if v_user is not null then
    perform private.require_offered(v_plan.provider);
    if not new.is_private then
      perform private.require_listable(v_plan.provider);
    end if;
    perform private.require_seller(v_user);
    if private.unkept_debts(v_user) > 0 then
      perform private.refuse('refund_owed_before_sharing');
    end if;
  end if;
  if v_plan.max_members < 2 then
    perform private.refuse('plan_not_shareable');
  end if;
  if new.total_price <> round(v_plan.price, 2) or new.provider <> v_plan.provider or new.name <> v_plan.name
    or new.billing_cycle <> v_plan.billing_cycle or new.max_members <> v_plan.max_members
    or new.member_price <> round(v_plan.price / v_plan.max_members, 2) then
    perform private.refuse('plan_terms_changed');
  end if;
  if new.owner_max_members is null or new.owner_max_members < 2 or new.owner_max_members > v_plan.max_members then
    perform private.refuse('open_slots_out_of_range', (v_plan.max_members - 1)::text);
  end if;
  if exists (
    select from public.shared_subscriptions where owner_id = new.owner_id and provider = v_plan.provider and catalogue_plan_id <> 'own'
  ) then
    perform private.refuse('provider_already_shared');
  end if;

  new.anchor := null;
  new.website := null;
  new.note := null;
  new.catalogue_plan_id := v_plan.id;
  new.provider := v_plan.provider;
  new.name := v_plan.name;
  new.category := v_plan.category;
  new.description := v_plan.description;
  new.logo := v_plan.logo;
  new.total_price := round(v_plan.price, 2);
  new.member_price := round(v_plan.price / v_plan.max_members, 2);
  new.currency := 'EUR';
  new.billing_cycle := v_plan.billing_cycle;
  new.max_members := v_plan.max_members;
  new.provider_max_members := v_plan.max_members;
  v_fee := private.fee_rate();
  if v_user is not null and new.fee_rate <> v_fee then
    perform private.refuse('fee_changed', trim_scale(v_fee * 100)::text);
  end if;
  new.fee_rate := coalesce(new.fee_rate, v_fee);
  perform private.require_settlement(new.settlement, new.billing_cycle, new.member_price, new.fee_rate);
  -- An instant plan needs access data, which a new plan does not have yet.
  if v_user is not null and new.instant_from is not null then
    perform private.refuse('access_needed_first');
  end if;
  return new;
end $$;
create trigger fill before insert on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__fill();

-- Checks changes to places, renewal date, visibility and instant joining.
create function private.tg_shared_subscriptions__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- A rule for the provider may make many plans private at once (provider_rules.sql).
  if old.owner_id = auth.uid() then
    perform private.spend_attempt('owner action');
  end if;
  if old.is_private and not new.is_private then
    perform private.require_listable(new.provider);
  end if;
  perform private.guard_own_plan(old, new);
  -- Members of an instant plan are charged as soon as they ask, so tokens may not make a plan instant or open an instant plan further.
  if new.instant_from is not null and (new.instant_from is distinct from old.instant_from
    or new.owner_max_members > old.owner_max_members or old.is_private and not new.is_private) then
    perform private.refuse_tokens();
  end if;
  -- Members of an instant plan get in before the owner has seen them, so the plan must already have access data.
  if auth.uid() is not null and new.instant_from is not null and old.instant_from is null and not private.has_vault_entry(new.id) then
    perform private.refuse('access_needed_first');
  end if;
  if new.owner_max_members is distinct from old.owner_max_members then
    if new.owner_max_members is null or new.owner_max_members < old.current_members then
      perform private.refuse('fewer_slots_than_members', old.current_members::text);
    elsif new.owner_max_members > old.provider_max_members then
      perform private.refuse('more_slots_than_provider_allows', old.provider_max_members::text);
    end if;
  end if;
  if new.next_payment is distinct from old.next_payment and new.catalogue_plan_id <> 'own' then
    perform private.require_renewal_date(new.next_payment);
  end if;
  return new;
end $$;
create trigger guard before update of owner_max_members, next_payment, is_private, instant_from on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__guard();

-- Refuses any change of a plan's fee.
create function private.tg_shared_subscriptions__keep_fee() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  perform private.refuse('fee_fixed');
end $$;
create trigger keep_fee before update of fee_rate on public.shared_subscriptions
  for each row when (new.fee_rate is distinct from old.fee_rate) execute function private.tg_shared_subscriptions__keep_fee();

create function private.tg_shared_subscriptions__limit() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.spend_attempt('owner action');
  return old;
end $$;
-- Refuses to cancel a plan for whose current period members owe or have paid an earlier owner, who would then owe them the rest of it. An
-- account may be deleted at any time.
create function private.tg_shared_subscriptions__guard_cancelling() returns trigger
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from public.member_payments as m join private.seats as s on s.id = m.seat_id
    where s.subscription_id = old.id and s.ended_at is null and m.settlement = 'direct' and m.owner_id <> s.owner_id
      and m.share > 0 and m.status <> 'cancelled' and m.ends_at > private.now()) then
    perform private.refuse('cancelled_after_handover');
  end if;
  return old;
end $$;
create trigger guard_cancelling before delete on public.shared_subscriptions
  for each row when (current_user = 'authenticated') execute function private.tg_shared_subscriptions__guard_cancelling();

create trigger limit_cancelling before delete on public.shared_subscriptions
  for each row when (pg_trigger_depth() = 0) execute function private.tg_shared_subscriptions__limit();

create function public.is_subscription_owner(subscription_id_param text) returns boolean
language sql stable set search_path = '' as $$ select private.is_plan_owner(subscription_id_param) $$;
select private.publish('is_subscription_owner', 'authenticated');

create policy "People share plans in their own name" on public.shared_subscriptions
  for insert to authenticated with check (owner_id = (select auth.uid()));
create policy "Owners change their plans" on public.shared_subscriptions
  for update to authenticated using (owner_id = (select auth.uid())) with check (owner_id = (select auth.uid()));
create policy "Owners cancel their plans" on public.shared_subscriptions
  for delete to authenticated using (owner_id = (select auth.uid()));

revoke all on public.shared_subscriptions from public, anon, authenticated;
grant select, delete on public.shared_subscriptions to authenticated;
grant insert on public.shared_subscriptions to authenticated;
grant update (owner_max_members, next_payment, is_private, instant_from) on public.shared_subscriptions to authenticated;
grant all on public.shared_subscriptions to service_role;
grant execute on function private.is_plan_owner(text) to authenticated;
-- The generated column monthly_cost calls this function with the writer's rights.
grant execute on function private.place_price(text, numeric, numeric) to authenticated, service_role;

create trigger refuse before insert or update on public.shared_subscriptions
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
