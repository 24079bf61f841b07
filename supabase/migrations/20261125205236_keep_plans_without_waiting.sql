set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.is_being_cancelled(p_subscription_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_is_free boolean;
begin
  begin
    v_is_free := (private.keep_plan(p_subscription_id)).id is not null;
    -- The exception releases the lock.
    raise exception '%', p_subscription_id using errcode = 'PT409';
  exception when sqlstate 'PT409' then
    return not v_is_free;
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.keep_plan(p_subscription_id text)
 RETURNS public.shared_subscriptions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '50ms'
AS $function$
declare v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for key share skip locked;
  return v_plan;
exception when lock_not_available then
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_seat(p_seat private.seats, p_user_id uuid, p_type text, p_event text, p_title text, p_message text, p_params jsonb DEFAULT '{}'::jsonb, p_mails boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
-- A plan that is being cancelled waits for the seat, so waiting for the plan would deadlock.
declare
  v_plan text := case when p_seat.ended_at is null or p_user_id = p_seat.owner_id
    then (private.keep_plan(p_seat.subscription_id)).id end;
  v_told uuid := private.notify(p_user_id, p_type, p_title, p_message, v_plan, p_event, p_params || jsonb_build_object(
    'plan', p_seat.provider || ' ' || p_seat.plan_name,
    'member', (select display_name from public.user_profiles where user_id = p_seat.member_id),
    'owner', (select display_name from public.user_profiles where user_id = p_seat.owner_id)));
begin
  if not p_mails then return; end if;
  perform private.mail_notification(v_told,
    array_remove(array[p_seat.id::text, v_plan], null),
    case when v_plan is null then 'See your payments' else 'Open the plan' end,
    case when v_plan is null then '/payments'
      when p_user_id = p_seat.owner_id then '/manage-shared/' || v_plan else '/manage-subscribed/' || v_plan end);
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__tell_cancelled()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
-- A plan that is being cancelled waits for this request, so waiting for the plan would deadlock.
declare v_plan public.shared_subscriptions := private.keep_plan(new.subscription_id);
begin
  if v_plan.id is null or private.is_wavering(new) then return null; end if;
  perform private.notify(v_plan.owner_id, 'info', 'Request Cancelled',
    format('%s no longer asks to join %s %s.', new.name, v_plan.provider, v_plan.name), v_plan.id);
  return null;
end $function$;

REVOKE ALL ON FUNCTION "private"."keep_plan"(text) FROM PUBLIC;

