-- New terms of a plan apply to members who join from then on; each current member is asked to accept them. Without an answer a seat keeps
-- its old terms, and the owner may end it with its period.
create table public.term_proposals (
  id uuid primary key default gen_random_uuid(),
  seat_id uuid not null references private.seats (id) on delete restrict,
  subscription_id text not null,
  owner_id uuid not null references private.user_profiles (user_id) on delete restrict,
  member_id uuid not null references private.user_profiles (user_id) on delete restrict,
  settlement text not null check (settlement in ('direct', 'potluck')),
  -- The new price per billing cycle, without the fee, in EUR.
  share numeric(12, 2) not null check (share >= 0),
  proposed_at timestamptz not null default private.now(),
  answered_at timestamptz,
  accepted boolean,
  check ((answered_at is null) = (accepted is null))
);
create unique index term_proposals_one_open_key on public.term_proposals (seat_id) where answered_at is null;
create index term_proposals_seat_idx on public.term_proposals (seat_id);
create index term_proposals_owner_idx on public.term_proposals (owner_id);
create index term_proposals_member_idx on public.term_proposals (member_id);
alter table public.term_proposals enable row level security;
create policy "Both sides see what is proposed" on public.term_proposals
  for select to authenticated using (member_id = (select auth.uid()) or owner_id = (select auth.uid()));

-- Changes how a plan is paid and updates its price from the catalogue; returns how many members are asked. Pending requests are
-- rejected if the place would now cost more or be charged through the site, because their senders have not agreed to that. Owner
-- only.
create function private.propose_terms(p_subscription_id text, p_settlement text) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_sold private.catalogue_plan := private.find_catalogue_plan(v_plan.catalogue_plan_id, v_plan.provider, v_plan.name);
  v_price numeric := round(coalesce(v_sold.price, v_plan.total_price), 2);
  v_share numeric := round(coalesce(v_sold.price, v_plan.total_price) / v_plan.max_members, 2);
  v_seat private.seats;
  v_asked integer := 0;
begin
  if p_settlement is null or p_settlement not in ('direct', 'potluck') then
    perform private.refuse('settlement_unknown');
  elsif v_plan.catalogue_plan_id = 'own' then
    perform private.refuse('own_plan_direct');
  elsif (v_plan.settlement, v_plan.member_price) = (p_settlement, v_share) then
    perform private.refuse('terms_unchanged');
  end if;
  perform private.require_settlement(p_settlement, v_plan.billing_cycle, v_share, v_plan.fee_rate);
  perform private.drop_plan_offer(v_plan.id, 'terms');
  -- This update counts as an owner action. Instant plans need payment through the site.
  update public.shared_subscriptions set settlement = p_settlement, total_price = v_price, member_price = v_share,
    instant_from = case p_settlement when 'potluck' then instant_from end
  where id = v_plan.id;
  if (v_plan.settlement, p_settlement) = ('direct', 'potluck') or v_share > v_plan.member_price then
    perform private.reject_open_requests(v_plan);
  end if;
  for v_seat in
    select * from private.seats where subscription_id = v_plan.id and ended_at is null order by id for update
  loop
    delete from public.term_proposals where seat_id = v_seat.id and answered_at is null;
    continue when (v_seat.settlement, v_seat.share) = (p_settlement, v_share);
    insert into public.term_proposals (seat_id, subscription_id, owner_id, member_id, settlement, share)
    values (v_seat.id, v_plan.id, v_seat.owner_id, v_seat.member_id, p_settlement, v_share);
    v_asked := v_asked + 1;
    perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'terms-proposed',
      jsonb_build_object('settlement', p_settlement, 'share', v_share, 'cycle', v_seat.billing_cycle));
  end loop;
  return v_asked;
end $$;
select private.publish('propose_terms', 'authenticated');

-- Returns the number of a seat's next payment, from which accepted terms apply.
create function private.next_payment_number(p_seat_id uuid) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select coalesce(max(number), 0) + 1 from public.member_payments where seat_id = p_seat_id);
end $$;

-- Accepts the proposal from the next period on, or declines it. Only for the member who was asked. Terms that move a seat from
-- direct payments to the site are a new contract: the member must ask for access to begin immediately, and may withdraw.
create function private.answer_terms(p_proposal_id uuid, p_accept boolean, p_begin_at_once boolean default false) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_proposal public.term_proposals;
  v_seat private.seats;
  v_is_contract boolean;
begin
  select s.* into v_seat from private.seats as s join public.term_proposals as p on p.seat_id = s.id
  where p.id = p_proposal_id and p.member_id = v_user and s.ended_at is null for update of s;
  select * into v_proposal from public.term_proposals where id = p_proposal_id and answered_at is null;
  if v_seat.id is null or v_proposal.id is null then
    perform private.refuse('proposal_not_open');
  elsif p_accept is null then
    perform private.refuse('answer_missing');
  elsif p_accept and private.is_claim_open(v_seat) then
    perform private.refuse('claim_open');
  end if;
  update public.term_proposals set answered_at = private.now(), accepted = p_accept where id = v_proposal.id;
  if p_accept then
    v_is_contract := (v_seat.settlement, v_proposal.settlement) = ('direct', 'potluck');
    if v_is_contract then
      perform private.require_wish_to_begin(case when p_begin_at_once then private.now() end), private.require_may_contract(v_user);
      v_seat.begins_at_once_at := private.now();
      v_seat.withdrawable_until := private.last_contract_withdrawal(v_user);
    end if;
    update private.seats set settlement = v_proposal.settlement, share = v_proposal.share, begins_at_once_at = v_seat.begins_at_once_at,
      withdrawable_until = v_seat.withdrawable_until where id = v_seat.id returning * into v_seat;
    perform private.open_accounts(v_seat);
    perform private.schedule_seat(v_seat.id);
    perform private.mail_contract(v_seat, 'terms', v_is_contract, private.next_payment_number(v_seat.id));
  end if;
  perform private.answer_for_carried(v_seat, p_accept);
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', case when p_accept then 'terms-accepted' else 'terms-refused' end);
end $$;
select private.publish('answer_terms', 'authenticated');

-- Schedules the end of a seat for the end of its current period, and returns that time. Owner only; the member keeps what they paid
-- for.
create function private.end_seat_with_period(p_seat_id uuid) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_living_seat(p_seat_id, true);
  v_ends_at timestamptz := private.end_with_period(v_seat);
begin
  if v_ends_at is null then
    perform private.refuse('no_paid_period');
  end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning', 'seat-will-end',
    jsonb_build_object('until', v_ends_at, 'day', private.day_in(v_ends_at, private.zone_of(v_seat.member_id))));
  return v_ends_at;
end $$;
select private.publish('end_seat_with_period', 'authenticated');

select private.send_changes('term_proposals');

revoke all on public.term_proposals from public, anon, authenticated, service_role;
grant select on public.term_proposals to authenticated, service_role;
