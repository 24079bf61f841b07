set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.is_always_mailed(p_event text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((p_event = 'renewal-coming'::text), false);

CREATE OR REPLACE FUNCTION private.mail_notification(p_notification_id uuid, p_about text[], p_action text, p_path text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_told public.user_notifications;
  v_address text;
  v_always boolean;
  v_unsubscribe text;
begin
  select * into v_told from public.user_notifications where id = p_notification_id;
  v_address := private.email_of(v_told.user_id);
  v_always := private.is_always_mailed(v_told.event);
  if not private.is_mailable(v_address) or not (v_always or private.wants(v_told.user_id, private.topic_of(v_told.event), 'mail')) then
    return;
  end if;
  if not v_always then
    v_unsubscribe := private.unsubscribe_path(v_told.user_id);
  end if;
  perform private.send_mail(v_address, v_told.message, private.mail_page(
    v_told.title, array[v_told.message], p_action, p_path, 'You find this at the bell on Potluck too.',
    case when v_always then 'You get this e-mail, whatever you have turned off, because you are about to be charged.'
      else 'You get this e-mail because you had not read it on Potluck yet.' end, v_unsubscribe
  ), case when v_always then p_about else p_notification_id::text || p_about end, v_unsubscribe,
    case when v_always then interval '0' else interval '10 minutes' end,
    p_event => v_told.event, p_params => v_told.params);
end $function$;

REVOKE ALL ON FUNCTION "private"."is_always_mailed"(text) FROM PUBLIC;

