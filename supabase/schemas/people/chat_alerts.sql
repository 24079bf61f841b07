-- Alerts about unread chat messages: at most one mail until the reader opens the chat, and a push at most every ten minutes. On the site,
-- the chat is marked as unread (chat.sql), but the bell shows no notification.

-- Queues a push about an unread chat for each device of its reader, to be sent after p_wait. A device has at most one push waiting for
-- each chat.
create function private.push_chat(p_participant_id uuid, p_user_id uuid, p_wait interval) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.outgoing_pushes (about, session_id, next_attempt_at)
  select p_participant_id, d.session_id, clock_timestamp() + p_wait
  from private.living_push_devices(p_user_id) as d
  where private.is_topic_on(p_user_id, 'messages', 'push') order by d.session_id
  on conflict do nothing;
end $$;

-- Cancels the mail and the pushes that are waiting to announce a chat.
create function private.cancel_chat_notices(p_participant_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.cancel_mail(p_participant_id::text);
  delete from private.outgoing_pushes where about = p_participant_id;
end $$;

-- Alerts the reader when a chat becomes unread. The alert waits a few seconds, because a chat that is open on the reader's screen is
-- marked as read within that time.
create function private.tg_chat_participants__alert() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_chat record;
  v_notice public.user_notifications;
  v_address text;
  v_unsubscribe text;
begin
  perform private.cancel_chat_notices(old.id);
  if tg_op = 'DELETE' or not new.has_unread then return null; end if;
  perform private.push_chat(new.id, new.user_id, '5 seconds');
  select * into v_chat from private.unread_chat(new.id);
  v_notice := v_chat.notice;
  v_address := private.email_of(new.user_id);
  if v_chat.conversation_id is null or not private.is_mailable(v_address) or not private.is_topic_on(new.user_id, 'messages', 'mail') then
    return null;
  end if;
  v_unsubscribe := private.unsubscribe_path(new.user_id);
  perform private.write_mail(v_address, new.user_id, v_notice.event, v_notice.params, '/messages/' || v_chat.conversation_id,
    array[new.id::text, v_chat.conversation_id::text], v_unsubscribe, private.mail_delay());
  return null;
end $$;
create trigger alert after update of has_unread or delete on public.chat_participants
  for each row execute function private.tg_chat_participants__alert();

-- Queues another push when further messages arrive in an unread chat.
create function private.tg_messages__push() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Skip readers without a device: this check costs less than an insert that queues nothing.
  perform private.push_chat(p.id, p.user_id, '10 minutes') from public.chat_participants as p
  where p.conversation_id = new.conversation_id and p.user_id::text <> new.sender_id and p.has_unread
    and exists (select from private.push_devices as d where d.user_id = p.user_id);
  return null;
end $$;
create trigger push after insert on public.messages
  for each row execute function private.tg_messages__push();
