-- Leaving Potluck: the export of a person's data, and the end of an account.

-- All data that the database holds about the acting user, as JSON: amounts in EUR or coins, times in UTC. It includes messages that
-- others wrote to them, but no other private data of other people.
create function private.export_own_data() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', (select jsonb_build_object('id', id, 'email', email, 'created_at', created_at, 'last_sign_in_at',
      last_sign_in_at, 'user_metadata', raw_user_meta_data, 'app_metadata', raw_app_meta_data)
      from auth.users where id = v_user),
    'profile', (select to_jsonb(t) || coalesce(to_jsonb(d), '{}') from private.user_profiles as t
      left join private.user_details as d on d.user_id = t.user_id where t.user_id = v_user),
    'role', (select to_jsonb(t) from public.user_roles as t where t.user_id = v_user),
    'wallet', (select to_jsonb(t) from public.user_wallets as t where t.user_id = v_user),
    'shared_plans', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.shared_subscriptions as t where t.owner_id = v_user),
    'guests', (select jsonb_agg(jsonb_build_object('name', t.display_name, 'email', g.email, 'language', g.language, 'added_at', t.created_at,
        'notes', (select jsonb_agg(to_jsonb(n) - '{id,seat_id,owner_id}'::text[] order by n.written_at, n.id) from private.place_notes as n
          join private.seats as s on s.id = n.seat_id where s.member_id = t.user_id and n.owner_id = v_user)) order by t.created_at)
      from private.user_profiles as t left join private.guests as g on g.person_id = t.user_id where t.guest_of = v_user and t.deleted_at is null),
    'plan_notices', (select jsonb_agg(to_jsonb(t) order by t.made_at)
      from private.plan_notices as t join public.shared_subscriptions as p on p.id = t.subscription_id where p.owner_id = v_user),
    'memberships', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.subscription_members as t where t.user_id = v_user),
    'join_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.subscription_requests as t where t.user_id = v_user),
    'plan_offers', (select jsonb_agg(to_jsonb(t) order by t.offered_at) from private.plan_offers as t
      where t.person_id = v_user or t.subscription_id in (select p.id from public.shared_subscriptions as p where p.owner_id = v_user)),
    'plan_links', (select jsonb_agg(t.subscription_id order by 1) from private.link_visits as t where t.user_id = v_user),
    'waiting_lists', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.waiting_list as t where t.user_id = v_user),
    'plan_alerts', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('told_of', (
        select jsonb_agg(d.subscription_id) from private.told_plans as d where d.user_id = v_user)) order by t.expires_at)
      from public.plan_alerts as t where t.user_id = v_user),
    'invitations', (select jsonb_agg(to_jsonb(t) - '{token_hash,account_id}'::text[] order by t.created_at)
      from public.subscription_invitations as t where t.invited_by = v_user or t.email = v_email),
    'conversations', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('messages', (
        select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.messages as m where m.conversation_id = t.id
      )) order by t.created_at)
      from public.conversations as t where v_user in (t.owner_id, t.member_id)),
    'notifications', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.user_notifications as t where t.user_id = v_user),
    'mails', (select jsonb_agg(jsonb_build_object('subject', t.subject, 'event', t.event, 'params', t.params, 'created_at', t.created_at, 'sent_at', t.sent_at)
      order by t.created_at) from private.outgoing_mail as t where lower(t.recipient) = v_email),
    'account_changes', (select jsonb_agg(to_jsonb(t) - 'token_hash' order by t.happened_at)
      from private.account_changes as t where t.user_id = v_user)
  ) || jsonb_build_object(
    'sessions', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_sessions() as t),
    'notification_choices', (select jsonb_agg(to_jsonb(t)) from private.get_notification_choices() as t),
    'push_devices', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_push_devices() as t),
    'calendar_address_since', private.get_calendar(),
    'tokens', (select jsonb_agg(to_jsonb(t)) from private.my_api_tokens() as t),
    'message_drafts', (select jsonb_agg(to_jsonb(t) order by t.made_at) from public.message_drafts as t where t.user_id = v_user),
    'webhooks', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('deliveries', (
        select jsonb_agg(to_jsonb(d) - '{webhook_id,taken_at,attempts_before}'::text[] order by d.made_at)
        from private.webhook_deliveries as d where d.webhook_id = t.id)))
      from private.my_webhooks() as t),
    'bank_entries_used', (select jsonb_agg(to_jsonb(t) - 'owner_id' order by t.used_at)
      from private.used_bank_entries as t where t.owner_id = v_user),
    'coin_transactions', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.coin_transactions as t where t.user_id = v_user),
    'withdrawals', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.withdrawal_requests as t where t.user_id = v_user),
    'seats', (select jsonb_agg(to_jsonb(t) - '{next_at,failures,last_error}'::text[]
        -- The address may be that of a guest whose place somebody else has taken over.
        - case when t.member_id = v_user and private.is_claim_open(t) then '{invited_address}' else '{}' end::text[] order by t.opened_at)
      from private.seats as t where v_user in (t.member_id, t.owner_id)),
    'time_zone', private.zone_of(v_user),
    'seller', (select to_jsonb(t) - 'user_id' from private.sellers as t where t.user_id = v_user),
    'country', (select to_jsonb(t) - 'user_id' from private.home_countries as t where t.user_id = v_user),
    'country_question', (select to_jsonb(t) - 'user_id' from private.country_questions as t where t.user_id = v_user),
    'invoices', (select jsonb_agg(to_jsonb(t) order by t.issued_at, t.number) from public.fee_invoices as t where t.buyer_id = v_user),
    'problems', (select jsonb_agg(to_jsonb(t) - 'decided_by' || jsonb_build_object('statements', (
        select jsonb_agg(to_jsonb(s) - 'problem_id' order by s.line) from public.problem_statements as s where s.problem_id = t.id
      )) order by t.reported_at)
      from public.seat_problems as t where v_user in (t.member_id, t.owner_id)),
    'term_proposals', (select jsonb_agg(to_jsonb(t) order by t.proposed_at)
      from public.term_proposals as t where v_user in (t.member_id, t.owner_id)),
    'payment_wishes', (select to_jsonb(t) from public.payment_wishes as t where t.user_id = v_user),
    'suspensions', (select jsonb_agg(to_jsonb(t) order by t.since) from private.suspensions as t where t.user_id = v_user),
    'payout_holds', (select jsonb_agg(to_jsonb(t) order by t.since) from private.payout_holds as t where t.user_id = v_user),
    'bank_accounts', (select jsonb_agg(to_jsonb(t) - 'sealed' || jsonb_build_object('opened', (
        select jsonb_agg(jsonb_build_object('at', o.opened_at, 'for', o.purpose) order by o.id)
        from private.vault_openings as o where o.secret_id = t.id)) order by t.version)
      from private.bank_accounts as t where t.user_id = v_user),
    'tax_details_asked', (select to_jsonb(t) - 'user_id' from private.tax_questions as t where t.user_id = v_user),
    'tax_details', (select jsonb_agg(to_jsonb(t) - 'sealed' || jsonb_build_object('opened', (
        select jsonb_agg(jsonb_build_object('at', o.opened_at, 'for', o.purpose) order by o.id)
        from private.vault_openings as o where o.secret_id = t.id)) order by t.version)
      from private.tax_details as t where t.user_id = v_user),
    'tax_reports', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('year', r.year, 'made_at', r.made_at, 'void', r.voided_at is not null)
      order by t.report_id) from private.tax_report_entries as t join private.tax_reports as r on r.id = t.report_id where t.user_id = v_user),
    'vault_versions', (select jsonb_agg(to_jsonb(t) - 'sealed' order by t.created_at)
      from private.vault_entries as t where t.author_id = v_user),
    'vault_openings', (select jsonb_agg(to_jsonb(t) order by t.id)
      from private.vault_openings as t where t.kind = 'plan' and v_user in (t.owner_id, t.opened_by)),
    'payout_account', (select to_jsonb(t) || jsonb_build_object(
        'transfers', (select jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at) from private.account_transfers as s where s.user_id = v_user),
        'payouts', (select jsonb_agg(to_jsonb(p) - 'user_id' order by p.created_at) from private.account_payouts as p where p.user_id = v_user))
      from private.connected_accounts as t where t.user_id = v_user),
    'payments', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.member_payments as t where v_user in (t.member_id, t.owner_id)),
    'payment_claims', (select jsonb_agg(to_jsonb(t) - '{token_hashes,decided_by}'::text[] order by t.made_at)
      from public.payment_claims as t where v_user in (t.member_id, t.owner_id)),
    'cards', (select jsonb_agg(jsonb_build_object('kind', t.kind, 'brand', t.brand, 'last4', t.last4, 'exp_month', t.exp_month,
      'exp_year', t.exp_year, 'mandate', t.mandate, 'country', t.country, 'created_at', t.created_at) order by t.created_at)
      from public.payment_methods as t where t.user_id = v_user),
    'disputes', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'amount', t.amount, 'status', t.status,
      'opened_at', t.opened_at, 'closed_at', t.closed_at, 'answered_at', t.answered_at, 'evidence',
      (select fields from private.dispute_evidence as e where e.dispute_id = t.id)) order by t.opened_at)
      from public.payment_disputes as t where t.member_id = v_user),
    'debts_to_the_site', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'amount', t.amount, 'open', t.open,
      'opened_at', t.opened_at) order by t.opened_at) from public.debts as t where t.member_id = v_user),
    'withdrawals_lifted', (select to_jsonb(t) - 'user_id' from private.withdrawal_lifts as t where t.user_id = v_user),
    'card_fingerprints', (select jsonb_agg(to_jsonb(t) - 'user_id' order by t.seen_at) from private.payment_fingerprints as t where t.user_id = v_user),
    'fraud_warnings', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'kind', t.fraud_type, 'at', t.warned_at,
      'refunded', t.refunded) order by t.warned_at) from public.fraud_warnings as t where t.member_id = v_user),
    'reviews', (select jsonb_agg(to_jsonb(t) - '{author_id,shown_from}'::text[]
        || jsonb_build_object('written_by_you', t.author_id = v_user) order by t.written_at)
      from private.seat_reviews as t where t.author_id = v_user or (t.subject_id = v_user and t.shown_from <= private.now())),
    'decisions_about_you', (select jsonb_agg(to_jsonb(t) - '{token_hashes,decided_by,case_id}'::text[] order by t.decided_at)
      from private.decisions as t where t.person_id = v_user),
    -- The reporter is not told which decision the report led to.
    'cases', (select jsonb_agg(to_jsonb(t) - '{closed_by}'::text[]
        || case when t.kind in ('question', 'appeal') or t.outcome = 'none' or t.closed_at is null then '{}' else '{"outcome": "decided", "answer": null}' end::jsonb
        order by t.opened_at) from public.cases as t where t.writer_id = v_user),
    'blocked_people', (select jsonb_agg(to_jsonb(t) - 'user_id' order by t.blocked_at)
      from public.blocked_people as t where t.user_id = v_user),
    'provider_requests', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.provider_requests as t where t.user_id = v_user),
    'access_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.admin_role_requests as t where t.user_id = v_user),
    'payment_events_looked_at', (select jsonb_agg(jsonb_build_object('id', t.id, 'reviewed_at', t.reviewed_at, 'finding', t.finding)
      order by t.reviewed_at) from public.unknown_payment_events as t where t.reviewed_by = v_user),
    'site_settings', (select jsonb_build_object('updated_at', t.updated_at)
      from public.app_settings as t where t.updated_by = v_user)
  );
end $$;
select private.publish('export_own_data', 'authenticated');

-- Returns the consequences of ending the acting user's account now: the plans that this cancels, with refunds (`back`) and debts
-- (`owed`) to their members; `debts` to former members; and the coins after that, including the earnings of these plans.
create function private.quote_account_end() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return jsonb_build_object(
    'plans', (
      select coalesce(jsonb_agg(to_jsonb(plan) order by plan.name, plan.id), '[]') from (
        select p.id, p.provider || ' ' || p.name as name, p.currency, count(*) as members,
          coalesce(sum(private.unused_by(s)) filter (where s.settlement = 'potluck'), 0) as back,
          coalesce(sum(private.unused_by(s)) filter (where s.settlement = 'direct'), 0) as owed
        from public.shared_subscriptions as p join private.seats as s on s.subscription_id = p.id and s.ended_at is null
        where p.owner_id = v_user group by p.id
      ) as plan
    ),
    -- Debts for ended places remain.
    'debts', (
      select coalesce(jsonb_agg(jsonb_build_object('member', u.display_name, 'plan', m.plan_name, 'amount', m.owed_back, 'currency', m.currency)
        order by m.owed_since, m.id), '[]')
      from public.member_payments as m join private.user_profiles as u on u.user_id = m.member_id
      where m.owner_id = v_user and private.is_owed_back(m)
    ),
    'coins', greatest(0, private.available_coins(v_user) - private.owed_to_site(v_user) + (
      select coalesce(sum(m.share - m.earned_share - m.returned_share - unused.share), 0)
      from private.seats as s join public.member_payments as m on m.seat_id = s.id
      cross join lateral private.unused_of(m, case when s.ended_at is null then private.now()
        when s.end_reason = 'withdrawn' then s.ended_at end) as unused
      where s.owner_id = v_user and m.settlement = 'potluck' and m.status = 'paid'
    )));
end $$;
select private.publish('quote_account_end', 'authenticated');

-- Returns why the acting user's account cannot end yet, as a refusal and its values, or null. Coins must be paid out first; an
-- amount too small to withdraw may be given up instead.
create function private.account_end_refusal(p_user_id uuid, p_give_up_coins boolean) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare v_coins numeric := private.payable_coins(p_user_id);
begin
  return case
    when v_coins = 0 or private.has_bank_account(p_user_id) then null
    when private.has_own_account(p_user_id) then private.moving_refusal(p_user_id)
    when v_coins >= private.least_withdrawal()
      then array['coins_left', v_coins::text]
    when not p_give_up_coins
      then array['few_coins_left', v_coins::text]
  end;
end $$;

-- Returns whether permanent rows name this person: seats and payments, movements of coins, or actions as staff.
create function private.has_records(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.coin_transactions where p_user_id in (user_id, created_by))
    or exists (select from public.withdrawal_requests where p_user_id in (user_id, processed_by, completed_by, returned_by))
    or exists (select from private.payout_files where p_user_id in (created_by, voided_by))
    or exists (select from private.tax_reports where p_user_id in (created_by, voided_by))
    or exists (select from private.tax_report_entries where user_id = p_user_id)
    or exists (select from private.vault_openings where opened_by = p_user_id)
    or exists (select from public.problem_statements where person_id = p_user_id)
    or exists (select from private.connected_accounts where user_id = p_user_id)
    or exists (select from private.seats where p_user_id in (member_id, owner_id, ended_by));
end $$;

-- Refuses to delete an account, or to mark it as deleted, if permanent rows name the person; such an account must be closed
-- instead. Any other account is deleted together with its wallet, which is empty.
create function private.tg_users__keep_records() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if private.has_records(old.id)
    and (tg_op = 'DELETE' or exists (select from private.user_profiles where user_id = old.id and deleted_at is null)) then
    perform private.refuse('account_must_stay');
  elsif tg_op = 'DELETE' then
    -- No coins have ever moved in this wallet.
    delete from public.user_wallets where user_id = old.id;
    delete from private.ledger_accounts where kind = 'wallet' and owner = old.id;
  end if;
  return coalesce(new, old);
end $$;
create trigger keep_records before delete on auth.users
  for each row execute function private.tg_users__keep_records();
create trigger keep_records_softly before update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function private.tg_users__keep_records();

-- Ends the acting user's account: cancels their plans, which refunds what members have not used, and pays out the coins then in the
-- wallet. Raises 23514 with the reason if the account cannot end. If no permanent rows name the person, the whole account is
-- deleted. Otherwise those rows stay, under a nameless account that nobody can sign in to; closed_accounts.sql pays what the site
-- still owes the person.
create function private.delete_own_account(p_give_up_coins boolean default false) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
  v_seats uuid[];
  v_coins numeric;
  v_refusal text[];
  v_is_owed boolean;
begin
  perform private.require_recent_proof();
  -- This lock waits for transactions that are approving a member or moving coins.
  perform from public.shared_subscriptions
  where owner_id = v_user or id in (select subscription_id from public.waiting_list where user_id = v_user)
  order by id for update;
  perform from public.subscription_members where user_id = v_user order by id for update;
  perform private.lock_plan_to_leave(subscription_id) from (
    select subscription_id from private.seats where member_id = v_user and ended_at is null order by subscription_id
  ) as left_now;
  -- Ended seats may still hold the money of a problem.
  v_seats := array(select id from private.seats
    where v_user in (member_id, owner_id) and (ended_at is null or next_at is not null) order by id for update);
  perform private.lock_held_money(v_seats);
  perform private.lock_ledger(array(select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_user));
  perform private.forfeit_problems(v_user);
  delete from public.shared_subscriptions where owner_id = v_user;
  perform private.forget_guests_of(v_user);
  -- Members leave before coins are paid out, because a withdrawal from a contract may return coins.
  delete from public.subscription_members where user_id = v_user;
  -- A debt to the site outlives the account, so coins pay it first.
  perform private.pay_debt_with_coins(id) from public.debts
  where member_id = v_user and open <= private.available_coins(v_user) and status is distinct from 'charging' and open > 0;
  v_coins := private.payable_coins(v_user);
  v_refusal := private.account_end_refusal(v_user, coalesce(p_give_up_coins, false));
  if v_refusal is not null then
    perform private.refuse(variadic v_refusal);
  elsif v_coins > 0 and private.has_own_account(v_user) and private.moving_refusal(v_user) is null then
    perform private.send_coins(v_user, v_coins);
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
  v_is_owed := private.is_owed(v_user);
  -- Mail is deleted before invitations, because sending a mail locks them in this order. Two kinds of mail still go out: the
  -- warning about a change that an intruder may have made to be paid in this person's place, and the confirmation of a withdrawal
  -- from a contract.
  delete from private.outgoing_mail where lower(recipient) = v_email and event is distinct from 'contract-withdrawn'
    and not (v_is_owed and event like 'account-%');
  delete from public.subscription_invitations where email = v_email;
  -- Only openings of secrets by other people have to stay on record.
  delete from private.vault_openings where owner_id = v_user and opened_by = v_user;
  -- Locked rows are skipped: the transaction that has locked them deletes them.
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
  delete from private.api_tokens where user_id = v_user;
  delete from public.message_drafts where user_id = v_user;
  delete from private.webhooks where user_id = v_user;
  delete from private.used_bank_entries where owner_id = v_user;
  delete from public.payment_wishes where user_id = v_user;
  delete from private.suspensions where user_id = v_user;
  delete from private.payout_holds where user_id = v_user;
  delete from private.seat_reviews where subject_id = v_user;
  delete from public.cases where person_id = v_user;
  update public.cases set writer_id = null where writer_id = v_user;
  delete from private.decisions where person_id = v_user;
  delete from public.blocked_people where v_user in (user_id, blocked_id);
  delete from private.time_zones where user_id = v_user;
  perform private.record_buyer(v_user);
  delete from private.home_countries where user_id = v_user;
  delete from private.sellers where user_id = v_user;
  delete from private.country_questions where user_id = v_user;
  if v_is_owed then
    perform private.record_closed_account(v_user, v_email);
    -- The language stays for mail about the remaining payouts.
    update private.user_details set full_name = null, phone_number = null, of_age_at = null where user_id = v_user;
  else
    delete from private.user_details where user_id = v_user;
    delete from private.bank_accounts where user_id = v_user;
    delete from private.vault_keys where person_id = v_user and not private.needs_vault_key(v_user);
    delete from private.account_changes where user_id = v_user;
  end if;
  delete from public.provider_requests where user_id = v_user;
  delete from public.payment_methods where user_id = v_user;
  delete from private.payment_fingerprints where user_id = v_user and private.recent_contract_withdrawals(v_user) = 0;
  delete from public.admin_role_requests where user_id = v_user;
  delete from public.user_roles where user_id = v_user;
  update private.user_profiles set display_name = 'Deleted account', avatar_url = null, deleted_at = now() where user_id = v_user;
  delete from auth.identities where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set email = null, email_change = '', encrypted_password = null,
    raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = now(), updated_at = now()
  where id = v_user;
  -- Factors are deleted last, because removals on a closed account cause no mail.
  delete from auth.mfa_factors where user_id = v_user;
  if private.has_passkey(v_user) then
    delete from auth.webauthn_credentials where user_id = v_user;
  end if;
end $$;
select private.publish('delete_own_account', 'authenticated');
