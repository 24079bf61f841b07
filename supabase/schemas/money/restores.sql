-- Restores of a backup. The books then lack what happened between the backup and the restore: a payment may have been charged that still
-- looks due. So nothing is charged, refunded, sent to an owner or put into a payment file, and no withdrawal is approved, until staff
-- have compared the provider, and the payment files and bank transfers made since, with the books.

create table private.restores (
  id bigint generated always as identity primary key,
  -- When the backup was made: what happened after it is missing.
  backed_up_at timestamptz not null,
  restored_at timestamptz not null default clock_timestamp(),
  -- When an admin ended the hold.
  compared_at timestamptz
);
create unique index one_hold_at_a_time on private.restores ((true)) where compared_at is null;
alter table private.restores enable row level security;
revoke all on private.restores from public, anon, authenticated, service_role;

-- Whether payments are on hold after a restore.
create function private.are_payments_held() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.restores where compared_at is null);
end $$;

-- Returns when the backup was made whose restore came after p_time, so that something that began at p_time may have happened at the
-- provider without being in the books; the earliest if there were several, null if there was none.
create function private.backup_before(p_time timestamptz) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select min(backed_up_at) from private.restores where restored_at >= p_time);
end $$;

-- Puts payments on hold after a restore of a backup made at p_backed_up_at, if this site has moved real money. The server calls it in the
-- restore's own transaction. Returns what the operator has to know; null if nothing is on hold.
create function private.note_restore(p_backed_up_at timestamptz) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not exists (select from private.charges where provider <> 'simulated') and not exists (select from private.payout_files) then
    return null;
  end if;
  insert into private.restores (backed_up_at) values (p_backed_up_at)
  on conflict ((true)) where compared_at is null do update
    set backed_up_at = least(restores.backed_up_at, excluded.backed_up_at), restored_at = excluded.restored_at;
  perform private.add_payment_jobs('restore', array['restore'], 'stripe') from private.payment_provider where provider = 'stripe';
  return 'Payments are on hold: the books lack what happened after the backup. Compare them with the payment provider and the payment files '
    || 'made since, then end the hold under Admin, System.';
end $$;

-- Ends the hold. The admin writes into the staff log what was compared.
create function private.end_payment_hold(p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_reason text;
begin
  perform private.require_treasurer();
  perform private.require_recent_proof();
  v_reason := private.review_text(p_reason, true);
  update private.restores set compared_at = clock_timestamp() where compared_at is null;
  if not found then
    perform private.refuse('payments_not_held');
  elsif exists (select from private.payment_jobs join private.payment_provider using (provider) where kind = 'restore') then
    perform private.refuse('provider_not_compared');
  end if;
  perform private.log_staff('payments resumed after a restore', 'payments', jsonb_build_object('reason', v_reason));
end $$;
select private.publish('end_payment_hold', 'authenticated');

-- Charges that the provider made since the backup and the books lack, with the payment that the charge names, as it names it. A payment
-- that was opened after the backup is opened again with another id, so the place and the number of the period count as well. Another
-- site with the same account at the provider may have written anything there.
create table private.missing_charges (
  intent text primary key check (char_length(intent) <= 200),
  amount numeric(12, 2) not null,
  payment uuid,
  seat uuid,
  period integer
);
alter table private.missing_charges enable row level security;
revoke all on private.missing_charges from public, anon, authenticated, service_role;

-- Returns the payment or debt of this site to which a charge belongs: the books know the charge, or it names a payment or debt without
-- a charge. Null if there is none.
create function private.payment_of_charge(p_intent text) returns uuid
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select payment_id from private.charges where intent = p_intent),
    (select id from public.debts where intent = p_intent),
    (select m.id from private.missing_charges as x join public.member_payments as m on m.id = x.payment
      where x.intent = p_intent and not exists (select from private.charges where payment_id = m.id and intent is not null)),
    (select d.id from private.missing_charges as x join public.debts as d on d.id = x.payment
      where x.intent = p_intent and d.intent is null),
    (select m.id from private.missing_charges as x join public.member_payments as m on m.seat_id = x.seat and m.number = x.period
      where x.intent = p_intent and m.settlement = 'potluck'
        and not exists (select from private.charges where payment_id = m.id and intent is not null)))
$$;

-- Returns which movements to fetch from the provider: all since the last nightly comparison in the books. Null if no charge is known,
-- so that there is nothing to compare with.
create function private.restore_order() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('since', floor(extract(epoch from lower(span))), 'until', floor(extract(epoch from upper(span))))
  from private.unreconciled((private.now() at time zone 'utc')::date) as span where span is not null
$$;

-- Compares the provider's movements since the last nightly comparison with the books, and stores the differences with the unknown
-- events. The movements themselves are left to the nightly comparison, which fetches whole days.
create function private.compare_after_restore(p_movements jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_span tstzrange := tstzrange(lower(private.unreconciled((private.now() at time zone 'utc')::date)), 'infinity');
  v_stored text[];
begin
  with stored as (
    insert into private.provider_movements (id, kind, intent, amount, moved_at)
    select id, kind, intent, cents / 100.0, to_timestamp(at)
    from jsonb_to_recordset(p_movements) as page (id text, kind text, intent text, cents bigint, at bigint)
    on conflict do nothing returning id
  ) select array_agg(id) into v_stored from stored;
  insert into private.missing_charges (intent, amount, payment, seat, period)
  select m.intent, (m.charge ->> 'cents')::bigint / 100.0, private.uuid_in(m.charge ->> 'payment'), private.uuid_in(m.charge ->> 'seat'),
    case when m.charge ->> 'period' ~ '^\d{1,6}$' then (m.charge ->> 'period')::integer end
  from jsonb_to_recordset(p_movements) as m (intent text, charge jsonb)
  where m.intent is not null and m.charge is not null
    and not exists (select from private.charges as c where c.intent = m.intent and c.status = 'succeeded')
  on conflict do nothing;
  insert into public.unknown_payment_events (id, type, about) select d.id, d.type, d.about from private.site_differences(v_span, v_span) as d
  on conflict do nothing;
  delete from private.provider_movements where id = any (v_stored);
end $$;
-- Only the Edge Function `payments` may call this.
select private.publish('compare_after_restore', 'service_role');

-- Returns the differences found since the restore that no admin has handled yet, one per charge or other movement, oldest first.
create function private.missing_since_restore(p_restored_at timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('reference', e.about, 'type', e.type, 'amount', x.amount,
    'plan', coalesce(m.plan_name, d.plan_name), 'period', m.number, 'member', p.display_name) order by e.received_at, e.about), '[]')
  from (
    select distinct on (about) about, type, received_at from public.unknown_payment_events
    where reviewed_at is null and received_at >= p_restored_at order by about, id ^@ 'books:' desc
  ) as e
  left join private.missing_charges as x on x.intent = e.about
  cross join lateral private.payment_of_charge(e.about) as payment (id)
  left join public.member_payments as m on m.id = payment.id
  left join public.debts as d on d.id = payment.id
  left join private.user_profiles as p on p.user_id = coalesce(m.member_id, d.member_id)
$$;

-- Books a charge that the provider made since the backup, with its refunds and disputes: the function `payments` looks it up and records
-- it as it records the provider's events. Money for a payment that is no longer wanted goes back, as after a late event.
create function private.book_missing_charge(p_reference text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_payment uuid;
begin
  perform private.require_recent_proof();
  if not private.are_payments_held() then
    perform private.refuse('payments_not_held');
  end if;
  perform from public.unknown_payment_events where about = p_reference order by id for update;
  v_payment := private.payment_of_charge(p_reference);
  if v_payment is null then
    perform private.refuse('charge_of_nothing');
  elsif exists (select from public.member_payments where id = v_payment and v_user in (owner_id, member_id))
    or exists (select from public.debts where id = v_payment and member_id = v_user) then
    perform private.refuse('own_payment_decided');
  end if;
  update public.unknown_payment_events set reviewed_at = clock_timestamp(), reviewed_by = v_user, finding = 'Booked'
  where about = p_reference and reviewed_at is null;
  if not found then
    perform private.refuse('event_already_handled');
  end if;
  insert into private.charges (payment_id, provider) select id, 'stripe' from public.member_payments where id = v_payment on conflict do nothing;
  -- Two charges may name one payment. The first one that is booked is its charge, and the other one belongs to nothing.
  if private.record_intents(jsonb_build_object(v_payment, p_reference)) ->> v_payment::text is distinct from p_reference then
    perform private.refuse('charge_of_nothing');
  end if;
  perform private.log_staff('charge booked after a restore', p_reference, jsonb_build_object('payment', v_payment));
  perform private.queue_payment_jobs('look-up', array[p_reference], 'stripe');
end $$;
select private.publish('book_missing_charge', 'authenticated');
