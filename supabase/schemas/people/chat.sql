-- The maximum length of a chat message, as counted by private.characters().
create function private.longest_message() returns integer
language sql immutable return 1000;
grant execute on function private.longest_message() to authenticated, service_role;

-- Conversations, one between a plan's owner and each member. A conversation is archived when the member's place ends. A question or a
-- join request can start it before the member has a place (questions.sql).
create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  owner_id uuid not null references private.user_profiles (user_id) on delete cascade,
  member_id uuid not null references private.user_profiles (user_id) on delete cascade,
  -- Whether no more messages can be written.
  archived boolean not null default false,
  -- Whether the member of this conversation has had no place yet.
  is_question boolean not null default false,
  -- When a question closes if it leads to no request; null for other conversations.
  question_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (subscription_id, owner_id, member_id),
  check (owner_id <> member_id)
);
create index conversations_owner_idx on public.conversations (owner_id);
create index conversations_member_idx on public.conversations (member_id);
create index conversations_question_idx on public.conversations (question_until) where question_until is not null;
alter table public.conversations enable row level security;
select private.send_changes('conversations');
create policy "Both sides see their conversation" on public.conversations
  for select to authenticated using (owner_id = (select auth.uid()) or member_id = (select auth.uid()));

-- Returns the number of characters as people see them. Marks, skin tones, tags, invisible characters and joined emoji belong to the
-- character before them, and two regional letters are one flag. Every ten code points count as at least one character; otherwise a text of
-- invisible characters could be of any length. No known character needs more than ten. The web app's chat counts in the same way
-- (message-text.ts; a test compares the two). The function is in PL/pgSQL so that Postgres does not inline it: otherwise, each insert of a
-- message would parse and plan these expressions for its CHECK.
create function private.characters(p_text text) returns integer
language plpgsql immutable set search_path = '' as $$
begin
  if octet_length(p_text) = char_length(p_text) then return char_length(p_text); end if;
  return greatest(
    ceil(char_length(p_text) / 10.0)::integer,
    char_length(regexp_replace(
      regexp_replace(p_text,
        '\u200d[\u2190-\u2bff\U0001f000-\U0001faff]?'
        '|[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
        '\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0e31'
        '\u0e34-\u0e3a\u0e47-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069'
        '\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]', '', 'g'),
      '[\U0001f1e6-\U0001f1ff]{2}', 'x', 'g'))
  );
end $$;

-- Messages of a conversation: from one side to the other, announcements of the owner to all members, and notes by the server.
create table public.messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  -- The id of the writer, or the word `system` for a note by the server.
  sender_id text not null,
  -- The text of the message.
  content text not null check (content <> '' and private.characters(content) <= private.longest_message()),
  -- An `announcement` is a message from the owner to all members.
  message_type text not null default 'user' check (message_type in ('user', 'announcement', 'system')),
  -- The delivery status and the number of retries.
  metadata jsonb not null default '{"status": "delivered", "retry_count": 0}' check (
    pg_column_size(metadata) < 2000 and coalesce(metadata ->> 'status', '') in ('sent', 'delivered')
    and coalesce(jsonb_typeof(metadata -> 'retry_count'), '') = 'number'
  ),
  created_at timestamptz not null default clock_timestamp(),
  -- Whether staff have removed the text (staff/decisions.sql).
  is_removed boolean not null default false,
  check ((message_type = 'system') = (sender_id = 'system'))
);
create index messages_conversation_idx on public.messages (conversation_id, created_at, id);
alter table public.messages enable row level security;
select private.send_changes('messages');
create policy "Both sides read the messages" on public.messages
  for select to authenticated using (
    exists (
      select 1 from public.conversations as c
      where c.id = conversation_id and (c.owner_id = (select auth.uid()) or c.member_id = (select auth.uid()))
    )
  );
create policy "Both sides write" on public.messages
  for insert to authenticated with check (
    message_type = 'user' and sender_id = (select auth.uid())::text
    and exists (
      select 1 from public.conversations as c
      where c.id = conversation_id and not c.archived
        and (c.owner_id = (select auth.uid()) or c.member_id = (select auth.uid()))
    )
  );

-- Whether one side of a conversation has unread messages. The primary key is a random id, which reveals nothing about the two people,
-- because the keys of deleted rows are sent to all clients.
create table public.chat_participants (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  has_unread boolean not null default false,
  unique (conversation_id, user_id)
);
create index chat_participants_user_idx on public.chat_participants (user_id);
alter table public.chat_participants enable row level security;
select private.send_changes('chat_participants');
create policy "People see their own unread mark" on public.chat_participants
  for select to authenticated using (user_id = (select auth.uid()));

-- Returns the id of the conversation between a plan's owner and a member or a requester, and creates the conversation if there is none.
-- Either side may call this; a former member still gets the archived conversation.
create function private.find_or_create_conversation(p_subscription_id text, p_owner_id uuid, p_member_id uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
  v_conversation uuid;
  v_is_member boolean;
begin
  if p_subscription_id is null then
    perform private.refuse('chat_plan_missing');
  elsif p_owner_id is null or p_member_id is null or p_owner_id = p_member_id then
    perform private.refuse('chat_recipient_missing');
  end if;
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id;
  if not found then
    perform private.refuse('plan_not_found');
  elsif v_user not in (p_owner_id, p_member_id) or v_plan.owner_id <> p_owner_id then
    perform private.refuse('chat_not_of_plan');
  end if;
  select id into v_conversation from public.conversations
  where subscription_id = p_subscription_id and owner_id = p_owner_id and member_id = p_member_id;
  if found then return v_conversation; end if;
  v_is_member := exists (
    select from public.subscription_members where subscription_id = p_subscription_id and user_id = p_member_id);
  if private.is_guest(p_member_id) then
    perform private.refuse('chat_not_of_plan');
  elsif not v_is_member then
    -- This lock waits for transactions that are ending the request.
    perform from public.subscription_requests as r
    where r.subscription_id = p_subscription_id and r.user_id = p_member_id and private.is_open_request(r) for share;
    if not found then
      perform private.refuse('chat_not_of_plan');
    end if;
  end if;
  insert into public.conversations (subscription_id, owner_id, member_id, is_question)
  values (p_subscription_id, p_owner_id, p_member_id, not v_is_member)
  on conflict (subscription_id, owner_id, member_id) do update set owner_id = excluded.owner_id
  returning id into v_conversation;
  insert into public.chat_participants (conversation_id, user_id)
  values (v_conversation, p_owner_id), (v_conversation, p_member_id)
  on conflict do nothing;
  return v_conversation;
end $$;
select private.publish('find_or_create_conversation', 'authenticated');

create function private.require_message(p_text text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  -- Check the length first, because it is cheap; counting the characters of a very long text is not.
  if char_length(p_text) > 10 * private.longest_message() or private.characters(p_text) > private.longest_message() then
    perform private.refuse('message_too_long', private.longest_message()::text);
  elsif coalesce(private.visible_length(p_text), 0) = 0 then
    perform private.refuse('message_empty');
  end if;
end $$;

-- Refuses the call if the acting user may not write in this conversation.
create function private.require_open_chat(p_conversation_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_conversation public.conversations;
begin
  -- Writers share this lock, which waits for transactions that archive the conversation.
  select * into v_conversation from public.conversations
  where id = p_conversation_id and v_user in (owner_id, member_id) for share;
  if not found then
    perform private.refuse('message_to_conversation_of_others');
  elsif v_conversation.archived and not v_conversation.is_question then
    perform private.refuse('conversation_archived');
  elsif v_conversation.archived or v_conversation.question_until <= now() - private.unnoticed_gap() then
    perform private.refuse('conversation_ended');
  end if;
  perform private.require_reachable(case v_user when v_conversation.owner_id then v_conversation.member_id
    else v_conversation.owner_id end, 'conversation_closed');
end $$;

-- Refuses messages in an archived conversation, messages sent too fast and invalid messages. Fills in the sender and the time.
create function private.tg_messages__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if v_user is null then return new; end if;
  if coalesce(new.sender_id, v_user::text) <> v_user::text or coalesce(new.message_type, 'user') <> 'user' then
    perform private.refuse('message_to_conversation_of_others');
  end if;
  perform private.require_open_chat(new.conversation_id);
  new.content := coalesce(new.content, '');
  perform private.require_message(new.content);
  if exists (select from public.messages where id = new.id) then
    perform private.refuse_columns('id', 'already_exists');
  end if;
  perform private.spend_attempt('chat message');
  new.id := coalesce(new.id, gen_random_uuid());
  new.sender_id := v_user::text;
  new.message_type := 'user';
  new.created_at := clock_timestamp();
  new.metadata := jsonb_build_object('status', 'delivered', 'retry_count',
    case when jsonb_typeof(new.metadata -> 'retry_count') = 'number'
      then least(3, greatest(0, trunc((new.metadata ->> 'retry_count')::numeric))) else 0 end);
  return new;
end $$;
-- Announcements skip this trigger, because announce_to_members() sets their columns itself and no policy lets a client insert one.
create trigger fill before insert on public.messages
  for each row when (new.message_type is distinct from 'announcement') execute function private.tg_messages__fill();

create function private.tg_messages__mark_unread() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.chat_participants set has_unread = true
  where conversation_id = new.conversation_id and user_id::text <> new.sender_id and not has_unread;
  return null;
end $$;
create trigger mark_unread after insert on public.messages
  for each row execute function private.tg_messages__mark_unread();

-- reopen_chat() reopens a person's conversation with the owner when they join a plan again, and archive_chat() archives it when their place
-- ends.
create function private.reopen_chat(p_member public.subscription_members) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.conversations set archived = false, is_question = false, question_until = null
  where subscription_id = p_member.subscription_id and member_id = p_member.user_id and (archived or is_question or question_until is not null)
    and owner_id = (select p.owner_id from public.shared_subscriptions as p where p.id = p_member.subscription_id);
end $$;
create function private.archive_chat(p_member public.subscription_members) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.conversations set archived = true
  where subscription_id = p_member.subscription_id and member_id = p_member.user_id and not archived;
end $$;

-- Refuses the call if the acting user is not one of the two sides of the conversation.
create function private.require_party(p_conversation_id uuid, p_refusal text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (
    select 1 from public.conversations
    where id = p_conversation_id and (owner_id = (select auth.uid()) or member_id = (select auth.uid()))
  ) then
    perform private.refuse(p_refusal);
  end if;
end $$;

-- Marks the messages of a conversation as read for the acting user.
create function private.mark_conversation_read(
  p_conversation_id uuid,
  -- Your own id.
  p_user_id uuid
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_self(p_user_id);
begin
  perform private.require_party(p_conversation_id, 'read_mark_in_conversation_of_others');
  update public.chat_participants set has_unread = false
  where conversation_id = p_conversation_id and user_id = v_user and has_unread;
end $$;
select private.publish('mark_conversation_read', 'authenticated');

create function private.get_conversation_unread_status(p_conversation_id uuid, p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_self(p_user_id);
begin
  perform private.require_party(p_conversation_id, 'conversation_of_others');
  return coalesce(
    (select has_unread from public.chat_participants where conversation_id = p_conversation_id and user_id = v_user), false);
end $$;
select private.publish('get_conversation_unread_status', 'authenticated');

-- Returns the caller's conversations with unread messages. The app shows their number as a badge.
create function public.get_user_unread_conversations(p_user_id uuid)
returns table (conversation_id uuid, subscription_id text, owner_id uuid, member_id uuid)
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_self(p_user_id);
  return query
    select c.id, c.subscription_id, c.owner_id, c.member_id
    from public.chat_participants as p join public.conversations as c on c.id = p.conversation_id
    where p.user_id = p_user_id and p.has_unread;
end $$;
select private.publish('get_user_unread_conversations', 'authenticated');

-- Returns the acting user's conversations, those with the latest messages first.
create function private.my_conversations()
returns table (
  id uuid,
  subscription_id text,
  -- The names of the provider and the plan.
  plan text,
  -- Whether the plan is your own.
  is_owner boolean,
  -- The id of the other side.
  person_id uuid,
  -- The name of the other side.
  person text,
  -- Whether the member of the conversation has had no place in the plan yet.
  is_question boolean,
  -- Whether no more messages can be written.
  archived boolean,
  -- Whether there is a message that you have not read.
  unread boolean,
  -- When the last message was written; null if there is none.
  last_at timestamptz,
  -- The beginning of the last message; null if there is none.
  last_text text,
  -- Whether you wrote the last message.
  last_is_own boolean,
  -- The picture of the other side; null if there is none.
  avatar_url text,
  -- Whether one of your programs has left a draft in the conversation.
  has_draft boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select c.id, c.subscription_id, s.provider || ' ' || s.name, c.owner_id = v_user, u.user_id, u.display_name, c.is_question,
      c.archived, p.has_unread, m.created_at as last_at, left(m.content, 200), coalesce(m.sender_id = v_user::text, false), u.avatar_url,
      exists (select from public.message_drafts as d where d.conversation_id = c.id and d.user_id = v_user)
    from public.chat_participants as p
    join public.conversations as c on c.id = p.conversation_id
    join public.shared_subscriptions as s on s.id = c.subscription_id
    join private.user_profiles as u on u.user_id = case c.owner_id when v_user then c.member_id else c.owner_id end
    left join lateral (
      select * from public.messages where conversation_id = c.id order by created_at desc, id desc limit 1
    ) as m on true
    where p.user_id = v_user and v_user in (c.owner_id, c.member_id) order by last_at desc nulls last, c.id;
end $$;
select private.publish('my_conversations', 'authenticated');

-- Sends one message to each member of a plan, marked as an announcement, and returns the number of messages. Only the plan's owner may
-- call this. Members who have blocked the owner, or whom the owner has blocked, do not get the message, nor does an account that has taken
-- over a guest's place before the owner's word. Guests, who have no chat, get a note.
create function private.announce_to_members(
  p_subscription_id text,
  -- The text of the announcement.
  p_text text
) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_member uuid;
  v_conversation uuid;
  v_count integer := 0;
begin
  if not private.is_plan_owner(p_subscription_id) then
    perform private.refuse('only_owner_announces');
  end if;
  perform private.require_message(p_text);
  perform private.spend_attempt('announcement');
  -- The places of guests are locked in the order of leaving, before any chat.
  perform from public.subscription_members as m
  where m.subscription_id = p_subscription_id and private.is_guest(m.user_id) order by m.user_id for update;
  perform private.lock_plan_to_leave(p_subscription_id);
  for v_member in
    select m.user_id from public.subscription_members as m
    where m.subscription_id = p_subscription_id and not m.is_owner and not exists (
      select from public.blocked_people as b where (b.user_id, b.blocked_id) in ((v_user, m.user_id), (m.user_id, v_user))
    ) and not exists (
      select from private.seats as s
      where s.subscription_id = m.subscription_id and s.member_id = m.user_id and s.ended_at is null and private.is_claim_open(s)
    ) order by m.joined_at, m.user_id
  loop
    if private.is_guest(v_member) then
      -- Too many notes to one guest today keep nothing from the others.
      begin
        perform private.note_to_guest(v_member, p_text);
        v_count := v_count + 1;
      exception when check_violation then null;
      end;
      continue;
    end if;
    v_conversation := private.find_or_create_conversation(p_subscription_id, v_user, v_member);
    insert into public.messages (conversation_id, sender_id, content, message_type)
    -- The lock waits for transactions that end a member's place; members who have left get no message.
    select id, v_user, p_text, 'announcement' from public.conversations where id = v_conversation and not archived for share;
    if found then
      v_count := v_count + 1;
    end if;
  end loop;
  if v_count = 0 then
    perform private.refuse('no_members_yet');
  end if;
  return v_count;
end $$;
select private.publish('announce_to_members', 'authenticated');

revoke all on public.conversations, public.messages, public.chat_participants from public, anon, authenticated;
grant select on public.conversations, public.messages, public.chat_participants to authenticated;
grant insert (id, conversation_id, sender_id, content, message_type, metadata) on public.messages to authenticated;
grant all on public.conversations, public.messages, public.chat_participants to service_role;
-- The CHECK constraint of `messages` calls this function with the writer's rights.
grant execute on function private.characters(text) to authenticated, service_role;
