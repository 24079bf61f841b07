-- What reaches people outside the site. The bell and the unread chats always show everything, because some of it needs an
-- answer; nobody can turn those off.

-- What notifications are about, in the order of the settings page.
create function private.notification_topics() returns text[]
language sql immutable set search_path = '' as $$ select array['messages', 'places', 'alerts', 'money', 'access', 'team'] $$;

-- The topic of an event.
create function private.topic_of(p_event text) returns text
language sql immutable
return case
  when p_event in ('chat-message', 'question-asked') then 'messages'
  when p_event = 'plan-found' then 'alerts'
  when p_event ~ '^(problem|access|password)-' then 'access'
  when p_event ~ '^(payment|payout|refund|withdrawal|wallet|coins|money)-' or p_event in
    ('member-says-paid', 'member-paid', 'member-debited', 'owner-owes-you', 'you-owe-member', 'owed-settled', 'renewal-coming',
    'contract-withdrawn') then 'money'
  when p_event ~ '^(plan|provider-request|admin-access)-(approved|rejected)$' or p_event in
    ('review-waits', 'reviews-shown', 'review-hidden', 'report-read', 'support-asked', 'support-answered') then 'team'
  else 'places'
end;

-- Is this event mailed at once to everybody, read or not, turned off or not? So is what announces a charge, and the receipt of a
-- withdrawal.
create function private.is_always_mailed(p_event text) returns boolean
language sql immutable
return coalesce(p_event in ('renewal-coming', 'payment-debit-coming', 'payment-under-way', 'contract-withdrawn'), false);

-- What a person has turned off, and on which channel; they get everything else.
create table private.unwanted_notifications (
  user_id uuid not null references auth.users (id) on delete cascade,
  topic text not null check (topic = any (private.notification_topics())),
  channel text not null check (channel in ('mail', 'push')),
  primary key (user_id, topic, channel)
);
alter table private.unwanted_notifications enable row level security;

create function private.wants(p_user_id uuid, p_topic text, p_channel text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not exists (
    select from private.unwanted_notifications where user_id = p_user_id and topic = p_topic and channel = p_channel
  );
end $$;

-- The secret in the unsubscribe link, which works without signing in. It can do nothing else, so it is stored in the clear.
create table private.unsubscribe_links (
  user_id uuid primary key references auth.users (id) on delete cascade,
  token text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
alter table private.unsubscribe_links enable row level security;

-- A person's unsubscribe token, created on first use.
create function private.unsubscribe_path(p_user_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_path text;
begin
  insert into private.unsubscribe_links (user_id) values (p_user_id)
  on conflict (user_id) do update set user_id = excluded.user_id
  returning '/unsubscribe/' || token into v_path;
  return v_path;
end $$;

-- Mail for people who are away: what a notification says, if they have not read it after ten minutes. It is for what needs an
-- answer, and for the answers; everything else waits at the bell.

-- Mails a notification with a button to p_path, unless it has been read by then or something in p_about is over. What is always
-- mailed goes at once.
create function private.mail_notification(p_notification_id uuid, p_about text[], p_action text, p_path text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_told public.user_notifications;
  v_address text;
  v_always boolean;
  v_unsubscribe text;
begin
  select * into v_told from public.user_notifications where id = p_notification_id;
  v_address := private.email_of(v_told.user_id);
  v_always := private.is_always_mailed(v_told.event);
  if not private.is_mailable(v_address) or not (v_always or private.wants(v_told.user_id, private.topic_of(v_told.event), 'mail')) then
    return;
  end if;
  if not v_always then
    v_unsubscribe := private.unsubscribe_path(v_told.user_id);
  end if;
  perform private.write_mail(v_address, v_told.user_id, v_told.message, jsonb_build_object(
    'heading', v_told.title,
    'sentences', jsonb_build_array(v_told.message),
    'action', p_action,
    'path', p_path,
    'small_print', 'You can also find this in your Potluck notifications.',
    'closing', case when v_told.event = 'contract-withdrawn' then 'You always get this email after a withdrawal.'
      when v_always then 'You always get this email before a charge.'
      else 'You get this email because you hadn’t read it on Potluck yet.' end
  ), v_told.event, v_told.params, case when v_always then p_about else p_notification_id::text || p_about end, v_unsubscribe,
    case when v_always then interval '0' else interval '10 minutes' end);
end $$;

-- A notification that has been read, or is gone, needs no mail.
create function private.tg_user_notifications__call_back() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' or new.read then
    perform private.call_back_mail(old.id::text);
  end if;
  return null;
end $$;
create trigger call_back after update of read or delete on public.user_notifications
  for each row execute function private.tg_user_notifications__call_back();

-- Turns topics on or off for one person, and drops queued mail about them.
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
  end if;
end $$;

-- The acting user's choices, topic by topic.
create function private.get_notification_choices() returns table (topic text, mail boolean, push boolean)
language sql stable security definer set search_path = '' as $$
  select t.name, private.wants(private.require_user(), t.name, 'mail'), private.wants(private.require_user(), t.name, 'push')
  from unnest(private.notification_topics()) with ordinality as t (name, place) order by t.place
$$;
select private.publish('get_notification_choices', 'authenticated');

-- Changes the acting user's choices. Raises 23514 for an unknown topic or channel.
create function private.choose_notifications(p_topic text, p_channel text, p_wanted boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if (p_topic = any (private.notification_topics()) and p_channel in ('mail', 'push') and p_wanted is not null) is not true then
    raise exception 'This choice doesn’t exist' using errcode = '23514';
  end if;
  perform private.change_notifications(v_user, array[p_topic], p_channel, p_wanted);
end $$;
select private.publish('choose_notifications', 'authenticated');

-- Whether the acting user gets any of these mails.
create function private.get_mail_preference() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(bool_or(private.wants((select auth.uid()), topic, 'mail')), true) from unnest(private.notification_topics()) as topic
$$;
select private.publish('get_mail_preference', 'authenticated');

-- Turns all of them on or off for the acting user.
create function private.set_mail_preference(p_notifications boolean) returns void
language sql volatile security definer set search_path = '' as $$
  select private.change_notifications(private.require_user(), private.notification_topics(), 'mail', p_notifications)
$$;
select private.publish('set_mail_preference', 'authenticated');

-- The same for anyone with the link from a mail, signed in or not. Raises PT404 for an unknown link.
create function private.set_mail_preference_by_link(p_token text, p_notifications boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := (select user_id from private.unsubscribe_links where token = p_token);
begin
  if v_user is null then
    raise exception 'This link doesn’t work' using errcode = 'PT404';
  end if;
  perform private.change_notifications(v_user, private.notification_topics(), 'mail', p_notifications);
end $$;
select private.publish('set_mail_preference_by_link', 'anon', 'authenticated');

revoke all on private.unwanted_notifications, private.unsubscribe_links from public, anon, authenticated, service_role;
-- Visitors use the link of a mail.
