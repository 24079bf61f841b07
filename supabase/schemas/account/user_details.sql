-- The maximum length of the name on a bank account.
create function private.longest_full_name() returns integer
language sql immutable return 120;

-- A BCP 47 tag, "de" for instance.
create function private.is_language(p_tag text) returns boolean
language sql immutable return p_tag ~ '^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$';

-- The private part of a profile: its person reads it, and admins who pay them (withdrawals.sql). It has a table of its own because
-- row-level security hides rows, not columns. Clients reach it through the view public.user_profiles.
create table private.user_details (
  user_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  full_name text check (char_length(full_name) <= private.longest_full_name()),
  -- E.164: a plus sign, the country code and the number, digits only.
  phone_number text check (phone_number ~ '^\+[1-9][0-9]{6,14}$'),
  -- What the person reads: that of the page they signed up on, until they choose another; null where neither is known.
  language text check (private.is_language(language))
);
alter table private.user_details enable row level security;
create policy "People create their own details" on private.user_details
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change their own details" on private.user_details
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- Refuses an invalid name or phone number.
create function private.tg_user_details__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_refusal text;
begin
  if tg_op = 'UPDATE' and (new.full_name, new.phone_number) is not distinct from (old.full_name, old.phone_number) then return new; end if;
  v_refusal := private.name_refusal(new.full_name);
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  elsif new.phone_number !~ '^\+[1-9][0-9]{6,14}$' then
    raise exception 'Please enter a phone number with its country code, like +4930123456' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard before insert or update on private.user_details
  for each row execute function private.tg_user_details__guard();

-- The auth service's mail is in the language of the account's metadata.
create function private.tg_user_details__tell_language() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update auth.users set raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('language', new.language)
  where id = new.user_id and raw_user_meta_data ->> 'language' is distinct from new.language;
  return null;
end $$;
create trigger tell_language after insert or update of language on private.user_details
  for each row execute function private.tg_user_details__tell_language();

-- The name for papers and banks: the full name, or where the person has given none, the display name.
create function private.legal_name(p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(d.full_name, p.display_name)
    from private.user_profiles as p left join private.user_details as d on d.user_id = p.user_id where p.user_id = p_user_id
  );
end $$;

revoke all on private.user_details from public, anon, authenticated, service_role;
grant select, insert, update (full_name, phone_number, language) on private.user_details to authenticated;
grant all on private.user_details to service_role;
grant execute on function private.longest_full_name(), private.is_language(text) to authenticated, service_role;
