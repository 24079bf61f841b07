-- Debts to the site: a member's bank returned a whole debit although some of it had been refunded, and the guarantee account
-- covered the difference. The member owes that amount: they pay it by card or with coins, and until then they cannot withdraw coins
-- and get no new place through the site.
create table public.debts (
  id uuid primary key default gen_random_uuid(),
  dispute_id text not null unique references public.payment_disputes (id) on delete restrict,
  payment_id uuid not null references public.member_payments (id) on delete restrict,
  member_id uuid not null references private.user_profiles (user_id) on delete restrict,
  plan_name text not null,
  -- The amounts covered by the guarantee account, and paid by the member with coins and by card, in EUR.
  amount numeric(12, 2) not null check (amount > 0),
  coins numeric(12, 2) not null default 0 check (coins >= 0),
  card numeric(12, 2) not null default 0 check (card >= 0),
  -- The amount still owed, in EUR.
  open numeric(12, 2) not null generated always as (amount - coins - card) stored check (open >= 0),
  opened_at timestamptz not null default private.now(),
  -- The provider's id of the charge to the member's card. However many attempts a charge takes, it can succeed only once, so the debt is
  -- not charged twice.
  intent text unique check (char_length(intent) <= 200),
  status text check (status in ('queued', 'charging', 'needs-action', 'failed', 'succeeded')),
  code text check (char_length(code) <= 200),
  card_id uuid,
  attempts integer not null default 0
);
create index debts_member_idx on public.debts (member_id, opened_at desc);
create index debts_payment_idx on public.debts (payment_id);
create trigger record after insert or update or delete on public.debts
  for each row execute function private.tg_private__record('debt to the site', '{id}');
alter table public.debts enable row level security;
create policy "People see what they owe the site, admins all" on public.debts
  for select to authenticated using (member_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff()));

create function private.owed_to_site(p_user_id uuid) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select coalesce(sum(open), 0.00) from public.debts where member_id = p_user_id);
end $$;

-- Returns how many coins a person may withdraw: their available coins minus what they owe the site.
create function private.payable_coins(p_user_id uuid) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return greatest(0.00, private.available_coins(p_user_id) - private.owed_to_site(p_user_id));
end $$;

-- If a debit was returned after a refund, records the amount covered by the guarantee account as the member's debt, and tells the
-- member and staff. An amount too small to charge to a card stays the site's loss.
create function private.note_debt(p_dispute_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_dispute public.payment_disputes;
  v_debt public.debts;
begin
  select * into v_dispute from public.payment_disputes where id = p_dispute_id;
  if v_dispute.from_guarantee < private.least_card_charge() then return; end if;
  insert into public.debts as d (dispute_id, payment_id, member_id, plan_name, amount)
  values (p_dispute_id, v_dispute.payment_id, v_dispute.member_id, v_dispute.plan_name, v_dispute.from_guarantee)
  on conflict (dispute_id) do update set amount = excluded.amount where d.amount < excluded.amount returning * into v_debt;
  if not found then return; end if;
  perform private.mail_notification(private.notify(v_debt.member_id, 'warning', null, 'payment-debt',
    jsonb_build_object('plan', v_debt.plan_name, 'amount', v_debt.open)),
    array[v_debt.id::text], '/payments');
  perform private.tell_treasurers('warning', 'payment-debt-opened', jsonb_build_object('plan', v_debt.plan_name, 'amount', v_debt.open));
end $$;

-- Deletes the debt of a dispute that was won after all. What the member has already paid is returned to them in coins. The caller
-- has locked the accounts.
create function private.end_debt(p_dispute_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_debt public.debts;
begin
  select * into v_debt from public.debts where dispute_id = p_dispute_id for update;
  if not found then return; end if;
  if v_debt.coins + v_debt.card > 0 then
    perform private.transfer('debt:' || v_debt.id || ':returned', private.ledger_account('guarantee'),
      private.ledger_account('wallet', v_debt.member_id), v_debt.coins + v_debt.card, 'debt',
      (select seat_id from public.member_payments where id = v_debt.payment_id), v_debt.payment_id, v_debt.plan_name || ': payment back');
  end if;
  delete from private.payment_jobs where kind = 'debt' and about = v_debt.id::text;
  delete from public.debts where id = v_debt.id;
end $$;

-- Books a payment towards a debt. The caller has locked the accounts.
create function private.book_debt(p_debt public.debts, p_from bigint, p_amount numeric, p_key text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_open numeric;
begin
  perform private.transfer(p_key, p_from, private.ledger_account('guarantee'), p_amount, 'debt',
    (select seat_id from public.member_payments where id = p_debt.payment_id), p_debt.payment_id, p_debt.plan_name || ': debt paid');
  update public.debts set
    coins = coins + case when p_from <> private.ledger_account('outside') then p_amount else 0 end,
    card = card + case when p_from = private.ledger_account('outside') then p_amount else 0 end
  where id = p_debt.id returning open into v_open;
  if v_open > 0 then return; end if;
  perform private.cancel_mail(p_debt.id::text);
  perform private.notify(p_debt.member_id, 'success', null, 'payment-debt-paid', jsonb_build_object('plan', p_debt.plan_name));
end $$;

-- Pays the acting user's debt with coins. If they do not cover all of it, the rest is kept large enough to charge to a card.
-- Returns the rest, in EUR.
create function private.pay_debt_with_coins(p_debt_id uuid) returns numeric
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_debt public.debts;
  v_wallet bigint := private.ledger_account('wallet', v_user);
  v_coins numeric;
begin
  perform private.lock_ledger(array[v_wallet, private.ledger_account('guarantee')]);
  select * into v_debt from public.debts where id = p_debt_id and member_id = v_user and open > 0 for update;
  if not found then
    perform private.refuse('payment_not_found');
  elsif v_debt.status in ('queued', 'charging', 'needs-action') then
    perform private.refuse('card_being_charged');
  end if;
  v_coins := least(v_debt.open, private.available_coins(v_user));
  if v_coins < v_debt.open then
    v_coins := least(v_coins, v_debt.open - private.least_card_charge());
  end if;
  if v_coins <= 0 then
    perform private.refuse('not_enough_coins');
  end if;
  perform private.book_debt(v_debt, v_wallet, v_coins, format('debt:%s:coins:%s', v_debt.id, v_debt.coins));
  return v_debt.open - v_coins;
end $$;
select private.publish('pay_debt_with_coins', 'authenticated');

-- Queues the charge of a debt to one of the acting user's cards; private.begin_payment() has checked both. Bank debits are not
-- allowed, because the bank may return them again.
create function private.begin_debt_payment(p_debt_id uuid, p_card_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_debt public.debts;
  v_provider text := (select provider from private.payment_provider);
begin
  select * into v_debt from public.debts where id = p_debt_id for update;
  if v_debt.open = 0 then
    perform private.refuse('nothing_to_pay');
  elsif (private.method_of(v_debt.member_id, v_provider, p_card_id)).kind = 'sepa_debit' then
    perform private.refuse('debt_not_payable_by_debit');
  end if;
  update public.debts set card_id = p_card_id, status = case when status in ('charging', 'needs-action') then status else 'queued' end
  where id = p_debt_id;
  perform private.add_payment_jobs('debt', array[p_debt_id::text], v_provider);
end $$;

-- Returns the order for the provider, in the same form as for a payment; null if there is nothing to charge.
create function private.debt_order(p_debt_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_debt public.debts;
  v_card public.payment_methods;
  v_provider text := (select provider from private.payment_jobs where kind = 'debt' and about = p_debt_id::text);
begin
  select * into v_debt from public.debts where id = p_debt_id for update;
  if v_debt.id is null or v_debt.open = 0 then return null; end if;
  v_card := private.method_of(v_debt.member_id, v_provider, v_debt.card_id);
  if v_card.id is null or v_card.kind = 'sepa_debit' then
    update public.debts set status = 'failed', code = 'no_card' where id = p_debt_id;
    return null;
  end if;
  update public.debts set status = 'charging', attempts = attempts + 1 where id = p_debt_id;
  return jsonb_build_object('payment', v_debt.id, 'intent', v_debt.intent, 'amountCents', round(v_debt.open * 100)::integer, 'currency', 'eur',
    'customer', (select reference from private.payment_customers where user_id = v_debt.member_id and provider = v_provider),
    'method', v_card.reference, 'description', v_debt.plan_name || ', returned debit', 'attempt', v_debt.attempts + 1 + (private.backup_before(v_debt.opened_at) is not null)::integer,
    'since', floor(extract(epoch from v_debt.opened_at))::integer, 'onSession', true);
end $$;

-- Records the outcome of a debt's charge. Success is final. Returns false if the id is unknown.
create function private.record_debt_charge(p_intent text, p_status text, p_code text, p_amount numeric, p_cost numeric) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_outside bigint := private.ledger_account('outside');
  v_costs bigint := private.ledger_account('costs');
  v_debt public.debts;
begin
  if not exists (select from public.debts where intent = p_intent) then return false; end if;
  perform private.lock_ledger(array[v_outside, private.ledger_account('guarantee'), v_costs]);
  select * into v_debt from public.debts where intent = p_intent for update;
  if v_debt.status = 'succeeded' or p_status in ('open', 'processing') then return true; end if;
  if p_status = 'succeeded' then
    perform private.book_debt(v_debt, v_outside, p_amount, format('debt:%s:card', v_debt.id));
    if p_cost > 0 then
      perform private.transfer('debt-cost:' || p_intent, v_costs, v_outside, p_cost, 'cost',
        (select seat_id from public.member_payments where id = v_debt.payment_id), v_debt.payment_id, v_debt.plan_name || ': debt paid');
    end if;
    update public.debts set status = 'succeeded', code = null where id = v_debt.id;
  elsif p_status = 'needs-action' then
    update public.debts set status = p_status, code = p_code where id = v_debt.id;
  else
    update public.debts set status = 'failed', code = p_code, intent = case when p_status <> 'canceled' then intent end where id = v_debt.id;
  end if;
  delete from private.payment_jobs where kind = 'debt' and about = v_debt.id::text;
  return true;
end $$;

revoke all on public.debts from public, anon, authenticated, service_role;
grant select (id, dispute_id, payment_id, member_id, plan_name, amount, coins, card, open, opened_at) on public.debts to authenticated;
