-- Questions before joining: people who can find a plan may ask its owner, and while a request waits both sides may write. They use
-- the same conversation that they will have later as member and owner (chat.sql); it is archived when the question or request is
-- over.

-- How long a question stays open if no request follows.
create function private.question_lifetime() returns interval
language sql immutable return interval '7 days';

-- Asks the owner of a plan that the caller can find, and opens or reopens the conversation. The owner is notified once, when the
-- conversation opens.
create function private.ask_question(p_subscription_id text, p_text text) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_name text;
  v_plan public.shared_subscriptions;
  v_until timestamptz;
  v_conversation uuid;
  v_is_new boolean;
begin
  -- Waits for transactions that hide the plan, block a person or admit a member.
  select * into v_plan from public.shared_subscriptions as p where p.id = p_subscription_id and private.may_find(p) for share;
  if not found then
    perform private.refuse('plan_not_found');
  elsif v_plan.owner_id = v_user then
    perform private.refuse('own_plan_asked_about');
  elsif private.is_plan_member(p_subscription_id) then
    perform private.refuse('already_member');
  end if;
  perform private.require_reachable(v_plan.owner_id, 'plan_closed');
  perform private.require_message(p_text);
  perform private.spend_attempt('question');
  v_name := (private.ensure_profile(v_user)).display_name;
  perform private.close_questions();
  -- A waiting request has a deadline of its own.
  if not exists (
    select from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r)
  ) then
    v_until := now() + private.question_lifetime();
  end if;
  insert into public.conversations as c (subscription_id, owner_id, member_id, is_question, question_until)
  values (v_plan.id, v_plan.owner_id, v_user, true, v_until)
  on conflict (subscription_id, owner_id, member_id) do update set archived = false, question_until = v_until where c.archived
  returning c.id into v_conversation;
  v_is_new := found;
  if not v_is_new then
    select id into v_conversation from public.conversations
    where subscription_id = v_plan.id and owner_id = v_plan.owner_id and member_id = v_user;
  end if;
  insert into public.chat_participants (conversation_id, user_id) values (v_conversation, v_plan.owner_id), (v_conversation, v_user)
  on conflict do nothing;
  insert into public.messages (conversation_id, content) values (v_conversation, p_text);
  if v_is_new then
    -- The notification below replaces the chat's alert for this message.
    perform private.cancel_chat_notices(id) from public.chat_participants
    where conversation_id = v_conversation and user_id = v_plan.owner_id;
    perform private.mail_notification(private.notify(v_plan.owner_id, 'info', v_plan.id, 'question-asked',
      jsonb_build_object('person', v_name, 'plan', v_plan.provider || ' ' || v_plan.name)),
      array[v_conversation::text, v_plan.id], '/manage-shared/' || v_plan.id);
  end if;
  return v_conversation;
end $$;
select private.publish('ask_question', 'authenticated');

-- Closes questions that led to no request. Called by a scheduled job and before a new question; skips locked rows.
create function private.close_questions() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.conversations set archived = true, question_until = null where id in (
    select id from public.conversations where question_until <= now() - private.unnoticed_gap() for update skip locked
  );
end $$;

-- Closes the questions about a plan that can no longer be found.
create function private.tg_shared_subscriptions__close_questions() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.conversations set archived = true, question_until = null
  where subscription_id = new.id and question_until is not null;
  return null;
end $$;
create trigger close_questions after update of status, is_private on public.shared_subscriptions
  for each row when (new.status <> 'active' or (new.is_private and not old.is_private))
  execute function private.tg_shared_subscriptions__close_questions();

-- Deletes the unsent mail and the drafts of a conversation that is archived.
create function private.tg_conversations__call_back() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.cancel_mail(new.id::text);
  delete from public.message_drafts where conversation_id = new.id;
  return null;
end $$;
create trigger call_back after update of archived on public.conversations
  for each row when (new.archived and not old.archived) execute function private.tg_conversations__call_back();
