-- Reports about people, on which staff decide. The browsers of staff are notified when a report arrives or is closed. The reported person
-- is not notified of a report, and cannot prevent one by blocking the reporter.
create table public.person_reports (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references private.user_profiles (user_id) on delete cascade,
  -- Null once the reporter's account is deleted, or has taken over the place of the guest who reported.
  reporter_id uuid references private.user_profiles (user_id) on delete set null,
  -- Whether a guest of the person reported them.
  by_guest boolean not null default false,
  reason text not null,
  reported_at timestamptz not null default private.now(),
  decided_at timestamptz,
  decision text check (decision in ('none', 'warned', 'plan-hidden', 'suspended')),
  -- The reason for the decision. The reported person can read it, unless the decision is `none`.
  finding text,
  check (num_nulls(decided_at, decision, finding) in (0, 3))
);
create unique index person_reports_one_open_key on public.person_reports (person_id, reporter_id) where decided_at is null;
create index person_reports_person_idx on public.person_reports (person_id);
create index person_reports_reporter_idx on public.person_reports (reporter_id);
create index person_reports_open_idx on public.person_reports (reported_at) where decided_at is null;
alter table public.person_reports enable row level security;
select private.send_changes('person_reports');
create policy "Staff sees when reports by and about others come and close" on public.person_reports
  for select to authenticated using ((select private.may('subscriptions.approve'))
    and person_id <> (select auth.uid()) and reporter_id is distinct from (select auth.uid()));

-- Files a report, and returns whether it is the only open one by this reporter.
create function private.file_report(p_person_id uuid, p_reporter_id uuid, p_reason text, p_by_guest boolean default false) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.person_reports (person_id, reporter_id, by_guest, reason)
  values (p_person_id, p_reporter_id, p_by_guest, private.review_text(p_reason, true))
  on conflict (person_id, reporter_id) where decided_at is null do nothing;
  return found;
end $$;

create function private.report_person(p_person_id uuid, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if p_person_id = v_user then
    perform private.refuse('own_account_reported');
  elsif not exists (select from private.user_profiles where user_id = p_person_id and deleted_at is null) then
    perform private.refuse('person_not_found');
  end if;
  perform private.spend_attempt('person report');
  perform private.ensure_profile(v_user);
  if not private.file_report(p_person_id, v_user, p_reason) then
    perform private.refuse('person_already_reported');
  end if;
end $$;
select private.publish('report_person', 'authenticated');

create function private.require_report_judge() returns uuid
language plpgsql stable set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    perform private.refuse('only_staff_sees_reports');
  end if;
  return v_user;
end $$;

-- Returns whether a conversation is between the reported person and the reporter. A report opens only these conversations to staff.
create function private.is_reported_chat(p_report public.person_reports, p_conversation public.conversations) returns boolean
language sql immutable as $$
  select (p_conversation.owner_id, p_conversation.member_id)
    in ((p_report.person_id, p_report.reporter_id), (p_report.reporter_id, p_report.person_id))
$$;

-- Returns up to ten of the reported person's plans as JSON: first those in which the reporter has or had a place, then the newest.
create function private.reported_plans(p_report public.person_reports) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', plan.id, 'name', plan.name, 'status', plan.status, 'members', plan.current_members,
    'isShared', plan.is_shared) order by plan.is_shared desc, plan.created_at desc), '[]')
  from (
    select p.id, p.provider || ' ' || p.name as name, p.status, p.current_members, p.created_at, exists (
      select from private.seats as s where s.subscription_id = p.id and s.member_id = p_report.reporter_id) as is_shared
    from public.shared_subscriptions as p where p.owner_id = p_report.person_id
    order by is_shared desc, p.created_at desc limit 10
  ) as plan
$$;

-- Returns the open reports, oldest first, or the closed reports, latest first; optionally only those by or about one person. Each report
-- includes the reported person's plans, the earlier decisions about that person, and the number of the reporter's earlier reports that led
-- to no action. Staff do not see reports that they made or that are about them.
create function private.list_person_reports(p_closed boolean default false, p_person uuid default null)
returns table (
  id uuid, person_id uuid, person_name text, avatar_url text, suspended_until timestamptz, reporter_id uuid, reporter_name text,
  unfounded integer, reason text, reported_at timestamptz, decided_at timestamptz, decision text, finding text, has_chat boolean, plans jsonb,
  earlier jsonb
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_report_judge();
begin
  return query
    select r.id, person.user_id, person.display_name, person.avatar_url,
      (select u.banned_until from auth.users as u where u.id = r.person_id and u.banned_until > now()),
      reporter.user_id, reporter.display_name,
      (select count(*)::integer from public.person_reports as o
        where o.reporter_id = r.reporter_id and o.decision = 'none' and o.decided_at < coalesce(r.decided_at, 'infinity')),
      r.reason, r.reported_at, r.decided_at, r.decision, r.finding,
      r.decided_at is null and exists (select from public.conversations as c where private.is_reported_chat(r, c)),
      private.reported_plans(r),
      (select coalesce(jsonb_agg(jsonb_build_object('decision', o.decision, 'finding', o.finding, 'decidedAt', o.decided_at)
        order by o.decided_at desc), '[]') from public.person_reports as o
        where o.person_id = r.person_id and o.decided_at < coalesce(r.decided_at, 'infinity'))
    from public.person_reports as r
    join private.user_profiles as person on person.user_id = r.person_id
    left join private.user_profiles as reporter on reporter.user_id = r.reporter_id
    where (r.decided_at is not null) = p_closed and r.person_id <> v_user and r.reporter_id is distinct from v_user
      and (p_person is null or p_person in (r.person_id, r.reporter_id))
    order by r.decided_at desc, r.reported_at, r.id limit 100;
end $$;
select private.publish('list_person_reports', 'authenticated');

-- Locks an open report and returns it. Refuses members of staff who made the report or whom it is about.
create function private.lock_person_report(p_report_id uuid, p_judge_id uuid) returns public.person_reports
language plpgsql volatile security definer set search_path = '' as $$
declare v_report public.person_reports;
begin
  select * into v_report from public.person_reports where id = p_report_id and decided_at is null for update;
  if not found then
    perform private.refuse('report_not_found');
  elsif p_judge_id in (v_report.person_id, v_report.reporter_id) then
    perform private.refuse('own_report');
  end if;
  return v_report;
end $$;

-- Returns the latest messages between the reported person and the reporter of an open report, oldest first. The staff log records each
-- reading.
create function private.read_reported_chat(p_report_id uuid)
returns table (id uuid, plan text, is_reporter boolean, content text, written_at timestamptz)
language plpgsql volatile security definer set search_path = '' as $$
declare v_report public.person_reports := private.lock_person_report(p_report_id, private.require_report_judge());
begin
  perform private.log_staff('reported chat read', v_report.person_id::text,
    jsonb_build_object('reporter', v_report.reporter_id, 'report', v_report.id));
  return query
    select latest.* from (
      select m.id, s.provider || ' ' || s.name, m.sender_id = v_report.reporter_id::text, m.content, m.created_at
      from public.conversations as c join public.messages as m on m.conversation_id = c.id
      join public.shared_subscriptions as s on s.id = c.subscription_id
      where private.is_reported_chat(v_report, c) and m.message_type <> 'system'
      order by m.created_at desc, m.id limit 200
    ) as latest (id, plan, is_reporter, content, written_at) order by latest.written_at, latest.id;
end $$;
select private.publish('read_reported_chat', 'authenticated');

-- Closes a report with a decision and its reason, and tells the reporter that staff have looked at the report. The reported person can
-- read the reason for a warning, a hidden plan (p_subscription_id) or a suspension (for p_days, or permanently). Only admins may suspend.
create function private.close_person_report(
  p_report_id uuid, p_finding text, p_decision text default 'none', p_subscription_id text default null, p_days integer default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_report public.person_reports := private.lock_person_report(p_report_id, private.require_report_judge());
  v_reason text := private.review_text(p_finding, true);
begin
  case p_decision
    when 'none' then null;
    when 'warned' then
      perform private.mail_notification(
        private.notify(v_report.person_id, 'warning', null, 'warned', jsonb_build_object('reason', v_reason)), '{}', '/help');
    when 'plan-hidden' then
      perform private.hide_plan(p_subscription_id, v_report.person_id, v_reason);
    when 'suspended' then
      perform private.suspend_person(v_report.person_id, p_days, v_reason);
    else
      perform private.refuse('report_decision_unknown');
  end case;
  update public.person_reports set decided_at = private.now(), decision = p_decision, finding = v_reason where id = v_report.id;
  if v_report.reporter_id is not null then
    perform private.notify(v_report.reporter_id, 'info', null, 'report-read',
      jsonb_build_object('person', (select display_name from private.user_profiles where user_id = v_report.person_id)));
  end if;
end $$;
select private.publish('close_person_report', 'authenticated');

-- Staff read the contents of reports with list_person_reports().
revoke all on public.person_reports from public, anon, authenticated, service_role;
grant select (id, reported_at, decided_at) on public.person_reports to authenticated;
