-- If a row breaks a constraint, refuses it with a message of this site, because people do not know the names of constraints. The
-- columns are in the error's detail; Postgres's own message is in the log. Functions do this through private.publish(), and tables
-- that people write to directly through the trigger `refuse`.

create function private.refuse_constraint(p_code text, p_schema text, p_table text, p_rule text, p_column text, p_words text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_rule pg_catalog.pg_constraint;
  v_check text;
  v_columns text := p_column;
  v_limit text;
  v_most integer;
begin
  raise log '%', p_words;
  select * into v_rule from pg_catalog.pg_constraint
  where conname = p_rule and conrelid = format('%I.%I', p_schema, p_table)::regclass;
  if found then
    v_columns := (select string_agg(attname, ', ' order by attnum) from pg_catalog.pg_attribute
      where attrelid = v_rule.conrelid and attnum = any (v_rule.conkey));
    v_check := pg_get_expr(v_rule.conbin, v_rule.conrelid);
  end if;
  case p_code
    when '23502' then
      perform private.refuse_columns(v_columns, 'value_missing');
    when '23503' then
      if p_words ^@ 'update or delete' then
        perform private.refuse_columns(v_columns, 'still_referenced');
      end if;
      perform private.refuse_columns(v_columns, 'reference_missing');
    when '23514' then
      -- The limit is only used if the constraint checks nothing but the length.
      v_limit := case when v_check !~ ' (~|~~|=) ' then substring(v_check from '(?:char_length|characters)\(.*?\) <= ([a-z_.]+\(\)|[0-9]+)') end;
      if v_limit is not null then execute 'select ' || v_limit into v_most; end if;
      if v_most is null then
        perform private.refuse_columns(v_columns, 'value_not_allowed');
      elsif v_check ~ 'length\(.*\) >= 1\M' then
        perform private.refuse_columns(v_columns, 'text_length_out_of_range', v_most::text);
      end if;
      perform private.refuse_columns(v_columns, 'text_too_long', v_most::text);
    else
      perform private.refuse_columns(v_columns, 'already_exists');
  end case;
end $$;
grant execute on function private.refuse_constraint(text, text, text, text, text, text) to anon, authenticated, service_role;

-- Returns SQL that finds the first constraint broken by the row `written`: the error's code, and the name of a check or unique
-- index or the column of a missing value. Rows that the writer cannot see do not count as duplicates, nor does the row that an
-- upsert merges into.
create function private.first_broken(p_table oid, p_is_new boolean) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (select format('case %s end', string_agg(rule.line, ' ' order by rule.place))
  from (
    select 1, format('when %1$I is null then array[''23502'', '''', %1$L]', attname) from pg_catalog.pg_attribute
    where attrelid = p_table and attnum > 0 and attnotnull and not attisdropped and attgenerated = ''
    union all
    select 2, format('when (%s) is false then array[''23514'', %L, '''']', pg_get_expr(conbin, conrelid), conname)
    from pg_catalog.pg_constraint where conrelid = p_table and contype = 'c'
    union all
    select 3, format('when (%1$s) and exists (select from %2$s as other where %3$s and (%1$s)) then array[''23505'', %4$L, '''']',
      coalesce(pg_get_expr(i.indpred, i.indrelid), 'true'), i.indrelid::regclass, (
        select string_agg(format('other.%1$I = written.%1$I', a.attname), ' and ') from pg_catalog.pg_attribute as a
        where a.attrelid = i.indrelid and a.attnum = any (i.indkey)), index.relname)
    from pg_catalog.pg_index as i join pg_catalog.pg_class as index on index.oid = i.indexrelid
    where i.indrelid = p_table and i.indisunique and i.indexprs is null and p_is_new
      and not exists (select from unnest(i.indkey) as k where not has_column_privilege(i.indrelid, k, 'select'))
  ) as rule (place, line));
end $$;

grant execute on function private.first_broken(oid, boolean) to authenticated;

-- Runs as the last trigger on tables that people write to directly, and refuses a row that breaks a constraint before Postgres
-- does. It runs with the rights of the writer, who thus learns nothing about rows they cannot see.
create function private.tg_public__refuse() returns trigger
language plpgsql volatile set search_path = '' as $$
declare v_broken text[];
begin
  execute format('select %s from (select ($1).*) as written',
    private.first_broken(tg_relid, tg_op = 'INSERT' and current_query() ~* '\minsert\M' and current_query() !~* '\mon conflict\M'))
  into v_broken using new;
  if v_broken is not null then
    perform private.refuse_constraint(v_broken[1], tg_table_schema, tg_table_name, v_broken[2], v_broken[3],
      format('A row of %s breaks %s', tg_relid::regclass, coalesce(nullif(v_broken[2], ''), v_broken[3])));
  end if;
  return new;
end $$;
