set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.add_member(p_subscription_id text, p_user_id uuid, p_is_owner boolean)
 RETURNS public.subscription_members
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_profile public.user_profiles := private.named_profile(p_user_id);
  v_member public.subscription_members;
begin
  insert into public.subscription_members (subscription_id, user_id, name, email, is_owner)
  values (p_subscription_id, p_user_id, v_profile.display_name, private.email_of(p_user_id), p_is_owner)
  returning * into v_member;
  return v_member;
end $function$;

CREATE OR REPLACE FUNCTION private.announce_to_members(p_subscription_id text, p_text text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_member uuid;
  v_conversation uuid;
  v_count integer := 0;
begin
  if not private.is_plan_owner(p_subscription_id) then
    raise exception 'Only the plan''s owner writes to all members' using errcode = '42501';
  end if;
  perform private.named_profile(v_user);
  perform private.require_message(p_text);
  perform private.spend_attempt('announcement');
  for v_member in
    select m.user_id from public.subscription_members as m
    where m.subscription_id = p_subscription_id and not m.is_owner and not exists (
      select from public.blocked_people as b where (b.user_id, b.blocked_id) in ((v_user, m.user_id), (m.user_id, v_user))
    ) order by m.joined_at, m.user_id
  loop
    v_conversation := private.find_or_create_conversation(p_subscription_id, v_user, v_member);
    insert into public.messages (conversation_id, sender_id, content, message_type)
    -- Waits for members who are leaving; those who have left get nothing.
    select id, v_user, p_text, 'announcement' from public.conversations where id = v_conversation and not archived for share;
    if found then
      v_count := v_count + 1;
    end if;
  end loop;
  if v_count = 0 then
    raise exception 'There is nobody in this plan to write to yet' using errcode = '23514';
  end if;
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION private.ask_question(p_subscription_id text, p_text text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_name text;
  v_plan public.shared_subscriptions;
  v_until timestamptz;
  v_conversation uuid;
  v_is_new boolean;
begin
  -- Waits for anybody hiding the plan, blocking or letting somebody in.
  select * into v_plan from public.shared_subscriptions as p where p.id = p_subscription_id and private.may_find(p) for share;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  elsif v_plan.owner_id = v_user then
    raise exception 'Owners cannot ask about their own plan' using errcode = '23514';
  elsif private.is_plan_member(p_subscription_id) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  perform private.require_reachable(v_plan.owner_id, 'This plan is not open to new members');
  perform private.require_message(p_text);
  perform private.spend_attempt('question');
  v_name := (private.named_profile(v_user)).display_name;
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
    -- Replaces the alert for the message.
    perform private.call_back_chat(id) from public.chat_participants
    where conversation_id = v_conversation and user_id = v_plan.owner_id;
    perform private.mail_notification(private.notify(v_plan.owner_id, 'info', 'New Question',
      format('%s asks you about %s %s.', v_name, v_plan.provider, v_plan.name), v_plan.id, 'question-asked',
      jsonb_build_object('person', v_name, 'plan', v_plan.provider || ' ' || v_plan.name)),
      array[v_conversation::text, v_plan.id], 'Answer the question', '/manage-shared/' || v_plan.id);
  end if;
  return v_conversation;
end $function$;

CREATE OR REPLACE FUNCTION private.invite_member(p_subscription_id text, p_email text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions := private.lock_plan_of_invitation(p_subscription_id);
  v_email text := lower(btrim(coalesce(p_email, '')));
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_replaced uuid;
  v_id uuid;
begin
  if v_plan.owner_id <> v_user then
    raise exception 'Only the plan''s owner invites people' using errcode = '42501';
  -- Accounts have ASCII addresses only; most other letters just imitate somebody's.
  elsif octet_length(v_email) > char_length(v_email) or v_email !~ '^[^\s@,;:<>()"\\[:cntrl:]]+@[^\s@,;:<>()"\\[:cntrl:]]+\.[^\s@,;:<>()"\\[:cntrl:]]+$' or char_length(v_email) > 254 then
    raise exception 'Valid email is required' using errcode = '23514';
  elsif v_email = lower(private.email_of(v_user)) then
    raise exception 'You cannot invite yourself' using errcode = '23514';
  elsif exists (
    select 1 from public.subscription_members as m join auth.users as u on u.id = m.user_id
    where m.subscription_id = p_subscription_id and lower(u.email) = v_email
  ) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  perform private.require_reachable(id, 'This address cannot be invited') from auth.users where lower(email) = v_email;
  perform private.require_offered(v_plan.provider);
  perform private.require_open_slot(v_plan, v_email);
  perform private.spend_attempt('invitation');

  select i.id into v_replaced from public.subscription_invitations as i
  where i.subscription_id = p_subscription_id and i.email = v_email and private.invitation_status(i) in ('open', 'expired');
  perform private.call_back_mail(v_replaced::text);
  update public.subscription_invitations set withdrawn_at = clock_timestamp() where id = v_replaced;
  insert into public.subscription_invitations (subscription_id, email, invited_by, token_hash)
  values (p_subscription_id, v_email, v_user, encode(sha256(convert_to(v_token, 'UTF8')), 'hex'))
  returning id into v_id;
  perform private.mail_invitation(v_id, v_email, v_token, v_plan,
    (private.named_profile(v_user)).display_name);
  return v_id;
end $function$;

CREATE OR REPLACE FUNCTION private.named_profile(p_user_id uuid)
 RETURNS public.user_profiles
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_profile public.user_profiles := private.ensure_profile(p_user_id);
begin
  if p_user_id = auth.uid() and v_profile.display_name = private.no_name() then
    raise exception 'Please say what others may call you.' using errcode = 'PT428';
  end if;
  return v_profile;
end $function$;

CREATE OR REPLACE FUNCTION private.no_name()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN 'New member'::text;

CREATE OR REPLACE FUNCTION private.default_display_name(p_metadata jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((SELECT given.name FROM unnest(ARRAY["left"(btrim((default_display_name.p_metadata ->> 'name'::text)), private.longest_display_name()), "left"(btrim((default_display_name.p_metadata ->> 'full_name'::text)), private.longest_display_name())]) WITH ORDINALITY given(name, place) WHERE ((given.name IS NOT NULL) AND (private.name_refusal(given.name) IS NULL)) ORDER BY given.place LIMIT 1), private.no_name());

CREATE OR REPLACE FUNCTION private.review_seat(p_seat_id uuid, p_rating integer, p_text text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
  v_other uuid;
  v_is_first boolean;
begin
  -- The lock makes two reviews written at once wait for each other.
  select * into v_seat from private.seats where id = p_seat_id and v_user in (owner_id, member_id) for update;
  if not found then
    raise exception 'Place not found' using errcode = 'PT404';
  elsif not private.is_reviewable(v_seat) then
    raise exception 'You can review each other after % days of access', extract(day from private.review_after()) using errcode = '23514';
  elsif (p_rating between 1 and 5) is not true then
    raise exception 'A review gives 1 to 5' using errcode = '23514';
  elsif exists (select from private.seat_reviews where seat_id = p_seat_id and author_id = v_user) then
    raise exception 'You have reviewed this already' using errcode = '23505';
  end if;
  perform private.named_profile(v_user);
  v_other := case v_user when v_seat.owner_id then v_seat.member_id else v_seat.owner_id end;
  v_is_first := not exists (select from private.seat_reviews where seat_id = p_seat_id);
  insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from)
  values (p_seat_id, v_user, v_other, p_rating, private.review_text(p_text, false),
    private.now() + case when v_is_first then private.review_wait() else '0' end);
  update private.seat_reviews set shown_from = least(shown_from, private.now())
  where seat_id = p_seat_id and author_id = v_other;
  perform private.tell_seat(v_seat, v_other, 'info', case when v_is_first then 'review-waits' else 'reviews-shown' end,
    case when v_is_first then 'You Have Been Reviewed' else 'Both Reviews Are In' end,
    format(case when v_is_first
      then '%s has reviewed you for %s %s. You can read it in %s days, or as soon as you have written yours.'
      else '%s has reviewed you too for %s %s. Both reviews can be read now.' end,
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name,
      extract(day from private.review_wait())));
end $function$;

CREATE OR REPLACE FUNCTION private.tg_messages__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_conversation public.conversations;
begin
  if v_user is null then return new; end if;
  -- Writers share this lock, but wait for anybody archiving the chat.
  select * into v_conversation from public.conversations where id = new.conversation_id for share;
  if not found or v_user not in (v_conversation.owner_id, v_conversation.member_id)
    or coalesce(new.sender_id, v_user::text) <> v_user::text or coalesce(new.message_type, 'user') <> 'user' then
    raise exception 'Unauthorized: Cannot send message to this conversation' using errcode = '42501';
  elsif v_conversation.archived and not v_conversation.is_question then
    raise exception 'This conversation has been archived because the member has left the subscription.' using errcode = '23514';
  elsif v_conversation.archived or v_conversation.question_until <= now() - private.unnoticed_gap() then
    raise exception 'This conversation has ended, because no place came of it.' using errcode = '23514';
  end if;
  perform private.require_reachable(case v_user when v_conversation.owner_id then v_conversation.member_id
    else v_conversation.owner_id end, 'This conversation takes no messages');
  perform private.named_profile(v_user);
  new.content := coalesce(new.content, '');
  perform private.require_message(new.content);
  perform private.spend_attempt('chat message');
  new.id := coalesce(new.id, gen_random_uuid());
  new.sender_id := v_user::text;
  new.message_type := 'user';
  new.created_at := clock_timestamp();
  new.metadata := jsonb_build_object('status', 'delivered', 'retry_count',
    case when jsonb_typeof(new.metadata -> 'retry_count') = 'number'
      then least(3, greatest(0, trunc((new.metadata ->> 'retry_count')::numeric))) else 0 end);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_shared_subscriptions__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_plan private.catalogue_plan;
  v_status text := case when (select review_new_plans from public.app_settings) then 'pending' else 'active' end;
begin
  -- Data loaded by the server itself (nobody signed in) keeps its times and owner.
  if v_user is not null then
    if new.owner_id is distinct from v_user and new.owner_id is not null then
      raise exception 'You can only share a plan in your own name' using errcode = '42501';
    end if;
    perform private.spend_attempt('plan creation');
    new.owner_id := v_user;
    new.id := private.new_plan_id();
    new.code := private.new_code(1);
    new.created_at := clock_timestamp();
    if new.status <> v_status then
      raise exception 'Only staff reviews plans' using errcode = '42501';
    end if;
    new.status := v_status;
    if new.fee_rate <> private.fee_rate() then
      raise exception 'The fee is % percent now. Please look at what members pay once more.', trim_scale(private.fee_rate() * 100)
        using errcode = '23514';
    end if;
    perform private.require_renewal_date(new.next_payment);
  end if;
  if new.current_members <> 1 or new.kept_places <> 0 or new.waiting <> 0 then
    raise exception 'A new plan has one member, its owner' using errcode = '23514';
  end if;
  new.status := coalesce(new.status, 'active');
  perform private.named_profile(new.owner_id);
  new.id := coalesce(new.id, private.new_plan_id());
  new.current_members := 1;
  new.owner := coalesce(nullif(split_part(private.email_of(new.owner_id), '@', 1), ''), 'Unknown');

  v_plan := private.find_catalogue_plan(new.catalogue_plan_id, new.provider, new.name);
  if v_plan.id is null then
    raise exception 'This plan is not in the catalogue' using errcode = '23514';
  end if;
  if v_user is not null then
    perform private.require_offered(v_plan.provider);
  end if;
  if v_plan.max_members < 2 then
    raise exception 'This plan cannot be shared' using errcode = '23514';
  end if;
  if new.total_price <> round(v_plan.price, 2) or new.provider <> v_plan.provider or new.name <> v_plan.name
    or new.billing_cycle <> v_plan.billing_cycle or new.max_members <> v_plan.max_members
    or new.member_price <> round(v_plan.price / v_plan.max_members, 2) then
    raise exception 'The price and terms of a plan are fixed by its provider' using errcode = '23514';
  end if;
  if new.owner_max_members is null or new.owner_max_members < 2 or new.owner_max_members > v_plan.max_members then
    raise exception 'Open slots must be between 1 and %.', v_plan.max_members - 1 using errcode = '23514';
  end if;
  if exists (select 1 from public.shared_subscriptions where owner_id = new.owner_id and provider = v_plan.provider) then
    raise exception 'Each user can only share one plan per service provider.' using errcode = '23505';
  end if;

  new.catalogue_plan_id := v_plan.id;
  new.provider := v_plan.provider;
  new.name := v_plan.name;
  new.category := v_plan.category;
  new.description := v_plan.description;
  new.logo := v_plan.logo;
  new.total_price := round(v_plan.price, 2);
  new.member_price := round(v_plan.price / v_plan.max_members, 2);
  new.currency := 'EUR';
  new.billing_cycle := v_plan.billing_cycle;
  new.max_members := v_plan.max_members;
  new.provider_max_members := v_plan.max_members;
  new.fee_rate := coalesce(new.fee_rate, private.fee_rate());
  perform private.require_settlement(new.settlement, new.billing_cycle, new.member_price, new.fee_rate);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_plan public.shared_subscriptions;
  v_profile public.user_profiles;
  v_is_locked boolean;
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only ask for yourself' using errcode = '42501';
    end if;
    if new.subscription_id is null then
      raise exception 'Subscription ID is required' using errcode = '23514';
    end if;
    if new.status <> 'pending' then
      raise exception 'Only the plan''s owner decides on a request' using errcode = '42501';
    end if;
    perform private.spend_attempt('join request');
    new.user_id := v_user;
    new.requested_at := clock_timestamp();
    new.decided_at := null;
    new.expired := false;
  end if;
  new.id := coalesce(new.id, gen_random_uuid());
  new.message := btrim(coalesce(new.message, ''));
  if char_length(new.message) > private.longest_join_message() then
    raise exception 'The message can be at most % characters long', private.longest_join_message() using errcode = '23514';
  end if;
  v_profile := private.named_profile(new.user_id);
  new.name := v_profile.display_name;
  new.email := private.email_of(new.user_id);

  -- Letting people in takes a place, so lock the plan, and do it before the requests below.
  perform from public.shared_subscriptions
  where id = new.subscription_id and instant_from is not null and v_user is not null for no key update;
  v_is_locked := found;
  select * into v_plan from public.shared_subscriptions as p
  where p.id = new.subscription_id and (v_user is null or private.may_find(p));
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  new.owner_id := v_plan.owner_id;
  if v_plan.owner_id = new.user_id then
    raise exception 'Owners cannot request their own plan' using errcode = '23514';
  end if;
  if v_user is null then return new; end if;
  perform private.require_unblocked(v_plan.owner_id, 'This plan is not open to new members');
  perform private.require_offered(v_plan.provider);
  perform private.expire_join_requests();
  if private.is_plan_member(new.subscription_id) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  if exists (
    select 1 from public.subscription_requests as r
    where r.subscription_id = new.subscription_id and r.user_id = v_user and private.is_open_request(r)
  ) then
    raise exception 'Request Already Sent' using errcode = '23505';
  end if;
  new.keeps_place := private.take_offer(v_plan, v_user, new.email);
  if v_is_locked and private.instant_refusal(v_plan, v_user, new.coins_first) is null then
    new.instant := true;
    new.status := 'approved';
    new.decided_at := new.requested_at;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_user_profiles__guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_refusal text;
begin
  new.display_name := coalesce(new.display_name, private.no_name());
  if tg_op = 'UPDATE' and auth.uid() is not null and new.display_name = private.no_name() and old.display_name <> private.no_name() then
    raise exception 'Please enter your name' using errcode = '23514';
  end if;
  v_refusal := coalesce(private.name_refusal(new.display_name), private.name_refusal(new.full_name));
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  elsif new.phone_number !~ '^\+[1-9][0-9]{6,14}$' then
    raise exception 'Please enter a phone number with its country code, like +4930123456' using errcode = '23514';
  -- A check refuses addresses that are too long; they are not worth examining.
  elsif char_length(new.avatar_url) <= 500 and not private.is_picture(new.avatar_url) then
    raise exception 'Please choose a picture of this site, or one at an https:// address' using errcode = '23514';
  end if;
  return new;
end $function$;

REVOKE ALL ON FUNCTION "private"."named_profile"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."no_name"() FROM PUBLIC;

