set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.push_text(p_about uuid, p_session_id uuid, p_user_id uuid)
 RETURNS TABLE(title text, message text, path text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- A device shows no more of the message.
  select n.title, left(n.message, 300), '/notifications/' || n.id
  from public.user_notifications as n where n.id = p_about and n.user_id = p_user_id and not n.read
  union all
  select 'New Message', c.said, '/messages/' || c.conversation_id
  from private.unread_chat(p_about) as c where c.user_id = p_user_id and private.wants(p_user_id, 'messages', 'push')
  union all
  select 'This Is a Test', 'What you chose reaches you on this device.', '/account-settings/notifications' where p_about = p_session_id
$function$;
