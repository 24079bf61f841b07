-- Compares the rest of the site with the ledger: the purpose of each transfer, and the payments, charges, refunds, disputes,
-- withdrawals, adjustments and wallets.

-- Returns whether a transfer of this kind may move money from one kind of account (p_from) to another (p_to).
create function private.is_movement(p_kind text, p_from text, p_to text) returns boolean
language sql immutable return case p_kind
  when 'payment' then p_from in ('outside', 'wallet') and p_to in ('held_share', 'held_fee') or (p_from, p_to) = ('outside', 'refunds_due')
  when 'payment-returned' then p_from in ('held_share', 'held_fee') and p_to = 'wallet'
  when 'earning' then p_from = 'held_share' and p_to in ('wallet', 'connected')
  when 'fee' then (p_from, p_to) = ('held_fee', 'fees')
  when 'refund' then p_from in ('held_share', 'held_fee') and p_to in ('refunds_due', 'wallet')
    or p_from = 'guarantee' and p_to in ('refunds_due', 'wallet') or (p_from, p_to) = ('connected', 'refunds_due')
  when 'refund-sent' then (p_from, p_to) = ('refunds_due', 'outside')
  when 'refund-failed' then p_from in ('refunds_due', 'outside') and p_to in ('wallet', 'guarantee') or (p_from, p_to) = ('outside', 'refunds_due')
  when 'withdrawal' then (p_from, p_to) = ('wallet', 'outside')
  when 'withdrawal-returned' then (p_from, p_to) = ('outside', 'wallet')
  when 'adjustment' then (p_from, p_to) in (('adjustments', 'wallet'), ('wallet', 'adjustments'))
  when 'chargeback' then p_from in ('held_share', 'held_fee', 'wallet', 'connected', 'guarantee', 'refunds_due') and p_to = 'outside'
  when 'chargeback-won' then p_from = 'outside' and p_to in ('held_share', 'held_fee', 'wallet', 'connected', 'guarantee')
  when 'debt' then p_from in ('wallet', 'outside') and p_to = 'guarantee' or (p_from, p_to) = ('guarantee', 'wallet')
  when 'given-up' then (p_from, p_to) = ('wallet', 'adjustments')
  when 'handed-over' then (p_from, p_to) = ('wallet', 'wallet')
  when 'cost' then (p_from, p_to) in (('costs', 'outside'), ('outside', 'costs'))
  when 'account' then (p_from, p_to) = ('wallet', 'connected')
  when 'account-failed' then (p_from, p_to) = ('connected', 'wallet')
  -- From 'outside' to 'connected': the provider collects from the owner's bank what the account owes.
  when 'payout' then (p_from, p_to) in (('connected', 'outside'), ('outside', 'connected'))
  when 'payout-failed' then (p_from, p_to) in (('outside', 'connected'), ('connected', 'outside'))
  else false
end;

-- Returns the allowed prefixes for the key of a transfer of this kind. The key says what the transfer is for, so a transfer
-- whose key has none of them is a fault.
create function private.key_begins(p_kind text, p_payment uuid, p_person uuid, p_intent text) returns text[]
language sql immutable return case p_kind
  when 'payment' then array['charge:' || p_intent, 'coins:' || p_intent || ':', 'coins:' || p_payment || ':']
  when 'earning' then array['earn:' || p_payment || ':']
  when 'fee' then array['fee:' || p_payment || ':']
  when 'payment-returned' then array['back:' || p_payment || ':']
  when 'refund' then array['back:' || p_payment || ':', 'by-hand:', 'warned:' || p_payment || ':']
  when 'cost' then array['cost:' || p_intent, 'dispute-cost:', 'debt-cost:']
  when 'given-up' then array['given-up:' || p_person]
  when 'chargeback' then array['dispute:']
  when 'chargeback-won' then array['dispute-won:']
  else array[p_kind || ':', 'refund:']
end;

-- Each transfer with the kinds and owners of the account that gives and the account that takes.
create function private.moves()
returns table (
  key text, kind text, amount numeric, gives text, giver uuid, takes text, taker uuid, seat_id uuid, payment_id uuid, subscription_id text,
  person_id uuid, description text, created_at timestamptz, created_by uuid, id bigint
)
language sql stable rows 100000 set search_path = '' as $$
  select t.key, t.kind, t.amount, giver.kind, giver.owner, taker.kind, taker.owner, t.seat_id, t.payment_id, t.subscription_id,
    t.person_id, t.description, t.created_at, t.created_by, t.id
  from private.ledger_transfers as t
  left join private.ledger_accounts as giver on giver.id = t.from_account
  left join private.ledger_accounts as taker on taker.id = t.to_account
$$;

-- Each of the following functions checks one rule, and lists what breaks it; no row means that it holds. private.check_books() calls them all.

-- The accounts, place, person and key of each transfer fit its kind and its payment, and its entries have its time.
create function private.check_transfers() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  select 'A transfer is not what its kind, its key and its payment say', t.kind || ' ' || t.key, null::numeric, null::numeric
  from private.moves() as t left join public.member_payments as m on m.id = t.payment_id
  left join private.seats as s on s.id = t.seat_id left join private.charges as c on c.payment_id = t.payment_id
  where (private.is_movement(t.kind, t.gives, t.takes)
    and (t.payment_id is null) = (t.kind in ('adjustment', 'withdrawal', 'withdrawal-returned', 'given-up', 'handed-over', 'account',
      'account-failed', 'payout', 'payout-failed'))
    and t.seat_id is not distinct from m.seat_id
    and t.subscription_id is not distinct from s.subscription_id
    and t.person_id is not distinct from
      case when t.takes in ('wallet', 'connected') then t.taker when t.gives in ('wallet', 'connected') then t.giver else s.member_id end
    and (t.payment_id is null
      or case when t.gives like 'held%' then t.giver = t.seat_id when t.gives = 'wallet' then t.giver = m.member_id
        when t.gives = 'connected' then t.giver = m.owner_id else t.giver is null end
      and case when t.takes like 'held%' then t.taker = t.seat_id
        when t.takes = 'wallet' then t.taker = case t.kind when 'earning' then m.owner_id else m.member_id end
        when t.takes = 'connected' then t.taker = m.owner_id else t.taker is null end)
    and t.key ^@ any (private.key_begins(t.kind, t.payment_id, t.person_id, c.intent))
  ) is not true
  union all
  select 'An entry has another time than its transfer', t.kind || ' ' || t.key, null, null
  from private.ledger_transfers as t join private.ledger_entries as e on e.transfer_id = t.id where e.created_at <> t.created_at
$$;

-- Each payment equals its transfers, fits its status, and is of its place. If it was cancelled because its rest was never paid, the part paid
-- by card is not counted.
create function private.check_payments() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  with sums as materialized (
    select payment_id,
      sum(case when kind = 'payment' and gives = 'wallet' then amount when kind = 'payment-returned' then -amount else 0 end) as coins,
      sum(case when kind = 'payment' and gives = 'outside' then amount else 0 end) as received,
      sum(case when kind = 'payment' and gives = 'outside' and takes <> 'refunds_due' then amount else 0 end) as card,
      sum(case when kind = 'earning' then amount else 0 end) as earned_share,
      sum(case when kind = 'fee' then amount else 0 end) as earned_fee,
      sum(case when takes = 'held_share' then amount when gives = 'held_share' then -amount else 0 end) as held_share,
      sum(case when takes = 'held_fee' then amount when gives = 'held_fee' then -amount else 0 end) as held_fee,
      sum(case when gives like 'held%' and kind in ('refund', 'chargeback') then amount
        when takes like 'held%' and kind = 'chargeback-won' then -amount else 0 end) as returned,
      sum(case when kind = 'refund' and gives in ('guarantee', 'connected') and (takes = 'wallet' or not key ^@ 'by-hand:') then amount else 0 end)
        as from_guarantee,
      sum(case when kind = 'refund' and gives = 'connected' then amount else 0 end) as refunded_account,
      sum(case when takes = 'refunds_due' then amount else 0 end) as to_refund,
      sum(case when takes = 'refunds_due' then amount when gives = 'refunds_due' then -amount else 0 end) as refunds_due,
      sum(case when kind = 'refund-failed' then amount else 0 end) as refund_failed,
      sum(case when kind = 'chargeback' and gives <> 'refunds_due' then amount else 0 end) as disputed,
      sum(case when kind = 'chargeback' and gives = 'wallet' then amount else 0 end) as disputed_coins,
      sum(case when kind = 'chargeback' and gives = 'connected' then amount else 0 end) as disputed_account,
      sum(case when kind = 'chargeback' and gives = 'guarantee' then amount else 0 end) as disputed_guarantee,
      sum(case when takes = 'connected' then amount else 0 end) as to_account,
      sum(case when kind = 'chargeback-won' then amount else 0 end) as won,
      sum(case when key ^@ 'dispute-cost:' then case gives when 'costs' then amount else -amount end else 0 end) as dispute_cost
    from private.moves() where payment_id is not null group by payment_id
  ), refunds as (
    select payment_id, sum(amount) as amount, sum(amount) filter (where status in ('queued', 'pending')) as open,
      sum(amount) filter (where status = 'failed') as failed
    from private.refunds group by payment_id
  ), disputes as (
    select payment_id, sum(from_share + from_fee + from_coins + from_account + from_guarantee) as taken, sum(from_coins) as coins,
      sum(from_account) as account, sum(from_guarantee) as guarantee, sum(from_refunds) as refunds, sum(cost) as cost,
      sum(from_share + from_fee + from_coins + from_account + from_guarantee + from_refunds) filter (where status = 'won') as won
    from public.payment_disputes group by payment_id
  )
  select 'Money moved for a payment that is missing', 'period ' || l.payment_id, null, null
  from sums as l left join public.member_payments as m on m.id = l.payment_id where m.id is null
  union all
  select 'A payment does not agree with the ledger: ' || part.what, format('%s, period %s (%s)', m.plan_name, m.number, m.id),
    coalesce(part.ledger, 0), coalesce(part.found, 0)
  from public.member_payments as m left join sums as l on l.payment_id = m.id
  left join private.charges as c on c.payment_id = m.id left join refunds as r on r.payment_id = m.id
  left join disputes as d on d.payment_id = m.id
  cross join lateral (values
    ('paid in coins', l.coins, m.coins),
    ('paid by card', case m.status when 'cancelled' then 0 else l.card end, m.card),
    ('earned by the owner', l.earned_share, m.earned_share),
    ('earned by the site', l.earned_fee, m.earned_fee),
    ('returned', l.returned - case m.status when 'cancelled' then l.card else 0 end, m.returned_share + m.returned_fee),
    ('returned by the site', l.from_guarantee, m.from_guarantee),
    ('held of the share', l.held_share, least(m.share, m.coins + m.card) - m.earned_share - m.returned_share),
    ('held of the fee', l.held_fee, greatest(0, m.coins + m.card - m.share) - m.earned_fee - m.returned_fee),
    ('received by its charge', l.received, c.received),
    ('its refunds', l.to_refund, r.amount),
    ('its refunds on their way', l.refunds_due, r.open),
    ('its failed refunds', l.refund_failed, r.failed - coalesce(d.refunds, 0)),
    ('taken by disputes', l.disputed, d.taken),
    ('taken by disputes in coins', l.disputed_coins, d.coins),
    ('taken by disputes from the owner''s account', l.disputed_account, d.account),
    ('taken back of transfers to it', coalesce(d.account, 0) + coalesce(l.refunded_account, 0),
      (select sum(r.amount) from private.account_reversals as r join private.account_transfers as t on t.id = r.transfer_id where t.payment_id = m.id)),
    ('sent to the owner''s account', l.to_account, (select sum(t.amount) from private.account_transfers as t where t.payment_id = m.id)),
    ('taken by disputes from the site', l.disputed_guarantee, d.guarantee),
    ('put back after disputes', l.won, d.won),
    ('the provider''s fees for disputes', l.dispute_cost, d.cost)
  ) as part (what, ledger, found)
  where coalesce(part.ledger, 0) <> coalesce(part.found, 0)
  union all
  select 'A payment does not agree with its status, ' || m.status, format('%s, period %s (%s)', m.plan_name, m.number, m.id),
    m.amount, m.coins + m.card
  from public.member_payments as m, lateral (
    select m.coins + m.card as paid, m.earned_share + m.earned_fee as earned, m.returned_share + m.returned_fee as returned
  ) as sum
  where case
    when m.settlement = 'direct' then m.fee + sum.paid + sum.earned + sum.returned > 0
    when m.status in ('paid', 'closed') then sum.paid <> m.amount or (m.status = 'closed' and sum.earned + sum.returned <> m.amount)
    when m.status = 'given-back' then sum.earned > 0 or sum.paid <> sum.returned
    when m.status = 'cancelled' then sum.paid > 0
    else sum.earned + sum.returned > 0
  end
  union all
  select 'A payment is not of its place', format('%s, period %s (%s)', m.plan_name, m.number, m.id), null, null
  from public.member_payments as m left join private.seats as s on s.id = m.seat_id
  where (m.member_id, m.subscription_id) is distinct from (s.member_id, s.subscription_id)
    -- A plan that is paid directly may have been handed over since.
    or m.owner_id is distinct from s.owner_id and not (m.settlement = 'direct' and exists (
      select from private.seats as h where h.subscription_id = m.subscription_id and h.end_reason = 'handed-over' and h.owner_id = m.owner_id))
$$;

-- Each charge and each refund fits its status, and each debt equals its transfers.
create function private.check_charges() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  select 'A charge does not agree with its status, ' || c.status, 'period ' || c.payment_id, null, c.received
  from private.charges as c where (c.status = 'succeeded') <> (c.received > 0)
  union all
  select 'A refund does not agree with its status, ' || r.status, 'refund ' || r.id, r.amount, coalesce(t.amount, 0)
  from private.refunds as r left join private.moves() as t on t.key = 'refund:' || r.id and t.payment_id = r.payment_id
  where case r.status when 'succeeded' then t.amount is distinct from r.amount when 'failed' then t.amount <> r.amount
    else t.amount is not null end
  union all
  select 'A debt does not agree with the ledger', coalesce('debt ' || d.id, l.payment_id::text), coalesce(l.amount, 0), coalesce(d.coins + d.card, 0)
  from public.debts as d full join (
    select payment_id, split_part(key, ':', 2) as debt, sum(case takes when 'guarantee' then amount else -amount end) as amount
    from private.moves() where kind = 'debt' group by 1, 2 having sum(case takes when 'guarantee' then amount else -amount end) <> 0
  ) as l on l.debt = d.id::text and l.payment_id = d.payment_id
  where coalesce(l.amount, 0) <> coalesce(d.coins + d.card, 0)
$$;

-- Each withdrawal equals its transfer, and names the account that it goes to.
create function private.check_withdrawals() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  select 'A withdrawal does not agree with the ledger', coalesce(w.id::text, t.key), coalesce(t.amount, 0), coalesce(w.amount, 0)
  from (select id, user_id, amount from public.withdrawal_requests where status = 'completed') as w
  full join (select * from private.moves() where kind = 'withdrawal') as t on t.key = 'withdrawal:' || w.id
  where (w.amount, w.user_id) is distinct from (t.amount, t.person_id)
  union all
  select 'A returned withdrawal does not agree with the ledger', coalesce(w.id::text, t.key), coalesce(t.amount, 0), coalesce(w.amount, 0)
  from (select id, user_id, amount from public.withdrawal_requests where returned_at is not null) as w
  full join (select * from private.moves() where kind = 'withdrawal-returned') as t on t.key = 'withdrawal-returned:' || w.id
  where (w.amount, w.user_id) is distinct from (t.amount, t.person_id)
  union all
  select 'A withdrawal names another account than the one it goes to', w.id::text, null, null
  from public.withdrawal_requests as w join private.bank_accounts as a on a.id = w.bank_account_id
  where (w.bank_account_last4, w.user_id) is distinct from (a.last4, a.user_id)
$$;

-- Owners' own accounts: coins moved to them, transfers that they did not accept, and the provider's payouts from them.
create function private.check_own_accounts() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  select 'An account does not agree with the ledger: ' || part.what, coalesce(part.key, l.key), l.amount, part.amount
  from (
    select 'coins moved there' as what, 'account:' || id as key, user_id, amount from private.account_transfers where payment_id is null
    union all
    select 'not accepted', 'account-failed:' || t.id, t.user_id, t.amount - coalesce(sum(r.amount), 0) from private.account_transfers as t
    left join private.account_reversals as r on r.transfer_id = t.id where t.status = 'failed' group by t.id having t.amount > coalesce(sum(r.amount), 0)
    union all
    select 'paid out', 'payout:' || id, user_id, amount from private.account_payouts as p
    where status = 'paid' or exists (select from private.ledger_transfers where key = 'payout-failed:' || p.id)
    union all
    select 'returned by the bank', 'payout-failed:' || id, user_id, amount from private.account_payouts as p
    where status in ('failed', 'canceled') and exists (select from private.ledger_transfers where key = 'payout:' || p.id)
  ) as part full join (
    select key, person_id, case when (kind, gives) in (('payout', 'outside'), ('payout-failed', 'connected')) then -amount else amount end as amount
    from private.moves() where kind in ('account', 'account-failed', 'payout', 'payout-failed')
  ) as l on l.key = part.key
  where (l.amount, l.person_id) is distinct from (part.amount, part.user_id)
$$;

-- The staff log also records who adjusted a wallet and why, in a chain of hashes of its own.
create function private.check_adjustments() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  select 'An adjustment does not agree with the log of staff', coalesce(t.key, 'transfer ' || l.transfer), l.amount, t.coins
  from (
    select (details ->> 'transfer')::bigint as transfer, (details ->> 'amount')::numeric as amount, subject, details ->> 'reason' as reason, actor
    from private.staff_log where action = 'wallet adjusted'
  ) as l full join (
    select *, case takes when 'wallet' then amount else -amount end as coins from private.moves() where kind = 'adjustment'
  ) as t on t.id = l.transfer
  where (l.amount, l.subject, l.reason, l.actor) is distinct from (t.coins, t.person_id::text, t.description, t.created_by)
$$;

-- The nth movement of a wallet is the nth entry of its account, and its totals and the sums of its movements are those of the ledger.
create function private.check_coins() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  select 'A movement of coins does not agree with its transfer', coalesce(c.user_id, l.owner) || ' ' || coalesce(c.place, l.place), l.amount, c.amount
  from (select t.*, row_number() over (partition by user_id order by created_at, id) as place from public.coin_transactions as t) as c
  full join (
    select a.owner, row_number() over (partition by a.id order by e.version) as place, abs(e.amount) as amount, t.description, t.created_at, t.created_by,
      case when private.is_movement(t.kind, t.gives, t.takes) then private.coin_type(t.kind, e.amount > 0) end as type
    from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id join private.moves() as t on t.id = e.transfer_id
    where a.kind = 'wallet'
  ) as l on (l.owner, l.place) = (c.user_id, c.place)
  where (c.transaction_type, c.amount, c.description, c.created_at, c.created_by)
    is distinct from (l.type, l.amount, l.description, l.created_at, l.created_by)
  union all
  select 'A wallet does not agree with the ledger: ' || part.what, coalesce(w.user_id, l.owner, c.user_id)::text,
    coalesce(part.ledger, 0), coalesce(part.found, 0)
  from public.user_wallets as w
  full join (
    select owner, sum(amount) filter (where type = 'earned') as earned, sum(amount) filter (where type = 'spent') as spent,
      sum(amount) filter (where type = 'withdrawn') as withdrawn, sum(amount) filter (where type = 'refunded') as refunded,
      sum(amount) filter (where kind = 'withdrawal-returned') as returned
    from (
      select taker as owner, amount, kind, private.coin_type(kind, true) as type from private.moves() where takes = 'wallet'
        and private.is_movement(kind, gives, takes)
      union all
      select giver, amount, kind, private.coin_type(kind, false) from private.moves() where gives = 'wallet' and private.is_movement(kind, gives, takes)
    ) as coins group by owner
  ) as l on l.owner = w.user_id
  full join (
    select user_id, sum(amount) filter (where transaction_type = 'earned') as earned, sum(amount) filter (where transaction_type = 'spent') as spent,
      sum(amount) filter (where transaction_type = 'withdrawn') as withdrawn, sum(amount) filter (where transaction_type = 'refunded') as refunded
    from public.coin_transactions group by user_id
  ) as c on c.user_id = coalesce(w.user_id, l.owner)
  cross join lateral (values
    ('earned in all', l.earned, w.total_earned), ('withdrawn in all', coalesce(l.withdrawn, 0) - coalesce(l.returned, 0), w.total_withdrawn),
    ('movements earned', l.earned, c.earned), ('movements spent', l.spent, c.spent),
    ('movements withdrawn', l.withdrawn, c.withdrawn), ('movements refunded', l.refunded, c.refunded)
  ) as part (what, ledger, found)
  where coalesce(part.ledger, 0) <> coalesce(part.found, 0)
$$;
