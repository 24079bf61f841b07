-- The maximum lengths of a login name at the provider and of the parts of access data. The function `vault` checks them, because the
-- database only sees sealed data.
create function private.longest_login_name() returns integer
language sql immutable return 200;
create function private.longest_password() returns integer
language sql immutable return 200;
create function private.longest_access_link() returns integer
language sql immutable return 500;
create function private.longest_access_note() returns integer
language sql immutable return 500;

-- Access data of plans, sealed by the function `vault`: password, link and note together (`access`), and the account login (`login`). Each
-- change of a part adds a version, and the newest version of each part is current. All versions are deleted with the plan, and so is the
-- plan's data key.
create table private.vault_entries (
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  version integer not null check (version > 0),
  sealed text not null check (char_length(sealed) between 1 and 8000),
  author_id uuid not null references private.user_profiles (user_id) on delete cascade,
  created_at timestamptz not null default private.now(),
  part text not null default 'access' check (part in ('access', 'login')),
  primary key (subscription_id, version)
);
create index vault_entries_author_idx on private.vault_entries (author_id);
alter table private.vault_entries enable row level security;

create function private.current_vault_entry(p_subscription_id text, p_part text default 'access') returns private.vault_entries
language sql stable security definer set search_path = '' as $$
  select * from private.vault_entries where subscription_id = p_subscription_id and part = p_part order by version desc limit 1
$$;

-- Versions that were opened count even if they are deleted, so that no number is used twice.
create function private.next_vault_version(p_subscription_id text) returns integer
language sql stable security definer set search_path = '' as $$
  select coalesce(max(version), 0) + 1 from (
    select version from private.vault_entries where subscription_id = p_subscription_id
    union all select version from private.vault_openings where subscription_id = p_subscription_id
  ) as known
$$;

create function private.has_vault_entry(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.vault_entries where subscription_id = p_subscription_id and part = 'access');
end $$;

-- Returns the time since which a former member still knows the plan's current entry, because a seat with access has ended and the entry has
-- not been changed since. Null if the password need not be changed.
create function private.password_change_due_since(p_subscription_id text) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select min(s.ended_at) from private.seats as s
  where s.subscription_id = p_subscription_id and s.admitted_at is not null
    and s.ended_at >= (private.current_vault_entry(p_subscription_id)).created_at
$$;

-- Asks the owner to change the password when a member who knows it loses their seat. The owner is asked only once until they change it.
create function private.ask_for_new_password(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_seat.admitted_at is null or private.password_change_due_since(p_seat.subscription_id) is distinct from private.now() then return; end if;
  perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'password-due');
end $$;

-- Returns the acting user's plans whose password must be changed.
create function private.passwords_due() returns table (subscription_id text, since timestamptz)
language sql stable security definer set search_path = '' as $$
  select p.id, due.since from public.shared_subscriptions as p
  cross join lateral (select private.password_change_due_since(p.id)) as due (since)
  where p.owner_id = private.require_user() and due.since is not null
$$;
select private.publish('passwords_due', 'authenticated');

-- Returns facts about a plan's entry that the acting user may know without opening it; null if there is no entry that they may open.
create function private.get_vault_entry(p_subscription_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', e.version, 'changed_at', e.created_at,
    'opened', exists (select from private.vault_openings as o
      where o.subscription_id = e.subscription_id and o.version = e.version and o.opened_by = auth.uid()),
    'change_due_since', private.password_change_due_since(e.subscription_id))
  from private.current_vault_entry(p_subscription_id) as e
  where e.version is not null and (private.is_plan_owner(p_subscription_id) or private.may_get_in(p_subscription_id))
$$;
select private.publish('get_vault_entry', 'authenticated');

-- Returns the versions of a plan's entry and login, newest first, to people who may open them.
create function private.list_vault_versions(p_subscription_id text)
returns table (version integer, created_at timestamptz, author_name text, part text)
language sql stable security definer set search_path = '' as $$
  select e.version, e.created_at, p.display_name, e.part
  from private.vault_entries as e join private.user_profiles as p on p.user_id = e.author_id
  where e.subscription_id = p_subscription_id
    and (private.is_plan_owner(p_subscription_id) or private.may_get_in(p_subscription_id))
  order by e.version desc
$$;
select private.publish('list_vault_versions', 'authenticated');

-- Returns the openings of a plan's entry, newest first. Owners see all openings, other people only their own.
create function private.list_vault_openings(p_subscription_id text, p_limit integer default 20, p_offset integer default 0)
returns table (id bigint, version integer, opened_at timestamptz, opened_by uuid, opener_name text)
language sql stable security definer set search_path = '' as $$
  select o.id, o.version, o.opened_at, o.opened_by, p.display_name
  from private.vault_openings as o left join private.user_profiles as p on p.user_id = o.opened_by
  where o.subscription_id = p_subscription_id and (select private.require_user()) in (o.owner_id, o.opened_by)
  order by o.id desc limit least(greatest(p_limit, 1), 100) offset greatest(p_offset, 0)
$$;
select private.publish('list_vault_openings', 'authenticated');

-- Locks a plan of the acting user, so that versions are stored one after the other. Refuses everybody but the plan's owner.
create function private.lock_own_plan_vault(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.shared_subscriptions
  where id = p_subscription_id and owner_id = private.require_user() for no key update;
  if not found then
    perform private.refuse('only_owner_changes_access');
  end if;
end $$;

-- Returns the data that the function `vault` needs to seal a plan's next version. It includes the current version, still sealed, because
-- the function copies the unchanged parts from it. A change of the login needs no recent proof of identity, because the login alone
-- opens nothing; all other changes do.
create function private.prepare_vault_entry(p_subscription_id text, p_part text default 'access') returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_entry private.vault_entries;
begin
  perform private.lock_own_plan_vault(p_subscription_id);
  if p_part is distinct from 'login' then
    perform private.require_recent_proof();
  end if;
  v_entry := private.current_vault_entry(p_subscription_id, p_part);
  return jsonb_build_object('author', auth.uid(), 'version', private.next_vault_version(p_subscription_id),
    'key', private.vault_key_of(null, p_subscription_id), 'current', case when v_entry.version is not null
      then jsonb_build_object('version', v_entry.version, 'sealed', v_entry.sealed) end);
end $$;
select private.publish('prepare_vault_entry', 'authenticated');

-- Notifies all members of a new version, except those who have just been notified that they have access.
create function private.tell_vault_version(p_entry private.vault_entries) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats;
  v_is_first boolean := not exists (select from private.vault_entries
    where subscription_id = p_entry.subscription_id and part = p_entry.part and version < p_entry.version);
begin
  for v_seat in
    select * from private.seats where subscription_id = p_entry.subscription_id and ended_at is null and (access_given_at, admitted_at is null)
      is distinct from (p_entry.created_at, false) order by id
  loop
    perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'access-changed',
      jsonb_build_object('version', p_entry.version, 'part', p_entry.part, 'first', v_is_first));
  end loop;
end $$;

-- Stores a plan's next version as sealed by the function `vault`, and the plan's data key if the function created one. Only that function
-- may call this, after private.prepare_vault_entry(), because the function could not open a version that another caller had sealed.
create function private.save_vault_entry(
  p_author_id uuid, p_subscription_id text, p_version integer, p_sealed text, p_key jsonb, p_part text default 'access'
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_entry private.vault_entries;
begin
  perform private.act_for(p_author_id);
  perform private.lock_own_plan_vault(p_subscription_id);
  if p_version is distinct from private.next_vault_version(p_subscription_id) then
    perform private.refuse('changed_meanwhile');
  end if;
  if p_key is not null then
    perform private.store_vault_key(p_key, p_subscription_id);
  end if;
  perform private.spend_attempt('vault version');
  insert into private.vault_entries (subscription_id, version, sealed, author_id, part)
  values (p_subscription_id, p_version, p_sealed, auth.uid(), p_part) returning * into v_entry;
  if p_part <> 'login' then
    perform private.note_stored_access(p_subscription_id);
  end if;
  perform private.tell_vault_version(v_entry);
  return private.get_vault_entry(p_subscription_id);
end $$;
select private.publish('save_vault_entry', 'service_role');

-- Returns an entry as the function `vault` needs it to open it.
create function private.sealed_entry(p_entry private.vault_entries) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', p_entry.version, 'part', p_entry.part, 'sealed', p_entry.sealed,
    'key', private.vault_key_of(null, p_entry.subscription_id))
$$;

-- Returns the data that the function `vault` needs to show the current account login; null if there is no login that the acting user may
-- see. The plan's page shows the login immediately, so this needs no proof of identity and is not recorded.
create function private.open_vault_login(p_subscription_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.sealed_entry(e) from private.current_vault_entry(p_subscription_id, 'login') as e
  where e.version is not null and (private.is_plan_owner(p_subscription_id) or private.may_get_in(p_subscription_id))
$$;
select private.publish('open_vault_login', 'authenticated');

-- Returns an entry like private.sealed_entry(), and records that the acting person opens it.
create function private.opened_entry(p_entry private.vault_entries) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.vault_openings (kind, subscription_id, version, owner_id, opened_by, purpose, opened_at)
  select 'plan', id, p_entry.version, owner_id, auth.uid(), 'to get in', private.now()
  from public.shared_subscriptions where id = p_entry.subscription_id;
  return private.sealed_entry(p_entry);
end $$;

-- Returns the data that the function `vault` needs to open a plan's entry: any version for the plan's owner, and the newest version for
-- members with access. Members get an entry only through this call, and every call is recorded.
create function private.open_vault_entry(p_subscription_id text, p_version integer default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_entry private.vault_entries := private.current_vault_entry(p_subscription_id);
begin
  if private.is_plan_owner(p_subscription_id) then
    select * into v_entry from private.vault_entries
    where subscription_id = p_subscription_id and version = coalesce(p_version, v_entry.version);
  elsif not private.may_get_in(p_subscription_id) or p_version <> v_entry.version then
    v_entry := null;
  end if;
  if v_entry.version is null then
    perform private.refuse('nothing_to_open');
  end if;
  perform private.require_recent_proof();
  perform private.spend_attempt('vault opening');
  return private.opened_entry(v_entry);
end $$;
select private.publish('open_vault_entry', 'authenticated');
