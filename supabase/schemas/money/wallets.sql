-- People's wallets, with the coins they have earned: 1 coin is 1 euro. The balance always equals the sum of coin_transactions.
create table public.user_wallets (
  user_id uuid primary key references private.user_profiles (user_id) on delete restrict,
  -- The current balance, in coins.
  coin_balance numeric(12, 2) not null default 0 check (coin_balance >= 0),
  -- The number of coins ever earned.
  total_earned numeric(12, 2) not null default 0 check (total_earned >= 0),
  -- The number of coins ever withdrawn.
  total_withdrawn numeric(12, 2) not null default 0 check (total_withdrawn >= 0),
  created_at timestamptz not null default now(),
  -- Time of the last change.
  updated_at timestamptz not null default now()
);
create index user_wallets_balance_idx on public.user_wallets (coin_balance desc);
-- Movements of coins. Amounts are always positive; the type gives the direction.
create table public.coin_transactions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.user_profiles (user_id) on delete restrict,
  -- The kind of movement, which gives its direction.
  transaction_type text not null check (transaction_type in ('earned', 'spent', 'withdrawn', 'refunded')),
  -- The number of coins.
  amount numeric(12, 2) not null check (amount > 0),
  -- The purpose, in words.
  description text not null check (char_length(description) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  -- The person who moved the coins; null for the server (references auth.users, because a client's join with user_profiles has to mean the
  -- wallet's owner).
  created_by uuid default auth.uid() references auth.users (id) on delete restrict
);
create index coin_transactions_created_by_idx on public.coin_transactions (created_by);
create index coin_transactions_newest_idx on public.coin_transactions (user_id, created_at desc);
create index coin_transactions_all_idx on public.coin_transactions (created_at desc);
alter table public.user_wallets enable row level security;
select private.send_changes('user_wallets');
alter table public.coin_transactions enable row level security;
select private.send_changes('coin_transactions');

create policy "People see their own wallet, admins all" on public.user_wallets
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff()));
create policy "People see their own transactions, admins all" on public.coin_transactions
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff()));

-- Returns a person's wallet. The wallet and its ledger account are created with zeros if missing, and locked until the transaction
-- ends.
create function private.lock_wallet(p_user_id uuid) returns public.user_wallets
language plpgsql volatile security definer set search_path = '' as $$
declare v_wallet public.user_wallets;
begin
  perform private.ensure_profile(p_user_id);
  perform private.lock_ledger(array[private.ledger_account('wallet', p_user_id)]);
  select * into v_wallet from public.user_wallets where user_id = p_user_id;
  return v_wallet;
end $$;

-- Returns the acting user's wallet, which the first call creates.
create function private.open_own_wallet() returns public.user_wallets
language sql volatile security definer set search_path = '' as $$
  select private.lock_wallet(private.require_user())
$$;
select private.publish('open_own_wallet', 'authenticated');

-- Books a movement of coins into the wallet and returns its time. Only private.transfer() calls this, because it holds the lock of
-- the wallet's account. The balance never goes below zero, and coins reserved for a withdrawal cannot be spent.
create function private.write_coins(
  p_user_id uuid, p_kind text, p_is_in boolean, p_amount numeric, p_description text, p_at timestamptz
) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_type text := private.coin_type(p_kind, p_is_in);
  v_at timestamptz;
begin
  if not p_is_in then
    if (select coin_balance from public.user_wallets where user_id = p_user_id) < p_amount then
      perform private.refuse('balance_below_zero');
    elsif v_type = 'spent' and private.available_coins(p_user_id) < p_amount then
      perform private.refuse('coins_reserved', private.available_coins(p_user_id)::text);
    end if;
  end if;
  update public.user_wallets set
    coin_balance = coin_balance + case when p_is_in then p_amount else -p_amount end,
    total_earned = total_earned + case when v_type = 'earned' then p_amount else 0 end,
    total_withdrawn = total_withdrawn + case when p_kind in ('withdrawal', 'account') then p_amount
      when p_kind = 'withdrawal-returned' then -p_amount else 0 end,
    updated_at = now()
  where user_id = p_user_id;
  -- The time is strictly later than that of the last movement, even with a coarse clock, so that sorting by time gives the real order.
  insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
  values (p_user_id, v_type, p_amount, p_description, greatest(p_at,
    (select max(t.created_at) from public.coin_transactions as t where t.user_id = p_user_id) + interval '1 microsecond'))
  returning created_at into v_at;
  return v_at;
end $$;

-- Tells a person about the first coins they have earned.
create function private.tg_user_wallets__tell_first_coins() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.notify(new.user_id, 'success', null, 'first-coins', jsonb_build_object('coins', new.total_earned));
  return null;
end $$;
create trigger tell_first_coins after update of total_earned on public.user_wallets
  for each row when (old.total_earned = 0 and new.total_earned > 0)
  execute function private.tg_user_wallets__tell_first_coins();

-- Returns the coins that are free to use: the balance less withdrawals that are pending or processing.
create function private.available_coins(p_user_id uuid) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return greatest(0.00,
    coalesce((select coin_balance from public.user_wallets where user_id = p_user_id), 0)
    - coalesce((select round(sum(amount), 2) from public.withdrawal_requests
        where user_id = p_user_id and private.is_open_withdrawal(status)), 0));
end $$;
revoke all on public.user_wallets, public.coin_transactions from public, anon, authenticated, service_role;
grant select on public.user_wallets, public.coin_transactions to authenticated;
grant select on public.user_wallets, public.coin_transactions to service_role;
