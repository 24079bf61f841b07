-- How long data is kept that no other rule ends, and the job that deletes it. docs/privacy.md lists every term with its table and job.

-- How long a sent mail, a notification that was read, and an unread one are kept.
create function private.mail_memory() returns interval
language sql immutable return interval '30 days';
create function private.read_notification_memory() returns interval
language sql immutable return interval '90 days';
create function private.unread_notification_memory() returns interval
language sql immutable return interval '1 year';

-- How long counted attempts are kept; no rate limit looks back further.
create function private.attempt_memory() returns interval
language sql immutable return interval '1 day';

-- How long a closed chat is kept after its last message, a request for a place after it was made, and an invitation after it expired.
create function private.chat_memory() returns interval
language sql immutable return interval '2 years';
create function private.request_memory() returns interval
language sql immutable return interval '1 year';
create function private.invitation_memory() returns interval
language sql immutable return interval '90 days';

-- How long closed cases, decisions of staff, the words of a closed problem, the records of who opened a plan's access, and decided requests
-- for a role are kept.
create function private.case_memory() returns interval
language sql immutable return interval '3 years';

-- Deletes expired rows. Each statement skips what an open case, request or account still needs.
create function private.run_housekeeping() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.outgoing_mail
  where created_at < now() - private.mail_memory() and (sent_at is not null or given_up_at is not null);
  delete from public.message_drafts where made_at < now() - private.draft_lifetime();
  delete from private.webhook_deliveries where made_at < now() - private.delivery_memory();
  delete from private.account_changes where happened_at < now() - private.change_memory();
  select private.forget_push_devices();
  select private.move_own_renewals();
  select private.forget_former_guests(), private.ask_again_about_claims();
  delete from public.plan_alerts where expires_at < now();
  delete from private.told_plans as t where not exists (select from public.plan_alerts as a where a.user_id = t.user_id);
  delete from private.rate_limit_usage where used_at[cardinality(used_at)] < now() - private.attempt_memory();
  delete from public.user_notifications
  where created_at < now() - case when read then private.read_notification_memory() else private.unread_notification_memory() end;
  -- Staff read a reported chat until they have decided, and a problem's chat shows both sides what was said about it.
  delete from public.conversations as c where archived and created_at < now() - private.chat_memory()
    and not exists (select from public.messages as m where m.conversation_id = c.id and m.created_at >= now() - private.chat_memory())
    and not exists (select from public.cases as one where one.closed_at is null and private.is_reported_chat(one, c))
    and not exists (select from public.seat_problems as p
      where p.owner_id = c.owner_id and p.member_id = c.member_id and p.status <> 'closed');
  delete from public.subscription_requests as r where requested_at < now() - private.request_memory() and not private.is_open_request(r);
  delete from public.subscription_invitations where expires_at < now() - private.invitation_memory();
  delete from public.cases where closed_at < private.now() - private.case_memory();
  -- The reasons stay for as long as what was decided lasts, if it can end.
  delete from private.decisions as d where decided_at < private.now() - private.case_memory()
    and (undone_at is not null or measure <> 'suspended' or not private.is_suspended(person_id));
  delete from public.admin_role_requests where reviewed_at < now() - private.case_memory();
  -- The openings of the newest version stay, because private.next_vault_version() counts from them.
  delete from private.vault_openings as o where kind = 'plan' and opened_at < now() - private.case_memory()
    and (version < private.next_vault_version(subscription_id) - 1
      or not exists (select from public.shared_subscriptions as p where p.id = o.subscription_id));
  -- The row stays, because it moved money: who reported, answered and decided. Only the texts go.
  update public.problem_statements as s set note = null from public.seat_problems as p
  where p.id = s.problem_id and p.closed_at < private.now() - private.case_memory() and s.note is not null;
  update public.seat_problems set note = null, decision = null
  where closed_at < private.now() - private.case_memory() and num_nonnulls(note, decision) > 0;
  -- The limit on withdrawals from contracts needs a closed account's cards only for as long as it looks back.
  delete from private.payment_fingerprints as f using private.user_profiles as p where p.user_id = f.user_id
    and p.deleted_at < private.now() - private.contract_withdrawals_memory();
  delete from private.withdrawal_lifts where lifted_at < private.now() - private.contract_withdrawals_memory();
$$;
