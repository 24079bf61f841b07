-- The books: whether they are right, and what is told of them.

-- Carries in what wallets held before there was a ledger; each once.
create function private.open_books() returns void
language sql volatile security definer set search_path = '' as $$
  select private.transfer('opening:' || w.user_id, private.ledger_account('outside'), private.ledger_account('wallet', w.user_id),
    w.coin_balance, 'opening', p_description => 'Coins from before the ledger')
  from public.user_wallets as w
  where w.coin_balance > 0 and not exists (
    select from private.ledger_accounts where kind = 'wallet' and owner = w.user_id and version > 0
  )
  order by w.created_at, w.user_id
$$;
select private.open_books();

-- What is wrong with the books; no row when nothing is.
create function private.check_books() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  select 'The balances do not add up to zero', 'all accounts', 0::numeric, sum(balance)
  from private.ledger_accounts having sum(balance) <> 0
  union all
  select 'An account does not equal its entries', a.kind || ' ' || coalesce(a.owner::text, ''), coalesce(e.amount, 0), a.balance
  from private.ledger_accounts as a left join (
    select account_id, sum(amount) as amount, count(*) as entries, max(version) as version
    from private.ledger_entries group by account_id
  ) as e on e.account_id = a.id
  where a.balance <> coalesce(e.amount, 0) or (a.version, a.version) <> (coalesce(e.entries, 0), coalesce(e.version, 0))
  union all
  select 'An account is below zero', kind || ' ' || coalesce(owner::text, ''), 0, balance from private.ledger_accounts
  where balance < 0 and kind not in ('outside', 'guarantee', 'costs', 'adjustments')
  union all
  select 'A transfer does not equal its entries', t.key, t.amount, coalesce(sum(e.amount) filter (where e.amount > 0), 0)
  from private.ledger_transfers as t left join private.ledger_entries as e on e.transfer_id = t.id
  group by t.id
  having (count(*), sum(e.amount) filter (where e.account_id = t.from_account), sum(e.amount) filter (where e.account_id = t.to_account))
    is distinct from (2::bigint, -t.amount, t.amount)
  union all
  select 'An entry does not go on from the one before', account_id || ' ' || version, was, balance_before from (
    select account_id, version, balance_before, coalesce(lag(balance_after) over (partition by account_id order by version), 0) as was
    from private.ledger_entries
  ) as e where balance_before <> was
  union all
  select 'A wallet does not equal the ledger', w.user_id::text, coalesce(a.balance, 0), w.coin_balance
  from public.user_wallets as w full join (select * from private.ledger_accounts where kind = 'wallet') as a on a.owner = w.user_id
  where coalesce(a.balance, 0) is distinct from w.coin_balance
  union all
  select 'A wallet does not equal its coins', coalesce(w.user_id, c.user_id)::text, w.coin_balance, coalesce(c.coins, 0)
  from public.user_wallets as w full join (
    select user_id, sum(case when transaction_type in ('earned', 'refunded') then amount else -amount end) as coins
    from public.coin_transactions group by user_id
  ) as c on c.user_id = w.user_id
  where w.coin_balance is distinct from coalesce(c.coins, 0)
$$;

revoke execute on all functions in schema private from public;
