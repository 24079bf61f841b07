-- Cases: what people bring to the staff, each decided once. A question to the site, a report of a person or of what they have published,
-- or an appeal against a decision (decisions.sql). Everybody can report, with or without an account (Regulation (EU) 2022/2065, Art. 16).

-- The maximum length of what people write to the staff, and of the answer, in characters.
create function private.longest_case_text() returns integer
language sql immutable return 2000;
-- How long the only member of staff who may decide an appeal against their own decision waits before deciding again.
create function private.own_appeal_wait() returns interval
language sql immutable return interval '24 hours';
-- The number of reports that may be open from one address without an account, or about one thing without an address, and of reports
-- without an account that the site takes in an hour. A flood would otherwise fill the list, and mail receipts to strangers.
create function private.most_open_by_address() returns integer
language sql immutable return 3;
create function private.most_reports_without_account() returns integer
language sql immutable return 60;

create table public.cases (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('question', 'person', 'picture', 'plan', 'review', 'message', 'appeal')),
  -- The person whom the case is about; null for a question. They are not told of a report, and cannot prevent one by blocking the writer.
  person_id uuid references private.user_profiles (user_id) on delete cascade,
  -- The id of the reported plan, review or message, or of the decision.
  subject_id text,
  -- What was reported, as it was then: a text, or the address of a picture.
  content text,
  -- Null once the writer's account is deleted, or has taken over the place of the guest who reported.
  writer_id uuid references private.user_profiles (user_id) on delete set null,
  -- Whether a guest of the person reported them.
  by_guest boolean not null default false,
  -- How a writer without an account wants to be called and told.
  writer_name text check (char_length(writer_name) between 1 and private.longest_full_name()),
  writer_email text check (char_length(writer_email) <= private.longest_address()),
  language text check (private.is_language(language)),
  -- What a report says is wrong.
  claim text check (claim in ('fraud', 'abuse', 'rights', 'children', 'illegal', 'terms')),
  body text not null,
  opened_at timestamptz not null default private.now(),
  closed_at timestamptz,
  closed_by uuid references private.user_profiles (user_id) on delete set null,
  -- What came of it: an answer to a question, nothing, a decision by its measure, or whether the decision was upheld.
  outcome text,
  -- The answer to the writer, or what staff found.
  answer text,
  check (num_nulls(closed_at, outcome, answer) in (0, 3))
);
create unique index cases_one_open_key on public.cases (kind, coalesce(subject_id, person_id::text), coalesce(writer_id::text, writer_email))
  where closed_at is null and kind <> 'question';
create index cases_person_idx on public.cases (person_id);
create index cases_writer_idx on public.cases (writer_id, opened_at desc);
create index cases_closed_by_idx on public.cases (closed_by);
create index cases_subject_idx on public.cases (subject_id);
create index cases_open_idx on public.cases (opened_at) where closed_at is null;
create index cases_without_account_idx on public.cases (opened_at) where writer_id is null;
alter table public.cases enable row level security;
select private.send_changes('cases');
create policy "Staff sees when the cases of others come and close" on public.cases
  for select to authenticated using ((select private.may('subscriptions.approve'))
    and person_id is distinct from (select auth.uid()) and writer_id is distinct from (select auth.uid()));

insert into private.rate_limits (action, attempts, window_seconds, requests) values ('support request', 5, 3600, '{}');

-- Trims what somebody writes to the staff, or the answer. Raises 23514 if it is too long or empty.
create function private.case_text(p_text text) returns text
language plpgsql immutable set search_path = '' as $$
declare v_text text := btrim(coalesce(p_text, ''));
begin
  if char_length(v_text) > private.longest_case_text() then
    perform private.refuse('text_too_long', private.longest_case_text()::text);
  elsif private.visible_length(v_text) = 0 then
    perform private.refuse('text_empty');
  end if;
  return v_text;
end $$;

-- Tells staff, but not the writer, of a question or an appeal.
create function private.tell_staff_of_case(p_writer_id uuid, p_body text, p_permission text default 'subscriptions.approve') returns void
language sql volatile security definer set search_path = '' as $$
  select private.notify(staff.id, 'info', null, 'support-asked', jsonb_build_object('request', left(p_body, 200),
    'person', (select display_name from private.user_profiles where user_id = p_writer_id)))
  from private.people_who_may(p_permission) as staff (id) where staff.id <> p_writer_id
$$;

create function private.write_to_support(p_request text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_text text := private.case_text(p_request);
begin
  perform private.spend_attempt('support request');
  perform private.ensure_profile(v_user);
  insert into public.cases (kind, writer_id, body) values ('question', v_user, v_text);
  perform private.tell_staff_of_case(v_user, v_text);
end $$;
select private.publish('write_to_support', 'authenticated');

-- Returns the acting user's questions, latest first.
create function private.my_support_requests()
returns table (id uuid, request text, written_at timestamptz, answer text, answered_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select c.id, c.body, c.opened_at, c.answer, c.closed_at
  from public.cases as c where c.writer_id = private.require_user() and c.kind = 'question'
  order by c.opened_at desc, c.id limit 100
$$;
select private.publish('my_support_requests', 'authenticated');

-- Returns whom a report is about, the id of the reported thing and what it says. Raises PT404 if the reader, or a visitor, cannot see it.
-- People can report whoever has blocked them.
create function private.reported_thing(
  p_kind text, p_subject text, p_reader_id uuid, out person_id uuid, out subject_id text, out content text
)
language plpgsql stable security definer set search_path = '' as $$
declare v_id uuid := private.uuid_in(p_subject);
begin
  case p_kind
    when 'person', 'picture' then
      select p.user_id, null, case p_kind when 'picture' then p.avatar_url else p.display_name end
      into person_id, subject_id, content
      from private.user_profiles as p where p.user_id = v_id and p.deleted_at is null and p.guest_of is null
        and (p_reader_id is not null or private.may_meet(p.user_id));
      if content is null then
        perform private.refuse(case when person_id is null then 'person_not_found' else 'picture_not_found' end);
      end if;
    when 'plan' then
      select p.owner_id, p.id, concat_ws(E'\n', p.provider || ' ' || p.name, nullif(p.description, ''), p.website, p.note)
      into person_id, subject_id, content
      from public.shared_subscriptions as p left join private.plan_links as l on l.subscription_id = p.id and l.token = p_subject
      where p.id = coalesce((select subscription_id from private.plan_links where token = p_subject), private.plan_of_code(p_subject), p_subject)
        and (private.may_find(p) or l.token is not null or p.owner_id = p_reader_id
        or exists (select from private.seats as s where s.subscription_id = p.id and s.member_id = p_reader_id));
      if not found then
        perform private.refuse('plan_not_found');
      end if;
    when 'review' then
      select r.author_id, r.id::text, concat_ws(E'\n', r.rating || '/5', nullif(r.body, ''), r.answer)
      into person_id, subject_id, content
      from private.seat_reviews as r where r.id = v_id and private.is_shown_review(r) and private.may_meet(r.subject_id);
      if not found then
        perform private.refuse('review_not_found');
      end if;
    when 'message' then
      select sender.user_id, m.id::text, m.content into person_id, subject_id, content
      from public.messages as m join public.conversations as c on c.id = m.conversation_id
      join private.user_profiles as sender on sender.user_id::text = m.sender_id
      where m.id = v_id and p_reader_id in (c.owner_id, c.member_id) and not m.is_removed;
      if not found then
        perform private.refuse('message_not_found');
      end if;
    else
      perform private.refuse('report_kind_unknown');
  end case;
end $$;

-- Files a report, and returns whether it is the writer's only open one about the same thing.
create function private.file_report(p_case public.cases) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.cases (kind, person_id, subject_id, content, writer_id, by_guest, writer_name, writer_email, language, claim, body)
  values (p_case.kind, p_case.person_id, p_case.subject_id, p_case.content, p_case.writer_id, coalesce(p_case.by_guest, false),
    p_case.writer_name, p_case.writer_email, p_case.language, p_case.claim, private.case_text(p_case.body))
  on conflict do nothing;
  return found;
end $$;

-- Reports a person, their picture, a plan, a review or a message, by its id; a plan also by the part of its link after /p/. p_claim is `fraud`, `abuse`, `rights`, `children`, `illegal` or `terms`.
-- Without an account, name, address and the statement that the report is made in good faith are needed; name and address are not for
-- reports of child abuse. The receipt is sent at once.
create function private.report(
  p_kind text, p_subject text, p_claim text, p_body text, p_name text default null, p_email text default null,
  p_language text default null, p_good_faith boolean default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_case public.cases;
  v_about record;
begin
  if not (select takes_reports from public.app_settings) then
    perform private.refuse('reports_off');
  elsif (p_claim in ('fraud', 'abuse', 'rights', 'children', 'illegal', 'terms')) is not true then
    perform private.refuse('claim_missing');
  end if;
  v_case.body := private.case_text(p_body);
  if v_user is null then
    if p_good_faith is not true then
      perform private.refuse('good_faith_missing');
    end if;
    v_case.writer_name := left(nullif(btrim(p_name), ''), private.longest_full_name());
    if p_claim <> 'children' or coalesce(btrim(p_email), '') <> '' then
      v_case.writer_email := private.require_address(p_email);
    end if;
    if p_claim <> 'children' and private.visible_length(v_case.writer_name) = 0 then
      perform private.refuse('name_missing');
    end if;
    v_case.language := case when private.is_language(p_language) then p_language end;
  else
    perform private.spend_attempt('person report');
    perform private.ensure_profile(v_user);
  end if;
  select * into v_about from private.reported_thing(p_kind, p_subject, v_user);
  if v_about.person_id = v_user then
    perform private.refuse('own_content_reported');
  end if;
  v_case.kind := p_kind;
  v_case.person_id := v_about.person_id;
  v_case.subject_id := v_about.subject_id;
  v_case.content := v_about.content;
  v_case.writer_id := v_user;
  v_case.claim := p_claim;
  if v_user is null then
    -- Reports that come at the same time wait for each other, so that the counts hold. Those without an address count by what they are about.
    perform pg_advisory_xact_lock(hashtext('report without account'));
    if (select count(*) from public.cases where writer_id is null and kind <> 'question' and opened_at > private.now() - interval '1 hour')
        >= private.most_reports_without_account()
      or (select count(*) from public.cases where writer_id is null and not by_guest and closed_at is null
          and case when v_case.writer_email is not null then writer_email = v_case.writer_email
            else writer_email is null and kind = v_case.kind and coalesce(subject_id, person_id::text) = coalesce(v_case.subject_id, v_case.person_id::text) end)
        >= private.most_open_by_address() then
      perform private.refuse('too_many_reports');
    end if;
  end if;
  if not private.file_report(v_case) then
    perform private.refuse('already_reported');
  end if;
  -- The receipt names nothing: without an account, it goes to an address that nobody has confirmed.
  perform private.tell_reporter(v_case, 'report-received', '{}');
end $$;
select private.publish('report', 'anon', 'authenticated');

-- Tells whoever reported something, in the app or by mail. Nobody is told who has given no address, or whose account is closed.
create function private.tell_reporter(p_case public.cases, p_event text, p_params jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_case.writer_id is not null and not private.is_guest(p_case.writer_id) then
    perform private.mail_notification(private.notify(p_case.writer_id, 'info', null, p_event, p_params), '{}', '/help');
  elsif p_case.writer_email is not null then
    perform private.write_mail(p_case.writer_email, null, p_event, p_params || jsonb_build_object('language', p_case.language), '/report');
  end if;
end $$;

create function private.require_case_worker() returns uuid
language plpgsql stable set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    perform private.refuse('only_staff_decides');
  end if;
  return v_user;
end $$;

-- Returns the people who have a stake in a case: whom it is about, who wrote it, who reported what an appeal is about, and whom the review
-- in question is about.
create function private.people_of_case(p_case public.cases) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select array_remove(array[p_case.person_id, p_case.writer_id, report.writer_id, r.subject_id], null)
  from (select) as one
  left join private.decisions as d on p_case.kind = 'appeal' and d.id = private.uuid_in(p_case.subject_id)
  left join public.cases as report on report.id = d.case_id
  left join private.seat_reviews as r on r.id = private.uuid_in(
    case when p_case.kind = 'review' then p_case.subject_id when d.measure = 'review-hidden' then d.subject_id end)
$$;

-- Returns from when a member of staff may close a case: at once, or never (`infinity`), because they have a stake in it, because their role
-- does not allow the decision, or because the appeal is against their own decision and somebody else may decide it. If nobody else may, they
-- decide it again after private.own_appeal_wait().
create function private.may_close_from(p_case public.cases, p_user_id uuid) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
declare
  v_people uuid[] := private.people_of_case(p_case);
  v_decision private.decisions;
begin
  if p_user_id = any (v_people) then return 'infinity'; end if;
  if p_case.kind <> 'appeal' then return p_case.opened_at; end if;
  select * into v_decision from private.decisions where id = private.uuid_in(p_case.subject_id);
  return case
    when not private.may(private.permission_for(v_decision.measure)) then 'infinity'
    when v_decision.decided_by is distinct from p_user_id then p_case.opened_at
    when exists (select from private.people_who_may(private.permission_for(v_decision.measure)) as other (id)
      where other.id <> all (v_people || p_user_id) and other.id in (select private.people_who_may('subscriptions.approve')) and not private.is_suspended(other.id)) then 'infinity'
    else p_case.opened_at + private.own_appeal_wait() end;
end $$;

-- Returns whether a conversation is between the reported person and the reporter. A report opens only these conversations to staff.
create function private.is_reported_chat(p_case public.cases, p_conversation public.conversations) returns boolean
language sql immutable as $$
  select p_case.kind <> 'question' and (p_conversation.owner_id, p_conversation.member_id)
    in ((p_case.person_id, p_case.writer_id), (p_case.writer_id, p_case.person_id))
$$;

-- Returns up to ten of the person's plans as JSON: first the reported one, then those in which the reporter has or had a place, then the
-- newest.
create function private.plans_of_case(p_case public.cases) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', plan.id, 'name', plan.name, 'status', plan.status, 'members', plan.current_members,
    'isShared', plan.is_shared) order by plan.is_reported desc, plan.is_shared desc, plan.created_at desc), '[]')
  from (
    select p.id, p.provider || ' ' || p.name as name, p.status, p.current_members, p.created_at, p.id = p_case.subject_id as is_reported, exists (
      select from private.seats as s where s.subscription_id = p.id and s.member_id = p_case.writer_id) as is_shared
    from public.shared_subscriptions as p where p.owner_id = p_case.person_id
    order by is_reported desc, is_shared desc, p.created_at desc limit 10
  ) as plan
$$;

-- Returns what staff decided about a person before this time, latest first, as JSON: decisions, and reports that led to none.
create function private.history_of(p_person_id uuid, p_before timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('measure', one.measure, 'params', one.params, 'finding', one.finding, 'decidedAt', one.at,
    'undone', one.undone) order by one.at desc), '[]')
  from (
    select d.measure, private.decision_params(d) as params, null as finding, d.decided_at as at, d.undone_at is not null as undone
    from private.decisions as d where d.person_id = p_person_id and d.decided_at < p_before
    union all
    select c.outcome, null, c.answer, c.closed_at, false
    from public.cases as c where c.person_id = p_person_id and c.kind <> 'appeal' and c.closed_at < p_before
      and not exists (select from private.decisions as d where d.case_id = c.id)
  ) as one
$$;

-- Returns the open cases, oldest first, or the closed ones, latest first, at most 100; optionally only those by or about one person. Staff
-- do not see their own cases. Each includes the person's plans, what staff decided about them before, and how many earlier reports of the
-- reporter led to nothing; an appeal also the decision.
create function private.list_cases(p_closed boolean default false, p_person uuid default null)
returns table (
  id uuid, kind text, person_id uuid, person_name text, avatar_url text, suspended_until timestamptz,
  writer_id uuid, writer_name text, writer_email text, unfounded integer, claim text, body text, subject_id text, content text,
  opened_at timestamptz, closed_at timestamptz, closed_by_name text, outcome text, answer text, has_chat boolean, plans jsonb, earlier jsonb,
  decision jsonb, may_close_from timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_case_worker();
begin
  return query
    select c.id, c.kind, c.person_id, person.display_name, person.avatar_url,
      (select u.banned_until from auth.users as u where u.id = c.person_id and u.banned_until > now()),
      c.writer_id, coalesce(writer.display_name, c.writer_name), c.writer_email,
      (select count(*)::integer from public.cases as o
        where (o.writer_id = c.writer_id or o.writer_email = c.writer_email) and o.outcome = 'none' and o.closed_at < coalesce(c.closed_at, 'infinity')),
      c.claim, c.body, c.subject_id, c.content, c.opened_at, c.closed_at, closer.display_name, c.outcome, c.answer,
      c.closed_at is null and exists (select from public.conversations as chat where private.is_reported_chat(c, chat)),
      case when c.kind <> 'question' then private.plans_of_case(c) else '[]' end,
      case when c.kind <> 'question' then private.history_of(c.person_id, coalesce(c.closed_at, 'infinity')) else '[]' end,
      (select private.decision_params(d) || jsonb_build_object('decidedAt', d.decided_at, 'decidedBy',
          (select p.display_name from private.user_profiles as p where p.user_id = d.decided_by))
        from private.decisions as d where c.kind = 'appeal' and d.id = private.uuid_in(c.subject_id)),
      case when c.closed_at is null then private.may_close_from(c, v_user) end
    from public.cases as c
    left join private.user_profiles as person on person.user_id = c.person_id
    left join private.user_profiles as writer on writer.user_id = c.writer_id
    left join private.user_profiles as closer on closer.user_id = c.closed_by
    where (c.closed_at is not null) = p_closed and v_user <> all (private.people_of_case(c))
      and (p_person is null or p_person in (c.person_id, c.writer_id))
    order by c.closed_at desc, c.opened_at, c.id limit 100;
end $$;
select private.publish('list_cases', 'authenticated');

-- Locks an open case and returns it. Refuses members of staff whose own case it is.
create function private.lock_case(p_case_id uuid, p_user_id uuid) returns public.cases
language plpgsql volatile security definer set search_path = '' as $$
declare v_case public.cases;
begin
  select * into v_case from public.cases where id = p_case_id and closed_at is null for update;
  if not found then
    perform private.refuse('case_not_found');
  elsif p_user_id = any (private.people_of_case(v_case)) then
    perform private.refuse('own_case');
  end if;
  return v_case;
end $$;

-- Returns the latest messages between the reported person and the reporter of an open report, oldest first. The staff log records each
-- reading.
create function private.read_reported_chat(p_case_id uuid)
returns table (id uuid, plan text, is_reporter boolean, content text, written_at timestamptz)
language plpgsql volatile security definer set search_path = '' as $$
declare v_case public.cases := private.lock_case(p_case_id, private.require_case_worker());
begin
  perform private.log_staff('reported chat read', v_case.person_id::text,
    jsonb_build_object('reporter', v_case.writer_id, 'report', v_case.id));
  return query
    select latest.* from (
      select m.id, s.provider || ' ' || s.name, m.sender_id = v_case.writer_id::text, m.content, m.created_at
      from public.conversations as c join public.messages as m on m.conversation_id = c.id
      join public.shared_subscriptions as s on s.id = c.subscription_id
      where private.is_reported_chat(v_case, c) and m.message_type <> 'system'
      order by m.created_at desc, m.id limit 200
    ) as latest (id, plan, is_reporter, content, written_at) order by latest.written_at, latest.id;
end $$;
select private.publish('read_reported_chat', 'authenticated');

-- Closes a case. The outcome of a question is `answered`; of an appeal `upheld` or `reversed`; of a report `none` or the measure of a
-- decision, with its reasons. p_answer is for the writer; only a decision needs none. p_plan_id is the plan to hide, if a person was
-- reported; p_days the length of a suspension, null for one without an end.
create function private.close_case(
  p_case_id uuid, p_outcome text, p_answer text default null, p_reasons jsonb default null, p_plan_id text default null,
  p_days integer default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_case_worker();
  v_case public.cases := private.lock_case(p_case_id, v_user);
  v_decides boolean := v_case.kind not in ('question', 'appeal') and p_outcome <> 'none';
  v_decision private.decisions;
  v_from timestamptz := private.may_close_from(v_case, v_user);
begin
  if (case v_case.kind when 'question' then p_outcome = 'answered' when 'appeal' then p_outcome in ('upheld', 'reversed')
    else p_outcome in ('none', 'warned', 'suspended')
      or p_outcome = case v_case.kind when 'person' then 'plan-hidden' when 'plan' then 'plan-hidden' when 'review' then 'review-hidden'
        when 'message' then 'message-removed' else 'picture-removed' end end) is not true then
    perform private.refuse('measure_unknown');
  elsif v_case.kind = 'appeal' then
    select * into v_decision from private.decisions where id = private.uuid_in(v_case.subject_id) for update;
    if not private.may(private.permission_for(v_decision.measure)) then
      perform private.refuse('only_admins');
    end if;
  -- The person may have chosen another picture since, which nobody has reported.
  elsif p_outcome = 'picture-removed' and not exists (
    select from private.user_profiles where user_id = v_case.person_id and avatar_url = v_case.content) then
    perform private.refuse('picture_not_found');
  end if;
  if v_from = 'infinity' then
    perform private.refuse('own_decision_appealed');
  elsif v_from > private.now() then
    perform private.refuse('own_appeal_too_early', private.hours_of(private.own_appeal_wait())::text);
  end if;
  if v_decides then
    perform private.make_decision(v_case.person_id, p_outcome, p_reasons,
      case when p_outcome not in ('warned', 'suspended') then coalesce(v_case.subject_id, p_plan_id) end, p_days, v_case.id);
  end if;
  if p_outcome = 'reversed' then
    perform private.undo_decision(v_decision);
  end if;
  update public.cases set closed_at = private.now(), outcome = p_outcome, closed_by = (select user_id from private.user_profiles where user_id = v_user),
    answer = case when v_decides then btrim(coalesce(p_answer, '')) else private.case_text(p_answer) end
  where id = v_case.id returning * into v_case;
  case v_case.kind
    when 'question' then
      if v_case.writer_id is not null then
        perform private.mail_notification(
          private.notify(v_case.writer_id, 'info', null, 'support-answered', jsonb_build_object('answer', v_case.answer)), '{}', '/help');
      end if;
    when 'appeal' then
      perform private.mail_notification(
        private.notify(v_case.person_id, case p_outcome when 'reversed' then 'success' else 'warning' end, null, 'appeal-decided',
          jsonb_build_object('id', v_decision.id, 'outcome', p_outcome, 'answer', v_case.answer, 'again', v_decision.decided_by is not distinct from v_user)),
        '{}', private.decision_path(v_decision.id));
    else
      perform private.tell_reporter(v_case, 'report-decided', jsonb_build_object('outcome', case when v_decides then 'decided' else 'none' end,
        'plan', case v_case.kind when 'plan' then split_part(v_case.content, E'\n', 1) else '' end, 'kind', v_case.kind, 'answer', case when v_decides then '' else v_case.answer end,
        'ground', coalesce(p_reasons ->> 'ground', ''), 'clause', coalesce(p_reasons ->> 'clause', ''),
        'person', (select case when v_case.writer_id is null then private.first_name(display_name) else display_name end
          from private.user_profiles where user_id = v_case.person_id)));
  end case;
end $$;
select private.publish('close_case', 'authenticated');

create function private.tg_cases__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('case closed', coalesce(new.person_id, new.writer_id, new.id)::text, jsonb_build_object('case', new.id, 'type', new.kind,
    'reporter', new.writer_id, 'request', new.body, 'decision', nullif(new.outcome, 'none'), 'answer', nullif(new.answer, '')));
  return null;
end $$;
create trigger log_staff after update of closed_at on public.cases
  for each row when (old.closed_at is null and new.closed_at is not null) execute function private.tg_cases__log_staff();

-- Staff read the contents of cases with list_cases().
revoke all on public.cases from public, anon, authenticated, service_role;
grant select (id, opened_at, closed_at) on public.cases to authenticated;
