-- Work that becomes due by time alone. Seats and payments follow private.now(); all other deadlines follow the database's clock.

-- Records that due work is being done. If none was done for longer than private.longest_gap(), open deadlines move by the length of
-- that gap. Only run_due_work() calls this, because the caller must hold no locks; until the gap is recorded, deadlines are read
-- with private.unnoticed_gap() added.
create function private.record_heartbeat() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_gap interval := coalesce(now() - (select beat_at from private.clock), '1 minute');
begin
  -- If the last heartbeat is in the future, it was recorded before the clock was set back.
  if v_gap between '0' and '10 seconds' then return; end if;
  if v_gap <= private.longest_gap() then
    perform from private.clock for update skip locked;
    if found then
      update private.clock set beat_at = now();
    end if;
    return;
  end if;
  select now() - beat_at into v_gap from private.clock for update;
  if v_gap <= private.longest_gap() then return; end if;
  update private.clock set beat_at = now();
  -- Locks plans first, because a transaction that holds a plan may wait for any of these rows or for the plan's seats.
  perform from public.shared_subscriptions where id in (
    select subscription_id from public.subscription_requests where status = 'pending' and not expired
    union all select subscription_id from public.subscription_invitations where expires_at > now() - v_gap
    union all select subscription_id from public.waiting_list where offered_until > now() - v_gap
  ) order by id for no key update;
  -- A request made during the gap gets no more than its full time.
  update public.subscription_requests set requested_at = least(requested_at + v_gap, now()) where status = 'pending' and not expired;
  update public.subscription_invitations set expires_at = expires_at + v_gap
  where accepted_at is null and declined_at is null and withdrawn_at is null and expires_at > now() - v_gap;
  update public.waiting_list set offered_until = offered_until + v_gap where offered_until > now() - v_gap;
  update public.conversations set question_until = question_until + v_gap where question_until > now() - v_gap;
  perform from private.seats where next_at is not null or ended_at is null order by id for update;
  update private.returned_payments set due_at = due_at + v_gap where decided_at is null;
  update private.suspensions set ends_places_at = ends_places_at + v_gap where lifted_at is null and ended_places_at is null;
  update public.app_settings set two_admins_until = two_admins_until + v_gap where two_admins_until > private.now() - v_gap;
  perform private.move_deadlines(v_gap);
  update private.seats set next_at = private.now()
  where access_due_at is not null and ended_at is null
    or id in (select seat_id from public.member_payments as m where private.awaits_money(status)
      or private.is_owed_back(m))
    or id in (select seat_id from public.payment_claims where private.is_open_claim(status))
    or id in (select seat_id from public.seat_problems where status <> 'closed');
end $$;

-- Moves the deadlines of these seats, or of all seats if p_seat_ids is null: after a gap in which nothing ran, or after a
-- suspension. The caller has locked the seats and reschedules them.
create function private.move_deadlines(p_by interval, p_seat_ids uuid[] default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.member_payments set due_at = due_at + p_by, next_attempt_at = next_attempt_at + p_by
  where private.awaits_money(status) and (p_seat_ids is null or seat_id = any (p_seat_ids));
  update public.member_payments as m set owed_since = owed_since + p_by
  where private.is_owed_back(m) and (p_seat_ids is null or seat_id = any (p_seat_ids));
  update public.payment_claims set answer_by = answer_by + p_by, access_from = access_from + p_by
  where private.is_open_claim(status) and (p_seat_ids is null or seat_id = any (p_seat_ids));
  update public.seat_problems set due_at = due_at + p_by where status <> 'closed' and (p_seat_ids is null or seat_id = any (p_seat_ids));
  update private.seats set access_due_at = access_due_at + p_by
  where access_due_at is not null and ended_at is null and (p_seat_ids is null or id = any (p_seat_ids));
end $$;

-- Runs all due steps of one seat, in order. The caller has locked the seat.
create function private.catch_up(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats;
  v_next record;
begin
  for v_step in 1 .. 1000 loop
    v_next := private.next_step(p_seat_id);
    exit when v_next.at is null or v_next.at > private.now();
    select * into v_seat from private.seats where id = p_seat_id;
    perform private.run_seat_step(v_seat, v_next.step, v_next.about);
  end loop;
  update private.seats set next_at = v_next.at, failures = 0, last_error = null where id = p_seat_id;
end $$;

-- Runs the due steps of many seats. All accounts are locked before the first seat and earnings are moved after the last, because
-- every worker needs the site's fee account, so it must be locked only briefly.
create function private.catch_up_all(p_seat_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_before public.member_payments[] := array(
    select m from public.member_payments as m where seat_id = any (p_seat_ids) and settlement = 'potluck' and status = 'paid'
  );
  v_turned uuid[];
begin
  perform private.lock_held_money(p_seat_ids, '{}');
  perform set_config('potluck.holds_money', 'yes', true), set_config('potluck.earn_together', p_seat_ids::text, true);
  v_turned := private.renew_seats(p_seat_ids);
  perform private.catch_up(id) from unnest(p_seat_ids) as due (id) where id <> all (v_turned);
  perform private.post_earnings(v_before);
  perform set_config('potluck.holds_money', '', true), set_config('potluck.earn_together', '', true);
end $$;

-- Does up to p_limit pieces of due work and returns how many; callers repeat until it returns 0. Callers may run in parallel: each
-- skips rows locked by others and waits only for accounts, which it locks in order. A failure is rolled back, recorded and retried
-- later, and delays nothing else.
create function private.run_due_work(p_limit integer default 100) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_now timestamptz := private.now();
  v_due uuid[];
  v_ids uuid[];
  v_id uuid;
begin
  perform private.record_heartbeat();
  perform private.follow_suspensions();
  perform private.hand_over_due_plans();
  perform private.expire_join_requests();
  perform private.tell_expiring_requests();
  perform private.close_questions();
  perform private.free_kept_places();
  perform private.tell_seekers();
  perform private.tell_of_failing_jobs();
  perform private.remind_of_disputes();
  -- The limit keeps the cost independent of the number of due seats: it reads as many as several workers can take together.
  -- Nothing begins for the earlier owner of a plan that another transaction is handing over.
  v_due := array(select id from private.seats as s where next_at <= v_now and not exists (
    select from private.plan_offers as o where o.subscription_id = s.subscription_id and o.takes_over_at <= v_now) order by next_at limit 4 * p_limit);
  -- Locks membership and plan too, because ending a seat locks them first. The plan comes first: SKIP LOCKED still waits for the row of a
  -- plan that has just changed, whose transaction may wait for the other rows.
  v_ids := array(
    select s.id from unnest(v_due) with ordinality as due (id, place)
    join private.seats as s on s.id = due.id
    join public.subscription_members as m on m.subscription_id = s.subscription_id and m.user_id = s.member_id
    join public.shared_subscriptions as p on p.id = s.subscription_id
    where s.next_at <= v_now order by place limit p_limit
    for no key update of p skip locked for update of s, m skip locked
  ) || array(
    -- Ended seats have no membership and maybe no plan, only a problem that is still open.
    select id from private.seats where id = any (v_due) and next_at <= v_now and ended_at is not null limit p_limit
    for update skip locked
  );
  begin
    perform private.catch_up_all(v_ids);
  exception when others then
    -- A step of one seat failed, so each seat is handled alone, after locking all accounts again.
    perform private.lock_held_money(v_ids);
    foreach v_id in array v_ids loop
      begin
        perform private.catch_up_all(array[v_id]);
      exception when others then
        update private.seats set failures = failures + 1, last_error = left(sqlerrm, 500),
          next_at = private.now() + private.retry_wait(failures + 1)
        where id = v_id;
      end;
    end loop;
  end;
  return cardinality(v_ids);
end $$;

-- Repeats run_due_work() until nothing is due, or until p_time has passed, so that other jobs do not wait longer.
create function private.run_due_work_in(p_time interval) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  while private.run_due_work() > 0 and clock_timestamp() < statement_timestamp() + p_time loop
  end loop;
end $$;

-- Calls an Edge Function after the commit, if the project's URL is known: our server sets it in each of its sessions; on hosted Supabase
-- the operator stores it in the vault as `project_url`. One call per transaction is enough, because a function works until nothing is due.
create function private.call_function(p_name text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_url text := nullif(current_setting('app.settings.project_url', true), '');
  v_called text := concat(current_setting('potluck.called', true), ' ', p_name);
begin
  if p_name = any (string_to_array(current_setting('potluck.called', true), ' ')) then return; end if;
  if v_url is null and to_regclass('vault.decrypted_secrets') is not null then
    select decrypted_secret into v_url from vault.decrypted_secrets where name = 'project_url';
  end if;
  if v_url is null then return; end if;
  perform net.http_post(v_url || '/functions/v1/' || p_name, timeout_milliseconds := 60000), set_config('potluck.called', v_called, true);
end $$;

-- Calls the Edge Function `mail` if mail is due. On our server none is due here, because it sends mail as soon as it is written.
create function private.call_mail() returns void
language sql volatile security definer set search_path = '' as $$
  select private.call_function('mail') where exists (
    select from private.outgoing_mail
    where sent_at is null and given_up_at is null
      and (next_attempt_at <= clock_timestamp() - interval '5 seconds' or outage_at <= clock_timestamp() - interval '2 minutes')
  )
$$;

do $$ begin
  -- Our server provides these functions; on hosted Supabase the extensions must be installed.
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    create extension if not exists pg_cron with schema pg_catalog;
    create extension if not exists pg_net;
  end if;
  perform cron.schedule('due-work', '10 seconds', 'select private.run_due_work_in(''1 second'')');
  perform cron.schedule('seal-transfers', '10 seconds', 'select private.seal_transfers()');
  perform cron.schedule('invoices', '10 seconds', 'select private.make_invoices_in(''1 second'')');
  perform cron.schedule('mail', '* * * * *', 'select private.call_mail()');
  perform cron.schedule('push', '10 seconds', 'select private.call_push()');
  perform cron.schedule('webhooks', '10 seconds', 'select private.call_webhooks()');
  perform cron.schedule('payments', '* * * * *', 'select private.call_function(''payments/tick'')');
  perform cron.schedule('housekeeping', '23 3 * * *', 'select private.run_housekeeping()');
  perform cron.schedule('closed-accounts', '* * * * *', 'select private.settle_closed_accounts()');
  perform cron.schedule('suspended-payouts', '* * * * *', 'select private.pay_out_suspended()');
  perform cron.schedule('close-day', '*/5 * * * *', 'select private.close_day()');
  perform cron.schedule('reconciliation', '37 4 * * *', 'select private.queue_reconciliation()');
  perform cron.schedule('tax-details', '53 4 * * *', 'select private.ask_for_tax_details()');
  perform cron.schedule('sales-abroad', '3 5 * * *', 'select private.watch_sales_abroad()');
  perform cron.schedule('standing', '* * * * *', 'select private.refresh_facts()');
end $$;
