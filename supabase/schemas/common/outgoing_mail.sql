-- The maximum length of an e-mail address that a person types: the limit for a path in SMTP (RFC 5321), without its brackets.
create function private.longest_address() returns integer
language sql immutable return 254;
grant execute on function private.longest_address() to service_role;

-- Returns whether mail can be sent to this address. Accounts imported from elsewhere may have no address.
create function private.is_mailable(p_address text) returns boolean
language sql immutable
return coalesce(p_address ~ '^[^\s@]+@[^\s@]+$' and char_length(p_address) <= 320, false);

-- Returns an address that somebody has typed, in lower case. Raises 23514 if it is none.
create function private.require_address(p_address text) returns text
language plpgsql immutable set search_path = '' as $$
declare v_address text := lower(btrim(coalesce(p_address, '')));
begin
  -- Accounts have ASCII addresses only; most other letters would only imitate another person's address.
  if octet_length(v_address) > char_length(v_address) or v_address !~ '^[^\s@,;:<>()"\\[:cntrl:]]+@[^\s@,;:<>()"\\[:cntrl:]]+\.[^\s@,;:<>()"\\[:cntrl:]]+$'
    or char_length(v_address) > private.longest_address() then
    perform private.refuse('email_invalid');
  end if;
  return v_address;
end $$;

-- Outgoing mail, stored as an event without text: the function `mail` writes the text. The row is written in the transaction of its event,
-- so the mail goes out only if that transaction commits. A process with access to a mail server takes due mails and reports the outcome
-- (docs/decisions/009-outgoing-mail.md).
create table private.outgoing_mail (
  id uuid primary key default gen_random_uuid(),
  recipient text not null check (private.is_mailable(recipient)),
  -- Only for a mail with a ready text, such as the auth service's; {{ .SiteURL }} in its HTML stands for the site's address. The HTML is
  -- cleared once the mail is sent, because its links are secrets.
  subject text,
  html text,
  -- The path for unsubscribing from mail of this kind; null if that is not possible.
  unsubscribe_path text check (unsubscribe_path like '/%'),
  -- The ids of the mail's subjects and links. When one of them is over, an unsent mail is cancelled.
  about text[] not null default '{}',
  -- For all other mail: the event it reports (functions/_shared/words/), and the page its button opens. The page is cleared like
  -- html, but a mail that was given up keeps it until its subject is over, unless it carries a secret, so that an admin can have the
  -- mail sent again. `params` contains no secrets, because it stays after the mail is sent.
  event text check (event ~ '^[a-z]+(-[a-z]+)*$'),
  params jsonb not null default '{}' check (jsonb_typeof(params) = 'object'),
  path text check (path like '/%'),
  -- The person in whose language and time zone the mail is written, if known.
  reader_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  -- The time of the next attempt; during an attempt, when another worker may take the mail over.
  next_attempt_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  given_up_at timestamptz,
  -- When an admin saw that the mail was given up (staff/queues.sql).
  seen_at timestamptz,
  last_error text,
  -- When the mail server was found to be out of service; null during an attempt and after any other outcome.
  outage_at timestamptz,
  constraint outgoing_mail_content_check check (num_nonnulls(subject, event) = 1)
);
create index outgoing_mail_due_idx on private.outgoing_mail (next_attempt_at) where sent_at is null and given_up_at is null;
create index outgoing_mail_about_idx on private.outgoing_mail using gin (about) where sent_at is null;
create index outgoing_mail_outage_idx on private.outgoing_mail (outage_at) where outage_at is not null;
create index outgoing_mail_failed_idx on private.outgoing_mail (given_up_at) where given_up_at is not null and seen_at is null;
create index outgoing_mail_created_idx on private.outgoing_mail (created_at);
alter table private.outgoing_mail enable row level security;

-- Returns whether a mail was given up, and thus never sent, and staff have not seen that yet.
create function private.is_failed_mail(p_mail private.outgoing_mail) returns boolean
language sql immutable as $$ select p_mail.given_up_at is not null and p_mail.seen_at is null $$;

-- Returns the path of a mail that was given up, or null if it carries a secret: secrets are longer than any part of an id.
create function private.path_without_secret(p_path text) returns text
language sql immutable return case when p_path !~ '\w{32}' then p_path end;

-- How long a notification has to stay unread on the site before it is mailed.
create function private.mail_delay() returns interval
language sql immutable return interval '10 minutes';

-- Queues a mail about an event, to be sent after p_wait at the earliest, with a button that opens p_path. Its text is written in the
-- language of p_reader_id when the mail is taken to be sent.
create function private.write_mail(
  p_recipient text, p_reader_id uuid, p_event text, p_params jsonb, p_path text, p_about text[] default '{}',
  p_unsubscribe_path text default null, p_wait interval default '0', p_id uuid default gen_random_uuid()
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.outgoing_mail (id, recipient, reader_id, event, params, path, about, unsubscribe_path, next_attempt_at)
  values (p_id, p_recipient, p_reader_id, p_event, p_params, p_path, p_about, p_unsubscribe_path, clock_timestamp() + p_wait);
end $$;

-- Queues a mail with a ready subject and HTML.
create function private.send_mail(
  p_recipient text, p_subject text, p_html text, p_about text[] default '{}', p_unsubscribe_path text default null, p_wait interval default '0'
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.outgoing_mail (recipient, subject, html, about, unsubscribe_path, next_attempt_at)
  values (p_recipient, p_subject, p_html, p_about, p_unsubscribe_path, clock_timestamp() + p_wait);
end $$;

-- Cancels unsent mail about this subject. Mail that was given up stays for staff to see, but cannot be sent any more.
create function private.cancel_mail(p_about text) returns void
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  -- A locked mail is being cancelled or leased elsewhere; waiting for it could deadlock.
  delete from private.outgoing_mail where id in (
    select id from private.outgoing_mail
    where about @> array[p_about] and sent_at is null and given_up_at is null
    for update skip locked
  );
  update private.outgoing_mail set path = null where id in (
    select id from private.outgoing_mail
    where about @> array[p_about] and sent_at is null and given_up_at is not null and path is not null
    for update skip locked
  );
end $$;

-- Wakes the process that sends mail; it receives the notification after the commit.
create function private.tg_outgoing_mail__wake() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  perform pg_notify('outgoing_mail', '');
  return null;
end $$;
create trigger wake after insert on private.outgoing_mail
  for each statement execute function private.tg_outgoing_mail__wake();

-- How often a mail is tried before it is given up.
create function private.mail_attempts() returns integer
language sql immutable set search_path = '' as $$ select 8 $$;

-- How long a mail is retried during an outage of the mail server before it is given up.
create function private.mail_outage() returns interval
language sql immutable set search_path = '' as $$ select interval '1 day' $$;

-- Leases up to p_limit due mails, with all that is needed to write them in the language and time zone of their reader. Each is leased to
-- one caller, who has 5 minutes to settle it. During an outage of the mail server, one waiting mail a minute is tried before it is due,
-- which does not count as an attempt.
create function private.lease_due_mails(p_limit integer) returns table (
  id uuid, attempt integer, recipient text, subject text, html text, unsubscribe_path text, event text, params jsonb, path text,
  language text, time_zone text, about jsonb
)
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare v_now timestamptz := clock_timestamp();
begin
  -- Gives up mails whose last attempt was made by a process that never reported the outcome, once they are first in the queue.
  update private.outgoing_mail as m set given_up_at = v_now, html = null, path = private.path_without_secret(m.path)
  where m.attempts >= private.mail_attempts() and m.id = any (array(
    select d.id from private.outgoing_mail as d where d.next_attempt_at <= v_now and d.sent_at is null and d.given_up_at is null
    order by d.next_attempt_at limit p_limit for update skip locked));
  return query
    with due as materialized (
      select m.id from private.outgoing_mail as m
      where m.next_attempt_at <= v_now and m.sent_at is null and m.given_up_at is null and m.attempts < private.mail_attempts()
      order by m.next_attempt_at limit p_limit for update skip locked
    ), probe as materialized (
      select m.id from private.outgoing_mail as m
      where m.outage_at is not null and not exists (select from due)
        and not exists (select from private.outgoing_mail as o where o.outage_at > v_now - interval '1 minute')
      order by m.outage_at limit 1 for update skip locked
    )
    update private.outgoing_mail as m set next_attempt_at = v_now + interval '5 minutes', outage_at = null,
      attempts = m.attempts + case when exists (select from due) then 1 else 0 end
    -- The mails are looked up by their keys, so that the cost does not grow with the queue.
    where m.id = any (array(select due.id from due union all select probe.id from probe))
    returning m.id, m.attempts, m.recipient, m.subject, m.html, m.unsubscribe_path, m.event, m.params, m.path,
      coalesce((select p.language from private.user_details as p where p.user_id = m.reader_id),
        m.params ->> 'language'), private.zone_of(m.reader_id), to_jsonb(m.about);
end $$;

-- Records the outcome of attempt p_attempt. The mail was sent if p_error is null; otherwise it is retried after private.retry_wait(),
-- unless p_is_final or this was the last attempt. A failure is ignored if a later attempt has taken over.
-- p_is_outage means that no mail at all could have been sent; the first mail sent after an outage makes all mails due that waited
-- for the mail server. Returns whether the mail was given up.
create function private.settle_mail(
  p_id uuid, p_attempt integer, p_error text, p_is_final boolean, p_is_outage boolean default false
) returns boolean
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  v_is_given_up boolean;
  v_now timestamptz := clock_timestamp();
  v_over boolean := p_error is null or p_is_final or case when p_is_outage
    then v_now > (select created_at from private.outgoing_mail where id = p_id) + private.mail_outage()
    else p_attempt >= private.mail_attempts() end;
begin
  update private.outgoing_mail set
    sent_at = case when p_error is null then v_now end,
    given_up_at = case when p_error is not null and v_over then v_now end,
    next_attempt_at = v_now + private.retry_wait(p_attempt),
    last_error = left(p_error, 500),
    outage_at = case when p_is_outage and not v_over then v_now end,
    -- An outage alone never uses up the last attempt.
    attempts = case when p_is_outage and not v_over then least(attempts, private.mail_attempts() - 1) else attempts end,
    html = case when not v_over then html end,
    path = case when not v_over then path when p_error is not null then private.path_without_secret(path) end
  -- Written so that only the key finds the mail: Postgres may take the index of unsent mails for shorter, and would read all of it.
  where id = p_id and num_nonnulls(sent_at, given_up_at) = 0 and (attempts = p_attempt or p_error is null)
  returning given_up_at is not null into v_is_given_up;
  if p_error is null then
    update private.outgoing_mail set next_attempt_at = v_now, outage_at = null where id = any (array(
      select id from private.outgoing_mail where outage_at is not null for update skip locked
    ));
    if found then perform pg_notify('outgoing_mail', ''); end if;
  end if;
  return coalesce(v_is_given_up, false);
end $$;

revoke all on private.outgoing_mail from public, anon, authenticated, service_role;

-- The Edge Function `mail`, a sender without a database connection, calls both.
select private.publish('lease_due_mails', 'service_role');
select private.publish('settle_mail', 'service_role');
