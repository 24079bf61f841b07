-- The maximum length of a display name, of the name on a bank account, and of a phone number.
create function private.longest_display_name() returns integer
language sql immutable return 80;
create function private.longest_full_name() returns integer
language sql immutable return 120;
create function private.longest_phone_number() returns integer
language sql immutable return 40;
grant execute on function private.longest_display_name(), private.longest_full_name(), private.longest_phone_number()
  to authenticated, service_role;

-- Is this one of the site's own pictures, or one elsewhere that nobody on the way can change?
create function private.is_picture(p_address text) returns boolean
language sql immutable return p_address ~ '^/avatars/[a-z0-9-]+\.[a-z]+$' or private.is_plain_link(p_address);

-- A BCP 47 tag, "de" for instance.
create function private.is_language(p_tag text) returns boolean
language sql immutable return p_tag ~ '^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$';

-- How a person appears to others, and two fields only they can read, by own_profile(): full name and phone number.
create table public.user_profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  display_name text check (char_length(display_name) <= private.longest_display_name()),
  full_name text check (char_length(full_name) <= private.longest_full_name()),
  -- As its person typed it.
  phone_number text check (char_length(phone_number) <= private.longest_phone_number()),
  avatar_url text check (char_length(avatar_url) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When the account ended; the row stays because the ledger refers to it.
  deleted_at timestamptz,
  -- What the person reads: that of the page they signed up on, until they choose another; null where neither is known.
  language text check (private.is_language(language)),
  -- True while display_name comes from the e-mail address and its person has not confirmed it. The site then asks before others see it.
  name_unconfirmed boolean not null default false
);
alter table public.user_profiles enable row level security;
create policy "People create their own profile" on public.user_profiles
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change their own profile" on public.user_profiles
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- Why this cannot be a person's name, or null. A name must have something to read, nothing that hides or reverses text, and
-- must not be the site's own, even disguised by spaces, marks, digits or lookalike letters.
create function private.name_refusal(p_name text) returns text
language sql immutable
return case
  -- A check refuses names that are too long; they are not worth examining.
  when p_name is null or char_length(p_name) > private.longest_full_name() then null
  when private.visible_length(regexp_replace(p_name, '[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u17b4\u17b5\u180b-\u180f\U000e0000-\U000e0fff]', '', 'g')) = 0
    or p_name ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]'
    then 'Please enter a name people can read'
  when regexp_replace(
      translate(lower(normalize(p_name, NFKD)), E'0\u03bf\u039f\u043e\u041e\u0585\u03c1\u03a1\u0440\u0420\u03c4\u03a4\u0442\u0422\u04cf\u04c0\u03c5\u057d\u0441\u0421\u03f2\u03ba\u039a\u043a\u041a', 'ooooooppppttttlluuccckkkk'),
      '[^a-z1|]', '', 'g'
    ) ~ '^(the|team|official)?pot[il1|]uck(app|team|support|service|help|admin|staff|security|billing|official|moderator)?$'
    then 'This name is reserved. Please choose another one.'
end;

-- The name of an account without one: the first part of its e-mail address, or "Unknown".
create function private.name_of_address(p_email text) returns text
language sql immutable
return coalesce((
  select name from (values (left(nullif(split_part(p_email, '@', 1), ''), private.longest_display_name()))) as part (name)
  where private.name_refusal(name) is null
), 'Unknown');

-- The name that a person signed up with, or that their sign-in provider gave; null without one.
create function private.given_name(p_metadata jsonb) returns text
language sql immutable
return (
  select name
  from unnest(array[left(btrim(p_metadata ->> 'name'), private.longest_display_name()), left(btrim(p_metadata ->> 'full_name'), private.longest_display_name())])
    with ordinality as given (name, place)
  where name is not null and private.name_refusal(name) is null order by place limit 1
);

-- Gives everybody a name, and refuses an invalid name or picture.
create function private.tg_user_profiles__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_refusal text;
begin
  new.display_name := coalesce(new.display_name, private.name_of_address(private.email_of(new.user_id)));
  v_refusal := coalesce(private.name_refusal(new.display_name), private.name_refusal(new.full_name));
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  -- A check refuses addresses that are too long; they are not worth examining.
  elsif char_length(new.avatar_url) <= 500 and not private.is_picture(new.avatar_url) then
    raise exception 'Please choose a picture of this site, or one at an https:// address' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard before insert or update of display_name, full_name, avatar_url on public.user_profiles
  for each row execute function private.tg_user_profiles__guard();

-- Gives every new account a profile. It must never fail, or nobody could sign up.
create function private.tg_users__create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.user_profiles (user_id, display_name, name_unconfirmed, avatar_url, language)
  values (
    new.id,
    private.given_name(new.raw_user_meta_data),
    private.given_name(new.raw_user_meta_data) is null,
    (select address from (values (new.raw_user_meta_data ->> 'avatar_url')) as given (address)
      where char_length(address) <= 500 and private.is_picture(address)),
    (select tag from (values (new.raw_user_meta_data ->> 'language')) as given (tag) where private.is_language(tag))
  )
  on conflict (user_id) do nothing;
  return new;
exception when others then
  raise warning 'No profile for %: %', new.id, sqlerrm;
  return new;
end $$;
create trigger create_profile after insert on auth.users
  for each row execute function private.tg_users__create_profile();

-- The auth service's mail is in the language of the account's metadata.
create function private.tg_user_profiles__tell_language() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update auth.users set raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('language', new.language)
  where id = new.user_id and raw_user_meta_data ->> 'language' is distinct from new.language;
  return null;
end $$;
create trigger tell_language after insert or update of language on public.user_profiles
  for each row execute function private.tg_user_profiles__tell_language();

-- Older accounts, and those whose profile could not be created, get one on first use.
create function private.ensure_profile(p_user_id uuid) returns public.user_profiles
language plpgsql volatile security definer set search_path = '' as $$
declare v_profile public.user_profiles;
begin
  select * into v_profile from public.user_profiles where user_id = p_user_id;
  if v_profile.deleted_at is not null then
    raise exception 'This account has been deleted' using errcode = '42501';
  end if;
  if found then return v_profile; end if;
  insert into public.user_profiles (user_id, display_name, name_unconfirmed)
  select id, private.given_name(raw_user_meta_data), private.given_name(raw_user_meta_data) is null from auth.users where id = p_user_id
  on conflict (user_id) do update set user_id = excluded.user_id
  returning * into v_profile;
  return v_profile;
end $$;

-- The acting user's row with all its columns; no row before their first save. The table itself shows nobody the private ones, because a
-- column cannot be readable in one row and not in the others.
create function private.own_profile() returns setof public.user_profiles
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select * from public.user_profiles where user_id = private.require_user();
end $$;
select private.publish('own_profile', 'authenticated');

-- The first word of a name, which is what strangers see.
create function private.first_name(p_name text) returns text
language sql immutable
return split_part(btrim(p_name), ' ', 1);

-- The account's address, for rows that show it to people who may see it.
create function private.email_of(p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(email, '') from auth.users where id = p_user_id
  );
end $$;

-- The database dates a change, and the row stays its owner's. Accounts from a sign-in provider keep its picture.
create function private.tg_user_profiles__stamp() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and new.deleted_at is null and new.avatar_url is distinct from old.avatar_url
    and exists (select from auth.users where id = new.user_id and raw_app_meta_data ->> 'provider' <> 'email') then
    raise exception 'Your picture comes from your sign-in service.' using errcode = '42501';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger stamp before update on public.user_profiles
  for each row execute function private.tg_user_profiles__stamp();

-- The private part of a profile, for its owner and for admins who pay them. It is written through user_profiles.
create table public.user_details (
  user_id uuid primary key references public.user_profiles (user_id) on delete cascade,
  full_name text,
  phone_number text
);
alter table public.user_details enable row level security;

create function private.tg_user_profiles__keep_details() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.full_name is null and new.phone_number is null then
    delete from public.user_details where user_id = new.user_id;
  else
    insert into public.user_details (user_id, full_name, phone_number)
    values (new.user_id, new.full_name, new.phone_number)
    on conflict (user_id) do update set full_name = excluded.full_name, phone_number = excluded.phone_number;
  end if;
  return null;
end $$;
create trigger keep_details after insert or update of full_name, phone_number on public.user_profiles
  for each row execute function private.tg_user_profiles__keep_details();

insert into public.user_profiles (user_id, display_name, name_unconfirmed)
select id, private.given_name(raw_user_meta_data), private.given_name(raw_user_meta_data) is null from auth.users
on conflict (user_id) do nothing;

create trigger refuse before insert or update on public.user_profiles
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();

revoke all on public.user_profiles, public.user_details from public, anon, authenticated;
grant select on public.user_details to authenticated;
grant select (user_id, display_name, avatar_url, created_at, updated_at) on public.user_profiles to authenticated;
grant insert (user_id, display_name, name_unconfirmed, full_name, phone_number, avatar_url, language) on public.user_profiles to authenticated;
grant update (display_name, name_unconfirmed, full_name, phone_number, avatar_url, language, updated_at) on public.user_profiles to authenticated;
grant all on public.user_profiles, public.user_details to service_role;
grant execute on function private.is_language(text) to authenticated, service_role;
