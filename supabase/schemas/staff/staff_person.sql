-- A person's page for staff: everything about one person that the reader's role may see elsewhere. Each part needs the same permission as
-- the page that lists it elsewhere, and is null without that permission. The page gives no access to a plan and shows no bank account.

-- Returns a person's account. Everybody signed in may see names and pictures; roles and suspensions are for staff who may see accounts,
-- email addresses for admins.
create function private.staff_person_account(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', u.id, 'avatarUrl', profile.avatar_url, 'since', coalesce(u.created_at, 'epoch'), 'endedAt', u.deleted_at,
    'name', coalesce(profile.display_name, private.name_of_address(u.email)),
    'email', case when private.may('users.edit') then u.email end,
    'isConfirmed', u.email_confirmed_at is not null, 'lastSignInAt', case when private.may('users.view') then u.last_sign_in_at end,
    'role', case when private.may('users.view') then held.role end,
    'suspendedUntil', case when private.may('users.view') and u.banned_until > now() then u.banned_until end,
    -- `endsPlacesAt` is when the person's places end unless the suspension is lifted; `endedPlacesAt` is when they ended.
    'suspension', case when private.may('users.view') then (
      select jsonb_build_object('since', s.since, 'endsPlacesAt', s.ends_places_at, 'endedPlacesAt', s.ended_places_at)
      from private.suspensions as s where s.user_id = u.id and s.lifted_at is null and s.until > private.now()) end)
  from auth.users as u left join private.user_profiles as profile on profile.user_id = u.id
  left join public.user_roles as held on held.user_id = u.id
  where u.id = p_person_id
$$;

-- Returns the plans that a person shares, newest first.
create function private.staff_person_plans(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'name', p.provider || ' ' || p.name, 'status', p.status, 'isPrivate', p.is_private, 'settlement', p.settlement,
    'members', p.current_members, 'places', p.owner_max_members, 'monthlyCost', p.monthly_cost, 'currency', p.currency, 'createdAt', p.created_at
  ) order by p.created_at desc, p.id), '[]')
  from public.shared_subscriptions as p where p.owner_id = p_person_id having private.may('subscriptions.view')
$$;

-- Returns a person's own account at the payment provider (Stripe Connect): what it may do, the details that the provider asks for, its
-- balance and debt according to our books, and the last payout. Null if the person has no account.
create function private.staff_person_payouts(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('reference', a.reference, 'canReceive', a.can_receive, 'canPayOut', a.can_pay_out, 'asked', to_jsonb(a.asked),
    'askedBy', a.asked_by, 'since', a.created_at, 'checkedAt', a.checked_at, 'coming', sums.coming,
    'there', greatest(0, sums.balance - sums.coming), 'owed', greatest(0, sums.coming - sums.balance), 'payout', (
      select jsonb_build_object('amount', p.amount, 'status', p.status, 'arrivesOn', p.arrives_on, 'at', p.created_at, 'reason', p.reason)
      from private.account_payouts as p where p.user_id = a.user_id order by p.created_at desc limit 1))
  from private.connected_accounts as a cross join lateral (select
    coalesce((select l.balance from private.ledger_accounts as l where l.kind = 'connected' and l.owner = a.user_id), 0) as balance,
    coalesce((select sum(t.amount) from private.account_transfers as t where t.user_id = a.user_id and t.status = 'queued'), 0) as coming) as sums
  where a.user_id = p_person_id
$$;

-- Returns a person's wallet, their transfers by kind, their account at the payment provider, the numbers of their withdrawals and
-- disputes, their debts to members who paid them directly, and the last payment for each of their places.
create function private.staff_person_money(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'balance', coalesce((select w.coin_balance from public.user_wallets as w where w.user_id = p_person_id), 0.00),
    'payouts', private.staff_person_payouts(p_person_id),
    -- The two contradicting countries for the person's VAT, until staff have decided which one is right.
    'countries', (select jsonb_build_array(q.declared, q.card) from private.country_questions as q
      where q.user_id = p_person_id and q.decided is null),
    'hold', (select jsonb_build_object('until', h.until) from private.payout_holds as h
      where h.user_id = p_person_id and h.released_at is null and h.until > private.now()),
    'moved', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.last desc), '[]') from (
        select t.kind, count(*) as transfers, sum(t.amount) as amount, max(t.created_at) as last
        from private.ledger_transfers as t where t.person_id = p_person_id group by t.kind
      ) as m),
    'withdrawals', (
      select jsonb_build_object('all', count(*), 'waiting', count(*) filter (where private.is_open_withdrawal(w.status)))
      from public.withdrawal_requests as w where w.user_id = p_person_id),
    'disputes', (
      select jsonb_build_object('all', count(*), 'open', count(*) filter (where d.closed_at is null))
      from public.payment_disputes as d where p_person_id in (d.member_id, d.owner_id)),
    'debts', (
      select coalesce(jsonb_agg(jsonb_build_object('paymentId', m.id, 'planName', m.plan_name, 'memberId', m.member_id,
        'memberName', member.display_name, 'amount', m.owed_back, 'currency', m.currency, 'since', m.owed_since) order by m.owed_since, m.id), '[]')
      from public.member_payments as m join private.user_profiles as member on member.user_id = m.member_id
      where m.owner_id = p_person_id and private.is_owed_back(m)),
    'places', (
      select coalesce(jsonb_agg(jsonb_build_object('seatId', place.seat_id, 'planName', place.plan_name,
        'ownerId', place.owner_id, 'ownerName', owner.display_name, 'settlement', place.settlement, 'amount', place.amount, 'currency', place.currency,
        'number', place.number, 'status', place.status, 'payable',
        place.settlement = 'potluck' or private.says_how_to_pay(place.owner_id), 'dueAt', place.due_at, 'returned',
        place.returned_share + place.returned_fee + place.from_guarantee)
        order by place.due_at desc, place.seat_id), '[]')
      from (
        select distinct on (m.seat_id) m.* from public.member_payments as m
        where m.member_id = p_person_id order by m.seat_id, m.number desc
      ) as place join private.user_profiles as owner on owner.user_id = place.owner_id))
  where private.may('users.edit') and private.may_act_as_staff()
$$;

-- Returns the problems with places that a person has or gives, latest first.
create function private.staff_person_problems(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'planName', p.plan_name, 'reason', p.reason, 'reportedAt', p.reported_at, 'turn', p.status,
    'isOwner', p.owner_id = p_person_id, 'fault', p.fault,
    'otherId', other.user_id, 'otherName', other.display_name
  ) order by p.reported_at desc, p.id), '[]')
  from (
    select * from public.seat_problems as one where p_person_id in (one.owner_id, one.member_id)
    order by one.reported_at desc, one.id limit 50
  ) as p
  join private.user_profiles as other on other.user_id = case p_person_id when p.owner_id then p.member_id else p.owner_id end
  having private.may('users.edit') and private.may_act_as_staff()
$$;

-- Returns the cases about a person and by them, closed or not. Staff do not see their own.
create function private.staff_person_cases(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'kind', c.kind, 'isAbout', c.person_id is not distinct from p_person_id, 'otherId', other.user_id,
    'otherName', coalesce(other.display_name, c.writer_name), 'body', c.body, 'openedAt', c.opened_at, 'closedAt', c.closed_at,
    'answer', nullif(c.answer, '')
  ) order by c.opened_at desc, c.id), '[]')
  from (
    select * from public.cases as one
    where p_person_id in (one.person_id, one.writer_id)
      and one.person_id is distinct from (select auth.uid()) and one.writer_id is distinct from (select auth.uid())
    order by one.opened_at desc, one.id limit 50
  ) as c
  left join private.user_profiles as other
    on other.user_id = case p_person_id when c.person_id then c.writer_id else c.person_id end
  having private.may('subscriptions.approve')
$$;

-- Returns the actions of staff that affected a person or something of theirs, latest first.
create function private.staff_person_log(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'line', l.line, 'at', l.at, 'actor', l.actor, 'actorName', actor.display_name, 'action', l.action,
    'reason', coalesce(l.details ->> 'finding', l.details ->> 'reason')
  ) order by l.line desc), '[]')
  from (
    select * from private.log_about(p_person_id) as one order by one.line desc limit 20
  ) as l left join private.user_profiles as actor on actor.user_id = l.actor
  having private.may('roles.manage') and private.may_act_as_staff()
$$;

-- Returns a person's page for staff; null if there is no such person. `needsProof` means that the reader can see more after a stronger
-- sign-in.
create function private.get_staff_person(p_person_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_user();
  if not private.is_staff() then
    perform private.refuse('only_staff_sees_people');
  end if;
  return private.staff_person_account(p_person_id) || jsonb_build_object(
    'plans', private.staff_person_plans(p_person_id), 'money', private.staff_person_money(p_person_id),
    'problems', private.staff_person_problems(p_person_id), 'cases', private.staff_person_cases(p_person_id), 'decisions',
    case when private.may('subscriptions.approve') then private.history_of(p_person_id, 'infinity') end,
    'log', private.staff_person_log(p_person_id),
    'needsProof', private.my_permissions() && '{users.edit,roles.manage}' and not private.may_act_as_staff());
end $$;
select private.publish('get_staff_person', 'authenticated');

-- Confirms a person's address by hand, for people whose confirmation mail never arrives. The admin has made sure in another way that the
-- address is theirs, and writes how into the staff log. A mail tells whoever reads that address, in case it is somebody else's: the account
-- can now take invitations sent to it.
create function private.confirm_address(p_person_id uuid, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reason text;
  v_email text;
begin
  perform private.require_treasurer();
  v_reason := private.review_text(p_reason, true);
  update auth.users set email_confirmed_at = now() where id = p_person_id and deleted_at is null and email_confirmed_at is null
  returning email into v_email;
  if not found then
    perform private.refuse('address_not_waiting');
  end if;
  perform private.write_mail(v_email, p_person_id, 'address-confirmed', '{}', '/help');
  perform private.log_staff('address confirmed', p_person_id::text, jsonb_build_object('reason', v_reason));
end $$;
select private.publish('confirm_address', 'authenticated');
