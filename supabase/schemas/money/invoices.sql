-- Invoices of the site's fee, and credit notes for its refunded parts: made from the ledger, once it is sealed, and never changed
-- (docs/decisions/031-invoices.md). The fee includes the VAT, and the buyer is the member who pays it. A share belongs to the
-- owner, so it is on no invoice of the site.

-- The standard VAT rates in the EU, each valid from a certain day. A payment keeps the rate of its day, even if the rate changes
-- later. A migration adds a row for each new rate.
create table private.vat_rates (
  country text check (country ~ '^[A-Z]{2}$'),
  valid_from date,
  rate numeric not null check (rate > 0 and rate < 1),
  primary key (country, valid_from)
);
alter table private.vat_rates enable row level security;
create trigger record after insert on private.vat_rates
  for each row execute function private.tg_private__record('VAT rate', '{country,valid_from}');
-- Source: European Commission, Taxes in Europe Database (TEDB), standard rates, as in eu-vat-rates-data of 2026-08-13; looked up
-- 2026-11-26. Regions with rates of their own, such as Madeira or the Canary Islands, count as their country.
insert into private.vat_rates (country, valid_from, rate)
select country, '2026-01-01', percent / 100 from (values
  ('AT', 20), ('BE', 21), ('BG', 20), ('CY', 19), ('CZ', 21), ('DE', 19), ('DK', 25), ('EE', 24), ('ES', 21),
  ('FI', 25.5), ('FR', 20), ('GR', 24), ('HR', 25), ('HU', 27), ('IE', 23), ('IT', 22), ('LT', 21), ('LU', 17),
  ('LV', 21), ('MT', 18), ('NL', 21), ('PL', 23), ('PT', 23), ('RO', 21), ('SE', 25), ('SI', 22), ('SK', 23)
) as standard (country, percent);

-- Returns the standard rate of VAT in a country on a day; null for a country outside the EU. For VAT, Monaco counts as France
-- (Directive 2006/112/EC, Art. 7).
create function private.vat_rate(p_country text, p_day date) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select rate from private.vat_rates where country = case p_country when 'MC' then 'FR' else p_country end and valid_from <= p_day
    order by valid_from desc limit 1);
end $$;

create function private.longest_vat_sentence() returns integer
language sql immutable return 300;
create function private.longest_invoice_prefix() returns integer
language sql immutable return 10;
grant execute on function private.longest_vat_sentence(), private.longest_invoice_prefix() to authenticated, service_role;

-- How the fee is taxed, which staff choose; one row. The seller is the operator.
create table public.vat_settings (
  id boolean primary key default true check (id),
  -- off: no invoices. small: invoices without VAT, with the sentence that the law requires of small businesses. home: the VAT of
  -- the seller's country for all buyers in the EU, as below the threshold for sales abroad. oss: the VAT of the buyer's country.
  mode text not null default 'off' check (mode in ('off', 'small', 'home', 'oss')),
  sentence text check (char_length(sentence) between 1 and private.longest_vat_sentence()),
  -- First characters of document numbers; another prefix begins another series.
  prefix text not null default 'INV-' check (prefix ~ '^[A-Za-z0-9/-]*$' and char_length(prefix) <= private.longest_invoice_prefix()),
  -- When invoices were switched on: payments from then on get an invoice, as soon as all details of the seller are known.
  since timestamptz
);
create trigger record after insert or update on public.vat_settings
  for each row execute function private.tg_private__record('VAT settings', '{id}');
insert into public.vat_settings default values;
alter table public.vat_settings enable row level security;
create policy "Whoever edits settings reads those of invoices" on public.vat_settings
  for select to authenticated using ((select private.may('settings.edit')));
create policy "Whoever has the permission edits the settings of invoices" on public.vat_settings
  for update to authenticated
  using ((select private.proven(private.may('settings.edit')))) with check ((select private.proven(private.may('settings.edit'))));

-- Returns whether the operator is known to be outside the EU, where these invoices do not apply.
create function private.is_outside_eu(p_country text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_country is not null and private.vat_rate(p_country, private.now()::date) is null;
end $$;

create function private.tg_vat_settings__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.mode <> 'off' and private.is_outside_eu((select country from public.operator)) then
    perform private.refuse('seller_outside_eu');
  end if;
  new.since := case when new.mode = 'off' then null when old.mode = 'off' then private.now() else old.since end;
  if new.since is null and old.since < private.now() then
    insert into private.invoice_spans values (old.since, private.now(), old.mode);
  end if;
  return new;
end $$;
create trigger guard before update on public.vat_settings
  for each row execute function private.tg_vat_settings__guard();
create function private.tg_operator__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if private.is_outside_eu(new.country) and exists (select from public.vat_settings where mode <> 'off') then
    perform private.refuse('seller_outside_eu');
  end if;
  return new;
end $$;
create trigger guard before update on public.operator
  for each row execute function private.tg_operator__guard();
create trigger log_staff after update on public.vat_settings
  for each row execute function private.tg_app_settings__log_staff();

-- Past periods in which invoices were switched on, and how the fee was taxed when each period ended.
create table private.invoice_spans (
  since timestamptz primary key,
  until timestamptz not null,
  mode text not null
);
alter table private.invoice_spans enable row level security;
create trigger record after insert on private.invoice_spans
  for each row execute function private.tg_private__record('time with invoices', '{since}');

-- Returns how the fee of a payment made at that time is taxed; null if invoices were off then. The mode of that time counts, even
-- if the invoice is made after staff have chosen another.
create function private.vat_mode_at(p_paid_at timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select mode from public.vat_settings where p_paid_at >= since),
    (select mode from private.invoice_spans where p_paid_at >= since and p_paid_at < until limit 1));
end $$;

-- Returns whether the fee of a payment made now includes VAT.
create function private.fee_bears_vat() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(private.vat_mode_at(private.now()) in ('home', 'oss'), false);
end $$;

-- Returns whether all details that an invoice must name are known.
create function private.can_invoice(p_settings public.vat_settings) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_settings.mode <> 'off' and (p_settings.mode <> 'small' or p_settings.sentence is not null) and exists (
    select from public.operator
    where num_nulls(name, street, postcode, town, country, vat_number) = 0 and not private.is_outside_eu(country));
end $$;

-- The alpha-2 codes of the countries in ISO 3166-1.
create function private.countries() returns text[]
language sql immutable set search_path = '' as $$ select string_to_array('AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD '
    || 'CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF '
    || 'GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN '
    || 'KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA '
    || 'NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI '
    || 'SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI '
    || 'VN VU WF WS YE YT ZA ZM ZW', ' ') $$;

-- The country in which a person says they live; it decides the VAT of their fees.
create table private.home_countries (
  user_id uuid primary key references auth.users (id) on delete cascade,
  country text not null check (country ~ '^[A-Z]{2}$'),
  said_at timestamptz not null default private.now()
);
alter table private.home_countries enable row level security;

-- Returns the acting user's country, whether the VAT depends on it, and whether they pay the site for a place now: {country, asked,
-- pays}.
create function private.my_country() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return jsonb_build_object('country', (select country from private.home_countries where user_id = v_user),
    'asked', (select mode in ('home', 'oss') from public.vat_settings),
    'pays', exists (select from private.seats where member_id = v_user and settlement = 'potluck' and ended_at is null));
end $$;
select private.publish('my_country', 'authenticated');

-- Sets the acting user's country, from the next invoice on; existing invoices stay as they are.
create function private.set_country(p_country text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if (p_country = any (private.countries())) is not true then
    perform private.refuse('country_missing');
  end if;
  insert into private.home_countries (user_id, country) values (v_user, p_country)
  on conflict (user_id) do update set country = excluded.country, said_at = excluded.said_at;
end $$;
select private.publish('set_country', 'authenticated');

-- An invoice with its single line or, if `corrects` is set, a credit note for an invoice; amounts are never negative. The row
-- stores all contents of the document.
create table public.fee_invoices (
  id uuid primary key default gen_random_uuid(),
  -- The unique number of the document.
  number text not null unique,
  -- The id of the corrected invoice; null unless this is a credit note.
  corrects uuid references public.fee_invoices (id),
  -- The id of the payment whose fee is invoiced.
  payment_id uuid not null references public.member_payments (id) on delete restrict,
  -- The id of the member who paid the fee.
  buyer_id uuid not null references private.user_profiles (user_id) on delete restrict,
  -- The day of the document.
  issued_at timestamptz not null default private.now(),
  -- When the fee was paid.
  paid_at timestamptz not null,
  -- Provider and plan.
  plan_name text not null,
  -- The number of the payment's period: 1, 2, 3 …
  period integer not null,
  -- The fee with VAT.
  gross numeric(12, 2) not null check (gross > 0),
  -- The fee without VAT.
  net numeric(12, 2) not null check (net >= 0),
  -- The VAT.
  vat numeric(12, 2) not null check (vat >= 0),
  -- VAT category of EN 16931: S standard rate, E exempt (a small business), O outside the EU.
  category text not null check (category in ('S', 'E', 'O')),
  -- The rate of VAT: 0.19 is 19%.
  vat_rate numeric not null,
  -- The buyer's name.
  buyer_name text not null,
  -- The buyer's country, as a code of two letters; the seller's country if there is no evidence.
  buyer_country text not null,
  -- The evidence of the buyer's country: {declared, card}, each null if not known; if the two differ, `decided` is the one that
  -- staff chose.
  evidence jsonb not null,
  -- The seller's details, copied from the settings when the payment's first invoice was made.
  seller jsonb not null,
  constraint net_and_vat_are_all check (net + vat = gross),
  constraint only_the_standard_rate_is_above_zero check ((vat_rate > 0) = (category = 'S') and (vat_rate > 0 or vat = 0))
);
create index fee_invoices_payment_idx on public.fee_invoices (payment_id);
create index fee_invoices_corrects_idx on public.fee_invoices (corrects);
create index fee_invoices_buyer_idx on public.fee_invoices (buyer_id, issued_at desc);
create index fee_invoices_newest_idx on public.fee_invoices (issued_at desc, id);
alter table public.fee_invoices enable row level security;
create trigger keep before update or delete or truncate on public.fee_invoices
  for each statement execute function private.tg_ledger_transfers__keep();
create trigger record after insert on public.fee_invoices
  for each row execute function private.tg_private__record('invoice', '{id}');
select private.send_changes('fee_invoices');
create policy "People see their invoices, and admins all" on public.fee_invoices
  for select to authenticated using (buyer_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff()));

-- The buyer's details for invoices that are still to be made when the buyer closes their account.
create table private.closed_buyers (
  payment_id uuid primary key references public.member_payments (id),
  name text not null,
  evidence jsonb not null
);
alter table private.closed_buyers enable row level security;

-- The last number of each series; a series is a prefix, a kind of document and a year. Its row stays locked until the document is
-- committed, so that the numbers have no gaps.
create table private.invoice_series (
  name text primary key,
  last integer not null
);
alter table private.invoice_series enable row level security;

-- The seal of the ledger up to which invoices exist; code that makes invoices locks this row first.
create table private.invoices_through (
  id boolean primary key default true check (id),
  line bigint not null default 0
);
insert into private.invoices_through default values;
alter table private.invoices_through enable row level security;

create function private.next_invoice_number(p_prefix text, p_is_credit_note boolean) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- The C of a credit note follows the year, because a letter before it could be part of another prefix.
  v_series text := p_prefix || to_char(private.now() at time zone 'utc', 'YYYY') || case when p_is_credit_note then 'C-' else '-' end;
  v_last text;
begin
  insert into private.invoice_series as s (name, last) values (v_series, 1)
  on conflict (name) do update set last = s.last + 1 returning last into v_last;
  return v_series || lpad(v_last, greatest(6, char_length(v_last)), '0');
end $$;

-- Returns the fee charged for a payment, and the refunded part of that fee, according to the ledger. Attempts that failed before
-- the last payment count in neither; a won dispute counts as charged again. A refund by the guarantee account (fraud_warnings.sql)
-- counts towards the fee first.
create function private.fee_in_ledger(p_payment public.member_payments, out charged numeric, out returned numeric)
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(amount) filter (where kind = 'chargeback-won' or id <= paid_through), 0),
    least(coalesce(-sum(amount) filter (where kind <> 'chargeback-won' and id > paid_through), 0)
        + (select coalesce(sum(amount), 0) from private.ledger_transfers where key = private.guarantee_refund_key(p_payment.id)),
      coalesce(sum(amount) filter (where kind = 'chargeback-won' or id <= paid_through), 0))
  from (
    select t.id, t.kind, e.amount, max(t.id) filter (where t.kind = 'payment') over () as paid_through
    from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id
    join private.ledger_transfers as t on t.id = e.transfer_id
    where a.kind = 'held_fee' and a.owner = p_payment.seat_id and t.payment_id = p_payment.id and t.kind <> 'fee'
  ) as movement
$$;

-- Returns the buyer's name and the evidence of their country for an invoice. One statement reads both, because the account may be
-- closed meanwhile.
create function private.buyer_of(p_payment public.member_payments, out name text, out evidence jsonb)
language sql stable security definer set search_path = '' as $$
  select coalesce(kept.name, private.legal_name(u.user_id)), coalesce(kept.evidence, jsonb_build_object(
    'declared', (select country from private.home_countries where user_id = u.user_id),
    'card', (select pm.country from private.charges as c join public.payment_methods as pm on pm.id = c.tried_id
      where c.payment_id = p_payment.id and c.status = 'succeeded')))
    || coalesce((select jsonb_build_object('decided', q.decided) from private.country_questions as q
      where q.user_id = u.user_id and q.decided is not null and q.declared = (select country from private.home_countries where user_id = u.user_id)
        and q.card = (select pm.country from private.charges as c join public.payment_methods as pm on pm.id = c.tried_id
          where c.payment_id = p_payment.id and c.status = 'succeeded')), '{}')
  from private.user_profiles as u left join private.closed_buyers as kept on kept.payment_id = p_payment.id
  where u.user_id = p_payment.member_id
$$;

-- Stores the buyer details of all invoices still to be made for a person whose account is about to end.
create function private.record_buyer(p_user_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.closed_buyers (payment_id, name, evidence)
  select m.id, buyer.name, buyer.evidence from public.member_payments as m cross join lateral private.buyer_of(m) as buyer
  where m.member_id = p_user_id and m.fee > 0 and private.vat_mode_at(m.paid_at) is not null
    and not exists (select from public.fee_invoices where payment_id = m.id)
$$;

-- Returns the VAT contained in a gross amount: the gross amount minus the net amount, which is rounded to the cent.
create function private.vat_in(p_gross numeric, p_rate numeric) returns numeric
language sql immutable return p_gross - round(p_gross / (1 + p_rate), 2);

-- Creates the first invoice of a payment, or a later document for it. The VAT of a later document is the change in VAT on the
-- amount that remains, so that all documents of the payment add up to the right VAT.
create function private.write_invoice(
  p_payment public.member_payments, p_settings public.vat_settings, p_first public.fee_invoices, p_gross numeric, p_is_credit_note boolean
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_new public.fee_invoices := p_first;
  v_seller public.operator;
  v_rate numeric;
  v_before numeric := 0;
begin
  if v_new.id is null then
    select * into v_seller from public.operator;
    v_new.payment_id := p_payment.id;
    v_new.buyer_id := p_payment.member_id;
    v_new.paid_at := p_payment.paid_at;
    v_new.plan_name := p_payment.plan_name;
    v_new.period := p_payment.number;
    select name, evidence into v_new.buyer_name, v_new.evidence from private.buyer_of(p_payment);
    v_new.buyer_country := coalesce(private.country_of(v_new.evidence, (p_payment.paid_at at time zone 'utc')::date), v_seller.country);
    if p_settings.mode <> 'small' then
      perform private.ask_about_country(p_payment.member_id, v_new.evidence);
    end if;
    v_new.seller := to_jsonb(p_settings) - '{id,since,prefix}'::text[] || to_jsonb(v_seller) - '{id,email,phone,register}'::text[];
    v_rate := private.vat_rate(v_new.buyer_country, (p_payment.paid_at at time zone 'utc')::date);
    v_new.category := case when p_settings.mode = 'small' then 'E' when v_rate is null then 'O' else 'S' end;
    v_new.vat_rate := case when v_new.category <> 'S' then 0 when p_settings.mode = 'oss' then v_rate
      else private.vat_rate(v_seller.country, (p_payment.paid_at at time zone 'utc')::date) end;
  else
    v_before := (select sum(case when corrects is null then gross else -gross end) from public.fee_invoices where payment_id = p_payment.id);
  end if;
  v_new.gross := p_gross;
  v_new.vat := abs(private.vat_in(v_before + case when p_is_credit_note then -p_gross else p_gross end, v_new.vat_rate)
    - private.vat_in(v_before, v_new.vat_rate));
  v_new.net := p_gross - v_new.vat;
  v_new.corrects := case when p_is_credit_note then p_first.id end;
  v_new.id := gen_random_uuid();
  v_new.issued_at := private.now();
  v_new.number := private.next_invoice_number(p_settings.prefix, p_is_credit_note);
  insert into public.fee_invoices select v_new.*;
end $$;

-- Makes the missing documents of a payment: an invoice of the fee charged while invoices were on, and a credit note for returned
-- parts of an invoice, even if invoices have been switched off since.
create function private.invoice_payment(p_payment public.member_payments, p_settings public.vat_settings) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_fee record;
  v_made record;
  v_first public.fee_invoices;
begin
  select * into v_fee from private.fee_in_ledger(p_payment);
  select coalesce(sum(gross) filter (where corrects is null), 0) as charged, coalesce(sum(gross) filter (where corrects is not null), 0) as returned
  into v_made from public.fee_invoices where payment_id = p_payment.id;
  p_settings.mode := private.vat_mode_at(p_payment.paid_at);
  if v_made.charged = 0 and p_settings.mode is null then return; end if;
  select * into v_first from public.fee_invoices where payment_id = p_payment.id and corrects is null order by issued_at, number limit 1;
  if v_fee.charged > v_made.charged then
    perform private.write_invoice(p_payment, p_settings, v_first, v_fee.charged - v_made.charged, false);
    select * into v_first from public.fee_invoices where payment_id = p_payment.id and corrects is null order by issued_at, number limit 1;
  end if;
  if v_fee.returned > v_made.returned then
    perform private.write_invoice(p_payment, p_settings, v_first, v_fee.returned - v_made.returned, true);
  end if;
end $$;

-- Handles at most p_limit seals that were made since the last call: makes the missing invoices of their payments, and returns how
-- many seals it handled. Does nothing while the settings are incomplete.
create function private.make_invoices(p_limit integer default 5000) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_settings public.vat_settings;
  v_payment public.member_payments;
  v_from bigint;
  v_end bigint := (select line from private.ledger_seal_end);
  v_through bigint;
begin
  select line into v_from from private.invoices_through for update;
  select * into v_settings from public.vat_settings;
  v_through := least(v_end, v_from + p_limit);
  if v_settings.mode = 'off' then
    -- Invoices are off, but some of the last period in which they were on may still be missing.
    v_settings.mode := (select mode from private.invoice_spans order by since desc limit 1);
  end if;
  if v_through <= v_from or (v_settings.mode is not null and not private.can_invoice(v_settings)) then
    return 0;
  elsif v_settings.mode is null and not exists (select from public.fee_invoices) then
    -- No invoice has to be made or corrected.
    update private.invoices_through set line = v_end;
    return 0;
  end if;
  for v_payment in
    select * from public.member_payments where paid_at is not null and id in (
      select t.payment_id from private.ledger_seals as s join private.ledger_transfers as t on t.id = s.transfer_id
      join private.ledger_accounts as a on a.id in (t.from_account, t.to_account) and a.kind in ('held_fee', 'guarantee')
      where s.line > v_from and s.line <= v_through and t.kind <> 'fee'
    ) order by paid_at, id
  loop
    perform private.invoice_payment(v_payment, v_settings);
  end loop;
  delete from private.closed_buyers where payment_id in (select payment_id from public.fee_invoices);
  update private.invoices_through set line = v_through;
  return v_through - v_from;
end $$;

-- Repeats make_invoices() until nothing is left to do, or until p_time has passed, so that other jobs do not wait longer.
create function private.make_invoices_in(p_time interval) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  while private.make_invoices() > 0 and clock_timestamp() < statement_timestamp() + p_time loop
  end loop;
end $$;

-- Returns an invoice of the acting user or, for admins, of any person, with all contents of the document.
create function private.invoice(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_invoice jsonb := (
    select to_jsonb(i) || jsonb_build_object('language', (select language from private.user_details where user_id = v_user),
      'corrects', (select to_jsonb(o) from public.fee_invoices as o where o.id = i.corrects))
    from public.fee_invoices as i
    where i.id = p_id and (i.buyer_id = v_user or (private.may('users.edit') and private.may_act_as_staff())));
begin
  if v_invoice is null then
    perform private.refuse('invoice_not_found');
  end if;
  return v_invoice;
end $$;
select private.publish('invoice', 'authenticated');

revoke all on public.vat_settings from public, anon, authenticated;
revoke all on public.fee_invoices, private.vat_rates, private.home_countries, private.invoice_spans, private.closed_buyers, private.invoice_series,
  private.invoices_through
  from public, anon, authenticated, service_role;
grant select, update (mode, sentence, prefix) on public.vat_settings to authenticated;
grant select on public.fee_invoices to authenticated;
grant all on public.vat_settings to service_role;

create trigger refuse before insert or update on public.vat_settings
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
