-- VAT on payments through the site depends on whose supply they are: the site sells its fee alone or, as the Court of Justice held for a
-- platform that sets the terms and takes the charge, the whole payment (C-695/20). It also depends on how close the fees come to the
-- threshold for sales to consumers in other member states (Directive 2006/112/EC, Art. 59c).

-- Returns whether new plans and places may be paid through the site. With real money, this is allowed only with a complete imprint, and once
-- staff have said that the fee alone is the site's supply (app_settings.payment_supply). Invoices of whole payments do not exist, so the
-- other answer keeps live payments closed. Existing places go on.
create function private.are_payments_open() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not exists (select from private.payment_provider where mode = 'live')
    or (private.has_imprint() and (select payment_supply from public.app_settings) is not distinct from 'fee');
end $$;

-- The threshold for the sales of a calendar year, in EUR without VAT; and the shares of it, in percent, at which staff are warned.
create function private.sales_abroad_limit() returns numeric
language sql immutable return 10000;
create function private.sales_abroad_warnings() returns integer[]
language sql immutable return '{80,100}'::integer[];

-- Returns the fees charged in a calendar year to members in other EU countries than the seller's, without VAT, as invoiced. Null
-- unless all fees are taxed in the seller's country, which is allowed only below the threshold.
create function private.sales_abroad(p_year integer) returns numeric
language plpgsql stable security definer set search_path = '' as $$
declare
  v_home text := (select o.country from public.operator as o, public.vat_settings as v where v.mode in ('home', 'small'));
  v_from timestamptz := make_timestamptz(p_year, 1, 1, 0, 0, 0, 'utc');
begin
  if v_home is null then return null; end if;
  return (
    select coalesce(sum(case when corrects is null then net else -net end), 0.00) from public.fee_invoices
    where paid_at >= v_from and paid_at < v_from + interval '1 year' and buyer_country <> v_home
      and private.vat_rate(buyer_country, (paid_at at time zone 'utc')::date) is not null);
end $$;

-- Warnings that have been sent to staff; each is sent once a year.
create table private.sales_abroad_told (
  year integer,
  percent integer,
  told_at timestamptz not null default private.now(),
  primary key (year, percent)
);
alter table private.sales_abroad_told enable row level security;

-- Warns staff once the sales of the year have reached a share of the threshold. If two shares are reached at the same time, staff
-- get one warning.
create function private.watch_sales_abroad() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_year integer := extract(year from private.now() at time zone 'utc');
  v_sum numeric := private.sales_abroad(v_year);
  v_percent integer;
begin
  with told as (
    insert into private.sales_abroad_told (year, percent)
    select v_year, percent from unnest(private.sales_abroad_warnings()) as percent where v_sum >= private.sales_abroad_limit() * percent / 100
    on conflict do nothing returning percent
  )
  select max(percent) into v_percent from told;
  if v_percent is null then return; end if;
  perform private.mail_notification(private.notify(staff.id, 'warning', null, 'tax-threshold',
    jsonb_build_object('percent', v_percent, 'amount', v_sum, 'cost', private.sales_abroad_limit())), '{}', '/admin?tab=settings')
  from private.people_who_may('settings.edit') as staff (id);
end $$;

-- Returns a month's payments through the site, less refunds and chargebacks, according to the ledger; the VAT they would contain if
-- the whole payment were the site's supply, at the rate of each member's country; and the part counted without VAT because the
-- country is not known.
create function private.whole_payments(p_month date, out gross numeric, out vat numeric, out unknown numeric)
language sql stable security definer set search_path = '' as $$
  with moved as (
    select t.payment_id, sum(case when t.kind in ('payment', 'chargeback-won') then t.amount else -t.amount end) as gross
    from private.ledger_transfers as t
    join private.ledger_accounts as giver on giver.id = t.from_account join private.ledger_accounts as taker on taker.id = t.to_account
    where t.created_at >= p_month::timestamp at time zone 'utc' and t.created_at < (p_month + interval '1 month') at time zone 'utc'
      and t.payment_id is not null and case t.kind when 'payment' then taker.kind like 'held%' when 'chargeback' then giver.kind <> 'refunds_due'
        when 'refund' then true else t.kind in ('payment-returned', 'chargeback-won') end
    group by t.payment_id
  ), taxed as (
    select moved.gross, coalesce(i.buyer_country, private.country_of(buyer.evidence, p_month)) as country
    from moved join public.member_payments as m on m.id = moved.payment_id
    left join lateral (select buyer_country from public.fee_invoices where payment_id = m.id and corrects is null limit 1) as i on true
    left join lateral private.buyer_of(m) as buyer on i.buyer_country is null
  )
  select coalesce(sum(taxed.gross), 0.00), coalesce(sum(private.vat_in(taxed.gross, coalesce(private.vat_rate(taxed.country, p_month), 0))), 0.00),
    coalesce(sum(taxed.gross) filter (where taxed.country is null), 0.00)
  from taxed
$$;

-- Returns the figures for both questions to staff who edit settings: the payments of this month and the one before, and the sales
-- abroad of this year.
create function private.supply_figures() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_today date := (private.now() at time zone 'utc')::date;
  v_month date := date_trunc('month', v_today);
begin
  if not (private.may('settings.edit') and private.may_act_as_staff()) then
    perform private.refuse('only_admins');
  end if;
  return jsonb_build_object(
    'months', (select jsonb_agg(jsonb_build_object('month', month, 'gross', gross, 'vat', vat, 'unknown', unknown) order by month desc)
      from unnest(array[v_month, (v_month - interval '1 month')::date]) as month cross join lateral private.whole_payments(month)),
    'abroad', private.sales_abroad(extract(year from v_today)::integer), 'limit', private.sales_abroad_limit(),
    'isLive', exists (select from private.payment_provider where mode = 'live'));
end $$;
select private.publish('supply_figures', 'authenticated');

revoke all on private.sales_abroad_told from public, anon, authenticated, service_role;
