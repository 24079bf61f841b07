-- Requests from people to the operator of the site, and the answers.
create table private.support_requests (
  id uuid primary key default gen_random_uuid(),
  -- Null once the writer's account is closed.
  writer_id uuid references private.user_profiles (user_id) on delete set null,
  request text not null,
  written_at timestamptz not null default private.now(),
  answer text,
  answered_at timestamptz,
  answered_by uuid references private.user_profiles (user_id) on delete set null,
  check ((answered_at is null) = (answer is null))
);
create index support_requests_writer_idx on private.support_requests (writer_id, written_at desc);
create index support_requests_answered_by_idx on private.support_requests (answered_by);
create index support_requests_open_idx on private.support_requests (written_at) where answered_at is null;
alter table private.support_requests enable row level security;
insert into private.rate_limits (action, attempts, window_seconds, requests) values ('support request', 5, 3600, '{}');

-- The maximum length of a request or an answer, in characters.
create function private.longest_support_text() returns integer language sql immutable return 2000;

create function private.support_text(p_text text) returns text
language plpgsql immutable set search_path = '' as $$
declare v_text text := btrim(coalesce(p_text, ''));
begin
  if char_length(v_text) > private.longest_support_text() then
    perform private.refuse('text_too_long', private.longest_support_text()::text);
  elsif private.visible_length(v_text) = 0 then
    perform private.refuse('text_empty');
  end if;
  return v_text;
end $$;

create function private.write_to_support(p_request text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_text text := private.support_text(p_request);
begin
  perform private.spend_attempt('support request');
  perform private.ensure_profile(v_user);
  insert into private.support_requests (writer_id, request) values (v_user, v_text);
  perform private.notify(staff.id, 'info', null, 'support-asked',
    jsonb_build_object('person', (select display_name from private.user_profiles where user_id = v_user), 'request', left(v_text, 200)))
  from private.people_who_may('subscriptions.approve') as staff (id) where staff.id <> v_user;
end $$;
select private.publish('write_to_support', 'authenticated');

-- Returns the acting user's requests, latest first.
create function private.my_support_requests()
returns table (id uuid, request text, written_at timestamptz, answer text, answered_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.id, t.request, t.written_at, t.answer, t.answered_at
  from private.support_requests as t where t.writer_id = private.require_user()
  order by t.written_at desc, t.id limit 100
$$;
select private.publish('my_support_requests', 'authenticated');

create function private.require_support() returns uuid
language plpgsql stable set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    perform private.refuse('only_staff_answers_questions');
  end if;
  return v_user;
end $$;

-- Returns the requests that await an answer, oldest first, or the answered requests, latest first.
create function private.list_support_requests(p_answered boolean default false)
returns table (
  id uuid, writer_id uuid, writer_name text, avatar_url text, request text, written_at timestamptz, answer text,
  answered_at timestamptz, answered_by_name text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_support();
  return query
    select t.id, t.writer_id, writer.display_name, writer.avatar_url, t.request, t.written_at, t.answer, t.answered_at,
      staff.display_name
    from private.support_requests as t
    left join private.user_profiles as writer on writer.user_id = t.writer_id
    left join private.user_profiles as staff on staff.user_id = t.answered_by
    where (t.answered_at is not null) = p_answered
    order by t.answered_at desc, t.written_at, t.id limit 100;
end $$;
select private.publish('list_support_requests', 'authenticated');

-- Answers a request and notifies its writer. Each request is answered only once.
create function private.answer_support_request(p_request_id uuid, p_answer text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_support();
  v_request private.support_requests;
begin
  select * into v_request from private.support_requests where id = p_request_id and answered_at is null for update;
  if not found then
    perform private.refuse('question_not_found');
  elsif v_user is not distinct from v_request.writer_id then
    perform private.refuse('own_question');
  end if;
  update private.support_requests
  set answer = private.support_text(p_answer), answered_at = private.now(), answered_by = v_user
  where id = v_request.id returning * into v_request;
  if v_request.writer_id is not null then
    perform private.mail_notification(
      private.notify(v_request.writer_id, 'info', null, 'support-answered', jsonb_build_object('answer', v_request.answer)),
      '{}', '/help');
  end if;
end $$;
select private.publish('answer_support_request', 'authenticated');

revoke all on private.support_requests from public, anon, authenticated, service_role;
