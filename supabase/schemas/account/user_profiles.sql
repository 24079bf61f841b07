-- The private part of profiles, and the view through which clients reach all of a profile.

-- The maximum length of a phone number, which is stored as typed.
create function private.longest_phone_number() returns integer
language sql immutable return 40;

-- Returns whether this is a BCP 47 tag, such as "de".
create function private.is_language(p_tag text) returns boolean
language sql immutable return p_tag ~ '^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$';

-- The private part of a profile, readable for its person and for admins who pay them (withdrawals.sql). It is a separate table
-- because row-level security hides rows, not columns.
create table private.user_details (
  user_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  full_name text check (char_length(full_name) <= private.longest_full_name()),
  phone_number text check (char_length(phone_number) <= private.longest_phone_number()),
  -- The person's language: that of the page they signed up on, until they choose another; null if not known.
  language text check (private.is_language(language)),
  -- True while the display name comes from the e-mail address and the person has not confirmed it: the site asks them before others see
  -- the name.
  name_unconfirmed boolean not null default false,
  -- When the person confirmed that they are old enough to share and to pay (age.sql); null until then. Clients neither read nor write it.
  of_age_at timestamptz
);
alter table private.user_details enable row level security;
create policy "People create their own details" on private.user_details
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change their own details" on private.user_details
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create function private.tg_user_details__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_refusal text := private.name_refusal(new.full_name);
begin
  if v_refusal is not null and (tg_op = 'INSERT' or new.full_name is distinct from old.full_name) then
    perform private.refuse(v_refusal);
  end if;
  return new;
end $$;
create trigger guard before insert or update of full_name on private.user_details
  for each row execute function private.tg_user_details__guard();

-- The auth service writes mail in the language of the account's metadata, so the language is copied there.
create function private.tg_user_details__tell_language() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update auth.users set raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('language', new.language)
  where id = new.user_id and raw_user_meta_data ->> 'language' is distinct from new.language;
  return null;
end $$;
create trigger tell_language after insert or update of language on private.user_details
  for each row execute function private.tg_user_details__tell_language();

-- Returns the name for documents and banks: the full name or, if the person has given none, the display name.
create function private.legal_name(p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(d.full_name, p.display_name)
    from private.user_profiles as p left join private.user_details as d on d.user_id = p.user_id where p.user_id = p_user_id
  );
end $$;

-- Profiles as clients read and write them (decision 043). The view runs with its caller's rights: details that the policy of
-- user_details hides from the caller are null.
create view public.user_profiles with (security_invoker = true) as
  select p.user_id, p.display_name, d.full_name, d.phone_number, p.avatar_url, p.created_at, p.updated_at, d.language, d.name_unconfirmed,
    p.guest_of is not null as is_guest
  from private.user_profiles as p left join private.user_details as d on d.user_id = p.user_id;

-- Stores what a client writes to the view, with the caller's rights. An update stores only the columns it changes, so that it
-- cannot undo a simultaneous change of another column.
create function private.tg_user_profiles__store() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    delete from private.user_profiles where user_id = old.user_id;
    return old;
  elsif tg_op = 'INSERT' then
    insert into private.user_profiles (user_id, display_name, avatar_url) values (new.user_id, new.display_name, new.avatar_url)
    returning display_name, created_at, updated_at into new.display_name, new.created_at, new.updated_at;
    new.is_guest := false;
  else
    update private.user_profiles as p set
      display_name = case when new.display_name is distinct from old.display_name then new.display_name else p.display_name end,
      avatar_url = case when new.avatar_url is distinct from old.avatar_url then new.avatar_url else p.avatar_url end
    where user_id = old.user_id
    returning display_name, avatar_url, updated_at into new.display_name, new.avatar_url, new.updated_at;
    if not found then return null; end if;
  end if;
  insert into private.user_details as d (user_id, full_name, phone_number, language, name_unconfirmed)
  values (new.user_id, new.full_name, new.phone_number, new.language, coalesce(new.name_unconfirmed, false))
  on conflict (user_id) do update set
    full_name = case when new.full_name is distinct from old.full_name then new.full_name else d.full_name end,
    phone_number = case when new.phone_number is distinct from old.phone_number then new.phone_number else d.phone_number end,
    language = case when new.language is distinct from old.language then new.language else d.language end,
    -- The display name counts as confirmed when the person changes it.
    name_unconfirmed = case when new.name_unconfirmed is distinct from old.name_unconfirmed then coalesce(new.name_unconfirmed, false)
      else d.name_unconfirmed and new.display_name is not distinct from old.display_name end
  returning full_name, phone_number, language, name_unconfirmed into new.full_name, new.phone_number, new.language, new.name_unconfirmed;
  return new;
end $$;
create trigger store instead of insert or update or delete on public.user_profiles
  for each row execute function private.tg_user_profiles__store();

revoke all on public.user_profiles, private.user_details from public, anon, authenticated, service_role;
grant select on public.user_profiles to authenticated, service_role;
grant insert (user_id, display_name, full_name, phone_number, avatar_url, language, name_unconfirmed) on public.user_profiles to authenticated, service_role;
grant update (display_name, full_name, phone_number, avatar_url, language, name_unconfirmed, updated_at) on public.user_profiles to authenticated, service_role;
grant delete on public.user_profiles to service_role;
grant select (user_id, full_name, phone_number, language, name_unconfirmed), insert (user_id, full_name, phone_number, language, name_unconfirmed),
  update (full_name, phone_number, language, name_unconfirmed) on private.user_details to authenticated;
grant all on private.user_details to service_role;
grant execute on function private.is_language(text), private.longest_phone_number() to authenticated, service_role;

create trigger refuse before insert or update on private.user_details
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
