-- From payment to access: the owner gives access and the member confirms it; without access in time, the money is refunded.

-- How long an owner has to give access after the first payment, when the owner is reminded, and how long a member may stay silent before
-- access counts as working.
create function private.access_time() returns interval
language sql immutable return interval '48 hours';
create function private.access_reminder() returns interval
language sql immutable return interval '24 hours';
create function private.access_silence() returns interval
language sql immutable return interval '48 hours';

-- Records that the member has access from now on, and begins the periods that waited for access. The caller must have locked the seat.
create function private.note_access(p_seat_id uuid, p_address text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  update private.seats set access_given_at = private.now(), invited_address = p_address
  where id = p_seat_id and access_given_at is null;
  if not found then return; end if;
  v_seat := private.begin_periods(p_seat_id);
  if v_seat.admitted_at is null then return; end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'success', 'access-given',
    jsonb_strip_nulls(jsonb_build_object('address', p_address, 'invited', p_address is not null)));
end $$;

-- Records access for every seat that has waited for it. Called when the plan's access data have been stored in the vault.
create function private.note_stored_access(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat uuid;
begin
  for v_seat in
    select id from private.seats where subscription_id = p_subscription_id and ended_at is null and access_given_at is null
    order by id for update
  loop
    perform private.note_access(v_seat, null);
  end loop;
end $$;

-- Records the address to which the provider's invitation was sent (the owner's button "Invitation sent"). Only the seat's owner may call
-- this; a later address replaces the earlier one.
create function private.give_access(p_seat_id uuid, p_address text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_living_seat(p_seat_id, true);
  v_address text := btrim(coalesce(p_address, ''));
begin
  if private.visible_length(v_address) = 0 or char_length(v_address) > private.longest_invited_address() then
    perform private.refuse('invitation_address_missing', private.longest_invited_address()::text);
  elsif v_seat.access_confirmed_at is not null then
    perform private.refuse('access_already_works');
  end if;
  perform private.spend_attempt('owner action');
  update private.seats set invited_address = v_address where id = v_seat.id and access_given_at is not null;
  perform private.note_access(v_seat.id, v_address);
end $$;
select private.publish('give_access', 'authenticated');

-- Records that the member confirms access ("It works"), possibly before the owner has said that they gave access. Only the member may call
-- this.
create function private.confirm_access(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, false);
begin
  if v_seat.admitted_at is null then
    perform private.refuse('access_after_payment');
  elsif v_seat.access_confirmed_at is not null then
    return;
  end if;
  update private.seats set access_confirmed_at = private.now(), access_given_at = coalesce(access_given_at, private.now())
  where id = v_seat.id;
  perform private.begin_periods(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'access-confirmed');
end $$;
select private.publish('confirm_access', 'authenticated');

-- Returns whether the member has confirmed access, or has not answered within private.access_silence() since access was given. Among
-- people who know each other, nobody is asked.
create function private.access_works(p_seat private.seats) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_seat.access_confirmed_at is not null or not p_seat.counts
    or coalesce(greatest(p_seat.access_given_at, p_seat.admitted_at) + private.access_silence() <= private.now(), false);
end $$;

-- Reminds the owner to give access, when half of the time for it has passed.
create function private.remind_of_access(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.seats set access_reminded = true where id = p_seat.id;
  perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'access-reminder',
    jsonb_build_object('until', p_seat.access_due_at, 'settlement', p_seat.settlement));
end $$;
