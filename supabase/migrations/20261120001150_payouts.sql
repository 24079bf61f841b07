-- Where a person is paid to: IBAN and holder, sealed by the function `vault`. A change is a new row, so that a withdrawal goes
-- where it was asked to go; the newest that was not taken back is the person's account.
create table private.bank_accounts (
  id uuid primary key,
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  version integer not null check (version > 0),
  last4 text not null check (last4 ~ '^[0-9A-Z]{4}$'),
  sealed text not null check (char_length(sealed) between 1 and 1000),
  created_at timestamptz not null default private.now(),
  taken_back_at timestamptz,
  unique (user_id, version)
);
alter table private.bank_accounts enable row level security;

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

-- From when withdrawals to it are paid: a change that a thief made can be taken back before.
create function private.payable_from(p_account private.bank_accounts) returns timestamptz
language sql stable
return p_account.created_at + private.payout_delay();

-- The acting user's bank account as people see it, or null.
create function private.get_bank_account() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('last4', a.last4, 'added_at', a.created_at, 'payable_from', private.payable_from(a))
  from private.current_bank_account(private.require_user()) as a where a.id is not null
$$;
create function public.get_bank_account() returns jsonb
language sql stable set search_path = '' as $$ select private.get_bank_account() $$;

-- What the function `vault` has to know to seal the acting user's next bank account.
create function private.prepare_bank_account() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  perform private.require_recent_proof();
  return jsonb_build_object('owner', jsonb_build_object('kind', 'person', 'id', v_user),
    'version', coalesce((select max(version) from private.bank_accounts where user_id = v_user), 0) + 1,
    'key', private.vault_key_of(v_user));
end $$;
create function public.prepare_bank_account() returns jsonb
language sql stable set search_path = '' as $$ select private.prepare_bank_account() $$;

-- Stores the acting user's bank account as the function `vault` sealed it, with the first data key where it made one.
create function private.save_bank_account(p_id uuid, p_version integer, p_last4 text, p_sealed text, p_key jsonb)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  perform private.require_recent_proof();
  perform private.ensure_profile(v_user);
  if p_key is not null then
    perform private.keep_vault_key(p_key);
  end if;
  insert into private.bank_accounts (id, user_id, version, last4, sealed)
  values (p_id, v_user, p_version, p_last4, p_sealed) on conflict do nothing;
  if not found then
    raise exception 'Something else was stored at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  return private.get_bank_account();
end $$;
create function public.save_bank_account(p_id uuid, p_version integer, p_last4 text, p_sealed text, p_key jsonb)
returns jsonb
language sql volatile set search_path = '' as $$
  select private.save_bank_account(p_id, p_version, p_last4, p_sealed, p_key)
$$;

create function private.tg_bank_accounts__tell_change() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.note_account_change(new.user_id, 'bank-account', private.email_of(new.user_id), new.id);
  return null;
end $$;
create trigger tell_change after insert on private.bank_accounts
  for each row execute function private.tg_bank_accounts__tell_change();

-- Undoes that it became somebody's account: the one before is theirs again, and withdrawals that would go to it, and are
-- in no payment file yet, go back. Nobody decides about these: the link in the mail does, whoever is signed in where it
-- is opened.
create function private.take_back_bank_account(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_claims text := coalesce(current_setting('request.jwt.claims', true), '');
begin
  perform set_config('request.jwt.claims', '', true);
  update private.bank_accounts set taken_back_at = private.now() where id = p_id;
  update public.withdrawal_requests set status = 'rejected', rejection_reason = 'The bank account was taken back.'
  where bank_account_id = p_id and status in ('pending', 'processing') and private.payout_file_of(id) is null;
  perform set_config('request.jwt.claims', v_claims, true);
end $$;


-- A withdrawal names the account it goes to: the person's present one, by which it stays when another is added.
alter table public.withdrawal_requests
  add column bank_account_id uuid references private.bank_accounts (id) on delete set null,
  -- The bank sent the money back after completion.
  add column returned_at timestamptz,
  add column returned_by uuid references auth.users (id) on delete restrict,
  add column return_reason text check (char_length(return_reason) <= 500),
  add constraint a_return_has_a_reason check ((returned_at is null) = (return_reason is null));
create index withdrawal_requests_bank_account_idx on public.withdrawal_requests (bank_account_id);
create index withdrawal_requests_returned_by_idx on public.withdrawal_requests (returned_by);

create function private.tg_withdrawal_requests__name_account() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_account private.bank_accounts := private.current_bank_account(new.user_id);
begin
  if auth.uid() is null or v_account.id is null then return new; end if;
  new.bank_account_id := v_account.id;
  new.bank_account_last4 := v_account.last4;
  return new;
end $$;
create trigger name_account before insert on public.withdrawal_requests
  for each row execute function private.tg_withdrawal_requests__name_account();

-- Refuses staff who pay themselves, or somebody whom they have given or taken coins or for whom they have decided.
create function private.require_impartial(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_user_id = auth.uid() then
    raise exception 'Someone else decides about your own withdrawal' using errcode = '42501';
  elsif exists (
    select from private.ledger_transfers
    where person_id = p_user_id and kind = 'adjustment' and created_by = auth.uid()
  ) then
    raise exception 'You have adjusted this wallet: another admin processes its withdrawals' using errcode = '42501';
  elsif exists (
    select from public.seat_problems where decided_by = auth.uid()
      and p_user_id = case outcome when 'for-owner' then owner_id when 'for-member' then member_id end
  ) then
    raise exception 'You have decided a problem for this person: another admin processes their withdrawals' using errcode = '42501';
  end if;
end $$;

-- After `decide`: what stands against the step.
create function private.tg_withdrawal_requests__guard_payout() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_account private.bank_accounts;
begin
  perform private.require_impartial(new.user_id);
  if new.status = 'rejected' and private.payout_file_of(new.id) is not null then
    raise exception 'This withdrawal is in a payment file. Void the file first.' using errcode = '23514';
  end if;
  select * into v_account from private.bank_accounts where id = new.bank_account_id;
  if not found then return new; end if;
  if new.bank_account_last4 <> v_account.last4 then
    raise exception 'This withdrawal goes to the account ending in %', v_account.last4 using errcode = '23514';
  elsif new.status = 'processing' and private.payable_from(v_account) > private.now() then
    raise exception 'This bank account is new: it can be paid in % hours',
      private.hours(private.payable_from(v_account) - private.now()) using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard_payout before update of status on public.withdrawal_requests
  for each row execute function private.tg_withdrawal_requests__guard_payout();

-- Notes that the bank sent a completed withdrawal back, which gives the coins back. As with paying, not by one admin alone.
create function private.return_withdrawal(p_withdrawal_id uuid, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_reason text := btrim(coalesce(p_reason, ''));
  v_withdrawal public.withdrawal_requests;
begin
  select * into v_withdrawal from public.withdrawal_requests where id = p_withdrawal_id for update;
  if not found then
    raise exception 'Withdrawal not found' using errcode = 'PT404';
  end if;
  perform private.require_impartial(v_withdrawal.user_id);
  if v_withdrawal.status <> 'completed' or v_withdrawal.returned_at is not null then
    raise exception 'Only a completed withdrawal can come back, and once' using errcode = '23514';
  elsif v_withdrawal.completed_by = v_user then
    raise exception 'Another admin notes the return of what you completed' using errcode = '42501';
  elsif v_reason = '' then
    raise exception 'A return needs the reason the bank gave' using errcode = '23514';
  end if;
  update public.withdrawal_requests set returned_at = clock_timestamp(), returned_by = v_user, return_reason = v_reason
  where id = p_withdrawal_id returning * into v_withdrawal;
  perform private.transfer('withdrawal-returned:' || p_withdrawal_id, private.ledger_account('outside'),
    private.ledger_account('wallet', v_withdrawal.user_id), v_withdrawal.amount, 'withdrawal-returned',
    p_description => left('Withdrawal returned by the bank: ' || v_reason, 500));
  perform private.log_staff('withdrawal returned', p_withdrawal_id::text, jsonb_build_object('reason', v_reason));
  if private.is_closed(v_withdrawal.user_id) then
    perform private.tell_closed_account(v_withdrawal, v_reason);
    return;
  end if;
  perform private.notify(v_withdrawal.user_id, 'warning', 'Withdrawal Returned',
    format('The bank sent your withdrawal of %s coins back: %s. The coins are in your wallet again; please check your bank account.',
      round(v_withdrawal.amount, 2), v_reason), null, 'withdrawal-returned',
    jsonb_build_object('amount', v_withdrawal.amount, 'reason', v_reason));
end $$;
create function public.return_withdrawal(p_withdrawal_id uuid, p_reason text) returns void
language sql volatile set search_path = '' as $$ select private.return_withdrawal(p_withdrawal_id, p_reason) $$;

revoke execute on all functions in schema private from public;
revoke execute on function public.get_bank_account(), public.prepare_bank_account(),
  public.save_bank_account(uuid, integer, text, text, jsonb), public.return_withdrawal(uuid, text)
  from public, anon, authenticated, service_role;
grant execute on function private.get_bank_account(), public.get_bank_account(), private.prepare_bank_account(),
  public.prepare_bank_account(), private.save_bank_account(uuid, integer, text, text, jsonb),
  public.save_bank_account(uuid, integer, text, text, jsonb), private.return_withdrawal(uuid, text),
  public.return_withdrawal(uuid, text) to authenticated;
