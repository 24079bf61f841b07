-- pg_cron's tables and functions, for databases without the extension; src/cron/ runs due jobs. If the extension is installed, the
-- project's jobs are stored in a schema of their own, project_cron, and src/cron/ runs them as well, for three reasons: pg_cron's sessions
-- lack this server's settings, they exist only for roles that may log in, and versions before 1.5 run jobs at most once a minute.
do $platform$
declare v_schema text := 'cron';
begin
if exists (select from pg_extension where extname = 'pg_cron') then
  v_schema := 'project_cron';
elsif to_regnamespace('project_cron') is not null then
  -- The extension has been dropped.
  alter schema project_cron rename to cron;
end if;
execute regexp_replace($cron$

create schema if not exists cron;

-- Returns the values that a field of a schedule matches: * or a list of values and ranges, where * and ranges may have a step. Null if the
-- field is invalid.
create or replace function cron.field_values(p_field text, p_low integer, p_high integer, p_names text[])
returns integer[] language plpgsql immutable set search_path = '' as $$
declare
  v_values integer[] := '{}';
  v_match text[];
  v_from integer;
  v_to integer;
  v_step integer;
begin
  for v_match in
    select regexp_match(part, '^(?:(\*)|(\d{1,2}|[a-z]{3})(?:-(\d{1,2}|[a-z]{3}))?)(?:/(\d{1,2}))?$')
    from string_to_table(lower(p_field), ',') as part
  loop
    v_from := case when v_match[1] = '*' then p_low else cron.field_value(v_match[2], p_low, p_names) end;
    v_to := case when v_match[1] = '*' then p_high else cron.field_value(coalesce(v_match[3], v_match[2]), p_low, p_names) end;
    v_step := coalesce(v_match[4]::integer, 1);
    -- Only * and ranges may have a step.
    if (v_from >= p_low and v_to between v_from and p_high and v_step > 0
      and (v_match[4] is null or coalesce(v_match[1], v_match[3]) is not null)) is not true
    then
      return null;
    end if;
    v_values := v_values || array(select generate_series(v_from, v_to, v_step));
  end loop;
  return v_values;
end $$;

create or replace function cron.field_value(p_text text, p_low integer, p_names text[]) returns integer
language sql immutable set search_path = '' as $$
  select case when p_text ~ '^\d+$' then p_text::integer else array_position(p_names, p_text) + p_low - 1 end
$$;

-- Returns the first moment after `p_after` that matches the schedule, in GMT; 'infinity' if there is none, null if the schedule is invalid.
-- An interval in seconds counts from `p_due`, when the job was last due.
create or replace function cron.next_run(p_schedule text, p_after timestamptz, p_due timestamptz default null)
returns timestamptz language plpgsql immutable set search_path = '' set timezone = 'UTC' as $$
declare
  v_schedule text := lower(btrim(p_schedule));
  v_seconds integer := (regexp_match(v_schedule, '^(\d{1,2})\s+seconds?$'))[1];
  v_after constant bigint := floor(extract(epoch from p_after));
  v_due constant bigint := coalesce(floor(extract(epoch from p_due)), v_after);
  v_fields text[];
  v_minutes integer[];
  v_hours integer[];
  v_days integer[];
  v_months integer[];
  v_weekdays integer[];
  v_needs_both boolean;
  v_is_day boolean;
  v_is_weekday boolean;
  v_day date := p_after::date;
  v_last_day constant date := v_day + 366 * 12;
  v_at timestamptz;
begin
  if v_seconds is not null then
    if v_seconds not between 1 and 59 then return null; end if;
    return to_timestamp(v_due + v_seconds * ((v_after - v_due) / v_seconds + 1));
  end if;
  v_schedule := case v_schedule
    when '@hourly' then '0 * * * *'
    when '@daily' then '0 0 * * *'
    when '@midnight' then '0 0 * * *'
    when '@weekly' then '0 0 * * 0'
    when '@monthly' then '0 0 1 * *'
    when '@yearly' then '0 0 1 1 *'
    when '@annually' then '0 0 1 1 *'
    else v_schedule
  end;
  v_fields := regexp_split_to_array(v_schedule, '\s+');
  if array_length(v_fields, 1) <> 5 then return null; end if;
  v_minutes := cron.field_values(v_fields[1], 0, 59, '{}');
  v_hours := cron.field_values(v_fields[2], 0, 23, '{}');
  v_days := case v_fields[3] when '$' then '{}' else cron.field_values(v_fields[3], 1, 31, '{}') end;
  v_months := cron.field_values(v_fields[4], 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}');
  -- Sunday is both 0 and 7.
  v_weekdays := cron.field_values(v_fields[5], 0, 7, '{sun,mon,tue,wed,thu,fri,sat}');
  if v_minutes is null or v_hours is null or v_days is null or v_months is null or v_weekdays is null then
    return null;
  end if;
  -- If both day and weekday are restricted, either of them may match.
  v_needs_both := left(v_fields[3], 1) = '*' or left(v_fields[5], 1) = '*';
  while v_day <= v_last_day loop
    v_is_day := extract(day from v_day) = any (v_days)
      or (v_fields[3] = '$' and extract(day from v_day + 1) = 1);
    v_is_weekday := extract(dow from v_day) = any (v_weekdays) or extract(isodow from v_day) = any (v_weekdays);
    if extract(month from v_day) = any (v_months)
      and (case when v_needs_both then v_is_day and v_is_weekday else v_is_day or v_is_weekday end)
    then
      select min(v_day + make_time(h, m, 0)) into v_at
      from unnest(v_hours) as h, unnest(v_minutes) as m
      where v_day + make_time(h, m, 0) > p_after;
      if v_at is not null then return v_at; end if;
    end if;
    v_day := v_day + 1;
  end loop;
  return 'infinity';
end $$;

create table if not exists cron.job (
  jobid bigint generated by default as identity primary key,
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport integer not null default 5432,
  database text not null default current_database(),
  -- The role that runs the command.
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  -- pg_cron has no such column and keeps this time in memory.
  next_run_at timestamptz not null,
  unique (jobname, username)
);
-- Removes a check of older databases: jobs in a copied or renamed database name the former database, but run in this one.
alter table cron.job drop constraint if exists job_database_check;
create index if not exists job_next_run_at_idx on cron.job (next_run_at) where active;

create table if not exists cron.job_run_details (
  jobid bigint,
  runid bigint generated by default as identity primary key,
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);
create index if not exists job_run_details_jobid_idx on cron.job_run_details (jobid) where status = 'running';
create index if not exists job_run_details_last_idx on cron.job_run_details (jobid, end_time);
create index if not exists job_run_details_end_time_idx on cron.job_run_details (end_time);

create or replace function cron.check_job() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.username <> current_user and not pg_has_role(new.username, 'usage') then
    raise exception 'a job runs as the role that schedules it' using errcode = 'insufficient_privilege';
  end if;
  if new.database <> current_database() and (tg_op = 'INSERT' or new.database <> old.database) then
    raise exception 'a job runs in the database that keeps it' using errcode = 'feature_not_supported';
  end if;
  if tg_op = 'INSERT' or (new.schedule, new.active) is distinct from (old.schedule, old.active) then
    new.next_run_at := cron.next_run(new.schedule, statement_timestamp());
    if new.next_run_at is null then
      raise exception 'invalid schedule: %', new.schedule using
        errcode = 'invalid_parameter_value',
        hint = 'Use cron format (minute hour day month weekday, e.g. 5 4 * * *), interval format ''[1-59] seconds'', or @hourly, @daily, @weekly, @monthly, @yearly.';
    end if;
  end if;
  return new;
end $$;
create or replace trigger check_job before insert or update of schedule, username, active, command, database on cron.job
for each row execute function cron.check_job();

-- Adds a job that runs `command` according to `schedule`; returns its id.
create or replace function cron.schedule(schedule text, command text) returns bigint
language sql strict set search_path = '' as $$
  insert into cron.job (schedule, command) values (schedule.schedule, schedule.command) returning jobid
$$;
-- Adds a job with a name, or changes the existing job of this name, which stays active or inactive.
create or replace function cron.schedule(job_name text, schedule text, command text) returns bigint
language sql strict set search_path = '' as $$
  insert into cron.job (jobname, schedule, command) values (job_name, schedule.schedule, schedule.command)
  on conflict (jobname, username) do update set schedule = excluded.schedule, command = excluded.command
  returning jobid
$$;

create or replace function cron.unschedule(job_id bigint) returns boolean
language plpgsql strict set search_path = '' as $$
begin
  delete from cron.job where jobid = job_id and username = current_user;
  if not found then
    raise exception 'could not find valid entry for job %', job_id using errcode = 'undefined_object';
  end if;
  return true;
end $$;
create or replace function cron.unschedule(job_name text) returns boolean
language plpgsql strict set search_path = '' as $$
begin
  delete from cron.job where jobname = job_name and username = current_user;
  if not found then
    raise exception 'could not find valid entry for job ''%''', job_name using errcode = 'undefined_object';
  end if;
  return true;
end $$;

-- Changes those values of a job that are given and not null.
create or replace function cron.alter_job(
  job_id bigint, schedule text default null, command text default null, database text default null,
  username text default null, active boolean default null
) returns void language plpgsql set search_path = '' as $$
begin
  update cron.job as j set
    schedule = coalesce(alter_job.schedule, j.schedule),
    command = coalesce(alter_job.command, j.command),
    database = coalesce(alter_job.database, j.database),
    username = coalesce(alter_job.username, j.username),
    active = coalesce(alter_job.active, j.active)
  where j.jobid = job_id and j.username = current_user;
  if not found then
    raise exception 'Job % does not exist or you don''t own it', job_id using errcode = 'undefined_object';
  end if;
end $$;

-- Gives at most `p_limit` due jobs to the first server that asks, and sets when each is due next. A late job runs once, however often it
-- was due. A job whose last run still holds its lock (see src/cron/scheduler.ts) waits for the end of that run. If a run seems to have
-- ended in the future, the system clock was set back after it; jobs are then rescheduled, so that none waits until that time comes again.
create or replace function platform.take_due_jobs(p_limit integer)
returns table (runid bigint, jobid bigint, command text, username text)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
begin
  if not pg_try_advisory_xact_lock(7332, 0) then return; end if;
  if exists (select from cron.job_run_details where end_time > statement_timestamp() + interval '1 minute') then
    update cron.job_run_details set start_time = least(start_time, statement_timestamp()), end_time = statement_timestamp()
    where end_time > statement_timestamp();
    update cron.job as j set next_run_at = least(j.next_run_at, cron.next_run(j.schedule, statement_timestamp()));
  end if;
  return query
  with due as materialized (
    select j.jobid from cron.job as j
    where j.active and j.next_run_at <= statement_timestamp() order by j.next_run_at
  ), free as materialized (
    select jobid from due where pg_try_advisory_xact_lock(7333, jobid::integer) limit p_limit
  ), left_behind as (
    update cron.job_run_details set status = 'failed', return_message = 'server restarted', end_time = statement_timestamp()
    where status = 'running' and jobid in (select jobid from free)
  ), taken as (
    update cron.job as j set next_run_at = cron.next_run(j.schedule, statement_timestamp(), j.next_run_at)
    from free where j.jobid = free.jobid
    returning j.jobid, j.command, j.username
  )
  insert into cron.job_run_details as d (jobid, database, username, command, status, start_time)
  select t.jobid, current_database(), t.username, t.command, 'running', statement_timestamp() from taken as t
  returning d.runid, d.jobid, d.command, d.username;
end $$;

create or replace function platform.end_run(p_runid bigint, p_failure text) returns void language sql set search_path = '' as $$
  update cron.job_run_details set end_time = statement_timestamp(), return_message = p_failure,
    status = case when p_failure is null then 'succeeded' else 'failed' end
  where runid = p_runid
$$;
create or replace function platform.forget_runs() returns void language sql set search_path = '' as $$
  delete from cron.job_run_details where end_time < now() - interval '7 days'
$$;
-- An earlier server may have connected as another role and scheduled the job as that role.
delete from cron.job where jobname = 'platform-housekeeping' and username <> current_user;
select cron.schedule('platform-housekeeping', '*/10 * * * *', 'select platform.run_housekeeping()');

revoke execute on all functions in schema cron, platform from public;
grant usage on schema cron to project_owner;
grant execute on all functions in schema cron to project_owner;
grant select, insert, update, delete on cron.job, cron.job_run_details to project_owner;

$cron$, '\mcron\M(?! format)', v_schema, 'g');

-- Replaces the extension's own function once: the project's jobs now go to this server, and nothing changes for other roles.
if exists (select from pg_proc where oid = to_regprocedure('cron.schedule(text,text,text)') and probin is not null) then
  create function cron.schedule_named(text, text, text) returns bigint language c as '$libdir/pg_cron', 'cron_schedule_named';
  alter extension pg_cron add function cron.schedule_named(text, text, text);
  create or replace function cron.schedule(job_name text, schedule text, command text) returns bigint
  language plpgsql set search_path = '' as $$
  begin
    if current_user = 'project_owner' then return project_cron.schedule(job_name, schedule, command); end if;
    return cron.schedule_named(job_name, schedule, command);
  end $$;
  grant usage on schema cron to project_owner;
  -- Moves jobs that earlier versions of this server gave to the extension.
  with given as (
    delete from cron.job where username = 'project_owner' or jobname = 'platform-housekeeping'
    returning jobname, schedule, command, username
  )
  insert into project_cron.job (jobname, schedule, command, username)
  select jobname, schedule, command, username from given where username = 'project_owner'
  on conflict do nothing;
end if;
end $platform$;
