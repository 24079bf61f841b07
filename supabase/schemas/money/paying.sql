-- A member's own payments: pay one now, choose the card and see its status; and the outcome of refunds to a card.

insert into private.rate_limits (action, attempts, window_seconds, requests) values ('payment', 20, 3600, '{}');

-- Charges an open payment of the acting user while they are present, with the card they name or their usual one. The caller is
-- the function `payments`, which then carries out the charge.
create function private.begin_payment(p_payment_id uuid, p_card_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_period public.member_payments;
  v_provider text := (select provider from private.payment_provider);
begin
  perform private.spend_attempt('payment');
  if not exists (select from public.member_payments where id = p_payment_id and member_id = v_user and settlement = 'potluck') then
    raise exception 'Payment not found' using errcode = 'PT404';
  elsif p_card_id is not null and not exists (select from public.payment_methods where id = p_card_id and user_id = v_user) then
    raise exception 'This card is not saved here' using errcode = 'PT404';
  end if;
  perform private.lock_seat_of(p_payment_id);
  select * into v_period from public.member_payments where id = p_payment_id;
  if v_period.status not in ('due', 'charging', 'needs-action', 'failed') then
    raise exception 'There is nothing to pay here' using errcode = '23514';
  elsif private.has_open_problem(v_period.seat_id) then
    raise exception 'Nothing is charged while a problem is open' using errcode = '23514';
  end if;
  insert into private.charges (payment_id, provider, card_id, on_session) values (p_payment_id, v_provider, p_card_id, true)
  on conflict (payment_id) do update set card_id = excluded.card_id, on_session = true;
  insert into private.payment_jobs as j (kind, about, provider) values ('charge', p_payment_id::text, v_provider)
  on conflict (kind, about) do update set next_attempt_at = clock_timestamp()
  -- Not during an attempt.
  where j.last_error is not null;
end $$;

-- The status of the charge of the acting user's own payment; null if none was attempted.
create function private.own_charge(p_payment_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('intent', c.intent, 'status', c.status, 'code', c.code, 'card', c.card)
  from private.charges as c join public.member_payments as m on m.id = c.payment_id
  where m.id = p_payment_id and m.member_id = private.require_user()
$$;

-- Records the outcome of a refund. What the provider refuses, even after accepting it, goes to the wallet. False if not ours.
create function private.record_refund(p_refund text, p_reference text, p_status text, p_reason text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_refund private.refunds;
  v_period public.member_payments;
  v_seat private.seats;
  v_account bigint;
begin
  select * into v_refund from private.refunds where id::text = p_refund or reference = p_reference;
  if not found then return false; end if;
  v_seat := private.lock_seat_of(v_refund.payment_id);
  select * into v_refund from private.refunds where id = v_refund.id for update;
  select * into v_period from public.member_payments where id = v_refund.payment_id;
  update private.refunds set reference = coalesce(reference, p_reference), reason = p_reason,
    status = case when status = 'failed' or (status = 'succeeded' and p_status <> 'failed') then status else p_status end
  where id = v_refund.id;
  if p_status = 'succeeded' and v_refund.status in ('queued', 'pending') then
    perform private.transfer('refund:' || v_refund.id, private.ledger_account('refunds_due'), private.ledger_account('outside'),
      v_refund.amount, 'refund-sent', v_period.seat_id, v_period.id, v_period.plan_name);
  elsif p_status = 'failed' and v_refund.status <> 'failed' then
    v_account := private.ledger_account(case v_refund.status when 'succeeded' then 'outside' else 'refunds_due' end);
    v_refund.amount := v_refund.amount - private.leave_to_dispute(v_refund, v_account, v_period);
    if v_refund.amount > 0 then
      perform private.transfer('refund-failed:' || v_refund.id, v_account, private.ledger_account('wallet', v_period.member_id),
        v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
      perform private.tell_seat(v_seat, v_period.member_id, 'warning', 'refund-to-wallet', 'Refund In Your Wallet',
        format('%s for %s could not go back to your card, so it is in your wallet.', private.euros(v_refund.amount), v_period.plan_name),
        jsonb_build_object('amount', v_refund.amount));
    end if;
  end if;
  return true;
end $$;

select private.publish('begin_payment', 'authenticated');
select private.publish('own_charge', 'authenticated');

-- For the function only.
select private.publish('record_intent', 'service_role');
select private.publish('knows_charge', 'service_role');
select private.publish('refuse_charge', 'service_role');
select private.publish('record_charge', 'service_role');
select private.publish('record_refund', 'service_role');
