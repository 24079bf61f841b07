-- Records changes of published tables for the servers, which pass them on; hosted Supabase reads changes from the write-ahead log instead.

-- The changes of the last minutes. `xid` is the transaction that made the change, and `id` gives the order. The rows are lost in a crash, after
-- which clients reload anyway. The sequence is one of its own, and logged, for the reason given at `net.http_request_ids`.
create sequence if not exists realtime.change_ids;
create unlogged table if not exists realtime.changes (
  id bigint not null default nextval('realtime.change_ids'),
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  schema text not null,
  "table" text not null,
  type text not null,
  record jsonb,
  old jsonb,
  -- The whole deleted row, from which a server derives who could see it.
  gone jsonb,
  primary key (xid, id)
);
-- Transaction ids above the current one come from the cluster that this database was restored from.
delete from realtime.changes where xid >= pg_snapshot_xmax(pg_current_snapshot());
-- Earlier versions sent changes with NOTIFY.
drop function if exists realtime.announcement(text, text, text, boolean, jsonb, jsonb);
drop sequence if exists realtime.announcements;

create or replace function realtime.only(p_row jsonb, p_columns text[]) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return (select coalesce(jsonb_object_agg(c, p_row -> c), '{}') from unnest(p_columns) as c where p_row ? c);
end $$;

-- Records one change. Arguments: the key columns, and the columns of the replica identity ('*' for all). This runs inside other transactions,
-- so a row that cannot be described must never stop their write. The insert stands outside of the block that catches errors, because a block
-- that writes takes a transaction id of its own.
--
-- A server that is awake reads the table every few milliseconds. One that is asleep holds one of four locks, and a writer that cannot share
-- them all rings the bell at its commit. A lock is no row, so it is seen by a transaction whose snapshot is older than the sleep, and a server
-- cannot take it while such a writer has not committed. NOTIFY in each transaction would be simpler, but commits that notify wait for
-- each other.
create or replace function realtime.capture_change() returns trigger
language plpgsql security definer set search_path = '' set timezone = 'UTC' as $$
declare
  v_key text[];
  v_record jsonb;
  v_old jsonb;
  v_gone jsonb;
begin
  begin
    v_key := tg_argv[0];
    if tg_op <> 'DELETE' then
      v_record := to_jsonb(new);
    end if;
    if tg_op <> 'INSERT' then
      v_old := to_jsonb(old);
      if tg_op = 'DELETE' then
        v_gone := v_old;
      end if;
      -- The usual key is written inline, since every write to a published table would pay for a function call.
      if tg_argv[1] = tg_argv[0] and cardinality(v_key) = 1 then
        v_old := jsonb_build_object(v_key[1], v_old -> v_key[1]);
      elsif tg_argv[1] <> '*' then
        v_old := realtime.only(v_old, tg_argv[1]::text[]);
      end if;
    end if;
  exception when others then
    raise warning 'A change of %.% was not recorded: %', tg_table_schema, tg_table_name, sqlerrm;
    return null;
  end;
  insert into realtime.changes (schema, "table", type, record, old, gone)
  values (tg_table_schema, tg_table_name, tg_op, v_record, v_old, v_gone);
  if current_setting('realtime.always_ring', true) = 'on' or not (
    pg_try_advisory_xact_lock_shared(7334, 1) and pg_try_advisory_xact_lock_shared(7334, 2)
    and pg_try_advisory_xact_lock_shared(7334, 3) and pg_try_advisory_xact_lock_shared(7334, 4)
  ) then
    perform pg_notify('realtime_bell', '');
  end if;
  return null;
end $$;

-- Lets the calling session sleep: from now on, changes ring the bell. Returns the number of its lock, or null if a transaction with changes is
-- running or four others are asleep; the session must then stay awake. Afterwards it must read once more, because changes may have been
-- committed since it last read.
create or replace function realtime.fall_asleep() returns integer language plpgsql set search_path = '' as $$
begin
  for v_lock in 1..4 loop
    if pg_try_advisory_lock(7334, v_lock) then return v_lock; end if;
  end loop;
  return null;
end $$;

create or replace function realtime.wake_up(p_lock integer) returns void language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_unlock(7334, p_lock);
end $$;

-- Returns the changes that this statement sees but the snapshot `p_from` did not, in order; if there are none, a row without id. Ids that are
-- committed late leave no gap, since a snapshot names the transactions that were running. `until` is the snapshot to continue from. After
-- p_limit rows there may be more: they are read with the same `p_from`, this `until`, and the last id. Always reads by the index: where a few
-- large transactions made most changes, the planner expects those of a running one to be as many, and would read the whole table every time.
-- For the same estimate it would compile the query (JIT) at most reads, which takes many times as long as the read.
create or replace function realtime.read_changes(p_from pg_snapshot, p_until pg_snapshot, p_after bigint, p_limit integer)
returns table (until pg_snapshot, id bigint, schema text, "table" text, type text, at text, record text, old text, gone text)
language plpgsql stable set search_path = '' set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
declare
  v_until constant pg_snapshot := coalesce(p_until, pg_current_snapshot());
begin
  return query
  select v_until, c.id, c.schema, c.table, c.type, to_char(c.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    c.record::text, c.old::text, c.gone::text
  from (select) as one left join (
    select * from (
      select * from realtime.changes where xid >= pg_snapshot_xmax(p_from) and xid < pg_snapshot_xmax(v_until)
      union all
      select late.* from pg_snapshot_xip(p_from) as running (xid)
      cross join lateral (select * from realtime.changes as c where c.xid = running.xid offset 0) as late
    ) as new
    where pg_visible_in_snapshot(xid, v_until) and id > p_after
    order by id limit p_limit
  ) as c on true
  order by c.id;
end $$;

create or replace function realtime.key_columns(p_table oid) returns text[]
language sql stable set search_path = '' as $$
  select coalesce(array_agg(a.attname::text order by k.place), '{}')
  from pg_index as i, unnest(i.indkey) with ordinality as k (attnum, place)
  join pg_attribute as a on a.attnum = k.attnum
  where i.indrelid = p_table and i.indisprimary and a.attrelid = p_table
$$;

-- The columns of the old row that a table's replica identity keeps, as the text of an array, or '*' for all.
create or replace function realtime.identity_columns(p_table oid) returns text
language sql stable set search_path = '' as $$
  select case c.relreplident
    when 'f' then '*'
    when 'd' then realtime.key_columns(p_table)::text
    when 'i' then (
      select array_agg(a.attname)::text from pg_index as i join pg_attribute as a
        on a.attrelid = p_table and a.attnum = any (i.indkey)
      where i.indrelid = p_table and i.indisreplident
    )
    else '{}' end
  from pg_class as c where c.oid = p_table
$$;

-- The facts about published tables that the server needs to serve their changes, as a JSON list.
create or replace function realtime.published_tables() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'schema', p.schemaname,
    'name', p.tablename,
    'rls', c.relrowsecurity,
    'key', realtime.key_columns(c.oid),
    -- The conditions under which a role may select a row.
    'policies', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'roles', (select coalesce(jsonb_agg(r.rolname), '[]') from pg_roles as r
          where r.rolname in ('anon', 'authenticated') and (p.polroles = '{0}' or r.oid = any (p.polroles))),
        'permissive', p.polpermissive,
        'condition', pg_get_expr(p.polqual, p.polrelid)
      ) order by p.polname), '[]')
      from pg_policy as p where p.polrelid = c.oid and p.polcmd in ('r', '*')
    ),
    'columns', (
      select jsonb_agg(jsonb_build_object(
        'name', a.attname,
        'type', t.typname,
        -- With a typmod of -1, a filter's value is neither cut nor rounded to the column's length.
        'sqlType', format_type(a.atttypid, -1),
        -- Types whose equal values have equal text.
        'exact', (t.typtype = 'e' or t.typname in ('bool', 'int2', 'int4', 'int8', 'uuid', 'text', 'varchar', 'date'))
          and coalesce(l.collisdeterministic, true),
        'readers', (
          select coalesce(jsonb_agg(r.rolname), '[]') from pg_roles as r
          where r.rolname in ('anon', 'authenticated', 'service_role')
            and has_column_privilege(r.oid, c.oid, a.attnum, 'select')
        )
      ) order by a.attnum)
      from pg_attribute as a
      join pg_type as t on t.oid = a.atttypid
      left join pg_collation as l on l.oid = a.attcollation
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    )
  ) order by p.schemaname, p.tablename), '[]')
  from pg_publication_tables as p
  join pg_namespace as n on n.nspname = p.schemaname
  join pg_class as c on c.relnamespace = n.oid and c.relname = p.tablename
  where p.pubname = 'supabase_realtime'
$$;

-- Creates the trigger on exactly the published tables, and leaves tables unchanged that already have the right one. The trigger's name
-- sorts first, so a change is recorded before other triggers run.
create or replace function realtime.attach_capture() returns void
language plpgsql set search_path = '' as $$
declare v record;
begin
  -- Without this lock, servers that start together on one database would both create the trigger.
  perform pg_advisory_xact_lock(7332);
  for v in
    with wanted as (
      select c.oid, realtime.key_columns(c.oid)::text as key, realtime.identity_columns(c.oid) as identity
      from pg_publication_tables as p
      -- By names: a cast to regclass could run for tables of other schemas first, and fail for lack of rights.
      join pg_namespace as n on n.nspname = p.schemaname
      join pg_class as c on c.relnamespace = n.oid and c.relname = p.tablename
      where p.pubname = 'supabase_realtime'
    ), present as (
      select t.tgrelid, t.tgargs from pg_trigger as t
      where t.tgname = '_realtime_capture' and t.tgparentid = 0
        and t.tgfoid = 'realtime.capture_change'::regproc
    )
    select coalesce(w.oid, p.tgrelid)::regclass as relation, w.oid is not null as is_wanted, w.key, w.identity
    from wanted as w full join present as p on p.tgrelid = w.oid
    where w.oid is null or p.tgrelid is null
      or p.tgargs <> convert_to(w.key, 'UTF8') || '\x00'::bytea || convert_to(w.identity, 'UTF8') || '\x00'::bytea
  loop
    if v.is_wanted then
      execute format(
        'create or replace trigger _realtime_capture after insert or update or delete on %s '
        'for each row execute function realtime.capture_change(%L, %L)', v.relation, v.key, v.identity
      );
    else
      execute format('drop trigger _realtime_capture on %s', v.relation);
    end if;
  end loop;
end $$;

-- Tells every server which realtime channels must end: those of the session with this id, or of all sessions of the person with this id.
create or replace function realtime.announce_end() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_notify('realtime_ends', old.id::text);
  return null;
end $$;
create or replace trigger _realtime_end after delete on auth.sessions
  for each row execute function realtime.announce_end();
create or replace trigger _realtime_end after delete on auth.users
  for each row execute function realtime.announce_end();
create or replace trigger _realtime_bar after update of banned_until, deleted_at on auth.users
  for each row when (new.banned_until > now() or new.deleted_at is not null)
  execute function realtime.announce_end();

-- A new factor makes sessions without it insufficient; they are checked again when they rejoin.
create or replace function realtime.announce_factor() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_notify('realtime_ends', new.user_id::text);
  return null;
end $$;
create or replace trigger _realtime_factor after insert on auth.mfa_factors
  for each row when (new.status = 'verified') execute function realtime.announce_factor();
create or replace trigger _realtime_raise after update of status on auth.mfa_factors
  for each row when (new.status = 'verified' and old.status <> 'verified') execute function realtime.announce_factor();

-- Only the server calls these functions. Firing a trigger requires no right to its function.
revoke execute on all functions in schema realtime from public;
