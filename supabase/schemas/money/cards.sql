-- The payment provider of this site, and the payment methods that people have saved there: cards, Link, and bank accounts with a
-- mandate (SEPA Direct Debit). The Edge Function `payments` talks to the provider; numbers of cards and accounts never reach the
-- database.

-- The payment provider of this installation, as reported by the function `payments`. If there is no row, members pay owners directly.
create table private.payment_provider (
  id boolean primary key default true check (id),
  provider text not null check (provider in ('simulated', 'stripe')),
  mode text not null check (mode in ('live', 'test')),
  publishable_key text check (char_length(publishable_key) <= 300),
  -- Whether owners are paid through accounts of their own at the provider (connected_accounts.sql).
  connect boolean not null default false,
  -- Kinds of payment methods people may save, and the creditor identifier for debits from bank accounts.
  methods text[] not null default '{card}',
  creditor text check (char_length(creditor) <= 35),
  reported_at timestamptz not null default clock_timestamp()
);
alter table private.payment_provider enable row level security;

-- Records the provider, and returns whether new plans and places may be paid through it (supply.sql). Raises an error if payments are
-- simulated on a site that others can reach, or if a real provider is reported to a database that has held simulated money.
create function private.report_payment_provider(
  p_provider text, p_mode text, p_publishable_key text, p_connect boolean default false, p_methods text[] default '{card}',
  p_creditor text default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_provider = 'simulated' and not private.is_sheltered() then
    perform private.refuse('simulation_reachable');
  elsif p_provider <> 'simulated' and exists (select from private.payment_customers where provider = 'simulated') then
    perform private.refuse('simulated_payments_here');
  elsif p_provider is null then
    delete from private.payment_provider;
    return false;
  end if;
  insert into private.payment_provider as known (provider, mode, publishable_key, connect, methods, creditor)
  values (p_provider, p_mode, p_publishable_key, p_connect, p_methods, p_creditor)
  on conflict (id) do update set provider = excluded.provider, mode = excluded.mode, publishable_key = excluded.publishable_key,
    connect = excluded.connect, methods = excluded.methods, creditor = excluded.creditor, reported_at = excluded.reported_at
  where (known.provider, known.mode, known.publishable_key, known.connect, known.methods, known.creditor)
    is distinct from (excluded.provider, excluded.mode, excluded.publishable_key, excluded.connect, excluded.methods, excluded.creditor);
  return private.are_payments_open();
end $$;

-- The facts about the payment provider that the browser needs; null if there is no provider. `paysMe`: whether the provider can pay
-- the acting user what they earn by card. `isOpen`: whether new plans and places may be paid through the site (supply.sql).
create function private.payment_provider() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('provider', provider, 'publishableKey', publishable_key, 'methods', methods,
      'isOpen', private.are_payments_open(), 'paysMe', not connect or private.has_own_account(auth.uid()))
    from private.payment_provider where provider <> 'simulated' or private.is_sheltered()
  );
end $$;

-- The provider's id for a person; cards and charges belong to it.
create table private.payment_customers (
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null,
  reference text not null check (char_length(reference) between 1 and 200),
  primary key (user_id, provider),
  unique (provider, reference)
);
alter table private.payment_customers enable row level security;
create trigger record after insert or update or delete on private.payment_customers
  for each row execute function private.tg_private__record('customer', '{user_id,provider}');

-- A saved card, bank account or Link, with the details by which its owner recognises it. The method chosen last is charged.
create table public.payment_methods (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  provider text not null,
  -- The provider's id of the method, which is useless to anybody else.
  reference text not null,
  kind text not null default 'card' check (kind in ('card', 'link', 'sepa_debit')),
  -- Brand of a card, such as visa.
  brand text check (char_length(brand) between 1 and 50),
  -- Last four characters of the card number or the IBAN.
  last4 text check (last4 ~ '^[0-9A-Z]{4}$'),
  exp_month integer check (exp_month between 1 and 12),
  exp_year integer check (exp_year between 2000 and 2200),
  -- The reference of the mandate to debit the account, which stays with the provider.
  mandate text check (char_length(mandate) <= 100),
  -- Country of the bank of the card or account, if the provider says so: evidence of the country its owner lives in (invoices.sql).
  country text check (country ~ '^[A-Z]{2}$'),
  created_at timestamptz not null default clock_timestamp(),
  chosen_at timestamptz not null default clock_timestamp(),
  -- Whether the bank has said that this method must never be tried again.
  refused boolean not null default false,
  unique (provider, reference),
  constraint has_what_its_kind_has check (case kind when 'card' then num_nulls(brand, last4, exp_month, exp_year) = 0
    when 'sepa_debit' then last4 is not null else true end)
);
create index payment_methods_user_idx on public.payment_methods (user_id, chosen_at desc);
alter table public.payment_methods enable row level security;
create trigger record after insert or delete on public.payment_methods
  for each row execute function private.tg_private__record('payment method', '{id}');
create trigger record_state after insert or update or delete on public.payment_methods
  for each row execute function private.tg_private__record('state of a payment method', '{id}');
create policy "People see their own cards" on public.payment_methods
  for select to authenticated using (user_id = (select auth.uid()));

-- Provider events about objects that this site does not know, and differences found by the nightly comparison (reconciliation.sql),
-- for staff to look into.
create table public.unknown_payment_events (
  id text primary key check (char_length(id) <= 200),
  type text not null check (char_length(type) <= 200),
  about text not null check (char_length(about) <= 200),
  received_at timestamptz not null default clock_timestamp(),
  -- When a member of staff looked into the event, who it was, and their finding.
  reviewed_at timestamptz,
  reviewed_by uuid references private.user_profiles (user_id) on delete set null,
  finding text check (char_length(finding) between 1 and 500)
);
create index unknown_payment_events_newest_idx on public.unknown_payment_events (received_at desc, id);
create index unknown_payment_events_reviewed_by_idx on public.unknown_payment_events (reviewed_by);
create index unknown_payment_events_open_idx on public.unknown_payment_events (received_at) where reviewed_at is null;
alter table public.unknown_payment_events enable row level security;
create policy "Admins see what the provider said of others" on public.unknown_payment_events
  for select to authenticated using ((select private.may('users.edit') and private.may_act_as_staff()));

create function private.record_unknown_event(p_id text, p_type text, p_about text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.unknown_payment_events (id, type, about) values (p_id, p_type, p_about) on conflict do nothing
$$;

-- Records what staff found out about an unknown payment event.
create function private.review_payment_event(p_id text, p_finding text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_finding text := nullif(btrim(coalesce(p_finding, '')), '');
  v_event public.unknown_payment_events;
begin
  select * into v_event from public.unknown_payment_events where id = p_id for update;
  if not found then
    perform private.refuse('payment_event_not_found');
  elsif v_event.reviewed_at is not null then
    perform private.refuse('event_already_handled');
  elsif v_finding is null then
    perform private.refuse('finding_missing');
  end if;
  update public.unknown_payment_events set reviewed_at = clock_timestamp(), reviewed_by = v_user, finding = v_finding where id = p_id;
  perform private.log_staff('payment event looked at', p_id,
    jsonb_build_object('type', v_event.type, 'about', v_event.about, 'finding', v_finding));
end $$;

-- Returns the acting user's id, here and at the provider. Adding cards is rate limited, because thieves test many stolen cards.
create function private.payment_person(p_adds_card boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if p_adds_card then perform private.spend_attempt('saved card'); end if;
  return jsonb_build_object('userId', v_user, 'customer', (
    select c.reference from private.payment_customers as c join private.payment_provider as p using (provider)
    where c.user_id = v_user));
end $$;
insert into private.rate_limits (action, attempts, window_seconds, requests) values ('saved card', 10, 3600, '{}');

-- Stores the provider's id for a person, unless one is stored already, and returns the stored id. The new id replaces p_instead, an
-- id that the provider has deleted together with all its cards.
create function private.record_customer(p_user_id uuid, p_customer text, p_instead text default null) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_provider text := (select provider from private.payment_provider);
begin
  update private.payment_customers set reference = p_customer
  where user_id = p_user_id and provider = v_provider and reference = p_instead and reference <> p_customer;
  if found then
    delete from public.payment_methods where user_id = p_user_id and provider = v_provider;
  end if;
  insert into private.payment_customers (user_id, provider, reference) values (p_user_id, v_provider, p_customer)
  on conflict (user_id, provider) do nothing;
  return (select reference from private.payment_customers where user_id = p_user_id and provider = v_provider);
end $$;

-- Stores or updates a card, a bank account or Link. Returns false if the customer is unknown here.
create function private.record_card(
  p_customer text, p_method text, p_brand text, p_last4 text, p_exp_month integer, p_exp_year integer, p_is_new boolean,
  p_kind text default 'card', p_mandate text default null, p_country text default null, p_fingerprint text default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_customer private.payment_customers;
begin
  select c.* into v_customer from private.payment_customers as c join private.payment_provider as p using (provider)
  where c.reference = p_customer;
  if not found then return false; end if;
  update public.payment_methods set brand = p_brand, last4 = p_last4, exp_month = p_exp_month, exp_year = p_exp_year,
    mandate = coalesce(p_mandate, mandate), country = coalesce(p_country, country),
    refused = refused and (last4, exp_month, exp_year) is not distinct from (p_last4, p_exp_month, p_exp_year)
  where provider = v_customer.provider and reference = p_method;
  if not found and p_is_new then
    perform private.ensure_profile(v_customer.user_id);
    insert into public.payment_methods (user_id, provider, reference, kind, brand, last4, exp_month, exp_year, mandate, country)
    values (v_customer.user_id, v_customer.provider, p_method, p_kind, p_brand, p_last4, p_exp_month, p_exp_year, p_mandate, p_country)
    on conflict (provider, reference) do nothing;
  end if;
  if p_fingerprint is not null and exists (select from public.payment_methods where provider = v_customer.provider and reference = p_method) then
    insert into private.payment_fingerprints (fingerprint, user_id) values (p_fingerprint, v_customer.user_id)
    on conflict (fingerprint, user_id) do nothing;
  end if;
  return true;
end $$;

-- Deletes a card that the provider no longer has.
create function private.forget_card(p_method text) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.payment_methods where reference = p_method and provider = (select provider from private.payment_provider)
$$;

-- Removes a bank account whose mandate is over, because its holder has withdrawn it or their bank refuses it, and asks the holder
-- to add another payment method. A debit under way continues.
create function private.end_mandate(p_method text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_method public.payment_methods;
begin
  delete from public.payment_methods where reference = p_method and provider = (select provider from private.payment_provider)
  returning * into v_method;
  if not found then return; end if;
  perform private.mail_notification(private.notify(v_method.user_id, 'warning', null, 'payment-mandate-ended',
    jsonb_build_object('account', coalesce(v_method.last4, ''))),
    '{}', '/cards');
end $$;

-- Returns the method that a person's payments are charged to: the one named for this payment, otherwise the one chosen last.
create function private.method_of(p_user_id uuid, p_provider text, p_named uuid default null) returns public.payment_methods
language sql stable security definer set search_path = '' as $$
  select m from public.payment_methods as m where m.user_id = p_user_id and m.provider = p_provider
  order by m.id = p_named desc nulls last, m.chosen_at desc limit 1
$$;

-- Makes this the method to charge from now on.
create function private.choose_card(p_card_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.payment_methods set chosen_at = clock_timestamp(), refused = false where id = p_card_id and user_id = private.require_user();
  if not found then perform private.refuse('card_not_found'); end if;
end $$;

create function private.remove_card(p_card_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from public.payment_methods where id = p_card_id and user_id = private.require_user();
  if not found then perform private.refuse('card_not_found'); end if;
end $$;

-- Deletes a card at the provider when it is deleted here, even if that is because its owner's account is deleted.
create function private.tg_payment_methods__remove() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.queue_payment_jobs('remove-card', array[old.reference], old.provider);
  return null;
end $$;
create trigger remove after delete on public.payment_methods
  for each row execute function private.tg_payment_methods__remove();

select private.publish('payment_provider', 'authenticated');
select private.publish('payment_person', 'authenticated');
select private.publish('choose_card', 'authenticated');
select private.publish('remove_card', 'authenticated');
select private.publish('review_payment_event', 'authenticated');

-- Only the Edge Function `payments` may call these.
select private.publish('report_payment_provider', 'service_role');
select private.publish('record_customer', 'service_role');
select private.publish('record_card', 'service_role');
select private.publish('forget_card', 'service_role');
select private.publish('end_mandate', 'service_role');
select private.publish('record_unknown_event', 'service_role');
revoke all on private.payment_provider, private.payment_customers,
  public.payment_methods, public.unknown_payment_events from public, anon, authenticated, service_role;
grant select (id, user_id, kind, brand, last4, exp_month, exp_year, created_at, chosen_at) on public.payment_methods to authenticated;
grant select on public.unknown_payment_events to authenticated;
