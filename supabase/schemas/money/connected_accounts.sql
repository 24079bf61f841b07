-- Owners' own accounts at the payment provider (Stripe Connect), on sites that use them. The provider keeps the owner's identity
-- and bank account. Earnings are transferred there as soon as they are earned, and the provider pays them out.

-- An owner's account, as the provider describes it.
create table private.connected_accounts (
  user_id uuid primary key references private.user_profiles (user_id) on delete restrict,
  reference text not null unique check (char_length(reference) between 1 and 200),
  -- Whether the account may receive money, and may pay it out.
  can_receive boolean not null default false,
  can_pay_out boolean not null default false,
  -- Details that the provider still asks for, in its words, and the deadline.
  asked text[] not null default '{}',
  asked_by timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  checked_at timestamptz not null default clock_timestamp(),
  -- The last day, in UTC, whose movements have been compared with ours (reconciliation.sql).
  compared date
);
alter table private.connected_accounts enable row level security;
create trigger record after insert on private.connected_accounts
  for each row execute function private.tg_private__record('payout account', '{user_id}');

-- Transfers of money from the site to an owner's own account. A transfer is booked when it is queued, so that it is sent only once.
create table private.account_transfers (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.connected_accounts (user_id) on delete restrict,
  -- The payment whose earnings are sent; null for coins that the owner moves. If dispute_id is set, the transfer returns money that
  -- the dispute had taken from the account, because the dispute was won.
  payment_id uuid references public.member_payments (id) on delete restrict,
  dispute_id text references public.payment_disputes (id) on delete restrict,
  amount numeric(12, 2) not null check (amount > 0),
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  reference text unique,
  reason text check (char_length(reason) <= 200),
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz
);
create index account_transfers_user_idx on private.account_transfers (user_id, created_at desc);
create index account_transfers_payment_idx on private.account_transfers (payment_id);
create index account_transfers_dispute_idx on private.account_transfers (dispute_id);
alter table private.account_transfers enable row level security;
create trigger record after insert on private.account_transfers
  for each row execute function private.tg_private__record('transfer to an account', '{id}');
create trigger record_state after insert or update on private.account_transfers
  for each row execute function private.tg_private__record('state of a transfer', '{id}');

-- Part of a transfer that is taken back, because a bank has taken the payment back, or staff have refunded the payment after a
-- warning or at the provider. Until the provider has taken the money back, the owner owes it.
create table private.account_reversals (
  id uuid primary key default gen_random_uuid(),
  transfer_id uuid not null references private.account_transfers (id) on delete restrict,
  dispute_id text references public.payment_disputes (id) on delete restrict,
  warning_id text references public.fraud_warnings (id) on delete restrict,
  refund_id uuid references private.refunds (id) on delete restrict,
  amount numeric(12, 2) not null check (amount > 0),
  -- void: the transfer itself never arrived.
  status text not null default 'queued' check (status in ('queued', 'done', 'void')),
  reference text unique,
  created_at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  constraint has_one_reason check (num_nonnulls(dispute_id, warning_id, refund_id) = 1)
);
create index account_reversals_transfer_idx on private.account_reversals (transfer_id);
create index account_reversals_dispute_idx on private.account_reversals (dispute_id);
create index account_reversals_warning_idx on private.account_reversals (warning_id);
create index account_reversals_refund_idx on private.account_reversals (refund_id);
alter table private.account_reversals enable row level security;
create trigger record after insert on private.account_reversals
  for each row execute function private.tg_private__record('reversal', '{id}');
create trigger record_state after insert or update on private.account_reversals
  for each row execute function private.tg_private__record('state of a reversal', '{id}');

-- Payouts of the provider from an account to its owner's bank; negative if it collected a debt of the account from the bank.
create table private.account_payouts (
  -- The provider's id.
  id text primary key check (char_length(id) <= 200),
  user_id uuid not null references private.connected_accounts (user_id) on delete restrict,
  amount numeric(12, 2) not null check (amount <> 0),
  -- The provider's status: pending, in_transit, paid, failed, canceled.
  status text not null check (char_length(status) <= 100),
  arrives_on date,
  reason text check (char_length(reason) <= 200),
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
create index account_payouts_user_idx on private.account_payouts (user_id, created_at desc);
alter table private.account_payouts enable row level security;
create trigger record after insert or update on private.account_payouts
  for each row execute function private.tg_private__record('payout', '{id}');

create function private.uses_accounts() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.payment_provider where connect);
end $$;

create function private.has_own_account(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.uses_accounts() and exists (select from private.connected_accounts where user_id = p_user_id and can_receive);
end $$;

create function private.queue_account_job(p_kind text, p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.queue_payment_jobs(p_kind, array[p_id::text], coalesce((select provider from private.payment_provider), 'stripe'));
end $$;

-- Queues a transfer that has been booked.
create function private.queue_account_transfer(
  p_user_id uuid, p_amount numeric, p_payment_id uuid default null, p_dispute_id text default null, p_id uuid default gen_random_uuid()
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.account_transfers (id, user_id, payment_id, dispute_id, amount)
  values (p_id, p_user_id, p_payment_id, p_dispute_id, p_amount);
  perform private.queue_account_job('transfer', p_id);
  return p_id;
end $$;

-- Moves coins of a person to their account at the provider. The caller has locked the wallet.
create function private.send_coins(p_user_id uuid, p_coins numeric) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_id uuid := gen_random_uuid();
begin
  perform private.transfer('account:' || v_id, private.ledger_account('wallet', p_user_id), private.ledger_account('connected', p_user_id),
    p_coins, 'account', p_description => 'Moved to your own account');
  perform private.queue_account_transfer(p_user_id, p_coins, p_id => v_id);
end $$;

-- Returns why a person's coins may not be moved to their account yet (payouts are held, or a payment to the person may be taken
-- back), as a refusal and its values; null if the coins may be moved.
create function private.moving_refusal(p_user_id uuid) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare v_until timestamptz := private.withdrawals_wait_until(p_user_id);
begin
  return case when private.hold_refusal(p_user_id) is not null then private.hold_refusal(p_user_id)
    when v_until = 'infinity' then array['coins_disputed']
    when v_until > private.now() then array['coins_too_fresh', private.day_for(p_user_id, v_until)] end;
end $$;

-- Moves all available coins of the acting user to their own account; returns how many. Raises 23514 if there are no coins, if the
-- account cannot receive them, or if the coins have to wait like a withdrawal.
create function private.move_coins_to_account() returns numeric
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_coins numeric;
  v_refusal text[];
begin
  if not private.has_own_account(v_user) then
    perform private.refuse('payouts_not_set_up');
  end if;
  perform private.lock_ledger(array(
    select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_user));
  v_coins := private.payable_coins(v_user);
  if v_coins = 0 then
    perform private.refuse('no_coins_to_move');
  end if;
  v_refusal := private.moving_refusal(v_user);
  if v_refusal is not null then
    perform private.refuse(variadic v_refusal);
  end if;
  perform private.send_coins(v_user, v_coins);
  return v_coins;
end $$;
select private.publish('move_coins_to_account', 'authenticated');

-- Returns the transfer as an order for the provider; null if nothing has to be sent.
create function private.account_transfer_order(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', t.id, 'account', a.reference, 'amountCents', round(t.amount * 100)::integer, 'currency', 'eur',
    'group', t.payment_id, 'intent', case when m.coins = 0 then c.intent end,
    'since', floor(extract(epoch from t.created_at))::integer)
  from private.account_transfers as t join private.connected_accounts as a using (user_id)
  left join public.member_payments as m on m.id = t.payment_id left join private.charges as c on c.payment_id = m.id
  where t.id = p_id and t.status = 'queued' and not private.transfers_wait(t.user_id)
$$;

create function private.account_reversal_order(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', r.id, 'transfer', t.reference, 'amountCents', round(r.amount * 100)::integer)
  from private.account_reversals as r join private.account_transfers as t on t.id = r.transfer_id
  where r.id = p_id and r.status = 'queued' and t.status = 'sent'
$$;

-- Records the outcome of a transfer: sent, with the provider's id, or refused for good, with a reason. A refused amount returns to
-- the owner's wallet, less the part that a bank has taken back meanwhile.
create function private.record_account_transfer(p_id uuid, p_reference text, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_transfer private.account_transfers;
  v_back numeric;
begin
  select * into v_transfer from private.account_transfers where id = p_id;
  perform private.lock_ledger(array(
    select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_transfer.user_id));
  select * into v_transfer from private.account_transfers where id = p_id for update;
  if v_transfer.status <> 'queued' then return; end if;
  if p_reference is not null then
    update private.account_transfers set status = 'sent', reference = p_reference, sent_at = clock_timestamp() where id = p_id;
    -- A bank may have taken the payment back before the transfer was sent; and with new money in the account, waiting reversals may
    -- succeed.
    perform private.queue_account_job('reversal', r.id) from private.account_reversals as r
    join private.account_transfers as t on t.id = r.transfer_id where t.user_id = v_transfer.user_id and r.status = 'queued' and t.status = 'sent';
    return;
  end if;
  update private.account_transfers set status = 'failed', reason = p_reason where id = p_id;
  v_back := v_transfer.amount - coalesce((select sum(amount) from private.account_reversals where transfer_id = p_id), 0);
  update private.account_reversals set status = 'void' where transfer_id = p_id;
  if v_back > 0 then
    perform private.transfer('account-failed:' || p_id, private.ledger_account('connected', v_transfer.user_id),
      private.ledger_account('wallet', v_transfer.user_id), v_back, 'account-failed', p_description => 'Not accepted by your own account');
  end if;
  perform private.mail_notification(private.notify(v_transfer.user_id, 'warning', null, 'payout-account-refused',
    jsonb_build_object('amount', v_transfer.amount)), '{}', '/account-settings/money');
end $$;

-- Records that the provider has taken back the amount of this reversal.
create function private.record_account_reversal(p_id uuid, p_reference text) returns void
language sql volatile security definer set search_path = '' as $$
  update private.account_reversals set status = 'done', reference = p_reference, done_at = clock_timestamp() where id = p_id and status = 'queued'
$$;

-- Takes back up to p_amount of the transfers of a payment; returns how much. For a dispute, the money is booked as taken by the bank;
-- for a warning or a refund made by hand, as on its way back to the card. The caller has locked the accounts.
create function private.debit_connected_account(
  p_payment public.member_payments, p_amount numeric, p_dispute_id text, p_warning_id text default null, p_refund_id uuid default null
) returns numeric
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_why text := case when p_dispute_id is not null then 'disputed' when p_warning_id is not null then 'warned' else 'refunded' end;
  v_transfer record;
  v_rest numeric := p_amount;
  v_part numeric;
  v_reversal uuid;
begin
  for v_transfer in
    select t.id, t.status, t.amount - coalesce((select sum(r.amount) from private.account_reversals as r where r.transfer_id = t.id), 0) as amount
    from private.account_transfers as t where t.payment_id = p_payment.id and t.status <> 'failed' order by t.created_at, t.id
  loop
    v_part := least(v_rest, v_transfer.amount);
    continue when v_part <= 0;
    insert into private.account_reversals (transfer_id, dispute_id, warning_id, refund_id, amount)
    values (v_transfer.id, p_dispute_id, p_warning_id, p_refund_id, v_part)
    returning id into v_reversal;
    if v_transfer.status = 'sent' then
      perform private.queue_account_job('reversal', v_reversal);
    end if;
    v_rest := v_rest - v_part;
  end loop;
  if v_rest = p_amount then return 0; end if;
  perform private.transfer(case v_why when 'disputed' then format('dispute:%s:connected', p_dispute_id)
    when 'warned' then format('warned:%s:%s', p_payment.id, p_warning_id) else format('by-hand:%s:connected', p_refund_id) end,
    private.ledger_account('connected', p_payment.owner_id),
    private.ledger_account(case v_why when 'disputed' then 'outside' else 'refunds_due' end), p_amount - v_rest,
    case v_why when 'disputed' then 'chargeback' else 'refund' end, p_payment.seat_id, p_payment.id,
    p_payment.plan_name || ': payment taken back');
  perform private.mail_notification(private.notify(p_payment.owner_id, 'warning', null, 'payout-taken-back',
    jsonb_build_object('plan', p_payment.plan_name, 'amount', p_amount - v_rest, 'why', v_why)),
    '{}', '/account-settings/money');
  return p_amount - v_rest;
end $$;

-- Records a payout of an owner's account. Events may arrive in any order: a payout that was paid is booked once, and so is its
-- return if it fails later. Returns false if the account is unknown.
create function private.record_account_payout(
  p_account text, p_payout text, p_amount numeric, p_status text, p_arrives_on date, p_reason text
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := (select user_id from private.connected_accounts where reference = p_account);
  v_from bigint;
  v_to bigint := private.ledger_account('outside');
  v_before text;
begin
  if v_user is null then return false; end if;
  v_from := private.ledger_account('connected', v_user);
  perform private.lock_ledger(array[v_from, v_to]);
  if p_amount < 0 then
    select v_to, v_from into v_from, v_to;
  end if;
  v_before := (select status from private.account_payouts where id = p_payout);
  if v_before in ('failed', 'canceled') or (v_before = 'paid' and p_status not in ('failed', 'canceled')) then return true; end if;
  insert into private.account_payouts (id, user_id, amount, status, arrives_on, reason)
  values (p_payout, v_user, p_amount, p_status, p_arrives_on, p_reason)
  on conflict (id) do update set status = excluded.status, arrives_on = excluded.arrives_on, reason = excluded.reason,
    changed_at = clock_timestamp();
  if p_status = 'paid' then
    perform private.transfer('payout:' || p_payout, v_from, v_to, abs(p_amount), 'payout',
      p_description => case when p_amount > 0 then 'Paid out by the provider' else 'Paid to the provider by the bank' end);
  elsif v_before = 'paid' then
    perform private.transfer('payout-failed:' || p_payout, v_to, v_from, abs(p_amount), 'payout-failed', p_description => 'Returned by the bank');
  end if;
  if p_status = 'failed' and p_amount > 0 then
    perform private.mail_notification(private.notify(v_user, 'warning', null, 'payout-returned', jsonb_build_object('amount', p_amount)),
      '{}', '/account-settings/money');
  end if;
  return true;
end $$;

-- Returns the acting user's account to the Edge Function, which reads it or, if p_opens, opens it and links to it: {userId, email,
-- country if they have stated it, account}. Refused on sites that do not send money to such accounts.
create function private.own_payout_account(p_opens boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.uses_accounts() then
    perform private.refuse('site_pays_by_bank');
  end if;
  if p_opens is not false then
    perform private.require_recent_proof();
    perform private.ensure_profile(v_user);
  end if;
  return jsonb_build_object('userId', v_user, 'email', private.email_of(v_user),
    'country', (select country from private.home_countries where user_id = v_user), 'account', (select reference from private.connected_accounts where user_id = v_user));
end $$;
select private.publish('own_payout_account', 'authenticated');

-- Stores the account that was opened for a person, unless one is stored already, and returns the stored account.
create function private.register_account(p_user_id uuid, p_reference text) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.connected_accounts (user_id, reference) values (p_user_id, p_reference) on conflict (user_id) do nothing;
  perform private.ledger_account('wallet', p_user_id), private.ledger_account('connected', p_user_id);
  return (select reference from private.connected_accounts where user_id = p_user_id);
end $$;

-- Records how the provider describes an account, and tells its owner about relevant changes. Returns false if the account is unknown.
create function private.record_account(p_reference text, p_can_receive boolean, p_can_pay_out boolean, p_asked text[], p_asked_by timestamptz)
returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_before private.connected_accounts;
begin
  select * into v_before from private.connected_accounts where reference = p_reference for update;
  if not found then return false; end if;
  update private.connected_accounts set can_receive = p_can_receive, can_pay_out = p_can_pay_out, asked = coalesce(p_asked, '{}'),
    asked_by = p_asked_by, checked_at = clock_timestamp() where reference = p_reference;
  if p_can_receive and not v_before.can_receive then
    perform private.notify(v_before.user_id, 'success', null, 'payout-account-ready');
  elsif v_before.can_receive and not p_can_receive then
    perform private.mail_notification(private.notify(v_before.user_id, 'warning', null, 'payout-account-stopped'),
      '{}', '/account-settings/money');
  end if;
  return true;
end $$;

-- Payouts of the acting user through the site: {uses, account: {canReceive, canPayOut, asked, askedBy} or null, coinsWaitUntil (a
-- time, or infinity during a dispute), coming (not sent yet), there (in the account), owed (by the user), transfers, payouts};
-- amounts in EUR, the latest of each list first.
create function private.my_payouts() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_balance numeric := coalesce((select balance from private.ledger_accounts where kind = 'connected' and owner = v_user), 0);
  v_coming numeric := coalesce((select sum(amount) from private.account_transfers where user_id = v_user and status = 'queued'), 0);
begin
  return jsonb_build_object(
    'uses', private.uses_accounts(),
    'account', (select jsonb_build_object('canReceive', can_receive, 'canPayOut', can_pay_out, 'asked', to_jsonb(asked), 'askedBy', asked_by)
      from private.connected_accounts where user_id = v_user),
    'coinsWaitUntil', (select until from private.withdrawals_wait_until(v_user) as until where until > private.now()),
    'coming', v_coming, 'there', greatest(0, v_balance - v_coming), 'owed', greatest(0, v_coming - v_balance),
    'transfers', coalesce((select jsonb_agg(to_jsonb(last)) from (
      select t.id, t.created_at as at, t.amount, t.status, m.plan_name as plan, t.dispute_id is not null as is_back,
        (select sum(r.amount) from private.account_reversals as r where r.transfer_id = t.id and r.status <> 'void') as taken
      from private.account_transfers as t left join public.member_payments as m on m.id = t.payment_id
      where t.user_id = v_user order by t.created_at desc, t.id limit 20) as last), '[]'),
    'payouts', coalesce((select jsonb_agg(to_jsonb(last)) from (
      select p.id, p.created_at as at, p.amount, p.status, p.arrives_on from private.account_payouts as p
      where p.user_id = v_user order by p.created_at desc, p.id limit 20) as last), '[]'));
end $$;
select private.publish('my_payouts', 'authenticated');

create function private.knows_account(p_reference text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.connected_accounts where reference = p_reference)
$$;

-- Only the Edge Function `payments` may call these.
select private.publish('knows_account', 'service_role');
select private.publish('register_account', 'service_role');
select private.publish('record_account', 'service_role');
select private.publish('record_account_transfer', 'service_role');
select private.publish('record_account_reversal', 'service_role');
select private.publish('record_account_payout', 'service_role');
revoke all on private.connected_accounts, private.account_transfers, private.account_reversals, private.account_payouts
  from public, anon, authenticated, service_role;
