-- The state of each mail, for admins whom people ask why their mail did not arrive.

-- Returns the newest 100 mails to addresses that contain p_search, waiting or sent in the last weeks. Without p_search, returns the mails
-- that were given up and that no admin has seen. `at` is the time when the mail was sent or given up, or will be tried next. `title` is in
-- English. A mail that was given up cannot be sent any more (`can_be_sent`) once its link is gone: because the link was a
-- secret, or because the mail's subject is over.
create function private.list_mails(p_search text default '')
returns table (id uuid, recipient text, person_id uuid, person_name text, event text, title text, status text, attempts integer, error text,
  at timestamptz, created_at timestamptz, can_be_sent boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_search text := lower(btrim(coalesce(p_search, '')));
begin
  return query
    select m.id, m.recipient, p.user_id, p.display_name, m.event,
      coalesce(m.subject, private.render_message(private.event_words(m.event) -> 'title', m.params, v_user), replace(m.event, '-', ' ')),
      case when m.sent_at is not null then 'sent' when m.given_up_at is not null then 'given-up' else 'waiting' end,
      m.attempts, m.last_error, coalesce(m.sent_at, m.given_up_at, m.next_attempt_at), m.created_at,
      m.sent_at is null and (m.given_up_at is null or m.path is not null)
    from private.outgoing_mail as m left join private.user_profiles as p on p.user_id = m.reader_id
    where case when v_search = '' then private.is_failed_mail(m) else position(v_search in lower(m.recipient)) > 0 end
    order by m.created_at desc, m.id limit 100;
end $$;
select private.publish('list_mails', 'authenticated');

-- Makes the server try a mail immediately that waits or was given up. One that was given up is tried as often again as a new mail.
create function private.try_mail_now(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_mail private.outgoing_mail;
begin
  perform private.require_treasurer();
  update private.outgoing_mail set next_attempt_at = clock_timestamp()
  where id = p_id and sent_at is null and given_up_at is null and next_attempt_at > clock_timestamp();
  if not found then
    update private.outgoing_mail set next_attempt_at = clock_timestamp(), given_up_at = null, seen_at = null, attempts = 0
    where id = p_id and given_up_at is not null and path is not null returning * into v_mail;
    if not found then
      perform private.refuse('mail_not_waiting');
    end if;
    perform private.log_staff('mail sent again', coalesce(v_mail.reader_id::text, 'mails'), jsonb_build_object('type', v_mail.event));
  end if;
  perform pg_notify('outgoing_mail', '');
end $$;
select private.publish('try_mail_now', 'authenticated');

-- Sends a test mail to the acting admin, which shows whether the site can send mail.
create function private.send_test_mail() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_treasurer();
begin
  perform private.write_mail((select email from auth.users where id = v_user), v_user, 'test-mail', '{}', '/admin/mails');
end $$;
select private.publish('send_test_mail', 'authenticated');

-- Marks all mails given up until p_until as seen, which removes them from the list of failed mails.
create function private.mark_failed_mails_seen(p_until timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_count integer;
begin
  perform private.require_treasurer();
  update private.outgoing_mail as m set seen_at = clock_timestamp() where private.is_failed_mail(m) and m.given_up_at <= p_until;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform private.log_staff('failed mails seen', 'mails', jsonb_build_object('mails', v_count));
  end if;
end $$;
select private.publish('mark_failed_mails_seen', 'authenticated');
