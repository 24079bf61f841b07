-- How a guest and the plan's owner reach each other: the guest's address, which the owner may enter, mails to it, and notes on the page of
-- the place, where a guest has no chat.

-- What the owner has entered about a guest besides the name, and how the guest gets at the plan's login (guest_access.sql).
create table private.guests (
  person_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  email text check (email is null or private.is_mailable(email)),
  -- The language of mails to the guest, as a BCP 47 tag.
  language text check (char_length(language) between 2 and 35),
  -- The number of mails sent while no link to the place has been opened.
  unopened_mails integer not null default 0,
  opens_access boolean not null default false,
  pin_hash text,
  wrong_pins integer not null default 0,
  check (opens_access = (pin_hash is not null))
);
alter table private.guests enable row level security;
revoke all on private.guests from public, anon, authenticated, service_role;

-- Hashes of addresses whose holders have stopped mails to guests. A stop holds for all guests with this address, whoever enters it.
create table private.stopped_addresses (
  hash text primary key,
  stopped_at timestamptz not null default private.now()
);
alter table private.stopped_addresses enable row level security;
revoke all on private.stopped_addresses from public, anon, authenticated, service_role;

-- Somebody who has never opened a link gets the one that invites them and one reminder, and then no more mail.
create function private.most_unopened_mails() returns integer
language sql immutable return 2;

-- Returns the guest's details if mail may be sent to them, else null.
create function private.mailable_guest(p_person_id uuid) returns private.guests
language plpgsql stable security definer set search_path = '' as $$
declare v_guest private.guests;
begin
  select g.* into v_guest from private.guests as g
  where g.person_id = p_person_id and g.email is not null
    and not exists (select from private.stopped_addresses as s where s.hash = private.hash_of(g.email))
    and (g.unopened_mails < private.most_unopened_mails()
      or exists (select from private.place_links as l where l.person_id = g.person_id and l.opened > 0));
  return v_guest;
end $$;

-- Queues a mail to a guest, with a link to their place of its own and a way to stop all such mails. p_params has the words' values. Does
-- nothing if no mail may be sent to them.
create function private.mail_guest(
  p_person_id uuid, p_event text, p_params jsonb, p_about text[] default '{}', p_wait interval default '0'
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_guest private.guests := private.mailable_guest(p_person_id);
begin
  if v_guest.person_id is null then return; end if;
  update private.guests set unopened_mails = unopened_mails + 1 where person_id = p_person_id;
  perform private.write_mail(v_guest.email, p_person_id, p_event, p_params, '/place#' || private.make_place_link(p_person_id, 'reminder'),
    p_person_id::text || p_about, private.unsubscribe_path(p_person_id), p_wait);
end $$;

-- Stops mails to the address of a guest, or allows them again.
create function private.stop_guest_mails(p_person_id uuid, p_stop boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_email text := (select email from private.guests where person_id = p_person_id);
begin
  if p_stop then
    insert into private.stopped_addresses (hash) values (private.hash_of(v_email)) on conflict do nothing;
    perform private.cancel_mail(person_id::text) from private.guests where email = v_email;
  else
    delete from private.stopped_addresses where hash = private.hash_of(v_email);
  end if;
end $$;

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
  perform private.spend_attempt('new guest'), private.cancel_mail(v_guest.user_id::text);
  insert into private.guests (person_id, email, language) values (v_guest.user_id, v_email, lower(nullif(btrim(p_language), '')))
  on conflict (person_id) do update set email = excluded.email, language = excluded.language,
    unopened_mails = case when guests.email is distinct from excluded.email then 0 else guests.unopened_mails end;
  if v_email is distinct from v_was.email then
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
  by_owner boolean not null,
  content text not null check (content <> '' and private.characters(content) <= private.longest_message()),
  written_at timestamptz not null default private.now()
);
create index place_notes_seat_idx on private.place_notes (seat_id, written_at);
alter table private.place_notes enable row level security;
revoke all on private.place_notes from public, anon, authenticated, service_role;

-- The number of notes that one side may write about a place within a day.
create function private.most_notes() returns integer
language sql immutable return 20;

-- Writes a note and tells the other side.
create function private.write_note(p_seat private.seats, p_by_owner boolean, p_text text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_text text := btrim(coalesce(p_text, ''));
begin
  if p_seat.ended_at is not null then
    perform private.refuse('place_not_found');
  end if;
  perform private.require_message(v_text);
  perform from private.seats where id = p_seat.id for update;
  if (select count(*) from private.place_notes where seat_id = p_seat.id and by_owner = p_by_owner
    and written_at > private.now() - interval '1 day') >= private.most_notes() then
    perform private.refuse('too_many_notes', private.most_notes()::text);
  end if;
  insert into private.place_notes (seat_id, by_owner, content) values (p_seat.id, p_by_owner, v_text);
  perform private.tell_seat(p_seat, case when p_by_owner then p_seat.member_id else p_seat.owner_id end, 'info',
    case when p_by_owner then 'owner-note' else 'guest-note' end, jsonb_build_object('text', left(v_text, 200)));
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

-- Returns the latest notes of a place, oldest first.
create function private.notes_of(p_seat_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('byOwner', by_owner, 'text', content, 'at', written_at) order by written_at, id), '[]')
  from (select * from private.place_notes where seat_id = p_seat_id order by written_at desc, id desc limit 50) as latest
$$;

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
    delete from private.place_notes where seat_id = p_seat.id returning by_owner, content, written_at
  )
  insert into public.messages (conversation_id, sender_id, content, created_at)
  select v_conversation, case when by_owner then p_seat.owner_id else p_seat.member_id end, content, written_at from moved order by written_at;
end $$;
