-- The acting user's totals for one plan or for all, as a member or as an owner, with a row for EUR and for each other currency: the amounts that are due, that wait for
-- confirmation or are being debited, and that have been paid so far, less refunds. A direct payment is not due before its owner has
-- said how to pay. For an owner, the amounts exclude the fee, and only the earned part of payments through the site counts as paid.
create function private.payment_totals(
  -- True for the totals as an owner, who is paid; false for those as a member.
  p_as_owner boolean default false,
  p_subscription_id text default null
)
returns table (
  -- The amount due now.
  due numeric,
  -- The amount that the other side has yet to confirm, or that a bank is debiting.
  claimed numeric,
  -- The amount paid so far, less refunds.
  paid numeric,
  -- The currency of the row.
  currency text
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
  select coalesce(sum(p.amount) filter (where p.is_open and p.due_at <= private.now()), 0),
    coalesce(sum(p.amount) filter (where private.is_unconfirmed(p.status) or p.status = 'processing'), 0),
    coalesce(sum(p.settled) filter (where p.paid_at is not null), 0), coalesce(p.currency, 'EUR')
  from (values ('EUR')) as always (currency)
  full join (
    select m.currency, m.status, m.due_at, m.paid_at, private.has_failed(m.status)
        or m.status = 'due' and (m.settlement = 'potluck' or private.says_how_to_pay(m.owner_id)) as is_open,
      case when p_as_owner then m.share else m.amount end as amount,
      case when p_as_owner and m.settlement = 'potluck' then m.earned_share
        else case when p_as_owner then m.share - m.returned_share else m.amount - m.returned_share - m.returned_fee - m.from_guarantee end
          - case when m.repaid_at is null then 0 else m.owed_back end
      end as settled
    from public.member_payments as m
    where (not p_as_owner and m.member_id = v_user or p_as_owner and m.owner_id = v_user)
      and (p_subscription_id is null or m.subscription_id = p_subscription_id)
  ) as p on p.currency = always.currency
  group by coalesce(p.currency, 'EUR') order by coalesce(p.currency, 'EUR') <> 'EUR', coalesce(p.currency, 'EUR');
end $$;
select private.publish('payment_totals', 'authenticated');
