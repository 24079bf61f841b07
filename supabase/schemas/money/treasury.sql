-- The treasury: all wallets as admins see them, and adjustments, the only way in which an admin can change a wallet. 1 coin is 1
-- euro. Totals are computed here, in numeric, so that no total adds up rounded numbers. Moderators see no money.
create function private.require_treasurer() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.proven(private.may('users.edit')) then
    perform private.refuse('only_admins');
  end if;
  return v_user;
end $$;

-- Notifies all staff who may act on money, in the app and by mail.
create function private.tell_treasurers(p_type text, p_event text, p_params jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  select private.mail_notification(private.notify(staff.id, p_type, null, p_event, p_params),
    '{}', '/admin/disputes')
  from private.people_who_may('users.edit') as staff (id)
$$;

-- Lists withdrawals with the people who requested and decided them, newest first or sorted (private.page_of), optionally by status
-- or person; the bank needs the full name.
create function private.list_withdrawals(
  p_limit integer default 50, p_status text default null, p_person uuid default null, p_sort text default null, p_after jsonb default null
)
returns table (
  id uuid, user_id uuid, display_name text, full_name text, avatar_url text, amount numeric, status text,
  requested_at timestamptz, processed_at timestamptz, completed_at timestamptz, rejection_reason text,
  stripe_transfer_id text, bank_account_last4 text, processed_by uuid, processed_by_name text, completed_by uuid,
  completed_by_name text, has_account boolean, payout_file_id bigint, returned_at timestamptz, return_reason text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query execute private.page_of($query$
  select w.id, w.user_id, p.display_name, d.full_name, p.avatar_url, w.amount, w.status, w.requested_at, w.processed_at,
    w.completed_at, w.rejection_reason, w.stripe_transfer_id, w.bank_account_last4, w.processed_by, processed.display_name as processed_by_name,
    w.completed_by, completed.display_name as completed_by_name, w.bank_account_id is not null, private.payout_file_of(w.id), w.returned_at,
    w.return_reason
  from public.withdrawal_requests as w join private.user_profiles as p on p.user_id = w.user_id
  left join private.user_details as d on d.user_id = w.user_id
  left join private.user_profiles as processed on processed.user_id = w.processed_by
  left join private.user_profiles as completed on completed.user_id = w.completed_by
  where ($1 is null or w.status = $1) and ($2 is null or w.user_id = $2)
  $query$, null, coalesce(p_sort, '-requested_at'), 'id', p_after, p_limit) using p_status, p_person;
end $$;
select private.publish('list_withdrawals', 'authenticated');

-- The number of withdrawals of each status, and their coins; a status without withdrawals has a row of zeros.
create function private.withdrawal_statistics() returns table (status text, requests bigint, amount numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query
  select s.status, count(w.id), round(coalesce(sum(w.amount), 0), 2)
  from unnest(array['pending', 'processing', 'completed', 'rejected']) with ordinality as s (status, place)
  left join public.withdrawal_requests as w on w.status = s.status
  group by s.status, s.place order by s.place;
end $$;
select private.publish('withdrawal_statistics', 'authenticated');

-- The maximum length of the reason for a wallet adjustment.
create function private.longest_adjustment_reason() returns integer
language sql immutable return 480;

-- Adds coins to a wallet or takes them from it, records the reason and the member of staff, and tells the wallet's owner. As with
-- withdrawals, staff cannot adjust their own wallet; super-admins set the limit of one adjustment.
create function private.adjust_wallet(p_user_id uuid, p_amount numeric, p_reason text) returns public.coin_transactions
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reason text := regexp_replace(coalesce(p_reason, ''), '^\s+|\s+$', '', 'g');
  v_ceiling numeric := (select adjustment_ceiling from public.app_settings);
  v_wallet public.user_wallets;
  v_site bigint;
  v_account bigint;
  v_transaction public.coin_transactions;
begin
  if private.require_treasurer() = p_user_id then
    perform private.refuse('own_wallet_adjusted');
  elsif p_amount is null or p_amount = 0 or p_amount <> round(p_amount, 2) or abs(p_amount) > private.most_coins() then
    perform private.refuse('adjustment_amount_invalid');
  elsif v_reason = '' then
    perform private.refuse('reason_missing');
  elsif char_length(v_reason) > private.longest_adjustment_reason() then
    perform private.refuse('adjustment_reason_too_long', private.longest_adjustment_reason()::text);
  end if;
  v_wallet := private.lock_wallet(p_user_id);
  if greatest(v_wallet.coin_balance, v_wallet.total_earned) + p_amount > private.most_coins() then
    perform private.refuse('adjustment_amount_invalid');
  elsif abs(p_amount) > v_ceiling then
    perform private.refuse('adjustment_too_large', v_ceiling::text);
  end if;
  v_site := private.ledger_account('adjustments');
  v_account := private.ledger_account('wallet', p_user_id);
  perform private.transfer('adjustment:' || gen_random_uuid(),
    case when p_amount > 0 then v_site else v_account end, case when p_amount > 0 then v_account else v_site end,
    abs(p_amount), 'adjustment', p_description => 'Admin adjustment: ' || v_reason);
  select * into v_transaction from public.coin_transactions where user_id = p_user_id order by created_at desc limit 1;
  perform private.notify(p_user_id, 'info', null, 'wallet-adjusted',
    jsonb_build_object('coins', v_transaction.amount, 'way', case when p_amount > 0 then 'added' else 'taken' end, 'reason', v_reason));
  return v_transaction;
end $$;
select private.publish('adjust_wallet', 'authenticated');

-- The number of days in "recent" figures about coins, today included.
create function private.recent_coin_days() returns integer
language sql immutable return 30;

-- Sums up all wallets in one row: coins in circulation, ever earned and ever withdrawn, earnings less withdrawals, circulation as a
-- percentage of withdrawals (of at least 1), and the movements of the recent days, in the time zone of the acting user.
create function private.wallet_overview()
returns table (
  wallets bigint, circulation numeric, earned numeric, withdrawn numeric, net_flow numeric, coins_vs_withdrawals numeric,
  average numeric, recent_transactions bigint, recent_earned numeric, recent_spent numeric, recent_withdrawn numeric,
  recent_refunded numeric
)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone text := private.zone_of(private.require_treasurer());
  v_since timestamptz := (private.day_in(now(), v_zone) - private.recent_coin_days() + 1)::timestamp at time zone v_zone;
begin
  return query
  with held as (
    select count(*) as wallets, coalesce(sum(w.coin_balance), 0) as circulation,
      coalesce(sum(w.total_earned), 0) as earned, coalesce(sum(w.total_withdrawn), 0) as withdrawn
    from public.user_wallets as w
  ), recent as (
    select count(*) as transactions,
      coalesce(sum(t.amount) filter (where t.transaction_type = 'earned'), 0) as earned,
      coalesce(sum(t.amount) filter (where t.transaction_type = 'spent'), 0) as spent,
      coalesce(sum(t.amount) filter (where t.transaction_type = 'withdrawn'), 0) as withdrawn,
      coalesce(sum(t.amount) filter (where t.transaction_type = 'refunded'), 0) as refunded
    from public.coin_transactions as t where t.created_at >= v_since
  )
  select h.wallets, h.circulation, h.earned, h.withdrawn, h.earned - h.withdrawn,
    round(100 * h.circulation / greatest(h.withdrawn, 1), 1), round(h.circulation / greatest(h.wallets, 1), 2),
    r.transactions, r.earned, r.spent, r.withdrawn, r.refunded
  from held as h cross join recent as r;
end $$;
select private.publish('wallet_overview', 'authenticated');

-- How many coins moved in each direction in a day, in a week, in 30 days and ever.
create function private.transaction_statistics()
returns table (period text, transactions bigint, earned numeric, spent numeric, withdrawn numeric, refunded numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query
  select s.period, count(t.id),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'earned'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'spent'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'withdrawn'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'refunded'), 0)
  from (values ('1d', now() - interval '1 day', 1), ('7d', now() - interval '1 week', 2), ('30d', now() - interval '30 days', 3),
      ('all', '-infinity', 4))
    as s (period, since, place)
  left join public.coin_transactions as t on t.created_at >= s.since
  group by s.period, s.place order by s.place;
end $$;
select private.publish('transaction_statistics', 'authenticated');

-- How many coins moved in each direction on each of the recent days, in the time zone of the acting user, oldest first.
create function private.coins_by_day()
returns table (day date, earned numeric, spent numeric, withdrawn numeric, refunded numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone text := private.zone_of(private.require_treasurer());
  v_today date := private.day_in(now(), v_zone);
begin
  return query
  select v_today - ago,
    coalesce(sum(t.amount) filter (where t.transaction_type = 'earned'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'spent'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'withdrawn'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'refunded'), 0)
  from generate_series(private.recent_coin_days() - 1, 0, -1) as ago
  left join public.coin_transactions as t
    on t.created_at >= (v_today - ago)::timestamp at time zone v_zone
    and t.created_at < (v_today - ago + 1)::timestamp at time zone v_zone
  group by ago order by ago desc;
end $$;
select private.publish('coins_by_day', 'authenticated');
