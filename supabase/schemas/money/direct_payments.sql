-- Direct payments: how an owner would like to be paid, "I've paid", "Received", and reminders. The site moves no money.

-- How long an owner may take "Received" back, and how long a member has to pay again after "Not received".
create function private.receipt_undo_time() returns interval
language sql immutable return interval '24 hours';
create function private.denied_payment_time() returns interval
language sql immutable return interval '7 days';

-- The format of the part of an IBAN that follows the country code and check digits, by country: numbers of digits (n), letters (a)
-- or either (c).
create function private.iban_forms() returns text
language sql immutable return '
  AD8n12c AE19n AL8n16c AO21n AT16n AX14n AZ4a20c BA16n BE12n BF2c22n BG4a6n8c BH4a14c BI23n BJ2c22n BL10n11c2n
  BR23n1a1c BY4a4n16c CF23n CG23n CH5n12c CI1a23n CM23n CR18n CV21n CY8n16c CZ20n DE18n DJ23n DK14n DO4a20n DZ22n EE16n
  EG25n ES20n FI14n FK2a12n FO14n FR10n11c2n GA23n GB4a14n GE2c16n GF10n11c2n GI4a15c GL14n GP10n11c2n GQ23n GR7n16c
  GT24c GW2a19n HN4a20n HR17n HU24n IE4c14n IL19n IQ4a15n IR22n IS22n IT1a10n12c JO4a4n18c KM23n KW4a22c KZ3n13c LB4n20c
  LC4a24c LI5n12c LT16n LU3n13c LV4a13c LY21n MA24n MC10n11c2n MD20c ME18n MF10n11c2n MG23n MK3n10c2n ML2c22n MN16n
  MQ10n11c2n MR23n MT4a5n18c MU4a19n3a MZ21n NC10n11c2n NE2a22n NI4a20n NL4a10n NO11n OM3n16c PF10n11c2n PK4c16n PL24n
  PM10n11c2n PS4c21n PT21n QA4a21c RE10n11c2n RO4a16c RS18n RU14n15c SA2n18c SC4a20n3a SD14n SE20n SI15n SK20n
  SM1a10n12c SN2a22n SO19n ST21n SV4a20n TD23n TF10n11c2n TG2a22n TL19n TN20n TR5n17c UA6n19c VA18n VG4c16n WF10n11c2n
  XK16n YE4a4n18c YT10n11c2n
  ';

-- Converts a pasted IBAN to its electronic format: without spaces, signs and invisible characters, and without “IBAN” and a word
-- for “number” before it. Same as plainIban() of functions/_shared.
create function private.plain_iban(p_pasted text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return regexp_replace(upper(regexp_replace(normalize(p_pasted, nfkd), '[^A-Za-z0-9]', '', 'g')),
    '^IBAN[A-Z]*?(?=[A-Z]{2}[0-9]{2})', '');
end $$;

-- Returns whether this is an IBAN in its country's format with a valid ISO 7064 checksum (mod 97). Spaces and small letters are not
-- accepted.
create function private.is_iban(p_iban text) returns boolean
language plpgsql immutable set search_path = '' as $$
declare
  v_form text := substring(private.iban_forms() from '\s' || substring(p_iban from '^[A-Z]{2}') || '(\S+)\s');
  v_letter text;
  v_rest integer := 0;
begin
  v_form := regexp_replace(regexp_replace(regexp_replace(v_form, '(\d+)n', '[0-9]{\1}', 'g'), '(\d+)a', '[A-Z]{\1}', 'g'),
    '(\d+)c', '[A-Z0-9]{\1}', 'g');
  if (p_iban ~ ('^[A-Z]{2}[0-9]{2}' || v_form || '$')) is not true then return false; end if;
  foreach v_letter in array regexp_split_to_array(substr(p_iban, 5) || left(p_iban, 4), '') loop
    v_rest := case when v_letter ~ '[0-9]' then (v_rest * 10 + v_letter::integer) % 97
      else (v_rest * 100 + ascii(v_letter) - 55) % 97 end;
  end loop;
  return v_rest = 1;
end $$;

-- The maximum length of an account holder's name, of a payment link, and of a note on how to pay.
create function private.longest_holder() returns integer
language sql immutable return 70;
create function private.longest_payment_link() returns integer
language sql immutable return 500;
create function private.longest_payment_note() returns integer
language sql immutable return 500;
grant execute on function private.longest_holder(), private.longest_payment_link(), private.longest_payment_note() to authenticated, service_role;

-- How a person would like to be paid. Visible only to members who pay them directly, and to owners who owe them money.
create table public.payment_wishes (
  user_id uuid primary key default auth.uid() references private.user_profiles (user_id) on delete cascade,
  -- The kind of payment: to a bank account, by a link, or as the note says.
  kind text not null check (kind in ('iban', 'link', 'text')),
  -- The bank account's number.
  iban text,
  -- Name of the account's holder.
  holder text check (char_length(holder) between 1 and private.longest_holder()),
  -- Where to pay, such as a page of PayPal.
  link text check (link ~ '^https://' and char_length(link) <= private.longest_payment_link()),
  -- How to pay, in the owner's words.
  note text check (char_length(note) between 1 and private.longest_payment_note()),
  -- Time of the last change.
  updated_at timestamptz not null default now(),
  constraint what_its_kind_needs check (case kind when 'iban' then iban is not null and holder is not null
    when 'link' then link is not null else note is not null end)
);
alter table public.payment_wishes enable row level security;

-- Returns whether this owner has said how to pay them. Until then, and while the owner is suspended, no member is asked to pay,
-- reminded or counted as late.
create function private.says_how_to_pay(p_owner_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.payment_wishes where user_id = p_owner_id) and not private.is_suspended(p_owner_id);
end $$;

-- Returns whether places of a plan can be given away; if the plan is paid directly, only once its owner has said how to pay.
create function private.has_payment_details(p_plan public.shared_subscriptions) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_plan.settlement <> 'direct' or exists (select from public.payment_wishes where user_id = p_plan.owner_id);
end $$;

-- Refuses to give away a place of a plan whose owner still has to say how to pay.
create function private.require_payment_details(p_plan public.shared_subscriptions) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_payment_details(p_plan) then
    perform private.refuse('payment_details_needed_first');
  end if;
end $$;

-- Returns whether the acting user pays this person directly, for an active seat or for one left unpaid, or owes them money. False
-- while that person is suspended.
create function private.pays_directly(p_owner_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not private.is_suspended(p_owner_id) and (exists (
    select from private.seats
    where owner_id = p_owner_id and member_id = (select auth.uid()) and ended_at is null and settlement = 'direct'
  ) or exists (
    select from public.member_payments as m
    where m.owner_id = p_owner_id and m.member_id = (select auth.uid()) and m.settlement = 'direct' and private.is_open_directly(m.status)
  )) or exists (
    select from public.member_payments as m where m.owner_id = (select auth.uid()) and m.member_id = p_owner_id and private.is_owed_back(m)
  );
end $$;
create policy "Owners and those who pay them see how" on public.payment_wishes
  for select to authenticated using (user_id = (select auth.uid()) or private.pays_directly(user_id));
create policy "People say how they would like to be paid" on public.payment_wishes
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change how they would like to be paid" on public.payment_wishes
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "People take back how they would like to be paid" on public.payment_wishes
  for delete to authenticated using (user_id = (select auth.uid()));

-- Normalises the IBAN, and clears the fields of other kinds.
create function private.tg_payment_wishes__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.ensure_profile(new.user_id);
  new.iban := case new.kind when 'iban' then private.plain_iban(new.iban) end;
  new.holder := case new.kind when 'iban' then btrim(new.holder) end;
  new.link := case new.kind when 'link' then btrim(new.link) end;
  new.note := case new.kind when 'text' then btrim(new.note) end;
  new.updated_at := now();
  if new.kind = 'iban' and not private.is_iban(coalesce(new.iban, '')) then
    perform private.refuse('iban_invalid');
  elsif new.kind = 'iban' and private.visible_length(new.holder) = 0 then
    perform private.refuse('account_holder_missing');
  elsif new.kind = 'link' and private.is_plain_link(new.link) is not true then
    perform private.refuse('payment_link_invalid');
  elsif new.kind = 'text' and private.visible_length(new.note) = 0 then
    perform private.refuse('payment_text_missing');
  end if;
  return new;
end $$;
create trigger fill before insert or update on public.payment_wishes
  for each row execute function private.tg_payment_wishes__fill();

-- When an owner says how to pay, the payments that waited for this become due now, and free places are offered to the people in line.
create function private.tg_payment_wishes__await() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_owner uuid := coalesce(new.user_id, old.user_id);
  v_seat uuid;
begin
  -- Places are offered before the seats are locked, because plans are locked before their seats everywhere.
  if tg_op = 'INSERT' then
    perform private.offer_places(p.id)
    from (select id from public.shared_subscriptions where owner_id = v_owner and waiting > 0 order by id) as p;
  end if;
  for v_seat in
    select id from private.seats as s where owner_id = v_owner and settlement = 'direct' and ended_at is null
      or id in (select seat_id from public.member_payments where owner_id = v_owner and settlement = 'direct' and status = 'due')
    order by id for update
  loop
    update public.member_payments set due_at = case when tg_op = 'INSERT' then greatest(due_at, private.now()) else due_at end
    where seat_id = v_seat and owner_id = v_owner and settlement = 'direct' and status = 'due';
    perform private.follow_direct_payments(v_seat);
  end loop;
  return null;
end $$;
create trigger await after insert or delete on public.payment_wishes
  for each row execute function private.tg_payment_wishes__await();

-- Locks a direct payment, after its seat, and returns it; the acting user must be its owner if p_as_owner, otherwise its member.
create function private.lock_direct_payment(p_payment_id uuid, p_as_owner boolean) returns public.member_payments
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_payment public.member_payments;
begin
  perform from private.seats where id = (
    select seat_id from public.member_payments
    where id = p_payment_id and settlement = 'direct' and v_user = case when p_as_owner then owner_id else member_id end
  ) for update;
  if not found then
    perform private.refuse('payment_not_found');
  end if;
  select * into v_payment from public.member_payments where id = p_payment_id;
  return v_payment;
end $$;

-- Notifies one side of a direct payment.
create function private.tell_payment(
  p_payment public.member_payments, p_to_owner boolean, p_type text, p_event text, p_params jsonb default '{}', p_answer_path text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  select * into v_seat from private.seats where id = p_payment.seat_id;
  v_seat.owner_id := p_payment.owner_id;
  perform private.tell_seat(v_seat, case when p_to_owner then p_payment.owner_id else p_payment.member_id end, p_type, p_event,
    jsonb_strip_nulls(jsonb_build_object('payment', p_payment.id, 'amount', p_payment.amount, 'reference', p_payment.reference)) || p_params,
    p_answer_path => p_answer_path);
end $$;

-- Runs after each step of a direct payment: updates the time since which the seat is late, and the time when it next needs work. What is
-- owed to an earlier owner of the plan makes no seat late.
create function private.follow_direct_payments(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.seats set late_since = (
    select min(due_at) from public.member_payments
    where seat_id = p_seat_id and member_payments.owner_id = seats.owner_id and settlement = 'direct' and member_payments.status = 'due'
      and private.is_late(due_at, private.now()) and private.says_how_to_pay(member_payments.owner_id)
  ) where id = p_seat_id and ended_at is null;
  perform private.schedule_seat(p_seat_id);
end $$;

-- Returns the due date of a payment that is being made now. A payment cannot be late before its owner has said how to pay, so until
-- then it is due now at the earliest.
create function private.owed_since(p_payment public.member_payments) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return case when p_payment.claimed_at is not null or private.says_how_to_pay(p_payment.owner_id) then p_payment.due_at
    else greatest(p_payment.due_at, private.now()) end;
end $$;

-- Returns whether this payment can still be paid. That is possible even after the seat has ended and the payment was cancelled,
-- unless the owner waived it.
create function private.is_payable(p_payment public.member_payments) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_payment.status = 'due' or p_payment.status = 'cancelled' and p_payment.waived_at is null
    and p_payment.closed_at > private.now() - private.unpaid_memory()
    and not exists (select from public.payment_claims where payment_id = p_payment.id and status = 'undecided')
    and exists (select from private.seats where id = p_payment.seat_id and ended_at is not null);
end $$;

-- "I've paid": asks the owner whether the money has arrived. Member only. If the owner has said "Not received", p_note says how and
-- when it was paid, and staff decide.
create function private.say_paid(p_payment_id uuid, p_note text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment public.member_payments := private.lock_direct_payment(p_payment_id, false);
  v_claim public.payment_claims;
begin
  if not private.is_payable(v_payment) then
    perform private.refuse('payment_not_open');
  end if;
  v_claim := private.create_claim(v_payment, 'payment', p_note);
  update public.member_payments set status = case v_claim.status when 'disputed' then 'disputed' else 'claimed' end,
    claimed_at = private.now(), note = null, closed_at = null, due_at = private.owed_since(v_payment) where id = v_payment.id;
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.ask_about_claim(v_claim.id);
end $$;
select private.publish('say_paid', 'authenticated');

-- Records a direct payment as received, and continues the seat that waited for it: the seat begins or goes on; if it has ended, the
-- owner owes the unused part. The caller has locked the seat.
create function private.record_received(p_payment public.member_payments, p_by text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  update public.member_payments set status = 'paid', paid_at = private.now(), note = null, closed_at = null, received_by = p_by,
    due_at = private.owed_since(p_payment) where id = p_payment.id;
  v_seat := private.begin_periods(p_payment.seat_id);
  -- A payment left unpaid when the owner ended the place was already reduced to the time used.
  if v_seat.ended_at is not null and not private.has_open_problem(v_seat.id)
    and (p_payment.left_unpaid_at is null or v_seat.end_reason in ('left', 'over')) then
    perform private.close_payment(p_payment.id, case when v_seat.end_reason in ('removed', 'cancelled') then v_seat.ended_at end);
  end if;
  perform private.follow_direct_payments(v_seat.id);
end $$;

-- "Received": the owner confirms the payment, whether or not the member has said that they paid. Owner only.
create function private.confirm_payment(p_payment_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.receive_payment(private.lock_direct_payment(p_payment_id, true), 'owner');
end $$;
select private.publish('confirm_payment', 'authenticated');

-- Records that the payment arrived, according to the owner or their bank statement. The caller has locked the seat.
create function private.receive_payment(p_payment public.member_payments, p_by text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not (private.is_unconfirmed(p_payment.status) or private.is_payable(p_payment)) then
    perform private.refuse('payment_not_open');
  end if;
  perform private.close_claim(p_payment.id, 'received');
  perform private.record_received(p_payment, p_by);
  perform private.tell_payment(p_payment, false, 'success', 'payment-received');
end $$;

-- Voids the receipt of a payment: removes it from the member's receipts and lists its number as void. The caller has locked the
-- seat, and sets the new status.
create function private.void_receipt(p_payment public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.void_receipts (number, payment_id) select p_payment.receipt_number, p_payment.id where p_payment.receipt_number is not null;
  update public.member_payments set paid_at = null, receipt_number = null, received_by = null, status = 'due' where id = p_payment.id;
end $$;

-- Takes "Received" back. This is possible once for each payment, within private.receipt_undo_time(), while the seat is active and
-- the owner owes nothing for the payment. The receipt becomes void, and the entry of the bank statement can be used for another
-- payment. Owner only.
create function private.unconfirm_payment(p_payment_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  if v_payment.status <> 'paid' or v_payment.received_by not in ('owner', 'statement') or v_payment.unconfirmed_at is not null
    or v_payment.paid_at <= private.now() - private.receipt_undo_time() then
    perform private.refuse('receipt_not_revocable', private.hours_of(private.receipt_undo_time())::text);
  elsif v_payment.owed_back > 0 or exists (select from private.seats where id = v_payment.seat_id and ended_at is not null) then
    perform private.refuse('receipt_final');
  end if;
  perform private.void_receipt(v_payment);
  delete from private.used_bank_entries where payment_id = v_payment.id;
  update public.member_payments set status = 'due', unconfirmed_at = private.now() where id = v_payment.id;
  perform private.reopen_claim(v_payment.id);
  -- The owner's time to give access starts again with the next payment.
  update private.seats set access_due_at = null, access_reminded = false where id = v_payment.seat_id and access_given_at is null;
  perform private.begin_periods(v_payment.seat_id);
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.tell_payment(v_payment, false, 'warning', 'payment-unconfirmed');
end $$;
select private.publish('unconfirm_payment', 'authenticated');

-- "Not received": the owner says so, with a sentence to the member. Owner only.
create function private.deny_payment(p_payment_id uuid, p_note text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  perform private.deny_claim(private.answerable_claim(v_payment.id, 'payment'), p_note);
end $$;
select private.publish('deny_payment', 'authenticated');

-- Makes a denied payment due again, or cancels it if the member got no access for it. The caller has locked the seat.
create function private.return_denied(p_payment public.member_payments, p_note text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  select * into v_seat from private.seats where id = p_payment.seat_id;
  perform private.void_receipt(p_payment);
  update public.member_payments set claimed_at = null, owed_back = 0, owed_since = null, unkept_at = null, debt_steps_done = 0, note = p_note,
    status = 'due', first_due_at = private.first_due_at(member_payments), due_at = private.now() + private.denied_payment_time(), reminders = 0
  where id = p_payment.id returning * into p_payment;
  update private.seats set access_due_at = null, access_reminded = false where id = v_seat.id and access_given_at is null;
  if v_seat.ended_at is not null and p_payment.left_unpaid_at is null and not private.stays_due(v_seat, p_payment)
    and not private.leave_unpaid(v_seat, p_payment) then
    update public.member_payments set status = 'cancelled', closed_at = private.now() where id = p_payment.id;
  end if;
  perform private.follow_direct_payments(v_seat.id);
end $$;

-- Reminds the member that this payment is overdue, at most once within private.nudge_pause(). Owner only.
create function private.nudge_payment(p_payment_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  if v_payment.status <> 'due' or v_payment.due_at > private.now() then
    perform private.refuse('payment_not_open');
  elsif not private.says_how_to_pay(v_payment.owner_id) then
    perform private.refuse('payment_details_missing');
  elsif v_payment.nudged_at > private.now() - private.nudge_pause() then
    perform private.refuse('reminder_too_soon');
  end if;
  update public.member_payments set nudged_at = private.now() where id = v_payment.id;
  perform private.tell_payment(v_payment, false, 'warning', 'payment-nudge');
end $$;
select private.publish('nudge_payment', 'authenticated');

-- Returns when the owner may end the seat over this unpaid payment: private.direct_patience() after its first due date, but not
-- before its present due date, which is later if the payment was denied.
create function private.patience_ends(p_payment public.member_payments) returns timestamptz
language sql stable set search_path = '' as $$
  select greatest(p_payment.due_at, private.first_due_at(p_payment) + private.direct_patience())
$$;

-- Returns the unpaid payment over which the owner may end this seat first, and when they may; null if no payment is missing.
create function private.may_end(p_seat_id uuid, out payment_id uuid, out at timestamptz)
language sql stable security definer set search_path = '' as $$
  select m.id, private.patience_ends(m) from public.member_payments as m join private.seats as s on s.id = m.seat_id
  where s.id = p_seat_id and s.ended_at is null and m.owner_id = s.owner_id and m.settlement = 'direct' and m.status = 'due'
    and private.says_how_to_pay(m.owner_id)
  order by 2 limit 1
$$;

-- Ends a seat over an unpaid payment, as soon as private.may_end() allows it. Owner only.
create function private.end_late_seat(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, true);
begin
  if ((private.may_end(v_seat.id)).at <= private.now()) is not true then
    perform private.refuse('payment_not_late', extract(day from private.direct_patience())::text);
  end if;
  perform private.end_seat(v_seat.id, 'unpaid', v_seat.owner_id);
end $$;
select private.publish('end_late_seat', 'authenticated');

-- Sends the next reminder of a payment: the one on its due date, or one of those after it.
create function private.remind_of_payment(p_seat private.seats, p_payment public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.member_payments set reminders = reminders + 1 where id = p_payment.id;
  if p_payment.reminders > 0 then
    perform private.follow_direct_payments(p_seat.id);
  end if;
  perform private.tell_payment(p_payment, false, case p_payment.reminders when 0 then 'info' else 'warning' end, 'payment-due',
    jsonb_build_object('late', p_payment.reminders > 0));
end $$;

revoke all on public.payment_wishes from public, anon, authenticated;
grant select, delete, insert (user_id, kind, iban, holder, link, note), update (kind, iban, holder, link, note)
  on public.payment_wishes to authenticated;
grant all on public.payment_wishes to service_role;
grant execute on function private.pays_directly(uuid) to authenticated;

create trigger refuse before insert or update on public.payment_wishes
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
