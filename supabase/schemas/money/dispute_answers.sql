-- Answers to disputes: a text for the member's bank with the facts that the database knows about the disputed payment. Staff read
-- the text and send it with one click; the function `payments` passes it to the provider, which accepts only one answer. Messages
-- are counted, never quoted.

-- Staff are reminded of a dispute this long before its deadline for an answer.
create function private.dispute_reminder() returns interval
language sql immutable return interval '3 days';

-- The answer to a dispute, kept until the provider has received it, keyed by the provider's field names.
create table private.dispute_evidence (
  dispute_id text primary key references public.payment_disputes (id) on delete cascade,
  fields jsonb not null
);
alter table private.dispute_evidence enable row level security;

-- Formats a time in UTC, because the reader at the bank may be in any time zone.
create function private.in_utc(p_at timestamptz, p_format text default 'YYYY-MM-DD HH24:MI "UTC"') returns text
language plpgsql immutable set search_path = '' as $$
begin
  return to_char(p_at at time zone 'utc', p_format);
end $$;

-- Returns the events of a seat, one on each line; if there are too many, only the first and the last ones. Repeated actions of one
-- day share a line.
create function private.dispute_log(p_seat private.seats) returns text
language sql stable security definer set search_path = '' as $$
  with line (at, said) as (
    select u.created_at, 'The customer created an account, agreeing to the terms and the privacy notice linked there, as they were that day.'
    from auth.users as u where u.id = p_seat.member_id
    union all select p_seat.begins_at_once_at, 'The customer asked for the place, and expressly for the service to begin at once.'
    union all select p_seat.opened_at, 'The customer got the place.'
    union all
    select m.paid_at, format('The customer paid %s for period %s%s.', private.money(m.amount), m.number, ' by ' || c.card)
    from public.member_payments as m left join private.charges as c on c.payment_id = m.id and c.status = 'succeeded'
    where m.seat_id = p_seat.id and m.paid_at is not null
    union all
    select p_seat.access_given_at, 'Access was given' || coalesce(', by an invitation of the service to ' || p_seat.invited_address, '') || '.'
    union all select p_seat.access_confirmed_at, 'The customer confirmed that access works.'
    union all
    select min(o.opened_at), format('The customer opened the login of the service, after proving who they are (%s times, until %s).',
      count(*), private.in_utc(max(o.opened_at), 'HH24:MI'))
    from private.vault_openings as o
    where o.subscription_id = p_seat.subscription_id and o.opened_by = p_seat.member_id
      and o.opened_at between p_seat.opened_at and coalesce(p_seat.ended_at, 'infinity')
    group by (o.opened_at at time zone 'utc')::date
    union all
    select min(w.created_at), format('%s wrote to %s about the place (%s messages, until %s).', w.writer, w.reader, count(*),
      private.in_utc(max(w.created_at), 'HH24:MI'))
    from (
      select m.created_at, case m.sender_id when p_seat.member_id::text then 'The customer' else 'The owner' end as writer,
        case m.sender_id when p_seat.member_id::text then 'the owner' else 'the customer' end as reader
      from public.conversations as c join public.messages as m on m.conversation_id = c.id and m.message_type = 'user'
      where c.subscription_id = p_seat.subscription_id and c.member_id = p_seat.member_id and c.owner_id = p_seat.owner_id
    ) as w group by w.writer, w.reader, (w.created_at at time zone 'utc')::date
    union all
    select t.at, case t.kind when 'reported' then format('The customer reported a problem with access (%s).', p.reason)
      when 'fixed' then 'The owner said that the problem is fixed.' when 'contested' then 'The owner said that access works.'
      when 'not-fixed' then 'The customer said that the problem is not fixed.' when 'works' then 'The customer said that access works again.'
      when 'withdrawn' then 'The customer withdrew the report.' when 'to-staff' then 'Our staff was asked to decide.'
      when 'for-owner' then 'Our staff decided that access had worked.' when 'for-member' then 'Our staff decided that access had not worked.'
      else format('The problem was closed (%s).', replace(t.kind, '-', ' ')) end
    from public.seat_problems as p join public.problem_statements as t on t.problem_id = p.id where p.seat_id = p_seat.id
    union all
    select r.written_at, format('The customer reviewed the place, with %s of 5 stars.', r.rating)
    from private.seat_reviews as r where r.seat_id = p_seat.id and r.author_id = p_seat.member_id
    union all
    select r.created_at, format('We refunded %s to the card.', private.money(r.amount))
    from private.refunds as r join public.member_payments as m on m.id = r.payment_id
    where m.seat_id = p_seat.id and r.status in ('pending', 'succeeded')
    union all select p_seat.ended_at, format('The place ended (%s).', replace(p_seat.end_reason, '-', ' '))
  ), numbered as (
    select at, said, row_number() over (order by at, said) as line, count(*) over () as lines from line where at is not null
  )
  select string_agg(case when line > 61 and line = lines - 99 then format('(%s lines left out)', lines - 160) || chr(10) else '' end
    || private.in_utc(at) || ': ' || said, chr(10) order by line)
  from numbered where line <= 60 or line > lines - 100
$$;

-- Returns the answer to a dispute as it would be sent now: {evidence: {field: text}, mark}. The mark is a hash of exactly this
-- text. Null if there is no such dispute. The provider's limits are 20,000 characters in a field and 150,000 in all.
create function private.evidence_of(p_dispute_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_dispute public.payment_disputes;
  v_payment public.member_payments;
  v_seat private.seats;
  v_paid text;
  v_others text;
  v_evidence jsonb;
begin
  select * into v_dispute from public.payment_disputes where id = p_dispute_id;
  if not found then return null; end if;
  select * into v_payment from public.member_payments where id = v_dispute.payment_id;
  select * into v_seat from private.seats where id = v_payment.seat_id;
  v_paid := private.in_utc(coalesce(v_payment.paid_at, v_dispute.opened_at));
  select string_agg(format('%s: %s for %s, period %s, by %s', private.in_utc(m.paid_at), private.money(m.card), m.plan_name, m.number, c.card),
    chr(10) order by m.paid_at) into v_others
  from (
    select * from public.member_payments where member_id = v_dispute.member_id and id <> v_payment.id and card > 0 and paid_at is not null
      and not exists (select from public.payment_disputes as d where d.payment_id = member_payments.id)
    order by paid_at desc limit 100
  ) as m join private.charges as c on c.payment_id = m.id and c.status = 'succeeded';
  select jsonb_object_agg(field, left(said, 20000)) into v_evidence from (values
    ('product_description', format('A place in the subscription "%s", shared online by its owner. %sThe customer pays %s for each month: %s is the '
      || 'share of the owner, %s our fee. The payment is for period %s of the place.', v_payment.plan_name,
      (select format('The site is run by %s. ', name) from public.operator where name is not null), private.money(v_payment.amount), private.money(v_payment.share),
      private.money(v_payment.fee), v_payment.number)),
    ('customer_name', private.legal_name(v_dispute.member_id)),
    ('customer_email_address', private.email_of(v_dispute.member_id)),
    ('service_date', coalesce(private.in_utc(v_payment.starts_at, 'YYYY-MM-DD') || ' to ' || private.in_utc(v_payment.ends_at, 'YYYY-MM-DD'),
      'The payment was taken back before the service began.')),
    ('access_activity_log', private.dispute_log(v_seat)),
    -- Versions of the terms are not kept, so the text says which day it describes.
    ('refund_policy_disclosure', format('The terms are linked where the account was created%s; they have no version number. As of %s they say that '
      || 'the customer may withdraw from the contract within %s days of joining, without a reason, by a button on the site. Who asked for the service to begin at '
      || 'once, as this customer did, then pays for the days with access. Time for which access did not work is given back without asking.',
      (select private.in_utc(created_at, '", on "YYYY-MM-DD') from auth.users where id = v_dispute.member_id),
      private.in_utc(private.now(), 'YYYY-MM-DD'), extract(day from private.contract_withdrawal_period()))),
    ('cancellation_policy_disclosure', 'Before asking for a place, customers are shown what it costs each month, when the card is charged, and that they '
      || 'can leave at any time. Each renewal is announced by email before it is charged.'),
    ('cancellation_rebuttal', format('The customer had not left the place when this payment was made, on %s.%s', v_paid,
      case when v_seat.end_reason in ('left', 'withdrawn') then format(' They ended it on %s.', private.in_utc(v_seat.ended_at)) else '' end)),
    ('refund_refusal_explanation', case when v_dispute.given_back > 0
        then format('%s of the %s charged had been refunded before the dispute. ', private.money(v_dispute.given_back), private.money(v_dispute.charged))
        else '' end
      || case when exists (select from public.seat_problems where seat_id = v_seat.id)
        then 'The problems that the customer reported with access, and what became of them, are in the activity log.'
        else 'The customer never reported that access did not work.' end),
    ('uncategorized_text', 'Earlier payments of the customer that were not disputed, the last 100:' || chr(10) || v_others)
  ) as part (field, said) where said is not null;
  return jsonb_build_object('evidence', v_evidence, 'mark', md5(v_evidence::text));
end $$;

-- Returns evidence_of() to staff, who read it before they send the answer.
create function private.dispute_evidence(p_dispute_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return private.evidence_of(p_dispute_id);
end $$;
select private.publish('dispute_evidence', 'authenticated');

-- Answers a dispute, once, with the evidence that staff have read: p_mark is the mark of the text they saw.
create function private.answer_dispute(p_dispute_id text, p_mark text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_dispute public.payment_disputes;
  v_said jsonb;
begin
  select * into v_dispute from public.payment_disputes where id = p_dispute_id for update;
  if not found then
    perform private.refuse('dispute_not_found');
  elsif v_user in (v_dispute.member_id, v_dispute.owner_id) then
    perform private.refuse('own_dispute');
  elsif v_dispute.answer in ('queued', 'sent') then
    perform private.refuse('dispute_already_answered');
  elsif v_dispute.status not in ('needs_response', 'warning_needs_response') or v_dispute.due_by <= now() then
    perform private.refuse('dispute_closed');
  end if;
  v_said := private.evidence_of(p_dispute_id);
  if v_said ->> 'mark' is distinct from p_mark then
    perform private.refuse('evidence_outdated');
  end if;
  insert into private.dispute_evidence (dispute_id, fields) values (p_dispute_id, v_said -> 'evidence')
  on conflict (dispute_id) do update set fields = excluded.fields;
  update public.payment_disputes set answer = 'queued', answered_at = private.now(), answer_refusal = null where id = p_dispute_id;
  perform private.queue_payment_jobs('evidence', array[p_dispute_id], (select provider from private.charges where payment_id = v_dispute.payment_id));
  perform private.log_staff('dispute answered', p_dispute_id,
    jsonb_build_object('member', v_dispute.member_id, 'owner', v_dispute.owner_id, 'mark', p_mark));
end $$;
select private.publish('answer_dispute', 'authenticated');

-- Returns the answer as an order for the provider; null if nothing is left to send.
create function private.dispute_answer_order(p_dispute_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', d.id, 'evidence', e.fields)
  from public.payment_disputes as d join private.dispute_evidence as e on e.dispute_id = d.id
  where d.id = p_dispute_id and d.answer = 'queued'
$$;

-- Records that the provider has received the answer, or why it has refused it for good. Deletes the stored text.
create function private.record_dispute_answer(p_dispute_id text, p_refusal text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_dispute public.payment_disputes;
begin
  update public.payment_disputes set answer = case when p_refusal is null then 'sent' else 'refused' end, answer_refusal = left(p_refusal, 200)
  where id = p_dispute_id and answer = 'queued' returning * into v_dispute;
  if not found then return; end if;
  delete from private.dispute_evidence where dispute_id = p_dispute_id;
  if p_refusal is not null then
    perform private.tell_treasurers('warning', 'payment-answer-refused', jsonb_build_object('plan', v_dispute.plan_name, 'reason', p_refusal));
  end if;
end $$;
select private.publish('record_dispute_answer', 'service_role');

-- Reminds staff once of each deadline that is near. Uses the real time instead of private.now(), because banks do not follow the
-- site's clock.
create function private.remind_of_disputes() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_dispute public.payment_disputes;
begin
  for v_dispute in
    update public.payment_disputes set reminded_of = due_by
    where closed_at is null and due_by > now() and due_by <= now() + private.dispute_reminder()
      and reminded_of is distinct from due_by and status like '%needs_response'
      and (answer is null or answer = 'refused' or status like 'appeal%')
    returning *
  loop
    perform private.tell_treasurers('warning', 'payment-dispute-due',
      jsonb_build_object('plan', v_dispute.plan_name, 'amount', v_dispute.amount, 'until', v_dispute.due_by));
  end loop;
end $$;

revoke all on private.dispute_evidence from public, anon, authenticated, service_role;
