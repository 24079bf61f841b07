-- Tax details of owners whose earnings the site reports to the tax office (tax_reports.sql). An owner is asked for them once they
-- have to be reported, and the function `vault` seals them.

-- How long tax details are kept after the last year in which their owner earned money: the longest time that the directive allows;
-- some countries require it (Directive 2011/16/EU, Annex V, Section IV).
create function private.tax_details_time() returns interval
language sql immutable return interval '10 years';

-- The maximum length of a tax number, a person's or the operator's; and the maximum number of a person's tax numbers, which the
-- function `vault` checks.
create function private.longest_tax_number() returns integer
language sql immutable return 50;
grant execute on function private.longest_tax_number() to authenticated, service_role;
create function private.most_tax_numbers() returns integer
language sql immutable return 5;

-- People who have been asked for tax details, and how often: once and, if they do not answer, two more times. If there is still no
-- answer after private.tax_patience(), the directive requires the operator to stop payouts or close the account; staff decide
-- which.
create table private.tax_questions (
  user_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  first_at timestamptz not null default private.now(),
  last_at timestamptz not null default private.now(),
  times integer not null default 1
);
alter table private.tax_questions enable row level security;
create function private.tax_patience() returns interval
language sql immutable return interval '60 days';
create function private.tax_reminder_after() returns interval
language sql immutable return interval '20 days';

-- A person's name, address, date of birth and tax numbers, sealed, and the country of residence, which decides whether the person
-- is reported. A change adds a row; the next change deletes older rows that no report refers to.
create table private.tax_details (
  id uuid primary key,
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  version integer not null check (version > 0),
  country text not null check (country ~ '^[A-Z]{2}$'),
  sealed text not null check (char_length(sealed) between 1 and 8000),
  created_at timestamptz not null default private.now(),
  unique (user_id, version)
);
alter table private.tax_details enable row level security;

create function private.current_tax_details(p_user_id uuid) returns private.tax_details
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select d from private.tax_details as d where user_id = p_user_id order by version desc limit 1);
end $$;

-- Returns whether this person was asked for tax details and the site still makes reports.
create function private.asks_tax_details(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select is_on from public.tax_settings) and exists (select from private.tax_questions where user_id = p_user_id);
end $$;

-- Returns whether the acting user is asked for tax details, and when they last gave them: {asked, given_at}.
create function private.my_tax_details() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return jsonb_build_object('asked', private.asks_tax_details(v_user), 'given_at', (private.current_tax_details(v_user)).created_at);
end $$;
select private.publish('my_tax_details', 'authenticated');

create function private.require_tax_question() returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.asks_tax_details(v_user) and private.current_tax_details(v_user) is null then
    perform private.refuse('tax_details_not_asked_for');
  end if;
  perform private.require_recent_proof();
  return v_user;
end $$;

-- Returns the data that the function `vault` needs to seal the acting user's next tax details, or to show them the current ones.
create function private.prepare_tax_details() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_tax_question();
  v_details private.tax_details := private.current_tax_details(v_user);
begin
  return jsonb_build_object('owner', jsonb_build_object('kind', 'person', 'id', v_user), 'key', private.vault_key_of(v_user),
    'version', coalesce(v_details.version, 0) + 1,
    'current', case when v_details.id is not null
      then jsonb_build_object('id', v_details.id, 'version', v_details.version, 'sealed', v_details.sealed) end);
end $$;
select private.publish('prepare_tax_details', 'authenticated');

-- Stores tax details as sealed by the function `vault`; only the function may call it, after private.prepare_tax_details().
create function private.save_tax_details(p_user_id uuid, p_id uuid, p_version integer, p_country text, p_sealed text, p_key jsonb)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.act_for(p_user_id);
  perform private.spend_attempt('tax details');
  if p_key is not null then
    perform private.store_vault_key(p_key);
  end if;
  insert into private.tax_details (id, user_id, version, country, sealed)
  values (p_id, p_user_id, p_version, p_country, p_sealed) on conflict do nothing;
  if not found then
    perform private.refuse('changed_meanwhile');
  end if;
  delete from private.tax_details as d where user_id = p_user_id and version < p_version
    and not exists (select from private.tax_report_entries where details_id = d.id);
  return private.my_tax_details();
end $$;
select private.publish('save_tax_details', 'service_role');

-- Runs each night: asks owners who have begun to earn reportable amounts, reminds those who have not answered, and deletes expired
-- details, together with the person's key if the account is closed.
create function private.ask_for_tax_details() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid;
begin
  if (select is_on from public.tax_settings) then
    for v_user in
      insert into private.tax_questions as q (user_id)
      select distinct s.user_id from generate_series((select first_year from public.tax_settings),
        extract(year from private.now() at time zone 'utc')::integer) as y (year)
      cross join lateral private.tax_sellers(y.year) as s
      join private.user_profiles as p on p.user_id = s.user_id and p.deleted_at is null
      where s.state = 'missing'
      on conflict (user_id) do update set times = q.times + 1, last_at = private.now()
      where q.times < 3 and q.last_at <= private.now() - private.tax_reminder_after()
      returning q.user_id
    loop
      perform private.mail_notification(private.notify(v_user, 'warning', null, 'tax-details-wanted'),
        '{}', '/account-settings/money');
    end loop;
  end if;
  delete from private.tax_details as d where make_timestamptz(extract(year from (
      select max(e.created_at) from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id
      join private.ledger_transfers as t on t.id = e.transfer_id and t.kind = 'earning'
      where a.owner = d.user_id and a.kind in ('wallet', 'connected')) at time zone 'utc')::integer + 1, 1, 1, 0, 0, 0, 'UTC')
    + private.tax_details_time() < private.now();
  delete from private.vault_keys as k using private.user_profiles as p where p.user_id = k.person_id and p.deleted_at is not null
    and not private.needs_vault_key(k.person_id);
end $$;

-- Returns whether stored data of a closed account still needs the key that opens it.
create function private.needs_vault_key(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_closed(p_user_id) or exists (select from private.tax_details where user_id = p_user_id);
end $$;

revoke all on private.tax_questions, private.tax_details from public, anon, authenticated, service_role;
