-- Instant plans let a person in as soon as they ask, if they can pay the first period (by a saved method or with coins), have at least
-- the level of standing that the owner has chosen, and nothing below speaks against it. Any other request waits for the owner.

-- Returns why a requester does not get a place instantly, or null. A place stays reserved while its first payment is retried. A
-- person can therefore have only one such payment, and gets no place instantly if a seat of theirs recently ended unpaid or because
-- a bank took the payment back.
create function private.instant_refusal(p_plan public.shared_subscriptions, p_user_id uuid, p_coins_first boolean) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_levels constant text[] := '{new,proven,trusted}';
begin
  return case
    when p_plan.instant_from is null then 'approval'
    when array_position(v_levels, private.standing_level(p_user_id)) < array_position(v_levels, p_plan.instant_from) then 'level'
    when exists (select from public.member_payments where member_id = p_user_id and settlement = 'potluck'
      and private.awaits_money(status)) then 'open-payment'
    when private.has_open_dispute(p_user_id) or exists (select from private.seats where member_id = p_user_id
      and end_reason in ('unpaid', 'disputed') and ended_at > private.now() - private.mending_pause()) then 'unpaid'
    when not private.can_pay_first(p_plan, p_user_id, p_coins_first) then 'card'
  end;
end $$;

-- Returns whether the first payment can be made: with a method that has not expired, or with enough coins.
create function private.can_pay_first(p_plan public.shared_subscriptions, p_user_id uuid, p_coins_first boolean) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.payment_provider() is not null and (
    coalesce((
      select c.kind <> 'card' or make_date(c.exp_year, c.exp_month, 1) + interval '1 month' > private.now()
      from public.payment_methods as c join private.payment_provider as p using (provider)
      where c.user_id = p_user_id order by c.chosen_at desc limit 1
    ), false)
    or (p_coins_first and private.available_coins(p_user_id) >= (
      select price.share + price.fee
      from private.period_price(p_plan.settlement, p_plan.billing_cycle, p_plan.member_price, p_plan.fee_rate, 1) as price
    ))
  );
end $$;

-- Returns the reason why a request by the acting user would not be approved instantly, if there is one, together with their level
-- of standing, since too low a level can be that reason.
create function private.check_instant(p_subscription_id text, p_coins_first boolean default false) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions as p where p.id = p_subscription_id and private.may_find(p);
  if not found then
    perform private.refuse('plan_not_found');
  end if;
  return jsonb_build_object('level', private.standing_level(v_user),
    'refusal', private.instant_refusal(v_plan, v_user, coalesce(p_coins_first, false)));
end $$;
select private.publish('check_instant', 'authenticated');
