-- Notifications from the database to people. Only the database writes here.
create table public.user_notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  -- The kind of toast that shows the notification.
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
  -- The values in the title and the message, such as names and amounts.
  params jsonb not null default '{}' check (jsonb_typeof(params) = 'object')
);
create index user_notifications_newest_idx on public.user_notifications (user_id, created_at desc);
create index user_notifications_subscription_idx on public.user_notifications (subscription_id);
alter table public.user_notifications enable row level security;
select private.send_changes('user_notifications');
create policy "People read their own notifications" on public.user_notifications
  for select to authenticated using (user_id = (select auth.uid()));

-- Returns one parameter of an English message as text, as render.ts writes it in other languages. The parameter's name says whether
-- its value is money, coins, a day or a time. Money is in EUR unless the parameter `currency` says otherwise.
create function private.render_param(p_name text, p_value text, p_currency text, p_reader_id uuid) returns text
language plpgsql stable set search_path = '' as $$
begin
  return case
    when p_name in ('amount', 'cost', 'share', 'fee', 'rest') then private.money(p_value::numeric, coalesce(p_currency, 'EUR'))
    when p_name = 'coins' then round(p_value::numeric, 2)::text
    when p_name = 'day' then to_char(p_value::date, 'FMDD FMMonth YYYY')
    when p_name = 'until' then private.moment_in(p_value::timestamptz, private.zone_of(p_reader_id))
    when p_name = 'at' then private.moment_in(p_value::timestamptz, private.zone_of(p_reader_id), 'FMDD FMMonth YYYY, HH24:MI')
    else p_value end;
end $$;

-- Returns the text of a compiled message (private.event_words) with these parameters, for this reader. A missing parameter shows as
-- its name in braces: no payment should fail because a parameter is missing. Tests look for braces.
create function private.render_message(p_message jsonb, p_params jsonb, p_reader_id uuid, p_count text default '') returns text
language plpgsql stable strict set search_path = '' as $$
declare
  v_text text := '';
  v_token jsonb;
  v_forms jsonb;
  v_value text;
begin
  -- Without a query, since many notifications are written together.
  for v_place in 0 .. jsonb_array_length(p_message) - 1 loop
    v_token := p_message -> v_place;
    if jsonb_typeof(v_token) = 'string' then
      v_text := v_text || case v_token #>> '{}' when '#' then p_count else v_token #>> '{}' end;
      continue;
    end if;
    v_forms := v_token -> 2;
    v_value := p_params ->> (v_token ->> 0);
    v_text := v_text || case
      when v_value is null then format('{%s}', v_token ->> 0)
      -- A moment at midnight in the reader's time zone is shown as a day.
      when v_token ->> 1 = 'date' then to_char(v_value::timestamptz at time zone private.zone_of(p_reader_id), 'FMDD FMMonth')
      when v_forms is null then private.render_param(v_token ->> 0, v_value, p_params ->> 'currency', p_reader_id)
      -- The keys of forms have no hyphens.
      else private.render_message(coalesce(v_forms -> replace(v_value, '-', '_'), case v_value when '1' then v_forms -> 'one' end, v_forms -> 'other'),
        p_params, p_reader_id, case v_token ->> 1 when 'plural' then v_value else p_count end) end;
  end loop;
  return v_text;
end $$;

-- Builds one notification; used by bulk senders. The notification's type and title become the toast.
create function private.notice(p_user_id uuid, p_type text, p_subscription_id text, p_event text, p_params jsonb default '{}')
returns public.user_notifications
language plpgsql volatile set search_path = '' as $$
declare
  v_words jsonb := private.event_words(p_event);
  v_notice public.user_notifications;
begin
  v_notice.id := gen_random_uuid();
  v_notice.user_id := p_user_id;
  v_notice.type := p_type;
  v_notice.title := private.render_message(v_words -> 'title', p_params, p_user_id);
  v_notice.message := private.render_message(v_words -> 'message', p_params, p_user_id);
  v_notice.read := false;
  v_notice.subscription_id := p_subscription_id;
  v_notice.created_at := clock_timestamp();
  v_notice.event := p_event;
  v_notice.params := p_params;
  return v_notice;
end $$;

-- Notifies one person; returns the notification's id.
create function private.notify(p_user_id uuid, p_type text, p_subscription_id text, p_event text, p_params jsonb default '{}') returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare v_id uuid;
begin
  insert into public.user_notifications
  select * from private.notice(p_user_id, p_type, p_subscription_id, p_event, p_params) returning id into v_id;
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
