-- Reports of owners' earnings to a tax office, for operators who must make them (DAC7: Directive (EU) 2021/514; decision 033).
-- Reports are off unless staff switch them on. The function `vault` writes the file, which is not stored.

create table public.tax_settings (
  id boolean primary key default true check (id),
  is_on boolean not null default false,
  -- The first calendar year to report.
  first_year integer not null default extract(year from now()) check (first_year between 2023 and 2200),
  -- The activity, in the directive's terms, that sharing a plan counts as; a tax adviser can say which.
  activity text check (activity in ('personal-services', 'sale-of-goods')),
  -- The country of the report, and the reason for reporting there.
  country text check (country ~ '^[A-Z]{2}$'),
  nexus text check (nexus in ('RPONEX1', 'RPONEX2', 'RPONEX3', 'RPONEX4', 'RPONEX5')),
  -- The operator's tax number, issued by that country. Name and address are in operator.sql.
  tax_number text check (char_length(tax_number) between 1 and private.longest_tax_number()),
  -- The platform's public name.
  platform text check (char_length(platform) between 1 and private.longest_address_line()),
  -- Whether the fee on top of a share, which members pay, counts as a fee of the owner's activity.
  reports_fee boolean not null default true
);
insert into public.tax_settings default values;
alter table public.tax_settings enable row level security;
create policy "Whoever edits settings reads those of tax reports" on public.tax_settings
  for select to authenticated using ((select private.may('settings.edit')));
create policy "Whoever has the permission edits the settings of tax reports" on public.tax_settings
  for update to authenticated
  using ((select private.proven(private.may('settings.edit')))) with check ((select private.proven(private.may('settings.edit'))));
create trigger log_staff after update on public.tax_settings
  for each row execute function private.tg_app_settings__log_staff();

create function private.is_member_state(p_country text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.vat_rates where country = p_country);
end $$;

-- Returns the operator's details in the form that the file needs.
create function private.tax_operator() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('country', t.country, 'nexus', t.nexus, 'tax_number', t.tax_number, 'platform', t.platform, 'activity', t.activity,
    'name', o.name, 'street', o.street, 'postcode', o.postcode, 'town', o.town, 'address_country', o.country)
  from public.tax_settings as t, public.operator as o
$$;

-- Returns owners' earnings through the site in a calendar year, in a row for each quarter and one for the whole year (quarter is
-- null), in UTC like the books: money that came into their wallets and accounts less what was taken back (by a bank, or because the
-- payment was refunded after a warning of fraud or at the provider), the number of paid months, and the fee for these. All figures
-- are those of the ledger, at the time of the movement. Coins given by staff do not count as earnings, and direct payments are not
-- in the ledger.
create function private.tax_figures(p_year integer, p_user_id uuid default null)
returns table (user_id uuid, quarter integer, consideration numeric, fee numeric, activities bigint)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_from timestamptz := make_timestamptz(p_year, 1, 1, 0, 0, 0, 'UTC');
  v_until timestamptz := make_timestamptz(p_year + 1, 1, 1, 0, 0, 0, 'UTC');
begin
  return query
    with moved as (
      select a.owner as person, e.created_at as at, e.amount as earned, 0.00 as charged, case t.kind when 'earning' then t.payment_id end as period
      from private.ledger_accounts as a
      join private.ledger_entries as e on e.account_id = a.id and e.created_at >= v_from and e.created_at < v_until
      join private.ledger_transfers as t on t.id = e.transfer_id
      where a.kind in ('wallet', 'connected') and (p_user_id is null or a.owner = p_user_id)
        and (t.kind = 'earning' or a.kind = 'connected' and t.kind in ('chargeback', 'chargeback-won', 'refund'))
      union all
      select s.owner_id, e.created_at, 0.00, -e.amount, null
      from private.seats as s join private.ledger_accounts as a on a.kind = 'held_fee' and a.owner = s.id
      join private.ledger_entries as e on e.account_id = a.id and e.created_at >= v_from and e.created_at < v_until
      join private.ledger_transfers as t on t.id = e.transfer_id and t.kind = 'fee'
      where p_user_id is null or s.owner_id = p_user_id
    ), dated as (
      select *, extract(quarter from at at time zone 'utc')::integer as part from moved
    )
    select d.person, d.part, sum(d.earned), sum(d.charged), count(distinct d.period)
    from dated as d group by grouping sets ((d.person, d.part), (d.person));
end $$;

-- A seller of goods is not reported if they have fewer sales than least_reported_sales() and earn at most most_unreported_euros().
create function private.least_reported_sales() returns integer
language sql immutable return 30;
create function private.most_unreported_euros() returns numeric
language sql immutable return 2000;

-- Returns all people with earnings in a year, with their figures {consideration, fees, activities: each a list of the four
-- quarters}, and whether they are reported: `ready`, `missing` details, living `abroad`, or `excluded` as a small seller of goods.
create function private.tax_sellers(p_year integer, p_user_id uuid default null) returns table (
  user_id uuid, figures jsonb, consideration numeric, activities bigint, details_id uuid, bank_account_id uuid, state text
)
language plpgsql stable security definer set search_path = '' as $$
declare v_settings public.tax_settings;
begin
  select * into v_settings from public.tax_settings;
  return query
    with figure as materialized (select * from private.tax_figures(p_year, p_user_id)), seller as (
      select y.user_id, y.consideration, y.activities, jsonb_build_object(
          'consideration', jsonb_agg(coalesce(f.consideration, 0) order by q.number),
          'fees', jsonb_agg(case when v_settings.reports_fee then coalesce(f.fee, 0) else 0 end order by q.number),
          'activities', jsonb_agg(coalesce(f.activities, 0) order by q.number)) as figures
      from figure as y cross join generate_series(1, 4) as q (number)
      left join figure as f on f.user_id = y.user_id and f.quarter = q.number
      where y.quarter is null group by 1, 2, 3
    )
    select s.user_id, s.figures, s.consideration, s.activities, d.id, (private.current_bank_account(s.user_id)).id,
      case when v_settings.activity = 'sale-of-goods' and s.activities < private.least_reported_sales()
          and s.consideration <= private.most_unreported_euros() then 'excluded'
        when d.id is null then 'missing'
        when private.is_member_state(d.country) then 'ready' else 'abroad' end
    from seller as s left join lateral private.current_tax_details(s.user_id) as d on true;
end $$;

-- Returns the reported figures of a person's year, for that person; null if nothing is reported.
create function private.reported_of(p_user_id uuid, p_year integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from public.tax_settings where is_on and first_year <= p_year) then return null; end if;
  return (select figures || jsonb_build_object('state', state) from private.tax_sellers(p_year, p_user_id) where state <> 'excluded');
end $$;

-- A message to the tax office: it reports new owners of a year, corrects earlier messages, or says that there is nothing to report.
-- The names of the message and of each part are unique, so that a later message can name the part that it corrects.
create table private.tax_reports (
  id bigint generated always as identity primary key,
  year integer not null,
  kind text not null check (kind in ('new', 'correction', 'nothing')),
  reference text not null unique,
  operator jsonb not null,
  -- The name of the part about the operator; a repeated part has the name from the earlier message.
  operator_document text not null,
  operator_way text not null check (operator_way in ('new', 'repeated', 'corrected')),
  operator_corrects text,
  made_at timestamptz not null default private.now(),
  created_by uuid not null references auth.users (id) on delete restrict,
  -- Set if the tax office refused the whole message, or if it was never sent.
  voided_at timestamptz,
  voided_by uuid references auth.users (id) on delete restrict,
  void_reason text check (char_length(void_reason) <= 500)
);
create index tax_reports_created_by_idx on private.tax_reports (created_by);
create index tax_reports_voided_by_idx on private.tax_reports (voided_by);
create table private.tax_report_entries (
  report_id bigint not null references private.tax_reports (id) on delete restrict,
  user_id uuid not null references private.user_profiles (user_id) on delete restrict,
  document text not null unique,
  corrects text,
  -- Whether this entry takes back the earlier report about the person.
  is_deletion boolean not null default false,
  figures jsonb not null,
  -- The reported details of the person; empty once they are deleted.
  details_id uuid references private.tax_details (id) on delete set null,
  bank_account_id uuid references private.bank_accounts (id) on delete set null,
  primary key (report_id, user_id)
);
create index tax_report_entries_user_idx on private.tax_report_entries (user_id);
create index tax_report_entries_details_idx on private.tax_report_entries (details_id);
create index tax_report_entries_bank_account_idx on private.tax_report_entries (bank_account_id);
alter table private.tax_reports enable row level security;
alter table private.tax_report_entries enable row level security;
create trigger record after insert on private.tax_reports
  for each row execute function private.tg_private__record('tax report', '{id}');
create trigger record_void after update on private.tax_reports
  for each row when (new.voided_at is not null) execute function private.tg_private__record('void tax report', '{id}');
create trigger record after insert on private.tax_report_entries
  for each row execute function private.tg_private__record('tax report entry', '{report_id,user_id}');

-- Returns the last report that was made about each person for a year.
create function private.told_to_tax_office(p_year integer) returns setof private.tax_report_entries
language sql stable security definer set search_path = '' as $$
  select distinct on (e.user_id) e.* from private.tax_reports as r join private.tax_report_entries as e on e.report_id = r.id
  where r.year = p_year and r.voided_at is null order by e.user_id, e.report_id desc
$$;

-- Returns what has to be reported about each person now: `new`, `corrected` or `deleted`; no row if the last report is still right.
-- A bank account that is no longer known counts as unchanged.
create function private.tax_changes(p_year integer) returns table (
  user_id uuid, way text, figures jsonb, details_id uuid, bank_account_id uuid, corrects text
)
language sql stable security definer set search_path = '' as $$
  select coalesce(s.user_id, t.user_id),
    case when s.state = 'ready' then case when t.document is null or t.is_deletion then 'new' else 'corrected' end else 'deleted' end,
    case when s.state = 'ready' then s.figures else t.figures end, case when s.state = 'ready' then s.details_id else t.details_id end,
    case when s.state = 'ready' then s.bank_account_id else t.bank_account_id end, case when not t.is_deletion then t.document end
  from private.tax_sellers(p_year) as s full join private.told_to_tax_office(p_year) as t on t.user_id = s.user_id
  where case when s.state = 'ready' then t.document is null or t.is_deletion or t.figures <> s.figures or t.details_id <> s.details_id
      or t.bank_account_id is distinct from coalesce(s.bank_account_id, t.bank_account_id)
    else t.is_deletion is false and t.details_id is not null end
$$;

-- Lists all owners with earnings in a year for staff, those with the most earnings first; `state` = `missing`, `asked_at` and
-- `asked_times` show where the operator must act.
create function private.list_tax_sellers(p_year integer) returns table (
  user_id uuid, name text, is_closed boolean, figures jsonb, consideration numeric, activities bigint, state text,
  asked_at timestamptz, asked_times integer, change text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query
    select s.user_id, private.legal_name(s.user_id), p.deleted_at is not null, s.figures, s.consideration, s.activities, s.state,
      q.first_at, q.times, c.way
    from private.tax_sellers(p_year) as s join private.user_profiles as p on p.user_id = s.user_id
    left join private.tax_questions as q on q.user_id = s.user_id
    left join private.tax_changes(p_year) as c on c.user_id = s.user_id
    order by s.consideration desc, s.user_id;
end $$;
select private.publish('list_tax_sellers', 'authenticated');

-- Lists the messages to the tax office, newest first, with the number of people in each.
create function private.list_tax_reports() returns table (
  id bigint, year integer, kind text, reference text, sellers bigint, made_at timestamptz, created_by_name text,
  voided_at timestamptz, void_reason text, may_void boolean
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query
    select r.id, r.year, r.kind, r.reference, (select count(*) from private.tax_report_entries as e where e.report_id = r.id), r.made_at,
      p.display_name, r.voided_at, r.void_reason, r.id = private.last_tax_report(r.year)
    from private.tax_reports as r left join private.user_profiles as p on p.user_id = r.created_by order by r.id desc;
end $$;
select private.publish('list_tax_reports', 'authenticated');

create function private.last_tax_report(p_year integer) returns bigint
language sql stable security definer set search_path = '' as $$
  select max(id) from private.tax_reports where year = p_year and voided_at is null
$$;

-- Returns the state of tax reports: {is_on, first_year, this_year, activity, complete}. `complete`: whether all details of the
-- operator are known.
create function private.tax_report_state() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return (select jsonb_build_object('is_on', is_on, 'first_year', first_year, 'activity', activity,
      'this_year', extract(year from private.now() at time zone 'utc'), 'complete', private.tax_operator() = jsonb_strip_nulls(private.tax_operator()))
    from public.tax_settings);
end $$;
select private.publish('tax_report_state', 'authenticated');

-- Makes the next message about a year; returns its number.
create function private.make_tax_report(p_year integer, p_kind text) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_state jsonb := private.tax_report_state();
  v_before private.tax_reports;
  v_new private.tax_reports;
  v_begins text;
begin
  -- Messages are made one after the other, because each refers to the one before.
  perform pg_advisory_xact_lock(hashtext('tax report'));
  select * into v_before from private.tax_reports where id = private.last_tax_report(p_year);
  v_new.operator := private.tax_operator();
  v_begins := (v_new.operator ->> 'country') || p_year;
  if not (v_state ->> 'is_on')::boolean or not (v_state ->> 'complete')::boolean then
    perform private.refuse('tax_reports_not_set_up');
  elsif (p_year >= (v_state ->> 'first_year')::integer and p_year < (v_state ->> 'this_year')::integer) is not true then
    perform private.refuse('tax_year_not_over', v_state ->> 'first_year');
  elsif p_kind = 'nothing' and (v_before.id is not null
    or exists (select from private.tax_sellers(p_year) where state in ('ready', 'missing'))) then
    perform private.refuse('tax_report_not_empty');
  end if;
  v_new.operator_way := case when v_before.id is null then 'new' when p_kind = 'correction' and v_before.operator <> v_new.operator
    then 'corrected' else 'repeated' end;
  -- A message about new owners cannot also correct the operator's details: the next correction does.
  v_new.operator := case v_new.operator_way when 'repeated' then v_before.operator else v_new.operator end;
  v_new.operator_document := case v_new.operator_way when 'repeated' then v_before.operator_document else v_begins || '-' || gen_random_uuid() end;
  v_new.operator_corrects := case v_new.operator_way when 'corrected' then v_before.operator_document end;
  insert into private.tax_reports (year, kind, reference, operator, operator_document, operator_way, operator_corrects, created_by)
  values (p_year, p_kind, v_begins || (private.tax_operator() ->> 'country') || '-' || gen_random_uuid(), v_new.operator,
    v_new.operator_document, v_new.operator_way, v_new.operator_corrects, v_user) returning * into v_new;
  insert into private.tax_report_entries (report_id, user_id, document, corrects, is_deletion, figures, details_id, bank_account_id)
  select v_new.id, c.user_id, v_begins || '-' || gen_random_uuid(), c.corrects, c.way = 'deleted', c.figures, c.details_id, c.bank_account_id
  from private.tax_changes(p_year) as c where (c.way = 'new') = (p_kind = 'new') and p_kind <> 'nothing';
  if not found and p_kind <> 'nothing' and v_new.operator_way <> 'corrected' then
    perform private.refuse('tax_report_empty');
  end if;
  perform private.log_staff('tax report made', v_new.reference, jsonb_build_object('year', p_year, 'type', p_kind));
  return v_new.id;
end $$;
select private.publish('make_tax_report', 'authenticated');

create function private.require_tax_report(p_id bigint) returns private.tax_reports
language plpgsql volatile security definer set search_path = '' as $$
declare v_report private.tax_reports;
begin
  perform private.require_treasurer();
  select * into v_report from private.tax_reports where id = p_id for update;
  if not found then
    perform private.refuse('tax_report_not_found');
  end if;
  return v_report;
end $$;

-- Returns the data that the function `vault` needs to write the file, with all details still sealed. Records that the acting user
-- has opened the details of every person in it.
create function private.open_tax_report(p_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_report private.tax_reports := private.require_tax_report(p_id);
begin
  perform private.require_recent_proof();
  insert into private.vault_openings (kind, secret_id, owner_id, opened_by, purpose)
  select secret.kind, secret.id, e.user_id, auth.uid(), format('tax report %s', p_id)
  from private.tax_report_entries as e
  cross join lateral (values ('tax-details', e.details_id), ('bank-account', e.bank_account_id)) as secret (kind, id)
  where e.report_id = p_id and secret.id is not null;
  perform private.log_staff('tax report opened', v_report.reference);
  return to_jsonb(v_report) || jsonb_build_object('entries', (
    select coalesce(jsonb_agg(to_jsonb(e) || jsonb_build_object('name', (select display_name from private.user_profiles where user_id = e.user_id),
      'key', private.vault_key_of(e.user_id),
      'details', (select jsonb_build_object('id', d.id, 'version', d.version, 'sealed', d.sealed) from private.tax_details as d where d.id = e.details_id),
      'account', (select jsonb_build_object('id', a.id, 'version', a.version, 'sealed', a.sealed) from private.bank_accounts as a
        where a.id = e.bank_account_id)) order by e.document), '[]')
    from private.tax_report_entries as e where e.report_id = p_id));
end $$;
select private.publish('open_tax_report', 'authenticated');

-- Voids the last message of a year, which the tax office refused as a whole or which was never sent; its contents are reported again.
create function private.void_tax_report(p_id bigint, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_report private.tax_reports := private.require_tax_report(p_id);
begin
  perform pg_advisory_xact_lock(hashtext('tax report'));
  if coalesce(btrim(p_reason), '') = '' then
    perform private.refuse('void_reason_of_report_missing');
  elsif v_report.id is distinct from private.last_tax_report(v_report.year) then
    perform private.refuse('tax_report_not_last');
  end if;
  update private.tax_reports set voided_at = private.now(), voided_by = auth.uid(), void_reason = btrim(p_reason) where id = p_id;
  perform private.log_staff('tax report voided', v_report.reference, jsonb_build_object('reason', btrim(p_reason)));
end $$;
select private.publish('void_tax_report', 'authenticated');

revoke all on public.tax_settings from public, anon, authenticated;
revoke all on private.tax_reports, private.tax_report_entries from public, anon, authenticated, service_role;
grant select, update (is_on, first_year, activity, country, nexus, tax_number, platform, reports_fee) on public.tax_settings to authenticated;
grant all on public.tax_settings to service_role;

create trigger refuse before insert or update on public.tax_settings
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
