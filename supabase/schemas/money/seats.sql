-- The maximum length of the address or name that a provider's invitation was sent to.
create function private.longest_invited_address() returns integer
language sql immutable return 200;

-- A member's seat in a plan, kept for good. Terms and names are copied, because plan and membership are deleted while payments
-- stay. A trigger opens a seat for each new membership, and settles it when the membership ends.
create table private.seats (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null,
  catalogue_plan_id text not null,
  provider text not null,
  -- The provider's name for the plan.
  plan_name text not null,
  -- The plan's owner; a living seat goes to the next one if the plan is handed over.
  owner_id uuid not null references private.user_profiles (user_id) on delete restrict,
  member_id uuid not null references private.user_profiles (user_id) on delete restrict,
  settlement text not null check (settlement in ('direct', 'potluck')),
  billing_cycle text not null check (billing_cycle in ('monthly', 'yearly', 'months')),
  -- The number of months of a period of an own plan; null for a plan of the catalogue, whose periods are months.
  cycle_months integer,
  -- The currency of the price.
  currency text not null default 'EUR',
  -- The price of the place per billing cycle, without the fee.
  share numeric(12, 2) not null check (share >= 0),
  -- In an own plan with unequal shares: the amount or the percentage that the plan's owner has given to this seat.
  part numeric(12, 2) check (part >= 0),
  -- The seat whose member pays this one together with their own.
  carried_by uuid references private.seats (id) on delete restrict,
  -- The fee rate of the plan, for payments through the site.
  fee_rate numeric not null check (fee_rate between 0 and 1),
  -- Whether payments take the member's coins first, as far as they go.
  coins_first boolean not null default false,
  -- Whether the seat counts for standing, savings and reviews. Those of own plans and of guests do not, because people who know each other
  -- need no proof, and one person could be both sides.
  counts boolean not null default true,
  -- For a place that an account took over from a guest: when, the guest's name, and when the owner said that it is the same person.
  claimed_at timestamptz,
  claimed_name text,
  claim_accepted_at timestamptz,
  -- When the member asked for access to begin immediately, and until when they can withdraw from the contract with the site, in
  -- their time zone at the time of the contract (contract_withdrawal.sql).
  begins_at_once_at timestamptz,
  withdrawable_until timestamptz,
  -- When the place was taken.
  opened_at timestamptz not null default private.now(),
  -- When the member was admitted: on approval if the owner is paid directly, otherwise once the first payment is made, or once it is
  -- being debited if the site does not wait for debits (app_settings.admit_on_debit).
  admitted_at timestamptz,
  -- When the owner gave access, by the vault or by the provider's invitation.
  access_given_at timestamptz,
  -- The owner's deadline for giving access, which the first payment sets.
  access_due_at timestamptz,
  access_reminded boolean not null default false,
  -- The address that the provider's invitation went to.
  invited_address text check (char_length(invited_address) between 1 and private.longest_invited_address()),
  -- When the member said that access works.
  access_confirmed_at timestamptz,
  -- The local day from which periods are counted, and the number of periods before that day; null until the first period has begun.
  anchor date,
  anchor_after integer not null default 0,
  -- The time since which access is closed because a renewal failed or a direct payment is overdue.
  late_since timestamptz,
  -- When the seat will end, once a member or owner has chosen that it ends with its period.
  ends_at timestamptz,
  -- When the seat ended.
  ended_at timestamptz,
  -- The person who ended the seat; null if the server did.
  ended_by uuid references private.user_profiles (user_id) on delete restrict,
  -- Why the seat ended.
  end_reason text check (end_reason in ('left', 'removed', 'cancelled', 'unpaid', 'over', 'unused', 'disputed', 'no-access', 'problem',
    'withdrawn', 'suspended', 'handed-over')),
  -- `paying` until the member is admitted, then `active`, `late` while a payment is missing, `ending` with its period, and `ended`.
  status text not null generated always as (case
    when ended_at is not null then 'ended' when admitted_at is null then 'paying' when late_since is not null then 'late'
    when ends_at is not null then 'ending' else 'active' end) stored,
  -- For run_due_work(): when the seat next needs work, and how often the present step has failed.
  next_at timestamptz,
  failures integer not null default 0,
  last_error text,
  constraint paid_through_the_site_begins_at_once
    check (settlement = 'direct' or num_nulls(begins_at_once_at, withdrawable_until) = 0),
  check ((ended_at is null) = (end_reason is null)),
  constraint only_seats_in_own_plans_have_a_cycle check (
    (cycle_months is not null) = (billing_cycle = 'months') and (cycle_months is null) = (catalogue_plan_id <> 'own')
    and (currency = 'EUR' or cycle_months is not null)),
  check (anchor is null or (admitted_at is not null and access_given_at is not null))
);
create unique index seats_one_living_key on private.seats (subscription_id, member_id) where ended_at is null;
create index seats_plan_idx on private.seats (subscription_id, opened_at);
create index seats_owner_idx on private.seats (owner_id, opened_at);
create index seats_member_idx on private.seats (member_id, opened_at);
create index seats_ended_by_idx on private.seats (ended_by);
create index seats_carried_by_idx on private.seats (carried_by);
create index seats_due_idx on private.seats (next_at) where next_at is not null;
create index seats_failing_idx on private.seats (failures) where failures > 0;
alter table private.seats enable row level security;

-- Returns whether a seat was a guest's, and its owner has not said yet that the account is theirs.
create function private.is_claim_open(p_seat private.seats) returns boolean
language sql immutable as $$ select p_seat.claimed_at is not null and p_seat.claim_accepted_at is null $$;

-- Returns whether the acting user has a seat that gives access to the plan. A seat that is paid through the site must be paid, and one that
-- was a guest's waits for the owner's word, so that a stolen link opens no login.
create function private.may_get_in(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from private.seats as s
    where subscription_id = p_subscription_id and member_id = (select auth.uid()) and ended_at is null
      -- The scheduled job may not have ended the seat yet.
      and coalesce(ends_at > private.now(), true) and not private.is_claim_open(s)
      and admitted_at is not null and (settlement = 'direct' or late_since is null)
  );
end $$;

-- One notification about a seat, for functions that send many together (tell_seats).
create type private.news as (
  seat private.seats, user_id uuid, type text, event text, params jsonb, mails boolean, invoiced uuid,
  -- The path of the mail's button; by default it leads to the plan.
  answer_path text
);
create function private.seat_news(
  p_seat private.seats, p_user_id uuid, p_type text, p_event text, p_params jsonb default '{}', p_mails boolean default true,
  p_invoiced uuid default null, p_answer_path text default null
) returns private.news
language sql immutable as $$
  select (p_seat, p_user_id, p_type, p_event, p_params, p_mails, p_invoiced, p_answer_path)::private.news
$$;

-- Notifies one side of each seat, in the app and, if they are away, by mail. The mail has a button to the plan unless they cannot
-- open the plan any more: the seat has ended, or the plan is being deleted. All are sent together, and each row is looked up by its
-- key.
create function private.tell_seats(p_news private.news[]) returns void
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  -- A plan that is being cancelled waits for the seat, so waiting for the plan would deadlock.
  v_plans text[] := private.lock_plans(array(
    select distinct (seat).subscription_id from unnest(p_news) where (seat).ended_at is null or user_id = (seat).owner_id));
  v_mailings private.mailing[];
begin
  with given as materialized (
    select n.*, told.id, told as notice from unnest(p_news) as n
    left join lateral (select display_name from private.user_profiles where user_id = (n.seat).member_id offset 0) as member on true
    left join lateral (select display_name from private.user_profiles where user_id = (n.seat).owner_id offset 0) as owner on true
    -- An earlier owner, to whom payments are still owed, has no page of the plan any more.
    left join unnest(v_plans) as kept on kept = (n.seat).subscription_id and not exists (
      select from public.shared_subscriptions as p where p.id = kept and n.user_id = (n.seat).owner_id and p.owner_id <> n.user_id)
    cross join lateral private.notice(n.user_id, n.type, case when (n.seat).ended_at is null or n.user_id = (n.seat).owner_id then kept end,
      n.event, n.params || jsonb_build_object('plan', (n.seat).provider || ' ' || (n.seat).plan_name, 'member', member.display_name,
        'owner', owner.display_name, 'seat', (n.seat).id)
        || case (n.seat).currency when 'EUR' then '{}' else jsonb_build_object('currency', (n.seat).currency) end) as told
  ), told as (
    insert into public.user_notifications select (notice).* from given
  )
  select array_agg((given.id, array_remove(array[(seat).id::text, plan], null),
    case when answer_path is not null then answer_path when invoice is not null then '/payments/' || invoice when plan is null then '/payments'
      when user_id = (seat).owner_id then '/manage-shared/' || plan else '/manage-subscribed/' || plan end)::private.mailing)
  into v_mailings from given
  cross join lateral (select (notice).subscription_id) as opens (plan)
  left join lateral (
    select m.id from public.member_payments as m where m.id = given.invoiced and (private.vat_mode_at(m.paid_at) is not null
      or exists (select from public.fee_invoices where payment_id = m.id))
  ) as invoiced (invoice) on true where given.mails;
  perform private.mail_notifications(v_mailings);
end $$;

create function private.tell_seat(
  p_seat private.seats, p_user_id uuid, p_type text, p_event text, p_params jsonb default '{}', p_mails boolean default true,
  p_invoiced uuid default null, p_answer_path text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.tell_seats(array[private.seat_news(p_seat, p_user_id, p_type, p_event, p_params, p_mails, p_invoiced, p_answer_path)]);
end $$;

-- Opens a seat in the transaction that creates a membership. Its first payment is due immediately.
create function private.open_seat(p_member public.subscription_members) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions;
  v_coins_first boolean;
  v_begins_at_once_at timestamptz;
  v_is_withdrawable boolean;
  v_counts boolean;
  v_seat private.seats;
begin
  select * into v_plan from public.shared_subscriptions where id = p_member.subscription_id;
  v_counts := v_plan.cycle_months is null and not private.is_guest(p_member.user_id);
  v_is_withdrawable := private.is_withdrawable(v_plan.settlement, v_plan.owner_id) and not private.is_guest(p_member.user_id);
  -- coins_first and begins_at_once_at come from the request or invitation that led to this seat, not to an earlier one.
  select said.coins_first, said.begins_at_once_at into v_coins_first, v_begins_at_once_at from (
    select r.coins_first, r.begins_at_once_at, r.decided_at as at from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = p_member.user_id and r.status = 'approved'
    union all
    select false, i.begins_at_once_at, i.accepted_at from public.subscription_invitations as i
    where i.subscription_id = v_plan.id and i.email = lower(private.email_of(p_member.user_id)) and i.accepted_at is not null
  ) as said order by said.at desc nulls last limit 1;
  if v_plan.settlement = 'potluck' then
    perform private.require_wish_to_begin(v_begins_at_once_at), private.require_may_contract(p_member.user_id);
  end if;
  insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
    billing_cycle, cycle_months, currency, share, fee_rate, counts, coins_first, begins_at_once_at, withdrawable_until, admitted_at, access_given_at,
    anchor, anchor_after)
  values (v_plan.id, v_plan.catalogue_plan_id, v_plan.provider, v_plan.name, v_plan.owner_id, p_member.user_id, v_plan.settlement,
    v_plan.billing_cycle, v_plan.cycle_months, v_plan.currency, v_plan.member_price, v_plan.fee_rate, v_counts,
    coalesce(v_coins_first, false),
    case when v_is_withdrawable then v_begins_at_once_at end,
    case when v_is_withdrawable then private.last_contract_withdrawal(p_member.user_id) end,
    case v_plan.settlement when 'direct' then private.now() end,
    -- A place among people who know each other is open at once.
    case when not v_counts or private.has_vault_entry(v_plan.id) then private.now() end,
    v_plan.anchor, coalesce(-private.cycle_at(v_plan.anchor, v_plan.cycle_months,
      private.day_in(private.now(), private.zone_of(v_plan.owner_id))), 0))
  returning * into v_seat;
  perform private.open_accounts(v_seat);
  perform private.open_payments(array[v_seat.id], array[1], array[case when v_seat.anchor is not null then private.now() end]);
  perform private.begin_periods(v_seat.id);
  -- Without a signed-in person, the server is loading demo data, which sends no mail.
  if auth.uid() is not null then
    perform private.mail_contract(v_seat, 'place', v_is_withdrawable, 1);
  end if;
end $$;

-- Settles the seat of a membership before it is deleted; the caller has locked the plan. Members who are removed, or can withdraw, get the unused part back.
create function private.settle_seats(p_member public.subscription_members) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  for v_seat in
    select * from private.seats
    where subscription_id = p_member.subscription_id and member_id = p_member.user_id and ended_at is null for update
  loop
    if p_member.user_id = auth.uid() and private.may_withdraw_from_contract(v_seat) then
      perform private.settle_contract_withdrawal(v_seat);
    else
      perform private.settle_seat(v_seat.id, case when p_member.user_id = auth.uid() then 'left' else 'removed' end, auth.uid());
    end if;
  end loop;
end $$;

-- Settles all seats of a plan before it is deleted.
create function private.tg_shared_subscriptions__settle() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seats uuid[];
  v_id uuid;
begin
  -- All seats are locked before the first account.
  v_seats := array(select id from private.seats where subscription_id = old.id and ended_at is null order by id for update);
  perform private.lock_held_money(v_seats);
  foreach v_id in array v_seats loop
    perform private.settle_seat(v_id, 'cancelled', auth.uid());
  end loop;
  perform private.forfeit_problems(old.owner_id, old.id);
  return old;
end $$;
create trigger settle before delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__settle();

revoke all on private.seats from public, anon, authenticated, service_role;
