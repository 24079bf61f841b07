-- How long a record of each change to an account is kept.
create function private.change_memory() returns interval
language sql immutable return interval '90 days';

-- How long the link in the mail about a change can undo it.
create function private.undo_lifetime() returns interval
language sql immutable return interval '48 hours';

-- Changes that could let an intruder into an account or its money, such as a new address or password. A mail goes to the previous
-- address immediately, with a link that can undo the change for private.undo_lifetime(): an intruder may have the session and the
-- new address, but cannot read that mail.
create table private.account_changes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('email', 'password', 'factor-added', 'factor-removed', 'passkey-added',
    'passkey-removed', 'recovery-codes', 'bank-account', 'token-added', 'sign-in-added', 'webhook-added', 'webhook-secret')),
  -- The factor, passkey, bank account, token, identity or webhook that changed.
  subject_id uuid,
  -- The address that the mail was sent to; null if the account had none: the change then cannot be undone.
  told text,
  -- Hash of the token in that mail, which is stored nowhere else.
  token_hash text unique,
  happened_at timestamptz not null default clock_timestamp(),
  undone_at timestamptz
);
create index account_changes_newest_idx on private.account_changes (user_id, happened_at desc);
alter table private.account_changes enable row level security;
revoke all on private.account_changes from public, anon, authenticated, service_role;

-- Masks an address, so that only its owner recognises it.
create function private.masked_address(p_address text) returns text
language sql immutable set search_path = '' as $$
  select left(p_address, 1) || '***' || substring(p_address from '@[^@]*$')
$$;

-- Mails the address that the account had before the change. A new address is masked in the mail, or 'none' if the account has no address
-- any more.
create function private.mail_account_change(p_change private.account_changes, p_token text) returns void
language sql volatile security definer set search_path = '' as $$
  select private.write_mail(p_change.told, p_change.user_id, 'account-' || p_change.kind, jsonb_build_object(
    'at', p_change.happened_at, 'hours', private.hours_of(private.undo_lifetime()), 'address',
    coalesce(private.masked_address((select email from auth.users where id = p_change.user_id and p_change.kind = 'email')), 'none')
  ), format('/undo-change#change=%s&token=%s', p_change.kind, p_token), array[p_change.id::text])
$$;

-- Records a change of an account whose address is confirmed, and mails the previous address. Triggers on the auth service's tables
-- call this; an error here would make the sign-in or the change fail, so nothing here may raise one.
create function private.note_account_change(p_user_id uuid, p_kind text, p_told text, p_subject_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_change private.account_changes;
begin
  -- An undo is not a change itself. An account that is being deleted, or whose address was never confirmed, has no address to tell.
  if current_setting('private.undoing', true) = 'on' or not exists (
    select from auth.users where id = p_user_id and deleted_at is null and email_confirmed_at is not null
  ) then
    return;
  end if;
  -- The time is strictly later than that of the last change, even with a coarse clock: a link undoes its own change and all later ones.
  insert into private.account_changes (user_id, kind, subject_id, told, token_hash, happened_at)
  select p_user_id, p_kind, p_subject_id, address, case when address is not null then encode(sha256(convert_to(v_token, 'UTF8')), 'hex') end,
    greatest(clock_timestamp(),
      (select max(c.happened_at) from private.account_changes as c where c.user_id = p_user_id) + interval '1 microsecond')
  from (select case when private.is_mailable(p_told) then p_told end as address) as whom
  returning * into v_change;
  if v_change.told is not null then
    perform private.mail_account_change(v_change, v_token);
  end if;
end $$;

create function private.tg_users__tell_change() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Until the first address is confirmed, every change is part of signing up.
  if old.email_confirmed_at is null then return null; end if;
  if lower(new.email) is distinct from lower(old.email) then
    perform private.note_account_change(new.id, 'email', old.email, null);
  end if;
  -- The first password of an account that nobody has used is part of its creation.
  if nullif(new.encrypted_password, '') is distinct from nullif(old.encrypted_password, '')
    and (nullif(old.encrypted_password, '') is not null or old.last_sign_in_at is not null) then
    perform private.note_account_change(new.id, 'password', old.email, null);
  end if;
  return null;
end $$;
create trigger tell_change after update on auth.users for each row
  when (old.email is distinct from new.email or old.encrypted_password is distinct from new.encrypted_password)
  execute function private.tg_users__tell_change();

-- A factor counts once it is verified. Our server gives the recovery code factor a new date when new codes are made.
create function private.tg_mfa_factors__tell_change() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_factor auth.mfa_factors := coalesce(new, old);
  v_is_codes boolean := v_factor.factor_type::text = 'recovery_code';
begin
  if v_factor.status::text = 'verified' then
    perform private.note_account_change(v_factor.user_id, case
      when v_is_codes then 'recovery-codes' when tg_op = 'DELETE' then 'factor-removed' else 'factor-added'
    end, (select email from auth.users where id = v_factor.user_id), v_factor.id);
  end if;
  return null;
end $$;
create trigger tell_change after insert or delete on auth.mfa_factors
  for each row execute function private.tg_mfa_factors__tell_change();
create trigger tell_new_state after update on auth.mfa_factors for each row
  when (old.status is distinct from new.status or old.created_at is distinct from new.created_at)
  execute function private.tg_mfa_factors__tell_change();

create function private.tg_webauthn_credentials__tell_change() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_passkey auth.webauthn_credentials := coalesce(new, old);
begin
  perform private.note_account_change(v_passkey.user_id,
    case tg_op when 'DELETE' then 'passkey-removed' else 'passkey-added' end,
    (select email from auth.users where id = v_passkey.user_id), v_passkey.id);
  return null;
end $$;
do $$ begin
  -- Older auth services lack this table.
  if to_regclass('auth.webauthn_credentials') is not null then
    create trigger tell_change after insert or delete on auth.webauthn_credentials
      for each row execute function private.tg_webauthn_credentials__tell_change();
  end if;
end $$;

-- Our site links a sign-in provider to an account without asking the account's holder if the provider vouches for the account's
-- address, so the holder is told.
create function private.tg_identities__tell_change() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- The first identity came with the account.
  if exists (select from auth.identities where user_id = new.user_id and id <> new.id) then
    perform private.note_account_change(new.user_id, 'sign-in-added', (select email from auth.users where id = new.user_id), new.id);
  end if;
  return null;
end $$;
create trigger tell_change after insert on auth.identities for each row
  when (new.provider <> 'email') execute function private.tg_identities__tell_change();

-- Undoes the change behind this link and every later change, since the same person is taken to have made them. Afterwards no secret
-- that an intruder may know opens the account; its owner chooses a new password by a mail to the address returned.
create function private.undo_account_change(p_token text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_hash text := encode(sha256(convert_to(coalesce(p_token, ''), 'UTF8')), 'hex');
  v_user uuid;
  v_change private.account_changes;
  v_email text;
  v_undone private.account_changes;
begin
  -- Locks the account, so that only one undo runs at a time, and none during a change by the auth service.
  select account.id into v_user from auth.users as account
  where account.id = (select user_id from private.account_changes where token_hash = v_hash)
    and (account.deleted_at is null or private.is_closed(account.id)) for no key update;
  select * into v_change from private.account_changes where token_hash = v_hash and user_id = v_user;
  if not found then
    perform private.refuse('link_unknown');
  elsif v_change.undone_at is not null then
    perform private.refuse('change_already_undone');
  elsif v_change.happened_at <= now() - private.undo_lifetime() then
    perform private.refuse('link_expired');
  end if;
  if private.is_closed(v_user) then
    return private.undo_on_closed_account(v_change);
  end if;
  perform set_config('private.undoing', 'on', true);

  -- After several changes of the address, only the first names the original one.
  select told into v_email from private.account_changes
  where user_id = v_user and kind = 'email' and undone_at is null and happened_at >= v_change.happened_at
  order by happened_at limit 1;
  if v_email is not null then
    -- Another person may have signed up with this address since; an account that has not confirmed the address is deleted.
    delete from auth.users where lower(email) = lower(v_email) and id <> v_user and email_confirmed_at is null;
    if exists (select from auth.users where lower(email) = lower(v_email) and id <> v_user) then
      perform private.refuse('address_taken');
    end if;
    update auth.users set email = v_email, email_confirmed_at = now(),
      raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('email', v_email) where id = v_user;
    update auth.identities set identity_data = identity_data || jsonb_build_object('email', v_email), updated_at = now()
    where user_id = v_user and provider = 'email';
  end if;

  for v_undone in
    update private.account_changes set undone_at = clock_timestamp()
    where user_id = v_user and undone_at is null and happened_at >= v_change.happened_at returning *
  loop
    perform private.cancel_mail(v_undone.id::text);
    delete from auth.mfa_factors where id = v_undone.subject_id;
    delete from auth.identities where id = v_undone.subject_id;
    delete from private.webhooks where id = v_undone.subject_id;
    if v_undone.kind = 'passkey-added' then
      delete from auth.webauthn_credentials where id = v_undone.subject_id;
    elsif v_undone.kind = 'bank-account' then
      perform private.undo_bank_account(v_undone.subject_id);
    end if;
  end loop;
  delete from auth.mfa_factors where user_id = v_user and status = 'unverified';
  -- An intruder may have made a token, or have seen one of the owner's.
  delete from private.api_tokens where user_id = v_user;
  delete from private.calendars where user_id = v_user and made_at >= v_change.happened_at;
  -- A sign-in provider linked since the change would still let the intruder in.
  delete from auth.identities where user_id = v_user and provider <> 'email' and created_at >= v_change.happened_at;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set encrypted_password = null, email_change = '', updated_at = now() where id = v_user
  returning email into v_email;
  perform set_config('private.undoing', '', true);
  return jsonb_build_object('kind', v_change.kind, 'happened_at', v_change.happened_at, 'email', v_email,
    'next', format('To choose a new password, use “Forgot your password?” on the sign-in page. We’ll email a link to %s.', v_email));
end $$;
select private.publish('undo_account_change', 'anon', 'authenticated');

-- Recent changes to the acting user's account, newest first.
create function private.recent_account_changes()
returns table (kind text, happened_at timestamptz, undone_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
  select c.kind, c.happened_at, c.undone_at from private.account_changes as c
  where c.user_id = v_user and c.happened_at > now() - private.change_memory() order by c.happened_at desc limit 50;
end $$;
select private.publish('recent_account_changes', 'authenticated');
