-- Returns the timeline of a problem, for both sides and staff: payments, changes of access and of the vault, the times when the member
-- opened the vault, statements, and refunds. `person_name` is empty for events caused by time or by the site. Refunds are in EUR.
create function private.problem_timeline(p_problem_id uuid)
returns table (at timestamptz, kind text, person_id uuid, person_name text, note text, amount numeric, currency text)
language plpgsql stable security definer set search_path = '' as $$
declare v_problem public.seat_problems;
begin
  select * into v_problem from public.seat_problems where id = p_problem_id and private.sees_problem(id);
  if not found then
    perform private.refuse('problem_not_found');
  end if;
  return query
    select line.at, line.kind, line.person_id, p.display_name, line.note, line.amount, s.currency from (
      select m.paid_at, 'paid', m.member_id, null, m.amount from public.member_payments as m
      where m.seat_id = v_problem.seat_id and m.paid_at is not null
      union all
      select s.access_given_at, case when s.invited_address is null then 'access-given' else 'invitation-sent' end, s.owner_id, s.invited_address,
        null from private.seats as s where s.id = v_problem.seat_id and s.access_given_at is not null
      union all
      select s.access_confirmed_at, 'access-confirmed', s.member_id, null, null
      from private.seats as s where s.id = v_problem.seat_id and s.access_confirmed_at is not null
      union all
      select e.created_at, case e.part when 'login' then 'vault-login' else 'vault-version' end, e.author_id, e.version::text, null from private.vault_entries as e
      where e.subscription_id = v_problem.subscription_id
      union all
      select o.opened_at, 'vault-opened', o.opened_by, o.version::text, null from private.vault_openings as o
      where o.subscription_id = v_problem.subscription_id and o.opened_by = v_problem.member_id
      union all
      select t.at, t.kind, t.person_id, t.note, null
      from public.problem_statements as t join public.seat_problems as q on q.id = t.problem_id
      where q.seat_id = v_problem.seat_id and q.reported_at <= v_problem.reported_at
      union all
      select min(t.created_at), 'given-back', null, null, sum(t.amount) from private.ledger_transfers as t
      where t.subscription_id = v_problem.subscription_id and t.seat_id = v_problem.seat_id and t.kind = 'refund' group by t.payment_id
      union all
      select s.ended_at, 'seat-ended', s.ended_by, s.end_reason, null
      from private.seats as s where s.id = v_problem.seat_id and s.ended_at is not null
    ) as line (at, kind, person_id, note, amount)
    cross join private.seats as s
    left join private.user_profiles as p on p.user_id = line.person_id
    where s.id = v_problem.seat_id
    order by line.at, line.kind;
end $$;
select private.publish('problem_timeline', 'authenticated');
