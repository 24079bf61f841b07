-- Reports about people, for staff. The person reported is not told, and blocking the reporter does not prevent a report.
create table private.person_reports (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references private.user_profiles (user_id) on delete cascade,
  -- Null once the reporter's account is deleted.
  reporter_id uuid references private.user_profiles (user_id) on delete set null,
  reason text not null,
  reported_at timestamptz not null default private.now(),
  decided_at timestamptz,
  -- Staff's finding, for the staff log.
  finding text,
  check ((decided_at is null) = (finding is null))
);
create unique index person_reports_one_open_key on private.person_reports (person_id, reporter_id) where decided_at is null;
create index person_reports_person_idx on private.person_reports (person_id);
create index person_reports_reporter_idx on private.person_reports (reporter_id);
create index person_reports_open_idx on private.person_reports (reported_at) where decided_at is null;
alter table private.person_reports enable row level security;

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
  insert into private.person_reports (person_id, reporter_id, reason)
  values (p_person_id, v_user, private.review_text(p_reason, true))
  on conflict (person_id, reporter_id) where decided_at is null do nothing;
  if not found then
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

-- Reports that await staff, oldest first, or closed ones, latest first; optionally only those about or by one person. Staff do not
-- see reports that they wrote or that are about them.
create function private.list_person_reports(p_closed boolean default false, p_person uuid default null)
returns table (
  id uuid, person_id uuid, person_name text, avatar_url text, reporter_id uuid, reporter_name text, reason text,
  reported_at timestamptz, decided_at timestamptz, finding text
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_report_judge();
begin
  return query
    select r.id, person.user_id, person.display_name, person.avatar_url, reporter.user_id, reporter.display_name, r.reason, r.reported_at,
      r.decided_at, r.finding
    from private.person_reports as r
    join private.user_profiles as person on person.user_id = r.person_id
    left join private.user_profiles as reporter on reporter.user_id = r.reporter_id
    where (r.decided_at is not null) = p_closed and r.person_id <> v_user and r.reporter_id is distinct from v_user
      and (p_person is null or p_person in (r.person_id, r.reporter_id))
    order by r.decided_at desc, r.reported_at, r.id limit 100;
end $$;
select private.publish('list_person_reports', 'authenticated');

-- Closes a report with staff's finding, and tells the reporter that it has been looked at.
create function private.close_person_report(p_report_id uuid, p_finding text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_report_judge();
  v_report private.person_reports;
begin
  select * into v_report from private.person_reports where id = p_report_id and decided_at is null for update;
  if not found then
    perform private.refuse('report_not_found');
  elsif v_user in (v_report.person_id, v_report.reporter_id) then
    perform private.refuse('own_report');
  end if;
  update private.person_reports set decided_at = private.now(), finding = private.review_text(p_finding, true) where id = v_report.id;
  if v_report.reporter_id is not null then
    perform private.notify(v_report.reporter_id, 'info', null, 'report-read',
      jsonb_build_object('person', (select display_name from private.user_profiles where user_id = v_report.person_id)));
  end if;
end $$;
select private.publish('close_person_report', 'authenticated');

revoke all on private.person_reports from public, anon, authenticated, service_role;
