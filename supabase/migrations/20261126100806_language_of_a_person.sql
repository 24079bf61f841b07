set local check_function_bodies = off;

ALTER TABLE "public"."user_profiles" ADD COLUMN "language" text;

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
    avatar_url = null, language = null, deleted_at = now() where user_id = v_user;
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

ALTER TABLE "public"."user_profiles" ADD CONSTRAINT "user_profiles_language_check" CHECK ((language ~ '^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$'::text));

REVOKE ALL ("language") ON TABLE "public"."user_profiles" FROM "authenticated";

GRANT INSERT ("language"), UPDATE ("language") ON TABLE "public"."user_profiles" TO "authenticated";
