-- The time at which a payment becomes late, and the reminders before and after it.

-- How long after its due date a payment still counts as on time.
create function private.payment_grace() returns interval
language sql immutable return interval '3 days';

-- late_from() returns when a payment with this due date becomes late; is_late() whether it is late if it is unpaid, or was paid, at
-- p_at. `functions/_shared/late.ts` computes the same while a page is open.
create function private.late_from(p_due_at timestamptz) returns timestamptz
language sql stable return p_due_at + private.payment_grace();
create function private.is_late(p_due_at timestamptz, p_at timestamptz) returns boolean
language sql stable return p_at >= private.late_from(p_due_at);

-- Returns the first due date of a payment; a payment that its owner denies gets a new due date.
create function private.first_due_at(p_payment public.member_payments) returns timestamptz
language sql immutable as $$ select coalesce(p_payment.first_due_at, p_payment.due_at) $$;

-- For members who pay the owner directly: when they are reminded, counted from the due date (the second time when the payment
-- becomes late), how long the owner must wait between reminders, and when the owner may end the seat.
create function private.direct_reminders() returns interval[]
language sql immutable return array[interval '0', private.payment_grace(), interval '7 days'];
create function private.nudge_pause() returns interval
language sql immutable return interval '24 hours';
create function private.direct_patience() returns interval
language sql immutable return interval '14 days';
