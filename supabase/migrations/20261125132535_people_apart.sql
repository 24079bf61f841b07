set local check_function_bodies = off;

DROP POLICY "Active plans are for everyone signed in, private ones for who k" ON "public"."shared_subscriptions";

DROP POLICY "Signed-in people see how others appear" ON "public"."user_profiles";

DROP FUNCTION "private"."blocked_by"();

ALTER TABLE "public"."blocked_people" ADD COLUMN "name" text;

UPDATE public.blocked_people AS b SET name = p.display_name FROM public.user_profiles AS p WHERE p.user_id = b.blocked_id;

CREATE OR REPLACE FUNCTION private.block_person(p_person_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if p_person_id = v_user then
    raise exception 'You cannot block yourself' using errcode = '23514';
  elsif not exists (select from public.user_profiles where user_id = p_person_id and deleted_at is null) then
    raise exception 'Person not found' using errcode = 'PT404';
  end if;
  perform private.ensure_profile(v_user);
  -- Waits for anybody deciding about these plans right now.
  perform from public.shared_subscriptions where owner_id in (v_user, p_person_id) order by id for no key update;
  insert into public.blocked_people (user_id, blocked_id, name)
  select v_user, user_id, case when user_id <> all (private.people_apart()) or private.has_dealt_with(user_id) then display_name end
  from public.user_profiles where user_id = p_person_id on conflict do nothing;
  update public.subscription_requests as r set status = 'cancelled'
  where r.owner_id = p_person_id and r.user_id = v_user and private.is_open_request(r);
  perform private.reject_subscription_request(r.id, r.subscription_id)
  from public.subscription_requests as r
  where r.owner_id = v_user and r.user_id = p_person_id and private.is_open_request(r);
  update public.conversations set archived = true, question_until = null
  where question_until is not null and (owner_id, member_id) in ((v_user, p_person_id), (p_person_id, v_user));
  perform private.call_back_chat(r.id)
  from public.chat_participants as r join public.conversations as c on c.id = r.conversation_id
  where (c.owner_id, c.member_id) in ((v_user, p_person_id), (p_person_id, v_user));
  perform private.step_out_of_line(w.subscription_id, w.user_id)
  from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
  where (p.owner_id, w.user_id) in ((v_user, p_person_id), (p_person_id, v_user));
  perform private.decline(i.id)
  from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
  where p.owner_id = p_person_id and i.email = private.my_email() and private.invitation_status(i) = 'open';
  perform private.withdraw_invitation(i.id)
  from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
  where p.owner_id = v_user and i.email = lower(private.email_of(p_person_id)) and private.invitation_status(i) = 'open';
end $function$;

CREATE OR REPLACE FUNCTION private.get_invitation(p_token text)
 RETURNS TABLE(status text, expires_at timestamp with time zone, email text, subscription_id text, provider text, name text, description text, member_price numeric, currency text, billing_cycle text, settlement text, fee_rate numeric, next_payment date, owner_name text, owner_avatar_url text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_invitation public.subscription_invitations := private.find_invitation(p_token);
  v_status text := private.invitation_status(v_invitation);
  v_is_apart boolean := v_invitation.invited_by = any (private.people_apart());
begin
  if v_is_apart or (auth.uid() is null and v_status <> 'open') then
    return query select v_status, v_invitation.expires_at, null, null, null, null, null, null::numeric, null, null, null,
      null::numeric, null::date, null, null;
    return;
  end if;
  return query
    select v_status, v_invitation.expires_at, v_invitation.email, p.id, p.provider, p.name, p.description,
      p.member_price, p.currency, p.billing_cycle, p.settlement, p.fee_rate, p.next_payment, o.display_name, o.avatar_url
    from public.shared_subscriptions as p join public.user_profiles as o on o.user_id = p.owner_id
    where p.id = v_invitation.subscription_id;
end $function$;

CREATE OR REPLACE FUNCTION private.get_person(p_person_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', person.user_id, 'name', private.first_name(person.display_name), 'avatarUrl', person.avatar_url,
    'since', person.created_at, 'level', private.standing_level(person.user_id), 'rating', rated.rating, 'reviewers', rated.reviewers,
    'plans', private.market_cards(array(
      select p.id from public.shared_subscriptions as p
      where p.owner_id = person.user_id and private.may_find(p)
      order by p.created_at desc, p.id limit 50)))
  from public.user_profiles as person cross join lateral private.rating_of(person.user_id) as rated
  where person.user_id = p_person_id and private.may_meet(p_person_id)
$function$;

CREATE OR REPLACE FUNCTION private.has_dealt_with(p_other uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.seats where (owner_id, member_id) in ((auth.uid(), p_other), (p_other, auth.uid())))
    or exists (select from public.conversations where (owner_id, member_id) in ((auth.uid(), p_other), (p_other, auth.uid())));
end $function$;

CREATE OR REPLACE FUNCTION private.may_find(p_plan public.shared_subscriptions)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return p_plan.status = 'active' and (not p_plan.is_private or private.knows_plan(p_plan.id))
    and (p_plan.owner_id <> all (private.people_apart()) or private.is_plan_member(p_plan.id));
end $function$;

CREATE OR REPLACE FUNCTION private.may_meet(p_person_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.user_profiles where user_id = p_person_id and deleted_at is null)
    and p_person_id <> all (private.people_apart())
    and ((select auth.uid()) is not null or exists (
      select from public.shared_subscriptions as p where p.owner_id = p_person_id and private.may_find(p)))
$function$;

CREATE OR REPLACE FUNCTION private.open_plan_link(p_token text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plan_id text;
begin
  -- The lock keeps a link that is being replaced from working.
  select l.subscription_id into v_plan_id from private.plan_links as l
  join public.shared_subscriptions as p on p.id = l.subscription_id and p.owner_id <> all (private.people_apart())
  where l.token = p_token for key share of l;
  if not found then
    raise exception 'This link is not known' using errcode = 'PT404';
  end if;
  insert into private.link_visits (subscription_id, user_id) values (v_plan_id, v_user) on conflict do nothing;
  return v_plan_id;
end $function$;

CREATE OR REPLACE FUNCTION private.plan_counts()
 RETURNS TABLE(category text, provider text, name text, plans integer, open integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.category, c.provider, c.name, c.plans - coalesce(apart.plans, 0)::integer, c.open - coalesce(apart.open, 0)::integer
  from private.plan_counts as c
  left join (
    select p.category, p.provider, p.name, count(*) as plans, count(*) filter (where not p.is_full) as open
    from public.shared_subscriptions as p
    where p.owner_id = any ((select private.people_apart())::uuid[]) and p.status = 'active' and not p.is_private group by 1, 2, 3
  ) as apart using (category, provider, name)
  where c.plans > coalesce(apart.plans, 0) and c.provider not in (select closed.provider from public.closed_providers as closed)
$function$;

CREATE OR REPLACE FUNCTION private.rating_of(p_person_id uuid, OUT rating numeric, OUT reviewers integer)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select round(avg(last.rating), 1), count(*) into rating, reviewers from (
    select distinct on (r.author_id) r.rating from private.seat_reviews as r
    where r.subject_id = p_person_id and private.is_shown_review(r) and r.author_id <> all (private.people_apart())
      and exists (select from public.member_payments as m where m.seat_id = r.seat_id and private.is_sure_payment(m))
    order by r.author_id, r.written_at desc
  ) as last;
end $function$;

CREATE OR REPLACE FUNCTION private.reviews_of(p_person_id uuid)
 RETURNS TABLE(id uuid, author_id uuid, author_name text, avatar_url text, plan text, rating integer, body text, written_at timestamp with time zone, answer text, may_answer boolean, may_report boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := auth.uid();
begin
  return query
    select r.id, case when v_user is not null then r.author_id end,
      case when v_user is null then private.first_name(p.display_name) else p.display_name end,
      case when v_user is not null then p.avatar_url end,
      case when v_user is not null then s.provider || ' ' || s.plan_name end, r.rating, r.body, r.written_at, r.answer,
      coalesce(r.subject_id = v_user and r.answer is null, false), coalesce(r.author_id <> v_user and r.reported_at is null, false)
    from private.seat_reviews as r join private.seats as s on s.id = r.seat_id
    join public.user_profiles as p on p.user_id = r.author_id
    where r.subject_id = p_person_id and private.may_meet(p_person_id) and private.is_shown_review(r)
      and r.author_id <> all (private.people_apart())
    order by r.written_at desc, r.id limit 50;
end $function$;

CREATE OR REPLACE FUNCTION private.shares_place_with(p_other uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from private.seats where ended_at is null and (owner_id, member_id) in ((auth.uid(), p_other), (p_other, auth.uid())));
end $function$;

CREATE OR REPLACE FUNCTION private.site_paths()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select unnest(array['/', '/plans', '/about', '/books', '/privacy', '/terms'])
  union all
  (select '/plans/' || id from public.shared_subscriptions
  where status = 'active' and not is_private and not is_full and provider not in (select c.provider from public.closed_providers as c)
    and owner_id <> all ((select private.people_apart())::uuid[])
  order by created_at desc, id desc limit 49900)
$function$;

CREATE OR REPLACE FUNCTION private.standing_of(p_user_ids uuid[])
 RETURNS TABLE(user_id uuid, level text, days_here integer, hours_given integer, paid_on_time integer, paid_late integer, problems integer, answers integer, answer_minutes integer, rating numeric, reviewers integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_apart uuid[] := private.people_apart();
  v_is_staff boolean := private.is_staff();
begin
  perform private.require_user();
  return query
    select f.user_id, private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.answer_minutes),
      f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.answers, f.answer_minutes, r.rating, r.reviewers
    from private.standing_facts(array(
      select id from unnest(p_user_ids[1:100]) as id where id <> all (v_apart) or v_is_staff or private.shares_place_with(id)
    )) as f cross join lateral private.rating_of(f.user_id) as r;
end $function$;

CREATE POLICY "Active plans are for everyone signed in, private ones for who k" ON "public"."shared_subscriptions" FOR SELECT TO "authenticated" USING ((((status = 'active'::text) AND (NOT is_private) AND (owner_id <> ALL (( SELECT private.people_apart() AS people_apart)::uuid[]))) OR (owner_id = ( SELECT auth.uid() AS uid)) OR private.is_plan_member(id) OR ((status = 'active'::text) AND (owner_id <> ALL (( SELECT private.people_apart() AS people_apart)::uuid[])) AND private.knows_plan(id)) OR ( SELECT private.may('subscriptions.view'::text) AS may)));

CREATE POLICY "People see how others appear, people apart what they need" ON "public"."user_profiles" FOR SELECT TO "authenticated" USING (((user_id <> ALL (( SELECT private.people_apart() AS people_apart)::uuid[])) OR private.has_dealt_with(user_id) OR ( SELECT private.is_staff() AS is_staff)));

REVOKE ALL ON FUNCTION "private"."has_dealt_with"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."has_dealt_with"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."people_apart"() FROM "authenticated";

GRANT EXECUTE ON FUNCTION "private"."people_apart"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."shares_place_with"(uuid) FROM PUBLIC;

