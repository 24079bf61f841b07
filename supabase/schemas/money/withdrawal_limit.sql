-- Counts withdrawals from contracts, because each may cost the site the provider's fees. The right itself is never limited, but
-- after several within a year a person gets new places through the site only once staff allow it. People who have paid with the
-- same card or account count as one.

create function private.most_contract_withdrawals() returns integer
language sql immutable return 3;
create function private.contract_withdrawals_memory() returns interval
language sql immutable return interval '12 months';

-- The provider's fingerprints of the cards and bank accounts that people have saved, including those they have removed since.
create table private.payment_fingerprints (
  fingerprint text not null check (char_length(fingerprint) between 1 and 200),
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  seen_at timestamptz not null default private.now(),
  primary key (fingerprint, user_id)
);
create index payment_fingerprints_user_idx on private.payment_fingerprints (user_id);
alter table private.payment_fingerprints enable row level security;

-- When staff last allowed a person new places again. The log of staff records who did.
create table private.withdrawal_lifts (
  user_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  lifted_at timestamptz not null default private.now()
);
alter table private.withdrawal_lifts enable row level security;

-- Returns whether a seat ended by withdrawal from the contract after it had been paid, by charge or with coins.
create function private.is_paid_contract_withdrawal(p_seat private.seats) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_seat.end_reason = 'withdrawn' and exists (
    select from public.member_payments as m left join private.charges as c on c.payment_id = m.id
    where m.seat_id = p_seat.id and m.settlement = 'potluck' and (m.coins + m.card > 0 or c.status in ('processing', 'succeeded')));
end $$;

-- Returns how often a person has recently withdrawn from a contract, counting all their accounts, since staff last lifted the limit.
create function private.recent_contract_withdrawals(p_user_id uuid) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select count(*) from private.seats as s
    where s.member_id in (
        select p_user_id union
        select other.user_id from private.payment_fingerprints as own join private.payment_fingerprints as other using (fingerprint)
        where own.user_id = p_user_id)
      and s.ended_at > greatest(private.now() - private.contract_withdrawals_memory(),
        (select lifted_at from private.withdrawal_lifts where user_id = p_user_id))
      and private.is_paid_contract_withdrawal(s));
end $$;

-- Refuses a new place through the site while live payments are closed, or if the person has not confirmed their age, owes the site money or
-- has withdrawn too often. Only that person is told why. An approval does not ask for the age: the person confirmed it with the request.
create function private.require_may_contract(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_owed numeric := private.owed_to_site(p_user_id);
  v_is_over boolean := private.recent_contract_withdrawals(p_user_id) >= private.most_contract_withdrawals();
begin
  if not private.are_payments_open() then
    perform private.refuse('live_payments_closed');
  elsif p_user_id = auth.uid() then
    perform private.require_age();
  end if;
  if v_owed = 0 and not v_is_over then return; end if;
  if p_user_id is distinct from auth.uid() then
    perform private.refuse('person_barred_from_site_places');
  elsif v_owed > 0 then
    perform private.refuse('debt_to_site', private.money(v_owed));
  else
    perform private.refuse('too_many_contract_withdrawals', private.most_contract_withdrawals()::text);
  end if;
end $$;

-- Tells staff when a person has withdrawn so often that new places need their consent.
create function private.tell_of_contract_withdrawals(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_name text := (select display_name from private.user_profiles where user_id = p_seat.member_id);
begin
  if not private.is_paid_contract_withdrawal(p_seat) or private.recent_contract_withdrawals(p_seat.member_id) <> private.most_contract_withdrawals() then return; end if;
  perform private.tell_treasurers('warning', 'payment-withdrawals-many',
    jsonb_build_object('member', v_name, 'withdrawals', private.most_contract_withdrawals()));
end $$;

-- Lists withdrawals within private.contract_withdrawals_memory(), by member or by owner: the amounts paid and refunded, and the
-- cost to the site, which is the provider's fees and the part covered by the guarantee account; in EUR. `refused`: whether the
-- member gets no new places through the site.
create function private.list_contract_withdrawals(
  p_limit integer default 50, p_by text default 'member', p_sort text default null, p_after jsonb default null
)
returns table (
  user_id uuid, display_name text, withdrawals integer, latest timestamptz, paid numeric, returned numeric, cost numeric, refused boolean,
  lifted_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query execute private.page_of($query$
  select side.id as user_id, p.display_name, count(distinct s.id)::integer as withdrawals, max(s.ended_at) as latest, sum(sums.paid) as paid,
    sum(sums.returned) as returned, sum(sums.cost) as cost,
    $1 = 'member' and private.recent_contract_withdrawals(side.id) >= private.most_contract_withdrawals() as refused,
    (select l.lifted_at from private.withdrawal_lifts as l where l.user_id = side.id) as lifted_at
  from private.seats as s
  cross join lateral (select case $1 when 'owner' then s.owner_id else s.member_id end) as side (id)
  join private.user_profiles as p on p.user_id = side.id
  cross join lateral (
    select coalesce(sum(m.coins + m.card), 0) as paid, coalesce(sum(m.returned_share + m.returned_fee), 0) as returned,
      coalesce(sum((select sum(case t.from_account when private.ledger_account('costs') then t.amount else -t.amount end)
        from private.ledger_transfers as t where t.person_id = m.member_id and t.payment_id = m.id and t.kind = 'cost')), 0)
      + coalesce(sum((select sum(d.from_guarantee) from public.payment_disputes as d where d.payment_id = m.id and d.status <> 'won')), 0)
      - coalesce(sum((select sum(o.coins + o.card) from public.debts as o where o.payment_id = m.id)), 0) as cost
    from public.member_payments as m where m.seat_id = s.id and m.settlement = 'potluck'
  ) as sums
  where s.ended_at > private.now() - private.contract_withdrawals_memory() and private.is_paid_contract_withdrawal(s)
  group by side.id, p.display_name
  $query$, null, coalesce(p_sort, '-withdrawals'), 'user_id', p_after, p_limit) using coalesce(p_by, 'member');
end $$;
select private.publish('list_contract_withdrawals', 'authenticated');

-- Allows a person new places through the site again.
create function private.lift_contract_withdrawals(p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_treasurer();
begin
  if p_user_id = v_user then
    perform private.refuse('own_contract_withdrawals_decided');
  elsif private.recent_contract_withdrawals(p_user_id) < private.most_contract_withdrawals() then
    perform private.refuse('person_not_barred');
  end if;
  insert into private.withdrawal_lifts (user_id) values (p_user_id)
  on conflict (user_id) do update set lifted_at = excluded.lifted_at;
  perform private.log_staff('withdrawals lifted', p_user_id::text);
end $$;
select private.publish('lift_contract_withdrawals', 'authenticated');

revoke all on private.payment_fingerprints, private.withdrawal_lifts from public, anon, authenticated, service_role;
