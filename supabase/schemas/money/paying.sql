-- Calls about a member's own payments: pay one now, choose the card and see the status; and the outcome of refunds to a card.

insert into private.rate_limits (action, attempts, window_seconds, requests) values ('payment', 20, 3600, '{}');

-- Charges an open payment of the acting user while they are present, with the card they name or their usual one. The caller is
-- the function `payments`, which then carries out the charge.
create function private.begin_payment(p_payment_id uuid, p_card_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_payment public.member_payments;
  v_provider text := (select provider from private.payment_provider);
begin
  perform private.spend_attempt('payment');
  if p_card_id is not null and not exists (select from public.payment_methods where id = p_card_id and user_id = v_user) then
    perform private.refuse('card_not_found');
  elsif exists (select from public.debts where id = p_payment_id and member_id = v_user) then
    perform private.begin_debt_payment(p_payment_id, p_card_id);
    return;
  elsif not exists (select from public.member_payments where id = p_payment_id and member_id = v_user and settlement = 'potluck') then
    perform private.refuse('payment_not_found');
  end if;
  perform private.lock_seat_of_payment(p_payment_id);
  select * into v_payment from public.member_payments where id = p_payment_id;
  if not private.is_chargeable(v_payment.status) then
    perform private.refuse('nothing_to_pay');
  elsif private.has_open_problem(v_payment.seat_id) then
    perform private.refuse('problem_open');
  elsif (select private.is_paused(s) from private.seats as s where s.id = v_payment.seat_id) then
    perform private.refuse('place_paused');
  elsif v_payment.number = 1 then
    -- A first payment is a new contract. People who have paid with the same card count as one, so a new card can bar the member.
    perform private.require_may_contract(v_user);
  end if;
  insert into private.charges (payment_id, provider, card_id, on_session) values (p_payment_id, v_provider, p_card_id, true)
  on conflict (payment_id) do update set card_id = excluded.card_id, on_session = true;
  perform private.add_payment_jobs('charge', array[p_payment_id::text], v_provider);
end $$;

-- The status of the charge of the acting user's own payment, and the id of the card it was tried with; null if no charge was attempted.
create function private.own_charge(p_payment_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('intent', c.intent, 'status', c.status, 'code', c.code, 'card', c.card, 'tried', c.tried_id)
  from private.charges as c join public.member_payments as m on m.id = c.payment_id
  where m.id = p_payment_id and m.member_id = private.require_user()
  union all
  select jsonb_build_object('intent', intent, 'status', status, 'code', code, 'card', null, 'tried', card_id)
  from public.debts where id = p_payment_id and member_id = private.require_user() and attempts > 0
$$;

-- How long a refund that the provider cannot make yet is retried, and the provider's reasons after which a retry makes sense.
create function private.refund_patience() returns interval
language sql immutable return interval '7 days';
create function private.refusal_may_pass(p_reason text) returns boolean
language sql immutable
return coalesce(p_reason in ('insufficient_funds', 'balance_insufficient', 'lock_timeout', 'rate_limit', 'processing_error'), false);

-- Books a refund that was made at the provider and not by the site. It is taken from the part of that card payment that is still
-- held, then from transfers to the owner's own account, and otherwise from the guarantee account, which staff are told of. Once the
-- whole of a current payment has been refunded, staff are asked whether the seat goes on (returned_payments.sql). The caller has
-- locked the seat.
create function private.debit_returned(p_payment_id uuid, p_refund_id uuid, p_reference text, p_amount numeric) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment public.member_payments;
  v_held numeric;
  v_share numeric;
  v_fee numeric;
  v_rest numeric;
  v_part record;
begin
  select * into v_payment from public.member_payments where id = p_payment_id;
  v_held := case when v_payment.status = 'paid'
    then greatest(0, least(p_amount, v_payment.card - v_payment.returned_share - v_payment.returned_fee)) else 0 end;
  v_share := least(v_held, v_payment.share - v_payment.earned_share - v_payment.returned_share);
  v_fee := least(v_held - v_share, v_payment.fee - v_payment.earned_fee - v_payment.returned_fee);
  v_rest := p_amount - v_share - v_fee;
  v_rest := v_rest - private.debit_connected_account(v_payment, v_rest, null, p_refund_id => p_refund_id);
  for v_part in select * from (values ('held_share', v_payment.seat_id, v_share), ('held_fee', v_payment.seat_id, v_fee),
    ('guarantee', null, v_rest)) as part (kind, owner, amount) where part.amount > 0
  loop
    perform private.transfer(format('by-hand:%s:%s', p_reference, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
      private.ledger_account('refunds_due'), v_part.amount, 'refund', v_payment.seat_id, v_payment.id, v_payment.plan_name);
  end loop;
  update public.member_payments set returned_share = returned_share + v_share, returned_fee = returned_fee + v_fee where id = v_payment.id;
  if v_payment.status = 'paid' and v_payment.returned_share + v_payment.returned_fee + v_share + v_fee = v_payment.amount then
    update public.member_payments set status = 'given-back', closed_at = private.now() where id = v_payment.id;
  end if;
  perform private.ask_about_refund(v_payment.id);
  if v_rest > 0 then
    perform private.tell_treasurers('warning', 'payment-returned-by-hand',
      jsonb_build_object('plan', v_payment.plan_name, 'amount', p_amount, 'rest', v_rest, 'reference', p_reference));
  end if;
end $$;

-- Books a refund made by hand at the provider. Up to its amount, it replaces refunds of the payment that this site has queued but
-- not made.
create function private.adopt_refund(p_payment_id uuid, p_reference text, p_amount numeric) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat uuid := (select seat_id from public.member_payments where id = p_payment_id);
  v_rest numeric := p_amount;
  v_refund private.refunds;
  v_id uuid;
begin
  perform private.lock_place(v_seat);
  perform private.lock_held_money(array[v_seat], array['outside', 'refunds_due', 'fees', 'guarantee']);
  -- Two events may report the same refund at the same time.
  if exists (select from private.refunds where reference = p_reference) then return; end if;
  for v_refund in select * from private.refunds where payment_id = p_payment_id and status = 'queued' order by created_at loop
    if v_refund.amount <= v_rest then
      delete from private.payment_jobs where kind = 'refund' and about = v_refund.id::text;
      delete from private.refunds where id = v_refund.id;
    else
      update private.refunds set amount = amount - v_rest where id = v_refund.id and v_rest > 0;
    end if;
    v_rest := greatest(0, v_rest - v_refund.amount);
  end loop;
  insert into private.refunds (payment_id, amount, status, reference) values (p_payment_id, p_amount, 'pending', p_reference)
  returning id into v_id;
  if v_rest > 0 then
    perform private.debit_returned(p_payment_id, v_id, p_reference, v_rest);
  end if;
end $$;

-- Records the outcome of a refund that this site has made, or that somebody has made by hand at the provider. If the provider
-- refuses it, even after accepting it, the amount goes to the member's wallet, unless the card has been refunded already. Returns
-- false if the refund is not of a charge of this site.
create function private.record_refund(
  p_refund text, p_reference text, p_status text, p_reason text, p_intent text default null, p_amount numeric default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_refund private.refunds;
  v_payment public.member_payments;
  v_seat private.seats;
  v_account bigint;
  v_payment_id uuid;
  v_rest numeric;
begin
  select * into v_refund from private.refunds where id::text = p_refund or reference = p_reference;
  if not found then
    select payment_id into v_payment_id from private.charges where intent = p_intent;
    if v_payment_id is null then return false; end if;
    if p_reference is null or p_status = 'failed' then return true; end if;
    perform private.adopt_refund(v_payment_id, p_reference, p_amount);
    select * into v_refund from private.refunds where reference = p_reference;
  end if;
  v_seat := private.lock_place((select seat_id from public.member_payments where id = v_refund.payment_id));
  perform private.lock_held_money(array[v_seat.id], '{outside,refunds_due,fees,guarantee}');
  select * into v_refund from private.refunds where id = v_refund.id for update;
  select * into v_payment from public.member_payments where id = v_refund.payment_id;
  if p_status = 'failed' and v_refund.status <> 'failed' and v_refund.created_at > clock_timestamp() - private.refund_patience()
    and (private.refusal_may_pass(p_reason) or (p_reference is null and p_amount <> v_refund.amount)) then
    -- A refund that the provider refused to make stays in the queue; one that failed after it was made is replaced by a new one.
    update private.refunds set reason = p_reason, reference = coalesce(reference, p_reference),
      status = case when p_reference is null then status else 'failed' end where id = v_refund.id;
    if p_reference is not null then
      -- The money has left the provider's account and come back, even if no event said so.
      perform private.transfer('refund:' || v_refund.id, private.ledger_account('refunds_due'), private.ledger_account('outside'),
        v_refund.amount, 'refund-sent', v_payment.seat_id, v_payment.id, v_payment.plan_name);
      perform private.transfer('refund-failed:' || v_refund.id, private.ledger_account('outside'), private.ledger_account('refunds_due'),
        v_refund.amount, 'refund-failed', v_payment.seat_id, v_payment.id, v_payment.plan_name);
      perform private.queue_refund(v_payment.id, v_refund.amount, v_refund.created_at);
    end if;
    return true;
  elsif p_status <> 'failed' and private.is_open_refund(v_refund.status) and p_amount > v_refund.amount then
    -- adopt_refund() had reduced this refund because of another one made by hand, but the provider has made it in full, so the rest
    -- is debited too.
    v_rest := p_amount - v_refund.amount;
    update private.refunds set amount = p_amount where id = v_refund.id returning * into v_refund;
    perform private.debit_returned(v_payment.id, v_refund.id, p_reference, v_rest);
  end if;
  update private.refunds set reference = coalesce(reference, p_reference), reason = p_reason,
    status = case when status = 'failed' or (status = 'succeeded' and p_status <> 'failed') then status else p_status end
  where id = v_refund.id;
  if p_status = 'succeeded' and private.is_open_refund(v_refund.status) then
    perform private.transfer('refund:' || v_refund.id, private.ledger_account('refunds_due'), private.ledger_account('outside'),
      v_refund.amount, 'refund-sent', v_payment.seat_id, v_payment.id, v_payment.plan_name);
    perform private.book_returned_twice(v_refund, v_payment);
  elsif p_status = 'failed' and v_refund.status <> 'failed' then
    v_account := private.ledger_account(case v_refund.status when 'succeeded' then 'outside' else 'refunds_due' end);
    v_refund.amount := v_refund.amount - private.leave_to_dispute(v_refund, v_account, v_payment);
    if v_refund.amount > 0 and p_reason = 'charge_already_refunded' then
      perform private.transfer('refund-failed:' || v_refund.id, v_account, private.ledger_account('guarantee'),
        v_refund.amount, 'refund-failed', v_payment.seat_id, v_payment.id, v_payment.plan_name);
    elsif v_refund.amount > 0 then
      perform private.transfer('refund-failed:' || v_refund.id, v_account, private.ledger_account('wallet', v_payment.member_id),
        v_refund.amount, 'refund-failed', v_payment.seat_id, v_payment.id, v_payment.plan_name);
      perform private.tell_seat(v_seat, v_payment.member_id, 'warning', 'refund-to-wallet', jsonb_build_object('amount', v_refund.amount));
    end if;
  end if;
  return true;
end $$;

select private.publish('begin_payment', 'authenticated');
select private.publish('own_charge', 'authenticated');

-- Only the Edge Function `payments` may call these.
select private.publish('record_intent', 'service_role');
select private.publish('record_intents', 'service_role');
select private.publish('record_charges', 'service_role');
select private.publish('knows_charge', 'service_role');
select private.publish('refuse_charge', 'service_role');
select private.publish('record_charge', 'service_role');
select private.publish('record_refund', 'service_role');
