-- Coins an owner has earned: 1 coin is 1 euro. The balance is always the sum of coin_transactions.
create table public.user_wallets (
  user_id uuid primary key references public.user_profiles (user_id) on delete restrict,
  coin_balance numeric(12, 2) not null default 0 check (coin_balance >= 0),
  total_earned numeric(12, 2) not null default 0 check (total_earned >= 0),
  total_withdrawn numeric(12, 2) not null default 0 check (total_withdrawn >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index user_wallets_balance_idx on public.user_wallets (coin_balance desc);
-- Every movement, in coins, always positive; the type says which way.
create table public.coin_transactions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.user_profiles (user_id) on delete restrict,
  transaction_type text not null check (transaction_type in ('earned', 'spent', 'withdrawn', 'refunded')),
  amount numeric(12, 2) not null check (amount > 0),
  description text not null check (char_length(description) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  -- Who moved them; null for the server. It names the account, so that a movement has one profile: its owner's.
  created_by uuid default auth.uid() references auth.users (id) on delete restrict
);
create index coin_transactions_created_by_idx on public.coin_transactions (created_by);
create index coin_transactions_newest_idx on public.coin_transactions (user_id, created_at desc);
create index coin_transactions_all_idx on public.coin_transactions (created_at desc);
-- Coins on their way to a bank account.
create table public.withdrawal_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.user_profiles (user_id) on delete restrict,
  -- Without a scale: with one, 20.001 would be 20.00 before anything here could refuse it.
  amount numeric not null check (
    amount between case when closes_account then 0.01 else private.least_withdrawal() end and private.most_coins() and amount = round(amount, 2)
  ),
  -- All that is left of an account that ends, however little.
  closes_account boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'rejected')),
  requested_at timestamptz not null default clock_timestamp(),
  processed_at timestamptz,
  completed_at timestamptz,
  rejection_reason text check (char_length(rejection_reason) <= 500),
  stripe_transfer_id text check (char_length(stripe_transfer_id) <= 200),
  bank_account_last4 text check (char_length(bank_account_last4) <= 4),
  -- Who approved or rejected it, and who then completed or rejected what was processing; null for the server.
  processed_by uuid references auth.users (id) on delete restrict,
  completed_by uuid references auth.users (id) on delete restrict
);
create index withdrawal_requests_processed_by_idx on public.withdrawal_requests (processed_by);
create index withdrawal_requests_completed_by_idx on public.withdrawal_requests (completed_by);
create index withdrawal_requests_user_idx on public.withdrawal_requests (user_id, requested_at desc);
create index withdrawal_requests_newest_idx on public.withdrawal_requests (requested_at desc);
alter table public.user_wallets enable row level security;
alter table public.coin_transactions enable row level security;
alter table public.withdrawal_requests enable row level security;

create policy "People see their own wallet, admins all" on public.user_wallets
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff()));
create policy "People see their own transactions, admins all" on public.coin_transactions
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff()));
create policy "People see their own withdrawals, admins all" on public.withdrawal_requests
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff()));
create policy "People withdraw from their own wallet" on public.withdrawal_requests
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
create policy "Admins process withdrawals" on public.withdrawal_requests
  for update to authenticated using ((select private.proven(private.may('users.edit')))) with check ((select private.proven(private.may('users.edit'))));
-- Does the caller, an admin, pay this person? A payout needs the name on the account.
create function private.pays(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.may('users.edit') and private.may_act_as_staff()
    and exists (select from public.withdrawal_requests where user_id = p_user_id);
end $$;
alter policy "People read their own details" on public.user_details rename to "People read their own details, admins those of whom they pay";
alter policy "People read their own details, admins those of whom they pay" on public.user_details
  using (user_id = (select auth.uid()) or private.pays(user_id));

-- The wallet, made with zeros when missing, and its account in the ledger, locked until the transaction ends.
create function private.lock_wallet(p_user_id uuid) returns public.user_wallets
language plpgsql volatile security definer set search_path = '' as $$
declare v_wallet public.user_wallets;
begin
  perform private.ensure_profile(p_user_id);
  perform private.lock_ledger(array[private.ledger_account('wallet', p_user_id)]);
  select * into v_wallet from public.user_wallets where user_id = p_user_id;
  return v_wallet;
end $$;

-- The wallet of whoever reads it first and has none yet.
create function private.open_own_wallet() returns public.user_wallets
language sql volatile security definer set search_path = '' as $$
  select private.lock_wallet(private.require_user())
$$;
create function public.open_own_wallet() returns public.user_wallets
language sql volatile set search_path = '' as $$ select private.open_own_wallet() $$;

-- Writes a movement of coins into the wallet and answers with its time. For private.transfer alone, which holds the lock
-- of the wallet's account. Never below zero, and what waits to be paid out goes nowhere else.
create function private.write_coins(p_user_id uuid, p_type text, p_amount numeric, p_description text, p_at timestamptz)
returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_in boolean := p_type in ('earned', 'refunded');
  v_at timestamptz;
begin
  if not v_in then
    if (select coin_balance from public.user_wallets where user_id = p_user_id) < p_amount then
      raise exception 'The balance cannot go below zero' using errcode = '23514';
    elsif p_type = 'spent' and private.available_coins(p_user_id) < p_amount then
      raise exception 'Only % coins are available, because the others wait to be paid out',
        private.available_coins(p_user_id) using errcode = '23514';
    end if;
  end if;
  update public.user_wallets set
    coin_balance = coin_balance + case when v_in then p_amount else -p_amount end,
    total_earned = total_earned + case when p_type = 'earned' then p_amount else 0 end,
    total_withdrawn = total_withdrawn + case when p_type = 'withdrawn' then p_amount else 0 end,
    updated_at = now()
  where user_id = p_user_id;
  -- Each movement is later than the one before, however coarse the clock: newest first is the order they happened in.
  insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
  values (p_user_id, p_type, p_amount, p_description, greatest(p_at,
    (select max(t.created_at) from public.coin_transactions as t where t.user_id = p_user_id) + interval '1 microsecond'))
  returning created_at into v_at;
  return v_at;
end $$;

-- Tells somebody of the first coins they have ever earned.
create function private.tg_user_wallets__tell_first_coins() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.notify(new.user_id, 'success', 'First Coins', format('Your first %s coins are in your wallet.', new.total_earned),
    null, 'first-coins', jsonb_build_object('amount', new.total_earned));
  return null;
end $$;
create trigger tell_first_coins after update of total_earned on public.user_wallets
  for each row when (old.total_earned = 0 and new.total_earned > 0)
  execute function private.tg_user_wallets__tell_first_coins();

-- Coins not yet spoken for: the balance less what waits or is being paid out.
create function private.available_coins(p_user_id uuid) returns numeric
language sql stable security definer set search_path = '' as $$
  select greatest(0.00,
    coalesce((select coin_balance from public.user_wallets where user_id = p_user_id), 0)
    - coalesce((select round(sum(amount), 2) from public.withdrawal_requests
        where user_id = p_user_id and status in ('pending', 'processing')), 0))
$$;
-- Why this amount cannot be withdrawn, or null when it can.
create function private.withdrawal_refusal(p_user_id uuid, p_amount numeric, p_closes_account boolean default false) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_available numeric := private.available_coins(p_user_id);
begin
  return case
    when p_amount is null or p_amount = 'NaN' or p_amount <= 0 or p_amount <> round(p_amount, 2) then 'Please enter a valid amount'
    when p_amount < private.least_withdrawal() and not p_closes_account then format('Minimum withdrawal amount is %s coins', private.least_withdrawal())
    when p_amount > v_available then format('Maximum withdrawal amount is %s coins', v_available)
    when auth.uid() is not null and not private.has_bank_account(p_user_id)
      then 'Add the bank account that your coins are to be paid to'
  end;
end $$;

create function private.validate_withdrawal_request(p_user_id uuid, p_amount numeric) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_refusal text;
begin
  perform private.require_self(p_user_id);
  v_refusal := private.withdrawal_refusal(p_user_id, p_amount);
  return jsonb_build_object('valid', v_refusal is null, 'error', v_refusal);
end $$;
create function public.validate_withdrawal_request(p_user_id uuid, p_amount numeric) returns jsonb
language sql stable set search_path = '' as $$ select private.validate_withdrawal_request(p_user_id, p_amount) $$;

-- Two withdrawals at once cannot both reserve the same coins: the wallet is locked first.
create function private.tg_withdrawal_requests__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_refusal text;
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only withdraw from your own wallet' using errcode = '42501';
    end if;
    new.user_id := v_user;
    new.status := 'pending';
    new.requested_at := clock_timestamp();
  end if;
  perform private.lock_wallet(new.user_id);
  v_refusal := private.withdrawal_refusal(new.user_id, new.amount, new.closes_account);
  if new.status in ('pending', 'processing') and v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  end if;
  return new;
end $$;
create trigger fill before insert on public.withdrawal_requests
  for each row execute function private.tg_withdrawal_requests__fill();

-- pending to processing or rejected, processing to completed or rejected, nothing else; completion moves the coins.
-- Nobody pays themselves out, and no admin pays out alone: another one decides, and another one completes.
create function private.tg_withdrawal_requests__decide() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if new.user_id = v_user then
    raise exception 'Someone else decides about your own withdrawal' using errcode = '42501';
  elsif (old.status, new.status) not in (('pending', 'processing'), ('pending', 'rejected'),
    ('processing', 'completed'), ('processing', 'rejected')) then
    raise exception 'A % withdrawal cannot become %', old.status, new.status using errcode = '23514';
  elsif new.status = 'completed' and old.processed_by = v_user then
    raise exception 'Another admin completes what you approved' using errcode = '42501';
  end if;
  if char_length(new.bank_account_last4) > 4 then
    raise exception 'Enter the last 4 digits, such as 3000' using errcode = '23514';
  end if;
  new.stripe_transfer_id := coalesce(nullif(btrim(new.stripe_transfer_id), ''), old.stripe_transfer_id);
  new.bank_account_last4 := coalesce(nullif(btrim(new.bank_account_last4), ''), old.bank_account_last4);
  if old.status = 'pending' then
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
      raise exception 'Only a rejection has a reason' using errcode = '23514';
    end if;
    new.rejection_reason := null;
  end if;
  if new.status = 'completed' then
    perform private.transfer('withdrawal:' || new.id, private.ledger_account('wallet', new.user_id),
      private.ledger_account('outside'), new.amount, 'withdrawal', p_description => 'Withdrawal to bank account');
  elsif new.status = 'rejected' and coalesce(btrim(new.rejection_reason), '') = '' then
    raise exception 'A rejection needs a reason' using errcode = '23514';
  end if;
  if private.is_closed(new.user_id) then
    perform private.tell_closed_account(new, new.rejection_reason);
  else
    perform private.notify(new.user_id, case new.status when 'rejected' then 'warning' else 'info' end,
      'Withdrawal ' || initcap(new.status), format('Your withdrawal of %s coins is now %s.', round(new.amount, 2), new.status),
      null, 'withdrawal-' || new.status, jsonb_build_object('amount', round(new.amount, 2)));
  end if;
  return new;
end $$;
-- What comes with a decision cannot be rewritten without one.
create trigger decide
  before update of status, processed_at, completed_at, stripe_transfer_id, bank_account_last4, rejection_reason,
    processed_by, completed_by
  on public.withdrawal_requests
  for each row execute function private.tg_withdrawal_requests__decide();

revoke all on public.user_wallets, public.coin_transactions, public.withdrawal_requests
  from public, anon, authenticated, service_role;
grant select on public.user_wallets, public.coin_transactions, public.withdrawal_requests to authenticated;
grant insert (user_id, amount), update (status, processed_at, completed_at, stripe_transfer_id, bank_account_last4, rejection_reason)
  on public.withdrawal_requests to authenticated;
grant select on public.user_wallets, public.coin_transactions, public.withdrawal_requests to service_role;
revoke execute on all functions in schema private from public;
revoke execute on function public.open_own_wallet(), public.validate_withdrawal_request(uuid, numeric) from public, anon, authenticated, service_role;
grant execute on function private.pays(uuid) to authenticated;
grant execute on function private.validate_withdrawal_request(uuid, numeric), public.validate_withdrawal_request(uuid, numeric),
  private.open_own_wallet(), public.open_own_wallet() to authenticated;
