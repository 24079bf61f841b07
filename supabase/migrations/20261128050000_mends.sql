set local check_function_bodies = off;

DROP POLICY "Owners see what goes out of everybody's sight" ON "public"."plan_departures";

ALTER TABLE "private"."api_calls" DROP CONSTRAINT "api_calls_pkey";

ALTER TABLE "private"."api_calls" DROP CONSTRAINT "api_calls_scope_check";

ALTER TABLE "private"."api_tokens" DROP CONSTRAINT "api_tokens_scopes_check";

DROP FUNCTION "private"."settle_mail"(uuid, integer, text, boolean);

DROP FUNCTION "private"."take_due_mails"(integer);

DROP FUNCTION "public"."settle_mail"(uuid, integer, text, boolean);

DROP FUNCTION "public"."take_due_mails"(integer);

ALTER TABLE "private"."outgoing_mail" ADD COLUMN "outage_at" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.admit_api_token(p_token_hash text, p_request text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_token private.api_tokens := private.living_token(p_token_hash);
  v_ticket text := v_token.user_id || ':' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_scopes text[] := array(select scope from private.api_calls where request = p_request order by scope);
begin
  if v_scopes = '{}' then
    raise exception 'Tokens cannot call this' using errcode = 'PT404';
  elsif not v_scopes && v_token.scopes then
    raise exception 'This token may not: %', array_to_string(v_scopes, ', ') using errcode = '42501';
  end if;
  perform private.act_for(v_token.user_id);
  perform private.spend_attempt('token call');
  update private.api_tokens set last_used_at = date_trunc('minute', clock_timestamp())
  where id = v_token.id and last_used_at is distinct from date_trunc('minute', clock_timestamp());
  delete from private.api_tickets where token_id = v_token.id and made_at < clock_timestamp() - private.ticket_lifetime();
  insert into private.api_tickets (ticket_hash, token_id, request) values (private.hash_of(v_ticket), v_token.id, p_request);
  return v_ticket;
end $function$;

CREATE OR REPLACE FUNCTION private.are_names_alike(p_name text, p_other text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from unnest(private.name_spellings(p_name)) as a, unnest(private.name_spellings(p_other)) as b
    where a <> '' and a = b or exists (
      select from unnest(string_to_array(a, ' ')) as word where word = any (string_to_array(b, ' '))
        -- Two Chinese, Japanese or Korean letters are a name.
        and (length(word) > 2 or word ~ '^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2}$')
        -- A word that stands beside many names tells nobody from others.
        and word <> all ('{and,del,della,den,der,des,dos,frau,gmbh,herr,ltd,mrs,ten,ter,the,und,van,vom,von,zum,zur}')))
$function$;

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

CREATE OR REPLACE FUNCTION private.disconnect_programs()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  delete from private.api_tokens where user_id = v_user;
  perform private.end_webhook(w.id) from private.webhooks as w where w.user_id = v_user;
  perform private.end_calendar();
end $function$;

CREATE OR REPLACE FUNCTION private.end_seat(p_seat_id uuid, p_reason text, p_by uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats;
  v_plan text;
  v_member text;
  -- The side that was suspended, for the notification.
  v_why text := p_reason;
begin
  v_seat := private.lock_place(p_seat_id);
  v_plan := format('%s %s', v_seat.provider, v_seat.plan_name);
  if p_reason = 'suspended' then
    v_why := case when private.is_suspended(v_seat.owner_id) then 'owner-suspended' else 'member-suspended' end;
  end if;
  v_member := (select display_name from public.user_profiles where user_id = v_seat.member_id);
  if v_seat.ended_at is not null then return; end if;
  perform private.settle_seat(v_seat.id, p_reason, p_by);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id and not is_owner;
  select * into v_seat from private.seats where id = v_seat.id;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning', 'seat-ended', 'Membership Ended',
    format(case v_why when 'unpaid' then 'Your place in %s ended because it wasn’t paid.'
      when 'no-access' then 'Your place in %s ended because the owner didn’t give you access in time. ' || case v_seat.settlement
        when 'direct' then 'They owe you a full refund.' else 'You get a full refund.' end
      when 'problem' then 'Your place in %s ended because it didn’t work. ' || case v_seat.settlement
        when 'direct' then 'The owner owes you what you paid for the time since you reported it.'
        else 'You get back what you paid for the time since you reported it.' end
      when 'owner-suspended' then 'Your place in %s ended because its owner stayed suspended. ' || case v_seat.settlement
        when 'direct' then 'The owner owes you what you paid for the time since.'
        else 'You get back what you paid for the time since.' end
      when 'member-suspended' then 'Your place in %s ended because your account stayed suspended.' || case v_seat.settlement
        when 'direct' then '' else ' You get back what you paid for the time since.' end
      else 'Your place in %s has ended.' end, v_plan), jsonb_build_object('reason', v_why, 'settlement', v_seat.settlement));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-seat-ended', 'Place Free Again',
    format(case v_why when 'unpaid' then '%s didn’t pay for %s, so the place is free again.'
      when 'no-access' then '%s didn’t get access to %s in time, so ' || case v_seat.settlement
        when 'direct' then 'you owe them a full refund' else 'they get a full refund' end || ' and the place is free again.'
      when 'problem' then 'The problem %s reported with %s wasn’t fixed, so the place is free again.'
      when 'owner-suspended' then 'The place of %s in %s ended because your account stayed suspended, so ' || case v_seat.settlement
        when 'direct' then 'you owe them what they paid for the time since.' else 'they get back what they paid for the time since.' end
      else 'The place of %s in %s is free again.' end, v_member, v_plan), jsonb_build_object('reason', v_why, 'settlement', v_seat.settlement));
end $function$;

CREATE OR REPLACE FUNCTION private.entry_fates(p_entries jsonb)
 RETURNS TABLE(key text, fate text, params jsonb, payment uuid, entry_hash text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_entry record;
  v_named public.member_payments;
  v_fit jsonb;
  v_by_name jsonb;
  v_taken uuid[] := '{}';
begin
  perform private.require_few_rows(p_entries);
  for v_entry in
    with entries as (
      select e.*, named.known is true as names_known, named.anew is true as names_payment,
        private.hash_of(concat_ws('|', v_user, coalesce(e.ref, e.name || e.text), e.amount, e.booked)) as hash
      from rows from (jsonb_to_recordset(p_entries) as (key text, amount numeric, currency text, kind text, booked date, name text, text text,
        ref text, payment uuid)) with ordinality as e (key, amount, currency, kind, booked, name, text, ref, payment, at)
      cross join lateral (
        -- A standing order has the first month's reference for ever: what comes days after that was confirmed is for another.
        select bool_or(true) as known, bool_or((m.status in ('paid', 'closed') and e.booked > m.paid_at::date + 3) is not true) as anew
        from private.payments_named_in(e.text) as m
      ) as named
    )
    -- Banks may give two transfers of a day the same reference.
    select e.*, hash || '-' || row_number() over (partition by hash order by at) as own_hash from entries as e
    -- What is certain chooses first, so that what is not takes nothing from it.
    order by e.payment is null, not names_payment, booked, at
  loop
    key := v_entry.key;
    params := '{}';
    payment := null;
    entry_hash := v_entry.own_hash;
    fate := case
      when v_entry.kind is not null then v_entry.kind
      when exists (select from private.used_bank_entries as u where u.owner_id = v_user and u.entry_hash = v_entry.own_hash) then 'confirmed'
      when v_entry.currency is distinct from 'EUR' then 'currency'
    end;
    if fate is null and v_entry.names_payment then
      -- One that it pays before one that it might.
      select m.* into v_named from private.payments_named_in(v_entry.text) as m
      order by m.amount = v_entry.amount and m.status in ('due', 'claimed', 'disputed') and m.id <> all (v_taken) desc, m.number limit 1;
      fate := case
        when v_named.id = any (v_taken) then 'twice'
        when v_named.status = 'cancelled' then 'cancelled'
        when v_named.status not in ('due', 'claimed', 'disputed') then 'confirmed'
        when v_named.amount is distinct from v_entry.amount then 'amount'
        else 'pays'
      end;
      params := private.entry_payment(v_named) || jsonb_build_object('by', 'reference');
    elsif fate is null then
      with fitting as (
        select m.id, m.seat_id, m.due_at, m.number, private.entry_payment(m) as about,
          private.are_names_alike(v_entry.name, p.display_name) as is_theirs
        from public.member_payments as m join public.user_profiles as p on p.user_id = m.member_id
        where m.owner_id = v_user and m.settlement = 'direct' and m.status in ('due', 'claimed', 'disputed') and m.amount = v_entry.amount
          and m.id <> all (v_taken) and m.due_at - interval '10 days' < v_entry.booked + 1
      )
      -- Of several months of one place, the oldest is paid first.
      select jsonb_agg(about order by due_at, number, id),
        case count(distinct seat_id) filter (where is_theirs) when 1 then (array_agg(about order by due_at, number) filter (where is_theirs))[1] end
      into v_fit, v_by_name from fitting;
      fate := case when v_fit is null then case when v_entry.names_known then 'confirmed' else 'nothing' end when v_by_name is null then 'choose' else 'pays' end;
      params := case fate when 'pays' then v_by_name || jsonb_build_object('by', 'name') when 'choose' then jsonb_build_object('of', v_fit) else '{}' end;
      if v_fit @> jsonb_build_array(jsonb_build_object('payment', v_entry.payment)) then
        fate := 'pays';
        params := (select one from jsonb_array_elements(v_fit) as one where one ->> 'payment' = v_entry.payment::text)
          || jsonb_build_object('by', 'choice');
      end if;
    end if;
    if fate = 'pays' then
      payment := (params ->> 'payment')::uuid;
      v_taken := v_taken || payment;
    end if;
    return next;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.is_catalogue(p_data jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when coalesce(jsonb_typeof(p_data), '') = 'array' then (
    select coalesce(bool_and(
      jsonb_typeof(provider) = 'object'
      and private.is_text(provider -> 'id', true)
      and private.is_text(provider -> 'name', true)
      and private.is_text(provider -> 'website', false)
      and private.is_text(provider -> 'category', false)
      and case when jsonb_typeof(provider -> 'plans') = 'array' then (
        select coalesce(bool_and(private.is_catalogue_plan(plan)), true) from jsonb_array_elements(provider -> 'plans') as plan
      ) else false end
    ), false) from jsonb_array_elements(p_data) as provider
  ) else false end
$function$;

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
    when 'token-added' then 'A token for programs was added to your account'
    when 'sign-in-added' then 'Another sign-in was added to your account'
    when 'webhook-added' then 'A webhook was added to your account'
    when 'webhook-secret' then 'The secret of a webhook was replaced'
  end;
  v_happened text := case when p_change.kind like '%-added' then 'added' when p_change.kind like '%-removed' then 'removed'
    when p_change.kind = 'webhook-secret' then 'replaced' else 'changed' end;
  v_at text := to_char(p_change.happened_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI "UTC"');
  v_address text := private.masked_address((select email from auth.users where id = p_change.user_id and p_change.kind = 'email'));
  v_hours numeric := private.hours(private.undo_lifetime());
begin
  perform private.write_mail(p_change.told, p_change.user_id, v_title, jsonb_build_object(
    'heading', v_title,
    'sentences', jsonb_build_array(
      format('%s %s on %s.', case p_change.kind when 'recovery-codes' then 'They were' else 'It was' end, v_happened, v_at) || coalesce(' The account now uses ' || v_address || '.', ''),
      'If it wasn’t you, undo it: ' || case
        when p_change.kind = 'email' then 'the account gets this address back'
        when p_change.kind = 'password' then 'the new password stops working'
        when p_change.kind in ('factor-added', 'passkey-added', 'token-added', 'sign-in-added', 'webhook-added') then 'it is removed again'
        when p_change.kind = 'recovery-codes' then 'these codes stop working'
        when p_change.kind = 'webhook-secret' then 'the webhook is removed'
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

CREATE OR REPLACE FUNCTION private.name_spellings(p_name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select array_agg(distinct (
    select coalesce(string_agg(word, ' ' order by word collate "C"), '') from regexp_split_to_table(
      normalize(regexp_replace(normalize(spelling, nfkd), '[\u0300-\u036f\u0640\u064b-\u065f\u0670]', '', 'g'), nfc),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u05be\u060c\u2010-\u206f\u3000-\u303f\u30fb]+') as word where word <> ''))
  from (
    select translate(lower(regexp_replace(normalize(left(p_name, 200), nfkc), '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]', '', 'g')),
      'ÄÖÜÅØÆŒŁĐÐÞẞÑÇÉΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςΆΈΉΊΌΎΏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЁЄІЇҐ',
      'äöüåøæœłđðþßñçéαβγδεζηθικλμνξοπρστυφχψωσάέήίόύώабвгдежзийклмнопрстуфхцчшщъыьэюяёєіїґ') as name
  ) as small
  cross join lateral (values (replace(replace(replace(replace(replace(name, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'å', 'aa'), 'ø', 'oe')),
    (replace(name, 'ø', 'o'))) as spelled (letters)
  cross join lateral (select replace(replace(replace(replace(translate(letters, 'łđðı', 'lddi'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th')
    as spelling) as final
$function$;

CREATE OR REPLACE FUNCTION private.next_renewal(p_date date, p_yearly boolean)
 RETURNS date
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select (p_date + months * interval '1 month')::date from generate_series(0, 36, case when p_yearly then 12 else 1 end) as months
  where (p_date + months * interval '1 month')::date >= current_date order by months limit 1
$function$;

CREATE OR REPLACE FUNCTION private.own_charge(p_payment_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('intent', c.intent, 'status', c.status, 'code', c.code, 'card', c.card, 'tried', c.tried_id)
  from private.charges as c join public.member_payments as m on m.id = c.payment_id
  where m.id = p_payment_id and m.member_id = private.require_user()
  union all
  select jsonb_build_object('intent', intent, 'status', status, 'code', code, 'card', null, 'tried', card_id)
  from public.debts where id = p_payment_id and member_id = private.require_user() and attempts > 0
$function$;

CREATE OR REPLACE FUNCTION private.plain_iban(p_pasted text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return regexp_replace(upper(regexp_replace(normalize(p_pasted, nfkd), '[^A-Za-z0-9]', '', 'g')),
    '^IBAN(?:N|NO|NR|NUM|NUMBER|NUMMER|NUMERO)?(?=[A-Z]{2}[0-9]{2})', '');
end $function$;

CREATE OR REPLACE FUNCTION private.preview_import(p_rows jsonb)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plans private.catalogue_plan[] := array(select p from private.catalogue_plans() as p);
  v_shared text[] := array(select s.provider from public.shared_subscriptions as s where s.owner_id = v_user);
  v_taken text[] := '{}';
  v_row record;
  v_meant record;
  v_plan private.catalogue_plan;
  v_renews date;
begin
  perform private.require_few_rows(p_rows);
  for v_row in
    with sellers as materialized (
      select distinct p.provider, words from unnest(v_plans) as p,
        unnest(array[private.plain_words(p.provider), private.plain_words(replace(p.provider, '+', ''))]) as words
    ), wanted as materialized (
      select r.*, private.plain_words(r.name) as words,
        r.price / case when r.unit = 'year' or r.every = 12 then 12 else 1 end as monthly,
        coalesce(r.unit = 'year' or r.every = 12, false) as is_yearly, coalesce(cardinality(r.dates), 0) > 0 as is_unsure,
        (r.unit, r.every) in (('month', 1), ('month', 12), ('year', 1)) as is_regular
      from rows from (jsonb_to_recordset(p_rows) as (key text, name text, kind text, price numeric, currency text, unit text, every integer,
        date date, payer text, plan text, places integer, renews date, dates date[])) with ordinality
        as r (key, name, kind, price, currency, unit, every, date, payer, plan, places, renews, dates, at)
    )
    select w.*, coalesce((select p.provider from unnest(v_plans) as p where p.id = w.plan), (
      -- “HBOMax” is HBO Max; “Apple TV+” is Apple TV.
      select s.provider from sellers as s where w.plan is null and w.is_regular and w.currency = 'EUR'
        and (position(s.words in w.words) > 0 or replace(w.words, ' ', '') like replace(s.words, ' ', '') || '%')
      order by length(s.words) desc, s.provider limit 1
    )) as provider
    from wanted as w order by w.at
  loop
    key := v_row.key;
    params := '{}';
    fate := case
      when v_row.kind is not null then v_row.kind
      when v_row.unit is null then 'once'
      when v_row.is_regular is not true then 'irregular'
      when v_row.date < current_date - case when v_row.is_yearly then interval '15 months' else interval '3 months' end and not v_row.is_unsure then 'ended'
      when v_row.currency is distinct from 'EUR' then 'currency'
      when v_row.payer is not null then 'theirs'
      when v_row.provider is null then 'unknown'
      when v_row.provider = any (v_shared) then 'shared'
      when v_row.provider = any (v_taken) then 'twice'
      when exists (select from public.closed_providers as c where c.provider = v_row.provider) then 'closed'
    end;
    if fate is null then
      v_taken := v_taken || v_row.provider::text;
      v_meant := private.meant_plan(array(select p from unnest(v_plans) as p
        where case when v_row.plan is null then p.provider = v_row.provider else p.id = v_row.plan end), v_row.words, v_row.monthly);
      v_plan := v_meant.plan;
      v_renews := coalesce(v_row.renews, case when not v_row.is_unsure then private.next_renewal(v_row.date, v_row.is_yearly) end);
      fate := case
        when v_plan.max_members < 2 then 'single'
        when not v_meant.certain then 'choose'
        when v_renews is null or v_renews < current_date or v_renews > current_date + 3660 then 'date'
        else 'new'
      end;
      params := jsonb_build_object('plan', v_plan.id, 'name', v_plan.name, 'price', v_plan.price, 'cycle', v_plan.billing_cycle,
        'most', v_plan.max_members, 'places', least(v_plan.max_members, greatest(2, coalesce(v_row.places, v_plan.max_members))),
        'renews', case when fate = 'date' then null else v_renews end,
        'dates', case when fate = 'date' and v_row.is_unsure then (
          select jsonb_agg(distinct private.next_renewal(d, v_row.is_yearly)) from unnest(v_row.dates) as d
          where private.next_renewal(d, v_row.is_yearly) is not null) end);
    end if;
    params := jsonb_strip_nulls(params || jsonb_build_object('provider', v_row.provider));
    return next;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.require_settlement(p_settlement text, p_billing_cycle text, p_share numeric, p_fee_rate numeric)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_settlement is distinct from 'potluck' then return; end if;
  -- Members of such a plan are charged.
  perform private.refuse_tokens();
  if auth.uid() is not null and private.payment_provider() is null then
    raise exception 'This site doesn’t take cards, so members pay you directly' using errcode = '23514';
  elsif auth.uid() is not null and private.uses_accounts() and not private.has_own_account(auth.uid()) then
    raise exception 'Set up your payouts first, so that members can pay by card' using errcode = '23514';
  end if;
  -- No instalment is smaller than a twelfth, rounded down.
  if trunc(private.with_fee(p_share, p_fee_rate) / (case p_billing_cycle when 'yearly' then 12 else 1 end), 2) < private.least_sum() then
    raise exception 'Cards need at least €% a month, so members pay you directly', private.least_sum()
      using errcode = '23514';
  end if;
end $function$;

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

CREATE OR REPLACE FUNCTION private.staff_person_money(p_person_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'balance', coalesce((select w.coin_balance from public.user_wallets as w where w.user_id = p_person_id), 0.00),
    'payouts', private.staff_person_payouts(p_person_id),
    -- Which country decides their VAT, while nobody has said so.
    'countries', (select jsonb_build_array(q.declared, q.card) from private.country_questions as q
      where q.user_id = p_person_id and q.decided is null),
    'hold', (select jsonb_build_object('ground', h.ground, 'until', h.until) from private.payout_holds as h
      where h.user_id = p_person_id and h.released_at is null and h.until > private.now()),
    'moved', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.last desc), '[]') from (
        select t.kind, count(*) as transfers, sum(t.amount) as amount, max(t.created_at) as last
        from private.ledger_transfers as t where t.person_id = p_person_id group by t.kind
      ) as m),
    'withdrawals', (
      select jsonb_build_object('all', count(*), 'waiting', count(*) filter (where w.status in ('pending', 'processing')))
      from public.withdrawal_requests as w where w.user_id = p_person_id),
    'disputes', (
      select jsonb_build_object('all', count(*), 'open', count(*) filter (where d.closed_at is null))
      from public.payment_disputes as d where p_person_id in (d.member_id, d.owner_id)),
    'debts', (
      select coalesce(jsonb_agg(jsonb_build_object('paymentId', m.id, 'planName', m.plan_name, 'memberId', m.member_id,
        'memberName', member.display_name, 'amount', m.owed_back, 'since', m.owed_since) order by m.owed_since, m.id), '[]')
      from public.member_payments as m join public.user_profiles as member on member.user_id = m.member_id
      where m.owner_id = p_person_id and private.is_owed_back(m)),
    'places', (
      select coalesce(jsonb_agg(jsonb_build_object('seatId', place.seat_id, 'planName', place.plan_name,
        'ownerId', place.owner_id, 'ownerName', owner.display_name, 'settlement', place.settlement, 'amount', place.amount,
        'number', place.number, 'status', place.status, 'payable',
        place.settlement = 'potluck' or private.says_how_to_pay(place.owner_id), 'dueAt', place.due_at, 'returned',
        place.returned_share + place.returned_fee + place.from_guarantee)
        order by place.due_at desc, place.seat_id), '[]')
      from (
        select distinct on (m.seat_id) m.* from public.member_payments as m
        where m.member_id = p_person_id order by m.seat_id, m.number desc
      ) as place join public.user_profiles as owner on owner.user_id = place.owner_id))
  where private.may('users.edit') and private.may_act_as_staff()
$function$;

CREATE OR REPLACE FUNCTION private.start_charge(p_period uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_charge private.charges;
  v_card public.payment_methods;
  v_rest numeric;
  v_before text;
  v_closing jsonb;
begin
  select * into v_period from public.member_payments where id = p_period for update;
  select * into v_charge from private.charges where payment_id = p_period for update;
  v_before := v_charge.status;
  if v_before = 'succeeded' then return null; end if;
  if v_charge.intent is not null and v_before in ('charging', 'processing', 'needs-action') then
    v_closing := jsonb_build_object('period', p_period, 'intent', v_charge.intent, 'isOver', true);
  end if;
  -- What the bank is debiting is decided once it arrives.
  if v_period.status <> 'processing' then v_period := private.unless_past(v_period); end if;
  if v_period.status not in ('due', 'charging', 'processing', 'needs-action', 'failed') then
    update private.charges set status = 'charging' where payment_id = p_period and v_closing is not null;
    return v_closing;
  elsif v_before = 'processing' and v_charge.kind = 'sepa_debit' then
    -- Under way at the bank for days: it is only asked about.
    return jsonb_build_object('period', p_period, 'intent', v_charge.intent, 'isUnderWay', true);
  elsif v_before not in ('charging', 'processing') and (private.has_open_problem(v_period.seat_id)
    or (select private.is_paused(s) from private.seats as s where s.id = v_period.seat_id)) then
    -- No new charge until the problem is closed, or the suspension over.
    return null;
  end if;
  update private.charges set attempts = attempts + 1, status = 'charging' where payment_id = p_period returning * into v_charge;
  update public.member_payments set status = 'charging', next_attempt_at = coalesce(next_attempt_at, private.now() + private.charging_time())
  where id = p_period;
  perform private.wake_seat(v_period.seat_id);
  v_rest := v_period.amount - v_period.coins - v_period.card;
  -- While the last attempt is undecided, the card may have paid already.
  if v_before not in ('charging', 'processing') and v_period.coins = 0
    and (select coins_first from private.seats where id = v_period.seat_id) then
    v_rest := private.take_coins(v_period, format('coins:%s:%s', p_period, v_charge.attempts));
  end if;
  if v_rest <= 0 then
    update private.charges set status = 'queued' where payment_id = p_period and v_closing is null;
    perform private.period_paid(p_period);
    return v_closing;
  end if;
  -- What may be under way already is asked for with the same again, unless its member has just named another.
  v_card := private.method_of(v_period.member_id, v_charge.provider,
    case when v_before in ('charging', 'processing') and not v_charge.on_session then v_charge.tried_id else v_charge.card_id end);
  -- A card refused for good is charged again only for somebody who says so.
  if v_card.id is null or private.has_open_dispute(v_period.member_id) or (v_card.refused and not v_charge.on_session) then
    -- A charge that may still succeed is closed first, and fails after that.
    if v_closing is not null then return v_closing; end if;
    update private.charges set status = 'failed', tried_id = coalesce(v_card.id, tried_id), code = case when v_card.id is null then 'no_card'
      when private.has_open_dispute(v_period.member_id) then 'disputed' else 'do_not_try_again' end
    where payment_id = p_period returning * into v_charge;
    perform private.period_failed(p_period, v_charge.code);
    return null;
  end if;
  update private.charges set card = concat_ws(' ', coalesce(v_card.brand, v_card.kind), v_card.last4), tried_id = v_card.id,
    kind = v_card.kind where payment_id = p_period returning * into v_charge;
  return private.charge_order(v_charge, v_period, v_rest, v_card.reference);
end $function$;

CREATE OR REPLACE FUNCTION private.statement_of(p_user_id uuid, p_year integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_zone text := private.zone_of(p_user_id);
  v_from timestamptz;
  v_until timestamptz;
  v_outside bigint := (select id from private.ledger_accounts where kind = 'outside');
begin
  if (p_year between 2000 and 2200) is not true then
    raise exception 'There is no statement for this year' using errcode = '23514';
  end if;
  v_from := make_date(p_year, 1, 1)::timestamp at time zone v_zone;
  v_until := make_date(p_year + 1, 1, 1)::timestamp at time zone v_zone;
  return (
    with own as (
      select id, kind from private.ledger_accounts where kind in ('wallet', 'connected') and owner = p_user_id
    ), moved as (
      select own.kind as account, e.created_at as at, t.kind, t.id as line, t.from_account, t.to_account, e.amount, t.period_id, t.description
      from own join private.ledger_entries as e on e.account_id = own.id and e.created_at >= v_from and e.created_at < v_until
      join private.ledger_transfers as t on t.id = e.transfer_id
      union all
      -- What a bank takes from an owner's account is named after the owner, and is back on the member's card.
      select 'card', t.created_at, t.kind, t.id, t.from_account, t.to_account,
        case when t.to_account = v_outside then t.amount else -t.amount end, t.period_id, t.description
      from (select p_user_id union select owner_id from public.payment_disputes where member_id = p_user_id) as whose (person)
      join private.ledger_transfers as t on t.person_id = whose.person and t.created_at >= v_from and t.created_at < v_until
      join public.member_payments as m on m.id = t.period_id and m.member_id = p_user_id
      where v_outside in (t.from_account, t.to_account) and t.kind <> 'cost'
    ), movement as (
      select moved.account, moved.at, moved.kind, moved.line,
        case when 'held_fee' in (source.kind, target.kind) then 'fee' end as part, coalesce(m.plan_name, moved.description) as about, moved.amount
      from moved join private.ledger_accounts as source on source.id = moved.from_account
      join private.ledger_accounts as target on target.id = moved.to_account
      left join public.member_payments as m on m.id = moved.period_id
      union all
      -- What somebody is paid is one kind, and what they pay another, so that sums do not set one off against the other.
      select 'direct', m.paid_at, case m.member_id when p_user_id then 'payment' else 'earning' end, null,
        case m.received_by when 'silence' then 'unanswered' end, m.plan_name, case m.member_id when p_user_id then -m.share else m.share end
      from public.member_payments as m
      where p_user_id in (m.member_id, m.owner_id) and m.settlement = 'direct' and m.paid_at >= v_from and m.paid_at < v_until and m.share > 0
      union all
      select 'direct', m.repaid_at, case m.member_id when p_user_id then 'refund' else 'refund-sent' end, null,
        (select c.status from public.payment_claims as c where c.payment_id = m.id and c.kind = 'repayment' and c.status = 'unanswered' limit 1), m.plan_name, case m.member_id when p_user_id then m.owed_back else -m.owed_back end
      from public.member_payments as m
      where p_user_id in (m.member_id, m.owner_id) and m.repaid_at >= v_from and m.repaid_at < v_until and m.owed_back > 0
    )
    select jsonb_build_object('year', p_year, 'zone', v_zone,
      'until', least(make_date(p_year, 12, 31), private.day_in(private.now(), v_zone)),
      'since', (select extract(year from created_at at time zone v_zone) from auth.users where id = p_user_id),
      'operator', (select name from private.seller),
      'name', (select coalesce(full_name, display_name) from public.user_profiles where user_id = p_user_id),
      'language', (select language from public.user_profiles where user_id = p_user_id),
      'accounts', (
        select coalesce(jsonb_agg(jsonb_build_object('account', part.kind, 'opening', part.opening, 'closing', part.closing,
          'moved', coalesce((select sum(amount) from movement where account = part.kind), 0)) order by part.place), '[]')
        from (
          select known.place, known.kind, private.balance_at(own.id, v_from) as opening, private.balance_at(own.id, v_until) as closing
          from unnest(array['card', 'wallet', 'connected', 'direct']) with ordinality as known (kind, place)
          left join own on own.kind = known.kind
        ) as part where part.opening <> 0 or part.closing <> 0 or exists (select from movement where account = part.kind)),
      'sums', (
        select coalesce(jsonb_agg(to_jsonb(s) order by s.account, s.kind, s.part nulls first), '[]') from (
          select account, kind, part, sum(amount) as amount from movement group by account, kind, part) as s),
      'reported', private.reported_of(p_user_id, p_year),
      'rows', (select coalesce(jsonb_agg(to_jsonb(m) - 'line' order by m.at, m.line), '[]') from movement as m)));
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

CREATE OR REPLACE FUNCTION private.tg_payment_wishes__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.ensure_profile(new.user_id);
  new.iban := case new.kind when 'iban' then private.plain_iban(new.iban) end;
  new.holder := case new.kind when 'iban' then btrim(new.holder) end;
  new.link := case new.kind when 'link' then btrim(new.link) end;
  new.note := nullif(btrim(new.note), '');
  new.updated_at := now();
  if new.kind = 'iban' and not private.is_iban(coalesce(new.iban, '')) then
    raise exception 'This IBAN is not valid. Please check it.' using errcode = '23514';
  elsif new.kind = 'iban' and private.visible_length(new.holder) = 0 then
    raise exception 'Please enter the account holder’s name. Please enter a name' using errcode = '23514';
  elsif new.kind = 'link' and private.is_plain_link(new.link) is not true then
    raise exception 'Please enter a link that starts with https://' using errcode = '23514';
  elsif new.kind = 'text' and private.visible_length(new.note) = 0 then
    raise exception 'Please tell members how to pay you' using errcode = '23514';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_shared_subscriptions__guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.spend_attempt('owner action');
  -- Members who are let in at once are charged at once.
  if new.instant_from is not null and (new.instant_from is distinct from old.instant_from
    or new.owner_max_members > old.owner_max_members or old.is_private and not new.is_private) then
    perform private.refuse_tokens();
  end if;
  if new.owner_max_members is distinct from old.owner_max_members then
    if new.owner_max_members is null or new.owner_max_members < old.current_members then
      raise exception 'Cannot set less than % members (already joined).', old.current_members using errcode = '23514';
    elsif new.owner_max_members > old.provider_max_members then
      raise exception 'Cannot exceed provider''s maximum limit of % members.', old.provider_max_members using errcode = '23514';
    end if;
  end if;
  if new.next_payment is distinct from old.next_payment then
    perform private.require_renewal_date(new.next_payment);
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__open_seat()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions;
  v_coins_first boolean;
  v_begins_at_once_at timestamptz;
  v_seat private.seats;
begin
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id;
  -- The wish comes from the request or invitation that led to this seat, not to an earlier one.
  select said.coins_first, said.begins_at_once_at into v_coins_first, v_begins_at_once_at from (
    select r.coins_first, r.begins_at_once_at, r.decided_at as at from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = new.user_id and r.status = 'approved'
    union all
    select false, i.begins_at_once_at, i.accepted_at from public.subscription_invitations as i
    where i.subscription_id = v_plan.id and i.email = lower(private.email_of(new.user_id)) and i.accepted_at is not null
  ) as said order by said.at desc nulls last limit 1;
  if v_plan.settlement = 'potluck' then
    perform private.require_wish_to_begin(v_begins_at_once_at), private.require_may_contract(new.user_id);
  end if;
  insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
    billing_cycle, share, fee_rate, coins_first, begins_at_once_at, withdrawable_until, admitted_at, access_given_at)
  select v_plan.id, v_plan.catalogue_plan_id, v_plan.provider, v_plan.name, v_plan.owner_id, new.user_id, v_plan.settlement,
    v_plan.billing_cycle, v_plan.member_price, v_plan.fee_rate, coalesce(v_coins_first, false), contract.begins_at_once_at, contract.until,
    case v_plan.settlement when 'direct' then private.now() end, case when private.has_vault_entry(v_plan.id) then private.now() end
  from (select case v_plan.settlement when 'potluck' then v_begins_at_once_at end,
    case v_plan.settlement when 'potluck' then private.last_withdrawal(new.user_id) end) as contract (begins_at_once_at, until)
  returning * into v_seat;
  perform private.open_accounts(v_seat);
  perform private.open_periods(array[v_seat.id], array[1], array[null::timestamptz]);
  perform private.begin_periods(v_seat.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.undo_account_change(p_token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_hash text := encode(sha256(convert_to(coalesce(p_token, ''), 'UTF8')), 'hex');
  v_user uuid;
  v_change private.account_changes;
  v_email text;
  v_undone private.account_changes;
begin
  -- One undo at a time, and not during a change by the auth service.
  select account.id into v_user from auth.users as account
  where account.id = (select user_id from private.account_changes where token_hash = v_hash)
    and (account.deleted_at is null or private.is_closed(account.id)) for no key update;
  select * into v_change from private.account_changes where token_hash = v_hash and user_id = v_user;
  if not found then
    raise exception 'This link doesn’t work' using errcode = 'PT404';
  elsif v_change.undone_at is not null then
    raise exception 'This change was already undone' using errcode = 'PT409';
  elsif v_change.happened_at <= now() - private.undo_lifetime() then
    raise exception 'This link has expired' using errcode = 'PT410';
  end if;
  if private.is_closed(v_user) then
    return private.undo_on_closed_account(v_change);
  end if;
  perform set_config('private.undoing', 'on', true);

  -- The first of several address changes has the original address.
  select told into v_email from private.account_changes
  where user_id = v_user and kind = 'email' and undone_at is null and happened_at >= v_change.happened_at
  order by happened_at limit 1;
  if v_email is not null then
    -- Somebody may have signed up with it since; an unproven account gives way.
    delete from auth.users where lower(email) = lower(v_email) and id <> v_user and email_confirmed_at is null;
    if exists (select from auth.users where lower(email) = lower(v_email) and id <> v_user) then
      raise exception 'Another account now has this address' using errcode = '23505';
    end if;
    update auth.users set email = v_email, email_confirmed_at = now(),
      raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('email', v_email) where id = v_user;
    update auth.identities set identity_data = identity_data || jsonb_build_object('email', v_email), updated_at = now()
    where user_id = v_user and provider = 'email';
  end if;

  for v_undone in
    update private.account_changes set undone_at = clock_timestamp()
    where user_id = v_user and undone_at is null and happened_at >= v_change.happened_at returning *
  loop
    perform private.call_back_mail(v_undone.id::text);
    delete from auth.mfa_factors where id = v_undone.subject_id;
    delete from auth.identities where id = v_undone.subject_id;
    delete from private.webhooks where id = v_undone.subject_id;
    if v_undone.kind = 'passkey-added' then
      delete from auth.webauthn_credentials where id = v_undone.subject_id;
    elsif v_undone.kind = 'bank-account' then
      perform private.take_back_bank_account(v_undone.subject_id);
    end if;
  end loop;
  delete from auth.mfa_factors where user_id = v_user and status = 'unverified';
  -- Whoever was in could have made one, or have seen where its owner keeps it.
  delete from private.api_tokens where user_id = v_user;
  delete from private.calendars where user_id = v_user and made_at >= v_change.happened_at;
  -- A sign-in provider linked since the change would still let the intruder in.
  delete from auth.identities where user_id = v_user and provider <> 'email' and created_at >= v_change.happened_at;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set encrypted_password = null, email_change = '', updated_at = now() where id = v_user
  returning email into v_email;
  perform set_config('private.undoing', '', true);
  return jsonb_build_object('kind', v_change.kind, 'happened_at', v_change.happened_at, 'email', v_email,
    'next', format('To choose a new password, use “Forgot your password?” on the sign-in page. We’ll email a link to %s.', v_email));
end $function$;

CREATE OR REPLACE FUNCTION public.disconnect_programs()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.disconnect_programs(); end$function$;

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

ALTER TABLE "private"."api_calls" ADD CONSTRAINT "api_calls_pkey" PRIMARY KEY (request, scope);

ALTER TABLE "private"."api_calls" ADD CONSTRAINT "api_calls_scope_check" CHECK ((scope = ANY (ARRAY['read plans'::text, 'write plans'::text, 'read money'::text, 'chat'::text, 'drafts'::text])));

ALTER TABLE "private"."api_tokens" ADD CONSTRAINT "api_tokens_scopes_check" CHECK (((scopes <> '{}'::text[]) AND (scopes <@ '{"read plans","write plans","read money",chat,drafts}'::text[])));

CREATE INDEX outgoing_mail_outage_idx ON private.outgoing_mail USING btree (outage_at) WHERE (outage_at IS NOT NULL);

CREATE POLICY "Everybody signed in hears what goes out of their sight" ON "public"."plan_departures" FOR SELECT TO "authenticated" USING (true);

REVOKE ALL ON FUNCTION "private"."alert_lifetime"() FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."alert_lifetime"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."are_names_alike"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."disconnect_programs"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."disconnect_programs"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."first_fee_rate"() FROM "authenticated";

GRANT EXECUTE ON FUNCTION "private"."first_fee_rate"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."first_fee_rate"() FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."first_fee_rate"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."invitation_lifetime"() FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."invitation_lifetime"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."is_catalogue"(jsonb) FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."is_catalogue"(jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "private"."mail_outage"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."missing_vault_keys"(text[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."missing_vault_keys"(text[]) TO "service_role";

REVOKE ALL ON FUNCTION "private"."name_spellings"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_renewal"(date, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plain_iban"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_mail"(uuid, integer, text, boolean, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."settle_mail"(uuid, integer, text, boolean, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "private"."take_due_mails"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."take_due_mails"(integer) TO "service_role";

REVOKE ALL ON FUNCTION "public"."disconnect_programs"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."disconnect_programs"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."missing_vault_keys"(text[]) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."missing_vault_keys"(text[]) TO "service_role";

REVOKE ALL ON FUNCTION "public"."settle_mail"(uuid, integer, text, boolean, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."settle_mail"(uuid, integer, text, boolean, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "public"."take_due_mails"(integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."take_due_mails"(integer) TO "service_role";

-- By hand
insert into private.api_calls (request, scope)
select unnest('{GET /rpc/my_conversations,GET /conversations,GET /messages,POST /rpc/draft_message,
  POST /rpc/find_or_create_conversation}'::text[]), 'drafts';
