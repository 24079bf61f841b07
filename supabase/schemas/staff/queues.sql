-- Returns the acting user's queues: for each kind of case that their role may decide, the number of open cases and the time of the oldest.
-- Cases that another person has to decide are left out: the user's own cases, and withdrawals that the user approved and another admin
-- must complete. The user's own provider requests are counted all the same, as in get_pending_provider_requests_count(). Each count
-- reads an index, because every page of the administration shows the counts.
create function private.list_staff_queues() returns table (kind text, waiting bigint, oldest timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_may text[] := private.my_permissions();
  v_proven boolean := private.may_act_as_staff();
  v_takes_two boolean := private.takes_two_admins();
begin
  if 'users.edit' = any (v_may) and v_proven then
    return query
      select 'withdrawals', count(*), min(w.requested_at) from public.withdrawal_requests as w
      where private.is_open_withdrawal(w.status) and w.user_id <> v_user
        and not (v_takes_two and w.status = 'processing' and w.processed_by is not distinct from v_user);
    return query
      select 'problems', count(*), min(one.since) from (
        select p.reported_at from public.seat_problems as p where p.status = 'staff' and v_user not in (p.owner_id, p.member_id)
        union all
        select c.disputed_at from public.payment_claims as c
        where c.disputed_at is not null and c.closed_at is null and not private.is_party_to(v_user, c)
      ) as one (since);
    return query
      select 'disputes', count(*), min(one.since) from (
        select d.opened_at from public.payment_disputes as d
        where d.closed_at is null and d.status like '%needs_response' and d.answer is distinct from 'queued'
        union all
        select f.warned_at from public.fraud_warnings as f where f.actionable and f.decided_at is null
        union all
        select r.returned_at from private.returned_payments as r where r.decided_at is null
        union all
        select e.received_at from public.unknown_payment_events as e where e.reviewed_at is null
      ) as one (since);
    return query
      select 'mails', count(*), min(m.given_up_at) from private.outgoing_mail as m where private.is_failed_mail(m);
  end if;
  if 'subscriptions.approve' = any (v_may) then
    return query
      select 'cases', count(*), min(c.opened_at) from public.cases as c
      where c.closed_at is null and private.may_close_from(c, v_user) <= private.now();
    return query
      select 'plans', count(*), min(p.created_at) from public.shared_subscriptions as p where p.status = 'pending' and p.owner_id <> v_user;
  end if;
  if 'subscriptions.delete' = any (v_may) then
    return query
      select 'provider-requests', count(*), min(r.created_at) from public.provider_requests as r
      where r.status = 'pending';
  end if;
  if 'roles.manage' = any (v_may) and v_proven then
    return query
      select 'role-requests', count(*), min(r.requested_at) from public.admin_role_requests as r
      where r.status = 'pending' and r.user_id <> v_user;
  end if;
end $$;
select private.publish('list_staff_queues', 'authenticated');
