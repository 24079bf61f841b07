-- The log of actions by staff, for super-admins. Its lines are a chain of hashes (common/chains.sql). People are named by their ids.
create table private.staff_log (
  line bigint primary key,
  at timestamptz not null,
  -- The member of staff; null for the server, for example when a role is granted on the command line.
  actor uuid,
  action text not null,
  -- The id of the affected person or thing.
  subject text not null,
  details jsonb not null,
  previous_hash text not null,
  hash text not null
);
-- Returns the ids of people, and of a few other things, that a line contains. Every text of 36 characters is taken for an id.
create function private.ids_logged(p_subject text, p_details jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select array(
    select named.id from (select p_subject as id union all select value from jsonb_each_text(p_details)) as named
    where length(named.id) = 36)
$$;
create index staff_log_ids_idx on private.staff_log using gin (private.ids_logged(subject, details));
-- The number and hash of the last line. Writers lock this row, so that lines are added one after the other.
create table private.staff_log_end (
  id boolean primary key default true check (id),
  line bigint not null default 0,
  hash text not null default ''
);
insert into private.staff_log_end default values;
-- The last hash of each day, as mailed to super-admins.
create table private.staff_log_days (
  day date primary key,
  line bigint not null,
  hash text not null
);
alter table private.staff_log enable row level security;
alter table private.staff_log_end enable row level security;
alter table private.staff_log_days enable row level security;

create function private.tg_staff_log__keep() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  perform private.refuse('staff_log_sealed');
end $$;
create trigger keep before update or delete or truncate on private.staff_log
  for each statement execute function private.tg_staff_log__keep();

create function private.staff_log_content(p_line private.staff_log) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_array(to_char(p_line.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), p_line.actor, p_line.action, p_line.subject,
    p_line.details)
$$;

-- Adds a line for an action of the acting user. Called in the transaction of that action.
create function private.log_staff(p_action text, p_subject text, p_details jsonb default '{}') returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_end private.staff_log_end;
  v_line private.staff_log;
begin
  select * into v_end from private.staff_log_end for update;
  v_line := row(v_end.line + 1, clock_timestamp(), auth.uid(), p_action, p_subject, jsonb_strip_nulls(p_details), v_end.hash, '');
  v_line.hash := private.chain_hash(v_line.previous_hash, v_line.line, private.staff_log_content(v_line));
  insert into private.staff_log select v_line.*;
  update private.staff_log_end set line = v_line.line, hash = v_line.hash;
end $$;

create function private.tg_user_roles__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff(
    case tg_op when 'INSERT' then 'role given' when 'DELETE' then 'role taken' else 'role changed' end,
    coalesce(new.user_id, old.user_id)::text, jsonb_build_object('before', old.role, 'after', new.role));
  return null;
end $$;
create trigger log_staff after insert or delete on public.user_roles
  for each row execute function private.tg_user_roles__log_staff();
create trigger log_staff_change after update on public.user_roles
  for each row when (old.role <> new.role) execute function private.tg_user_roles__log_staff();

create function private.tg_system_roles__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff(case tg_op when 'INSERT' then 'role defined' else 'role edited' end, new.id,
    jsonb_build_object('before', to_jsonb(old) - 'id' - 'created_at', 'after', to_jsonb(new) - 'id' - 'created_at'));
  return null;
end $$;
create trigger log_staff after insert or update on public.system_roles
  for each row execute function private.tg_system_roles__log_staff();

create function private.tg_app_settings__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_before jsonb := to_jsonb(old) - 'updated_at' - 'updated_by';
  v_after jsonb := to_jsonb(new) - 'updated_at' - 'updated_by';
begin
  if v_before <> v_after then
    perform private.log_staff('settings changed', 'settings', jsonb_build_object('before', v_before, 'after', v_after));
  end if;
  return null;
end $$;
create trigger log_staff after update on public.app_settings
  for each row execute function private.tg_app_settings__log_staff();

create function private.tg_provider_rules__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff(case tg_op when 'DELETE' then 'provider rule removed' else 'provider rule set' end,
    coalesce(new.provider, old.provider), jsonb_build_object('before', old.rule, 'after', new.rule, 'reason', new.reason));
  return null;
end $$;
create trigger log_staff after insert or update or delete on public.provider_rules
  for each row execute function private.tg_provider_rules__log_staff();

-- Logs what staff allow a plan: every change of its status except to `rejected`, which is a decision (decisions.sql), and from `active` to
-- `pending`, which an owner may cause by having the plan reviewed again.
create function private.tg_shared_subscriptions__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('plan ' || case new.status when 'active' then 'approved' else new.status end, new.id,
    jsonb_build_object('before', old.status, 'owner', new.owner_id));
  return null;
end $$;
create trigger log_staff after update of status on public.shared_subscriptions
  for each row when (old.status in ('pending', 'rejected') and new.status <> 'rejected' and old.status <> new.status)
  execute function private.tg_shared_subscriptions__log_staff();

create function private.tg_provider_requests__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('provider request ' || new.status, new.id::text,
    jsonb_build_object('provider', new.provider_name, 'asked_by', new.user_id));
  return null;
end $$;
create trigger log_staff after update of status on public.provider_requests
  for each row when (old.status <> new.status) execute function private.tg_provider_requests__log_staff();

create function private.tg_admin_role_requests__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('access request ' || new.status, new.user_id::text, '{}');
  return null;
end $$;
create trigger log_staff after update of status on public.admin_role_requests
  for each row when (old.status <> new.status) execute function private.tg_admin_role_requests__log_staff();

create function private.tg_withdrawal_requests__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('withdrawal ' || new.status, new.user_id::text, jsonb_build_object(
    'withdrawal', new.id, 'before', old.status, 'amount', round(new.amount, 2), 'reason', new.rejection_reason));
  return null;
end $$;
create trigger log_staff after update of status on public.withdrawal_requests
  for each row when (old.status <> new.status) execute function private.tg_withdrawal_requests__log_staff();

create function private.tg_seat_problems__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('problem decided ' || new.outcome, new.id::text,
    jsonb_build_object('owner', new.owner_id, 'member', new.member_id, 'reason', new.decision));
  return null;
end $$;
create trigger log_staff after update of status on public.seat_problems
  for each row when (new.status = 'closed' and old.status <> 'closed' and new.decided_by is not null)
  execute function private.tg_seat_problems__log_staff();

create function private.tg_payment_claims__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('payment dispute decided ' || new.status, new.id::text,
    jsonb_build_object('owner', new.owner_id, 'member', new.member_id, 'reason', new.decision));
  return null;
end $$;
create trigger log_staff after update of status on public.payment_claims
  for each row when (new.decided_by is not null and old.decided_by is null) execute function private.tg_payment_claims__log_staff();

create function private.tg_ledger_transfers__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('wallet adjusted', new.person_id::text, jsonb_build_object(
    'amount', case when new.to_account = private.ledger_account('adjustments') then -new.amount else new.amount end,
    'reason', new.description, 'transfer', new.id));
  return null;
end $$;
create trigger log_staff after insert on private.ledger_transfers
  for each row when (new.kind = 'adjustment') execute function private.tg_ledger_transfers__log_staff();

create function private.tg_users__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff(case when new.banned_until is null then 'account let in again' else 'account banned' end,
    new.id::text, jsonb_build_object('until', new.banned_until));
  return null;
end $$;
create trigger log_staff after update of banned_until on auth.users
  for each row when (old.banned_until is distinct from new.banned_until) execute function private.tg_users__log_staff();

-- Returns the faults in the staff log; no row if there are none. p_hash is a hash from a daily mail: if no line has this hash, the log was
-- rewritten.
create function private.check_staff_log(p_hash text default null) returns table (line bigint, fault text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select c.line, c.fault from private.check_chain('staff', p_hash) as c;
end $$;

-- Returns the lines that name a person as subject or in the details: actions that affected the person or something of theirs.
create function private.log_about(p_person_id uuid) returns setof private.staff_log
language sql stable set search_path = '' as $$
  select l.* from private.staff_log as l where private.ids_logged(l.subject, l.details) @> array[p_person_id::text]
$$;

-- Returns lines of the staff log before p_before, newest first, or sorted (private.page_of); optionally only those about one person. The
-- names of people and plans are included. Only super-admins may call this.
create function private.list_staff_log(
  p_before bigint default null, p_limit integer default 50, p_person uuid default null, p_sort text default null, p_after jsonb default null
)
returns table (
  line bigint, at timestamptz, actor uuid, actor_name text, action text, subject text, subject_name text, details jsonb,
  hash text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.proven(private.may('roles.manage')) then
    perform private.refuse('only_super_admin_reads_staff_log');
  end if;
  -- The query is built with or without the person, because one statement for both cases could use no index.
  return query execute private.page_of(format($query$
    select page.line, page.at, page.actor, actor.display_name as actor_name, page.action, page.subject,
      coalesce(person.display_name, plan.provider || ' ' || plan.name), page.details, page.hash
    from (select l.* from %s as l where l.line < $1 %s) as page left join private.user_profiles as actor on actor.user_id = page.actor
    left join private.user_profiles as person on person.user_id = private.uuid_in(page.subject)
    left join public.shared_subscriptions as plan on plan.id = page.subject
  $query$, case when p_person is null then 'private.staff_log' else 'private.log_about($3)' end,
    case when p_sort is null then 'order by l.line desc limit $2' end),
    'page.line desc', p_sort, 'line', p_after, p_limit)
  using coalesce(p_before, 9223372036854775807), least(greatest(p_limit, 1), 100), p_person;
end $$;
select private.publish('list_staff_log', 'authenticated');

-- Closes the previous day, in UTC, if it is not closed yet: publishes that day's books, and mails the last hashes of the staff log and of
-- the ledger to super-admins.
create function private.close_day() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_midnight timestamptz := date_trunc('day', private.now() at time zone 'utc') at time zone 'utc';
  v_day date := (v_midnight at time zone 'utc')::date - 1;
  v_books private.daily_books;
  v_last private.staff_log;
  v_transfers bigint;
begin
  -- If two servers run this job at the same time, only one of them may close the day.
  perform pg_advisory_xact_lock(hashtext('close day'));
  if exists (select from private.daily_books where day = v_day) then return; end if;
  perform private.seal_transfers();
  v_books := private.books_at(v_midnight);
  insert into private.daily_books select v_books.*;
  v_transfers := (select count(*) from private.ledger_seals where transfer_id is not null);
  select * into v_last from private.staff_log as l where l.at < v_midnight order by l.line desc limit 1;
  if not found then return; end if;
  insert into private.staff_log_days (day, line, hash) values (v_day, v_last.line, v_last.hash);
  perform private.write_mail(account.email, account.id, 'staff-log-day', jsonb_build_object('day', v_day, 'line', v_last.line,
    'hash', v_last.hash, 'faults', v_books.faults, 'transfers', v_transfers,
    'seal', case v_books.seal when 0 then 'none' else v_books.seal_hash end), '/admin/log')
  from public.user_roles as held join auth.users as account on account.id = held.user_id
  where held.role = 'super-admin' and account.deleted_at is null and private.is_mailable(account.email);
end $$;

revoke all on private.staff_log, private.staff_log_end, private.staff_log_days from public, anon, authenticated, service_role;
