-- The view that staff have of shared plans, and their decisions about plans. Staff get no access to a plan itself: its members, login and
-- chats stay private.

create function private.require_plan_reviewer() returns uuid
language plpgsql stable set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    perform private.refuse('only_staff_reviews_plans');
  end if;
  return v_user;
end $$;

-- Returns at most 100 plans of one status (or of every status, with 'all'), optionally only those of one owner; newest first, or sorted
-- (private.page_of). A further page starts after the time and id of the last plan. Prices are in EUR for the whole plan and one billing
-- cycle; members include the owner.
create function private.list_plans_for_review(
  p_status text default 'all',
  p_before timestamptz default 'infinity',
  p_before_id text default '',
  p_limit integer default 20,
  p_owner uuid default null,
  p_sort text default null,
  p_after jsonb default null
)
returns table (
  id text, name text, provider text, category text, status text, price numeric, billing_cycle text,
  owner_id uuid, created_by text, created_at timestamptz, members_count integer
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_plan_reviewer();
  return query execute private.page_of(format($query$
    select plan.id, plan.name, plan.provider, plan.category, plan.status, plan.total_price as price, plan.billing_cycle,
      plan.owner_id, profile.display_name as created_by, plan.created_at, plan.current_members as members_count
    -- Each status is a separate index range, so that a page reads only the rows it shows.
    from unnest(case $1 when 'all' then array['active', 'pending', 'rejected'] else array[$1] end) as wanted (status)
    cross join lateral (
      select * from public.shared_subscriptions as one
      where one.status = wanted.status and ($2 is null or one.owner_id = $2) and (one.created_at, one.id) < ($3, $4) %s
    ) as plan
    join private.user_profiles as profile on profile.user_id = plan.owner_id
  $query$, case when p_sort is null then 'order by one.created_at desc, one.id desc limit $5' end),
    'plan.created_at desc, plan.id desc', p_sort, 'id', p_after, p_limit)
  using p_status, p_owner, p_before, p_before_id, least(greatest(p_limit, 1), 100);
end $$;
select private.publish('list_plans_for_review', 'authenticated');

-- Decides on a plan and notifies its owner: 'approve' and 'reject' decide on a waiting plan, 'hide' on one that everybody can find, and
-- 'restore' takes back a rejection. A rejection needs its reasons (decisions.sql). Returns the plan's new status. Staff cannot review their
-- own plans.
create function private.review_plan(p_subscription_id text, p_decision text, p_reasons jsonb default null) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_plan_reviewer();
  v_plan public.shared_subscriptions;
  v_name text;
  v_from text;
  v_to text;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found then
    perform private.refuse('plan_not_found');
  elsif v_plan.owner_id = v_user then
    perform private.refuse('own_plan_reviewed');
  end if;
  select step.was, step.becomes into v_from, v_to
  from (values ('approve', 'pending', 'active'), ('reject', 'pending', 'rejected'), ('hide', 'active', 'rejected'), ('restore', 'rejected', 'active'))
    as step (decision, was, becomes)
  where step.decision = p_decision;
  if not found then
    perform private.refuse('review_decision_unknown');
  elsif v_plan.status <> v_from then
    perform private.refuse('plan_already_in_status', v_plan.status);
  end if;

  v_name := v_plan.provider || ' ' || v_plan.name;
  if v_to = 'rejected' then
    perform private.record_decision(v_plan.owner_id, case v_from when 'pending' then 'plan-rejected' else 'plan-hidden' end, v_plan.id,
      private.hide_plan(v_plan.id, v_plan.owner_id), private.require_reasons(p_reasons));
  else
    update public.shared_subscriptions set status = v_to where id = v_plan.id;
    perform private.mark_undone(v_plan.owner_id, '{plan-rejected,plan-hidden}', v_plan.id);
    perform private.notify(v_plan.owner_id, 'success', v_plan.id, 'plan-approved', jsonb_build_object('plan', v_name));
  end if;
  return v_to;
end $$;
select private.publish('review_plan', 'authenticated');
