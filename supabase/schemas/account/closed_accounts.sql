-- Accounts that ended while the site owed them money. The site pays to the bank account that the person named, and keeps that
-- account, the e-mail address and the language until it has paid. Money that cannot be paid, or comes back, stays in the old wallet
-- until the person opens an account with the same address and confirms it; the money then moves to the new wallet.
create table private.closed_accounts (
  user_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  email text not null,
  closed_at timestamptz not null default private.now()
);
alter table private.closed_accounts enable row level security;

create function private.is_closed(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.closed_accounts where user_id = p_user_id);
end $$;

-- Returns whether the site still holds or sends money for this person, or a bank can still return a payout.
create function private.is_owed(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.user_wallets where user_id = p_user_id and coin_balance > 0)
    or exists (select from public.withdrawal_requests where user_id = p_user_id and returned_at is null
      and status = 'completed' and completed_at > private.now() - private.payout_return_time())
    -- A refund that the provider refuses goes to the wallet.
    or exists (select from private.refunds as r join public.member_payments as m on m.id = r.payment_id
      where m.member_id = p_user_id and private.is_open_refund(r.status))
    -- A charge under way is refunded once it arrives.
    or exists (select from private.payment_jobs as j join public.member_payments as m on m.id::text = j.about
      where m.member_id = p_user_id and j.kind = 'charge')
    -- Money held during an open problem may come back.
    or exists (select from public.seat_problems where p_user_id in (member_id, owner_id) and status <> 'closed')
$$;

-- Sends a mail to the former owner of the account.
create function private.mail_closed_account(p_closed private.closed_accounts, p_event text, p_params jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  select private.write_mail(p_closed.email, p_closed.user_id, p_event,
    p_params || jsonb_build_object('days', extract(day from private.payout_return_time())), '/sign-up')
  where private.is_mailable(p_closed.email)
$$;

-- Keeps the address of an account that ends while the site owes it money, deletes bank accounts that no open withdrawal needs, and mails
-- the person which withdrawals are still to come.
create function private.record_closed_account(p_user_id uuid, p_email text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_closed private.closed_accounts;
  v_open record;
begin
  insert into private.closed_accounts (user_id, email) values (p_user_id, p_email) returning * into v_closed;
  delete from private.bank_accounts as a where a.user_id = p_user_id and not exists (
    select from public.withdrawal_requests where bank_account_id = a.id and private.is_open_withdrawal(status));
  for v_open in
    select string_agg(distinct bank_account_last4, ', ') as last4, sum(amount) as amount from public.withdrawal_requests
    where user_id = p_user_id and private.is_open_withdrawal(status) having count(*) > 0
  loop
    perform private.mail_closed_account(v_closed, 'account-closed',
      jsonb_build_object('amount', v_open.amount, 'known', v_open.last4 is not null, 'last4', coalesce(v_open.last4, '')));
  end loop;
end $$;

-- Tells the person the outcome of a withdrawal of a closed account.
create function private.tell_closed_account(p_withdrawal public.withdrawal_requests, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_closed private.closed_accounts;
begin
  select * into v_closed from private.closed_accounts where user_id = p_withdrawal.user_id;
  if p_withdrawal.status = 'rejected' or p_withdrawal.returned_at is not null then
    perform private.mail_closed_account(v_closed, 'payout-failed',
      jsonb_build_object('amount', p_withdrawal.amount, 'reason', p_reason, 'why', p_withdrawal.status));
  elsif p_withdrawal.status = 'completed' then
    perform private.mail_closed_account(v_closed, 'payout-made',
      jsonb_build_object('amount', p_withdrawal.amount, 'last4', p_withdrawal.bank_account_last4));
  end if;
end $$;

-- Undoes, on a closed account, a change that its owner did not make and every later change: the changed bank account is taken back,
-- and mail goes to the previous address again.
create function private.undo_on_closed_account(p_change private.account_changes) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_undone private.account_changes;
  v_email text;
begin
  select told into v_email from private.account_changes where user_id = p_change.user_id and kind = 'email'
    and undone_at is null and happened_at >= p_change.happened_at order by happened_at limit 1;
  update private.closed_accounts set email = coalesce(lower(v_email), email) where user_id = p_change.user_id returning email into v_email;
  for v_undone in
    update private.account_changes set undone_at = clock_timestamp()
    where user_id = p_change.user_id and undone_at is null and happened_at >= p_change.happened_at returning *
  loop
    perform private.cancel_mail(v_undone.id::text);
    if v_undone.kind = 'bank-account' then
      perform private.undo_bank_account(v_undone.subject_id);
    end if;
  end loop;
  return jsonb_build_object('kind', p_change.kind, 'happened_at', p_change.happened_at, 'email', v_email,
    'next', format('The account is closed. What was left in it waits for an account that is opened with %s.', v_email));
end $$;

-- Moves money left in wallets of closed accounts to new accounts with the same address, and deletes the rows of closed accounts to
-- which the site owes nothing any more. The scheduled job may call this a minute late without harm.
create function private.settle_closed_accounts() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_closed private.closed_accounts;
  v_heir uuid;
  v_coins numeric;
  v_waits timestamptz;
begin
  for v_closed in select * from private.closed_accounts order by user_id for update skip locked loop
    select id into v_heir from auth.users
    where lower(email) = v_closed.email and email_confirmed_at is not null and deleted_at is null;
    v_waits := private.withdrawals_wait_until(v_closed.user_id);
    if v_heir is not null and coalesce(v_waits <= private.now(), true) then
      perform private.lock_ledger(array[private.ledger_account('wallet', v_closed.user_id), private.ledger_account('wallet', v_heir)]);
      v_coins := private.payable_coins(v_closed.user_id);
      if v_coins > 0 then
        perform private.transfer(format('handed-over:%s:%s', v_closed.user_id,
            (select version from private.ledger_accounts where kind = 'wallet' and owner = v_closed.user_id)),
          private.ledger_account('wallet', v_closed.user_id), private.ledger_account('wallet', v_heir), v_coins, 'handed-over',
          p_description => 'Left in the account you closed');
        perform private.notify(v_heir, 'success', null, 'coins-handed-over', jsonb_build_object('coins', v_coins));
      end if;
    end if;
    if not private.is_owed(v_closed.user_id) then
      delete from private.bank_accounts where user_id = v_closed.user_id;
      delete from private.account_changes where user_id = v_closed.user_id;
      delete from private.user_details where user_id = v_closed.user_id;
      delete from private.closed_accounts where user_id = v_closed.user_id;
      delete from private.vault_keys where person_id = v_closed.user_id and not private.needs_vault_key(v_closed.user_id);
    end if;
  end loop;
end $$;

revoke all on private.closed_accounts from public, anon, authenticated, service_role;
