-- The terms people are told, each in one place: what the rules go by, what a sentence says and what a check allows.

-- How long a request for a place waits for its answer.
create function private.request_lifetime() returns interval
language sql immutable set search_path = '' as $$ select interval '48 hours' $$;

-- How long before that is over its owner is reminded.
create function private.reminder_lead() returns interval
language sql immutable set search_path = '' as $$ select interval '6 hours' $$;

-- How long a place is kept for an invited person.
create function private.invitation_lifetime() returns interval
language sql immutable set search_path = '' as $$ select interval '7 days' $$;

-- How long somebody who has just shown that it is them need not show it again.
create function private.proof_lifetime() returns interval
language sql immutable set search_path = '' as $$ select interval '10 minutes' $$;

-- How long a change of an account can be undone by the link that tells of it.
create function private.undo_lifetime() returns interval
language sql immutable set search_path = '' as $$ select interval '48 hours' $$;

-- The platform's convenience fee, on top of a member's share.
create function private.fee_rate() returns numeric
language sql immutable set search_path = '' as $$ select 0.1 $$;

-- What a member pays for a share: the fee included, to the cent.
create function private.with_fee(p_share numeric) returns numeric
language sql immutable set search_path = '' as $$ select round(p_share * (1 + private.fee_rate()), 2) $$;

-- The fewest coins that can be withdrawn.
create function private.least_withdrawal() returns numeric
language sql immutable set search_path = '' as $$ select 20::numeric $$;

-- The most coins a wallet, or one movement, can hold: what numeric(12, 2) can.
create function private.most_coins() returns numeric
language sql immutable set search_path = '' as $$ select 9999999999.99 $$;

-- The most characters of a chat message.
create function private.longest_message() returns integer
language sql immutable set search_path = '' as $$ select 1000 $$;

-- Whole hours, as a person counts down: a begun one counts.
create function private.hours(p_time interval) returns integer
language sql immutable set search_path = '' as $$ select ceil(extract(epoch from p_time) / 3600)::integer $$;

revoke execute on all functions in schema private from public;
-- Checks, and what runs with the caller's rights, ask these.
grant execute on function private.request_lifetime(), private.least_withdrawal(), private.most_coins(), private.longest_message()
  to authenticated, service_role;
