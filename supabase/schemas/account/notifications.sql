-- Notifications of the database to a person. Only the database writes here.
create table public.user_notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  -- The kind of toast it is shown as.
  type text not null check (type in ('success', 'warning', 'error', 'info')),
  -- The title, in English (see `message` below).
  title text not null,
  -- The news in a sentence or two, in English.
  message text not null,
  -- Whether the person has seen it.
  read boolean not null default false,
  subscription_id text references public.shared_subscriptions (id) on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  -- The kind of event, such as `request-approved`, so that a client can word it in another language.
  event text check (event ~ '^[a-z]+(-[a-z]+)*$'),
  -- The names and numbers in its sentences.
  params jsonb not null default '{}' check (jsonb_typeof(params) = 'object')
);
create index user_notifications_newest_idx on public.user_notifications (user_id, created_at desc);
create index user_notifications_subscription_idx on public.user_notifications (subscription_id);
alter table public.user_notifications enable row level security;
select private.send_changes('user_notifications');
create policy "People read their own notifications" on public.user_notifications
  for select to authenticated using (user_id = (select auth.uid()));

-- Builds one notification; used by bulk senders. p_title and p_type become the toast. functions/_shared/words/events.ts has the
-- words of each event in other languages, which p_params fill in; the English texts here take only moments from them
-- (private.with_moments).
create function private.notice(
  p_user_id uuid, p_type text, p_title text, p_message text, p_subscription_id text,
  p_event text default null, p_params jsonb default '{}'
) returns public.user_notifications
language plpgsql volatile set search_path = '' as $$
declare v_notice public.user_notifications;
begin
  v_notice.id := gen_random_uuid();
  v_notice.user_id := p_user_id;
  v_notice.type := p_type;
  v_notice.title := p_title;
  v_notice.message := private.with_moments(p_message, p_params, p_user_id);
  v_notice.read := false;
  v_notice.subscription_id := p_subscription_id;
  v_notice.created_at := clock_timestamp();
  v_notice.event := p_event;
  v_notice.params := p_params;
  return v_notice;
end $$;

-- Notifies one person; returns the notification's id.
create function private.notify(
  p_user_id uuid, p_type text, p_title text, p_message text, p_subscription_id text,
  p_event text default null, p_params jsonb default '{}'
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare v_id uuid;
begin
  insert into public.user_notifications
  select * from private.notice(p_user_id, p_type, p_title, p_message, p_subscription_id, p_event, p_params) returning id into v_id;
  return v_id;
end $$;

-- Marks the caller's notifications read: the named ones, or all when the list is null.
create function private.mark_notifications_as_read(
  -- Your own id.
  p_user_id uuid,
  -- The ids of the notifications; null for all.
  p_notification_ids uuid[] default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_self(p_user_id);
begin
  update public.user_notifications set read = true
  where user_id = v_user and not read and (p_notification_ids is null or id = any (p_notification_ids));
end $$;
select private.publish('mark_notifications_as_read', 'authenticated');

revoke all on public.user_notifications from public, anon, authenticated;
grant select on public.user_notifications to authenticated;
grant all on public.user_notifications to service_role;
