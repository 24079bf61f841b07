-- Claims between people who pay each other directly, since the site does not see their bank accounts: a member's "I've paid", and
-- an owner's "I've paid it back". A claim asks the receiver, who answers in the app or by the link in a mail. Silence counts as
-- received. A receiver may deny once; the payer may then repeat the claim, saying how and when they paid, and staff decide.

-- When the receiver is reminded of a claim, counted from the time of the claim.
create function private.claim_reminders() returns interval[]
language sql immutable return '{1 day,3 days,6 days}'::interval[];

-- How long the receiver may be silent before a claim counts as received: claim_time() while the seat is active, late_claim_time()
-- after it has ended and for repayments.
create function private.claim_time() returns interval
language sql immutable return interval '7 days';
create function private.late_claim_time() returns interval
language sql immutable return interval '30 days';

-- How long an owner may leave "I've paid" unanswered before the time for giving access begins.
create function private.claim_access_wait() returns interval
language sql immutable return interval '3 days';

-- How long staff have to decide a payment dispute, and after how many disputes of one person staff are told about that person.
create function private.payment_dispute_time() returns interval
language sql immutable return interval '14 days';
create function private.disputes_to_tell() returns integer
language sql immutable return 3;

-- Returns whether a claim waits for its receiver or for staff.
create function private.is_open_claim(p_status text) returns boolean
language sql immutable return p_status in ('open', 'disputed');

create table public.payment_claims (
  id uuid primary key default gen_random_uuid(),
  payment_id uuid not null references public.member_payments (id) on delete restrict,
  seat_id uuid not null references private.seats (id) on delete restrict,
  owner_id uuid not null references private.user_profiles (user_id) on delete restrict,
  member_id uuid not null references private.user_profiles (user_id) on delete restrict,
  -- `payment`: the member says that they paid the owner. `repayment`: the owner says that they paid back what they owed.
  kind text not null check (kind in ('payment', 'repayment')),
  -- The amount, in EUR.
  amount numeric(12, 2) not null check (amount > 0),
  -- How and when it was paid; required once the receiver has denied it.
  note text,
  made_at timestamptz not null default private.now(),
  -- Whether the seat had ended at the time of the claim, so that the receiver has longer to answer.
  after_end boolean not null,
  -- `unanswered`: counts as received. `disputed`: staff have to decide. `undecided`: staff did not decide, and it counts for
  -- neither side. `void`: the payment was waived, or staff closed the debt, before there was an answer.
  status text not null check (status in ('open', 'received', 'unanswered', 'denied', 'disputed', 'undecided', 'void')),
  -- The deadline of the receiver or, in a dispute, of staff.
  answer_by timestamptz,
  -- When the owner's time for giving access begins if they have not answered.
  access_from timestamptz,
  -- How often the receiver was reminded.
  reminders integer not null default 0,
  -- The receiver's denial.
  denial text,
  disputed_at timestamptz,
  closed_at timestamptz,
  decided_by uuid references private.user_profiles (user_id) on delete restrict,
  -- Staff's reason, which both sides read.
  decision text,
  -- Hashes of the tokens in the mailed links, each of which answers this claim alone.
  token_hashes text[] not null default '{}',
  check (private.is_open_claim(status) = (answer_by is not null)),
  check (private.is_open_claim(status) = (closed_at is null))
);
create unique index payment_claims_one_open_key on public.payment_claims (payment_id) where private.is_open_claim(status);
create index payment_claims_payment_idx on public.payment_claims (payment_id, made_at);
create index payment_claims_seat_idx on public.payment_claims (seat_id);
create index payment_claims_owner_idx on public.payment_claims (owner_id, made_at);
create index payment_claims_member_idx on public.payment_claims (member_id, made_at);
create index payment_claims_decided_by_idx on public.payment_claims (decided_by);
create index payment_claims_disputed_idx on public.payment_claims (disputed_at) where disputed_at is not null and closed_at is null;
create index payment_claims_tokens_idx on public.payment_claims using gin (token_hashes);
alter table public.payment_claims enable row level security;
create policy "Both sides of a claim see it, admins all" on public.payment_claims
  for select to authenticated using (
    member_id = (select auth.uid()) or owner_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff())
  );
select private.send_changes('payment_claims');

create trigger record after insert or update on public.payment_claims
  for each row execute function private.tg_private__record('claim of a direct payment', '{id}');

-- The numbers of void receipts; none of them is used again.
create table private.void_receipts (
  number text primary key,
  payment_id uuid not null references public.member_payments (id) on delete restrict,
  voided_at timestamptz not null default private.now()
);
create index void_receipts_payment_idx on private.void_receipts (payment_id);
alter table private.void_receipts enable row level security;
create trigger record after insert or update on private.void_receipts
  for each row execute function private.tg_private__record('void receipt', '{number}');

-- answer_time() is how long the receiver has to answer; claim_reminder_at() is when they are reminded next, null after the last
-- reminder.
create function private.answer_time(p_claim public.payment_claims) returns interval
language sql immutable as $$
  select case when p_claim.after_end or p_claim.kind = 'repayment' then private.late_claim_time() else private.claim_time() end
$$;
create function private.claim_reminder_at(p_claim public.payment_claims) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return p_claim.answer_by - private.answer_time(p_claim) + (private.claim_reminders())[p_claim.reminders + 1];
end $$;

-- Returns whether a repayment claim about this payment waits for the receiver's answer or for staff.
create function private.is_claimed_back(p_payment_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.payment_claims where payment_id = p_payment_id and kind = 'repayment' and private.is_open_claim(status));
end $$;

create function private.receiver_of(p_claim public.payment_claims) returns uuid
language sql immutable as $$ select case p_claim.kind when 'payment' then p_claim.owner_id else p_claim.member_id end $$;

-- Records a claim; a claim repeated after a denial is a dispute, and must say how and when it was paid. The caller has locked the seat.
create function private.create_claim(p_payment public.member_payments, p_kind text, p_note text) returns public.payment_claims
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_note text := private.problem_note(p_note);
  v_is_disputed boolean := exists (
    select from public.payment_claims where payment_id = p_payment.id and kind = p_kind and status = 'denied');
  v_seat private.seats;
  v_claim public.payment_claims;
begin
  if v_is_disputed and private.visible_length(coalesce(v_note, '')) = 0 then
    perform private.refuse('payment_note_missing', private.longest_note()::text);
  end if;
  select * into v_seat from private.seats where id = p_payment.seat_id;
  v_claim.after_end := v_seat.ended_at is not null;
  v_claim.kind := p_kind;
  insert into public.payment_claims (payment_id, seat_id, owner_id, member_id, kind, amount, note, after_end, status, answer_by, access_from,
    disputed_at)
  values (p_payment.id, v_seat.id, p_payment.owner_id, p_payment.member_id, p_kind,
    case p_kind when 'payment' then p_payment.amount else p_payment.owed_back end, v_note, v_claim.after_end,
    case when v_is_disputed then 'disputed' else 'open' end,
    private.now() + case when v_is_disputed then private.payment_dispute_time() else private.answer_time(v_claim) end,
    case when p_kind = 'payment' and v_seat.ended_at is null then private.now() + private.claim_access_wait() end,
    case when v_is_disputed then private.now() end)
  returning * into v_claim;
  return v_claim;
end $$;

-- Asks the receiver of a claim by a mail whose link answers it; a dispute goes to staff instead. The caller has updated the payment
-- before.
create function private.ask_about_claim(p_claim_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_claim public.payment_claims;
  v_payment public.member_payments;
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_day date;
begin
  update public.payment_claims set token_hashes = token_hashes || private.hash_of(v_token) where id = p_claim_id returning * into v_claim;
  if v_claim.status = 'disputed' then
    perform private.bring_claim_to_staff(v_claim);
    return;
  end if;
  select * into v_payment from public.member_payments where id = v_claim.payment_id;
  v_payment.amount := v_claim.amount;
  v_day := private.day_in(v_claim.answer_by, private.zone_of(private.receiver_of(v_claim)));
  if v_claim.kind = 'payment' then
    perform private.tell_payment(v_payment, true, 'info', 'member-says-paid', jsonb_build_object('day', v_day), '/answer/' || v_token);
  else
    perform private.tell_payment(v_payment, false, 'info', 'payment-back-claimed', jsonb_build_object('day', v_day), '/answer/' || v_token);
  end if;
end $$;

create function private.remind_of_claim(p_claim_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.payment_claims set reminders = reminders + 1 where id = p_claim_id;
  perform private.ask_about_claim(p_claim_id);
end $$;

-- Closes the open claim of a payment, if there is one, because the payment was settled without an answer to the claim.
create function private.close_claim(p_payment_id uuid, p_status text, p_kind text default 'payment') returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.payment_claims set status = p_status, answer_by = null, closed_at = private.now()
  where payment_id = p_payment_id and kind = p_kind and private.is_open_claim(status);
end $$;

-- Reopens the last claim of a payment after "Received" was taken back, with at least a day to answer.
create function private.reopen_claim(p_payment_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_claim public.payment_claims;
begin
  update public.payment_claims as c set status = case when c.disputed_at is null then 'open' else 'disputed' end, closed_at = null,
    answer_by = greatest(c.made_at + case when c.disputed_at is null then private.answer_time(c) else private.payment_dispute_time() end,
      private.now() + private.receipt_undo_time())
  where id = (select id from public.payment_claims where payment_id = p_payment_id and kind = 'payment' and status = 'received'
    order by made_at desc limit 1)
  returning * into v_claim;
  if not found then return; end if;
  update public.member_payments set status = case v_claim.status when 'disputed' then 'disputed' else 'claimed' end where id = p_payment_id;
end $$;

-- Returns the claim that the receiver of a payment can deny: an open one, or one that they left unanswered after the seat had
-- ended. Raises 23514 if there is none.
create function private.answerable_claim(p_payment_id uuid, p_kind text) returns public.payment_claims
language plpgsql stable security definer set search_path = '' as $$
declare v_claim public.payment_claims;
begin
  select * into v_claim from public.payment_claims where payment_id = p_payment_id and kind = p_kind order by made_at desc, id limit 1;
  if v_claim.id is null or not private.is_answerable(v_claim) then
    perform private.refuse('not_said_paid');
  end if;
  return v_claim;
end $$;
create function private.is_answerable(p_claim public.payment_claims) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_claim.status = 'open' or p_claim.status = 'unanswered' and private.answer_time(p_claim) = private.late_claim_time()
    and p_claim.closed_at > private.now() - private.unpaid_memory();
end $$;

-- "Not received", with a sentence to the payer: the payer has to pay again. If the claim already counted as received because of
-- silence, staff decide instead. The caller has locked the seat.
create function private.deny_claim(p_claim public.payment_claims, p_note text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment public.member_payments;
  v_note text := btrim(coalesce(p_note, ''));
begin
  if private.visible_length(v_note) = 0 or char_length(v_note) > private.longest_denial() then
    perform private.refuse('missing_part_unsaid', private.longest_denial()::text);
  end if;
  select * into v_payment from public.member_payments where id = p_claim.payment_id;
  if p_claim.status = 'unanswered' then
    update public.payment_claims set status = 'disputed', disputed_at = private.now(), closed_at = null, denial = v_note,
      answer_by = private.now() + private.payment_dispute_time() where id = p_claim.id returning * into p_claim;
    update public.member_payments set status = case p_claim.kind when 'payment' then 'disputed' else status end,
      repaid_at = case p_claim.kind when 'payment' then repaid_at end where id = v_payment.id;
    perform private.schedule_seat(p_claim.seat_id);
    perform private.bring_claim_to_staff(p_claim);
    return;
  end if;
  update public.payment_claims set status = 'denied', denial = v_note, answer_by = null, closed_at = private.now() where id = p_claim.id;
  if p_claim.kind = 'payment' then
    perform private.return_denied(v_payment, v_note);
    perform private.tell_payment(v_payment, false, 'warning', 'payment-not-received', jsonb_build_object('note', v_note));
  else
    v_payment.amount := p_claim.amount;
    perform private.schedule_seat(p_claim.seat_id);
    perform private.tell_payment(v_payment, true, 'warning', 'payment-back-denied', jsonb_build_object('note', v_note));
  end if;
end $$;

-- Closes a claim at its deadline: as received if the receiver has not answered, and as undecided, in favour of neither side, if
-- staff have not decided a dispute.
create function private.lapse_claim(p_claim_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_claim public.payment_claims;
  v_payment public.member_payments;
begin
  select * into v_claim from public.payment_claims where id = p_claim_id for update;
  if v_claim.status = 'disputed' then
    perform private.settle_claim(v_claim, 'undecided');
    return;
  end if;
  select * into v_payment from public.member_payments where id = v_claim.payment_id;
  perform private.close_claim(v_claim.payment_id, 'unanswered', v_claim.kind);
  if v_claim.kind = 'payment' then
    perform private.record_received(v_payment, 'silence');
  else
    perform private.record_repaid(v_payment);
  end if;
  v_payment.amount := v_claim.amount;
  perform private.tell_payment(v_payment, is_owner, 'info', 'payment-unanswered') from unnest('{true,false}'::boolean[]) as side (is_owner);
end $$;

-- Brings a dispute to staff and tells both sides. If no member of staff may decide it, it is closed immediately as undecided.
create function private.bring_claim_to_staff(p_claim public.payment_claims) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment public.member_payments;
  v_judges uuid[] := array(select id from private.people_who_may('users.edit') as staff (id) where not private.is_party_to(id, p_claim));
  v_person uuid;
begin
  select * into v_payment from public.member_payments where id = p_claim.payment_id;
  if v_judges = '{}' then
    perform private.settle_claim(p_claim, 'undecided');
    return;
  end if;
  v_payment.amount := p_claim.amount;
  perform private.tell_payment(v_payment, is_owner, 'info', 'payment-disagreement',
    jsonb_build_object('days', extract(day from private.payment_dispute_time()), 'person', private.other_name(p_claim, is_owner)))
  from unnest('{true,false}'::boolean[]) as side (is_owner);
  perform private.notify(id, 'warning', null, 'payment-to-decide', jsonb_build_object('claim', p_claim.id, 'plan', v_payment.plan_name))
  from unnest(v_judges) as judge (id);
  foreach v_person in array array[p_claim.owner_id, p_claim.member_id] loop
    continue when (select count(*) from public.payment_claims where v_person in (owner_id, member_id) and disputed_at is not null)
      < private.disputes_to_tell();
    perform private.notify(id, 'warning', null, 'payment-disputes-often',
      jsonb_build_object('person', (select display_name from private.user_profiles where user_id = v_person), 'id', v_person))
    from unnest(v_judges) as judge (id);
  end loop;
end $$;

-- Returns the name of the other side, for the notification to one side.
create function private.other_name(p_claim public.payment_claims, p_to_owner boolean) returns text
language sql stable security definer set search_path = '' as $$
  select display_name from private.user_profiles where user_id = case when p_to_owner then p_claim.member_id else p_claim.owner_id end
$$;

-- Returns whether a person is the owner or the member of the claim, or has or had a place in the plan: such a person may not decide
-- the dispute.
create function private.is_party_to(p_user_id uuid, p_claim public.payment_claims) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_user_id in (p_claim.owner_id, p_claim.member_id) or exists (
    select from private.seats as s join private.seats as mine using (subscription_id) where s.id = p_claim.seat_id and mine.member_id = p_user_id);
end $$;

-- Ends a dispute as received, denied or undecided, and tells both sides. The caller has locked the seat.
create function private.settle_claim(p_claim public.payment_claims, p_status text, p_reason text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments;
begin
  update public.payment_claims set status = p_status, answer_by = null, closed_at = private.now(), decision = p_reason,
    decided_by = case when p_reason is not null then auth.uid() end where id = p_claim.id;
  select * into v_payment from public.member_payments where id = p_claim.payment_id;
  if p_claim.kind = 'payment' then
    case p_status
      when 'received' then
        -- The payment date is that of the member's first claim.
        update public.member_payments set claimed_at = (select min(made_at) from public.payment_claims where payment_id = v_payment.id
          and kind = 'payment') where id = v_payment.id returning * into v_payment;
        if v_payment.paid_at is null then
          perform private.record_received(v_payment, 'staff');
        else
          -- The time for paying back a debt was suspended during the dispute, and starts anew.
          update public.member_payments set status = 'paid', received_by = 'staff', owed_since = case when owed_back > 0 then private.now() end,
            debt_steps_done = 0 where id = v_payment.id;
        end if;
      when 'denied' then perform private.return_denied(v_payment, p_reason);
      else
        perform private.void_receipt(v_payment);
        update public.member_payments set status = 'cancelled', closed_at = private.now(), left_unpaid_at = null,
          debt_closed_at = case when owed_back > 0 then private.now() end where id = v_payment.id;
    end case;
  else
    case p_status
      when 'received' then perform private.record_repaid(v_payment);
      when 'denied' then null;
      else update public.member_payments set debt_closed_at = private.now() where id = v_payment.id;
    end case;
  end if;
  perform private.follow_direct_payments(p_claim.seat_id);
  v_payment.amount := p_claim.amount;
  perform private.tell_payment(v_payment, is_owner, 'info', 'payment-decided',
    jsonb_build_object('outcome', p_status, 'reason', coalesce(p_reason, ''))) from unnest('{true,false}'::boolean[]) as side (is_owner);
end $$;

-- Records the decision of staff on a disputed claim, with a reason that both sides can read.
create function private.decide_payment_claim(p_claim_id uuid, p_received boolean, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_claim public.payment_claims;
  v_reason text := btrim(coalesce(p_reason, ''));
begin
  if not private.proven(private.may('users.edit')) then
    perform private.refuse('only_admins');
  end if;
  v_claim := private.lock_claim(p_claim_id);
  if v_claim.status is distinct from 'disputed' then
    perform private.refuse('payment_dispute_not_open');
  elsif private.is_party_to(auth.uid(), v_claim) then
    perform private.refuse('place_in_this_plan');
  elsif p_received is null or private.visible_length(v_reason) = 0 or char_length(v_reason) > private.longest_note() then
    perform private.refuse('reasons_for_both_missing', private.longest_note()::text);
  end if;
  perform private.settle_claim(v_claim, case when p_received then 'received' else 'denied' end, v_reason);
end $$;
select private.publish('decide_payment_claim', 'authenticated');

-- Locks a claim, after its seat, and returns it; null if it does not exist.
create function private.lock_claim(p_claim_id uuid) returns public.payment_claims
language plpgsql volatile security definer set search_path = '' as $$
declare v_claim public.payment_claims;
begin
  perform from private.seats where id = (select seat_id from public.payment_claims where id = p_claim_id) for update;
  select * into v_claim from public.payment_claims where id = p_claim_id for update;
  return v_claim;
end $$;

-- Lists open disputes for staff, the most urgent first, or with p_closed the closed ones, the latest first. Staff do not see
-- disputes of plans in which they have or had a place.
create function private.list_payment_disputes(p_closed boolean default false)
returns table (
  id uuid, kind text, plan_name text, amount numeric, owner_id uuid, owner_name text, member_id uuid, member_name text,
  -- The payer's account of how and when it was paid, and the receiver's denial.
  note text, denial text,
  disputed_at timestamptz, decide_by timestamptz, status text, closed_at timestamptz, decision text,
  -- The currency of the amount.
  currency text
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not (private.may('users.edit') and private.may_act_as_staff()) then
    perform private.refuse('only_admins');
  end if;
  return query
    select c.id, c.kind, m.plan_name, c.amount, c.owner_id, owner.display_name, c.member_id, member.display_name, c.note,
      coalesce(c.denial, (select d.denial from public.payment_claims as d where d.payment_id = c.payment_id and d.kind = c.kind
        and d.status = 'denied' order by d.made_at limit 1)),
      c.disputed_at, c.answer_by, c.status, c.closed_at, c.decision, m.currency
    from public.payment_claims as c join public.member_payments as m on m.id = c.payment_id
    join private.user_profiles as owner on owner.user_id = c.owner_id join private.user_profiles as member on member.user_id = c.member_id
    where c.disputed_at is not null and (c.closed_at is not null) = p_closed and not private.is_party_to(v_user, c)
    order by c.closed_at desc, c.answer_by, c.id limit 100;
end $$;
select private.publish('list_payment_disputes', 'authenticated');

-- Returns the claim that a mailed link asks about. Raises PT404 if the link is unknown.
create function private.find_claim(p_token text) returns public.payment_claims
language plpgsql stable security definer set search_path = '' as $$
declare v_claim public.payment_claims;
begin
  select * into v_claim from public.payment_claims where token_hashes @> array[private.hash_of(p_token)];
  if not found then
    perform private.refuse('link_unknown');
  end if;
  return v_claim;
end $$;

-- Returns what a page has to show about the claim of a mailed link, to anyone who has the link.
create function private.get_payment_claim(p_token text)
returns table (kind text, plan_name text, amount numeric, payer_name text, note text, made_at timestamptz, status text, answer_by timestamptz,
  may_deny boolean, currency text)
language plpgsql stable security definer set search_path = '' as $$
declare v_claim public.payment_claims := private.find_claim(p_token);
begin
  return query
    select v_claim.kind, m.plan_name, v_claim.amount, p.display_name, v_claim.note, v_claim.made_at, v_claim.status, v_claim.answer_by,
      private.is_answerable(v_claim), m.currency
    from public.member_payments as m join private.user_profiles as p
      on p.user_id = case v_claim.kind when 'payment' then m.member_id else m.owner_id end
    where m.id = v_claim.payment_id;
end $$;
select private.publish('get_payment_claim', 'anon', 'authenticated');

-- Records the answer that the receiver of a claim gives by the mailed link, without signing in: received, or not received, with a
-- sentence to the payer.
create function private.answer_payment_claim(p_token text, p_received boolean, p_note text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_claim public.payment_claims := private.lock_claim((private.find_claim(p_token)).id);
  v_payment public.member_payments;
begin
  if p_received is null then
    perform private.refuse('arrival_answer_missing');
  elsif not private.is_answerable(v_claim) or p_received and v_claim.status <> 'open' then
    perform private.refuse('already_answered');
  elsif not p_received then
    perform private.deny_claim(v_claim, p_note);
    return;
  end if;
  select * into v_payment from public.member_payments where id = v_claim.payment_id;
  if v_claim.kind = 'payment' then
    perform private.receive_payment(v_payment, 'owner');
  else
    perform private.receive_repayment(v_payment);
  end if;
end $$;
select private.publish('answer_payment_claim', 'anon', 'authenticated');

revoke all on private.void_receipts from public, anon, authenticated, service_role;
revoke all on public.payment_claims from public, anon, authenticated, service_role;
grant select (id, payment_id, seat_id, owner_id, member_id, kind, amount, note, made_at, after_end, status, answer_by, reminders, denial,
  disputed_at, closed_at, decision) on public.payment_claims to authenticated;
grant select on public.payment_claims to service_role;
