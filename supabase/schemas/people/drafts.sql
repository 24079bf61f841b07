-- Drafts of messages that a person's own programs leave in the person's chats (decision 036). Only the person sees a draft, and can send,
-- change or discard it in the app.

-- How long a draft is kept if the person neither sends nor discards it.
create function private.draft_lifetime() returns interval
language sql immutable return '30 days'::interval;

-- Drafts, at most one for each conversation and person. A message sent from a draft has the draft's id, so that the draft cannot be sent
-- twice. A newer draft replaces the old one and has a new id.
create table public.message_drafts (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  content text not null,
  -- The name of the API token that created the draft.
  made_by text not null,
  made_at timestamptz not null default clock_timestamp(),
  unique (conversation_id, user_id)
);
create index message_drafts_user_idx on public.message_drafts (user_id);
alter table public.message_drafts enable row level security;
select private.send_changes('message_drafts');
create policy "People see drafts left for them" on public.message_drafts
  for select to authenticated using (user_id = (select auth.uid()));
create policy "People discard drafts left for them" on public.message_drafts
  for delete to authenticated using (user_id = (select auth.uid()));
revoke all on public.message_drafts from public, anon, authenticated;
grant select, delete on public.message_drafts to authenticated;
grant all on public.message_drafts to service_role;

-- Stores a draft in a conversation in which the caller may write. Only for calls with an API token: drafts that people type stay in their
-- browser.
create function private.draft_message(
  p_conversation_id uuid,
  -- The text of the proposed message.
  p_text text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_program text := (select name from private.api_tokens where id::text = auth.jwt() ->> 'token_id');
begin
  if v_program is null then
    perform private.refuse('drafts_by_programs_only');
  end if;
  perform private.require_open_chat(p_conversation_id);
  perform private.require_message(p_text);
  insert into public.message_drafts (conversation_id, user_id, content, made_by) values (p_conversation_id, v_user, p_text, v_program)
  on conflict (conversation_id, user_id)
  do update set id = excluded.id, content = excluded.content, made_by = excluded.made_by, made_at = excluded.made_at;
end $$;
select private.publish('draft_message', 'authenticated');

-- Deletes a draft when it is sent, changed or not.
create function private.tg_messages__use_draft() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from public.message_drafts where id = new.id and user_id::text = new.sender_id;
  return null;
end $$;
create trigger use_draft after insert on public.messages
  for each row execute function private.tg_messages__use_draft();
