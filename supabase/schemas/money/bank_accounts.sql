-- How long a withdrawal to a newly added bank account waits before it may be paid.
create function private.payout_delay() returns interval
language sql immutable return interval '24 hours';

-- A person's bank account: IBAN and holder, sealed by the function `vault`. A change adds a row, so a withdrawal still goes to the
-- account it was requested for; the newest row that was not taken back is the current account.
create table private.bank_accounts (
  id uuid primary key,
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  version integer not null check (version > 0),
  last4 text not null check (last4 ~ '^[0-9A-Z]{4}$'),
  sealed text not null check (char_length(sealed) between 1 and 1000),
  created_at timestamptz not null default private.now(),
  taken_back_at timestamptz,
  unique (user_id, version)
);
alter table private.bank_accounts enable row level security;
create trigger record after insert or delete on private.bank_accounts
  for each row execute function private.tg_private__record('bank account', '{id}');
create trigger record_state after insert or update or delete on private.bank_accounts
  for each row execute function private.tg_private__record('state of a bank account', '{id}');

create function private.current_bank_account(p_user_id uuid) returns private.bank_accounts
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select a from private.bank_accounts as a where user_id = p_user_id and taken_back_at is null order by version desc limit 1
  );
end $$;

create function private.has_bank_account(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.bank_accounts where user_id = p_user_id and taken_back_at is null)
$$;

-- Returns the time from which withdrawals to the account may be paid. Until then, the owner can still undo a change made by a thief.
create function private.payable_from(p_account private.bank_accounts) returns timestamptz
language sql stable as $$
  select p_account.created_at + private.payout_delay()
$$;

-- Returns the acting user's bank account as it is shown to them, or null.
create function private.get_bank_account() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('last4', a.last4, 'added_at', a.created_at, 'payable_from', private.payable_from(a))
  from private.current_bank_account(private.require_user()) as a where a.id is not null
$$;
select private.publish('get_bank_account', 'authenticated');

-- Returns the data that the function `vault` needs to seal the acting user's next bank account.
create function private.prepare_bank_account() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  perform private.require_recent_proof();
  return jsonb_build_object('owner', jsonb_build_object('kind', 'person', 'id', v_user),
    'version', coalesce((select max(version) from private.bank_accounts where user_id = v_user), 0) + 1,
    'key', private.vault_key_of(v_user));
end $$;
select private.publish('prepare_bank_account', 'authenticated');

-- Stores a person's bank account as sealed by the function `vault`, and the person's first data key if the function made one. Only
-- that function may call this, after private.prepare_bank_account(), because data sealed by another caller could not be opened
-- later.
create function private.save_bank_account(p_user_id uuid, p_id uuid, p_version integer, p_last4 text, p_sealed text, p_key jsonb)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.act_for(p_user_id);
  perform private.spend_attempt('bank account');
  perform private.ensure_profile(p_user_id);
  if p_key is not null then
    perform private.store_vault_key(p_key);
  end if;
  insert into private.bank_accounts (id, user_id, version, last4, sealed)
  values (p_id, p_user_id, p_version, p_last4, p_sealed) on conflict do nothing;
  if not found then
    perform private.refuse('changed_meanwhile');
  end if;
  return private.get_bank_account();
end $$;
select private.publish('save_bank_account', 'service_role');

create function private.tg_bank_accounts__tell_change() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.note_account_change(new.user_id, 'bank-account', private.email_of(new.user_id), new.id);
  return null;
end $$;
create trigger tell_change after insert on private.bank_accounts
  for each row execute function private.tg_bank_accounts__tell_change();

-- Undoes the addition of a bank account: the previous account becomes current again, and open withdrawals to the undone account are
-- rejected unless a payment file already contains them. The rejections name no actor, because the link in the mail causes them, not
-- the person signed in on that device.
create function private.undo_bank_account(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_claims text := coalesce(current_setting('request.jwt.claims', true), '');
begin
  perform set_config('request.jwt.claims', '', true);
  update private.bank_accounts set taken_back_at = private.now() where id = p_id;
  update public.withdrawal_requests set status = 'rejected', rejection_reason = 'You undid adding this bank account.'
  where bank_account_id = p_id and private.is_open_withdrawal(status) and private.payout_file_of(id) is null;
  perform set_config('request.jwt.claims', v_claims, true);
end $$;
