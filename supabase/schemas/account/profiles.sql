-- The maximum length of a display name, and of the name on a bank account.
create function private.longest_display_name() returns integer
language sql immutable return 80;
create function private.longest_full_name() returns integer
language sql immutable return 120;
grant execute on function private.longest_display_name(), private.longest_full_name() to authenticated, service_role;

-- Returns whether this is the URL of one of the site's own pictures, or an https URL; a picture loaded over http could be swapped
-- in transit.
create function private.is_picture(p_address text) returns boolean
language sql immutable return p_address ~ '^/avatars/[a-z0-9-]+\.[a-z]+$' or private.is_plain_link(p_address);

-- A person's public profile. Clients reach it through the view of the same name in `public`.
create table private.user_profiles (
  user_id uuid primary key,
  -- For a guest, a person without an account (guests.sql): the owner who added them.
  guest_of uuid references private.user_profiles (user_id) on delete cascade,
  -- The account, which is the same as user_id; null for a guest.
  account_id uuid generated always as (case when guest_of is null then user_id end) stored references auth.users (id) on delete cascade,
  display_name text check (char_length(display_name) <= private.longest_display_name()),
  avatar_url text check (char_length(avatar_url) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When the account ended; the row stays because the ledger refers to it.
  deleted_at timestamptz
);
create index user_profiles_account_idx on private.user_profiles (account_id);
create index user_profiles_guests_idx on private.user_profiles (guest_of);
alter table private.user_profiles enable row level security;
create policy "People create their own profile" on private.user_profiles
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change their own profile" on private.user_profiles
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- Returns why a person's name is refused, or null. A name must have visible characters, and nothing that hides or reverses text. It
-- must not be the site's own name, even disguised by spaces, marks, digits or lookalike letters.
create function private.name_refusal(p_name text) returns text
language sql immutable
return case
  -- A check constraint refuses names that are too long, so they are not examined here.
  when p_name is null or char_length(p_name) > private.longest_full_name() then null
  when private.visible_length(regexp_replace(p_name, '[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u17b4\u17b5\u180b-\u180f\U000e0000-\U000e0fff]', '', 'g')) = 0
    or p_name ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]'
    then 'name_unreadable'
  when regexp_replace(
      translate(lower(normalize(p_name, NFKD)), E'0\u03bf\u039f\u043e\u041e\u0585\u03c1\u03a1\u0440\u0420\u03c4\u03a4\u0442\u0422\u04cf\u04c0\u03c5\u057d\u0441\u0421\u03f2\u03ba\u039a\u043a\u041a', 'ooooooppppttttlluuccckkkk'),
      '[^a-z1|]', '', 'g'
    ) ~ '^(the|team|official)?pot[il1|]uck(app|team|support|service|help|admin|staff|security|billing|official|moderator)?$'
    then 'name_reserved'
end;

-- Returns a name for an account that has none: the first part of its e-mail address, or "Unknown".
create function private.name_of_address(p_email text) returns text
language sql immutable
return coalesce((
  select name from (values (left(nullif(split_part(p_email, '@', 1), ''), private.longest_display_name()))) as part (name)
  where private.name_refusal(name) is null
), 'Unknown');

-- Returns the name that a person signed up with, or that their sign-in provider gave; null if there is none.
create function private.given_name(p_metadata jsonb) returns text
language sql immutable
return (
  select name
  from unnest(array[left(btrim(p_metadata ->> 'name'), private.longest_display_name()), left(btrim(p_metadata ->> 'full_name'), private.longest_display_name())])
    with ordinality as given (name, place)
  where name is not null and private.name_refusal(name) is null order by place limit 1
);

-- Gives every profile a name, and refuses an invalid name or picture.
create function private.tg_user_profiles__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_refusal text;
begin
  if tg_op = 'UPDATE' and (new.display_name, new.avatar_url) is not distinct from (old.display_name, old.avatar_url) then return new; end if;
  new.display_name := coalesce(new.display_name, private.name_of_address(private.email_of(new.user_id)));
  v_refusal := private.name_refusal(new.display_name);
  if v_refusal is not null then
    perform private.refuse(v_refusal);
  -- A check constraint refuses URLs that are too long, so they are not examined here.
  elsif char_length(new.avatar_url) <= 500 and not private.is_picture(new.avatar_url) then
    perform private.refuse('picture_address_unsafe');
  end if;
  return new;
end $$;
create trigger guard before insert or update of display_name, avatar_url on private.user_profiles
  for each row execute function private.tg_user_profiles__guard();

-- Gives every new account a profile. It must never fail, or sign-up would fail with it.
create function private.tg_users__create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.user_profiles (user_id, display_name, avatar_url)
  values (
    new.id,
    private.given_name(new.raw_user_meta_data),
    (select address from (values (new.raw_user_meta_data ->> 'avatar_url')) as given (address)
      where char_length(address) <= 500 and private.is_picture(address))
  )
  on conflict (user_id) do nothing;
  insert into private.user_details (user_id, language, name_unconfirmed)
  select new.id, case when private.is_language(tag) then tag end, private.given_name(new.raw_user_meta_data) is null
  from (values (new.raw_user_meta_data ->> 'language')) as given (tag)
  on conflict (user_id) do nothing;
  return new;
exception when others then
  raise warning 'No profile for %: %', new.id, sqlerrm;
  return new;
end $$;
create trigger create_profile after insert on auth.users
  for each row execute function private.tg_users__create_profile();

-- Returns a person's profile, and creates it if it is missing, because the account is older than this table or its profile could
-- not be created at sign-up.
create function private.ensure_profile(p_user_id uuid) returns private.user_profiles
language plpgsql volatile security definer set search_path = '' as $$
declare v_profile private.user_profiles;
begin
  select * into v_profile from private.user_profiles where user_id = p_user_id;
  if v_profile.deleted_at is not null then
    perform private.refuse('account_deleted');
  end if;
  if found then return v_profile; end if;
  insert into private.user_profiles (user_id, display_name)
  select id, private.given_name(raw_user_meta_data) from auth.users where id = p_user_id
  on conflict (user_id) do update set user_id = excluded.user_id
  returning * into v_profile;
  insert into private.user_details (user_id, name_unconfirmed)
  select id, private.given_name(raw_user_meta_data) is null from auth.users where id = p_user_id
  on conflict (user_id) do nothing;
  return v_profile;
end $$;

-- Returns the first word of a name; strangers see only this.
create function private.first_name(p_name text) returns text
language sql immutable
return split_part(btrim(p_name), ' ', 1);

-- Returns the account's e-mail address, for rows that show it to people who may see it.
create function private.email_of(p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(email, '') from auth.users where id = p_user_id
  );
end $$;

-- Sets the time of a change. An account made through a sign-in provider cannot change its picture.
create function private.tg_user_profiles__stamp() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and new.deleted_at is null and new.avatar_url is distinct from old.avatar_url
    and exists (select from auth.users where id = new.user_id and raw_app_meta_data ->> 'provider' <> 'email') then
    perform private.refuse('picture_from_sign_in_service');
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger stamp before update on private.user_profiles
  for each row execute function private.tg_user_profiles__stamp();

insert into private.user_profiles (user_id, display_name)
select id, private.given_name(raw_user_meta_data) from auth.users
on conflict (user_id) do nothing;

revoke all on private.user_profiles from public, anon, authenticated, service_role;
grant select (user_id, guest_of, display_name, avatar_url, created_at, updated_at) on private.user_profiles to authenticated;
grant insert (user_id, display_name, avatar_url), update (display_name, avatar_url) on private.user_profiles to authenticated;
grant all on private.user_profiles to service_role;

create trigger refuse before insert or update on private.user_profiles
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
