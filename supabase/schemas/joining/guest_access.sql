-- A link to a place also opens the plan's login (with a PIN), a calendar feed, a copy of the stored data, and a report to the staff.

-- How often a PIN may be typed wrong, in all, before the owner has to make a new one.
create function private.pin_tries() returns integer
language sql immutable return 5;

-- Allows a guest to open the plan's login with a PIN of six digits, which it returns and which the owner tells the guest by another way than
-- the link; a new one replaces the last. Without p_opens, the login is closed to the guest. Owner only.
create function private.set_guest_access(p_person_id uuid, p_opens boolean) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_guest private.user_profiles := private.own_guest(p_person_id);
  v_pin text := lpad((('x' || encode(substr(uuid_send(gen_random_uuid()), 1, 6), 'hex'))::bit(48)::bigint % 1000000)::text, 6, '0');
begin
  if p_opens is null then
    perform private.refuse('answer_missing');
  elsif p_opens then
    perform private.require_recent_proof();
  end if;
  insert into private.guests as known (person_id, opens_access, pin_hash)
  values (v_guest.user_id, p_opens, case when p_opens then private.hash_of(v_guest.user_id || v_pin) end)
  on conflict (person_id) do update set opens_access = excluded.opens_access, pin_hash = excluded.pin_hash, wrong_pins = 0;
  return case when p_opens then v_pin end;
end $$;
select private.publish('set_guest_access', 'authenticated');

-- Returns whether the holder of a link may open the plan's login with the PIN. The rest of the transaction acts as the guest.
create function private.place_opens_access(p_seat private.seats) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.guests where person_id = p_seat.member_id and opens_access)
    and private.may_get_in(p_seat.subscription_id) and private.has_vault_entry(p_seat.subscription_id) and not private.is_suspended(p_seat.owner_id);
end $$;

-- Returns the data that the function `vault` needs to open the plan's access data and login for the holder of a link who knows the PIN. With
-- a wrong PIN, it counts the try and returns `left`, how many are left; a refusal would undo the count.
create function private.open_place_access(p_secret text, p_pin text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.enter_place(p_secret);
  v_guest private.guests;
  v_login private.vault_entries := private.current_vault_entry(v_seat.subscription_id, 'login');
begin
  select * into v_guest from private.guests where person_id = v_seat.member_id for update;
  if not private.place_opens_access(v_seat) then
    perform private.refuse('nothing_to_open');
  elsif v_guest.wrong_pins >= private.pin_tries() then
    perform private.refuse('pin_used_up');
  elsif v_guest.pin_hash is distinct from private.hash_of(v_guest.person_id || btrim(coalesce(p_pin, ''))) then
    update private.guests set wrong_pins = wrong_pins + 1 where person_id = v_guest.person_id;
    if v_guest.wrong_pins + 1 = private.pin_tries() then
      perform private.tell_seat(v_seat, v_seat.owner_id, 'warning', 'pin-used-up', jsonb_build_object('tries', private.pin_tries()));
    end if;
    return jsonb_build_object('left', private.pin_tries() - v_guest.wrong_pins - 1);
  end if;
  return jsonb_build_object('plan', v_seat.subscription_id,
    'access', private.opened_entry(private.current_vault_entry(v_seat.subscription_id)),
    'login', case when v_login.version is not null then private.sealed_entry(v_login) end);
end $$;
select private.publish('open_place_access', 'anon', 'authenticated');

-- Makes or replaces the calendar feed of a place and returns the secret of its URL; without p_wanted, ends the feed.
create function private.place_calendar(p_secret text, p_wanted boolean) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.enter_place(p_secret);
begin
  if not coalesce(p_wanted, true) then
    perform private.end_calendar();
    return null;
  end if;
  return private.make_calendar();
end $$;
select private.publish('place_calendar', 'anon', 'authenticated');

-- Returns all that is stored about a guest, to the holder of a link, but not what they reported: the owner may have a link too. What
-- concerns earlier owners of the plan is for the links in mails alone, which the present owner does not get.
create function private.place_export(p_secret text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.see_place(p_secret);
  v_owner uuid := case when (select via from private.place_links where hash = private.hash_of(p_secret)) <> 'mail' then v_seat.owner_id end;
begin
  return jsonb_build_object(
    'exported_at', private.now(),
    'profile', (select to_jsonb(u) from private.user_profiles as u where u.user_id = v_seat.member_id),
    'details', (select to_jsonb(g) - '{pin_hash}'::text[] from private.guests as g where g.person_id = v_seat.member_id),
    'links', (select jsonb_agg(to_jsonb(l) - 'hash' order by l.made_at) from private.place_links as l where l.person_id = v_seat.member_id),
    'mails', (select jsonb_agg(jsonb_build_object('event', m.event, 'params', m.params, 'created_at', m.created_at, 'sent_at', m.sent_at) order by m.created_at)
      from private.outgoing_mail as m where m.reader_id = v_seat.member_id),
    'calendar_address_since', private.get_calendar(),
    'seats', (select jsonb_agg(to_jsonb(s) - '{next_at,failures,last_error}'::text[] order by s.opened_at) from private.seats as s where s.member_id = v_seat.member_id),
    'payments', (select jsonb_agg(to_jsonb(m) order by m.created_at) from public.member_payments as m
      where m.member_id = v_seat.member_id and m.owner_id = coalesce(v_owner, m.owner_id)),
    'payment_claims', (select jsonb_agg(to_jsonb(c) - '{token_hashes,decided_by}'::text[] order by c.made_at) from public.payment_claims as c
      where c.member_id = v_seat.member_id and c.owner_id = coalesce(v_owner, c.owner_id)),
    'term_proposals', (select jsonb_agg(to_jsonb(t) order by t.proposed_at) from public.term_proposals as t where t.member_id = v_seat.member_id),
    'notes', (select jsonb_agg(to_jsonb(n) - '{id,seat_id,owner_id}'::text[] order by n.written_at, n.id) from private.place_notes as n
      where n.seat_id = v_seat.id and n.owner_id = coalesce(v_owner, n.owner_id)),
    'notifications', (select jsonb_agg(to_jsonb(n) order by n.created_at) from public.user_notifications as n where n.user_id = v_seat.member_id),
    'vault_openings', (select jsonb_agg(to_jsonb(o) order by o.id) from private.vault_openings as o where o.opened_by = v_seat.member_id));
end $$;
select private.publish('place_export', 'anon', 'authenticated');

-- The number of open reports by guests from which an owner's payment details are hidden from all guests until the staff have looked.
create function private.reports_that_hide() returns integer
language sql immutable return 3;

-- Returns whether nothing of this owner's is shown or sent to guests: they are suspended, or several guests have reported them.
create function private.is_owner_paused(p_owner_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_suspended(p_owner_id) or (
    select count(*) from public.cases where person_id = p_owner_id and by_guest and closed_at is null) >= private.reports_that_hide();
end $$;

-- Reports the owner to the staff, and an earlier owner who is still to be paid, by the holder of a link. A second report changes nothing, and does not say so: the owner may have a link too.
create function private.place_reports(p_secret text, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.enter_place(p_secret);
begin
  perform private.file_report(jsonb_populate_record(null::public.cases, jsonb_build_object('kind', 'person', 'person_id', paid.owner,
    'content', profile.display_name, 'writer_id', v_seat.member_id, 'by_guest', true, 'body', p_reason)))
  from (
    select v_seat.owner_id as owner
    union select m.owner_id from public.member_payments as m where m.seat_id = v_seat.id and private.is_open_directly(m.status)
  ) as paid join private.user_profiles as profile on profile.user_id = paid.owner;
end $$;
select private.publish('place_reports', 'anon', 'authenticated');
