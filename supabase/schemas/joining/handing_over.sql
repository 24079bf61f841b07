-- Handing over a private plan that is paid directly to one of its members: the owner offers it, the member accepts, and on the plan's next
-- renewal day, or at once if both say so, it is theirs. Everybody keeps their place. Payments stay with whoever owned the plan when their
-- period began (member_payments.owner_id), and so do debts.

-- The open offer of a plan; there is no row once it is answered, withdrawn or carried out.
create table private.plan_offers (
  subscription_id text primary key references public.shared_subscriptions (id) on delete cascade,
  -- The member who may take the plan over.
  person_id uuid not null references private.user_profiles (user_id) on delete cascade,
  -- Whether the owner agrees that it happens as soon as the member accepts.
  at_once boolean not null,
  offered_at timestamptz not null default private.now(),
  accepted_at timestamptz,
  -- When the plan changes hands.
  takes_over_at timestamptz,
  check ((accepted_at is null) = (takes_over_at is null))
);
create index plan_offers_person_idx on private.plan_offers (person_id);
alter table private.plan_offers enable row level security;
revoke all on private.plan_offers from public, anon, authenticated, service_role;

-- Returns when the next cycle of a plan begins, which its owner pays for. All members of an own plan pay at that moment.
create function private.next_handover(p_plan public.shared_subscriptions) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone text := private.zone_of(p_plan.owner_id);
  v_today date := private.day_in(private.now(), v_zone);
  v_from date := coalesce(p_plan.anchor, p_plan.next_payment, v_today);
  v_months integer := coalesce(p_plan.cycle_months, case p_plan.billing_cycle when 'yearly' then 12 else 1 end);
  v_paid_until timestamptz := (
    select min(m.ends_at) from public.member_payments as m join private.seats as s on s.id = m.seat_id
    where s.subscription_id = p_plan.id and s.ended_at is null and s.cycle_months is not null and m.ends_at > private.now());
begin
  return coalesce(v_paid_until, private.period_end(v_from, greatest(0, private.cycle_at(v_from, v_months, v_today) + 1) * v_months, v_zone));
end $$;

-- Returns why a plan cannot be handed over to this person, as a refusal and its values, or null. A block or a suspension is not named,
-- because it may be somebody else's.
create function private.handover_refusal(p_plan public.shared_subscriptions, p_person_id uuid) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  select * into v_seat from private.seats where subscription_id = p_plan.id and member_id = p_person_id and ended_at is null;
  return case
    when not p_plan.is_private or p_plan.settlement <> 'direct' or p_plan.status <> 'active' then array['handover_needs_private_plan']
    when v_seat.id is null or private.is_guest(p_person_id) or private.is_claim_open(v_seat) then array['handover_needs_member']
    when v_seat.ends_at is not null then array['handover_to_leaver']
    when private.is_owner_paused(p_plan.owner_id) or private.is_owner_paused(p_person_id) or exists (
      select from public.blocked_people as b join public.subscription_members as m on m.subscription_id = p_plan.id
      where (b.user_id, b.blocked_id) in ((m.user_id, p_person_id), (p_person_id, m.user_id))) then array['handover_not_possible']
    when exists (select from public.seat_problems where subscription_id = p_plan.id and status <> 'closed') or exists (
      select from public.payment_claims as c join private.seats as s on s.id = c.seat_id
      where s.subscription_id = p_plan.id and c.status = 'disputed') then array['handover_after_problem']
    when exists (select from private.seats where subscription_id = p_plan.id and ended_at is null and access_given_at is null)
      then array['handover_after_access']
    when p_plan.catalogue_plan_id <> 'own' and exists (
      select from public.shared_subscriptions where owner_id = p_person_id and provider = p_plan.provider and catalogue_plan_id <> 'own')
      then array['handover_to_same_provider']
  end;
end $$;

-- Offers a private plan that is paid directly to one of its members. p_at_once: the plan may change hands as soon as they accept. Owner only.
create function private.offer_plan(p_subscription_id text, p_person_id uuid, p_at_once boolean default false) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_refusal text[] := private.handover_refusal(v_plan, p_person_id);
  v_seat private.seats;
begin
  perform private.refuse_tokens(), private.require_recent_proof();
  if exists (select from private.plan_offers where subscription_id = v_plan.id) then
    perform private.refuse('plan_already_offered');
  -- Only the member is told that they share another plan of this provider.
  elsif v_refusal is not null and v_refusal[1] <> 'handover_to_same_provider' then
    perform private.refuse(variadic v_refusal);
  end if;
  perform private.spend_attempt('owner action');
  insert into private.plan_offers (subscription_id, person_id, at_once) values (v_plan.id, p_person_id, coalesce(p_at_once, false));
  select * into v_seat from private.seats where subscription_id = v_plan.id and member_id = p_person_id and ended_at is null;
  perform private.tell_seat(v_seat, p_person_id, 'info', 'plan-offered');
end $$;
select private.publish('offer_plan', 'authenticated');

-- Returns the open offer of a plan to its owner and to the member: {person, personId, isYours, atOnce, acceptedAt, at, share, rest, price,
-- currency, months}. `at` is when the plan changes hands, `share` what the owner pays per cycle from then on, and `rest` what nobody else pays
-- then. Null if there is none.
create function private.get_plan_offer(p_subscription_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return (
    select jsonb_build_object('person', u.display_name, 'personId', o.person_id, 'isYours', p.owner_id = v_user, 'atOnce', o.at_once,
      'acceptedAt', o.accepted_at, 'at', coalesce(o.takes_over_at, private.next_handover(p)),
      'share', private.share_after_handover(p, s), 'rest', p.total_price - private.share_after_handover(p, s) - (
        select coalesce(sum(t.share), 0) from private.seats as t where t.subscription_id = p.id and t.ended_at is null and t.id <> s.id),
      'price', p.total_price, 'currency', p.currency, 'months', coalesce(p.cycle_months, case p.billing_cycle when 'yearly' then 12 else 1 end))
    from private.plan_offers as o join public.shared_subscriptions as p on p.id = o.subscription_id
    join private.seats as s on s.subscription_id = o.subscription_id and s.member_id = o.person_id and s.ended_at is null
    join private.user_profiles as u on u.user_id = case p.owner_id when v_user then o.person_id else p.owner_id end
    where o.subscription_id = p_subscription_id and v_user in (p.owner_id, o.person_id));
end $$;
select private.publish('get_plan_offer', 'authenticated');

-- Returns what the earlier owner pays per cycle after a handover: the share of the new owner's place (p_seat), without what it carries of
-- others, so that nobody else's share rises. Shares that others do not pay are the new owner's.
create function private.share_after_handover(p_plan public.shared_subscriptions, p_seat private.seats) returns numeric
language plpgsql stable security definer set search_path = '' as $$
declare v_own numeric;
begin
  if p_seat.carried_by is null and not exists (select from private.seats where carried_by = p_seat.id and ended_at is null) then
    return p_seat.share;
  end if;
  v_own := case p_plan.share_rule
    when 'equal' then private.equal_share(p_plan.total_price, p_plan.max_members, p_plan.currency)
    when 'amount' then coalesce(p_seat.part, 0)
    else trunc(p_plan.total_price * coalesce(p_seat.part, 0) / 100, private.currency_digits(p_plan.currency)) end;
  return case when p_seat.carried_by is null then least(p_seat.share, v_own) else v_own end;
end $$;

-- Ends the open offer of a plan, which the caller has locked, and tells both sides why: the member is leaving or gone (`left`), the terms have
-- changed (`terms`), a problem is open (`problem`), or something else (`other`).
create function private.drop_plan_offer(p_subscription_id text, p_why text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_offer private.plan_offers;
  v_plan public.shared_subscriptions;
begin
  delete from private.plan_offers where subscription_id = p_subscription_id returning * into v_offer;
  if not found then return; end if;
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id;
  perform private.notify(person, 'info', v_plan.id, 'handover-off', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name,
    'owner', (select display_name from private.user_profiles where user_id = v_plan.owner_id),
    'member', (select display_name from private.user_profiles where user_id = v_offer.person_id), 'why', p_why))
  from unnest(array[v_plan.owner_id, v_offer.person_id]) as person
  where exists (select from auth.users where id = person and deleted_at is null);
end $$;

-- Locks the plan and deletes its open offer, on behalf of the owner or the member; the other side is told.
create function private.end_plan_offer(p_subscription_id text, p_as_owner boolean, p_event text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_seat private.seats;
begin
  perform from public.shared_subscriptions where id = p_subscription_id for no key update;
  select s.* into v_seat from private.plan_offers as o
  join private.seats as s on s.subscription_id = o.subscription_id and s.member_id = o.person_id and s.ended_at is null
  where o.subscription_id = p_subscription_id and v_user = case when p_as_owner then s.owner_id else s.member_id end;
  if not found then
    perform private.refuse('plan_offer_not_found');
  end if;
  delete from private.plan_offers where subscription_id = p_subscription_id;
  perform private.tell_seat(v_seat, case when p_as_owner then v_seat.member_id else v_seat.owner_id end, 'info', p_event);
end $$;

-- Takes back the offer of a plan, even if it is accepted, until the plan has changed hands. Owner only.
create function private.withdraw_plan_offer(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_user(), private.end_plan_offer(p_subscription_id, true, 'plan-offer-withdrawn');
end $$;
select private.publish('withdraw_plan_offer', 'authenticated');

-- Declines the offer of a plan, even after accepting it, until the plan has changed hands. Only for the member to whom it is offered.
create function private.decline_plan(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_user(), private.end_plan_offer(p_subscription_id, false, 'plan-offer-declined');
end $$;
select private.publish('decline_plan', 'authenticated');

-- Accepts the offer of a plan, and returns when it changes hands: with its next renewal or, if p_at_once and the owner has agreed to that, now.
-- Only for the member to whom it is offered, who must have said how to pay them.
create function private.accept_plan(p_subscription_id text, p_at_once boolean default false) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
  v_offer private.plan_offers;
  v_seat private.seats;
  v_refusal text[];
begin
  perform private.refuse_tokens(), private.require_age();
  -- The same order as for leaving.
  perform from public.subscription_members where subscription_id = p_subscription_id and (is_owner or user_id = v_user) order by user_id for update;
  perform private.lock_plan_to_leave(p_subscription_id);
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id;
  select * into v_offer from private.plan_offers where subscription_id = p_subscription_id and person_id = v_user for update;
  if not found then
    perform private.refuse('plan_offer_not_found');
  end if;
  v_refusal := private.handover_refusal(v_plan, v_user);
  if v_refusal is not null then
    perform private.refuse(variadic v_refusal);
  elsif not exists (select from public.payment_wishes where user_id = v_user) then
    perform private.refuse('handover_needs_payment_details');
  elsif private.unkept_debts(v_user) > 0 then
    perform private.refuse('refund_owed_before_sharing');
  elsif v_plan.catalogue_plan_id = 'own' and (
    select count(*) from public.shared_subscriptions where owner_id = v_user and catalogue_plan_id = 'own') >= private.most_own_plans() then
    perform private.refuse('too_many_own_plans', private.most_own_plans()::text);
  elsif v_plan.catalogue_plan_id <> 'own' then
    perform private.require_seller(v_user);
  end if;
  perform private.spend_attempt('owner action');
  if p_at_once and v_offer.at_once then
    perform private.hand_over(v_offer);
    return private.now();
  end if;
  update private.plan_offers set accepted_at = coalesce(accepted_at, private.now()), takes_over_at = coalesce(takes_over_at, private.next_handover(v_plan))
  where subscription_id = p_subscription_id returning * into v_offer;
  select * into v_seat from private.seats where subscription_id = v_plan.id and member_id = v_user and ended_at is null;
  perform private.tell_seat(v_seat, v_plan.owner_id, 'success', 'plan-offer-accepted',
    jsonb_build_object('day', private.day_in(v_offer.takes_over_at, private.zone_of(v_plan.owner_id))));
  return v_offer.takes_over_at;
end $$;
select private.publish('accept_plan', 'authenticated');

-- Gives a plan to the member to whom it is offered. The caller has locked the two memberships and the plan, and checked that it is possible.
create function private.hand_over(p_offer private.plan_offers) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions;
  v_to uuid := p_offer.person_id;
  v_from uuid;
  v_seats private.seats[];
  v_seat private.seats;
  v_share numeric;
  -- When the new owner begins to pay the provider, and the earlier one to pay a share.
  v_begins timestamptz;
  v_former text;
begin
  select * into v_plan from public.shared_subscriptions where id = p_offer.subscription_id;
  v_from := v_plan.owner_id;
  v_former := (select display_name from private.user_profiles where user_id = v_from);
  v_begins := case when p_offer.takes_over_at <= private.now() then p_offer.takes_over_at else private.next_handover(v_plan) end;
  delete from private.plan_offers where subscription_id = v_plan.id;
  perform from private.seats where subscription_id = v_plan.id and ended_at is null order by id for update;
  select * into v_seat from private.seats where subscription_id = v_plan.id and member_id = v_to and ended_at is null;
  v_share := private.share_after_handover(v_plan, v_seat);

  -- The login was the earlier owner's, and so were invitations, requests, and all that was written.
  delete from private.vault_entries where subscription_id = v_plan.id;
  delete from private.vault_keys where subscription_id = v_plan.id;
  perform private.reject_open_requests(v_plan), private.end_invitations(v_plan);
  update public.conversations set archived = true, question_until = null where subscription_id = v_plan.id and owner_id = v_from and not archived;

  -- Members whose share the new owner paid go on paying nothing: the owner bears these shares, and no other member pays more.
  update private.seats set carried_by = null where carried_by = v_seat.id and ended_at is null;
  delete from public.term_proposals where seat_id = v_seat.id and answered_at is null;
  update public.member_payments set handed_over_at = private.now() where subscription_id = v_plan.id and owner_id = v_from and settlement = 'direct'
    and (private.is_open_directly(status) or status = 'paid' and paid_at > private.now() - private.receipt_undo_time());
  perform private.settle_seat(v_seat.id, 'handed-over', null);

  update public.shared_subscriptions set owner_id = v_to, owner = private.name_of_address(private.email_of(v_to)) where id = v_plan.id
  returning * into v_plan;
  update public.subscription_members set is_owner = false where subscription_id = v_plan.id and user_id = v_from;
  update public.subscription_members set is_owner = true where subscription_id = v_plan.id and user_id = v_to;
  update private.seats set owner_id = v_to where subscription_id = v_plan.id and ended_at is null;
  update public.term_proposals set owner_id = v_to where subscription_id = v_plan.id and answered_at is null;
  -- Guests follow. The earlier owner may know their links and PINs, so that these end, with the mails that carry links.
  delete from private.place_links where person_id in (
    select s.member_id from private.seats as s where s.subscription_id = v_plan.id and s.ended_at is null);
  perform private.cancel_mail(s.member_id::text) from private.seats as s where s.subscription_id = v_plan.id and s.ended_at is null and private.is_guest(s.member_id);
  update private.guests set opens_access = false, pin_hash = null, wrong_pins = 0 where person_id in (
    select s.member_id from private.seats as s where s.subscription_id = v_plan.id and s.ended_at is null);
  delete from private.calendars where user_id in (
    select s.member_id from private.seats as s where s.subscription_id = v_plan.id and s.ended_at is null and private.is_guest(s.member_id));
  update private.user_profiles set guest_of = v_to where guest_of = v_from and user_id in (
    select s.member_id from private.seats as s where s.subscription_id = v_plan.id and s.ended_at is null);
  -- The new owner may have had the plan before.
  update public.conversations as c set archived = false, is_question = false, question_until = null
  where c.subscription_id = v_plan.id and c.owner_id = v_to and c.archived and exists (
    select from public.subscription_members as m where m.subscription_id = v_plan.id and m.user_id = c.member_id);

  v_seats := array(select s from private.seats as s where s.subscription_id = v_plan.id and s.ended_at is null order by s.opened_at, s.id);
  perform private.follow_direct_payments(s.id), private.tell_seat(s, s.member_id, 'info', 'plan-handed-over', jsonb_build_object('former', v_former))
  from unnest(v_seats) as s;
  v_seat := private.seat_of_former_owner(v_plan, v_seat, v_from, v_share, v_begins);
  insert into private.fact_changes (user_id) select v_from union select v_to union select s.member_id from unnest(v_seats) as s;
  perform private.tell_seat(v_seat, v_to, 'success', 'plan-is-yours'),
    private.tell_seat(v_seat, v_from, 'info', 'plan-no-longer-yours', jsonb_build_object('day', private.day_in(v_begins, private.zone_of(v_from))));
end $$;

-- Opens the place of a plan's earlier owner, with the share of the place that its new owner had (p_was). It is free until p_begins, because the
-- earlier owner has paid the provider until then.
create function private.seat_of_former_owner(
  p_plan public.shared_subscriptions, p_was private.seats, p_person_id uuid, p_share numeric, p_begins timestamptz
) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_is_free boolean := p_begins > private.now();
  -- A day begins at different times in the zones of the two owners.
  v_day date := private.day_in(p_begins + interval '12 hours', private.zone_of(p_person_id));
  v_seat private.seats;
begin
  insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement, billing_cycle, cycle_months,
    currency, share, part, fee_rate, counts, admitted_at, access_given_at, access_confirmed_at, anchor, anchor_after)
  values (p_plan.id, p_plan.catalogue_plan_id, p_plan.provider, p_plan.name, p_plan.owner_id, p_person_id, 'direct', p_plan.billing_cycle,
    p_plan.cycle_months, p_plan.currency, case when v_is_free then 0 else p_share end, p_was.part, p_plan.fee_rate, p_plan.cycle_months is null,
    private.now(), private.now(), private.now(), coalesce(p_plan.anchor, v_day),
    coalesce(-private.cycle_at(p_plan.anchor, p_plan.cycle_months, v_day), 0) + v_is_free::integer)
  returning * into v_seat;
  perform private.open_payments(array[v_seat.id], array[1], array[case when v_is_free then private.now() else p_begins end]);
  update private.seats set share = p_share where id = v_seat.id;
  return private.begin_periods(v_seat.id);
end $$;

-- Ends the open invitations to a plan whose owner changes, and tells those who have an account.
create function private.end_invitations(p_plan public.shared_subscriptions) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_invitation public.subscription_invitations;
begin
  for v_invitation in
    select i.* from public.subscription_invitations as i
    where i.subscription_id = p_plan.id and private.invitation_status(i) = 'open' order by i.id for update
  loop
    perform private.cancel_mail(v_invitation.id::text);
    update public.subscription_invitations set withdrawn_at = clock_timestamp() where id = v_invitation.id;
    perform private.notify(u.id, 'info', null, 'invitation-ended', jsonb_build_object('plan', p_plan.provider || ' ' || p_plan.name))
    from auth.users as u where lower(u.email) = v_invitation.email and u.email_confirmed_at is not null;
  end loop;
end $$;

-- Hands over the plans whose day has come, before the payments of that day are opened. An offer that has become impossible ends. Rows that
-- others have locked wait for the next call.
create function private.hand_over_due_plans() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_offer private.plan_offers;
  v_refusal text[];
begin
  for v_offer in
    select o.* from private.plan_offers as o join public.shared_subscriptions as p on p.id = o.subscription_id
    join public.subscription_members as m on m.subscription_id = p.id and m.user_id = o.person_id
    join public.subscription_members as n on n.subscription_id = p.id and n.is_owner
    where o.takes_over_at <= private.now() order by o.takes_over_at limit 20
    for no key update of p skip locked for update of o, m, n skip locked
  loop
    begin
      v_refusal := (select private.handover_refusal(p, v_offer.person_id) from public.shared_subscriptions as p where p.id = v_offer.subscription_id);
      if v_refusal is null then
        perform private.hand_over(v_offer);
      else
        perform private.drop_plan_offer(v_offer.subscription_id, case v_refusal[1] when 'handover_to_leaver' then 'left'
          when 'handover_after_problem' then 'problem' else 'other' end);
      end if;
    exception
      when lock_not_available or deadlock_detected or serialization_failure then null;
      when others then
        raise warning 'Handing over %: %', v_offer.subscription_id, sqlerrm;
        perform private.drop_plan_offer(v_offer.subscription_id, 'other');
    end;
  end loop;
end $$;

-- The earlier owner to whom a guest owes a payment, for the guest's page: the first name and, while it is open, how to pay them. Null for a
-- payment to the plan's present owner.
create function private.earlier_owner(p_seat private.seats, p_payment public.member_payments) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('name', private.first_name(u.display_name), 'wish', (
      select jsonb_build_object('kind', w.kind, 'iban', w.iban, 'holder', w.holder, 'link', w.link, 'note', w.note)
      from public.payment_wishes as w where w.user_id = u.user_id and private.is_payable(p_payment) and private.pays_directly(u.user_id)
        and not private.is_owner_paused(u.user_id)))
    from private.user_profiles as u where u.user_id = p_payment.owner_id and u.user_id <> p_seat.owner_id);
end $$;

-- What earlier owners of the plan still owe a guest: [{name, amount}].
create function private.earlier_debts(p_seat private.seats) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('name', private.first_name(u.display_name), 'amount', owed.amount) order by u.user_id), '[]')
    from (
      select m.owner_id, sum(m.owed_back) as amount from public.member_payments as m
      where m.seat_id = p_seat.id and m.owner_id <> p_seat.owner_id and private.is_owed_back(m) group by m.owner_id
    ) as owed join private.user_profiles as u on u.user_id = owed.owner_id);
end $$;
