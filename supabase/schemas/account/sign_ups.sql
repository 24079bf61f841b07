-- Who may create an account on this site.

-- Returns who may create an account: 'everyone', or only people who are 'invited' to a plan. Everybody may call this.
create function private.sign_ups() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select sign_ups from public.app_settings);
end $$;
select private.publish('sign_ups', 'anon', 'authenticated');

-- The auth service calls this before it creates an account (its hook `before_user_created`), but not for one that an administrator
-- creates with the service key. An answer with an error refuses the account.
create function private.before_user_created(p_event jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.sign_ups() = 'everyone' or exists (
    select from public.subscription_invitations as i
    where i.email = lower(p_event #>> '{user,email}') and i.account_id is null and private.invitation_status(i) = 'open')
  then
    return '{}';
  end if;
  return jsonb_build_object('error', jsonb_build_object('http_code', 403,
    'message', private.refusal(array['only_invited_sign_up']) ->> 'message'));
end $$;

-- Notes which account an invitation has admitted, so that a person who then changes the account's address cannot create another.
create function private.tg_users__use_invitations() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.subscription_invitations as i set account_id = p.user_id from private.user_profiles as p
  where p.user_id = new.id and i.email = lower(new.email) and i.account_id is null and private.invitation_status(i) = 'open';
  return null;
end $$;
create trigger use_invitations after insert on auth.users
  for each row execute function private.tg_users__use_invitations();

-- Hosted Supabase calls the hook as this role.
do $$
begin
  if exists (select from pg_roles where rolname = 'supabase_auth_admin') then
    grant usage on schema private to supabase_auth_admin;
    grant execute on function private.before_user_created(jsonb) to supabase_auth_admin;
  end if;
end $$;
