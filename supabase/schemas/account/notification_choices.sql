-- Notifications outside the site, by mail and push. The bell and the unread chats always show everything, because some of it needs
-- an answer; they cannot be turned off.

-- Topics that a person has turned off, by channel; all other topics are on.
create table private.unwanted_notifications (
  user_id uuid not null references auth.users (id) on delete cascade,
  topic text not null check (topic = any (private.notification_topics())),
  channel text not null check (channel in ('mail', 'push')),
  primary key (user_id, topic, channel)
);
alter table private.unwanted_notifications enable row level security;

create function private.is_topic_on(p_user_id uuid, p_topic text, p_channel text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not exists (
    select from private.unwanted_notifications where user_id = p_user_id and topic = p_topic and channel = p_channel
  );
end $$;

-- The secret in the unsubscribe link, which works without signing in. The secret can do nothing else, so it is not hashed.
create table private.unsubscribe_links (
  user_id uuid primary key references auth.users (id) on delete cascade,
  token text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
alter table private.unsubscribe_links enable row level security;

-- Returns the path of a person's unsubscribe link, which the first call creates.
create function private.unsubscribe_path(p_user_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.unsubscribe_links (user_id) values (p_user_id) on conflict (user_id) do nothing;
  return (select '/unsubscribe/' || token from private.unsubscribe_links where user_id = p_user_id);
end $$;

-- Notifications that stay unread for private.mail_delay() are mailed, but only events that need an answer, and the answers; all
-- others wait at the bell.

-- One mail about a notification, for functions that send many: the notification, the ids of its subjects, and the page its button opens.
create type private.mailing as (id uuid, about text[], path text);

-- Queues a mail with a button for each of these notifications. It is not sent if the notification has been read when the mail is
-- due, or if one of its subjects is over. Events that are always mailed go out immediately. Each row is looked up by its key,
-- because Postgres may have planned this for few rows.
create function private.mail_notifications(p_mailings private.mailing[]) returns void
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  insert into private.unsubscribe_links (user_id)
  select distinct n.user_id from unnest(p_mailings) as m
  cross join lateral (select * from public.user_notifications where id = m.id offset 0) as n
  where not private.is_always_mailed(n.event) and not private.is_guest(n.user_id)
    and not exists (select from private.unsubscribe_links as l where l.user_id = n.user_id)
  on conflict (user_id) do nothing;
  insert into private.outgoing_mail (recipient, about, unsubscribe_path, next_attempt_at, event, params, reader_id, path)
  select u.email, case when always then m.about else m.id::text || m.about end, case when not always then '/unsubscribe/' || l.token end,
    clock_timestamp() + case when always then interval '0' else private.mail_delay() end, n.event, n.params, n.user_id, m.path
  from unnest(p_mailings) with ordinality as m (id, about, path, place)
  cross join lateral (select * from public.user_notifications where id = m.id offset 0) as n
  cross join lateral (select email from auth.users where id = n.user_id offset 0) as u
  left join lateral (select token from private.unsubscribe_links where user_id = n.user_id offset 0) as l on true
  cross join lateral private.is_always_mailed(n.event) as always
  where private.is_mailable(u.email) and (always or private.is_topic_on(n.user_id, private.topic_of(n.event), 'mail'))
  order by m.place;
  perform private.mail_guest(n.user_id, n.event, n.params, m.id::text || m.about, private.mail_delay())
  from unnest(p_mailings) with ordinality as m (id, about, path, place)
  cross join lateral (select * from public.user_notifications where id = m.id offset 0) as n
  join private.guests as g on g.person_id = n.user_id order by m.place;
end $$;

create function private.mail_notification(p_notification_id uuid, p_about text[], p_path text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.mail_notifications(array[(p_notification_id, p_about, p_path)::private.mailing]);
end $$;

-- Cancels the unsent mail about a notification that was read or deleted.
create function private.tg_user_notifications__call_back() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' or new.read then
    perform private.cancel_mail(old.id::text);
  end if;
  return null;
end $$;
create trigger call_back after update of read or delete on public.user_notifications
  for each row execute function private.tg_user_notifications__call_back();

-- Turns topics on or off for one person; mail about topics turned off is removed from the queue.
create function private.change_notifications(p_user_id uuid, p_topics text[], p_channel text, p_wanted boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_link text := (select '/unsubscribe/' || token from private.unsubscribe_links where user_id = p_user_id);
begin
  if coalesce(p_wanted, true) then
    delete from private.unwanted_notifications where user_id = p_user_id and topic = any (p_topics) and channel = p_channel;
    return;
  end if;
  insert into private.unwanted_notifications (user_id, topic, channel)
  select p_user_id, topic, p_channel from unnest(p_topics) as topic on conflict do nothing;
  if p_channel = 'mail' then
    delete from private.outgoing_mail
    where unsubscribe_path = v_link and private.topic_of(event) = any (p_topics)
      and sent_at is null and given_up_at is null;
    update private.outgoing_mail set path = null
    where unsubscribe_path = v_link and private.topic_of(event) = any (p_topics) and given_up_at is not null;
  end if;
end $$;

-- The acting user's choices for each topic.
create function private.get_notification_choices() returns table (topic text, mail boolean, push boolean)
language sql stable security definer set search_path = '' as $$
  select t.name, private.is_topic_on(private.require_user(), t.name, 'mail'), private.is_topic_on(private.require_user(), t.name, 'push')
  from unnest(private.notification_topics()) with ordinality as t (name, place) order by t.place
$$;
select private.publish('get_notification_choices', 'authenticated');

-- Changes the acting user's choices. Raises 23514 for an unknown topic or channel.
create function private.choose_notifications(p_topic text, p_channel text, p_wanted boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if (p_topic = any (private.notification_topics()) and p_channel in ('mail', 'push') and p_wanted is not null) is not true then
    perform private.refuse('notification_choice_unknown');
  end if;
  perform private.change_notifications(v_user, array[p_topic], p_channel, p_wanted);
end $$;
select private.publish('choose_notifications', 'authenticated');

-- Returns whether the acting user gets notifications of any topic by mail.
create function private.get_mail_preference() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(bool_or(private.is_topic_on((select auth.uid()), topic, 'mail')), true) from unnest(private.notification_topics()) as topic
$$;
select private.publish('get_mail_preference', 'authenticated');

-- Turns mail about all topics on or off for the acting user.
create function private.set_mail_preference(p_notifications boolean) returns void
language sql volatile security definer set search_path = '' as $$
  select private.change_notifications(private.require_user(), private.notification_topics(), 'mail', p_notifications)
$$;
select private.publish('set_mail_preference', 'authenticated');

-- Like set_mail_preference(), for anyone with the link from a mail, signed in or not. Raises PT404 for an unknown link.
create function private.set_mail_preference_by_link(p_token text, p_notifications boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := (select user_id from private.unsubscribe_links where token = p_token);
begin
  if v_user is null then
    if not private.stop_guest_mails(p_token, not coalesce(p_notifications, true)) then
      perform private.refuse('link_unknown');
    end if;
    return;
  end if;
  perform private.change_notifications(v_user, private.notification_topics(), 'mail', p_notifications);
end $$;
-- Visitors may call this too: the link in a mail works without signing in.
select private.publish('set_mail_preference_by_link', 'anon', 'authenticated');

revoke all on private.unwanted_notifications, private.unsubscribe_links from public, anon, authenticated, service_role;
