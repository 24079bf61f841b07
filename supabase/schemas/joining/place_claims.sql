-- Taking over a guest's place in an account, by the holder of its link, and what the owner says to that.

-- How long an owner may say that an account that took over a guest's place is somebody else.
create function private.claim_undo_time() returns interval
language sql immutable return interval '30 days';

-- Gives everything that names one person to another. The columns are those of the foreign keys, so that none is left out. The ledger and the
-- like, which are never rewritten, must not name the person.
create function private.hand_to(p_from uuid, p_to uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_column record;
  v_found boolean;
begin
  for v_column in
    select k.conrelid::regclass as relation, a.attname as name from pg_catalog.pg_constraint as k
    join pg_catalog.pg_attribute as a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid = 'private.user_profiles'::regclass order by 1, 2
  loop
    execute format('select exists (select from %s where %I = $1)', v_column.relation, v_column.name) into v_found using p_from;
    if v_found then
      execute format('update %s set %2$I = $1 where %2$I = $2', v_column.relation, v_column.name) using p_to, p_from;
    end if;
  end loop;
end $$;

-- Takes over a guest's place for the acting user's account, by the holder of its link, and returns the plan's id. Payments and all else that
-- names the guest name the account from then on; receipts keep the names of their day. The links end. The owner is told, and the login of the
-- plan stays closed until they say that it is the same person.
create function private.claim_place(p_secret text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_found private.seats := private.place_behind(p_secret);
  v_seat private.seats := private.lock_place(v_found.id);
  v_profile private.user_profiles := private.ensure_profile(v_user);
  v_guest private.user_profiles;
begin
  perform private.refuse_tokens();
  -- Somebody else may have taken it over, or the owner ended it or the link, while this waited for the locks.
  perform private.place_behind(p_secret);
  select * into v_guest from private.user_profiles where user_id = v_found.member_id and guest_of is not null for update;
  if v_guest.user_id is null or v_seat.member_id <> v_guest.user_id then
    perform private.refuse('link_unknown');
  elsif v_seat.ended_at is not null then
    perform private.refuse('place_not_found');
  elsif v_seat.owner_id = v_user then
    perform private.refuse('own_plan_requested');
  elsif exists (select from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_user) then
    perform private.refuse('already_member');
  end if;
  perform private.require_unblocked(v_seat.owner_id, 'link_unknown');
  perform private.mail_guest(v_guest.user_id, 'place-taken-over',
    private.words_about_place(v_seat) || jsonb_build_object('days', extract(day from private.claim_undo_time())));
  perform private.forget_guests(array[v_guest.user_id]);
  -- Reports stay without a name: the account may be somebody else's, or have reported the owner itself.
  update public.cases set writer_id = null where writer_id = v_guest.user_id;
  perform private.hand_to(v_guest.user_id, v_user);
  update public.subscription_members set name = v_profile.display_name, email = private.email_of(v_user)
  where subscription_id = v_seat.subscription_id and user_id = v_user;
  perform private.reopen_chat(m) from public.subscription_members as m where m.subscription_id = v_seat.subscription_id and m.user_id = v_user;
  update private.seats set claimed_at = private.now(), claimed_name = v_guest.display_name, invited_address = v_seat.invited_address
  where id = v_seat.id returning * into v_seat;
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'place-claimed', jsonb_build_object('guest', v_guest.display_name));
  return v_seat.subscription_id;
end $$;
select private.publish('claim_place', 'authenticated');

-- The time after which an owner is asked again about a claim.
create function private.claim_reminder() returns interval
language sql immutable return interval '7 days';

-- Asks owners again, until it is too late to say no, who have not said whether an account that took over a guest's place is that person.
create function private.ask_again_about_claims() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.tell_seat(s, s.owner_id, 'warning', 'place-claimed', jsonb_build_object('guest', s.claimed_name)) from private.seats as s
  where s.claimed_name is not null and s.ended_at is null and private.is_claim_open(s)
    and s.claimed_at > private.now() - private.claim_undo_time() and s.claimed_at <= private.now() - private.claim_reminder()
    and not exists (select from public.user_notifications as n where n.user_id = s.owner_id and n.event = 'place-claimed'
      and n.params ->> 'seat' = s.id::text and n.created_at > private.now() - private.claim_reminder());
end $$;

-- Says whether the account that took over a guest's place is that person. If not, which is possible for private.claim_undo_time(), the place
-- is a guest's again, and the secret of a new link to it is returned; otherwise null. Owner only.
create function private.answer_place_claim(p_seat_id uuid, p_is_them boolean) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
  v_person uuid := gen_random_uuid();
  v_secret text;
begin
  if exists (select from private.seats where id = p_seat_id and owner_id = v_user) then
    v_seat := private.lock_place(p_seat_id);
  end if;
  if v_seat.id is null then
    perform private.refuse('place_not_found');
  elsif p_is_them is null then
    perform private.refuse('answer_missing');
  elsif not private.is_claim_open(v_seat)
    or not p_is_them and v_seat.claimed_at <= private.now() - private.claim_undo_time() then
    perform private.refuse('place_not_claimed');
  elsif p_is_them then
    update private.seats set claim_accepted_at = private.now(), claimed_name = null where id = v_seat.id;
    perform private.move_notes_to_chat(v_seat);
    return null;
  end if;
  delete from private.outgoing_mail where reader_id = v_seat.member_id and about @> array[v_seat.id::text] and sent_at is null;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning', 'claim-refused');
  perform private.archive_chat(m) from public.subscription_members as m
  where m.subscription_id = v_seat.subscription_id and m.user_id = v_seat.member_id;
  insert into private.user_profiles (user_id, display_name, guest_of) values (v_person, v_seat.claimed_name, v_seat.owner_id);
  update public.subscription_members set user_id = v_person, name = v_seat.claimed_name, email = ''
  where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id;
  update public.member_payments set member_id = v_person where seat_id = v_seat.id;
  update public.term_proposals set member_id = v_person where seat_id = v_seat.id;
  update public.payment_claims set member_id = v_person where seat_id = v_seat.id;
  update public.seat_problems set member_id = v_person where seat_id = v_seat.id;
  update private.vault_openings set opened_by = v_person
  where opened_by = v_seat.member_id and subscription_id = v_seat.subscription_id and opened_at >= v_seat.opened_at;
  -- If the wrong account has left the place or chosen its end, that is undone.
  update private.seats set member_id = v_person, claimed_at = null, claimed_name = null,
    ends_at = case when ended_at is null and ended_by = v_seat.member_id then null else ends_at end,
    ended_by = case when ended_by is distinct from v_seat.member_id then ended_by when ended_at is not null then v_person end
  where id = v_seat.id returning * into v_seat;
  v_secret := private.make_place_link(v_person, 'owner');
  if v_seat.ended_at is not null then
    perform private.end_place_links(v_seat);
  else
    perform private.schedule_seat(v_seat.id);
  end if;
  return v_secret;
end $$;
select private.publish('answer_place_claim', 'authenticated');
