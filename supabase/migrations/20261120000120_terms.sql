-- The terms people are told, each in one place: what the rules go by, what a sentence says and what a check allows.

-- How long a request for a place waits for its answer.
create function private.request_lifetime() returns interval
language sql immutable return interval '48 hours';

-- How long before that is over its owner is reminded.
create function private.reminder_lead() returns interval
language sql immutable return interval '6 hours';

-- How long a place is kept for an invited person.
create function private.invitation_lifetime() returns interval
language sql immutable return interval '7 days';

-- How long a place that has become free is kept for who is next on the waiting list, and how many lists one may be on.
create function private.offer_lifetime() returns interval
language sql immutable return interval '24 hours';
create function private.most_waiting_lists() returns integer
language sql immutable return 5;

-- How many devices a person can be notified on.
create function private.most_push_devices() returns integer
language sql immutable return 10;

-- How many paid days it takes for who then loses a plan through no fault of their own to come first in the waiting lists of
-- plans like it, and for how long.
create function private.precedence_after() returns interval
language sql immutable return interval '14 days';
create function private.precedence_time() returns interval
language sql immutable return interval '30 days';

-- How long somebody who has just shown that it is them need not show it again.
create function private.proof_lifetime() returns interval
language sql immutable return interval '10 minutes';

-- How long a change of an account can be undone by the link that tells of it.
create function private.undo_lifetime() returns interval
language sql immutable return interval '48 hours';

-- The platform's convenience fee, on top of a member's share: what it is until staff decide otherwise, the most they may
-- make it, and in which steps.
create function private.first_fee_rate() returns numeric
language sql immutable return 0.1;
create function private.most_fee_rate() returns numeric
language sql immutable return 0.2;
create function private.fee_rate_step() returns numeric
language sql immutable return 0.005;

-- What a member pays for a share: the fee included, to the cent.
create function private.with_fee(p_share numeric, p_fee_rate numeric) returns numeric
language sql immutable return round(p_share * (1 + p_fee_rate), 2);

-- The least a card can be charged.
create function private.least_card_charge() returns numeric
language sql immutable return 0.50;

-- How long an owner's withdrawals wait after their first earning by card, which a bank may take back.
create function private.card_earnings_wait() returns interval
language sql immutable return interval '30 days';

-- The fewest coins that can be withdrawn.
create function private.least_withdrawal() returns numeric
language sql immutable return 20::numeric;

-- How long withdrawals to a new bank account wait.
create function private.payout_delay() returns interval
language sql immutable return interval '24 hours';

-- How long a bank may take to send a payout back.
create function private.payout_return_time() returns interval
language sql immutable return interval '30 days';

-- The most coins a wallet, or one movement, can hold: what numeric(12, 2) can.
create function private.most_coins() returns numeric
language sql immutable return 9999999999.99;

-- What a month of a place that is paid through the site costs at least: a card cannot be charged less than half of it.
create function private.least_sum() returns numeric
language sql immutable return 1.00;

-- How long a place is kept for a first payment that failed, and after how long somebody may be kept one again.
create function private.mending_time() returns interval
language sql immutable return interval '24 hours';
create function private.mending_pause() returns interval
language sql immutable return interval '30 days';

-- How long before a renewal it is announced, and when one that failed is tried again.
create function private.renewal_notice() returns interval
language sql immutable return interval '3 days';
create function private.renewal_retries() returns interval[]
language sql immutable return '{1 day,3 days,5 days}'::interval[];

-- How often what an owner has earned becomes theirs.
create function private.earning_step() returns interval
language sql immutable return interval '7 days';

-- When a member who pays the owner directly is reminded, from the due date on, how often the owner may do so, and when
-- the owner may end the seat.
create function private.direct_reminders() returns interval[]
language sql immutable return '{0,3 days,7 days}'::interval[];
create function private.nudge_pause() returns interval
language sql immutable return interval '24 hours';
create function private.direct_patience() returns interval
language sql immutable return interval '14 days';

-- How long an owner has to give access once a place is paid through the site, when they are reminded, and after how long
-- without a word access counts as working.
create function private.access_time() returns interval
language sql immutable return interval '48 hours';
create function private.access_reminder() returns interval
language sql immutable return interval '24 hours';
create function private.access_silence() returns interval
language sql immutable return interval '48 hours';

-- How long the owner has to answer a problem, the member to say whether it is fixed, and staff to decide; what staff aims at.
create function private.problem_answer_time() returns interval
language sql immutable return interval '24 hours';
create function private.problem_check_time() returns interval
language sql immutable return interval '48 hours';
create function private.problem_decision_aim() returns interval
language sql immutable return interval '72 hours';
create function private.problem_decision_time() returns interval
language sql immutable return interval '7 days';

-- The most characters of what is said about a problem.
create function private.longest_note() returns integer
language sql immutable return 500;

-- How often a member may say that it is still not fixed, and the how-manieth problem of a period goes to staff at once.
create function private.problem_refusals() returns integer
language sql immutable return 2;
create function private.problems_for_staff() returns integer
language sql immutable return 3;

-- After how long without anybody looking for due work deadlines move by that time.
create function private.longest_gap() returns interval
language sql immutable return interval '1 hour';

-- Standing: of one pair of people this much counts, so that two accounts of one person cannot lift each other.
create function private.pair_limit() returns interval
language sql immutable return interval '90 days';

-- How long standing remembers what went wrong, and how long owners took to answer.
create function private.standing_memory() returns interval
language sql immutable return interval '180 days';

-- How long after its due date a payment is still on time.
create function private.payment_grace() returns interval
language sql immutable return interval '3 days';

-- What each level above New takes. Access given and payments on time make up for each other; both ask for more than one
-- pair of people can bring.
create function private.standing_levels() returns table (
  level text, days_here integer, hours_given integer, paid_on_time integer, most_paid_late integer, most_problems integer, most_answer_hours integer
)
language sql immutable set search_path = '' as $$
  values ('proven', 30, 120 * 24, 4, 1, 1, 24), ('trusted', 180, 365 * 24, 12, 0, 0, 12)
$$;

-- Reviews: after how much access people may write them, how long the first of two waits to be read, and their length.
create function private.review_after() returns interval
language sql immutable return interval '14 days';
create function private.review_wait() returns interval
language sql immutable return interval '7 days';
create function private.longest_review() returns integer
language sql immutable return 500;

-- How long a question about a plan stays open that leads to no request for a place.
create function private.question_lifetime() returns interval
language sql immutable return interval '7 days';

-- The most characters of a chat message.
create function private.longest_message() returns integer
language sql immutable return 1000;

-- Whole hours, as a person counts down: a begun one counts.
create function private.hours(p_time interval) returns integer
language sql immutable return ceil(extract(epoch from p_time) / 3600)::integer;

revoke execute on all functions in schema private from public;
-- Checks, and what runs with the caller's rights, ask these.
grant execute on function private.request_lifetime(), private.least_withdrawal(), private.most_coins(), private.longest_message()
  to authenticated, service_role;
