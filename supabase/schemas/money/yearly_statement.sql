-- A person's money in one year, for them and their tax adviser: all movements by account, in the person's time zone. The accounts
-- are `card` (paid by and returned to cards), `wallet` (coins), `connected` (the person's own account at the provider) and `direct`
-- (payments between members and owners, as the two have stated). All but `direct` are movements of the ledger, so their sums match
-- it.

-- Returns a person's yearly statement: {year, until, zone, since, operator, name, language, accounts: [{account, currency, opening,
-- closing, moved}], sums: [{account, currency, kind, part, amount}], rows: [{account, currency, at, kind, part, about, amount}], reported}. Incoming amounts are
-- positive, outgoing ones negative; part marks the site's fee ("fee") or a payment that counts as received by silence
-- ("unanswered"). until is the last day: today, if the year is not over. since is the first possible year; reported has the figures
-- that the tax office is told, or null. Raises 23514 for a year before 2000 or after 2200.
create function private.statement_of(p_user_id uuid, p_year integer) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_hashjoin = off set jit = off as $$
declare
  v_zone text := private.zone_of(p_user_id);
  v_from timestamptz;
  v_until timestamptz;
  v_outside bigint := (select id from private.ledger_accounts where kind = 'outside');
begin
  if (p_year between 2000 and 2200) is not true then
    perform private.refuse('statement_year_unknown');
  end if;
  v_from := make_date(p_year, 1, 1)::timestamp at time zone v_zone;
  v_until := make_date(p_year + 1, 1, 1)::timestamp at time zone v_zone;
  return (
    with own as (
      select id, kind from private.ledger_accounts where kind in ('wallet', 'connected') and owner = p_user_id
    ), moved as (
      select own.kind as account, e.created_at as at, t.kind, t.id as line, t.from_account, t.to_account, e.amount, t.payment_id, t.description
      from own join private.ledger_entries as e on e.account_id = own.id and e.created_at >= v_from and e.created_at < v_until
      join private.ledger_transfers as t on t.id = e.transfer_id
      union all
      -- If a bank takes money from an owner's account, the transfer has the owner as its person, but the money goes back to the
      -- member's card.
      select 'card', t.created_at, t.kind, t.id, t.from_account, t.to_account,
        case when t.to_account = v_outside then t.amount else -t.amount end, t.payment_id, t.description
      from (select p_user_id union select owner_id from public.payment_disputes where member_id = p_user_id) as whose (person)
      join private.ledger_transfers as t on t.person_id = whose.person and t.created_at >= v_from and t.created_at < v_until
      join public.member_payments as m on m.id = t.payment_id and m.member_id = p_user_id
      where v_outside in (t.from_account, t.to_account) and t.kind <> 'cost'
    ), movement as (
      select moved.account, moved.at, moved.kind, moved.line,
        case when 'held_fee' in (source.kind, target.kind) then 'fee' end as part, 'EUR' as currency, coalesce(m.plan_name, moved.description) as about, moved.amount
      from moved join private.ledger_accounts as source on source.id = moved.from_account
      join private.ledger_accounts as target on target.id = moved.to_account
      left join public.member_payments as m on m.id = moved.payment_id
      union all
      -- Received and made payments are separate kinds, so that sums do not offset one against the other.
      select 'direct', m.paid_at, case m.member_id when p_user_id then 'payment' else 'earning' end, null,
        case m.received_by when 'silence' then 'unanswered' end, m.currency, m.plan_name, case m.member_id when p_user_id then -m.share else m.share end
      from public.member_payments as m
      where p_user_id in (m.member_id, m.owner_id) and m.settlement = 'direct' and m.paid_at >= v_from and m.paid_at < v_until and m.share > 0
      union all
      select 'direct', m.repaid_at, case m.member_id when p_user_id then 'refund' else 'refund-sent' end, null,
        (select c.status from public.payment_claims as c where c.payment_id = m.id and c.kind = 'repayment' and c.status = 'unanswered' limit 1), m.currency, m.plan_name, case m.member_id when p_user_id then m.owed_back else -m.owed_back end
      from public.member_payments as m
      where p_user_id in (m.member_id, m.owner_id) and m.repaid_at >= v_from and m.repaid_at < v_until and m.owed_back > 0
    )
    select jsonb_build_object('year', p_year, 'zone', v_zone,
      'until', least(make_date(p_year, 12, 31), private.day_in(private.now(), v_zone)),
      'since', (select extract(year from created_at at time zone v_zone) from auth.users where id = p_user_id),
      'operator', (select name from public.operator),
      'name', private.legal_name(p_user_id),
      'language', (select language from private.user_details where user_id = p_user_id),
      'accounts', (
        select coalesce(jsonb_agg(jsonb_build_object('account', part.kind, 'currency', part.currency, 'opening', part.opening,
          'closing', part.closing, 'moved', coalesce((select sum(amount) from movement where account = part.kind and currency = part.currency), 0))
          order by part.place, part.currency <> 'EUR', part.currency), '[]')
        from (
          select known.place, known.kind, unit.currency, private.balance_at(own.id, v_from) as opening, private.balance_at(own.id, v_until) as closing
          from unnest(array['card', 'wallet', 'connected', 'direct']) with ordinality as known (kind, place)
          cross join lateral (select 'EUR' as currency union select currency from movement where account = known.kind) as unit
          left join own on own.kind = known.kind
        ) as part where part.opening <> 0 or part.closing <> 0
          or exists (select from movement where account = part.kind and currency = part.currency)),
      'sums', (
        select coalesce(jsonb_agg(to_jsonb(s) order by s.account, s.currency <> 'EUR', s.currency, s.kind, s.part nulls first), '[]') from (
          select account, currency, kind, part, sum(amount) as amount from movement group by account, currency, kind, part) as s),
      'reported', private.reported_of(p_user_id, p_year),
      'rows', (select coalesce(jsonb_agg(to_jsonb(m) - 'line' order by m.at, m.line), '[]') from movement as m)));
end $$;

-- The acting user's money in one year, by account: all movements, and their sums.
create function private.yearly_statement(
  -- Four digits; the year is in the person's time zone.
  p_year integer
) returns jsonb
language sql stable security definer set search_path = '' as $$ select private.statement_of(private.require_user(), p_year) $$;
select private.publish('yearly_statement', 'authenticated');

-- Returns the balance of an account just before a time; null if there is no account.
create function private.balance_at(p_account bigint, p_at timestamptz) returns numeric
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select balance_after from private.ledger_entries where account_id = p_account and created_at < p_at
    order by created_at desc, version desc limit 1
  ), 0.00) where p_account is not null
$$;
