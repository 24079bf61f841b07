-- The smallest number of coins that can be withdrawn.
create function private.least_withdrawal() returns numeric
language sql immutable return 20::numeric;
-- The maximum length of the reference under which a bank or a payment provider knows a transfer.
create function private.longest_bank_reference() returns integer
language sql immutable return 200;
grant execute on function private.least_withdrawal(), private.longest_bank_reference() to authenticated, service_role;

-- How long a new owner's withdrawals wait after the first earnings from a card payment, which a bank may take back.
create function private.card_earnings_wait() returns interval
language sql immutable return interval '30 days';

-- How long withdrawals wait after the first earnings from a bank debit, which the payer may take back for eight weeks without a reason.
create function private.debit_earnings_wait() returns interval
language sql immutable return interval '56 days';

-- How long a bank may take to return a payout.
create function private.payout_return_time() returns interval
language sql immutable return interval '30 days';

-- Returns whether a withdrawal has yet to be paid.
create function private.is_open_withdrawal(p_status text) returns boolean
language sql immutable return p_status in ('pending', 'processing');
-- An index of the table calls this function, so the person who inserts a withdrawal must be allowed to execute it.
grant execute on function private.is_open_withdrawal(text) to authenticated, service_role;

-- Requests to pay out coins to a bank account, open and past.
create table public.withdrawal_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.user_profiles (user_id) on delete restrict,
  -- The type has no scale, because numeric(12, 2) would round 20.001 before a check could refuse it.
  amount numeric not null check (
    amount between case when closes_account then 0.01 else private.least_withdrawal() end and private.most_coins() and amount = round(amount, 2)
  ),
  -- Whether the withdrawal pays out the whole balance of an account that is being closed, however small.
  closes_account boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'rejected')),
  requested_at timestamptz not null default clock_timestamp(),
  processed_at timestamptz,
  completed_at timestamptz,
  rejection_reason text check (char_length(rejection_reason) <= 500),
  stripe_transfer_id text check (char_length(stripe_transfer_id) <= private.longest_bank_reference()),
  bank_account_last4 text check (char_length(bank_account_last4) <= 4),
  -- The member of staff who approved or rejected the withdrawal, and the one who completed it; null for the server. If one rejects a
  -- withdrawal that another has approved, only the staff log names both.
  processed_by uuid references auth.users (id) on delete restrict,
  completed_by uuid references auth.users (id) on delete restrict,
  -- The person's bank account at the time of the request; adding another account does not change it.
  bank_account_id uuid references private.bank_accounts (id) on delete set null,
  -- When the bank returned the money after completion.
  returned_at timestamptz,
  returned_by uuid references auth.users (id) on delete restrict,
  return_reason text check (char_length(return_reason) <= 500),
  constraint a_return_has_a_reason check ((returned_at is null) = (return_reason is null))
);
create index withdrawal_requests_processed_by_idx on public.withdrawal_requests (processed_by);
create index withdrawal_requests_completed_by_idx on public.withdrawal_requests (completed_by);
create index withdrawal_requests_user_idx on public.withdrawal_requests (user_id, requested_at desc);
create index withdrawal_requests_open_idx on public.withdrawal_requests (requested_at) where private.is_open_withdrawal(status);
create index withdrawal_requests_newest_idx on public.withdrawal_requests (requested_at desc);
create index withdrawal_requests_bank_account_idx on public.withdrawal_requests (bank_account_id);
create index withdrawal_requests_returned_by_idx on public.withdrawal_requests (returned_by);
alter table public.withdrawal_requests enable row level security;
create trigger record after insert or update on public.withdrawal_requests
  for each row execute function private.tg_private__record('withdrawal', '{id}');
create trigger record_paid after insert or update on public.withdrawal_requests
  for each row when (new.status = 'completed') execute function private.tg_private__record('paid withdrawal', '{id}');
select private.send_changes('withdrawal_requests');
create policy "People see their own withdrawals, admins all" on public.withdrawal_requests
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff()));
create policy "People withdraw from their own wallet" on public.withdrawal_requests
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
create policy "Admins process withdrawals" on public.withdrawal_requests
  for update to authenticated using ((select private.proven(private.may('users.edit')))) with check ((select private.proven(private.may('users.edit'))));

-- Returns whether the caller is an admin and this person has requested a withdrawal: a payout needs the name on the account.
create function private.may_pay_out(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.may('users.edit') and private.may_act_as_staff()
    and exists (select from public.withdrawal_requests where user_id = p_user_id);
end $$;
grant execute on function private.may_pay_out(uuid) to authenticated;
create policy "People read their own details, admins those of whom they pay" on private.user_details
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit')) and private.may_pay_out(user_id));

-- Returns why a withdrawal of this amount is not allowed, as a refusal and its values; null if it is allowed.
create function private.withdrawal_refusal(p_user_id uuid, p_amount numeric, p_closes_account boolean default false) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  v_available numeric := private.payable_coins(p_user_id);
  v_owed numeric := private.owed_to_site(p_user_id);
begin
  return case
    when p_amount is null or p_amount = 'NaN' or p_amount <= 0 or p_amount <> round(p_amount, 2) then array['amount_invalid']
    when p_amount < private.least_withdrawal() and not p_closes_account then array['withdrawal_too_small', private.least_withdrawal()::text]
    when p_amount > v_available and v_owed > 0
      then array['debt_to_site', private.money(v_owed)]
    when p_amount > v_available then array['withdrawal_too_large', v_available::text]
    when auth.uid() is not null and not private.has_bank_account(p_user_id)
      then array['bank_account_missing']
    else private.hold_refusal(p_user_id)
  end;
end $$;

create function private.validate_withdrawal_request(p_user_id uuid, p_amount numeric) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_refusal text[];
begin
  perform private.require_self(p_user_id);
  v_refusal := private.withdrawal_refusal(p_user_id, p_amount);
  if v_refusal is null then
    return jsonb_build_object('valid', true, 'error', null);
  end if;
  return jsonb_build_object('valid', false, 'error', private.refusal(v_refusal) -> 'message') || private.refusal(v_refusal);
end $$;
select private.publish('validate_withdrawal_request', 'authenticated');

-- Locks the wallet first, so that two simultaneous withdrawals cannot reserve the same coins.
create function private.tg_withdrawal_requests__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_refusal text[];
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      perform private.refuse('wallet_of_another');
    end if;
    new.user_id := v_user;
    new.status := 'pending';
    new.requested_at := clock_timestamp();
  end if;
  perform private.lock_wallet(new.user_id);
  v_refusal := private.withdrawal_refusal(new.user_id, new.amount, new.closes_account);
  if private.is_open_withdrawal(new.status) and v_refusal is not null then
    perform private.refuse(variadic v_refusal);
  end if;
  return new;
end $$;
create trigger fill before insert on public.withdrawal_requests
  for each row execute function private.tg_withdrawal_requests__fill();

-- Allows the status to change from pending to processing or rejected, and from processing to completed or rejected; completion
-- moves the coins. Staff cannot pay themselves, and unless the site has turned that off, one admin approves and another completes.
create function private.tg_withdrawal_requests__decide() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if new.user_id = v_user then
    perform private.refuse('own_withdrawal_decided');
  elsif (old.status, new.status) not in (('pending', 'processing'), ('pending', 'rejected'),
    ('processing', 'completed'), ('processing', 'rejected')) then
    perform private.refuse('withdrawal_step_not_allowed', old.status, new.status);
  elsif new.status = 'completed' and old.processed_by = v_user and private.takes_two_admins() then
    perform private.refuse('approved_this_withdrawal');
  -- After a restore, a withdrawal that looks open may have been paid. One that was approved before can still be noted as paid.
  elsif new.status = 'processing' and private.are_payments_held() then
    perform private.refuse('payments_held');
  end if;
  if char_length(new.bank_account_last4) > 4 then
    perform private.refuse('last_digits_wrong');
  end if;
  new.stripe_transfer_id := coalesce(nullif(btrim(new.stripe_transfer_id), ''), old.stripe_transfer_id);
  new.bank_account_last4 := coalesce(nullif(btrim(new.bank_account_last4), ''), old.bank_account_last4);
  if new.status <> 'completed' then
    new.processed_at := clock_timestamp();
    new.processed_by := v_user;
    new.completed_at := null;
    new.completed_by := null;
  else
    new.processed_at := old.processed_at;
    new.processed_by := old.processed_by;
    new.completed_at := clock_timestamp();
    new.completed_by := v_user;
  end if;
  if new.status <> 'rejected' then
    if btrim(new.rejection_reason) <> '' then
      perform private.refuse('reason_without_rejection');
    end if;
    new.rejection_reason := null;
  end if;
  if new.status = 'completed' then
    perform private.transfer('withdrawal:' || new.id, private.ledger_account('wallet', new.user_id),
      private.ledger_account('outside'), new.amount, 'withdrawal', p_description => 'Withdrawal to bank account');
  elsif new.status = 'rejected' and coalesce(btrim(new.rejection_reason), '') = '' then
    perform private.refuse('reason_missing');
  end if;
  if private.is_closed(new.user_id) then
    perform private.tell_closed_account(new, new.rejection_reason);
  else
    perform private.notify(new.user_id, case new.status when 'rejected' then 'warning' else 'info' end, null, 'withdrawal-' || new.status,
      jsonb_build_object('coins', round(new.amount, 2)));
  end if;
  return new;
end $$;
-- Fields that a decision sets can only be changed by a decision.
create trigger decide
  before update of status, processed_at, completed_at, stripe_transfer_id, bank_account_last4, rejection_reason,
    processed_by, completed_by
  on public.withdrawal_requests
  for each row execute function private.tg_withdrawal_requests__decide();

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

-- Refuses staff who would handle a withdrawal of their own, of a person whose coins they adjusted, or of a person in whose favour they
-- decided a problem.
create function private.require_impartial(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_user_id = auth.uid() then
    perform private.refuse('own_withdrawal_decided');
  elsif exists (
    select from private.ledger_transfers
    where person_id = p_user_id and kind = 'adjustment' and created_by = auth.uid()
  ) then
    perform private.refuse('adjusted_this_wallet');
  elsif exists (
    select from public.seat_problems where decided_by = auth.uid()
      and p_user_id = case outcome when 'for-owner' then owner_id when 'for-member' then member_id end
  ) then
    perform private.refuse('decided_problem_for_person');
  end if;
end $$;

-- Runs after `decide`: checks the actor, the payment file and the bank account.
create function private.tg_withdrawal_requests__guard_payout() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_account private.bank_accounts;
begin
  perform private.require_impartial(new.user_id);
  if new.status = 'rejected' and private.payout_file_of(new.id) is not null then
    perform private.refuse('withdrawal_in_payment_file');
  end if;
  select * into v_account from private.bank_accounts where id = new.bank_account_id;
  if not found then return new; end if;
  if new.bank_account_last4 <> v_account.last4 then
    perform private.refuse('withdrawal_to_other_account', v_account.last4);
  elsif new.status = 'processing' and private.payable_from(v_account) > private.now() then
    perform private.refuse('bank_account_new', (private.hours_of(private.payable_from(v_account) - private.now()))::text);
  end if;
  return new;
end $$;
create trigger guard_payout before update of status on public.withdrawal_requests
  for each row execute function private.tg_withdrawal_requests__guard_payout();

-- Records that the bank returned a completed withdrawal, and gives the coins back. Like paying a withdrawal, this takes two admins
-- unless the site has turned that off.
create function private.return_withdrawal(p_withdrawal_id uuid, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_reason text := btrim(coalesce(p_reason, ''));
  v_withdrawal public.withdrawal_requests;
begin
  select * into v_withdrawal from public.withdrawal_requests where id = p_withdrawal_id for update;
  if not found then
    perform private.refuse('withdrawal_not_found');
  end if;
  perform private.require_impartial(v_withdrawal.user_id);
  if v_withdrawal.status <> 'completed' or v_withdrawal.returned_at is not null then
    perform private.refuse('withdrawal_not_returnable');
  elsif v_withdrawal.completed_by = v_user and private.takes_two_admins() then
    perform private.refuse('completed_this_withdrawal');
  elsif v_reason = '' then
    perform private.refuse('bank_reason_missing');
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
  perform private.notify(v_withdrawal.user_id, 'warning', null, 'withdrawal-returned',
    jsonb_build_object('coins', round(v_withdrawal.amount, 2), 'reason', v_reason));
end $$;
select private.publish('return_withdrawal', 'authenticated');

revoke all on public.withdrawal_requests from public, anon, authenticated, service_role;
grant select, insert (user_id, amount), update (status, processed_at, completed_at, stripe_transfer_id, bank_account_last4, rejection_reason)
  on public.withdrawal_requests to authenticated;
grant select on public.withdrawal_requests to service_role;

create trigger refuse before insert or update on public.withdrawal_requests
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
