-- The maximum length of the address or name that a provider's invitation was sent to.
create function private.longest_invited_address() returns integer
language sql immutable return 200;

-- The maximum length of an owner's note about a payment that has not arrived.
create function private.longest_denial() returns integer
language sql immutable return 300;

-- A member's seat in a plan, kept for good. Terms and names are copied, because plan and membership are deleted while payments
-- stay. A trigger opens a seat for each new membership, and settles it when the membership ends.
create table private.seats (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null,
  catalogue_plan_id text not null,
  provider text not null,
  -- The provider's name for the plan.
  plan_name text not null,
  owner_id uuid not null references private.user_profiles (user_id) on delete restrict,
  member_id uuid not null references private.user_profiles (user_id) on delete restrict,
  settlement text not null check (settlement in ('direct', 'potluck')),
  billing_cycle text not null check (billing_cycle in ('monthly', 'yearly')),
  -- The price of the place per billing cycle, without the fee.
  share numeric(12, 2) not null check (share >= 0),
  -- The fee rate of the plan, for payments through the site.
  fee_rate numeric not null check (fee_rate between 0 and 1),
  -- Whether payments take the member's coins first, as far as they go.
  coins_first boolean not null default false,
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
    'withdrawn', 'suspended')),
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
  check (anchor is null or (admitted_at is not null and access_given_at is not null))
);
create unique index seats_one_living_key on private.seats (subscription_id, member_id) where ended_at is null;
create index seats_plan_idx on private.seats (subscription_id, opened_at);
create index seats_owner_idx on private.seats (owner_id, opened_at);
create index seats_member_idx on private.seats (member_id, opened_at);
create index seats_ended_by_idx on private.seats (ended_by);
create index seats_due_idx on private.seats (next_at) where next_at is not null;
alter table private.seats enable row level security;

-- A payment for one period of a place: when it is due, and where its money went. Both sides see it.
create table public.member_payments (
  id uuid primary key default gen_random_uuid(),
  seat_id uuid not null references private.seats (id) on delete restrict,
  subscription_id text not null,
  -- Provider and plan.
  plan_name text not null,
  owner_id uuid not null references private.user_profiles (user_id) on delete restrict,
  member_id uuid not null references private.user_profiles (user_id) on delete restrict,
  -- The number of the period: 1, 2, 3 …
  number integer not null check (number > 0),
  settlement text not null check (settlement in ('direct', 'potluck')),
  -- The owner's part.
  share numeric(12, 2) not null check (share >= 0),
  -- The site's fee.
  fee numeric(12, 2) not null check (fee >= 0),
  -- The price for the member: share and fee together.
  amount numeric(12, 2) not null generated always as (share + fee) stored,
  -- When the period begins. The first begins once access is given and, if paid through the site, the payment is made.
  starts_at timestamptz,
  -- When the period ends.
  ends_at timestamptz,
  -- When the payment is due.
  due_at timestamptz not null,
  -- `claimed`: the member says that they have paid. `needs-action`: the member has to confirm the payment at their bank. `closed`:
  -- the period is over and settled. `disputed`: member and owner disagree whether the member has paid directly, and staff have to
  -- decide.
  status text not null check (status in
    ('due', 'claimed', 'disputed', 'charging', 'processing', 'needs-action', 'failed', 'paid', 'closed', 'given-back', 'cancelled')),
  created_at timestamptz not null default private.now(),
  -- When the member said that they have paid, or their bank began the debit, which takes days.
  claimed_at timestamptz,
  -- When the payment was made or, if it is paid directly, when it was confirmed.
  paid_at timestamptz,
  -- When the payment was settled, refunded or cancelled.
  closed_at timestamptz,
  -- The amount paid with coins.
  coins numeric(12, 2) not null default 0 check (coins >= 0),
  -- The amount paid by card or bank account.
  card numeric(12, 2) not null default 0 check (card >= 0),
  -- The kind of payment method used.
  paid_with text check (paid_with in ('card', 'link', 'sepa_debit')),
  -- The part of the share that the owner has earned.
  earned_share numeric(12, 2) not null default 0 check (earned_share >= 0),
  -- The part of the fee that the site has earned.
  earned_fee numeric(12, 2) not null default 0 check (earned_fee >= 0),
  -- The refunded part of the share.
  returned_share numeric(12, 2) not null default 0 check (returned_share >= 0),
  -- The refunded part of the fee.
  returned_fee numeric(12, 2) not null default 0 check (returned_fee >= 0),
  -- The amount that the guarantee account refunded, because the money had been earned already (fraud_warnings.sql).
  from_guarantee numeric(12, 2) not null default 0 check (from_guarantee >= 0),
  -- The amount that a directly paid owner owes this member for time without access.
  owed_back numeric(12, 2) not null default 0 check (owed_back >= 0),
  -- When the debt arose.
  owed_since timestamptz,
  -- How many steps have been taken about the debt: two reminders, then the judgement that it is overdue.
  debt_steps_done integer not null default 0,
  -- When the debt was found overdue, which lowers the owner's standing.
  unkept_at timestamptz,
  -- When the debt was paid back.
  repaid_at timestamptz,
  -- When the debt was closed without repayment: by staff, or because staff did not decide in time; it counts against neither side.
  debt_closed_at timestamptz,
  -- Why a direct payment counts as received: the owner or a bank statement said so, the owner did not answer, or staff decided.
  received_by text check (received_by in ('owner', 'statement', 'silence', 'staff')),
  -- The first due date, if the owner has denied the payment since.
  first_due_at timestamptz,
  -- When the owner took "Received" back, which they can do once.
  unconfirmed_at timestamptz,
  -- When the member's place ended, if they had used it without making this payment.
  left_unpaid_at timestamptz,
  -- When the owner waived the payment.
  waived_at timestamptz,
  -- The time up to which earnings are recorded.
  earned_until timestamptz,
  -- The number of the receipt. The names of both sides and, where the site takes a fee, its seller are those of the day of issue;
  -- later changes do not alter them.
  receipt_number text unique,
  owner_name text,
  member_name text,
  -- The seller on the receipt, who runs the site.
  seller_name text,
  -- The seller's address.
  seller_address text,
  -- The seller's tax number.
  seller_tax_number text,
  -- The reference a member puts on a direct transfer.
  reference text not null generated always as ('PL-' || upper(left(seat_id::text, 8)) || '-' || number) stored,
  -- The owner's reason for saying that the payment did not arrive.
  note text check (char_length(note) <= private.longest_denial()),
  -- How often a charge was attempted.
  attempts integer not null default 0,
  -- When the payment is charged next.
  next_attempt_at timestamptz,
  -- When the member was told that the payment will be due.
  announced_at timestamptz,
  -- How often the member was reminded.
  reminders integer not null default 0,
  -- When the owner last reminded the member.
  nudged_at timestamptz,
  unique (seat_id, number),
  constraint no_more_than_was_paid check (
    owed_back <= share and returned_share + returned_fee + from_guarantee <= share + fee
    and (settlement = 'direct' or (earned_share + returned_share <= share and earned_fee + returned_fee <= fee))
  )
-- Leaves room beside each row for its updates: a payment is written about eight times, and of the columns that change only the receipt
-- number has an index.
) with (fillfactor = 70);
-- is_chargeable() returns whether a payment with this status can be charged now; awaits_money() whether it waits for money, which
-- includes a bank debit under way.
create function private.is_chargeable(p_status text) returns boolean
language sql immutable return p_status in ('due', 'charging', 'needs-action', 'failed');
create function private.awaits_money(p_status text) returns boolean
language sql immutable return private.is_chargeable(p_status) or p_status = 'processing';
-- has_failed() returns whether the charge of a payment has failed or needs the member's confirmation; awaits_member() whether the
-- member has to pay, for the first time or again.
create function private.has_failed(p_status text) returns boolean
language sql immutable return p_status in ('needs-action', 'failed');
create function private.awaits_member(p_status text) returns boolean
language sql immutable return p_status = 'due' or private.has_failed(p_status);
-- is_unconfirmed() returns whether the member claims to have made a direct payment that the owner has not confirmed;
-- is_open_directly() whether a direct payment is not settled yet.
create function private.is_unconfirmed(p_status text) returns boolean
language sql immutable return p_status in ('claimed', 'disputed');
create function private.is_open_directly(p_status text) returns boolean
language sql immutable return p_status = 'due' or private.is_unconfirmed(p_status);
-- is_paid() returns whether a payment is paid, even if its period is closed; is_claimed_or_paid() whether it is paid or claimed and
-- its period is not closed.
create function private.is_paid(p_status text) returns boolean
language sql immutable return p_status in ('paid', 'closed');
create function private.is_claimed_or_paid(p_status text) returns boolean
language sql immutable return p_status in ('claimed', 'paid');
create index member_payments_member_idx on public.member_payments (member_id, created_at desc);
create index member_payments_owner_idx on public.member_payments (owner_id, created_at desc);
create index member_payments_left_unpaid_idx on public.member_payments (owner_id, member_id) where left_unpaid_at is not null;
create index member_payments_unkept_idx on public.member_payments (owner_id) where unkept_at is not null;
create index member_payments_plan_idx on public.member_payments (subscription_id, created_at desc);
alter table public.member_payments enable row level security;
create policy "Both sides of a payment see it, admins all" on public.member_payments
  for select to authenticated using (
    member_id = (select auth.uid()) or owner_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff())
  );

-- Returns whether the acting user has a seat that gives access to the plan. A seat that is paid through the site must be paid.
create function private.may_get_in(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from private.seats
    where subscription_id = p_subscription_id and member_id = (select auth.uid()) and ended_at is null
      -- The scheduled job may not have ended the seat yet.
      and coalesce(ends_at > private.now(), true)
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
    left join unnest(v_plans) as kept on kept = (n.seat).subscription_id
    cross join lateral private.notice(n.user_id, n.type, case when (n.seat).ended_at is null or n.user_id = (n.seat).owner_id then kept end,
      n.event, n.params || jsonb_build_object('plan', (n.seat).provider || ' ' || (n.seat).plan_name, 'member', member.display_name,
        'owner', owner.display_name, 'seat', (n.seat).id)) as told
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

create function private.euros(p_amount numeric) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return '€' || round(p_amount, 2);
end $$;

-- Opens a seat in the transaction that creates a membership. Its first payment is due immediately.
create function private.tg_subscription_members__open_seat() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions;
  v_coins_first boolean;
  v_begins_at_once_at timestamptz;
  v_is_withdrawable boolean;
  v_seat private.seats;
begin
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id;
  v_is_withdrawable := private.is_withdrawable(v_plan.settlement, v_plan.owner_id);
  -- coins_first and begins_at_once_at come from the request or invitation that led to this seat, not to an earlier one.
  select said.coins_first, said.begins_at_once_at into v_coins_first, v_begins_at_once_at from (
    select r.coins_first, r.begins_at_once_at, r.decided_at as at from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = new.user_id and r.status = 'approved'
    union all
    select false, i.begins_at_once_at, i.accepted_at from public.subscription_invitations as i
    where i.subscription_id = v_plan.id and i.email = lower(private.email_of(new.user_id)) and i.accepted_at is not null
  ) as said order by said.at desc nulls last limit 1;
  if v_plan.settlement = 'potluck' then
    perform private.require_wish_to_begin(v_begins_at_once_at), private.require_may_contract(new.user_id);
  end if;
  insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
    billing_cycle, share, fee_rate, coins_first, begins_at_once_at, withdrawable_until, admitted_at, access_given_at)
  values (v_plan.id, v_plan.catalogue_plan_id, v_plan.provider, v_plan.name, v_plan.owner_id, new.user_id, v_plan.settlement,
    v_plan.billing_cycle, v_plan.member_price, v_plan.fee_rate, coalesce(v_coins_first, false),
    case when v_is_withdrawable then v_begins_at_once_at end,
    case when v_is_withdrawable then private.last_contract_withdrawal(new.user_id) end,
    case v_plan.settlement when 'direct' then private.now() end, case when private.has_vault_entry(v_plan.id) then private.now() end)
  returning * into v_seat;
  perform private.open_accounts(v_seat);
  perform private.open_payments(array[v_seat.id], array[1], array[null::timestamptz]);
  perform private.begin_periods(v_seat.id);
  -- Without a signed-in person, the server is loading demo data, which sends no mail.
  if auth.uid() is not null then
    perform private.mail_contract(v_seat, 'place', v_is_withdrawable, 1);
  end if;
  return null;
end $$;
create trigger open_seat after insert on public.subscription_members
  for each row when (not new.is_owner) execute function private.tg_subscription_members__open_seat();

-- Settles a seat before its membership is deleted. Members who are removed, or can withdraw, get the unused part back.
create function private.tg_subscription_members__settle() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  perform private.lock_plan_to_leave(old.subscription_id);
  for v_seat in
    select * from private.seats
    where subscription_id = old.subscription_id and member_id = old.user_id and ended_at is null for update
  loop
    if old.user_id = auth.uid() and private.may_withdraw_from_contract(v_seat) then
      perform private.settle_contract_withdrawal(v_seat);
    else
      perform private.settle_seat(v_seat.id, case when old.user_id = auth.uid() then 'left' else 'removed' end, auth.uid());
    end if;
  end loop;
  return old;
end $$;
create trigger settle before delete on public.subscription_members
  for each row when (not old.is_owner) execute function private.tg_subscription_members__settle();

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

select private.send_changes('member_payments');

revoke all on private.seats, public.member_payments from public, anon, authenticated, service_role;
grant select on public.member_payments to authenticated, service_role;
