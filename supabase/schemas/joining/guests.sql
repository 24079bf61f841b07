-- Guests: people without an account, in private plans that are paid directly. Each has a personal link, whose secret is the key to that
-- person's one place. A handful of functions take the secret; there is no session, no role and no password behind it. The database stores
-- only a hash of it, and the owner sees it once.

-- How long the link in a reminder works, and how long every link works after the place has ended, to show what is still owed.
create function private.reminder_link_lifetime() returns interval
language sql immutable return interval '45 days';
create function private.ended_link_lifetime() returns interval
language sql immutable return interval '30 days';
-- The number of guests that one person may have.
create function private.most_guests() returns integer
language sql immutable return 500;

-- Links to the places of guests. `via` says how a link reaches them: from the owner, in a reminder that the owner passes on, or in a mail,
-- whose link nobody else gets.
create table private.place_links (
  hash text primary key,
  person_id uuid not null references private.user_profiles (user_id) on delete cascade,
  via text not null check (via in ('owner', 'reminder', 'mail')),
  made_at timestamptz not null default private.now(),
  ends_at timestamptz,
  -- How often the place was shown, and when first and last.
  opened integer not null default 0,
  first_opened_at timestamptz,
  last_opened_at timestamptz
);
create index place_links_person_idx on private.place_links (person_id);
alter table private.place_links enable row level security;
revoke all on private.place_links from public, anon, authenticated, service_role;

create function private.is_guest(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.user_profiles where user_id = p_user_id and guest_of is not null);
end $$;

create function private.is_guest_of(p_person_id uuid, p_owner_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.user_profiles where user_id = p_person_id and guest_of = p_owner_id);
end $$;

-- Makes a link to a guest's place, and returns its secret of 160 random bits.
create function private.make_place_link(p_person_id uuid, p_via text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_secret text := private.new_code(4);
begin
  insert into private.place_links (hash, person_id, via, ends_at)
  values (private.hash_of(v_secret), p_person_id, p_via, least(case when p_via <> 'owner' then private.now() + private.reminder_link_lifetime() end,
    (select max(coalesce(s.ended_at, 'infinity')) from private.seats as s where s.member_id = p_person_id) + private.ended_link_lifetime()));
  return v_secret;
end $$;

-- Locks the place of the acting owner's guest and returns the guest. The place must not have ended, unless p_or_ended, for which a link may
-- still work. Raises PT404 if there is none.
create function private.own_guest(p_person_id uuid, p_or_ended boolean default false) returns private.user_profiles
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_guest private.user_profiles;
begin
  perform private.lock_place(s.id) from private.seats as s join private.user_profiles as u on u.user_id = s.member_id and u.guest_of = v_user
  where s.member_id = p_person_id;
  -- The place may have been taken over or forgotten while this waited for the locks.
  select u.* into v_guest from private.user_profiles as u
  where u.user_id = p_person_id and u.guest_of = v_user and u.deleted_at is null and exists (
    select from private.seats as s where s.member_id = u.user_id
      and (s.ended_at is null or p_or_ended and s.ended_at > private.now() - private.ended_link_lifetime()));
  if not found then
    perform private.refuse('guest_not_found');
  end if;
  return v_guest;
end $$;

-- Adds a person without an account to the acting owner's plan, and returns the secret of their link, which is shown only once. With an
-- address, they get a link by mail too. The plan must be private and paid directly, and have a free place. Owner only.
create function private.add_guest(p_subscription_id text, p_name text, p_email text default null, p_language text default null) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_name text := btrim(regexp_replace(coalesce(p_name, ''), '\s+', ' ', 'g'));
  v_refusal text := private.name_refusal(v_name);
  v_person uuid := gen_random_uuid();
begin
  if not v_plan.is_private or v_plan.settlement <> 'direct' then
    perform private.refuse('guests_need_private_plan');
  elsif v_plan.status <> 'active' then
    perform private.refuse('plan_closed');
  elsif v_refusal is not null then
    perform private.refuse(v_refusal);
  elsif (select count(*) from private.user_profiles where guest_of = v_plan.owner_id and deleted_at is null) >= private.most_guests() then
    perform private.refuse('too_many_guests', private.most_guests()::text);
  end if;
  perform private.refuse_tokens(), private.spend_attempt('new guest'), private.require_offered(v_plan.provider),
    private.require_payment_details(v_plan), private.require_open_slot(v_plan, null);
  insert into private.user_profiles (user_id, display_name, guest_of) values (v_person, v_name, v_plan.owner_id);
  insert into public.subscription_members (subscription_id, user_id, name, email) values (v_plan.id, v_person, v_name, '');
  if btrim(p_email) <> '' then
    perform private.set_guest_address(v_person, p_email, p_language);
  end if;
  return private.make_place_link(v_person, 'owner');
end $$;
select private.publish('add_guest', 'authenticated');

-- Replaces all links of a guest by a new one, and returns its secret. A calendar feed, which somebody else may have made, ends too. Owner
-- only.
create function private.renew_place_link(p_person_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_guest private.user_profiles := private.own_guest(p_person_id, true);
begin
  perform private.require_user(), private.spend_attempt('new guest');
  delete from private.place_links where person_id = v_guest.user_id;
  delete from private.calendars where user_id = v_guest.user_id;
  perform private.cancel_mail(v_guest.user_id::text);
  return private.make_place_link(v_guest.user_id, 'owner');
end $$;
select private.publish('renew_place_link', 'authenticated');

-- Reminds a guest of a payment that is due: by mail, or else with a link whose secret it returns and which the owner passes on. There is one
-- reminder within private.nudge_pause(). Owner only; the earlier owner of a plan gets no links to its guests any more.
create function private.remind_guest(p_payment_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  if v_payment.status <> 'due' or not private.is_guest_of(v_payment.member_id, v_payment.owner_id) then
    perform private.refuse('payment_not_open');
  elsif v_payment.nudged_at > private.now() - private.nudge_pause() then
    perform private.refuse('reminder_too_soon');
  end if;
  perform private.spend_attempt('new guest');
  if (private.mailable_guest(v_payment.member_id)).person_id is not null and v_payment.due_at <= private.now() then
    perform private.nudge_payment(v_payment.id);
    return null;
  end if;
  update public.member_payments set nudged_at = private.now() where id = v_payment.id;
  return private.make_place_link(v_payment.member_id, 'reminder');
end $$;
select private.publish('remind_guest', 'authenticated');

-- Reminds everybody in a plan of the payments that are due, but of none within private.nudge_pause() of its last reminder. Returns each
-- reminded payment; for the first one of a guest without mail, with the secret of a link that the owner passes on. Owner only.
create function private.remind_all(p_subscription_id text) returns table (payment_id uuid, secret text)
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_payment public.member_payments;
  v_told uuid[] := '{}';
begin
  for v_payment in
    select m.* from public.member_payments as m
    where m.subscription_id = p_subscription_id and m.owner_id = v_user and m.settlement = 'direct' and m.status = 'due'
      and m.due_at <= private.now() and coalesce(m.nudged_at <= private.now() - private.nudge_pause(), true)
    order by m.due_at, m.id
  loop
    payment_id := v_payment.id;
    secret := null;
    if not private.is_guest_of(v_payment.member_id, v_user) then
      perform private.nudge_payment(v_payment.id);
    elsif v_payment.member_id <> all (v_told) then
      secret := private.remind_guest(v_payment.id);
      v_told := v_told || v_payment.member_id;
    else
      update public.member_payments set nudged_at = private.now() where id = v_payment.id;
    end if;
    return next;
  end loop;
end $$;
select private.publish('remind_all', 'authenticated');

-- The guests of a plan, for its owner: their addresses, whether mail reaches them, whether they can open the login, how often and when last
-- their links were opened, and their notes.
create function private.plan_guests(p_subscription_id text)
returns table (
  person_id uuid, email text, language text, mailable boolean, opens_access boolean, opened integer, first_opened_at timestamptz,
  last_opened_at timestamptz, notes jsonb
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select s.member_id, g.email, g.language, (private.mailable_guest(s.member_id)).person_id is not null, coalesce(g.opens_access, false),
      coalesce(l.opened, 0)::integer, l.first_at, l.last_at, private.notes_of(s.id, v_user, private.shown_notes())
    from private.seats as s join private.user_profiles as u on u.user_id = s.member_id and u.guest_of = s.owner_id
    left join private.guests as g on g.person_id = s.member_id
    cross join lateral (select sum(links.opened) as opened, min(links.first_opened_at) as first_at, max(links.last_opened_at) as last_at
      from private.place_links as links where links.person_id = s.member_id) as l
    where s.subscription_id = p_subscription_id and s.owner_id = v_user and s.ended_at is null order by s.opened_at, s.member_id;
end $$;
select private.publish('plan_guests', 'authenticated');

-- Refuses to list a plan that has guests, and to take its payments through the site. A place that was a guest's may still be taken back.
create function private.require_no_guests(p_plan_id text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.seats as s where subscription_id = p_plan_id and ended_at is null
    and (private.is_guest(member_id) or private.is_claim_open(s))) then
    perform private.refuse('plan_has_guests');
  end if;
end $$;

create function private.tg_shared_subscriptions__keep_guests() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_no_guests(new.id);
  return new;
end $$;
create trigger keep_guests before update of is_private, settlement on public.shared_subscriptions
  for each row when (old.is_private and not new.is_private or old.settlement = 'direct' and new.settlement <> 'direct')
  execute function private.tg_shared_subscriptions__keep_guests();

-- The values that the words of every mail to a guest need.
create function private.words_about_place(p_seat private.seats) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object('plan', p_seat.provider || ' ' || p_seat.plan_name,
    'owner', (select display_name from private.user_profiles where user_id = p_seat.owner_id));
end $$;

-- When a guest's place has ended, their links work for a while longer, to show what is still owed. A guest with an address is told.
create function private.end_place_links(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.place_links set ends_at = least(ends_at, private.now() + private.ended_link_lifetime()) where person_id = p_seat.member_id;
  if p_seat.ended_by is distinct from p_seat.member_id and exists (select from private.guests where person_id = p_seat.member_id) then
    perform private.cancel_mail(p_seat.member_id::text),
      private.mail_guest(p_seat.member_id, 'place-ended', private.words_about_place(p_seat));
  end if;
end $$;

-- Returns the place behind a link. Unknown, replaced and ended links are refused alike.
create function private.place_behind(p_secret text) returns private.seats
language plpgsql stable security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  select s.* into v_seat from private.place_links as l join private.seats as s on s.member_id = l.person_id
  where l.hash = private.hash_of(p_secret) and coalesce(l.ends_at > private.now(), true) order by s.opened_at desc limit 1;
  if not found then
    perform private.refuse('link_unknown');
  end if;
  return v_seat;
end $$;

-- Lets the rest of the transaction act as the guest of a place, whom no session can name.
create function private.act_as_guest(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform set_config('request.jwt.claim.sub', '', true),
    set_config('request.jwt.claims', jsonb_build_object('sub', p_seat.member_id, 'role', 'anon')::text, true);
end $$;

-- Returns the place behind a link, as its guest, to read.
create function private.see_place(p_secret text) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.place_behind(p_secret);
begin
  perform private.act_as_guest(v_seat);
  return v_seat;
end $$;

-- Returns the place behind a link, as its guest, locked against everything else that concerns it.
create function private.enter_place(p_secret text) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.place_behind(p_secret);
begin
  perform private.lock_place(v_seat.id);
  -- The place may have been taken over or forgotten while this waited for the locks.
  return private.see_place(p_secret);
end $$;

-- Within this time, a link counts as opened once.
create function private.opening_pause() returns interval
language sql immutable return interval '10 minutes';

-- What the page of a guest shows: the plan, its owner's first name, what is due and how to pay it, past payments, new terms and notes. Counts
-- the opening. While the owner is suspended, or reported by several guests, it shows no way to pay and nothing the owner wrote.
create function private.my_place(p_secret text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.see_place(p_secret);
  v_owner private.user_profiles;
  v_is_paused boolean := private.is_owner_paused(v_seat.owner_id);
  v_via text;
begin
  select * into v_owner from private.user_profiles where user_id = v_seat.owner_id;
  update private.place_links set opened = opened + 1, last_opened_at = private.now(), first_opened_at = coalesce(first_opened_at, private.now())
  where hash = private.hash_of(p_secret) and coalesce(last_opened_at <= private.now() - private.opening_pause(), true);
  select via into v_via from private.place_links where hash = private.hash_of(p_secret);
  -- Only who gets the mails is told by them: the owner has other links, and must not keep a mail from the guest.
  if v_via = 'mail' then
    update public.user_notifications set read = true where user_id = v_seat.member_id and not read;
    update private.guest_mailboxes set opened_at = coalesce(opened_at, private.now())
    where hash = (select private.mailbox_of(email) from private.guests where person_id = v_seat.member_id);
  end if;
  return jsonb_build_object(
    'name', (select display_name from private.user_profiles where user_id = v_seat.member_id),
    'provider', v_seat.provider, 'plan', v_seat.plan_name, 'owner', private.first_name(v_owner.display_name), 'ownerSince', v_owner.created_at,
    'currency', v_seat.currency, 'share', v_seat.share, 'cycleMonths', coalesce(v_seat.cycle_months, 1), 'since', v_seat.opened_at, 'endedAt', v_seat.ended_at,
    'paused', v_is_paused,
    'paidUntil', (select max(m.ends_at) from public.member_payments as m where m.seat_id = v_seat.id and private.is_paid(m.status)),
    'owedBack', private.owed_back(v_seat.id, v_seat.owner_id),
    'earlierDebts', private.earlier_debts(v_seat),
    'note', (select p.note from public.shared_subscriptions as p where p.id = v_seat.subscription_id and not v_is_paused),
    'wish', (select jsonb_build_object('kind', w.kind, 'iban', w.iban, 'holder', w.holder, 'link', w.link, 'note', w.note)
      from public.payment_wishes as w where w.user_id = v_seat.owner_id and private.pays_directly(v_seat.owner_id) and not v_is_paused),
    'notices', (select coalesce(jsonb_agg(jsonb_build_object('kind', n.kind, 'day', n.day, 'price', n.price, 'note', n.note)), '[]')
      from private.open_notices(v_seat.subscription_id) as n where v_seat.ended_at is null and not v_is_paused),
    'terms', (select jsonb_build_object('id', t.id, 'share', t.share, 'carries', private.carried_names(v_seat.id)) from public.term_proposals as t
      where t.seat_id = v_seat.id and t.answered_at is null and v_seat.ended_at is null),
    'email', (select g.email from private.guests as g where g.person_id = v_seat.member_id),
    'opensAccess', private.place_opens_access(v_seat), 'hasCalendar', private.get_calendar() is not null,
    'notes', case when v_is_paused then '[]' else private.notes_of(v_seat.id, v_seat.owner_id, private.shown_notes()) end,
    'payments', (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'number', m.number, 'amount', m.amount, 'dueAt', m.due_at,
        'startsAt', m.starts_at, 'endsAt', m.ends_at, 'status', m.status, 'paidAt', m.paid_at, 'claimedAt', m.claimed_at,
        'reference', m.reference, 'receipt', m.receipt_number, 'note', m.note,
        'payable', private.is_payable(m) and private.says_how_to_pay(m.owner_id),
        'earlier', private.earlier_owner(v_seat, m)) order by m.number desc), '[]')
      from public.member_payments as m where seat_id = v_seat.id and number > (
        select max(n.number) - 36 from public.member_payments as n where n.seat_id = v_seat.id)));
end $$;
select private.publish('my_place', 'anon', 'authenticated');

-- "I've paid", by the holder of a link. The note says how and when, which is asked once the owner has denied it; staff then decide.
create function private.place_said_paid(p_secret text, p_payment_id uuid, p_note text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enter_place(p_secret), private.say_paid(p_payment_id, p_note);
end $$;
select private.publish('place_said_paid', 'anon', 'authenticated');

-- Accepts or declines a proposed share, by the holder of a link. A mail tells the guest of a share that was accepted, because the owner may
-- have a link too.
create function private.place_answered_terms(p_secret text, p_proposal_id uuid, p_accept boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.enter_place(p_secret);
begin
  perform private.answer_terms(p_proposal_id, p_accept);
  if p_accept then
    select * into v_seat from private.seats where id = v_seat.id;
    perform private.mail_guest(v_seat.member_id, 'share-agreed', private.words_about_place(v_seat)
      || jsonb_build_object('share', v_seat.share, 'months', coalesce(v_seat.cycle_months, 1), 'currency', v_seat.currency));
  end if;
end $$;
select private.publish('place_answered_terms', 'anon', 'authenticated');

-- Leaves the plan, by the holder of a link.
create function private.place_leaves(p_secret text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.enter_place(p_secret);
begin
  if v_seat.ended_at is not null then
    perform private.refuse('place_not_found');
  end if;
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id;
end $$;
select private.publish('place_leaves', 'anon', 'authenticated');

-- Removes the guest's name, ends their place and all their links, by the holder of a link. Payments stay, without the name.
create function private.place_forgets(p_secret text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.enter_place(p_secret);
begin
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id;
  perform private.forget_guests(array[v_seat.member_id]);
  delete from private.place_notes where seat_id = v_seat.id;
end $$;
select private.publish('place_forgets', 'anon', 'authenticated');

-- Removes the names and addresses of these guests, whose places have ended or are an account's, and what was counted of them. Receipts keep
-- the names of their day, mails that were sent keep their event alone, and the last mails, that the place has ended or was taken over, go out without a link.
create function private.forget_guests(p_person_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seats text[] := array(select id::text from private.seats where member_id = any (p_person_ids));
  -- Earlier owners of a plan were told of them too.
  v_owners uuid[] := array(select owner_id from private.seats where member_id = any (p_person_ids)
    union select owner_id from public.member_payments where member_id = any (p_person_ids)
    union select n.owner_id from private.place_notes as n join private.seats as s on s.id = n.seat_id where s.member_id = any (p_person_ids));
  v_names text[] := array(select display_name from private.user_profiles where user_id = any (p_person_ids));
begin
  delete from private.place_links where person_id = any (p_person_ids);
  delete from private.guests where person_id = any (p_person_ids);
  delete from private.calendars where user_id = any (p_person_ids);
  delete from private.outgoing_mail where reader_id = any (p_person_ids) and event not in ('place-ended', 'place-taken-over') and sent_at is null;
  update private.outgoing_mail set recipient = case when sent_at is null then recipient else 'forgotten@invalid' end,
    params = params - 'member', path = case when path is not null then '/' end, reader_id = null
  where reader_id = any (p_person_ids);
  delete from public.user_notifications where user_id = any (p_person_ids)
    or user_id = any (v_owners) and (params ->> 'seat' = any (v_seats) or event = 'member-left' and params ->> 'member' = any (v_names));
  delete from private.fact_changes where user_id = any (p_person_ids);
  delete from private.known_facts where user_id = any (p_person_ids);
  update private.seats set invited_address = null where member_id = any (p_person_ids) and invited_address is not null;
  update private.user_profiles set display_name = 'Former guest', deleted_at = private.now() where user_id = any (p_person_ids) and deleted_at is null;
end $$;

-- How long a guest's name is kept after their place has ended.
create function private.guest_memory_months() returns integer
language sql immutable return 13;
create function private.guest_memory() returns interval
language sql immutable return make_interval(months => private.guest_memory_months());
create function private.forget_former_guests() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.forget_guests(array(
    select u.user_id from private.user_profiles as u where u.guest_of is not null and u.deleted_at is null and not exists (
      select from private.seats as s where s.member_id = u.user_id and (s.ended_at is null or s.ended_at > private.now() - private.guest_memory()
        or exists (select from public.member_payments as m where m.seat_id = s.id and private.is_open_directly(m.status))))));
  update private.seats set claimed_name = null where claimed_name is not null and ended_at <= private.now() - private.guest_memory();
  delete from private.place_notes as n using private.seats as s where s.id = n.seat_id and s.ended_at <= private.now() - private.guest_memory();
end $$;

-- Removes the names of all guests of an owner whose account ends.
create function private.forget_guests_of(p_owner_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.forget_guests(array(select user_id from private.user_profiles where guest_of = p_owner_id and deleted_at is null));
  delete from private.place_notes where owner_id = p_owner_id;
  update private.seats set claimed_name = null where owner_id = p_owner_id and claimed_name is not null;
end $$;
