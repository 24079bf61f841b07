-- Whether a catalogue can be read is worked out when it is stored: whoever shares a plan would wait for it each time.
alter table public.service_provider_data
  add column is_readable boolean generated always as (private.is_catalogue(data)) stored;

-- What is sold: the current row where it can be read, else the catalogue as it ships.
create or replace function private.catalogue() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select data from public.service_provider_data where is_current and is_readable),
    (select data from private.bundled_catalogue)
  )
$$;
