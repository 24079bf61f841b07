-- What staff has decided about the site; one row.
create table public.app_settings (
  id boolean primary key default true check (id),
  -- Whether a new plan waits for staff before others see it.
  review_new_plans boolean not null default false,
  -- The most coins that one adjustment adds to a wallet or takes from it.
  adjustment_ceiling numeric(12, 2) not null default 100.00
    check (adjustment_ceiling between 0.01 and private.most_coins()),
  -- Whether a role opens nothing in a session without a second factor or a passkey.
  require_second_factor boolean not null default false,
  updated_at timestamptz not null default now(),
  updated_by uuid references public.user_profiles (user_id) on delete set null
);
create index app_settings_updated_by_idx on public.app_settings (updated_by);
insert into public.app_settings default values;
alter table public.app_settings enable row level security;

create policy "Whoever edits them or people reads the settings" on public.app_settings
  for select to authenticated using ((select private.may('settings.edit')) or (select private.may('users.edit')));
create policy "Whoever has the permission edits the settings" on public.app_settings
  for update to authenticated
  using ((select private.proven(private.may('settings.edit')))) with check ((select private.proven(private.may('settings.edit'))));

-- Notes who changed the settings, and leaves to super-admins, to whoever grants roles, what binds the rest of staff. Nobody
-- locks themselves out.
create function private.tg_app_settings__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if v_user is not null and new.adjustment_ceiling <> old.adjustment_ceiling and not private.may('roles.manage') then
    raise exception 'Only a super-admin decides how much one adjustment can move' using errcode = '42501';
  end if;
  if v_user is not null and new.require_second_factor <> old.require_second_factor then
    if not private.may('roles.manage') then
      raise exception 'Only a super-admin decides whether staff needs a second factor' using errcode = '42501';
    elsif not private.shows_second_factor() then
      raise exception 'Set up a second factor or a passkey for yourself first, and sign in with it.' using errcode = '42501';
    end if;
  end if;
  new.updated_at := now();
  new.updated_by := v_user;
  return new;
end $$;
create trigger guard before update on public.app_settings
  for each row execute function private.tg_app_settings__guard();

revoke all on public.app_settings from public, anon, authenticated;
grant select, update (review_new_plans, adjustment_ceiling, require_second_factor) on public.app_settings to authenticated;
grant all on public.app_settings to service_role;
revoke execute on all functions in schema private from public;
