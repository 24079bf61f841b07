-- Refunds of charges: those that the site makes, and those made by hand at the provider, each booked once.

-- Returns whether a refund has yet to be completed.
create function private.is_open_refund(p_status text) returns boolean
language sql immutable return p_status in ('queued', 'pending');

-- Refunds of charges to the card or bank account that paid.
create table private.refunds (
  id uuid primary key default gen_random_uuid(),
  payment_id uuid not null references private.charges (payment_id) on delete restrict,
  amount numeric(12, 2) not null check (amount > 0),
  status text not null default 'queued' check (status in ('queued', 'pending', 'succeeded', 'failed')),
  reference text unique,
  reason text,
  created_at timestamptz not null default clock_timestamp()
);
create index refunds_payment_idx on private.refunds (payment_id);
alter table private.refunds enable row level security;

-- Queues a refund to the card; until it is made, the money waits in the account refunds_due.
create function private.queue_refund(p_payment uuid, p_amount numeric, p_since timestamptz default clock_timestamp()) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_refund uuid;
  v_provider text;
begin
  insert into private.refunds (payment_id, amount, created_at) values (p_payment, p_amount, p_since) returning id into v_refund;
  select provider into v_provider from private.charges where payment_id = p_payment;
  perform private.queue_payment_jobs('refund', array[v_refund::text], v_provider);
end $$;

create function private.refund_order(p_refund uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', r.id, 'intent', c.intent, 'amountCents', round(r.amount * 100)::integer)
  from private.refunds as r join private.charges as c using (payment_id)
  where r.id = p_refund and private.is_open_refund(r.status)
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

-- Only the Edge Function `payments` may call this.
select private.publish('record_refund', 'service_role');

revoke all on private.refunds from public, anon, authenticated, service_role;
