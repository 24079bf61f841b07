-- Announces changes of published tables; hosted Supabase reads them from the write-ahead log instead.

-- Numbers the announcements, because NOTIFY drops a payload that it has already seen in the transaction.
create sequence if not exists realtime.announcements;

create or replace function realtime.only(p_row jsonb, p_columns text[]) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return (select coalesce(jsonb_object_agg(c, p_row -> c), '{}') from unnest(p_columns) as c where p_row ? c);
end $$;

-- Sends one NOTIFY per changed row, with these lines of JSON: a head, the record, the old record and, for a deleted row, the whole row,
-- from which the server derives who could see it (jsonb text contains no line break). Arguments: the key columns, and the columns of the
-- replica identity ('*' for all). This runs inside other transactions, so an error here must never stop their write.
create or replace function realtime.capture_change() returns trigger
language plpgsql security definer set search_path = '' set timezone = 'UTC' as $$
declare
  -- NOTIFY refuses a payload of 8000 bytes or more.
  v_most constant int := 7999;
  v_key text[];
  v_record jsonb;
  v_old jsonb;
  v_gone jsonb;
  v_payload text;
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
    if tg_argv[1] = tg_argv[0] and cardinality(v_key) = 1 then
      v_old := jsonb_build_object(v_key[1], v_old -> v_key[1]);
    elsif tg_argv[1] <> '*' then
      v_old := realtime.only(v_old, tg_argv[1]::text[]);
    end if;
  end if;
  -- The usual announcement and key are written inline, since every write to a published table would pay for function calls.
  v_payload := jsonb_build_array(
    tg_table_schema, tg_table_name, tg_op,
    to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), false, nextval('realtime.announcements')
  )::text || e'\n' || coalesce(v_record::text, '') || e'\n' || coalesce(v_old::text, '') || coalesce(e'\n' || v_gone::text, '');
  if octet_length(v_payload) > v_most then
    v_record := realtime.only(v_record, v_key);
    -- Filters of a DELETE compare old columns, so the short ones, which filters use, are kept.
    v_old := (
      select jsonb_object_agg(f.key, f.value) from jsonb_each(v_old) as f
      where f.key = any (v_key) or octet_length(f.value::text) <= 64
    );
    v_gone := (select jsonb_object_agg(f.key, f.value) from jsonb_each(v_gone) as f where octet_length(f.value::text) <= 64);
    v_payload := realtime.announcement(tg_table_schema, tg_table_name, tg_op, true, v_record, v_old)
      || coalesce(e'\n' || v_gone::text, '');
  end if;
  if octet_length(v_payload) > v_most then
    v_payload := realtime.announcement(
      tg_table_schema, tg_table_name, tg_op, true, v_record, realtime.only(v_old, v_key)
    );
  end if;
  perform pg_notify('realtime_changes', v_payload);
  return null;
exception when others then
  raise warning 'A change of %.% was not announced: %', tg_table_schema, tg_table_name, sqlerrm;
  return null;
end $$;

create or replace function realtime.announcement(
  p_schema text, p_table text, p_type text, p_shortened boolean, p_record jsonb, p_old jsonb
) returns text language plpgsql volatile set search_path = '' set timezone = 'UTC' as $$
begin
  return jsonb_build_array(
    p_schema, p_table, p_type,
    to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), p_shortened,
    nextval('realtime.announcements')
  )::text || e'\n' || coalesce(p_record::text, '') || e'\n' || coalesce(p_old::text, '');
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
-- sorts first, so a change is announced before other triggers run.
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
