-- The operator of the site: who runs it and sells its service for the fee. The imprint, receipts, invoices, contracts and tax reports all
-- take these details from here.

-- The maximum lengths of these details. An address line is a name, a street or a town.
create function private.longest_address_line() returns integer
language sql immutable return 200;
create function private.longest_postcode() returns integer
language sql immutable return 20;
create function private.longest_vat_number() returns integer
language sql immutable return 30;
grant execute on function private.longest_address_line(), private.longest_postcode(), private.longest_vat_number()
  to authenticated, service_role;

-- One row, which staff edit and everybody may read, because it is the imprint.
create table public.operator (
  id boolean primary key default true check (id),
  name text check (char_length(name) between 1 and private.longest_address_line()),
  street text check (char_length(street) between 1 and private.longest_address_line()),
  postcode text check (char_length(postcode) between 1 and private.longest_postcode()),
  town text check (char_length(town) between 1 and private.longest_address_line()),
  country text check (country ~ '^[A-Z]{2}$'),
  email text check (email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' and char_length(email) <= private.longest_address_line()),
  -- Without a number, the imprint links to the form under Help.
  phone text check (char_length(phone) between 1 and private.longest_vat_number()),
  -- The public register with the number in it; null if the operator is in none.
  register text check (char_length(register) between 1 and private.longest_address_line()),
  -- The VAT number or, for a small business, the tax number; null if there is none.
  vat_number text check (char_length(vat_number) between 1 and private.longest_vat_number())
);
create trigger record after insert or update on public.operator
  for each row execute function private.tg_private__record('operator', '{id}');
insert into public.operator default values;
alter table public.operator enable row level security;
create policy "Everybody reads who runs the site" on public.operator
  for select to anon, authenticated using (true);
create policy "Whoever has the permission edits who runs the site" on public.operator
  for update to authenticated
  using ((select private.proven(private.may('settings.edit')))) with check ((select private.proven(private.may('settings.edit'))));
create trigger log_staff after update on public.operator
  for each row execute function private.tg_app_settings__log_staff();

-- Returns whether the imprint has everything that it must have (Directive 2000/31/EC, Art. 5). A register and a VAT number are needed only by
-- operators who have them.
create function private.has_imprint() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select num_nulls(name, street, postcode, town, country, email) = 0 from public.operator);
end $$;

-- Returns the operator's address in one line; null without a street.
create function private.operator_address() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select concat_ws(', ', street, concat_ws(' ', postcode, town), country) from public.operator where street is not null);
end $$;

-- Returns what the server adds to /config.json and fills into pages: {operatorName, takesReports}. The host of the site's URL stands for a name that
-- is not given.
create function private.site_config(p_host text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select jsonb_build_object('operatorName', coalesce(name, p_host), 'takesReports', (select takes_reports from public.app_settings)) from public.operator);
end $$;
select private.publish('site_config', 'anon', 'authenticated');

revoke all on public.operator from public, anon, authenticated, service_role;
grant select on public.operator to anon, authenticated, service_role;
grant update (name, street, postcode, town, country, email, phone, register, vat_number) on public.operator to authenticated, service_role;

create trigger refuse before insert or update on public.operator
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
