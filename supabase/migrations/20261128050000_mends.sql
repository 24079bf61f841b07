set local check_function_bodies = off;

DROP FUNCTION "private"."settle_mail"(uuid, integer, text, boolean);

DROP FUNCTION "private"."take_due_mails"(integer);

DROP FUNCTION "public"."settle_mail"(uuid, integer, text, boolean);

DROP FUNCTION "public"."take_due_mails"(integer);

ALTER TABLE "private"."outgoing_mail" ADD COLUMN "outage_at" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.call_mail()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.call_function('mail') where exists (
    select from private.outgoing_mail
    where sent_at is null and given_up_at is null
      and (next_attempt_at <= clock_timestamp() - interval '5 seconds' or outage_at <= clock_timestamp() - interval '2 minutes')
  )
$function$;

CREATE OR REPLACE FUNCTION private.mail_outage()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select interval '1 day' $function$;

CREATE OR REPLACE FUNCTION private.missing_vault_keys(p_site_keys text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('name', name, 'count', count) order by name), '[]') from (
    select name, (select count(*) from private.vault_keys where site_key = name) as count
    from (select name from private.vault_site_key union select distinct site_key from private.vault_keys) as used
    where name <> all (p_site_keys)
  ) as missing
$function$;

CREATE OR REPLACE FUNCTION private.settle_mail(p_id uuid, p_attempt integer, p_error text, p_is_final boolean, p_is_outage boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := clock_timestamp();
  v_over boolean := p_error is null or p_is_final or case when p_is_outage
    then v_now > (select created_at from private.outgoing_mail where id = p_id) + private.mail_outage()
    else p_attempt >= private.mail_attempts() end;
begin
  update private.outgoing_mail set
    sent_at = case when p_error is null then v_now end,
    given_up_at = case when p_error is not null and v_over then v_now end,
    next_attempt_at = v_now + least(interval '6 hours', interval '1 minute' * power(4, p_attempt - 1)),
    last_error = left(p_error, 500),
    outage_at = case when p_is_outage and not v_over then v_now end,
    -- An outage alone never uses up the last attempt.
    attempts = case when p_is_outage and not v_over then least(attempts, private.mail_attempts() - 1) else attempts end,
    html = case when not v_over then html end,
    parts = case when not v_over then parts end
  where id = p_id and sent_at is null and given_up_at is null and (attempts = p_attempt or p_error is null);
  if p_error is null then
    update private.outgoing_mail set next_attempt_at = v_now, outage_at = null where id in (
      select id from private.outgoing_mail where outage_at is not null for update skip locked
    );
    if found then perform pg_notify('outgoing_mail', ''); end if;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.take_due_mails(p_limit integer)
 RETURNS TABLE(id uuid, attempt integer, recipient text, subject text, html text, unsubscribe_path text, event text, params jsonb, parts jsonb, frame text, language text, time_zone text, about jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_now timestamptz := clock_timestamp();
begin
  -- The last attempt never reported back.
  update private.outgoing_mail as m set given_up_at = v_now, html = null, parts = null
  where m.attempts >= private.mail_attempts() and m.next_attempt_at <= v_now and m.sent_at is null and m.given_up_at is null;
  return query
    with due as materialized (
      select m.id from private.outgoing_mail as m
      where m.next_attempt_at <= v_now and m.sent_at is null and m.given_up_at is null
      order by m.next_attempt_at limit p_limit for update skip locked
    ), probe as materialized (
      select m.id from private.outgoing_mail as m
      where m.outage_at is not null and not exists (select from due)
        and not exists (select from private.outgoing_mail as o where o.outage_at > v_now - interval '1 minute')
      order by m.outage_at limit 1 for update skip locked
    )
    update private.outgoing_mail as m set next_attempt_at = v_now + interval '5 minutes', outage_at = null,
      attempts = m.attempts + case when exists (select from due) then 1 else 0 end
    -- Looked up by their keys: this must not grow with the queue.
    where m.id = any (array(select due.id from due union all select probe.id from probe))
    returning m.id, m.attempts, m.recipient, m.subject, m.html, m.unsubscribe_path, m.event, m.params,
      m.parts || private.mail_standing_words(),
      case when m.parts is not null then private.mail_frame(m.parts, m.unsubscribe_path) end,
      (select p.language from public.user_profiles as p where p.user_id = m.reader_id), private.zone_of(m.reader_id), to_jsonb(m.about);
end $function$;

CREATE OR REPLACE FUNCTION public.missing_vault_keys(p_site_keys text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return private.missing_vault_keys(p_site_keys); end$function$;

CREATE OR REPLACE FUNCTION public.settle_mail(p_id uuid, p_attempt integer, p_error text, p_is_final boolean, p_is_outage boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.settle_mail(p_id, p_attempt, p_error, p_is_final, p_is_outage); end$function$;

CREATE OR REPLACE FUNCTION public.take_due_mails(p_limit integer)
 RETURNS TABLE(id uuid, attempt integer, recipient text, subject text, html text, unsubscribe_path text, event text, params jsonb, parts jsonb, frame text, language text, time_zone text, about jsonb)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin return query select * from private.take_due_mails(p_limit); end$function$;

CREATE INDEX outgoing_mail_outage_idx ON private.outgoing_mail USING btree (outage_at) WHERE (outage_at IS NOT NULL);

REVOKE ALL ON FUNCTION "private"."mail_outage"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."missing_vault_keys"(text[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."missing_vault_keys"(text[]) TO "service_role";

REVOKE ALL ON FUNCTION "private"."settle_mail"(uuid, integer, text, boolean, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."settle_mail"(uuid, integer, text, boolean, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "private"."take_due_mails"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."take_due_mails"(integer) TO "service_role";

REVOKE ALL ON FUNCTION "public"."missing_vault_keys"(text[]) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."missing_vault_keys"(text[]) TO "service_role";

REVOKE ALL ON FUNCTION "public"."settle_mail"(uuid, integer, text, boolean, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."settle_mail"(uuid, integer, text, boolean, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "public"."take_due_mails"(integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."take_due_mails"(integer) TO "service_role";
