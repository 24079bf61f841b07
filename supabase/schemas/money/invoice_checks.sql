-- Checks whether invoices and credit notes agree with the ledger, with each other, and with the rates, settings and evidence of
-- their day.

-- Lists invoices that do not agree with the ledger or with each other. Payments whose transfers are not all sealed yet, or that
-- wait for the settings, are left out.
create function private.check_invoices() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  with made as (
    select payment_id, sum(gross) filter (where corrects is null) as charged, coalesce(sum(gross) filter (where corrects is not null), 0) as returned,
      sum(case when corrects is null then gross else -gross end) as gross, sum(case when corrects is null then vat else -vat end) as vat,
      min(vat_rate) as rate, count(distinct (vat_rate, category, buyer_country)) as ways
    from public.fee_invoices group by payment_id
  ), due as (
    select m as payment, m.id, made.* from public.member_payments as m left join made on made.payment_id = m.id
    where (made.payment_id is not null or m.settlement = 'potluck' and private.vat_mode_at(m.paid_at) is not null)
      and not exists (
        select from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id
        left join private.ledger_seals as s on s.transfer_id = e.transfer_id
        where a.kind = 'held_fee' and a.owner = m.seat_id and (s.line <= (select line from private.invoices_through)) is not true)
      and not exists (
        select from private.ledger_transfers as t left join private.ledger_seals as s on s.transfer_id = t.id
        where t.key = private.guarantee_refund_key(m.id) and (s.line <= (select line from private.invoices_through)) is not true)
  )
  select 'Invoices do not agree with the ledger: ' || part.what, 'period ' || due.id, part.ledger, coalesce(part.found, 0)
  from due cross join lateral private.fee_in_ledger(due.payment) as fee
  cross join lateral (values ('charged', fee.charged, due.charged), ('gone back', fee.returned, due.returned),
    ('the VAT of what remains', private.vat_in(due.gross, due.rate), due.vat), ('one way to tax it', 1, coalesce(due.ways, 1))) as part (what, ledger, found)
  where part.ledger <> coalesce(part.found, 0)
  union all
  select 'Numbers of invoices are missing', coalesce(s.name, n.name), s.last, n.invoices from private.invoice_series as s
  full join (
    select substr(number, 1, char_length(number) - char_length(digits)) as name, count(*) as invoices, min(digits::numeric) as first, max(digits::numeric) as last
    from public.fee_invoices cross join lateral substring(number from '[0-9]+$') as digits group by 1
  ) as n on n.name = s.name
  where (s.last, s.last, 1) is distinct from (n.invoices, n.last, n.first)
  union all
  -- An invoice is made only from sealed transfers, so `line` must have reached at least their seals.
  select 'Invoices were made of more than they are said to be', 'invoices_through', max(made.line), t.line
  from private.invoices_through as t, (
    select min(s.line) as line from public.fee_invoices as i join private.ledger_transfers as t on t.payment_id = i.payment_id
    join private.ledger_accounts as a on a.id = t.to_account and a.kind = 'held_fee'
    join private.ledger_seals as s on s.transfer_id = t.id group by i.payment_id
  ) as made group by t.line having max(made.line) > t.line
  union all
  select 'It is not said how far invoices have come', 'invoices_through', 1, 0 where not exists (select from private.invoices_through)
$$;

-- Returns every version of the operator's details and of the settings so far, in the form stored in invoices: those before and after each
-- change, from the staff log, and the current one.
create function private.past_sellers() returns table (operator jsonb, mode text, sentence text)
language sql stable security definer set search_path = '' as $$
  select case when version ? 'street' then version - '{id,email,phone,register}'::text[] end, version ->> 'mode', version ->> 'sentence' from (
    select details -> 'before' as version from private.staff_log where action = 'settings changed'
    union select details -> 'after' from private.staff_log where action = 'settings changed'
    union select jsonb_strip_nulls(to_jsonb(s)) from public.vat_settings as s
    union select jsonb_strip_nulls(to_jsonb(o)) from public.operator as o
  ) as versions where version ?& '{mode,prefix}' or version ?& '{street,vat_number}'
$$;

-- Lists documents whose VAT does not fit the buyer's country, the settings and the rate of the day; returns no rows if all fit. A
-- credit note must repeat the details of its invoice.
create function private.check_taxation() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  with document as (
    select i.*, i.seller ->> 'mode' as mode, private.vat_rate(i.buyer_country, day) as buyer_rate, private.vat_rate(i.seller ->> 'country', day) as seller_rate
    from public.fee_invoices as i cross join lateral (select (i.paid_at at time zone 'utc')::date as day) as of_payment
  ), due as (
    select d.*, case when mode = 'small' then 'E' when buyer_rate is null then 'O' else 'S' end as due_category,
      case when mode = 'small' or buyer_rate is null then 0 when mode = 'oss' then buyer_rate else seller_rate end as due_rate
    from document as d
  )
  select 'A document has another rate than its day, its country and the settings demand', number, due_rate, vat_rate from due
  where vat_rate is distinct from due_rate
  union all
  select 'A document has another category of VAT than its country and the settings demand', number || ' ' || category, null, null from due
  where category is distinct from due_category
  union all
  select 'A document has another country than the evidence says', number, null, null from due
  where buyer_country is distinct from coalesce(private.country_of(evidence, (paid_at at time zone 'utc')::date), seller ->> 'country')
  union all
  select 'A document has a seller that the settings never named', number, null, null from due
  where not exists (select from private.past_sellers() as p where p.operator = jsonb_strip_nulls(seller - '{mode,sentence}'::text[]))
    or mode not in (select p.mode from private.past_sellers() as p where p.mode is not null)
    or not exists (select from private.past_sellers() as p where p.mode is not null and p.sentence is not distinct from seller ->> 'sentence')
  union all
  select 'A document has another buyer, day or plan than its payment', d.number, null, null
  from due as d left join public.member_payments as m on m.id = d.payment_id
  where (d.buyer_id, d.paid_at, d.plan_name, d.period) is distinct from (m.member_id, m.paid_at, m.plan_name, m.number)
  union all
  select 'A credit note says something else than its invoice', d.number, null, null
  from due as d left join public.fee_invoices as i on i.id = d.corrects
  where d.corrects is not null and (d.payment_id, d.buyer_name, d.buyer_country, d.evidence, d.seller, d.category, d.vat_rate)
    is distinct from (i.payment_id, i.buyer_name, i.buyer_country, i.evidence, i.seller, i.category, i.vat_rate)
$$;
