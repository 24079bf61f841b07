-- How long the owner has to answer and the member to check; how fast staff aim to decide, which is shown to people; and how long staff
-- have to decide.
create function private.problem_answer_time() returns interval
language sql immutable return interval '24 hours';
create function private.problem_check_time() returns interval
language sql immutable return interval '48 hours';
create function private.problem_decision_aim() returns interval
language sql immutable return interval '72 hours';
create function private.problem_decision_time() returns interval
language sql immutable return interval '7 days';

-- The maximum length of a statement about a problem, in characters.
create function private.longest_note() returns integer
language sql immutable return 500;

-- How often a member says that a problem is not fixed before it goes to staff; and which problem within one period goes straight to staff
-- (3 for the third).
create function private.problem_refusals() returns integer
language sql immutable return 2;
create function private.problems_for_staff() returns integer
language sql immutable return 3;

-- Problems with access that members have reported: who has to act next, the deadline, and the outcome. Both sides can always see a problem.
create table public.seat_problems (
  id uuid primary key default gen_random_uuid(),
  seat_id uuid not null references private.seats (id) on delete restrict,
  -- The payment of the period in which the problem was reported.
  payment_id uuid not null references public.member_payments (id) on delete restrict,
  subscription_id text not null,
  plan_name text not null,
  owner_id uuid not null references private.user_profiles (user_id) on delete restrict,
  member_id uuid not null references private.user_profiles (user_id) on delete restrict,
  reason text not null check (reason in ('sign-in', 'password', 'invitation', 'in-use', 'removed', 'code', 'household', 'other')),
  note text,
  reported_at timestamptz not null default private.now(),
  -- The side that must act next; `due_at` is its deadline.
  status text not null check (status in ('owner', 'member', 'staff', 'closed')),
  due_at timestamptz,
  -- When the owner last said that the problem is fixed. `refusals` is how often the member has said that it is not.
  fixed_at timestamptz,
  refusals integer not null default 0,
  -- For a closed problem, when access came back: 'infinity' if it never did, and the time of the report if the problem counts as never
  -- reported.
  lost_until timestamptz,
  outcome text check (outcome in
    ('fixed', 'withdrawn', 'for-owner', 'for-member', 'owner-silent', 'owner-ended', 'staff-silent')),
  fault text generated always as (case when outcome in ('owner-silent', 'owner-ended', 'for-member') then 'owner'
    when outcome = 'for-owner' then 'member' end) stored,
  closed_at timestamptz,
  decided_by uuid references private.user_profiles (user_id) on delete restrict,
  -- The reason for the decision of staff, which both sides can read.
  decision text,
  check ((status = 'closed') = (outcome is not null and lost_until is not null and closed_at is not null)),
  check ((status = 'closed') = (due_at is null))
);
create unique index seat_problems_one_open_key on public.seat_problems (seat_id) where status <> 'closed';
create index seat_problems_seat_idx on public.seat_problems (seat_id, reported_at);
create index seat_problems_payment_idx on public.seat_problems (payment_id);
create index seat_problems_owner_idx on public.seat_problems (owner_id, reported_at);
create index seat_problems_member_idx on public.seat_problems (member_id, reported_at);
create index seat_problems_decided_by_idx on public.seat_problems (decided_by);
create index seat_problems_staff_idx on public.seat_problems (due_at) where status = 'staff';
alter table public.seat_problems enable row level security;
create policy "Both sides of a problem see it, admins all" on public.seat_problems
  for select to authenticated using (
    member_id = (select auth.uid()) or owner_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff())
  );

-- The statements about a problem, in order. A line without a person says that a deadline has passed.
create table public.problem_statements (
  problem_id uuid not null references public.seat_problems (id) on delete cascade,
  line integer not null,
  at timestamptz not null default private.now(),
  person_id uuid references private.user_profiles (user_id) on delete restrict,
  kind text not null check (kind in ('reported', 'fixed', 'not-fixed', 'contested', 'to-staff', 'works', 'withdrawn', 'for-owner',
    'for-member', 'owner-silent', 'member-silent', 'staff-silent', 'owner-ended')),
  note text,
  primary key (problem_id, line)
);
create index problem_statements_person_idx on public.problem_statements (person_id);
alter table public.problem_statements enable row level security;
-- Returns whether the acting user may read about this problem.
create function private.sees_problem(p_problem_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.may('users.edit') and private.may_act_as_staff() or exists (
    select from public.seat_problems where id = p_problem_id and (select auth.uid()) in (member_id, owner_id));
end $$;
create policy "Whoever sees a problem reads what was said" on public.problem_statements
  for select to authenticated using (private.sees_problem(problem_id));

create function private.has_open_problem(p_seat_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.seat_problems where seat_id = p_seat_id and status <> 'closed');
end $$;

select private.send_changes('seat_problems');

revoke all on public.seat_problems, public.problem_statements from public, anon, authenticated, service_role;
grant select on public.seat_problems, public.problem_statements to authenticated, service_role;
grant execute on function private.sees_problem(uuid) to authenticated;
