set local check_function_bodies = off;

ALTER TABLE "private"."ledger_transfers" DROP CONSTRAINT "ledger_transfers_kind_check";

ALTER TABLE "private"."payment_jobs" DROP CONSTRAINT "payment_jobs_kind_check";

DROP FUNCTION "private"."answer_terms"(uuid, boolean);

DROP FUNCTION "private"."available_coins"(uuid);

DROP FUNCTION "private"."card_has_back"(public.member_payments);

DROP FUNCTION "private"."give_back"(uuid, numeric, numeric, text, numeric);

DROP FUNCTION "private"."is_contract_with_site"(uuid);

DROP FUNCTION "private"."keys_on_top"(uuid);

DROP FUNCTION "private"."knows_charge"(text);

DROP FUNCTION "private"."may_withdraw"(private.seats);

DROP FUNCTION "private"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text);

DROP FUNCTION "private"."rest_of"(public.member_payments, numeric);

DROP FUNCTION "private"."return_from_guarantee"(public.member_payments, numeric);

DROP FUNCTION "private"."withdrawable_until"(private.seats);

DROP FUNCTION "public"."answer_terms"(uuid, boolean);

DROP FUNCTION "public"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text);

CREATE TABLE "private"."payment_fingerprints" ("fingerprint" text NOT NULL, "user_id" uuid NOT NULL, CONSTRAINT "payment_fingerprints_fingerprint_check" CHECK (((char_length(fingerprint) >= 1) AND (char_length(fingerprint) <= 200))), CONSTRAINT "payment_fingerprints_pkey" PRIMARY KEY (fingerprint, user_id), "seen_at" timestamp with time zone NOT NULL DEFAULT private.now());

ALTER TABLE "private"."payment_fingerprints" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."withdrawal_lifts" ("user_id" uuid NOT NULL, CONSTRAINT "withdrawal_lifts_pkey" PRIMARY KEY (user_id), "lifted_at" timestamp with time zone NOT NULL DEFAULT private.now());

ALTER TABLE "private"."withdrawal_lifts" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."debts" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "dispute_id" text NOT NULL, "payment_id" uuid NOT NULL, "member_id" uuid NOT NULL, "plan_name" text NOT NULL, "amount" numeric(12,2) NOT NULL, "coins" numeric(12,2) NOT NULL DEFAULT 0, "card" numeric(12,2) NOT NULL DEFAULT 0, "intent" text, "status" text, "code" text, "card_id" uuid, "attempts" integer NOT NULL DEFAULT 0, CONSTRAINT "debts_amount_check" CHECK ((amount > (0)::numeric)), CONSTRAINT "debts_card_check" CHECK ((card >= (0)::numeric)), CONSTRAINT "debts_code_check" CHECK ((char_length(code) <= 200)), CONSTRAINT "debts_coins_check" CHECK ((coins >= (0)::numeric)), CONSTRAINT "debts_dispute_id_key" UNIQUE (dispute_id), CONSTRAINT "debts_intent_check" CHECK ((char_length(intent) <= 200)), CONSTRAINT "debts_intent_key" UNIQUE (intent), CONSTRAINT "debts_pkey" PRIMARY KEY (id), CONSTRAINT "debts_status_check" CHECK ((status = ANY (ARRAY['queued'::text, 'charging'::text, 'needs-action'::text, 'failed'::text, 'succeeded'::text]))), "opened_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "public"."debts" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "public"."debts" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "private"."seats" ADD COLUMN "withdrawable_until" timestamp with time zone;

ALTER TABLE "public"."debts" ADD COLUMN "open" numeric(12,2) GENERATED ALWAYS AS (((amount - coins) - card)) STORED NOT NULL;

ALTER TABLE "public"."subscription_invitations" ADD COLUMN "begins_at_once_at" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.accept_invitation(p_token text, p_begin_at_once boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_invitation public.subscription_invitations := private.find_invitation(p_token);
  v_plan public.shared_subscriptions := private.lock_plan_of_invitation(v_invitation.subscription_id);
  v_member public.subscription_members;
begin
  perform private.require_open_invitation(v_invitation.id);
  perform private.require_unblocked(v_plan.owner_id, 'This invitation has already been withdrawn');
  perform private.require_open_slot(v_plan, v_invitation.email);
  update public.subscription_invitations set accepted_at = clock_timestamp(),
    begins_at_once_at = case when p_begin_at_once and v_plan.settlement = 'potluck' then private.now() end where id = v_invitation.id;
  update public.subscription_requests as r set status = 'approved'
  where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r);
  v_member := private.add_member(v_plan.id, v_user, false);
  perform private.notify(v_plan.owner_id, 'success', 'Invitation Accepted',
    format('%s has joined %s %s.', v_member.name, v_plan.provider, v_plan.name), v_plan.id, 'invitation-accepted',
    jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', v_member.name));
  perform private.notify(v_user, 'success', 'You Are In', format('You have joined %s %s.', v_plan.provider, v_plan.name), v_plan.id,
    'joined', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  return v_plan.id;
end $function$;

CREATE OR REPLACE FUNCTION private.account_end_refusal(p_user_id uuid, p_give_up_coins boolean)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_coins numeric := private.payable_coins(p_user_id);
begin
  return case
    when v_coins = 0 or private.has_bank_account(p_user_id) then null
    when private.has_own_account(p_user_id) then private.moving_refusal(p_user_id)
    when v_coins >= private.least_withdrawal()
      then format('You still have %s coins. Add a bank account so we can pay them out.', v_coins)
    when not p_give_up_coins
      then format('You still have %s coins. Add a bank account so we can pay them out, or give them up.', v_coins)
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.answer_terms(p_proposal_id uuid, p_accept boolean, p_begin_at_once boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_proposal public.term_proposals;
  v_seat private.seats;
  v_is_contract boolean;
begin
  select s.* into v_seat from private.seats as s join public.term_proposals as p on p.seat_id = s.id
  where p.id = p_proposal_id and p.member_id = v_user and s.ended_at is null for update of s;
  select * into v_proposal from public.term_proposals where id = p_proposal_id and answered_at is null;
  if v_seat.id is null or v_proposal.id is null then
    raise exception 'This proposal is not open' using errcode = 'PT404';
  elsif p_accept is null then
    raise exception 'Please accept or decline' using errcode = '23514';
  end if;
  update public.term_proposals set answered_at = private.now(), accepted = p_accept where id = v_proposal.id;
  if p_accept then
    v_is_contract := (v_seat.settlement, v_proposal.settlement) = ('direct', 'potluck');
    if v_is_contract then
      perform private.require_wish_to_begin(case when p_begin_at_once then private.now() end), private.require_may_contract(v_user);
      v_seat.begins_at_once_at := private.now();
      v_seat.withdrawable_until := private.last_withdrawal(v_user);
    end if;
    update private.seats set settlement = v_proposal.settlement, share = v_proposal.share, begins_at_once_at = v_seat.begins_at_once_at,
      withdrawable_until = v_seat.withdrawable_until where id = v_seat.id returning * into v_seat;
    perform private.open_accounts(v_seat);
    perform private.wake_seat(v_seat.id);
    if v_is_contract then
      perform private.tell_seat(v_seat, v_user, 'success', 'contract-changed', 'New Contract', concat_ws(' ',
        format('From your next month you pay for %s %s through the site.', v_seat.provider, v_seat.plan_name), private.terms_in_words(
          jsonb_build_object('at', v_seat.begins_at_once_at, 'until', v_seat.withdrawable_until))),
        jsonb_build_object('at', v_seat.begins_at_once_at, 'until', v_seat.withdrawable_until));
    end if;
  end if;
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', case when p_accept then 'terms-accepted' else 'terms-refused' end,
    case when p_accept then 'New Terms Accepted' else 'Old Terms Kept' end,
    format(case when p_accept then '%s accepted the new terms of %s %s, from the next period.'
      else '%s is keeping the old terms of %s %s.' end,
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.available_coins(p_user_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return greatest(0.00,
    coalesce((select coin_balance from public.user_wallets where user_id = p_user_id), 0)
    - coalesce((select round(sum(amount), 2) from public.withdrawal_requests
        where user_id = p_user_id and status in ('pending', 'processing')), 0));
end $function$;

CREATE OR REPLACE FUNCTION private.back_on_withdrawal(p_seat private.seats)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.has_open_problem(p_seat.id) then return null; end if;
  return (
    select coalesce(sum(unused.share + unused.fee), 0.00)
    from public.member_payments as m cross join lateral private.unused_of(m, private.now()) as unused
    where m.seat_id = p_seat.id and m.settlement = 'potluck' and m.status = 'paid');
end $function$;

CREATE OR REPLACE FUNCTION private.begin_debt_payment(p_debt_id uuid, p_card_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_debt public.debts;
  v_provider text := (select provider from private.payment_provider);
begin
  select * into v_debt from public.debts where id = p_debt_id for update;
  if v_debt.open = 0 then
    raise exception 'There’s nothing to pay here' using errcode = '23514';
  elsif (private.method_of(v_debt.member_id, v_provider, p_card_id)).kind = 'sepa_debit' then
    raise exception 'Pay this by card or with coins' using errcode = '23514';
  end if;
  update public.debts set card_id = p_card_id, status = case when status in ('charging', 'needs-action') then status else 'queued' end
  where id = p_debt_id;
  insert into private.payment_jobs as j (kind, about, provider) values ('debt', p_debt_id::text, v_provider)
  on conflict (kind, about) do update set next_attempt_at = clock_timestamp() where j.last_error is not null;
end $function$;

CREATE OR REPLACE FUNCTION private.begin_payment(p_payment_id uuid, p_card_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_period public.member_payments;
  v_provider text := (select provider from private.payment_provider);
begin
  perform private.spend_attempt('payment');
  if p_card_id is not null and not exists (select from public.payment_methods where id = p_card_id and user_id = v_user) then
    raise exception 'This card is not saved' using errcode = 'PT404';
  elsif exists (select from public.debts where id = p_payment_id and member_id = v_user) then
    perform private.begin_debt_payment(p_payment_id, p_card_id);
    return;
  elsif not exists (select from public.member_payments where id = p_payment_id and member_id = v_user and settlement = 'potluck') then
    raise exception 'Payment not found' using errcode = 'PT404';
  end if;
  perform private.lock_seat_of(p_payment_id);
  select * into v_period from public.member_payments where id = p_payment_id;
  if v_period.status not in ('due', 'charging', 'needs-action', 'failed') then
    raise exception 'There’s nothing to pay here' using errcode = '23514';
  elsif private.has_open_problem(v_period.seat_id) then
    raise exception 'We don’t charge you while a problem is open' using errcode = '23514';
  elsif v_period.number = 1 then
    -- The card may be one that somebody else has withdrawn with.
    perform private.require_may_contract(v_user);
  end if;
  insert into private.charges (payment_id, provider, card_id, on_session) values (p_payment_id, v_provider, p_card_id, true)
  on conflict (payment_id) do update set card_id = excluded.card_id, on_session = true;
  insert into private.payment_jobs as j (kind, about, provider) values ('charge', p_payment_id::text, v_provider)
  on conflict (kind, about) do update set next_attempt_at = clock_timestamp()
  -- Not during an attempt.
  where j.last_error is not null;
end $function$;

CREATE OR REPLACE FUNCTION private.book_debt(p_debt public.debts, p_from bigint, p_amount numeric, p_key text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_open numeric;
begin
  perform private.transfer(p_key, p_from, private.ledger_account('guarantee'), p_amount, 'debt',
    (select seat_id from public.member_payments where id = p_debt.payment_id), p_debt.payment_id, p_debt.plan_name || ': debt paid');
  update public.debts set
    coins = coins + case when p_from <> private.ledger_account('outside') then p_amount else 0 end,
    card = card + case when p_from = private.ledger_account('outside') then p_amount else 0 end
  where id = p_debt.id returning open into v_open;
  if v_open > 0 then return; end if;
  perform private.call_back_mail(p_debt.id::text);
  perform private.notify(p_debt.member_id, 'success', 'Debt Paid', format('You’ve paid what you owed for %s. Thank you.', p_debt.plan_name),
    null, 'payment-debt-paid', jsonb_build_object('plan', p_debt.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.book_guards()
 RETURNS TABLE(relation text, guard text)
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select named.relation, regexp_split_to_table(named.guards, '\s+') from (values
    ('private.ledger_accounts', 'ledger_accounts_kind_check ledger_accounts_kind_owner_key ledger_accounts_pkey only_some_accounts_fall_below_zero
      seats_and_people_own_the_rest_is_of_the_site'),
    ('private.ledger_transfers', 'keep log_staff ledger_transfers_amount_check ledger_transfers_check ledger_transfers_description_check
      ledger_transfers_key_check ledger_transfers_key_key ledger_transfers_kind_check ledger_transfers_pkey'),
    ('private.ledger_entries', 'keep ledger_entries_account_id_fkey ledger_entries_amount_check ledger_entries_check ledger_entries_pkey
      ledger_entries_transfer_id_fkey'),
    ('private.ledger_seals', 'keep ledger_seals_pkey ledger_seals_transfer_id_fkey ledger_seals_transfer_id_key'),
    ('private.ledger_seal_end', 'ledger_seal_end_id_check ledger_seal_end_pkey'),
    ('public.user_wallets', 'tell_first_coins user_wallets_coin_balance_check user_wallets_pkey user_wallets_total_earned_check
      user_wallets_total_withdrawn_check user_wallets_user_id_fkey'),
    ('public.coin_transactions', 'coin_transactions_amount_check coin_transactions_created_by_fkey coin_transactions_description_check
      coin_transactions_pkey coin_transactions_transaction_type_check coin_transactions_user_id_fkey'),
    ('private.seats', 'note_facts seats_billing_cycle_check seats_check seats_check1 seats_end_reason_check seats_ended_by_fkey
      seats_fee_rate_check paid_through_the_site_begins_at_once seats_invited_address_check seats_member_id_fkey seats_owner_id_fkey seats_pkey
      seats_settlement_check seats_share_check'),
    ('public.member_payments', 'issue_receipt note_facts note_lost_facts note_new_facts member_payments_card_check member_payments_coins_check member_payments_earned_fee_check
      member_payments_earned_share_check member_payments_fee_check member_payments_from_guarantee_check member_payments_member_id_fkey member_payments_note_check
      member_payments_number_check member_payments_owed_back_check member_payments_owner_id_fkey member_payments_paid_with_check member_payments_pkey
      member_payments_receipt_number_key member_payments_returned_fee_check member_payments_returned_share_check
      member_payments_seat_id_fkey member_payments_seat_id_number_key member_payments_settlement_check
      member_payments_share_check member_payments_status_check no_more_than_was_paid'),
    ('private.charges', 'charges_code_check charges_intent_check charges_intent_key charges_kind_check charges_payment_id_fkey charges_pkey charges_received_check
      charges_status_check'),
    ('private.refunds', 'refunds_amount_check refunds_payment_id_fkey refunds_pkey refunds_reference_key refunds_status_check'),
    ('public.payment_disputes', 'payment_disputes_amount_check payment_disputes_answer_check payment_disputes_id_check payment_disputes_member_id_fkey payment_disputes_owner_id_fkey
      payment_disputes_payment_id_fkey payment_disputes_pkey payment_disputes_reason_check payment_disputes_status_check'),
    ('public.debts', 'debts_amount_check debts_card_check debts_code_check debts_coins_check debts_dispute_id_fkey debts_dispute_id_key debts_intent_check
      debts_intent_key debts_member_id_fkey debts_open_check debts_payment_id_fkey debts_pkey debts_status_check'),
    ('public.withdrawal_requests', 'decide fill guard_payout hold log_staff name_account a_return_has_a_reason withdrawal_requests_bank_account_id_fkey
      withdrawal_requests_bank_account_last4_check withdrawal_requests_check withdrawal_requests_completed_by_fkey
      withdrawal_requests_pkey withdrawal_requests_processed_by_fkey withdrawal_requests_rejection_reason_check
      withdrawal_requests_return_reason_check withdrawal_requests_returned_by_fkey withdrawal_requests_status_check
      withdrawal_requests_stripe_transfer_id_check withdrawal_requests_user_id_fkey'),
    ('public.fee_invoices', 'keep fee_invoices_buyer_id_fkey fee_invoices_category_check fee_invoices_corrects_fkey fee_invoices_gross_check
      fee_invoices_net_check fee_invoices_number_key fee_invoices_payment_id_fkey fee_invoices_pkey fee_invoices_vat_check
      net_and_vat_are_all only_the_standard_rate_is_above_zero'),
    ('private.invoice_series', 'invoice_series_pkey'),
    ('private.daily_books', 'daily_books_pkey'),
    ('private.staff_log', 'keep staff_log_pkey'),
    ('private.staff_log_end', 'staff_log_end_id_check staff_log_end_pkey')
  ) as named (relation, guards)
$function$;

CREATE OR REPLACE FUNCTION private.book_returned_twice(p_refund private.refunds, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_dispute public.payment_disputes;
  v_missing numeric;
  v_coins numeric;
  v_part record;
begin
  -- Of a card no more is taken than it paid.
  if (select kind from private.charges where payment_id = p_period.id) <> 'sepa_debit' then return; end if;
  for v_dispute in
    select * from public.payment_disputes where payment_id = p_period.id and private.dispute_takes(status) order by opened_at, id for update
  loop
    v_missing := least(p_refund.amount, v_dispute.amount - private.taken_by(v_dispute));
    continue when v_missing <= 0;
    p_refund.amount := p_refund.amount - v_missing;
    v_coins := least(v_missing, private.available_coins(p_period.member_id));
    for v_part in select * from (values ('wallet', p_period.member_id, v_coins), ('guarantee', null, v_missing - v_coins))
      as part (kind, owner, amount) where part.amount > 0
    loop
      perform private.transfer(format('dispute:%s:%s:%s', v_dispute.id, p_refund.id, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
        private.ledger_account('outside'), v_part.amount, 'chargeback', p_period.seat_id, p_period.id, p_period.plan_name || ': payment taken back');
    end loop;
    update public.payment_disputes set from_coins = from_coins + v_coins, from_guarantee = from_guarantee + v_missing - v_coins
    where id = v_dispute.id;
    perform private.tell_treasurers('warning', 'A Payment Went Back Twice',
      format('%s of a payment for %s were refunded, and its bank had taken them back too. The guarantee account covers %s.',
        private.euros(v_missing), p_period.plan_name, private.euros(v_missing - v_coins)),
      'payment-returned-twice', jsonb_build_object('plan', p_period.plan_name, 'amount', v_missing, 'rest', v_missing - v_coins));
    perform private.note_debt(v_dispute.id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.check_agreement()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with moved as materialized (
    select t.*, giver.kind as gives, giver.owner as giver, taker.kind as takes, taker.owner as taker
    from private.ledger_transfers as t
    left join private.ledger_accounts as giver on giver.id = t.from_account
    left join private.ledger_accounts as taker on taker.id = t.to_account
  ), sums as materialized (
    select period_id,
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
    from moved where period_id is not null group by period_id
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
  -- Each transfer: between the accounts, for the place, the person and the reason that its kind, its key and its payment say.
  select 'A transfer is not what its kind, its key and its payment say', t.kind || ' ' || t.key, null::numeric, null::numeric
  from moved as t left join public.member_payments as m on m.id = t.period_id
  left join private.seats as s on s.id = t.seat_id left join private.charges as c on c.payment_id = t.period_id
  where (private.is_movement(t.kind, t.gives, t.takes)
    and (t.period_id is null) = (t.kind in ('adjustment', 'withdrawal', 'withdrawal-returned', 'given-up', 'handed-over', 'account',
      'account-failed', 'payout', 'payout-failed'))
    and t.seat_id is not distinct from m.seat_id
    and t.subscription_id is not distinct from s.subscription_id
    and t.person_id is not distinct from
      case when t.takes in ('wallet', 'connected') then t.taker when t.gives in ('wallet', 'connected') then t.giver else s.member_id end
    and (t.period_id is null
      or case when t.gives like 'held%' then t.giver = t.seat_id when t.gives = 'wallet' then t.giver = m.member_id
        when t.gives = 'connected' then t.giver = m.owner_id else t.giver is null end
      and case when t.takes like 'held%' then t.taker = t.seat_id
        when t.takes = 'wallet' then t.taker = case t.kind when 'earning' then m.owner_id else m.member_id end
        when t.takes = 'connected' then t.taker = m.owner_id else t.taker is null end)
    and t.key ^@ any (private.key_begins(t.kind, t.period_id, t.person_id, c.intent))
  ) is not true
  union all
  select 'An entry has another time than its transfer', t.kind || ' ' || t.key, null, null
  from private.ledger_transfers as t join private.ledger_entries as e on e.transfer_id = t.id where e.created_at <> t.created_at
  union all
  select 'Money moved for a payment that is missing', 'period ' || l.period_id, null, null
  from sums as l left join public.member_payments as m on m.id = l.period_id where m.id is null
  union all
  -- Each payment. A card payment that was let go, because the rest did not come, is no longer in a payment that was cancelled.
  select 'A payment does not agree with the ledger: ' || part.what, format('%s, period %s (%s)', m.plan_name, m.number, m.id),
    coalesce(part.ledger, 0), coalesce(part.found, 0)
  from public.member_payments as m left join sums as l on l.period_id = m.id
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
  where (m.owner_id, m.member_id, m.subscription_id) is distinct from (s.owner_id, s.member_id, s.subscription_id)
  union all
  select 'A debt does not agree with the ledger', coalesce('debt ' || d.id, l.period_id::text), coalesce(l.amount, 0), coalesce(d.coins + d.card, 0)
  from public.debts as d full join (
    select period_id, split_part(key, ':', 2) as debt, sum(case takes when 'guarantee' then amount else -amount end) as amount
    from moved where kind = 'debt' group by 1, 2 having sum(case takes when 'guarantee' then amount else -amount end) <> 0
  ) as l on l.debt = d.id::text and l.period_id = d.payment_id
  where coalesce(l.amount, 0) <> coalesce(d.coins + d.card, 0)
  union all
  select 'A charge does not agree with its status, ' || c.status, 'period ' || c.payment_id, null, c.received
  from private.charges as c where (c.status = 'succeeded') <> (c.received > 0)
  union all
  select 'A refund does not agree with its status, ' || r.status, 'refund ' || r.id, r.amount, coalesce(t.amount, 0)
  from private.refunds as r left join moved as t on t.key = 'refund:' || r.id and t.period_id = r.payment_id
  where case r.status when 'succeeded' then t.amount is distinct from r.amount when 'failed' then t.amount <> r.amount
    else t.amount is not null end
  union all
  select 'A withdrawal does not agree with the ledger', coalesce(w.id::text, t.key), coalesce(t.amount, 0), coalesce(w.amount, 0)
  from (select id, user_id, amount from public.withdrawal_requests where status = 'completed') as w
  full join (select * from moved where kind = 'withdrawal') as t on t.key = 'withdrawal:' || w.id
  where (w.amount, w.user_id) is distinct from (t.amount, t.person_id)
  union all
  select 'A returned withdrawal does not agree with the ledger', coalesce(w.id::text, t.key), coalesce(t.amount, 0), coalesce(w.amount, 0)
  from (select id, user_id, amount from public.withdrawal_requests where returned_at is not null) as w
  full join (select * from moved where kind = 'withdrawal-returned') as t on t.key = 'withdrawal-returned:' || w.id
  where (w.amount, w.user_id) is distinct from (t.amount, t.person_id)
  union all
  -- Coins moved to accounts, what did not arrive there, and what the provider paid out of them.
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
    from moved where kind in ('account', 'account-failed', 'payout', 'payout-failed')
  ) as l on l.key = part.key
  where (l.amount, l.person_id) is distinct from (part.amount, part.user_id)
  union all
  -- Who adjusted a wallet and why stands in the log of staff too, which has a chain of its own.
  select 'An adjustment does not agree with the log of staff', coalesce(t.key, 'transfer ' || l.transfer), l.amount, t.coins
  from (
    select (details ->> 'transfer')::bigint as transfer, (details ->> 'amount')::numeric as amount, subject, details ->> 'reason' as reason, actor
    from private.staff_log where action = 'wallet adjusted'
  ) as l full join (
    select *, case takes when 'wallet' then amount else -amount end as coins from moved where kind = 'adjustment'
  ) as t on t.id = l.transfer
  where (l.amount, l.subject, l.reason, l.actor) is distinct from (t.coins, t.person_id::text, t.description, t.created_by)
  union all
  -- Wallets: balance, totals and movements of each type.
  select 'A wallet does not agree with the ledger: ' || part.what, coalesce(w.user_id, l.owner, c.user_id)::text,
    coalesce(part.ledger, 0), coalesce(part.found, 0)
  from public.user_wallets as w
  full join (
    select owner, sum(amount) filter (where type = 'earned') as earned, sum(amount) filter (where type = 'spent') as spent,
      sum(amount) filter (where type = 'withdrawn') as withdrawn, sum(amount) filter (where type = 'refunded') as refunded,
      sum(amount) filter (where kind = 'withdrawal-returned') as returned
    from (
      select taker as owner, amount, kind, private.coin_type(kind, true) as type from moved where takes = 'wallet'
        and private.is_movement(kind, gives, takes)
      union all
      select giver, amount, kind, private.coin_type(kind, false) from moved where gives = 'wallet' and private.is_movement(kind, gives, takes)
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
$function$;

CREATE OR REPLACE FUNCTION private.check_invoices()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    select regexp_replace(number, '[0-9]+$', '') as name, count(*) as invoices from public.fee_invoices group by 1
  ) as n on n.name = s.name
  where s.last is distinct from n.invoices
$function$;

CREATE OR REPLACE FUNCTION private.close_period(p_period uuid, p_lost_from timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_unused record;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.settlement = 'direct' then
    v_unused := private.unused_of(v_period, p_lost_from);
    perform private.note_owed(v_seat, v_period, v_unused.share);
  elsif v_period.status = 'paid' then
    v_unused := private.unused_of(v_period, case v_seat.end_reason when 'withdrawn' then v_seat.ended_at else p_lost_from end);
    perform private.give_back(p_period, v_unused.share, v_unused.fee,
      case when v_seat.end_reason = 'withdrawn' and v_seat.ended_at = private.now() then 'withdrawn'
        when v_period.starts_at is null then 'no-access' when v_seat.ended_at is not null then 'ended' else 'problem' end);
    perform private.move_earnings(array[id], true) from public.member_payments where id = p_period and status = 'paid';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.coin_type(p_kind text, p_is_in boolean)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare v_type text := case
  when p_is_in and p_kind in ('earning', 'adjustment') then 'earned'
  when p_is_in and p_kind in ('payment-returned', 'refund', 'refund-failed', 'withdrawal-returned', 'chargeback-won', 'debt', 'handed-over',
    'account-failed') then 'refunded'
  when not p_is_in and p_kind in ('withdrawal', 'account') then 'withdrawn'
  when not p_is_in and p_kind in ('payment', 'adjustment', 'chargeback', 'debt', 'given-up', 'handed-over') then 'spent'
end;
begin
  if v_type is null then
    raise exception 'A % does not move coins %', p_kind, case when p_is_in then 'in' else 'out' end using errcode = '23514';
  end if;
  return v_type;
end $function$;

CREATE OR REPLACE FUNCTION private.contract_terms(p_seat private.seats, p_period public.member_payments)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_period.number > 1 or not private.may_withdraw(p_seat) then return null; end if;
  return jsonb_build_object('at', p_seat.begins_at_once_at, 'until', p_seat.withdrawable_until);
end $function$;

CREATE OR REPLACE FUNCTION private.debit_begun(p_charge private.charges, p_day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_charge.payment_id);
  v_period public.member_payments;
  v_method public.payment_methods;
  v_is_new boolean := v_seat.admitted_at is null;
  v_day date := coalesce(p_day, private.day_in(private.now(), private.zone_of(v_seat.member_id)));
  v_creditor text := (select coalesce(creditor, '') from private.payment_provider);
  v_amount numeric;
  v_is_in boolean;
  v_terms jsonb;
begin
  update public.member_payments set status = 'processing', claimed_at = coalesce(claimed_at, private.now()),
    next_attempt_at = private.now() + private.debit_time()
  where id = p_charge.payment_id and status in ('due', 'charging', 'needs-action', 'failed') returning * into v_period;
  if not found then return; end if;
  update private.seats set admitted_at = coalesce(admitted_at, private.now())
  where id = v_seat.id and (select admit_on_debit from public.app_settings);
  v_seat := private.begin_periods(v_seat.id);
  select * into v_method from public.payment_methods where id = p_charge.tried_id;
  v_amount := v_period.amount - v_period.coins;
  v_is_in := v_seat.admitted_at is not null and v_seat.late_since is null;
  v_terms := case when v_is_new and v_is_in then private.contract_terms(v_seat, v_period) end;
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'payment-under-way', 'Payment Under Way',
    concat_ws(' ', format('Your bank debits %s for %s on %s or soon after, from your account ending in %s (mandate %s, creditor %s). '
      || case when v_is_in then 'You have your place meanwhile.' else 'Your place is kept until then.' end,
      private.euros(v_amount), v_period.plan_name, to_char(v_day, 'FMDD FMMonth YYYY'), v_method.last4, coalesce(v_method.mandate, ''), v_creditor), private.terms_in_words(v_terms)),
    jsonb_build_object('at', v_terms -> 'at', 'until', v_terms -> 'until', 'amount', v_amount, 'day', v_day, 'account', coalesce(v_method.last4, ''), 'mandate', coalesce(v_method.mandate, ''),
      'creditor', v_creditor, 'admitted', case when v_terms is not null then to_jsonb('asked'::text) else to_jsonb(v_is_in) end));
  if v_is_new and v_seat.admitted_at is not null then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-debited', 'New Member',
      format(case when v_seat.access_given_at is null then '%s’s bank is being debited for %s. Give them access within %s hours.'
        else '%s’s bank is being debited for %s.' end, (select display_name from public.user_profiles where user_id = v_seat.member_id),
        v_period.plan_name, private.hours(private.access_time())),
      jsonb_build_object('hours', private.hours(private.access_time()), 'given', v_seat.access_given_at is not null));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.debt_order(p_debt_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_debt public.debts;
  v_card public.payment_methods;
  v_provider text := (select provider from private.payment_jobs where kind = 'debt' and about = p_debt_id::text);
begin
  select * into v_debt from public.debts where id = p_debt_id for update;
  if v_debt.id is null or v_debt.open = 0 then return null; end if;
  v_card := private.method_of(v_debt.member_id, v_provider, v_debt.card_id);
  if v_card.id is null or v_card.kind = 'sepa_debit' then
    update public.debts set status = 'failed', code = 'no_card' where id = p_debt_id;
    return null;
  end if;
  update public.debts set status = 'charging', attempts = attempts + 1 where id = p_debt_id;
  return jsonb_build_object('period', v_debt.id, 'intent', v_debt.intent, 'amountCents', round(v_debt.open * 100)::integer, 'currency', 'eur',
    'customer', (select reference from private.payment_customers where user_id = v_debt.member_id and provider = v_provider),
    'method', v_card.reference, 'description', v_debt.plan_name || ', returned debit', 'attempt', v_debt.attempts + 1,
    'since', floor(extract(epoch from v_debt.opened_at))::integer, 'onSession', true);
end $function$;

CREATE OR REPLACE FUNCTION private.decide_fraud_warning(p_id text, p_refunds boolean)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_warning public.fraud_warnings;
  v_seat private.seats;
  v_period public.member_payments;
  v_all numeric := 0;
  v_held numeric;
  v_share numeric;
  v_fee numeric;
  v_account numeric;
begin
  select * into v_warning from public.fraud_warnings where id = p_id;
  if not found then
    raise exception 'Warning not found' using errcode = 'PT404';
  elsif v_user in (v_warning.member_id, v_warning.owner_id) then
    raise exception 'Someone else decides about a warning of yours' using errcode = '42501';
  end if;
  v_seat := private.lock_place((select seat_id from public.member_payments where id = v_warning.payment_id));
  perform private.lock_held_money(array[v_seat.id], '{refunds_due,fees,guarantee}');
  select * into v_warning from public.fraud_warnings where id = p_id for update;
  if v_warning.decided_at is not null then
    raise exception 'Someone already decided about this warning' using errcode = 'PT409';
  end if;
  if p_refunds then
    select * into v_period from public.member_payments where id = v_warning.payment_id;
    v_all := private.left_on_card(v_period);
    if v_all = 0 or exists (select from public.payment_disputes where payment_id = v_period.id) then
      raise exception 'This payment has been given back or is disputed, so there’s nothing to refund' using errcode = '23514';
    end if;
    v_held := case v_period.status when 'paid' then least(v_all, v_period.card - v_period.returned_share - v_period.returned_fee) else 0 end;
    v_share := least(v_held, v_period.share - v_period.earned_share - v_period.returned_share);
    v_fee := least(v_held - v_share, v_period.fee - v_period.earned_fee - v_period.returned_fee);
    perform private.give_back(v_period.id, v_share, v_fee, 'warned');
    v_account := private.take_from_account(v_period, v_all - v_share - v_fee, null, p_id);
    if v_account > 0 then
      perform private.queue_refund(v_period.id, v_account);
    end if;
    if v_all > v_share + v_fee + v_account then
      perform private.transfer(private.guarantee_refund_key(v_period.id), private.ledger_account('guarantee'), private.ledger_account('refunds_due'),
        v_all - v_share - v_fee - v_account, 'refund', v_seat.id, v_period.id, v_period.plan_name);
      perform private.queue_refund(v_period.id, v_all - v_share - v_fee - v_account);
    end if;
    update public.member_payments set from_guarantee = from_guarantee + v_all - v_share - v_fee where id = v_period.id;
    perform private.end_seat(v_seat.id, 'disputed', null);
    select * into v_seat from private.seats where id = v_seat.id;
    perform private.tell_seat(v_seat, v_period.member_id, 'info', 'money-given-back', 'Refund on Its Way',
      format('We’re refunding %s of your payment for %s, the way you paid it.', private.euros(v_all), v_period.plan_name),
      jsonb_build_object('amount', v_all, 'reason', 'warned'));
  end if;
  update public.fraud_warnings set decided_at = private.now(), decided_by = v_user, refunded = nullif(v_all, 0) where id = p_id;
  perform private.log_staff(case when p_refunds then 'warned payment refunded' else 'fraud warning left' end, p_id,
    jsonb_build_object('member', v_warning.member_id, 'owner', v_warning.owner_id, 'payment', v_warning.payment_id, 'amount', nullif(v_all, 0)));
  return v_all;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_own_account(p_give_up_coins boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
  v_seats uuid[];
  v_coins numeric;
  v_refusal text;
  v_is_owed boolean;
begin
  perform private.require_recent_proof();
  -- Waits for anybody approving a member or moving coins right now.
  perform from public.shared_subscriptions
  where owner_id = v_user or id in (select subscription_id from public.waiting_list where user_id = v_user)
  order by id for update;
  perform from public.subscription_members where user_id = v_user order by id for update;
  perform private.lock_plan_to_leave(subscription_id) from (
    select subscription_id from private.seats where member_id = v_user and ended_at is null order by subscription_id
  ) as left_now;
  -- Seats that have ended may still hold the money of a problem.
  v_seats := array(select id from private.seats
    where v_user in (member_id, owner_id) and (ended_at is null or next_at is not null) order by id for update);
  perform private.lock_held_money(v_seats);
  perform private.lock_ledger(array(select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_user));
  perform private.forfeit_problems(v_user);
  delete from public.shared_subscriptions where owner_id = v_user;
  -- Before the coins, because a withdrawal from a contract may return some.
  delete from public.subscription_members where user_id = v_user;
  -- What they owe the site stays with the site.
  perform private.pay_debt_with_coins(id) from public.debts
  where member_id = v_user and open <= private.available_coins(v_user) and status is distinct from 'charging' and open > 0;
  v_coins := private.payable_coins(v_user);
  v_refusal := private.account_end_refusal(v_user, coalesce(p_give_up_coins, false));
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  elsif v_coins > 0 and private.has_own_account(v_user) and private.moving_refusal(v_user) is null then
    perform private.send_coins(v_user, v_coins);
  elsif v_coins > 0 and p_give_up_coins and v_coins < private.least_withdrawal() then
    perform private.transfer('given-up:' || v_user, private.ledger_account('wallet', v_user),
      private.ledger_account('adjustments'), v_coins, 'given-up', p_description => 'Given up with the account');
  elsif v_coins > 0 then
    insert into public.withdrawal_requests (user_id, amount, closes_account) values (v_user, v_coins, true);
  end if;

  update public.subscription_requests set status = 'cancelled' where user_id = v_user and status = 'pending';
  delete from public.waiting_list where user_id = v_user;
  delete from public.plan_alerts where user_id = v_user;
  delete from private.told_plans where user_id = v_user;
  delete from private.link_visits where user_id = v_user;
  v_is_owed := private.is_owed(v_user);
  -- Mail before invitation, the lock order of a mail that was sent. Mail about a change that an intruder may have made, to
  -- be paid in this person's place, still goes out, and so does the confirmation of a withdrawal from a contract.
  delete from private.outgoing_mail where lower(recipient) = v_email and event is distinct from 'contract-withdrawn'
    and not (v_is_owed and event like 'account-%');
  delete from public.subscription_invitations where email = v_email;
  -- Openings of one's own secrets concern nobody else.
  delete from private.vault_openings where owner_id = v_user and opened_by = v_user;
  -- Skips locked rows: whoever is reading them deletes them.
  delete from private.fact_changes
  where id in (select id from private.fact_changes where user_id = v_user for update skip locked);

  if not private.has_records(v_user) then
    delete from auth.users where id = v_user;
    return;
  end if;

  delete from public.conversations where v_user in (owner_id, member_id);
  delete from public.subscription_requests where user_id = v_user;
  delete from public.user_notifications where user_id = v_user;
  delete from private.unwanted_notifications where user_id = v_user;
  delete from private.unsubscribe_links where user_id = v_user;
  delete from private.push_devices where user_id = v_user;
  delete from private.calendars where user_id = v_user;
  delete from private.api_tokens where user_id = v_user;
  delete from public.message_drafts where user_id = v_user;
  delete from private.webhooks where user_id = v_user;
  delete from private.used_bank_entries where owner_id = v_user;
  delete from public.payment_wishes where user_id = v_user;
  delete from private.seat_reviews where subject_id = v_user;
  delete from private.person_reports where person_id = v_user;
  update private.person_reports set reporter_id = null where reporter_id = v_user;
  update private.support_requests set writer_id = null where writer_id = v_user;
  update private.seat_reviews set reported_by = null where reported_by = v_user;
  delete from public.blocked_people where v_user in (user_id, blocked_id);
  delete from private.time_zones where user_id = v_user;
  perform private.keep_buyer(v_user);
  delete from private.home_countries where user_id = v_user;
  if v_is_owed then
    perform private.keep_closed_account(v_user, v_email);
  else
    delete from private.bank_accounts where user_id = v_user;
    delete from private.vault_keys where person_id = v_user and not private.needs_vault_key(v_user);
    delete from private.account_changes where user_id = v_user;
  end if;
  delete from public.provider_requests where user_id = v_user;
  delete from public.payment_methods where user_id = v_user;
  delete from private.payment_fingerprints where user_id = v_user and private.recent_withdrawals(v_user) = 0;
  delete from public.admin_role_requests where user_id = v_user;
  delete from public.user_roles where user_id = v_user;
  update public.user_profiles set display_name = 'Deleted account', full_name = null, phone_number = null,
    avatar_url = null, language = case when v_is_owed then language end, deleted_at = now() where user_id = v_user;
  delete from auth.identities where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set email = null, email_change = '', encrypted_password = null,
    raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = now(), updated_at = now()
  where id = v_user;
  -- Last, because nobody is told about what is removed from a closed account.
  delete from auth.mfa_factors where user_id = v_user;
  if private.has_passkey(v_user) then
    delete from auth.webauthn_credentials where user_id = v_user;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.end_debt(p_dispute_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_debt public.debts;
begin
  select * into v_debt from public.debts where dispute_id = p_dispute_id for update;
  if not found then return; end if;
  if v_debt.coins + v_debt.card > 0 then
    perform private.transfer('debt:' || v_debt.id || ':returned', private.ledger_account('guarantee'),
      private.ledger_account('wallet', v_debt.member_id), v_debt.coins + v_debt.card, 'debt',
      (select seat_id from public.member_payments where id = v_debt.payment_id), v_debt.payment_id, v_debt.plan_name || ': payment back');
  end if;
  delete from private.payment_jobs where kind = 'debt' and about = v_debt.id::text;
  delete from public.debts where id = v_debt.id;
end $function$;

CREATE OR REPLACE FUNCTION private.evidence_of(p_dispute_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_dispute public.payment_disputes;
  v_period public.member_payments;
  v_seat private.seats;
  v_paid text;
  v_others text;
  v_evidence jsonb;
begin
  select * into v_dispute from public.payment_disputes where id = p_dispute_id;
  if not found then return null; end if;
  select * into v_period from public.member_payments where id = v_dispute.payment_id;
  select * into v_seat from private.seats where id = v_period.seat_id;
  v_paid := private.in_utc(coalesce(v_period.paid_at, v_dispute.opened_at));
  select string_agg(format('%s: %s for %s, period %s, by %s', private.in_utc(m.paid_at), private.euros(m.card), m.plan_name, m.number, c.card),
    chr(10) order by m.paid_at) into v_others
  from (
    select * from public.member_payments where member_id = v_dispute.member_id and id <> v_period.id and card > 0 and paid_at is not null
      and not exists (select from public.payment_disputes as d where d.payment_id = member_payments.id)
    order by paid_at desc limit 100
  ) as m join private.charges as c on c.payment_id = m.id and c.status = 'succeeded';
  select jsonb_object_agg(field, left(said, 20000)) into v_evidence from (values
    ('product_description', format('A place in the subscription "%s", shared online by its owner. %sThe customer pays %s for each month: %s is the '
      || 'share of the owner, %s our fee. The payment is for period %s of the place.', v_period.plan_name,
      (select format('The site is run by %s. ', name) from private.seller), private.euros(v_period.amount), private.euros(v_period.share),
      private.euros(v_period.fee), v_period.number)),
    ('customer_name', (select coalesce(full_name, display_name) from public.user_profiles where user_id = v_dispute.member_id)),
    ('customer_email_address', private.email_of(v_dispute.member_id)),
    ('service_date', coalesce(private.in_utc(v_period.starts_at, 'YYYY-MM-DD') || ' to ' || private.in_utc(v_period.ends_at, 'YYYY-MM-DD'),
      'The payment was taken back before the service began.')),
    ('access_activity_log', private.dispute_log(v_seat)),
    -- Versions of the terms are not kept, so it says of when this is.
    ('refund_policy_disclosure', format('The terms are linked where the account was created%s; they have no version number. As of %s they say that '
      || 'the customer may withdraw from the contract within %s days of joining, without a reason, by a button on the site. Who asked for the service to begin at '
      || 'once, as this customer did, then pays for the days with access. Time for which access did not work is given back without asking.',
      (select private.in_utc(created_at, '", on "YYYY-MM-DD') from auth.users where id = v_dispute.member_id),
      private.in_utc(private.now(), 'YYYY-MM-DD'), extract(day from private.withdrawal_period()))),
    ('cancellation_policy_disclosure', 'Before asking for a place, customers are shown what it costs each month, when the card is charged, and that they '
      || 'can leave at any time. Each renewal is announced by email before it is charged.'),
    ('cancellation_rebuttal', format('The customer had not left the place when this payment was made, on %s.%s', v_paid,
      case when v_seat.end_reason in ('left', 'withdrawn') then format(' They ended it on %s.', private.in_utc(v_seat.ended_at)) else '' end)),
    ('refund_refusal_explanation', case when v_dispute.given_back > 0
        then format('%s of the %s charged had been refunded before the dispute. ', private.euros(v_dispute.given_back), private.euros(v_dispute.charged))
        else '' end
      || case when exists (select from public.seat_problems where seat_id = v_seat.id)
        then 'The problems that the customer reported with access, and what became of them, are in the activity log.'
        else 'The customer never reported that access did not work.' end),
    ('uncategorized_text', 'Earlier payments of the customer that were not disputed, the last 100:' || chr(10) || v_others)
  ) as part (field, said) where said is not null;
  return jsonb_build_object('evidence', v_evidence, 'mark', md5(v_evidence::text));
end $function$;

CREATE OR REPLACE FUNCTION private.export_own_data()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', (select jsonb_build_object('id', id, 'email', email, 'created_at', created_at, 'last_sign_in_at',
      last_sign_in_at, 'user_metadata', raw_user_meta_data, 'app_metadata', raw_app_meta_data)
      from auth.users where id = v_user),
    'profile', (select to_jsonb(t) || coalesce(to_jsonb(d), '{}') from public.user_profiles as t
      left join public.user_details as d on d.user_id = t.user_id where t.user_id = v_user),
    'role', (select to_jsonb(t) from public.user_roles as t where t.user_id = v_user),
    'wallet', (select to_jsonb(t) from public.user_wallets as t where t.user_id = v_user),
    'shared_plans', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.shared_subscriptions as t where t.owner_id = v_user),
    'memberships', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.subscription_members as t where t.user_id = v_user),
    'join_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.subscription_requests as t where t.user_id = v_user),
    'plan_links', (select jsonb_agg(t.subscription_id order by 1) from private.link_visits as t where t.user_id = v_user),
    'waiting_lists', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.waiting_list as t where t.user_id = v_user),
    'plan_alerts', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('told_of', (
        select jsonb_agg(d.subscription_id) from private.told_plans as d where d.user_id = v_user)) order by t.expires_at)
      from public.plan_alerts as t where t.user_id = v_user),
    'invitations', (select jsonb_agg(to_jsonb(t) - 'token_hash' order by t.created_at)
      from public.subscription_invitations as t where t.invited_by = v_user or t.email = v_email),
    'conversations', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('messages', (
        select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.messages as m where m.conversation_id = t.id
      )) order by t.created_at)
      from public.conversations as t where v_user in (t.owner_id, t.member_id)),
    'notifications', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.user_notifications as t where t.user_id = v_user),
    'mails', (select jsonb_agg(jsonb_build_object('subject', t.subject, 'created_at', t.created_at, 'sent_at', t.sent_at)
      order by t.created_at) from private.outgoing_mail as t where lower(t.recipient) = v_email),
    'account_changes', (select jsonb_agg(to_jsonb(t) - 'token_hash' order by t.happened_at)
      from private.account_changes as t where t.user_id = v_user)
  ) || jsonb_build_object(
    'sessions', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_sessions() as t),
    'notification_choices', (select jsonb_agg(to_jsonb(t)) from private.get_notification_choices() as t),
    'push_devices', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_push_devices() as t),
    'calendar_address_since', private.get_calendar(),
    'tokens', (select jsonb_agg(to_jsonb(t)) from private.my_api_tokens() as t),
    'message_drafts', (select jsonb_agg(to_jsonb(t) order by t.made_at) from public.message_drafts as t where t.user_id = v_user),
    'webhooks', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('deliveries', (
        select jsonb_agg(to_jsonb(d) - '{webhook_id,taken_at,attempts_before}'::text[] order by d.made_at)
        from private.webhook_deliveries as d where d.webhook_id = t.id)))
      from private.my_webhooks() as t),
    'bank_entries_used', (select jsonb_agg(to_jsonb(t) - 'owner_id' order by t.used_at)
      from private.used_bank_entries as t where t.owner_id = v_user),
    'coin_transactions', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.coin_transactions as t where t.user_id = v_user),
    'withdrawals', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.withdrawal_requests as t where t.user_id = v_user),
    'seats', (select jsonb_agg(to_jsonb(t) - '{next_at,failures,last_error}'::text[] order by t.opened_at)
      from private.seats as t where v_user in (t.member_id, t.owner_id)),
    'reports', (select jsonb_agg(jsonb_build_object('person_id', t.person_id, 'reason', t.reason, 'reported_at', t.reported_at)
      order by t.reported_at) from private.person_reports as t where t.reporter_id = v_user),
    'support_requests', (select jsonb_agg(to_jsonb(t) order by t.written_at) from private.my_support_requests() as t),
    'time_zone', private.zone_of(v_user),
    'country', (select to_jsonb(t) - 'user_id' from private.home_countries as t where t.user_id = v_user),
    'invoices', (select jsonb_agg(to_jsonb(t) order by t.issued_at, t.number) from public.fee_invoices as t where t.buyer_id = v_user),
    'problems', (select jsonb_agg(to_jsonb(t) - 'decided_by' || jsonb_build_object('statements', (
        select jsonb_agg(to_jsonb(s) - 'problem_id' order by s.line) from public.problem_statements as s where s.problem_id = t.id
      )) order by t.reported_at)
      from public.seat_problems as t where v_user in (t.member_id, t.owner_id)),
    'term_proposals', (select jsonb_agg(to_jsonb(t) order by t.proposed_at)
      from public.term_proposals as t where v_user in (t.member_id, t.owner_id)),
    'payment_wishes', (select to_jsonb(t) from public.payment_wishes as t where t.user_id = v_user),
    'bank_accounts', (select jsonb_agg(to_jsonb(t) - 'sealed' || jsonb_build_object('opened', (
        select jsonb_agg(jsonb_build_object('at', o.opened_at, 'for', o.purpose) order by o.id)
        from private.vault_openings as o where o.secret_id = t.id)) order by t.version)
      from private.bank_accounts as t where t.user_id = v_user),
    'tax_details_asked', (select to_jsonb(t) - 'user_id' from private.tax_questions as t where t.user_id = v_user),
    'tax_details', (select jsonb_agg(to_jsonb(t) - 'sealed' || jsonb_build_object('opened', (
        select jsonb_agg(jsonb_build_object('at', o.opened_at, 'for', o.purpose) order by o.id)
        from private.vault_openings as o where o.secret_id = t.id)) order by t.version)
      from private.tax_details as t where t.user_id = v_user),
    'tax_reports', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('year', r.year, 'made_at', r.made_at, 'void', r.voided_at is not null)
      order by t.report_id) from private.tax_report_entries as t join private.tax_reports as r on r.id = t.report_id where t.user_id = v_user),
    'vault_versions', (select jsonb_agg(to_jsonb(t) - 'sealed' order by t.created_at)
      from private.vault_entries as t where t.author_id = v_user),
    'vault_openings', (select jsonb_agg(to_jsonb(t) order by t.id)
      from private.vault_openings as t where t.kind = 'plan' and v_user in (t.owner_id, t.opened_by)),
    'payout_account', (select to_jsonb(t) || jsonb_build_object(
        'transfers', (select jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at) from private.account_transfers as s where s.user_id = v_user),
        'payouts', (select jsonb_agg(to_jsonb(p) - 'user_id' order by p.created_at) from private.account_payouts as p where p.user_id = v_user))
      from private.connected_accounts as t where t.user_id = v_user),
    'payments', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.member_payments as t where v_user in (t.member_id, t.owner_id)),
    'cards', (select jsonb_agg(jsonb_build_object('kind', t.kind, 'brand', t.brand, 'last4', t.last4, 'exp_month', t.exp_month,
      'exp_year', t.exp_year, 'mandate', t.mandate, 'country', t.country, 'created_at', t.created_at) order by t.created_at)
      from public.payment_methods as t where t.user_id = v_user),
    'disputes', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'amount', t.amount, 'status', t.status,
      'opened_at', t.opened_at, 'closed_at', t.closed_at, 'answered_at', t.answered_at, 'evidence',
      (select fields from private.dispute_evidence as e where e.dispute_id = t.id)) order by t.opened_at)
      from public.payment_disputes as t where t.member_id = v_user),
    'debts_to_the_site', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'amount', t.amount, 'open', t.open,
      'opened_at', t.opened_at) order by t.opened_at) from public.debts as t where t.member_id = v_user),
    'withdrawals_lifted', (select to_jsonb(t) - 'user_id' from private.withdrawal_lifts as t where t.user_id = v_user),
    'card_fingerprints', (select jsonb_agg(to_jsonb(t) - 'user_id' order by t.seen_at) from private.payment_fingerprints as t where t.user_id = v_user),
    'fraud_warnings', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'kind', t.fraud_type, 'at', t.warned_at,
      'refunded', t.refunded) order by t.warned_at) from public.fraud_warnings as t where t.member_id = v_user),
    'reviews', (select jsonb_agg(to_jsonb(t) - '{reported_by,author_id,shown_from}'::text[]
        || jsonb_build_object('written_by_you', t.author_id = v_user) order by t.written_at)
      from private.seat_reviews as t where t.author_id = v_user or (t.subject_id = v_user and t.shown_from <= private.now())),
    'blocked_people', (select jsonb_agg(to_jsonb(t) - 'user_id' order by t.blocked_at)
      from public.blocked_people as t where t.user_id = v_user),
    'provider_requests', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.provider_requests as t where t.user_id = v_user),
    'access_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.admin_role_requests as t where t.user_id = v_user),
    'payment_events_looked_at', (select jsonb_agg(jsonb_build_object('id', t.id, 'reviewed_at', t.reviewed_at, 'finding', t.finding)
      order by t.reviewed_at) from public.unknown_payment_events as t where t.reviewed_by = v_user),
    'site_settings', (select jsonb_build_object('updated_at', t.updated_at)
      from public.app_settings as t where t.updated_by = v_user)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.fee_in_ledger(p_payment public.member_payments, OUT charged numeric, OUT returned numeric)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(sum(amount) filter (where kind = 'chargeback-won' or id <= paid_through), 0),
    least(coalesce(-sum(amount) filter (where kind <> 'chargeback-won' and id > paid_through), 0)
        + (select coalesce(sum(amount), 0) from private.ledger_transfers where key = private.guarantee_refund_key(p_payment.id)),
      coalesce(sum(amount) filter (where kind = 'chargeback-won' or id <= paid_through), 0))
  from (
    select t.id, t.kind, e.amount, max(t.id) filter (where t.kind = 'payment') over () as paid_through
    from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id
    join private.ledger_transfers as t on t.id = e.transfer_id
    where a.kind = 'held_fee' and a.owner = p_payment.seat_id and t.period_id = p_payment.id and t.kind <> 'fee'
  ) as movement
$function$;

CREATE OR REPLACE FUNCTION private.give_back(p_period uuid, p_share numeric, p_fee numeric, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_amount numeric := p_share + p_fee;
begin
  if v_amount = 0 then return; end if;
  select * into v_period from public.member_payments where id = p_period;
  perform private.move_back(v_period, p_share, p_fee, 'refund');
  update public.member_payments set returned_share = returned_share + p_share, returned_fee = returned_fee + p_fee,
    status = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then 'given-back' else status end,
    closed_at = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then private.now() end
  where id = p_period;
  if p_reason in ('withdrawn', 'warned') then return; end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'money-given-back', 'Refund on Its Way',
    format('We’re refunding %s of your payment for %s, the way you paid it.', private.euros(v_amount), v_period.plan_name),
    jsonb_build_object('amount', v_amount, 'reason', p_reason), p_invoiced => case when p_fee > 0 then v_period.id end);
end $function$;

CREATE OR REPLACE FUNCTION private.guarantee_refund_key(p_period uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN (('warned:'::text || (p_period)::text) || ':guarantee'::text);

CREATE OR REPLACE FUNCTION private.is_always_mailed(p_event text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((p_event = ANY (ARRAY['renewal-coming'::text, 'payment-debit-coming'::text, 'payment-under-way'::text, 'contract-made'::text, 'contract-changed'::text, 'contract-withdrawn'::text])), false);

CREATE OR REPLACE FUNCTION private.is_movement(p_kind text, p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN (((p_from = ANY (ARRAY['outside'::text, 'wallet'::text])) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'payment-returned'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = 'wallet'::text)) WHEN 'earning'::text THEN ((p_from = 'held_share'::text) AND (p_to = ANY (ARRAY['wallet'::text, 'connected'::text]))) WHEN 'fee'::text THEN ((p_from = 'held_fee'::text) AND (p_to = 'fees'::text)) WHEN 'refund'::text THEN (((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) OR ((p_from = 'guarantee'::text) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) OR ((p_from = 'connected'::text) AND (p_to = 'refunds_due'::text))) WHEN 'refund-sent'::text THEN ((p_from = 'refunds_due'::text) AND (p_to = 'outside'::text)) WHEN 'refund-failed'::text THEN (((p_from = ANY (ARRAY['refunds_due'::text, 'outside'::text])) AND (p_to = ANY (ARRAY['wallet'::text, 'guarantee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'withdrawal'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'outside'::text)) WHEN 'withdrawal-returned'::text THEN ((p_from = 'outside'::text) AND (p_to = 'wallet'::text)) WHEN 'adjustment'::text THEN (((p_from = 'adjustments'::text) AND (p_to = 'wallet'::text)) OR ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text))) WHEN 'chargeback'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text, 'guarantee'::text, 'refunds_due'::text])) AND (p_to = 'outside'::text)) WHEN 'chargeback-won'::text THEN ((p_from = 'outside'::text) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text, 'guarantee'::text]))) WHEN 'debt'::text THEN (((p_from = ANY (ARRAY['wallet'::text, 'outside'::text])) AND (p_to = 'guarantee'::text)) OR ((p_from = 'guarantee'::text) AND (p_to = 'wallet'::text))) WHEN 'given-up'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text)) WHEN 'handed-over'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'wallet'::text)) WHEN 'cost'::text THEN (((p_from = 'costs'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'costs'::text))) WHEN 'account'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'connected'::text)) WHEN 'account-failed'::text THEN ((p_from = 'connected'::text) AND (p_to = 'wallet'::text)) WHEN 'payout'::text THEN (((p_from = 'connected'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'connected'::text))) WHEN 'payout-failed'::text THEN (((p_from = 'outside'::text) AND (p_to = 'connected'::text)) OR ((p_from = 'connected'::text) AND (p_to = 'outside'::text))) ELSE false END;

CREATE OR REPLACE FUNCTION private.is_paid_withdrawal(p_seat private.seats)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return p_seat.end_reason = 'withdrawn' and exists (
    select from public.member_payments as m left join private.charges as c on c.payment_id = m.id
    where m.seat_id = p_seat.id and m.settlement = 'potluck' and (m.coins + m.card > 0 or c.status in ('processing', 'succeeded')));
end $function$;

CREATE OR REPLACE FUNCTION private.key_begins(p_kind text, p_period uuid, p_person uuid, p_intent text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN ARRAY[('charge:'::text || p_intent), (('coins:'::text || p_intent) || ':'::text), (('coins:'::text || p_period) || ':'::text)] WHEN 'earning'::text THEN ARRAY[(('earn:'::text || p_period) || ':'::text)] WHEN 'fee'::text THEN ARRAY[(('fee:'::text || p_period) || ':'::text)] WHEN 'payment-returned'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text)] WHEN 'refund'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text), 'by-hand:'::text, (('warned:'::text || p_period) || ':'::text)] WHEN 'cost'::text THEN ARRAY[('cost:'::text || p_intent), 'dispute-cost:'::text, 'debt-cost:'::text] WHEN 'given-up'::text THEN ARRAY[('given-up:'::text || p_person)] WHEN 'chargeback'::text THEN ARRAY['dispute:'::text] WHEN 'chargeback-won'::text THEN ARRAY['dispute-won:'::text] ELSE ARRAY[(p_kind || ':'::text), 'refund:'::text] END;

CREATE OR REPLACE FUNCTION private.knows_charge(p_intent text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.charges where intent = p_intent) or exists (select from public.debts where intent = p_intent);
end $function$;

CREATE OR REPLACE FUNCTION private.last_withdrawal(p_member_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_zone text := private.zone_of(p_member_id);
begin
  return (private.day_in(private.now(), v_zone) + 1 + private.withdrawal_period()) at time zone v_zone;
end $function$;

CREATE OR REPLACE FUNCTION private.left_on_card(p_period public.member_payments)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return greatest(0, least(p_period.card - private.given_back_to_card(p_period.id),
    p_period.amount - p_period.returned_share - p_period.returned_fee - p_period.from_guarantee));
end $function$;

CREATE OR REPLACE FUNCTION private.lift_withdrawals(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_treasurer();
begin
  if p_user_id = v_user then
    raise exception 'Someone else decides about your own withdrawals' using errcode = '42501';
  elsif private.recent_withdrawals(p_user_id) < private.most_withdrawals() then
    raise exception 'This person may take places through the site' using errcode = '23514';
  end if;
  insert into private.withdrawal_lifts (user_id) values (p_user_id)
  on conflict (user_id) do update set lifted_at = excluded.lifted_at;
  perform private.log_staff('withdrawals lifted', p_user_id::text);
end $function$;

CREATE OR REPLACE FUNCTION private.list_contract_withdrawals(p_limit integer DEFAULT 50, p_by text DEFAULT 'member'::text, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(user_id uuid, display_name text, withdrawals integer, latest timestamp with time zone, paid numeric, returned numeric, cost numeric, refused boolean, lifted_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query execute private.page_of($query$
  select side.id as user_id, p.display_name, count(distinct s.id)::integer as withdrawals, max(s.ended_at) as latest, sum(sums.paid) as paid,
    sum(sums.returned) as returned, sum(sums.cost) as cost,
    $1 = 'member' and private.recent_withdrawals(side.id) >= private.most_withdrawals() as refused,
    (select l.lifted_at from private.withdrawal_lifts as l where l.user_id = side.id) as lifted_at
  from private.seats as s
  cross join lateral (select case $1 when 'owner' then s.owner_id else s.member_id end) as side (id)
  join public.user_profiles as p on p.user_id = side.id
  cross join lateral (
    select coalesce(sum(m.coins + m.card), 0) as paid, coalesce(sum(m.returned_share + m.returned_fee), 0) as returned,
      coalesce(sum((select sum(case t.from_account when private.ledger_account('costs') then t.amount else -t.amount end)
        from private.ledger_transfers as t where t.person_id = m.member_id and t.period_id = m.id and t.kind = 'cost')), 0)
      + coalesce(sum((select sum(d.from_guarantee) from public.payment_disputes as d where d.payment_id = m.id and d.status <> 'won')), 0)
      - coalesce(sum((select sum(o.coins + o.card) from public.debts as o where o.payment_id = m.id)), 0) as cost
    from public.member_payments as m where m.seat_id = s.id and m.settlement = 'potluck'
  ) as sums
  where s.ended_at > private.now() - private.withdrawals_memory() and private.is_paid_withdrawal(s)
  group by side.id, p.display_name
  $query$, null, coalesce(p_sort, '-withdrawals'), 'user_id', p_after, p_limit) using coalesce(p_by, 'member');
end $function$;

CREATE OR REPLACE FUNCTION private.mail_notifications(p_mailings private.mailing[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
begin
  insert into private.unsubscribe_links (user_id)
  select distinct n.user_id from unnest(p_mailings) as m
  cross join lateral (select * from public.user_notifications where id = m.id offset 0) as n
  where not private.is_always_mailed(n.event) and not exists (select from private.unsubscribe_links as l where l.user_id = n.user_id)
  on conflict (user_id) do nothing;
  insert into private.outgoing_mail (recipient, subject, about, unsubscribe_path, next_attempt_at, event, params, reader_id, parts)
  select u.email, private.mail_subject(n.message), case when always then m.about else m.id::text || m.about end,
    case when not always then '/unsubscribe/' || l.token end,
    clock_timestamp() + case when always then interval '0' else interval '10 minutes' end, n.event, n.params, n.user_id, jsonb_build_object(
      'heading', n.title,
      'sentences', jsonb_build_array(n.message),
      'action', m.action,
      'path', m.path,
      'small_print', 'You can also find this in your Potluck notifications.',
      'closing', case when n.event = 'contract-withdrawn' then 'You always get this email after a withdrawal.'
        when n.event = 'contract-made' then 'You always get this email after the first payment for a place.'
        when n.event = 'contract-changed' then 'You always get this email about a new contract.'
        when always then 'You always get this email before a charge.'
        else 'You get this email because you hadn’t read it on Potluck yet.' end)
  from unnest(p_mailings) with ordinality as m (id, about, action, path, place)
  cross join lateral (select * from public.user_notifications where id = m.id offset 0) as n
  cross join lateral (select email from auth.users where id = n.user_id offset 0) as u
  left join lateral (select token from private.unsubscribe_links where user_id = n.user_id offset 0) as l on true
  cross join lateral private.is_always_mailed(n.event) as always
  where private.is_mailable(u.email) and (always or private.wants(n.user_id, private.topic_of(n.event), 'mail'))
  order by m.place;
end $function$;

CREATE OR REPLACE FUNCTION private.may_withdraw(p_seat private.seats)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select p_seat.ended_at is null and coalesce(private.now() < p_seat.withdrawable_until, false) $function$;

CREATE OR REPLACE FUNCTION private.most_withdrawals()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 3;

CREATE OR REPLACE FUNCTION private.move_coins_to_account()
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_coins numeric;
  v_refusal text;
begin
  if not private.has_own_account(v_user) then
    raise exception 'Set up your payouts first' using errcode = '23514';
  end if;
  perform private.lock_ledger(array(
    select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_user));
  v_coins := private.payable_coins(v_user);
  if v_coins = 0 then
    raise exception 'There are no coins to move' using errcode = '23514';
  end if;
  v_refusal := private.moving_refusal(v_user);
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  end if;
  perform private.send_coins(v_user, v_coins);
  return v_coins;
end $function$;

CREATE OR REPLACE FUNCTION private.my_seats()
 RETURNS TABLE(id uuid, subscription_id text, provider text, plan_name text, owner_id uuid, owner_name text, settlement text, billing_cycle text, share numeric, coins_first boolean, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, may_stay boolean, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, withdraw_until timestamp with time zone, begins_at_once_at timestamp with time zone, back_now numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.subscription_id, s.provider, s.plan_name, s.owner_id, p.display_name, s.settlement, s.billing_cycle, s.share,
      s.coins_first, s.status, s.opened_at,
      (select max(m.ends_at) from public.member_payments as m where m.seat_id = s.id and m.status in ('paid', 'closed')),
      s.ends_at, s.ended_at, s.end_reason, s.ended_at is null and s.ends_at is not null and s.ended_by = v_user,
      s.admitted_at, s.access_given_at, s.access_due_at, s.invited_address, private.access_works(s),
      private.open_problem(s.id), private.owed_back(s.id),
      contract.until, s.begins_at_once_at, case when contract.until is not null then private.back_on_withdrawal(s) end
    from private.seats as s join public.user_profiles as p on p.user_id = s.owner_id
    cross join lateral (select case when private.may_withdraw(s) then s.withdrawable_until end) as contract (until)
    where s.member_id = v_user order by s.opened_at desc, s.id;
end $function$;

CREATE OR REPLACE FUNCTION private.note_debt(p_dispute_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_dispute public.payment_disputes;
  v_debt public.debts;
begin
  select * into v_dispute from public.payment_disputes where id = p_dispute_id;
  if v_dispute.from_guarantee < private.least_card_charge() then return; end if;
  insert into public.debts as d (dispute_id, payment_id, member_id, plan_name, amount)
  values (p_dispute_id, v_dispute.payment_id, v_dispute.member_id, v_dispute.plan_name, v_dispute.from_guarantee)
  on conflict (dispute_id) do update set amount = excluded.amount where d.amount < excluded.amount returning * into v_debt;
  if not found then return; end if;
  perform private.mail_notification(private.notify(v_debt.member_id, 'warning', 'You Owe a Returned Debit',
    format('Your bank took back a debit for %s that we had refunded. Please pay us %s. Until then you can’t withdraw coins or take a new place through the site.',
      v_debt.plan_name, private.euros(v_debt.open)), null, 'payment-debt', jsonb_build_object('plan', v_debt.plan_name, 'amount', v_debt.open)),
    array[v_debt.id::text], 'See your payments', '/payments');
  perform private.tell_treasurers('warning', 'A Member Owes the Site',
    format('The bank of a member of %s took back a debit after a refund. The member owes %s, which the guarantee account covers for now.',
      v_debt.plan_name, private.euros(v_debt.open)), 'payment-debt-opened', jsonb_build_object('plan', v_debt.plan_name, 'amount', v_debt.open));
end $function$;

CREATE OR REPLACE FUNCTION private.owed_to_site(p_user_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select coalesce(sum(open), 0.00) from public.debts where member_id = p_user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.own_charge(p_payment_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('intent', c.intent, 'status', c.status, 'code', c.code, 'card', c.card)
  from private.charges as c join public.member_payments as m on m.id = c.payment_id
  where m.id = p_payment_id and m.member_id = private.require_user()
  union all
  select jsonb_build_object('intent', intent, 'status', status, 'code', code, 'card', null)
  from public.debts where id = p_payment_id and member_id = private.require_user() and attempts > 0
$function$;

CREATE OR REPLACE FUNCTION private.pay_debt_with_coins(p_debt_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_debt public.debts;
  v_wallet bigint := private.ledger_account('wallet', v_user);
  v_coins numeric;
begin
  perform private.lock_ledger(array[v_wallet, private.ledger_account('guarantee')]);
  select * into v_debt from public.debts where id = p_debt_id and member_id = v_user and open > 0 for update;
  if not found then
    raise exception 'Payment not found' using errcode = 'PT404';
  elsif v_debt.status in ('queued', 'charging', 'needs-action') then
    raise exception 'Your card is being charged for this' using errcode = '23514';
  end if;
  v_coins := least(v_debt.open, private.available_coins(v_user));
  if v_coins < v_debt.open then
    v_coins := least(v_coins, v_debt.open - private.least_card_charge());
  end if;
  if v_coins <= 0 then
    raise exception 'You don’t have enough coins for this' using errcode = '23514';
  end if;
  perform private.book_debt(v_debt, v_wallet, v_coins, format('debt:%s:coins:%s', v_debt.id, v_debt.coins));
  return v_debt.open - v_coins;
end $function$;

CREATE OR REPLACE FUNCTION private.payable_coins(p_user_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return greatest(0.00, private.available_coins(p_user_id) - private.owed_to_site(p_user_id));
end $function$;

CREATE OR REPLACE FUNCTION private.put_back_disputed(p_dispute public.payment_disputes, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_outside bigint := private.ledger_account('outside');
  v_part record;
begin
  for v_part in select * from (values
    ('held_share', p_period.seat_id, p_dispute.from_share), ('held_fee', p_period.seat_id, p_dispute.from_fee),
    ('wallet', p_dispute.member_id, p_dispute.from_coins + p_dispute.from_refunds), ('guarantee', null, p_dispute.from_guarantee),
    ('connected', p_period.owner_id, p_dispute.from_account)
  ) as part (kind, owner, amount) where part.amount > 0 loop
    perform private.transfer(format('dispute-won:%s:%s', p_dispute.id, v_part.kind), v_outside,
      private.ledger_account(v_part.kind, v_part.owner), v_part.amount, 'chargeback-won', p_period.seat_id, p_period.id,
      p_period.plan_name || ': payment back');
  end loop;
  perform private.end_debt(p_dispute.id);
  if p_dispute.from_account > 0 then
    perform private.queue_account_transfer(p_period.owner_id, p_dispute.from_account, p_period.id, p_dispute.id);
  end if;
  update public.member_payments set returned_share = returned_share - p_dispute.from_share,
    returned_fee = returned_fee - p_dispute.from_fee where id = p_period.id;
  if p_period.starts_at is null then
    perform private.give_back(p_period.id, p_dispute.from_share, p_dispute.from_fee, 'no-access');
  elsif p_dispute.from_share + p_dispute.from_fee > 0 then
    perform private.move_earnings(array[p_period.id], true);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.quote_account_end()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return jsonb_build_object(
    'plans', (
      select coalesce(jsonb_agg(to_jsonb(plan) order by plan.name, plan.id), '[]') from (
        select p.id, p.provider || ' ' || p.name as name, count(*) as members,
          coalesce(sum(private.unused_by(s)) filter (where s.settlement = 'potluck'), 0) as back,
          coalesce(sum(private.unused_by(s)) filter (where s.settlement = 'direct'), 0) as owed
        from public.shared_subscriptions as p join private.seats as s on s.subscription_id = p.id and s.ended_at is null
        where p.owner_id = v_user group by p.id
      ) as plan
    ),
    'coins', greatest(0, private.available_coins(v_user) - private.owed_to_site(v_user) + (
      select coalesce(sum(m.share - m.earned_share - m.returned_share - unused.share), 0)
      from private.seats as s join public.member_payments as m on m.seat_id = s.id
      cross join lateral private.unused_of(m, case when s.ended_at is null then private.now()
        when s.end_reason = 'withdrawn' then s.ended_at end) as unused
      where s.owner_id = v_user and m.settlement = 'potluck' and m.status = 'paid'
    )));
end $function$;

CREATE OR REPLACE FUNCTION private.recent_withdrawals(p_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select count(*) from private.seats as s
    where s.member_id in (
        select p_user_id union
        select other.user_id from private.payment_fingerprints as own join private.payment_fingerprints as other using (fingerprint)
        where own.user_id = p_user_id)
      and s.ended_at > greatest(private.now() - private.withdrawals_memory(),
        (select lifted_at from private.withdrawal_lifts where user_id = p_user_id))
      and private.is_paid_withdrawal(s));
end $function$;

CREATE OR REPLACE FUNCTION private.record_card(p_customer text, p_method text, p_brand text, p_last4 text, p_exp_month integer, p_exp_year integer, p_is_new boolean, p_kind text DEFAULT 'card'::text, p_mandate text DEFAULT NULL::text, p_country text DEFAULT NULL::text, p_fingerprint text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_customer private.payment_customers;
begin
  select c.* into v_customer from private.payment_customers as c join private.payment_provider as p using (provider)
  where c.reference = p_customer;
  if not found then return false; end if;
  update public.payment_methods set brand = p_brand, last4 = p_last4, exp_month = p_exp_month, exp_year = p_exp_year,
    mandate = coalesce(p_mandate, mandate), country = coalesce(p_country, country),
    refused = refused and (last4, exp_month, exp_year) is not distinct from (p_last4, p_exp_month, p_exp_year)
  where provider = v_customer.provider and reference = p_method;
  if not found and p_is_new then
    perform private.ensure_profile(v_customer.user_id);
    insert into public.payment_methods (user_id, provider, reference, kind, brand, last4, exp_month, exp_year, mandate, country)
    values (v_customer.user_id, v_customer.provider, p_method, p_kind, p_brand, p_last4, p_exp_month, p_exp_year, p_mandate, p_country)
    on conflict (provider, reference) do nothing;
  end if;
  if p_fingerprint is not null and exists (select from public.payment_methods where provider = v_customer.provider and reference = p_method) then
    insert into private.payment_fingerprints (fingerprint, user_id) values (p_fingerprint, v_customer.user_id)
    on conflict (fingerprint, user_id) do nothing;
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_charge(p_intent text, p_status text, p_code text, p_amount numeric, p_cost numeric, p_is_heard boolean, p_day date DEFAULT NULL::date, p_method text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_charge private.charges;
  v_seat private.seats;
  v_job text;
begin
  select * into v_charge from private.charges where intent = p_intent;
  if not found then return private.record_debt_charge(p_intent, p_status, p_code, p_amount, p_cost); end if;
  v_job := v_charge.payment_id::text;
  v_seat := private.lock_seat_of(v_charge.payment_id, '{outside,refunds_due,fees,costs}');
  update private.charges as c set card = concat_ws(' ', coalesce(m.brand, m.kind), m.last4), tried_id = m.id, kind = m.kind
  from public.payment_methods as m
  where c.payment_id = v_charge.payment_id and c.status <> 'succeeded' and m.provider = c.provider and m.reference = p_method;
  select * into v_charge from private.charges where payment_id = v_charge.payment_id for update;
  if v_charge.status = 'succeeded' then
    delete from private.payment_jobs where kind = 'charge' and about = v_job;
    return true;
  elsif p_status = 'succeeded' then
    perform private.receive(v_charge, p_amount, p_cost);
  elsif v_charge.status not in ('charging', 'processing', 'needs-action') or p_status = 'open'
    or (p_is_heard and v_charge.status <> 'processing' and exists (select from private.payment_jobs where kind = 'charge' and about = v_job)) then
    return true;
  elsif p_status = 'processing' then
    -- The provider will report it; if not, the next attempt asks.
    update private.charges set status = 'processing' where payment_id = v_charge.payment_id;
    insert into private.payment_jobs (kind, about, provider, next_attempt_at, last_error)
    values ('charge', v_job, v_charge.provider, clock_timestamp()
      + case v_charge.kind when 'sepa_debit' then interval '12 hours' else interval '10 minutes' end, 'processing')
    on conflict (kind, about) do update set next_attempt_at = excluded.next_attempt_at, last_error = excluded.last_error, failing_since = null;
    if v_charge.kind = 'sepa_debit' and v_charge.status <> 'processing' then
      perform private.debit_begun(v_charge, p_day);
    end if;
    return true;
  elsif p_status = 'needs-action' then
    update private.charges set status = 'needs-action', code = p_code where payment_id = v_charge.payment_id;
    if v_charge.on_session then
      -- Being confirmed at the bank; the coins of this attempt stay reserved.
      update public.member_payments set status = 'needs-action', next_attempt_at = coalesce(next_attempt_at, private.now() + interval '1 day')
      where id = v_charge.payment_id;
      perform private.wake_seat(v_seat.id);
    elsif v_charge.status <> 'needs-action' then
      perform private.period_failed(v_charge.payment_id, 'needs-action');
    end if;
  else
    update private.charges set status = 'failed', code = p_code, intent = case when p_status <> 'canceled' then intent end
    where payment_id = v_charge.payment_id;
    update public.payment_methods set refused = true where id = v_charge.tried_id and private.is_refused_for_good(p_code);
    perform private.period_failed(v_charge.payment_id, coalesce(p_code, 'refused'));
  end if;
  delete from private.payment_jobs where kind = 'charge' and about = v_job;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_debt_charge(p_intent text, p_status text, p_code text, p_amount numeric, p_cost numeric)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_outside bigint := private.ledger_account('outside');
  v_costs bigint := private.ledger_account('costs');
  v_debt public.debts;
begin
  if not exists (select from public.debts where intent = p_intent) then return false; end if;
  perform private.lock_ledger(array[v_outside, private.ledger_account('guarantee'), v_costs]);
  select * into v_debt from public.debts where intent = p_intent for update;
  if v_debt.status = 'succeeded' or p_status in ('open', 'processing') then return true; end if;
  if p_status = 'succeeded' then
    perform private.book_debt(v_debt, v_outside, p_amount, format('debt:%s:card', v_debt.id));
    if p_cost > 0 then
      perform private.transfer('debt-cost:' || p_intent, v_costs, v_outside, p_cost, 'cost',
        (select seat_id from public.member_payments where id = v_debt.payment_id), v_debt.payment_id, v_debt.plan_name || ': debt paid');
    end if;
    update public.debts set status = 'succeeded', code = null where id = v_debt.id;
  elsif p_status = 'needs-action' then
    update public.debts set status = p_status, code = p_code where id = v_debt.id;
  else
    update public.debts set status = 'failed', code = p_code, intent = case when p_status <> 'canceled' then intent end where id = v_debt.id;
  end if;
  delete from private.payment_jobs where kind = 'debt' and about = v_debt.id::text;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_intents(p_intents jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_periods uuid[] := array(select key::uuid from jsonb_object_keys(p_intents) as key);
begin
  perform from private.charges where payment_id = any (v_periods) order by payment_id for update;
  update private.charges set intent = p_intents ->> payment_id::text where payment_id = any (v_periods) and intent is null;
  update public.debts set intent = p_intents ->> id::text where id = any (v_periods) and intent is null;
  return (select jsonb_object_agg(id, intent) from (
    select payment_id, intent from private.charges where payment_id = any (v_periods)
    union all select d.id, d.intent from public.debts as d where d.id = any (v_periods)) as stored (id, intent));
end $function$;

CREATE OR REPLACE FUNCTION private.refuse_charge(p_payment_id uuid, p_code text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.debts set status = 'failed', code = p_code where id = p_payment_id and status = 'charging' and intent is null;
  if found then
    delete from private.payment_jobs where kind = 'debt' and about = p_payment_id::text;
    return;
  end if;
  perform private.lock_seat_of(p_payment_id);
  update private.charges set status = 'failed', code = p_code
  where payment_id = p_payment_id and status = 'charging' and intent is null;
  -- Otherwise somebody else has begun it meanwhile.
  if not found then return; end if;
  delete from private.payment_jobs where kind = 'charge' and about = p_payment_id::text;
  perform private.period_failed(p_payment_id, p_code);
end $function$;

CREATE OR REPLACE FUNCTION private.require_may_contract(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_owed numeric := private.owed_to_site(p_user_id);
  v_is_over boolean := private.recent_withdrawals(p_user_id) >= private.most_withdrawals();
begin
  if v_owed = 0 and not v_is_over then return; end if;
  if p_user_id is distinct from auth.uid() then
    raise exception 'This person can’t take a place that is paid through the site right now' using errcode = '23514';
  elsif v_owed > 0 then
    raise exception 'You owe us % for a debit that your bank took back. Pay it under My Payments first.', private.euros(v_owed)
      using errcode = '23514';
  else
    raise exception 'You’ve withdrawn from % contracts within a year. Write to support to take a place through the site again.',
      private.most_withdrawals() using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_wish_to_begin(p_begins_at_once_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_begins_at_once_at is null then
    raise exception 'A place that is paid through the site begins only if you ask us to begin at once' using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_closed_accounts()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_closed private.closed_accounts;
  v_heir uuid;
  v_coins numeric;
  v_waits timestamptz;
begin
  for v_closed in select * from private.closed_accounts order by user_id for update skip locked loop
    select id into v_heir from auth.users
    where lower(email) = v_closed.email and email_confirmed_at is not null and deleted_at is null;
    v_waits := private.withdrawals_wait_until(v_closed.user_id);
    if v_heir is not null and coalesce(v_waits <= private.now(), true) then
      perform private.lock_ledger(array[private.ledger_account('wallet', v_closed.user_id), private.ledger_account('wallet', v_heir)]);
      v_coins := private.payable_coins(v_closed.user_id);
      if v_coins > 0 then
        perform private.transfer(format('handed-over:%s:%s', v_closed.user_id,
            (select version from private.ledger_accounts where kind = 'wallet' and owner = v_closed.user_id)),
          private.ledger_account('wallet', v_closed.user_id), private.ledger_account('wallet', v_heir), v_coins, 'handed-over',
          p_description => 'Left in the account you closed');
        perform private.notify(v_heir, 'success', 'Coins From Your Closed Account',
          format('%s coins that were left in the account you closed are in your wallet.', v_coins), null, 'coins-handed-over',
          jsonb_build_object('coins', v_coins));
      end if;
    end if;
    if not private.is_owed(v_closed.user_id) then
      delete from private.bank_accounts where user_id = v_closed.user_id;
      delete from private.account_changes where user_id = v_closed.user_id;
      update public.user_profiles set language = null where user_id = v_closed.user_id;
      delete from private.closed_accounts where user_id = v_closed.user_id;
      delete from private.vault_keys where person_id = v_closed.user_id and not private.needs_vault_key(v_closed.user_id);
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_withdrawal(p_seat private.seats)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_back numeric;
  v_what text;
  v_name text := (select coalesce(full_name, display_name) from public.user_profiles where user_id = p_seat.member_id);
begin
  perform private.lock_held_money(array[p_seat.id]);
  v_back := private.back_on_withdrawal(p_seat);
  v_what := case when v_back is null then 'held' when v_back > 0 then 'back' when exists (select from public.member_payments
    where seat_id = p_seat.id and status = 'processing') then 'under-way' else 'nothing' end;
  perform private.settle_seat(p_seat.id, 'withdrawn', p_seat.member_id);
  select * into p_seat from private.seats where id = p_seat.id;
  perform private.tell_of_withdrawals(p_seat);
  perform private.tell_seat(p_seat, p_seat.member_id, 'success', 'contract-withdrawn', 'You Have Withdrawn',
    format('%s, on %s UTC you withdrew from the contract for %s %s. %s', v_name, to_char(p_seat.ended_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI'),
      p_seat.provider, p_seat.plan_name, case v_what when 'nothing' then 'You pay us nothing.'
      when 'under-way' then 'What your bank is debiting comes back once it has arrived.'
      when 'held' then 'What comes back is held until your problem is closed.'
      else format('%s comes back the way you paid it, within %s days.', private.euros(v_back), extract(day from private.withdrawal_refund_time())) end),
    jsonb_build_object('name', v_name, 'at', p_seat.ended_at, 'what', v_what, 'amount', coalesce(v_back, 0),
      'days', extract(day from private.withdrawal_refund_time())));
  perform private.tell_seat(p_seat, p_seat.owner_id, 'info', 'member-withdrew', 'Member Withdrew',
    format('%s withdrew from the contract for %s %s. What you’ve earned stays yours, and the place is free again.',
      (select display_name from public.user_profiles where user_id = p_seat.member_id), p_seat.provider, p_seat.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.site_differences(p_span tstzrange, p_booked tstzrange)
 RETURNS TABLE(id text, type text, about text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare v_outside bigint := private.ledger_account('outside');
begin
  return query
  with moved as (
    select c.payment_id from private.provider_movements as p join private.charges as c on c.intent = p.intent
    where p.account is null and p.moved_at >= lower(p_booked) and p.moved_at < upper(p_booked)
    union
    select t.period_id from private.ledger_transfers as t
    where t.created_at >= lower(p_booked) and t.created_at < upper(p_booked) and v_outside in (t.from_account, t.to_account)
  )
  select format('books:%s:%s:%s', c.intent, there.amount, here.amount),
    left(format('%s at the provider, %s in the books: %s', private.euros(there.amount), private.euros(here.amount), m.plan_name), 200), c.intent
  from moved join private.charges as c on c.payment_id = moved.payment_id and c.provider <> 'simulated'
  join public.member_payments as m on m.id = c.payment_id
  cross join lateral (
    select coalesce(sum(amount), 0) as amount, max(moved_at) as latest from private.provider_movements where account is null and intent = c.intent
  ) as there
  cross join lateral (
    -- A refund has left the provider's balance while it is under way.
    select coalesce(sum(case t.from_account when v_outside then t.amount else -t.amount end), 0.00)
      - (select coalesce(sum(amount), 0) from private.refunds where payment_id = m.id and status = 'pending')
      -- What a bank takes from an owner's account is named after the owner.
      - (select coalesce(sum(from_account), 0) from public.payment_disputes where payment_id = m.id and status <> 'won') as amount,
      max(t.created_at) as latest
    from private.ledger_transfers as t
    where t.person_id = m.member_id and t.period_id = m.id and v_outside in (t.from_account, t.to_account)
      and not t.key ^@ 'debt'
  ) as here
  -- A debit moves the balance there before it is certain.
  where there.amount <> here.amount and c.status <> 'processing' and greatest(there.latest, here.latest) < upper(p_booked)
  union all
  select format('books:%s:%s:%s', d.intent, there.amount, here.amount),
    left(format('%s at the provider, %s in the books: debt for %s', private.euros(there.amount), private.euros(here.amount), d.plan_name), 200), d.intent
  from public.debts as d
  cross join lateral (
    select coalesce(sum(amount), 0) as amount, max(moved_at) as latest from private.provider_movements where account is null and intent = d.intent
  ) as there
  cross join lateral (
    select coalesce(sum(case t.from_account when v_outside then t.amount else -t.amount end), 0.00) as amount, max(t.created_at) as latest
    from private.ledger_transfers as t
    where t.person_id = d.member_id and t.period_id = d.payment_id and t.key in ('debt:' || d.id || ':card', 'debt-cost:' || d.intent)
  ) as here
  where there.amount <> here.amount and greatest(there.latest, here.latest) >= lower(p_booked) and greatest(there.latest, here.latest) < upper(p_booked)
  union all
  -- What was sent to an account, less what was taken back of it.
  select format('books:%s:%s', t.reference, there.amount),
    left(format('%s at the provider, %s in the books: transfer to an account', private.euros(there.amount), private.euros(here.amount)), 200),
    t.reference
  from private.account_transfers as t
  cross join lateral (
    select sum(amount) as amount, max(moved_at) as latest from private.provider_movements where account is null and intent = t.reference
  ) as there
  cross join lateral (
    select coalesce(sum(r.amount) filter (where r.status = 'done'), 0) - t.amount as amount
    from private.account_reversals as r where r.transfer_id = t.id
  ) as here
  where there.latest >= lower(p_booked) and there.latest < upper(p_booked) and there.amount <> here.amount
  union all
  select 'books:' || about, left(format('Not in the books: %s of %s', kinds, private.euros(abs(amount))), 200), about from (
    select coalesce(p.intent, p.id) as about, string_agg(distinct replace(p.kind, '_', ' '), ', ') as kinds, sum(p.amount) as amount
    from private.provider_movements as p
    where p.account is null and p.moved_at >= lower(p_span) and p.moved_at < upper(p_span)
      and not exists (select from private.charges as c where c.intent = p.intent)
      and not exists (select from public.debts as d where d.intent = p.intent)
      and not exists (select from private.account_transfers as t where t.reference = p.intent)
    group by 1
  ) as foreign_one
  where not exists (select from public.unknown_payment_events as e where e.about = foreign_one.about);
end $function$;

CREATE OR REPLACE FUNCTION private.take_disputed(p_dispute public.payment_disputes, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_outside bigint := private.ledger_account('outside');
  v_given_back numeric := private.given_back_to_card(p_period.id);
  -- News of the dispute may arrive before that of the charge.
  v_charged numeric := (select received from private.charges where payment_id = p_period.id);
  v_others numeric := (select coalesce(sum(private.taken_by(d)), 0) from public.payment_disputes as d
    where d.payment_id = p_period.id and d.id <> p_dispute.id and d.status <> 'won');
  v_kept numeric := case when (select kind from private.charges where payment_id = p_period.id) <> 'sepa_debit' then v_given_back
    else (select coalesce(sum(amount), 0) from private.refunds where payment_id = p_period.id and status in ('queued', 'pending')) end;
  v_rest numeric := greatest(0, least(p_dispute.amount - p_dispute.from_refunds, v_charged - v_kept - v_others));
  v_held numeric;
  v_part record;
begin
  -- The part held for this period that the card paid.
  v_held := case when p_period.status = 'paid' then greatest(0, least(v_rest,
    p_period.card - p_period.returned_share - p_period.returned_fee)) else 0 end;
  p_dispute.from_share := least(v_held, p_period.share - p_period.earned_share - p_period.returned_share);
  p_dispute.from_fee := least(v_held - p_dispute.from_share, p_period.fee - p_period.earned_fee - p_period.returned_fee);
  v_rest := v_rest - p_dispute.from_share - p_dispute.from_fee;
  p_dispute.from_account := private.take_from_account(p_period, v_rest, p_dispute.id);
  v_rest := v_rest - p_dispute.from_account;
  p_dispute.from_coins := least(v_rest, private.available_coins(p_dispute.member_id));
  p_dispute.from_guarantee := v_rest - p_dispute.from_coins;
  for v_part in select * from (values
    ('held_share', p_period.seat_id, p_dispute.from_share), ('held_fee', p_period.seat_id, p_dispute.from_fee),
    ('wallet', p_dispute.member_id, p_dispute.from_coins), ('guarantee', null, p_dispute.from_guarantee)
  ) as part (kind, owner, amount) where part.amount > 0 loop
    perform private.transfer(format('dispute:%s:%s', p_dispute.id, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
      v_outside, v_part.amount, 'chargeback', p_period.seat_id, p_period.id, p_period.plan_name || ': payment taken back');
  end loop;
  update public.member_payments set returned_share = returned_share + p_dispute.from_share,
    returned_fee = returned_fee + p_dispute.from_fee where id = p_period.id;
  update public.payment_disputes set charged = v_charged, given_back = v_given_back, from_share = p_dispute.from_share, from_fee = p_dispute.from_fee,
    from_coins = p_dispute.from_coins, from_account = p_dispute.from_account, from_guarantee = p_dispute.from_guarantee
  where id = p_dispute.id;
  if p_period.returned_share + p_period.returned_fee > 0 and exists (select from private.charges where payment_id = p_period.id and kind = 'sepa_debit') then
    perform private.note_debt(p_dispute.id);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.take_payment_jobs(p_provider text, p_limit integer, p_payment_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- An index finds what is due before a time that stands still.
  v_now timestamptz := clock_timestamp();
  v_others uuid[] := array(
    select id from private.payment_jobs where kind <> 'charge' and provider = p_provider and next_attempt_at <= v_now
      and (p_payment_id is null or (kind = 'debt' and about = p_payment_id::text))
    order by next_attempt_at limit p_limit);
  v_charges uuid[];
  v_seats uuid[];
  v_periods uuid[];
  v_job private.payment_jobs;
  v_order jsonb;
  v_taken jsonb := '[]';
begin
  select array_agg(job), array_agg(seat_id), array_agg(period) into v_charges, v_seats, v_periods from (
    select j.id as job, s.id as seat_id, m.id as period
    from (
      -- Enough for several callers at once.
      select id, about, next_attempt_at from private.payment_jobs where kind = 'charge' and provider = p_provider
        and next_attempt_at <= v_now and (p_payment_id is null or about = p_payment_id::text) order by next_attempt_at limit 4 * p_limit
    ) as j join public.member_payments as m on m.id = j.about::uuid join private.seats as s on s.id = m.seat_id
    order by j.next_attempt_at limit p_limit - least(cardinality(v_others), p_limit / 2) for update of s skip locked
  ) as free;
  -- What is simple, all at once.
  begin
    with orders as (
      select work from private.start_charges(v_periods) as work
    ), jobs as (
      update private.payment_jobs as j set attempts = j.attempts + 1, next_attempt_at = clock_timestamp() + interval '2 minutes', last_error = null
      from orders where j.id = any (v_charges) and j.about = work ->> 'period' and j.next_attempt_at <= v_now returning j.id, j.attempts, work
    )
    select coalesce(jsonb_agg(jsonb_build_object('job', id, 'kind', 'charge', 'attempt', attempts,
      'order', jsonb_build_object('attempt', attempts) || work)), '[]') into v_taken from jobs;
  exception when others then
    raise warning 'Charges: %', sqlerrm;
    v_taken := '[]';
  end;
  if jsonb_array_length(v_taken) = p_limit then return v_taken; end if;
  perform private.lock_held_money(v_seats, '{}');
  perform set_config('potluck.holds_money', 'yes', true);
  for v_job in
    select j.* from private.payment_jobs as j
    where j.id = any (v_charges || v_others[:p_limit - coalesce(cardinality(v_charges), 0)]) and j.next_attempt_at <= v_now
    order by j.next_attempt_at for update skip locked
  loop
    begin
      if v_job.kind = 'charge' then
        v_order := private.start_charge(v_job.about::uuid);
      elsif v_job.kind = 'debt' then
        v_order := private.debt_order(v_job.about::uuid);
      elsif v_job.kind = 'refund' then
        v_order := private.refund_order(v_job.about::uuid);
      elsif v_job.kind = 'reconcile' then
        v_order := private.reconciliation_order(split_part(v_job.about, ' ', 1)::date, nullif(split_part(v_job.about, ' ', 2), ''));
      elsif v_job.kind = 'transfer' then
        v_order := private.account_transfer_order(v_job.about::uuid);
      elsif v_job.kind = 'reversal' then
        v_order := private.account_reversal_order(v_job.about::uuid);
      elsif v_job.kind = 'evidence' then
        v_order := private.dispute_answer_order(v_job.about);
      else
        v_order := jsonb_build_object('method', v_job.about);
      end if;
    exception when others then
      -- A failure must not hold up the others.
      update private.payment_jobs set attempts = attempts + 1 where id = v_job.id;
      perform private.settle_payment_job(v_job.id, v_job.attempts + 1, sqlerrm);
      continue;
    end;
    if v_order is null then
      delete from private.payment_jobs where id = v_job.id;
      continue;
    end if;
    update private.payment_jobs set attempts = attempts + 1, next_attempt_at = clock_timestamp() + interval '2 minutes', last_error = null
    where id = v_job.id;
    v_taken := v_taken || jsonb_build_object('job', v_job.id, 'kind', case v_job.kind when 'debt' then 'charge' else v_job.kind end,
      'attempt', v_job.attempts + 1,
      'order', jsonb_build_object('attempt', v_job.attempts + 1) || v_order);
  end loop;
  return v_taken;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_of_withdrawals(p_seat private.seats)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_name text := (select display_name from public.user_profiles where user_id = p_seat.member_id);
begin
  if not private.is_paid_withdrawal(p_seat) or private.recent_withdrawals(p_seat.member_id) <> private.most_withdrawals() then return; end if;
  perform private.tell_treasurers('warning', 'Many Withdrawals',
    format('%s has withdrawn from %s contracts within a year, and gets new places through the site only once you lift that.', v_name,
      private.most_withdrawals()), 'payment-withdrawals-many', jsonb_build_object('member', v_name, 'withdrawals', private.most_withdrawals()));
end $function$;

CREATE OR REPLACE FUNCTION private.tell_paid(p_periods uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.tell_seats(array(
    select private.seat_news(s, m.member_id, 'success', case when terms is null then 'payment-made' else 'contract-made' end,
      'Payment Received', concat_ws(' ', format('We received your %s for %s.', private.euros(m.amount), m.plan_name),
        private.terms_in_words(terms)),
      jsonb_build_object('payment', m.id, 'amount', m.amount, 'at', terms -> 'at', 'until', terms -> 'until'),
      p_invoiced => case when m.fee > 0 then m.id end)
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    cross join lateral private.contract_terms(s, m) as terms where m.id = any (p_periods)));
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__open_seat()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions;
  v_coins_first boolean;
  v_begins_at_once_at timestamptz;
  v_seat private.seats;
begin
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id;
  -- With the request or the invitation that led here, not with one for an earlier seat.
  select said.coins_first, said.begins_at_once_at into v_coins_first, v_begins_at_once_at from (
    select r.coins_first, r.begins_at_once_at, r.decided_at as at from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = new.user_id and r.status = 'approved'
    union all
    select false, i.begins_at_once_at, i.accepted_at from public.subscription_invitations as i
    where i.subscription_id = v_plan.id and i.email = lower(private.email_of(new.user_id)) and i.accepted_at is not null
  ) as said order by said.at desc nulls last limit 1;
  if v_plan.settlement = 'potluck' then
    perform private.require_wish_to_begin(v_begins_at_once_at), private.require_may_contract(new.user_id);
  end if;
  insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
    billing_cycle, share, fee_rate, coins_first, begins_at_once_at, withdrawable_until, admitted_at, access_given_at)
  select v_plan.id, v_plan.catalogue_plan_id, v_plan.provider, v_plan.name, v_plan.owner_id, new.user_id, v_plan.settlement,
    v_plan.billing_cycle, v_plan.member_price, v_plan.fee_rate, coalesce(v_coins_first, false), contract.begins_at_once_at, contract.until,
    case v_plan.settlement when 'direct' then private.now() end, case when private.has_vault_entry(v_plan.id) then private.now() end
  from (select case v_plan.settlement when 'potluck' then v_begins_at_once_at end,
    case v_plan.settlement when 'potluck' then private.last_withdrawal(new.user_id) end) as contract (begins_at_once_at, until)
  returning * into v_seat;
  perform private.open_accounts(v_seat);
  perform private.open_periods(array[v_seat.id], array[1], array[null::timestamptz]);
  perform private.begin_periods(v_seat.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__settle()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  perform private.lock_plan_to_leave(old.subscription_id);
  for v_seat in
    select * from private.seats
    where subscription_id = old.subscription_id and member_id = old.user_id and ended_at is null
  loop
    if old.user_id = auth.uid() and private.may_withdraw(v_seat) then
      perform private.settle_withdrawal(v_seat);
    else
      perform private.settle_seat(v_seat.id, case when old.user_id = auth.uid() then 'left' else 'removed' end, auth.uid());
    end if;
  end loop;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_plan public.shared_subscriptions;
  v_profile public.user_profiles;
  v_is_locked boolean;
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only ask for yourself' using errcode = '42501';
    end if;
    if new.subscription_id is null then
      raise exception 'Subscription ID is required' using errcode = '23514';
    end if;
    if new.status <> 'pending' then
      raise exception 'Only the plan''s owner can answer requests' using errcode = '42501';
    end if;
    perform private.spend_attempt('join request');
    new.user_id := v_user;
    new.requested_at := clock_timestamp();
    new.decided_at := null;
    new.expired := false;
  end if;
  new.id := coalesce(new.id, gen_random_uuid());
  new.message := btrim(coalesce(new.message, ''));
  if char_length(new.message) > private.longest_join_message() then
    raise exception 'The message can be at most % characters long', private.longest_join_message() using errcode = '23514';
  end if;
  v_profile := private.named_profile(new.user_id);
  new.name := v_profile.display_name;
  new.email := private.email_of(new.user_id);

  -- Letting people in takes a place, so lock the plan, and do it before the requests below. Programs must not meet new terms halfway.
  perform from public.shared_subscriptions
  where id = new.subscription_id and (instant_from is not null or auth.jwt() ? 'token_id') and v_user is not null for no key update;
  v_is_locked := found;
  select * into v_plan from public.shared_subscriptions as p
  where p.id = new.subscription_id and (v_user is null or private.may_find(p));
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  new.owner_id := v_plan.owner_id;
  if v_plan.owner_id = new.user_id then
    raise exception 'Owners cannot request their own plan' using errcode = '23514';
  end if;
  if v_user is null then return new; end if;
  -- Whoever is let in, at once or by the owner later, is charged for it.
  if v_plan.settlement = 'potluck' then
    perform private.refuse_tokens();
    perform private.require_wish_to_begin(new.begins_at_once_at), private.require_may_contract(v_user);
  end if;
  new.begins_at_once_at := case v_plan.settlement when 'potluck' then private.now() end;
  perform private.require_unblocked(v_plan.owner_id, 'This plan takes no new members right now');
  perform private.require_offered(v_plan.provider);
  perform private.expire_join_requests();
  if private.is_plan_member(new.subscription_id) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  if exists (
    select 1 from public.subscription_requests as r
    where r.subscription_id = new.subscription_id and r.user_id = v_user and private.is_open_request(r)
  ) then
    raise exception 'Request Already Sent' using errcode = '23505';
  end if;
  new.keeps_place := private.take_offer(v_plan, v_user, new.email);
  if v_is_locked and private.instant_refusal(v_plan, v_user, new.coins_first) is null then
    new.instant := true;
    new.status := 'approved';
    new.decided_at := new.requested_at;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_withdrawal_requests__hold()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_until timestamptz := private.withdrawals_wait_until(new.user_id);
begin
  if v_until = 'infinity' then
    raise exception 'A payment to this person is disputed, so this withdrawal has to wait' using errcode = '23514';
  elsif private.owed_to_site(new.user_id) > private.available_coins(new.user_id) then
    raise exception 'This person owes the site % for a returned debit, so this withdrawal has to wait', private.euros(private.owed_to_site(new.user_id))
      using errcode = '23514';
  elsif v_until > private.now() then
    raise exception 'This withdrawal has to wait until %, as a bank may take back their first payments',
      to_char(v_until, 'FMDD FMMonth YYYY') using errcode = '23514';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.topic_of(p_event text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = ANY (ARRAY['chat-message'::text, 'question-asked'::text])) THEN 'messages'::text WHEN (p_event = 'plan-found'::text) THEN 'alerts'::text WHEN (p_event ~ '^(problem|access|password|webhook)-'::text) THEN 'access'::text WHEN ((p_event ~ '^(payment|payout|tax|refund|withdrawal|wallet|coins|money)-'::text) OR (p_event = ANY (ARRAY['member-says-paid'::text, 'member-paid'::text, 'member-debited'::text, 'owner-owes-you'::text, 'you-owe-member'::text, 'owed-settled'::text, 'renewal-coming'::text, 'contract-made'::text, 'contract-changed'::text, 'contract-withdrawn'::text]))) THEN 'money'::text WHEN ((p_event ~ '^(plan|provider-request|admin-access)-(approved|rejected)$'::text) OR (p_event = ANY (ARRAY['review-waits'::text, 'reviews-shown'::text, 'review-hidden'::text, 'report-read'::text, 'support-asked'::text, 'support-answered'::text]))) THEN 'team'::text ELSE 'places'::text END;

CREATE OR REPLACE FUNCTION private.withdraw_from_contract(p_seat_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
  v_back numeric;
begin
  if exists (select from private.seats where id = p_seat_id and member_id = v_user) then
    v_seat := private.lock_place(p_seat_id);
  end if;
  if v_seat.end_reason = 'withdrawn' then
    raise exception 'You’ve already withdrawn from this contract' using errcode = '23514';
  elsif v_seat.id is null or v_seat.ended_at is not null then
    raise exception 'Place not found' using errcode = 'PT404';
  elsif v_seat.withdrawable_until is null then
    raise exception 'You pay the owner directly, so there’s no contract with us to withdraw from' using errcode = '23514';
  elsif not private.may_withdraw(v_seat) then
    raise exception 'You could withdraw for % days after the contract. You can still leave.', extract(day from private.withdrawal_period())
      using errcode = '23514';
  end if;
  v_back := private.back_on_withdrawal(v_seat);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id;
  return v_back;
end $function$;

CREATE OR REPLACE FUNCTION private.withdrawal_refusal(p_user_id uuid, p_amount numeric, p_closes_account boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_available numeric := private.payable_coins(p_user_id);
  v_owed numeric := private.owed_to_site(p_user_id);
begin
  return case
    when p_amount is null or p_amount = 'NaN' or p_amount <= 0 or p_amount <> round(p_amount, 2) then 'Please enter a valid amount'
    when p_amount < private.least_withdrawal() and not p_closes_account then format('Minimum withdrawal amount is %s coins', private.least_withdrawal())
    when p_amount > v_available and v_owed > 0
      then format('You owe us %s for a debit that your bank took back. Pay it under My Payments first.', private.euros(v_owed))
    when p_amount > v_available then format('Maximum withdrawal amount is %s coins', v_available)
    when auth.uid() is not null and not private.has_bank_account(p_user_id)
      then 'Add the bank account to pay your coins to'
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.withdrawals_memory()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '1 year'::interval;

CREATE OR REPLACE FUNCTION private.work_out_facts(p_user_ids uuid[])
 RETURNS SETOF private.known_facts
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
AS $function$
begin
  return query
  -- Evaluated once, because these are not constants.
  with terms as materialized (select private.now() as now, private.now() - now() as ahead)
  select u.user_id, terms.now,
    least(given.until, paid.until, faults.until, answered.until + terms.ahead, asked.until + terms.ahead, 'infinity'),
    coalesce(given.time, '0'), coalesce(given.pace, 0)::integer, coalesce(paid.on_time, 0)::integer,
    coalesce(paid.late, 0)::integer, faults.problems::integer, answered.people::integer, answered.minutes::integer
  from terms cross join public.user_profiles as u
  -- Per member, the paid time with working access while the seat lived; for a running period, up to now. A place that ended by withdrawal
  -- counts for neither side, so that nobody gains by rounds of joining and withdrawing.
  cross join lateral (
    select sum(least(by_member.time, private.pair_limit())) as time,
      sum(by_member.pace) filter (where by_member.time < private.pair_limit()) as pace,
      least(min(by_member.until), min(terms.now + (private.pair_limit() - by_member.time) / nullif(by_member.pace, 0))
        filter (where by_member.time < private.pair_limit())) as until
    from (
      select coalesce(sum(least(ended.at, terms.now) - m.starts_at - case when problem.was
          then private.time_without_access(m, least(ended.at, terms.now), null) else '0' end) filter (where begun.yet), '0') as time,
        count(*) filter (where begun.yet and ended.at > terms.now and problem.lasts is not true) as pace,
        min(case when begun.yet then ended.at else m.starts_at end) filter (where ended.at > terms.now) as until
      from private.seats as s
      cross join lateral (
        select count(*) > 0 as was, bool_or(coalesce(lost_until, 'infinity') > terms.now) as lasts
        from public.seat_problems where seat_id = s.id
      ) as problem
      join public.member_payments as m on m.seat_id = s.id
      cross join lateral (select least(m.ends_at, s.ended_at)) as ended (at)
      cross join lateral (select m.starts_at < terms.now) as begun (yet)
      where s.owner_id = u.user_id and s.end_reason is distinct from 'withdrawn' and m.status in ('paid', 'closed') and private.is_sure_payment(m) and m.starts_at < ended.at
      group by s.member_id
    ) as by_member
  ) as given
  -- What they paid, per owner. A confirmed direct payment is dated by "I've paid". Each stands for a month, and only as many
  -- as fit the pair limit count; late payments always count.
  cross join lateral (
    select sum(least(by_owner.on_time, extract(day from private.pair_limit())::integer / 30)) as on_time, sum(by_owner.late) as late,
      min(by_owner.until) as until
    from (
      select count(*) filter (where is_paid and not is_behind and private.is_sure_payment(m)
          and not exists (select from private.seats where id = m.seat_id and end_reason = 'withdrawn')) as on_time,
        count(*) filter (where is_behind and m.due_at > terms.now - private.standing_memory() and (is_paid
          or m.status in ('due', 'needs-action', 'failed') or (m.status = 'cancelled'
            and exists (select from private.seats where id = m.seat_id and end_reason = 'unpaid')))) as late,
        min(changes.at) filter (where changes.at > terms.now) as until
      from public.member_payments as m
      cross join lateral (select m.status in ('paid', 'closed'),
        coalesce(m.claimed_at, m.paid_at, terms.now) > m.due_at + private.payment_grace()
          and (m.settlement = 'potluck' or m.status <> 'due' or private.says_how_to_pay(m.owner_id))) as judged (is_paid, is_behind)
      cross join lateral (select case when is_behind then m.due_at + private.standing_memory()
        when coalesce(m.claimed_at, m.paid_at) is null then m.due_at + private.payment_grace() end) as changes (at)
      where m.member_id = u.user_id and m.share > 0 and m.starts_at is not null
      group by m.owner_id
    ) as by_owner
  ) as paid
  -- Problems that were their fault, and paid places they gave no access to.
  cross join lateral (
    select count(*) as problems, min(fault.at) + private.standing_memory() as until from (
      select closed_at from public.seat_problems where owner_id = u.user_id and fault = 'owner'
      union all select closed_at from public.seat_problems where member_id = u.user_id and fault = 'member'
      union all select ended_at from private.seats where owner_id = u.user_id and end_reason = 'no-access'
    ) as fault (at) where fault.at > terms.now - private.standing_memory()
  ) as faults
  -- The last answer to each requester; an expired request took the whole time.
  cross join lateral (
    select count(*) as people, percentile_cont(0.5) within group (order by last.minutes) as minutes,
      min(last.requested_at) + private.standing_memory() as until
    from (
      select distinct on (r.user_id) r.requested_at,
        extract(epoch from least(r.decided_at - r.requested_at, private.request_lifetime())) / 60 as minutes
      from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
      where p.owner_id = u.user_id and r.requested_at > now() - private.standing_memory()
        and not r.instant and (r.status in ('approved', 'rejected') or (r.status = 'pending' and not private.is_open_request(r)))
      order by r.user_id, r.requested_at desc
    ) as last
  ) as answered
  -- Requests that still wait for their answer.
  cross join lateral (
    select min(r.requested_at) + private.request_lifetime() as until
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = u.user_id and r.status = 'pending' and r.requested_at > now() - private.request_lifetime()
  ) as asked
  where u.user_id = any (p_user_ids);
end $function$;

CREATE OR REPLACE FUNCTION public.answer_terms(p_proposal_id uuid, p_accept boolean, p_begin_at_once boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.answer_terms(p_proposal_id, p_accept, p_begin_at_once); end$function$;

CREATE OR REPLACE FUNCTION public.lift_withdrawals(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.lift_withdrawals(p_user_id); end$function$;

CREATE OR REPLACE FUNCTION public.list_contract_withdrawals(p_limit integer DEFAULT 50, p_by text DEFAULT 'member'::text, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(user_id uuid, display_name text, withdrawals integer, latest timestamp with time zone, paid numeric, returned numeric, cost numeric, refused boolean, lifted_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.list_contract_withdrawals(p_limit, p_by, p_sort, p_after); end$function$;

CREATE OR REPLACE FUNCTION public.pay_debt_with_coins(p_debt_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin return private.pay_debt_with_coins(p_debt_id); end$function$;

CREATE OR REPLACE FUNCTION public.record_card(p_customer text, p_method text, p_brand text, p_last4 text, p_exp_month integer, p_exp_year integer, p_is_new boolean, p_kind text DEFAULT 'card'::text, p_mandate text DEFAULT NULL::text, p_country text DEFAULT NULL::text, p_fingerprint text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin return private.record_card(p_customer, p_method, p_brand, p_last4, p_exp_month, p_exp_year, p_is_new, p_kind, p_mandate, p_country, p_fingerprint); end$function$;

ALTER TABLE "private"."ledger_transfers" ADD CONSTRAINT "ledger_transfers_kind_check" CHECK ((kind = ANY (ARRAY['payment'::text, 'payment-returned'::text, 'earning'::text, 'fee'::text, 'refund'::text, 'refund-sent'::text, 'refund-failed'::text, 'withdrawal'::text, 'withdrawal-returned'::text, 'adjustment'::text, 'chargeback'::text, 'chargeback-won'::text, 'debt'::text, 'given-up'::text, 'handed-over'::text, 'cost'::text, 'account'::text, 'account-failed'::text, 'payout'::text, 'payout-failed'::text])));

ALTER TABLE "private"."payment_fingerprints" ADD CONSTRAINT "payment_fingerprints_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."payment_jobs" ADD CONSTRAINT "payment_jobs_kind_check" CHECK ((kind = ANY (ARRAY['charge'::text, 'debt'::text, 'refund'::text, 'remove-card'::text, 'reconcile'::text, 'transfer'::text, 'reversal'::text, 'evidence'::text])));

ALTER TABLE "private"."seats" ADD CONSTRAINT "paid_through_the_site_begins_at_once" CHECK (((settlement = 'direct'::text) OR (num_nulls(begins_at_once_at, withdrawable_until) = 0)));

ALTER TABLE "private"."withdrawal_lifts" ADD CONSTRAINT "withdrawal_lifts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."debts" ADD CONSTRAINT "debts_dispute_id_fkey" FOREIGN KEY (dispute_id) REFERENCES public.payment_disputes(id) ON DELETE RESTRICT;

ALTER TABLE "public"."debts" ADD CONSTRAINT "debts_member_id_fkey" FOREIGN KEY (member_id) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "public"."debts" ADD CONSTRAINT "debts_open_check" CHECK ((open >= (0)::numeric));

ALTER TABLE "public"."debts" ADD CONSTRAINT "debts_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE RESTRICT;

CREATE INDEX payment_fingerprints_user_idx ON private.payment_fingerprints USING btree (user_id);

CREATE INDEX debts_payment_idx ON public.debts USING btree (payment_id);

CREATE POLICY "People see what they owe the site, admins all" ON "public"."debts" FOR SELECT TO "authenticated" USING (((member_id = ( SELECT auth.uid() AS uid)) OR ( SELECT (private.may('users.edit'::text) AND private.may_act_as_staff()))));

REVOKE ALL ON FUNCTION "private"."answer_terms"(uuid, boolean, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."answer_terms"(uuid, boolean, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."available_coins"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."begin_debt_payment"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."book_debt"(public.debts, bigint, numeric, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."debt_order"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_debt"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."give_back"(uuid, numeric, numeric, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guarantee_refund_key"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_paid_withdrawal"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."knows_charge"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."knows_charge"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."last_withdrawal"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lift_withdrawals"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lift_withdrawals"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_contract_withdrawals"(integer, text, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_contract_withdrawals"(integer, text, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."may_withdraw"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."most_withdrawals"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_debt"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."owed_to_site"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pay_debt_with_coins"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."pay_debt_with_coins"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."payable_coins"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recent_withdrawals"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."record_debt_charge"(text, text, text, numeric, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_may_contract"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_wish_to_begin"(timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_withdrawal"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_withdrawals"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withdrawals_memory"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."answer_terms"(uuid, boolean, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."answer_terms"(uuid, boolean, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."lift_withdrawals"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."lift_withdrawals"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_contract_withdrawals"(integer, text, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_contract_withdrawals"(integer, text, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."pay_debt_with_coins"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."pay_debt_with_coins"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text, text) TO "service_role";

GRANT SELECT ("amount") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("card") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("coins") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("dispute_id") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("id") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("member_id") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("open") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("payment_id") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("plan_name") ON TABLE "public"."debts" TO "authenticated";

CREATE INDEX debts_member_idx ON public.debts USING btree (member_id, opened_at DESC);

GRANT SELECT ("opened_at") ON TABLE "public"."debts" TO "authenticated";
REVOKE ALL ON TABLE "private"."payment_fingerprints" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."withdrawal_lifts" FROM PUBLIC, anon, authenticated, service_role;
