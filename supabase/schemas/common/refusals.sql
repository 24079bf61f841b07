-- Every broken rule is an error with a stable key as its hint. Keys, codes and sentences are in functions/_shared/words/refusals.ts.

-- Returns the parts of the error for a refusal: code, message, hint, and details as JSON (the values, and the columns of a broken
-- constraint). p_refusal has the key and the values of the refusal.
create function private.refusal(p_refusal text[], p_columns text default null) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  v_words jsonb := private.refusal_words(p_refusal[1]);
  v_values text[] := p_refusal[2:];
begin
  if v_words is null or cardinality(string_to_array(v_words ->> 1, '%')) <> cardinality(v_values) + 1 then
    raise exception 'There is no refusal % of % values', p_refusal[1], cardinality(v_values);
  end if;
  return jsonb_strip_nulls(jsonb_build_object('code', v_words -> 0, 'message', format(replace(v_words ->> 1, '%', '%s'), variadic v_values),
    'hint', p_refusal[1], 'details', nullif(jsonb_strip_nulls(
      jsonb_build_object('columns', string_to_array(p_columns, ', '), 'values', nullif(v_values, '{}'))), '{}')::text));
end $$;

create function private.refuse_columns(p_columns text, variadic p_refusal text[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_error jsonb := private.refusal(p_refusal, p_columns);
begin
  if v_error ? 'details' then
    raise exception using errcode = v_error ->> 'code', message = v_error ->> 'message', hint = v_error ->> 'hint', detail = v_error ->> 'details';
  end if;
  raise exception using errcode = v_error ->> 'code', message = v_error ->> 'message', hint = v_error ->> 'hint';
end $$;

-- Raises a refusal; p_refusal has its key and values.
create function private.refuse(variadic p_refusal text[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.refuse_columns(null, variadic p_refusal);
end $$;
grant execute on function private.refuse(text[]), private.refuse_columns(text, text[]) to anon, authenticated, service_role;
