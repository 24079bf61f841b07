-- The queue of jobs that the Edge Function `payments` carries out at the provider. No job is lost, and none is run twice.

-- A worker has private.payment_job_lease() to finish a job; after that, another worker may take the job.
create table private.payment_jobs (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('charge', 'debt', 'refund', 'remove-card', 'reconcile', 'transfer', 'reversal', 'evidence', 'restore', 'look-up')),
  provider text not null,
  -- The id of the payment, debt, refund, transfer to an account, reversal or dispute, or the provider's id of the card; for a
  -- comparison (reconciliation.sql) the day and, if it is not for the site's own balance, the account; for a charge to look up the
  -- provider's id of it. The comparison after a restore has no other name than its kind.
  about text not null,
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  last_error text,
  -- The time of the first failure since the last success, and whether staff have been told.
  failing_since timestamptz,
  told boolean not null default false,
  unique (kind, about)
);
create index payment_jobs_due_idx on private.payment_jobs (next_attempt_at);
create index payment_jobs_other_idx on private.payment_jobs (next_attempt_at) where kind <> 'charge';
create index payment_jobs_failing_idx on private.payment_jobs (failing_since) where failing_since is not null;
alter table private.payment_jobs enable row level security;

-- Adds jobs to the queue, or makes failed ones due now, for a caller that runs them itself.
create function private.add_payment_jobs(p_kind text, p_about text[], p_provider text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.payment_jobs as j (kind, about, provider) select p_kind, thing, p_provider from unnest(p_about) as thing
  on conflict (kind, about) do update set next_attempt_at = clock_timestamp()
  -- A job without an error may be running, so it is left alone.
  where j.last_error is not null;
end $$;

-- Adds the jobs, and calls the Edge Function after the commit.
create function private.queue_payment_jobs(p_kind text, p_about text[], p_provider text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if coalesce(cardinality(p_about), 0) = 0 then return; end if;
  perform private.add_payment_jobs(p_kind, p_about, p_provider);
  perform private.call_function('payments/tick');
end $$;

-- Records the outcome of a job. If p_error is null and nothing is left to do, the job is deleted; otherwise it is retried after 30
-- s, then after 1, 2, 4 … and at most 15 minutes, without a limit. The call is ignored if a later attempt has taken over the job.
create function private.settle_payment_job(p_job uuid, p_attempt integer, p_error text) returns void
language plpgsql volatile security definer set search_path = '' as $$
-- A refund that the provider has accepted but not finished, or refuses for now, is retried, so that the provider is asked about it
-- again.
declare v_error text := coalesce(p_error, (
  select case r.status when 'pending' then r.status else coalesce(r.reason, r.status) end
  from private.payment_jobs as j join private.refunds as r on r.id::text = j.about
  where j.id = p_job and j.kind = 'refund' and private.is_open_refund(r.status)));
begin
  if v_error is null then
    delete from private.payment_jobs where id = p_job and attempts = p_attempt;
  else
    update private.payment_jobs set
      next_attempt_at = clock_timestamp() + least(interval '15 minutes', interval '15 seconds' * power(2, least(p_attempt, 10))),
      last_error = left(v_error, 500),
      failing_since = case when v_error <> 'pending' then coalesce(failing_since, clock_timestamp()) end
    where id = p_job and attempts = p_attempt;
  end if;
end $$;

-- Records that a job could not be started.
create function private.fail_payment_job(p_job uuid, p_error text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_attempt integer;
begin
  update private.payment_jobs set attempts = attempts + 1 where id = p_job returning attempts into v_attempt;
  perform private.settle_payment_job(p_job, v_attempt, p_error);
end $$;

-- How long a job may fail before staff are told.
create function private.job_patience() returns interval
language sql immutable return interval '1 hour';

-- Tells staff about jobs that keep failing or that no worker takes, once for each error, even if it affects many jobs.
create function private.tell_of_failing_jobs() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_trouble record;
  -- A variable, so that an index finds the jobs.
  v_before timestamptz := clock_timestamp() - private.job_patience();
begin
  update private.payment_jobs set last_error = case when private.are_payments_held()
      then 'payments are on hold after a restore, until an admin ends that under Admin, System'
      else 'the function "payments" does not come for them' end,
    failing_since = coalesce(failing_since, next_attempt_at)
  where next_attempt_at <= v_before and not told;
  for v_trouble in
    with late as (
      update private.payment_jobs set told = true
      where failing_since <= v_before and not told and last_error is not null
      returning last_error
    )
    select last_error, count(*) as jobs from late
    where not exists (select from private.payment_jobs as j where j.told and j.last_error = late.last_error) group by last_error
  loop
    perform private.tell_treasurers('error', 'payment-jobs-fail',
      jsonb_build_object('jobs', v_trouble.jobs, 'hours', private.hours_of(private.job_patience()), 'error', v_trouble.last_error));
  end loop;
end $$;

-- How long a worker has a job before another may take it.
create function private.payment_job_lease() returns interval
language sql immutable return interval '2 minutes';

-- Leases the jobs of these payments whose charges are simple, and starts them together. The caller has locked the seats. If one of them
-- fails, each is started by itself.
create function private.lease_charges(p_jobs uuid[], p_payments uuid[], p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_taken jsonb;
begin
  with orders as (
    select work from private.start_charges(p_payments) as work
  ), jobs as (
    update private.payment_jobs as j set attempts = j.attempts + 1, next_attempt_at = clock_timestamp() + private.payment_job_lease(), last_error = null
    from orders where j.id = any (p_jobs) and j.about = work ->> 'payment' and j.next_attempt_at <= p_now returning j.id, j.attempts, work
  )
  select coalesce(jsonb_agg(jsonb_build_object('job', id, 'kind', 'charge', 'attempt', attempts,
    'order', jsonb_build_object('attempt', attempts) || work)), '[]') into v_taken from jobs;
  return v_taken;
exception when others then
  v_taken := '[]';
  if cardinality(p_jobs) = 1 then
    perform private.fail_payment_job(p_jobs[1], sqlerrm);
  else
    for v_place in 1 .. cardinality(p_jobs) loop
      v_taken := v_taken || private.lease_charges(p_jobs[v_place:v_place], p_payments[v_place:v_place], p_now);
    end loop;
  end if;
  return v_taken;
end $$;

-- Leases up to p_limit due jobs, or only the charge of p_payment_id, so that no other caller gets them. Jobs that turn out to need
-- no provider are finished here. A charge needs its seat's lock, and other transactions lock the seat before the job, so a locked
-- seat is skipped: waiting for it could deadlock. However many charges are due, up to half of the leased jobs are of other kinds.
create function private.lease_payment_jobs(p_provider text, p_limit integer, p_payment_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- A variable instead of calls to clock_timestamp(), so that an index finds the due jobs.
  v_now timestamptz := clock_timestamp();
  v_is_held boolean := private.are_payments_held();
  v_others uuid[] := array(
    select id from private.payment_jobs where kind <> 'charge' and provider = p_provider and next_attempt_at <= v_now
      -- Comparing, looking up a charge, answering a dispute and forgetting a card move no money.
      and (not v_is_held or kind in ('reconcile', 'restore', 'look-up', 'evidence', 'remove-card'))
      and (p_payment_id is null or (kind = 'debt' and about = p_payment_id::text))
    order by next_attempt_at limit p_limit);
  v_charges uuid[];
  v_seats uuid[];
  v_payments uuid[];
  v_job private.payment_jobs;
  v_order jsonb;
  v_taken jsonb;
begin
  select array_agg(job), array_agg(seat_id), array_agg(period) into v_charges, v_seats, v_payments from (
    select j.id as job, s.id as seat_id, m.id as period
    from (
      -- Reads more jobs than needed, because concurrent callers skip each other's jobs.
      select id, about, next_attempt_at from private.payment_jobs where kind = 'charge' and provider = p_provider and not v_is_held
        and next_attempt_at <= v_now and (p_payment_id is null or about = p_payment_id::text) order by next_attempt_at limit 4 * p_limit
    ) as j join public.member_payments as m on m.id = j.about::uuid join private.seats as s on s.id = m.seat_id
    order by j.next_attempt_at limit p_limit - least(cardinality(v_others), p_limit / 2) for update of s skip locked
  ) as free;
  v_taken := private.lease_charges(v_charges, v_payments, v_now);
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
      elsif v_job.kind = 'restore' then
        v_order := private.restore_order();
      elsif v_job.kind = 'look-up' then
        v_order := jsonb_build_object('intent', v_job.about);
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
      -- A failing job must not hold up the others.
      perform private.fail_payment_job(v_job.id, sqlerrm);
      continue;
    end;
    if v_order is null then
      delete from private.payment_jobs where id = v_job.id;
      continue;
    end if;
    update private.payment_jobs set attempts = attempts + 1, next_attempt_at = clock_timestamp() + private.payment_job_lease(), last_error = null
    where id = v_job.id;
    v_taken := v_taken || jsonb_build_object('job', v_job.id, 'kind', case v_job.kind when 'debt' then 'charge' else v_job.kind end,
      'attempt', v_job.attempts + 1,
      -- The provider may have carried out the job after the backup from which it was restored, so it looks for that first.
      'order', jsonb_build_object('attempt', v_job.attempts + 1 + (private.backup_before(v_job.created_at) is not null)::integer) || v_order);
  end loop;
  return v_taken;
end $$;

-- Storage of the simulated provider, if the site uses it.
create table private.simulated_payments (
  id text primary key check (char_length(id) <= 200),
  body jsonb not null
);
alter table private.simulated_payments enable row level security;
create function private.recall_simulated(p_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select body || jsonb_build_object('age', extract(epoch from private.now() - (body ->> 'at')::timestamptz))
  from private.simulated_payments where id = p_id and private.is_sheltered()
$$;
create function private.remember_simulated(p_id text, p_body jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.is_sheltered() then
    perform private.refuse('simulation_reachable');
  end if;
  insert into private.simulated_payments (id, body) values (p_id, p_body || jsonb_build_object('at', private.now()))
  on conflict (id) do update set body = excluded.body;
end $$;

-- Only the Edge Function `payments` may call these.
select private.publish('lease_payment_jobs', 'service_role');
select private.publish('settle_payment_job', 'service_role');
select private.publish('recall_simulated', 'service_role');
select private.publish('remember_simulated', 'service_role');

revoke all on private.payment_jobs, private.simulated_payments from public, anon, authenticated, service_role;
