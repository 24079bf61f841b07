-- How a guest and the plan's owner reach each other: the guest's address, which the owner may enter, mails to it, and notes on the page of
-- the place, where a guest has no chat.

-- Details of a guest besides the name: the address that the owner entered, and access to the plan's login (guest_access.sql).
create table private.guests (
  person_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  email text check (email is null or private.is_mailable(email)),
  -- The language of mails to the guest, as a BCP 47 tag.
  language text check (private.is_language(language)),
  opens_access boolean not null default false,
  pin_hash text,
  wrong_pins integer not null default 0,
  check (opens_access = (pin_hash is not null))
);
alter table private.guests enable row level security;
revoke all on private.guests from public, anon, authenticated, service_role;

-- Mailboxes of guests, by a hash of the address. Several owners may enter the same one. Rows outlive guests, so that a stop is permanent
-- and the unsubscribe link in a mail always works.
create table private.guest_mailboxes (
  hash text primary key,
  -- The secret in the link that stops mails, which only the mailbox gets.
  stop_token text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  stopped_at timestamptz,
  -- The number of mails before somebody has opened the link in one.
  unopened_mails integer not null default 0,
  opened_at timestamptz
);
alter table private.guest_mailboxes enable row level security;
revoke all on private.guest_mailboxes from public, anon, authenticated, service_role;

-- A mailbox whose mails nobody has opened gets an invitation and one reminder, and then nothing more.
create function private.most_unopened_mails() returns integer
language sql immutable return 2;

-- Returns the hash of a mailbox. What follows a plus sign is left out, because one person gets the mail of all such addresses.
create function private.mailbox_of(p_email text) returns text
language sql immutable return private.hash_of(regexp_replace(lower(p_email), '\+[^@]*@', '@'));

-- Returns the guest's details if mail may be sent to them, else null. While the owner is suspended or reported by several guests, it may not.
create function private.mailable_guest(p_person_id uuid) returns private.guests
language plpgsql stable security definer set search_path = '' as $$
declare v_guest private.guests;
begin
  select g.* into v_guest from private.guests as g join private.user_profiles as u on u.user_id = g.person_id
  left join private.guest_mailboxes as box on box.hash = private.mailbox_of(g.email)
  where g.person_id = p_person_id and g.email is not null and box.stopped_at is null
    and (coalesce(box.unopened_mails, 0) < private.most_unopened_mails() or box.opened_at is not null)
    and not private.is_owner_paused(u.guest_of);
  return v_guest;
end $$;

-- Queues a mail to a guest, with a link to their place of its own and a way to stop all such mails. p_params has the words' values. Does
-- nothing if no mail may be sent to them.
create function private.mail_guest(
  p_person_id uuid, p_event text, p_params jsonb, p_about text[] default '{}', p_wait interval default '0'
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_guest private.guests := private.mailable_guest(p_person_id);
  v_box private.guest_mailboxes;
begin
  if v_guest.person_id is null then return; end if;
  insert into private.guest_mailboxes as known (hash, unopened_mails) values (private.mailbox_of(v_guest.email), 1)
  on conflict (hash) do update set unopened_mails = known.unopened_mails + 1 returning * into v_box;
  perform private.write_mail(v_guest.email, p_person_id, p_event, p_params || jsonb_build_object('language', v_guest.language),
    '/place#' || private.make_place_link(p_person_id, 'mail'), p_person_id::text || p_about, '/unsubscribe/' || v_box.stop_token, p_wait);
end $$;

-- Stops the mails to a mailbox of guests, or allows them again. Returns whether the secret is one of a mailbox.
create function private.stop_guest_mails(p_token text, p_stop boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_hash text;
begin
  update private.guest_mailboxes set stopped_at = case when p_stop then private.now() end where stop_token = p_token returning hash into v_hash;
  if p_stop then
    perform private.cancel_mail(person_id::text) from private.guests where private.mailbox_of(email) = v_hash;
  end if;
  return v_hash is not null;
end $$;

insert into private.rate_limits (action, attempts, window_seconds, requests) values ('guest address', 20, 3600, '{}');

-- Enters the address of a guest and the language of mails to it; without an address, the guest gets no mail. A new address gets a link to
-- the place. Owner only.
create function private.set_guest_address(p_person_id uuid, p_email text default null, p_language text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_guest private.user_profiles := private.own_guest(p_person_id);
  v_email text := case when btrim(p_email) <> '' then private.require_address(p_email) end;
  v_was private.guests;
  v_seat private.seats;
begin
  select * into v_was from private.guests where person_id = v_guest.user_id for update;
  perform private.spend_attempt('guest address'), private.cancel_mail(v_guest.user_id::text);
  insert into private.guests (person_id, email, language) values (v_guest.user_id, v_email, nullif(p_language, ''))
  on conflict (person_id) do update set email = excluded.email, language = excluded.language;
  if v_email is distinct from v_was.email then
    -- Somebody else may have got the links that were mailed.
    delete from private.place_links where person_id = v_guest.user_id and via = 'mail';
    delete from private.calendars where user_id = v_guest.user_id;
    select * into v_seat from private.seats where member_id = v_guest.user_id and ended_at is null;
    perform private.mail_guest(v_guest.user_id, 'guest-added', jsonb_build_object('plan', v_seat.provider || ' ' || v_seat.plan_name,
      'owner', (select display_name from private.user_profiles where user_id = v_seat.owner_id),
      'memory', private.guest_memory_months()));
  end if;
end $$;
select private.publish('set_guest_address', 'authenticated');

-- Notes between a guest and the owner. They belong to the place, so that they stay with it if an account takes it over.
create table private.place_notes (
  id uuid primary key default gen_random_uuid(),
  seat_id uuid not null references private.seats (id) on delete cascade,
  -- The plan's owner at the time, who alone reads it besides the guest.
  owner_id uuid not null references private.user_profiles (user_id) on delete cascade,
  by_owner boolean not null,
  content text not null check (content <> '' and private.characters(content) <= private.longest_message()),
  written_at timestamptz not null default private.now()
);
create index place_notes_seat_idx on private.place_notes (seat_id, written_at);
create index place_notes_owner_idx on private.place_notes (owner_id);
alter table private.place_notes enable row level security;
revoke all on private.place_notes from public, anon, authenticated, service_role;

-- The number of notes that one side may write about a place within a day.
create function private.most_notes() returns integer
language sql immutable return 20;

-- Writes a note and tells the other side, without its text, so that nobody can mail words of their own. The caller has locked the seat.
create function private.write_note(p_seat private.seats, p_by_owner boolean, p_text text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_text text := btrim(coalesce(p_text, ''));
begin
  if p_seat.ended_at is not null then
    perform private.refuse('place_not_found');
  elsif p_by_owner and private.is_owner_paused(p_seat.owner_id) then
    perform private.refuse('conversation_closed');
  end if;
  perform private.require_message(v_text);
  if (select count(*) from private.place_notes where seat_id = p_seat.id and by_owner = p_by_owner
    and written_at > private.now() - interval '1 day') >= private.most_notes() then
    perform private.refuse('too_many_notes', private.most_notes()::text);
  end if;
  insert into private.place_notes (seat_id, owner_id, by_owner, content) values (p_seat.id, p_seat.owner_id, p_by_owner, v_text);
  perform private.tell_seat(p_seat, case when p_by_owner then p_seat.member_id else p_seat.owner_id end, 'info',
    case when p_by_owner then 'owner-note' else 'guest-note' end);
end $$;

-- A note to the owner, by the holder of a link.
create function private.place_note(p_secret text, p_text text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.write_note(private.enter_place(p_secret), false, p_text);
end $$;
select private.publish('place_note', 'anon', 'authenticated');

-- A note to a guest. Owner only.
create function private.note_to_guest(p_person_id uuid, p_text text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_guest private.user_profiles := private.own_guest(p_person_id);
  v_seat private.seats;
begin
  perform private.require_user();
  select * into v_seat from private.seats where member_id = v_guest.user_id and ended_at is null;
  perform private.write_note(v_seat, true, p_text);
end $$;
select private.publish('note_to_guest', 'authenticated');

-- Returns the latest notes of a place between the guest and this owner, oldest first; all of them without p_most.
create function private.notes_of(p_seat_id uuid, p_owner_id uuid, p_most integer default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('byOwner', by_owner, 'text', content, 'at', written_at) order by written_at, id), '[]')
  from (select * from private.place_notes where seat_id = p_seat_id and owner_id = p_owner_id order by written_at desc, id desc limit p_most) as latest
$$;
-- The number of notes that the pages show.
create function private.shown_notes() returns integer
language sql immutable return 50;

-- Moves the notes of a place into the chat of its plan, once the owner has said that the account is the guest's. The rest of the transaction
-- acts as the server, whose messages keep their senders and times.
create function private.move_notes_to_chat(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_conversation uuid;
begin
  if p_seat.ended_at is not null or not exists (select from private.place_notes where seat_id = p_seat.id) then return; end if;
  v_conversation := private.find_or_create_conversation(p_seat.subscription_id, p_seat.owner_id, p_seat.member_id);
  perform private.act_for(null);
  with moved as (
    delete from private.place_notes where seat_id = p_seat.id and owner_id = p_seat.owner_id returning by_owner, content, written_at
  )
  insert into public.messages (conversation_id, sender_id, content, created_at)
  select v_conversation, case when by_owner then p_seat.owner_id else p_seat.member_id end, content, written_at from moved order by written_at;
end $$;
