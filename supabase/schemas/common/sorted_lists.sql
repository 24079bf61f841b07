-- Paged lists for staff, sortable by any of their columns.

-- Returns SQL for one page of at most p_limit rows of a query, in its usual order or sorted by one of its columns (with a minus,
-- the highest first); rows without a value come last. A page of a sorted list begins after the row with the value and the key in
-- p_after, so that pages neither repeat nor skip a row while other rows come and go.
create function private.page_of(
  p_query text, p_usual text, p_sort text, p_key text, p_after jsonb, p_limit integer, p_most integer default 100
) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_by text := ltrim(p_sort, '-');
  v_way text := case when p_sort like '-%' then 'desc' else 'asc' end;
  v_than text := case v_way when 'desc' then '<' else '>' end;
  v_limit integer := least(greatest(p_limit, 1), p_most);
begin
  if p_sort is null then
    return format('%s order by %s limit %s', p_query, p_usual, v_limit);
  end if;
  return format('select * from (%s) as list where %s order by list.%I %s nulls last, list.%5$I %4$s limit %6$s', p_query,
    format(case when p_after is null then 'true'
      when p_after ->> 0 is null then 'list.%1$I is null and list.%2$I %3$s %5$L'
      else '(list.%1$I %3$s %4$L or list.%1$I is null or list.%1$I = %4$L and list.%2$I %3$s %5$L)' end,
      v_by, p_key, v_than, p_after ->> 0, p_after ->> 1),
    v_by, v_way, p_key, v_limit);
end $$;
