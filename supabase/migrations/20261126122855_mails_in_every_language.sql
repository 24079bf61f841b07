set local check_function_bodies = off;

ALTER TABLE "public"."user_profiles" DROP CONSTRAINT "user_profiles_language_check";

DROP FUNCTION "private"."mail_closed_account"(text, text, text[], text);

DROP FUNCTION "private"."mail_layout"(text, text[], text, text, text, text, text);

DROP FUNCTION "private"."mail_page"(text, text[], text, text, text, text, text);

DROP FUNCTION "private"."send_mail"(text, text, text, text[], text, interval, uuid, text, jsonb);

DROP FUNCTION "private"."take_due_mails"(integer);

DROP FUNCTION "public"."take_due_mails"(integer);

ALTER TABLE "private"."outgoing_mail" ADD COLUMN "reader_id" uuid;

ALTER TABLE "private"."outgoing_mail" ADD COLUMN "parts" jsonb;

CREATE OR REPLACE FUNCTION private.close_day()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_midnight timestamptz := date_trunc('day', private.now() at time zone 'utc') at time zone 'utc';
  v_day date := (v_midnight at time zone 'utc')::date - 1;
  v_books private.daily_books;
  v_last private.staff_log;
begin
  -- Two clocks running at once must close the day once.
  perform pg_advisory_xact_lock(hashtext('close day'));
  if exists (select from private.daily_books where day = v_day) then return; end if;
  perform private.seal_transfers();
  v_books := private.books_at(v_midnight);
  insert into private.daily_books select v_books.*;
  select * into v_last from private.staff_log as l where l.at < v_midnight order by l.line desc limit 1;
  if not found then return; end if;
  insert into private.staff_log_days (day, line, hash) values (v_day, v_last.line, v_last.hash);
  perform private.write_mail(account.email, account.id, format('The log of staff up to %s', to_char(v_day, 'FMDD FMMonth YYYY')),
    jsonb_build_object('heading', 'The log of staff', 'sentences', jsonb_build_array(
      format('Line %s is the last one of %s. Its hash is', v_last.line, to_char(v_day, 'FMDD FMMonth YYYY')),
      v_last.hash,
      'Keep this mail: "npm run admin -- check-log <hash>" finds out whether any line up to it was changed or taken out.',
      format('The ledger has %s sealed transfers. The hash of the last one is', v_books.seal),
      case v_books.seal when 0 then 'none yet.' else v_books.seal_hash end,
      '"npm run admin -- check-books <hash>" finds out whether any of them was changed or taken out.',
      case when v_books.faults = 0 then 'The books balance.' else format('The books have %s faults: "npm run admin -- check-books" names them.', v_books.faults) end
    ), 'action', 'Read the log', 'path', '/admin/log', 'small_print', 'Super-admins get this mail every day.',
      'closing', 'It cannot be ended while you are one.'),
    'staff-log-day', jsonb_build_object('day', v_day, 'line', v_last.line, 'hash', v_last.hash, 'faults', v_books.faults,
      'transfers', v_books.seal, 'seal', v_books.seal_hash))
  from public.user_roles as held join auth.users as account on account.id = held.user_id
  where held.role = 'super-admin' and account.deleted_at is null and private.is_mailable(account.email);
end $function$;

CREATE OR REPLACE FUNCTION private.delete_own_account(p_give_up_coins boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
  v_seats uuid[];
  v_coins numeric;
  v_refusal text;
  v_is_owed boolean;
begin
  perform private.require_recent_proof();
  -- Waits for anybody approving a member or moving coins right now.
  perform from public.shared_subscriptions
  where owner_id = v_user or id in (select subscription_id from public.waiting_list where user_id = v_user)
  order by id for update;
  perform from public.subscription_members where user_id = v_user order by id for update;
  perform private.lock_plan_to_leave(subscription_id) from (
    select subscription_id from private.seats where member_id = v_user and ended_at is null order by subscription_id
  ) as left_now;
  -- Seats that have ended may still hold the money of a problem.
  v_seats := array(select id from private.seats
    where v_user in (member_id, owner_id) and (ended_at is null or next_at is not null) order by id for update);
  perform private.lock_held_money(v_seats);
  perform private.lock_ledger(array(select id from private.ledger_accounts where kind = 'wallet' and owner = v_user));
  perform private.forfeit_problems(v_user);
  delete from public.shared_subscriptions where owner_id = v_user;
  v_coins := private.available_coins(v_user);
  v_refusal := private.account_end_refusal(v_user, coalesce(p_give_up_coins, false));
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  elsif v_coins > 0 and p_give_up_coins and v_coins < private.least_withdrawal() then
    perform private.transfer('given-up:' || v_user, private.ledger_account('wallet', v_user),
      private.ledger_account('adjustments'), v_coins, 'given-up', p_description => 'Given up with the account');
  elsif v_coins > 0 then
    insert into public.withdrawal_requests (user_id, amount, closes_account) values (v_user, v_coins, true);
  end if;

  update public.subscription_requests set status = 'cancelled' where user_id = v_user and status = 'pending';
  delete from public.waiting_list where user_id = v_user;
  delete from public.plan_alerts where user_id = v_user;
  delete from private.told_plans where user_id = v_user;
  delete from private.link_visits where user_id = v_user;
  delete from public.subscription_members where user_id = v_user;
  v_is_owed := private.is_owed(v_user);
  -- Mail before invitation, the lock order of a mail that was sent. Mail about a change that an intruder may have made, to
  -- be paid in this person's place, still goes out.
  delete from private.outgoing_mail where lower(recipient) = v_email and not (v_is_owed and event like 'account-%');
  delete from public.subscription_invitations where email = v_email;
  -- Openings of one's own secrets concern nobody else.
  delete from private.vault_openings where owner_id = v_user and opened_by = v_user;
  -- Skips locked rows: whoever is reading them deletes them.
  delete from private.fact_changes
  where id in (select id from private.fact_changes where user_id = v_user for update skip locked);

  if not private.has_records(v_user) then
    delete from auth.users where id = v_user;
    return;
  end if;

  delete from public.conversations where v_user in (owner_id, member_id);
  delete from public.subscription_requests where user_id = v_user;
  delete from public.user_notifications where user_id = v_user;
  delete from private.unwanted_notifications where user_id = v_user;
  delete from private.unsubscribe_links where user_id = v_user;
  delete from private.push_devices where user_id = v_user;
  delete from private.calendars where user_id = v_user;
  delete from public.payment_wishes where user_id = v_user;
  delete from private.seat_reviews where subject_id = v_user;
  delete from private.person_reports where person_id = v_user;
  update private.person_reports set reporter_id = null where reporter_id = v_user;
  update private.support_requests set writer_id = null where writer_id = v_user;
  update private.seat_reviews set reported_by = null where reported_by = v_user;
  delete from public.blocked_people where v_user in (user_id, blocked_id);
  delete from private.time_zones where user_id = v_user;
  if v_is_owed then
    perform private.keep_closed_account(v_user, v_email);
  else
    delete from private.bank_accounts where user_id = v_user;
    delete from private.vault_keys where person_id = v_user;
    delete from private.account_changes where user_id = v_user;
  end if;
  delete from public.provider_requests where user_id = v_user;
  delete from public.payment_methods where user_id = v_user;
  delete from public.admin_role_requests where user_id = v_user;
  delete from public.user_roles where user_id = v_user;
  update public.user_profiles set display_name = 'Deleted account', full_name = null, phone_number = null,
    avatar_url = null, language = case when v_is_owed then language end, deleted_at = now() where user_id = v_user;
  delete from auth.identities where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set email = null, email_change = '', encrypted_password = null,
    raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = now(), updated_at = now()
  where id = v_user;
  -- Last, because nobody is told about what is removed from a closed account.
  delete from auth.mfa_factors where user_id = v_user;
  if private.has_passkey(v_user) then
    delete from auth.webauthn_credentials where user_id = v_user;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.is_language(p_tag text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (p_tag ~ '^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$'::text);

CREATE OR REPLACE FUNCTION private.keep_closed_account(p_user_id uuid, p_email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_closed private.closed_accounts;
  v_open record;
begin
  insert into private.closed_accounts (user_id, email) values (p_user_id, p_email) returning * into v_closed;
  delete from private.bank_accounts as a where a.user_id = p_user_id and not exists (
    select from public.withdrawal_requests where bank_account_id = a.id and status in ('pending', 'processing'));
  for v_open in
    select string_agg(distinct bank_account_last4, ', ') as last4, sum(amount) as amount from public.withdrawal_requests
    where user_id = p_user_id and status in ('pending', 'processing') having count(*) > 0
  loop
    perform private.mail_closed_account(v_closed, 'Your account is closed', array[
      format('%s are on their way to your bank account', private.euros(v_open.amount)) || coalesce(' ending in ' || v_open.last4, '') || '.',
      'We’ll let you know when they’re paid, or if something goes wrong.'
    ], 'account-closed', jsonb_build_object('amount', v_open.amount, 'known', v_open.last4 is not null, 'last4', coalesce(v_open.last4, '')));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.mail_account_change(p_change private.account_changes, p_token text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_title text := case p_change.kind
    when 'email' then 'The email address of your account was changed'
    when 'password' then 'The password of your account was changed'
    when 'factor-added' then 'An authenticator app was added to your account'
    when 'factor-removed' then 'An authenticator app was removed from your account'
    when 'passkey-added' then 'A passkey was added to your account'
    when 'passkey-removed' then 'A passkey was removed from your account'
    when 'recovery-codes' then 'The recovery codes of your account were changed'
    when 'bank-account' then 'The bank account for your payouts was changed'
  end;
  v_at text := to_char(p_change.happened_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI "UTC"');
  v_address text := private.masked_address((select email from auth.users where id = p_change.user_id and p_change.kind = 'email'));
  v_hours numeric := private.hours(private.undo_lifetime());
begin
  perform private.write_mail(p_change.told, p_change.user_id, v_title, jsonb_build_object(
    'heading', v_title,
    'sentences', jsonb_build_array(
      format('It was changed on %s.', v_at) || coalesce(format(' The account now uses %s.', v_address), ''),
      'If it wasn’t you, undo it: ' || case
        when p_change.kind = 'email' then 'the account gets this address back'
        when p_change.kind = 'password' then 'the new password stops working'
        when p_change.kind in ('factor-added', 'passkey-added') then 'it is removed again'
        when p_change.kind = 'recovery-codes' then 'these codes stop working'
        when p_change.kind = 'bank-account' then 'nothing more is paid to it'
        -- Nobody else knows what it was.
        else 'we can’t restore what was removed, but whoever did it is locked out'
      end || '. We also undo later changes and sign out every device, and you choose a new password.'
    ),
    'action', 'This wasn’t me',
    'path', '/undo-change#token=' || p_token,
    'small_print', format('The link works once, for %s hours.', v_hours),
    'closing', 'Was it you? Then there’s nothing to do.'
  ), 'account-' || p_change.kind,
    jsonb_build_object('at', p_change.happened_at, 'address', v_address, 'hours', v_hours), array[p_change.id::text]);
end $function$;

CREATE OR REPLACE FUNCTION private.mail_closed_account(p_closed private.closed_accounts, p_title text, p_sentences text[], p_event text, p_params jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.write_mail(p_closed.email, p_closed.user_id, p_title, jsonb_build_object(
    'heading', p_title,
    'sentences', p_sentences,
    'action', 'Open Potluck',
    'path', '/sign-up',
    'small_print', format('We keep this address and your bank account only until %s days after we’ve paid you.', kept.days),
    'closing', 'There’s nothing to unsubscribe from.'
  ), p_event, p_params || jsonb_build_object('days', kept.days))
  from extract(day from private.payout_return_time()) as kept (days)
  where private.is_mailable(p_closed.email)
$function$;

CREATE OR REPLACE FUNCTION private.mail_frame(p_parts jsonb, p_unsubscribe_path text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select private.mail_layout(
    '{{ .heading }}',
    array(select format('{{ .sentence_%s }}', place) from generate_series(1, jsonb_array_length(p_parts -> 'sentences')) as place),
    '{{ .action }}', '{{ .SiteURL }}' || private.escape_html(p_parts ->> 'path'), '{{ .small_print }}', '{{ .closing }}',
    '{{ .SiteURL }}' || nullif(private.escape_html(p_unsubscribe_path), ''),
    (select jsonb_object_agg(name, format('{{ .%s }}', name)) from jsonb_object_keys(private.mail_standing_words()) as name))
$function$;

CREATE OR REPLACE FUNCTION private.mail_invitation(p_id uuid, p_email text, p_token text, p_plan public.shared_subscriptions, p_inviter text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan text := format('%s %s', p_plan.provider, p_plan.name);
  v_share numeric := case p_plan.settlement when 'potluck' then private.with_fee(p_plan.member_price, p_plan.fee_rate) else p_plan.member_price end;
  v_days numeric := extract(day from private.invitation_lifetime());
begin
  perform private.write_mail(p_email, (select id from auth.users where lower(email) = p_email),
    format('%s invites you to share %s', p_inviter, v_plan), jsonb_build_object(
    'heading', 'You’re invited',
    'sentences', jsonb_build_array(
      format('%s is keeping a place for you in %s on Potluck, where people share subscriptions and split the cost.', p_inviter, v_plan),
      format('Your share is €%s a %s, %s. You pay nothing until you accept.', to_char(v_share, 'FM999990.00'),
        case p_plan.billing_cycle when 'yearly' then 'year' else 'month' end,
        case p_plan.settlement when 'potluck' then 'convenience fee included' else format('paid to %s directly, no fee', p_inviter) end)
    ),
    'action', 'See the invitation',
    'path', '/invitation/' || p_token,
    'small_print', format('We keep the place for %s days.', v_days),
    'closing', 'Not expecting this? You can ignore this email.'
  ), 'invited', jsonb_build_object('person', p_inviter, 'plan', v_plan, 'share', v_share, 'cycle', p_plan.billing_cycle,
    'settlement', p_plan.settlement, 'days', v_days), array[p_id::text, p_plan.id], p_id => p_id);
end $function$;

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
  perform private.write_mail(v_address, v_told.user_id, v_told.message, jsonb_build_object(
    'heading', v_told.title,
    'sentences', jsonb_build_array(v_told.message),
    'action', p_action,
    'path', p_path,
    'small_print', 'You can also find this in your Potluck notifications.',
    'closing', case when v_always then 'You always get this email before a charge.'
      else 'You get this email because you hadn’t read it on Potluck yet.' end
  ), v_told.event, v_told.params, case when v_always then p_about else p_notification_id::text || p_about end, v_unsubscribe,
    case when v_always then interval '0' else interval '10 minutes' end);
end $function$;

CREATE OR REPLACE FUNCTION private.mail_page(p_parts jsonb, p_unsubscribe_path text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select private.mail_layout(
    private.escape_html(p_parts ->> 'heading'),
    array(select private.escape_html(sentence)
      from jsonb_array_elements_text(p_parts -> 'sentences') with ordinality as written (sentence, place) order by place),
    private.escape_html(p_parts ->> 'action'),
    '{{ .SiteURL }}' || private.escape_html(p_parts ->> 'path'),
    private.escape_html(p_parts ->> 'small_print'),
    private.escape_html(p_parts ->> 'closing'),
    '{{ .SiteURL }}' || nullif(private.escape_html(p_unsubscribe_path), ''))
$function$;

CREATE OR REPLACE FUNCTION private.mail_standing_words()
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select '{"language": "en", "paste": "If the button does nothing, paste this address into your browser:", "stop": "Stop these emails",
    "motto": "Potluck. Share the plan. Split the cost."}'::jsonb
$function$;

CREATE OR REPLACE FUNCTION private.mail_layout(p_heading text, p_paragraphs text[], p_action text, p_link text, p_small_print text, p_closing text, p_unsubscribe_link text DEFAULT NULL::text, p_standing jsonb DEFAULT private.mail_standing_words())
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select format($html$<!doctype html>
<html lang="%8$s">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light">
  <title>%1$s</title>
</head>
<body style="margin:0;padding:0;background-color:#FFFBF4;">
<table role="presentation" width="100%%" cellpadding="0" cellspacing="0" border="0" style="background-color:#FFFBF4;">
<tr><td align="center" style="padding:40px 16px;">
  <table role="presentation" width="100%%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;font-family:Inter,'Segoe UI',Helvetica,Arial,sans-serif;">
  <tr><td style="padding:0 8px 20px;font-size:24px;line-height:32px;font-weight:700;letter-spacing:-0.02em;color:#B4451F;">Potluck</td></tr>
  <tr><td style="padding:32px 28px;background-color:#FFFFFF;border:1px solid #EFE4D6;border-top:4px solid #B4451F;border-radius:14px;">
    <h1 style="margin:0 0 16px;font-size:26px;line-height:34px;font-weight:700;letter-spacing:-0.02em;color:#2A1F18;overflow-wrap:anywhere;">%1$s</h1>
%2$s
    <p style="margin:0 0 24px;"><a href="%4$s" style="display:inline-block;padding:14px 28px;font-size:16px;line-height:20px;font-weight:600;color:#FFFFFF;text-decoration:none;background-color:#B4451F;border-radius:10px;">%3$s</a></p>
    <p style="margin:0 0 8px;font-size:14px;line-height:22px;color:#6A6059;">%5$s %9$s</p>
    <p style="margin:0;font-size:13px;line-height:20px;word-break:break-all;"><a href="%4$s" style="color:#B4451F;">%4$s</a></p>
  </td></tr>
  <tr><td style="padding:20px 8px 0;font-size:13px;line-height:20px;color:#6A6059;">
    <p style="margin:0 0 4px;">%6$s</p>%7$s
    <p style="margin:0;">%10$s</p>
  </td></tr>
  </table>
</td></tr>
</table>
</body>
</html>
$html$,
    p_heading,
    (select string_agg(format(
        '    <p style="margin:0 0 24px;font-size:16px;line-height:26px;color:#2A1F18;overflow-wrap:anywhere;">%s</p>', paragraph
      ), e'\n' order by place) from unnest(p_paragraphs) with ordinality as given (paragraph, place)),
    p_action, p_link, p_small_print, p_closing,
    case when p_unsubscribe_link is not null then format(
      e'\n    <p style="margin:0 0 4px;"><a href="%s" style="color:#6A6059;">%s</a></p>', p_unsubscribe_link, p_standing ->> 'stop'
    ) end,
    p_standing ->> 'language', p_standing ->> 'paste', p_standing ->> 'motto'
  )
  );
end $function$;

CREATE OR REPLACE FUNCTION private.send_mail(p_recipient text, p_subject text, p_html text, p_about text[] DEFAULT '{}'::text[], p_unsubscribe_path text DEFAULT NULL::text, p_wait interval DEFAULT '00:00:00'::interval, p_id uuid DEFAULT gen_random_uuid(), p_event text DEFAULT NULL::text, p_params jsonb DEFAULT '{}'::jsonb, p_reader_id uuid DEFAULT NULL::uuid, p_parts jsonb DEFAULT NULL::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.outgoing_mail (id, recipient, subject, html, about, unsubscribe_path, next_attempt_at, event, params, reader_id, parts)
  values (p_id, p_recipient, left(regexp_replace(p_subject, '[[:cntrl:]]+', ' ', 'g'), 200), p_html, p_about,
    p_unsubscribe_path, clock_timestamp() + p_wait, p_event, p_params, p_reader_id, p_parts);
end $function$;

CREATE OR REPLACE FUNCTION private.settle_closed_accounts()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_closed private.closed_accounts;
  v_heir uuid;
  v_coins numeric;
  v_waits timestamptz;
begin
  for v_closed in select * from private.closed_accounts order by user_id for update skip locked loop
    select id into v_heir from auth.users
    where lower(email) = v_closed.email and email_confirmed_at is not null and deleted_at is null;
    v_waits := private.withdrawals_wait_until(v_closed.user_id);
    if v_heir is not null and coalesce(v_waits <= private.now(), true) then
      perform private.lock_ledger(array[private.ledger_account('wallet', v_closed.user_id), private.ledger_account('wallet', v_heir)]);
      v_coins := private.available_coins(v_closed.user_id);
      if v_coins > 0 then
        perform private.transfer(format('handed-over:%s:%s', v_closed.user_id,
            (select version from private.ledger_accounts where kind = 'wallet' and owner = v_closed.user_id)),
          private.ledger_account('wallet', v_closed.user_id), private.ledger_account('wallet', v_heir), v_coins, 'handed-over',
          p_description => 'Left in the account you closed');
        perform private.notify(v_heir, 'success', 'Coins From Your Closed Account',
          format('%s coins that were left in the account you closed are in your wallet.', v_coins), null, 'coins-handed-over',
          jsonb_build_object('coins', v_coins));
      end if;
    end if;
    if not private.is_owed(v_closed.user_id) then
      delete from private.bank_accounts where user_id = v_closed.user_id;
      delete from private.vault_keys where person_id = v_closed.user_id;
      delete from private.account_changes where user_id = v_closed.user_id;
      update public.user_profiles set language = null where user_id = v_closed.user_id;
      delete from private.closed_accounts where user_id = v_closed.user_id;
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_mail(p_id uuid, p_attempt integer, p_error text, p_is_final boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := clock_timestamp();
  v_over boolean := p_error is null or p_is_final or p_attempt >= private.mail_attempts();
begin
  update private.outgoing_mail set
    sent_at = case when p_error is null then v_now end,
    given_up_at = case when p_error is not null and v_over then v_now end,
    next_attempt_at = v_now + least(interval '6 hours', interval '1 minute' * power(4, p_attempt - 1)),
    last_error = left(p_error, 500),
    html = case when not v_over then html end,
    parts = case when not v_over then parts end
  where id = p_id and sent_at is null and given_up_at is null and (attempts = p_attempt or p_error is null);
end $function$;

CREATE OR REPLACE FUNCTION private.take_due_mails(p_limit integer)
 RETURNS TABLE(id uuid, attempt integer, recipient text, subject text, html text, unsubscribe_path text, event text, params jsonb, parts jsonb, frame text, language text, time_zone text)
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
    )
    update private.outgoing_mail as m set attempts = m.attempts + 1, next_attempt_at = v_now + interval '5 minutes'
    from due where m.id = due.id
    returning m.id, m.attempts, m.recipient, m.subject, m.html, m.unsubscribe_path, m.event, m.params,
      m.parts || private.mail_standing_words(),
      case when m.parts is not null then private.mail_frame(m.parts, m.unsubscribe_path) end,
      (select p.language from public.user_profiles as p where p.user_id = m.reader_id), private.zone_of(m.reader_id);
end $function$;

CREATE OR REPLACE FUNCTION private.tell_closed_account(p_withdrawal public.withdrawal_requests, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_closed private.closed_accounts;
  v_amount text := private.euros(p_withdrawal.amount);
begin
  select * into v_closed from private.closed_accounts where user_id = p_withdrawal.user_id;
  if p_withdrawal.status = 'rejected' or p_withdrawal.returned_at is not null then
    perform private.mail_closed_account(v_closed, 'Your last payout did not arrive', array[
      case when p_withdrawal.status = 'rejected' then format('%s could not be paid to your bank account: %s', v_amount, p_reason)
        else format('Your bank returned %s: %s', v_amount, p_reason) end,
      'It’s still yours. Sign up with this address, and you’ll find it in your wallet within minutes. Then add your bank account.'
    ], 'payout-failed', jsonb_build_object('amount', p_withdrawal.amount, 'reason', p_reason, 'why', p_withdrawal.status));
  elsif p_withdrawal.status = 'completed' then
    perform private.mail_closed_account(v_closed, 'Your last payout is made', array[
      format('%s were paid to your bank account ending in %s.', v_amount, p_withdrawal.bank_account_last4)
    ], 'payout-made', jsonb_build_object('amount', p_withdrawal.amount, 'last4', p_withdrawal.bank_account_last4));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_chat_participants__alert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_chat record;
  v_address text;
  v_unsubscribe text;
begin
  perform private.call_back_chat(old.id);
  if tg_op = 'DELETE' or not new.has_unread then return null; end if;
  perform private.push_chat(new.id, new.user_id, '5 seconds');
  select * into v_chat from private.unread_chat(new.id);
  v_address := private.email_of(new.user_id);
  if v_chat.conversation_id is null or not private.is_mailable(v_address) or not private.wants(new.user_id, 'messages', 'mail') then
    return null;
  end if;
  v_unsubscribe := private.unsubscribe_path(new.user_id);
  perform private.write_mail(v_address, new.user_id, v_chat.said, jsonb_build_object(
    'heading', 'New Message',
    'sentences', jsonb_build_array(v_chat.said),
    'action', 'Read the message',
    'path', '/messages/' || v_chat.conversation_id,
    'small_print', 'We won’t email you about this chat again until you’ve read it.',
    'closing', 'You get this email because you hadn’t read it on Potluck yet.'
  ), 'chat-message', jsonb_build_object('person', v_chat.person, 'plan', v_chat.plan),
    array[new.id::text, v_chat.conversation_id::text], v_unsubscribe, interval '10 minutes');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_user_profiles__tell_language()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update auth.users set raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('language', new.language)
  where id = new.user_id and raw_user_meta_data ->> 'language' is distinct from new.language;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_users__create_profile()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.user_profiles (user_id, display_name, avatar_url, language)
  values (
    new.id,
    private.default_display_name(new.raw_user_meta_data),
    (select address from (values (new.raw_user_meta_data ->> 'avatar_url')) as given (address)
      where char_length(address) <= 500 and private.is_picture(address)),
    (select tag from (values (new.raw_user_meta_data ->> 'language')) as given (tag) where private.is_language(tag))
  )
  on conflict (user_id) do nothing;
  return new;
exception when others then
  raise warning 'No profile for %: %', new.id, sqlerrm;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.write_mail(p_recipient text, p_reader_id uuid, p_subject text, p_parts jsonb, p_event text, p_params jsonb, p_about text[] DEFAULT '{}'::text[], p_unsubscribe_path text DEFAULT NULL::text, p_wait interval DEFAULT '00:00:00'::interval, p_id uuid DEFAULT gen_random_uuid())
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.send_mail(p_recipient, p_subject, private.mail_page(p_parts, p_unsubscribe_path), p_about, p_unsubscribe_path, p_wait,
    p_id, p_event, p_params, p_reader_id, p_parts);
end $function$;

CREATE OR REPLACE FUNCTION public.take_due_mails(p_limit integer)
 RETURNS TABLE(id uuid, attempt integer, recipient text, subject text, html text, unsubscribe_path text, event text, params jsonb, parts jsonb, frame text, language text, time_zone text)
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select * from private.take_due_mails(p_limit) $function$;

ALTER TABLE "private"."outgoing_mail" ADD CONSTRAINT "outgoing_mail_parts_check" CHECK ((jsonb_typeof(parts) = 'object'::text));

CREATE TRIGGER tell_language AFTER INSERT OR UPDATE OF language ON public.user_profiles FOR EACH ROW EXECUTE FUNCTION private.tg_user_profiles__tell_language();

REVOKE ALL ON FUNCTION "private"."is_language"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_language"(text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "private"."is_language"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."mail_closed_account"(private.closed_accounts, text, text[], text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_frame"(jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_layout"(text, text[], text, text, text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_page"(jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_standing_words"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_mail"(text, text, text, text[], text, interval, uuid, text, jsonb, uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_due_mails"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."take_due_mails"(integer) TO "service_role";

REVOKE ALL ON FUNCTION "private"."tg_user_profiles__tell_language"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."write_mail"(text, uuid, text, jsonb, text, jsonb, text[], text, interval, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."take_due_mails"(integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."take_due_mails"(integer) TO "service_role";

ALTER TABLE "public"."user_profiles" ADD CONSTRAINT "user_profiles_language_check" CHECK (private.is_language(language));
