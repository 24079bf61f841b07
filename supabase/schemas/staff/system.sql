-- How the site runs, for its operator: queues, jobs, servers and the database. Admin → System and the monitor's /metrics read the same
-- functions.

-- Each queue: its entries that are due or have failed, the time since when the oldest waits, how many have been tried, and the newest error.
create function private.queue_states() returns table (queue text, waiting bigint, oldest_at timestamptz, tried bigint, error text)
language sql stable security definer set search_path = '' as $$
  select q.queue, count(q.since), min(q.since), count(*) filter (where q.attempts > 0),
    (array_agg(q.error order by q.since desc) filter (where q.error is not null))[1]
  from (
    values ('mails', null::timestamptz, 0, null::text), ('pushes', null, 0, null), ('webhooks', null, 0, null), ('payments', null, 0, null), ('places', null, 0, null)
    union all
    select 'mails', m.created_at, m.attempts, m.last_error from private.outgoing_mail as m
    where m.sent_at is null and m.given_up_at is null and (m.attempts > 0 or m.next_attempt_at <= clock_timestamp())
    union all
    -- A push has no other time than that of its next attempt.
    select 'pushes', least(p.next_attempt_at, clock_timestamp()), p.attempts, null from private.outgoing_pushes as p
    where p.attempts > 0 or p.next_attempt_at <= clock_timestamp()
    union all
    select 'webhooks', d.made_at, d.attempts - d.attempts_before, d.last_error from private.webhook_deliveries as d
    where d.delivered_at is null and d.failed_at is null
    union all
    select 'payments', j.created_at, j.attempts, j.last_error from private.payment_jobs as j
    where j.last_error is not null or j.next_attempt_at <= clock_timestamp()
    union all
    -- A step of a place that failed is repeated by the next attempt.
    select 'places', least(s.next_at, clock_timestamp()), s.failures, s.last_error from private.seats as s where s.failures > 0
  ) as q (queue, since, attempts, error)
  group by q.queue order by q.queue
$$;

-- Each scheduled job: when it last ended and last succeeded, and the error of its last run if that failed.
create function private.job_states() returns table (job text, schedule text, ended_at timestamptz, succeeded_at timestamptz, error text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query execute format(
    $query$
      select coalesce(j.jobname, j.jobid::text), j.schedule, ended.end_time, succeeded.end_time,
        case when ended.status = 'failed' then ended.return_message end
      from %1$I.job as j
      left join lateral (
        select d.end_time, d.status, d.return_message from %1$I.job_run_details as d
        where d.jobid = j.jobid and d.end_time is not null order by d.end_time desc limit 1
      ) as ended on true
      left join lateral (
        select d.end_time from %1$I.job_run_details as d
        where d.jobid = j.jobid and d.status = 'succeeded' order by d.end_time desc limit 1
      ) as succeeded on true
      where j.active order by 1
    $query$,
    -- Where Postgres has the extension pg_cron, our server keeps the project's jobs in a schema of its own.
    case when to_regnamespace('project_cron') is null then 'cron' else 'project_cron' end
  );
end $$;

-- The servers that have shown themselves in the last two minutes. Hosted Supabase tells nothing about its servers.
create function private.server_states()
returns table (version text, started_at timestamptz, free_bytes bigint, backed_up_at timestamptz, clock_jumped_at timestamptz, clock_jump_seconds integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  if to_regclass('platform.servers') is null then return; end if;
  return query execute
    $query$
      select s.version, s.started_at, s.free_bytes, s.backed_up_at, s.clock_jumped_at, s.clock_jump_seconds
      from platform.servers as s where s.seen_at > clock_timestamp() - interval '2 minutes' order by s.started_at
    $query$;
end $$;

-- The state of the site. Sizes are in bytes.
create function private.system_state() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return jsonb_build_object(
    'database', jsonb_build_object('version', current_setting('server_version'), 'bytes', pg_database_size(current_database())),
    'servers', (select coalesce(jsonb_agg(jsonb_build_object('version', s.version, 'startedAt', s.started_at, 'freeBytes', s.free_bytes,
      'backedUpAt', s.backed_up_at, 'clockJumpedAt', s.clock_jumped_at, 'clockJumpSeconds', s.clock_jump_seconds)), '[]')
      from private.server_states() as s),
    'queues', (select jsonb_agg(jsonb_build_object('queue', q.queue, 'waiting', q.waiting, 'oldestAt', q.oldest_at, 'tried', q.tried,
      'error', q.error)) from private.queue_states() as q),
    'jobs', (select coalesce(jsonb_agg(jsonb_build_object('job', j.job, 'schedule', j.schedule, 'endedAt', j.ended_at,
      'succeededAt', j.succeeded_at, 'error', j.error)), '[]') from private.job_states() as j),
    'hold', (select jsonb_build_object('backedUpAt', r.backed_up_at, 'restoredAt', r.restored_at,
        -- Without a provider, there is nothing to wait for.
        'isComparing', exists (select from private.payment_jobs join private.payment_provider using (provider) where kind = 'restore'),
        'missing', private.missing_since_restore(r.restored_at))
      from private.restores as r where r.compared_at is null));
end $$;
select private.publish('system_state', 'authenticated');

-- The project's metrics, which the server adds to its own in /metrics as Prometheus gauges.
create function private.metrics() returns table (name text, help text, labels jsonb, value double precision)
language sql stable security definer set search_path = '' as $$
  select m.name, m.help, jsonb_build_object('queue', q.queue), m.value
  from private.queue_states() as q cross join lateral (values
    ('queue_waiting', 'Entries of a queue that are due or have failed', q.waiting::double precision),
    ('queue_tried', 'Entries of a queue that have been tried and still wait', q.tried),
    ('queue_oldest_seconds', 'Age of the oldest waiting entry of a queue', coalesce(extract(epoch from clock_timestamp() - q.oldest_at), 0))
  ) as m (name, help, value)
  union all
  select 'job_last_success_timestamp_seconds', 'When a scheduled job last succeeded', jsonb_build_object('job', j.job),
    extract(epoch from j.succeeded_at)
  from private.job_states() as j where j.succeeded_at is not null
  union all
  select 'database_size_bytes', 'Size of the database', '{}', pg_database_size(current_database())
$$;
select private.publish('metrics', 'service_role');
