set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.list_payout_files(p_limit integer DEFAULT 20, p_offset integer DEFAULT 0)
 RETURNS TABLE(id bigint, payments integer, completed integer, amount numeric, created_at timestamp with time zone, created_by_name text, voided_at timestamp with time zone, voided_by_name text, void_reason text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query
  select f.id, f.payments, (select count(*)::integer from private.payout_file_entries as e
      join public.withdrawal_requests as w on w.id = e.withdrawal_id where e.file_id = f.id and not e.voided and w.status = 'completed'),
    f.amount, f.created_at, author.display_name, f.voided_at, voider.display_name, f.void_reason
  from private.payout_files as f
  left join public.user_profiles as author on author.user_id = f.created_by
  left join public.user_profiles as voider on voider.user_id = f.voided_by
  order by f.id desc limit case when p_limit is not null then least(greatest(p_limit, 1), 100) end offset greatest(p_offset, 0);
end $function$;

CREATE OR REPLACE FUNCTION private.list_plans_for_review(p_status text DEFAULT 'all'::text, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id text DEFAULT ''::text, p_limit integer DEFAULT 20, p_owner uuid DEFAULT NULL::uuid)
 RETURNS TABLE(id text, name text, provider text, category text, status text, price numeric, billing_cycle text, owner_id uuid, created_by text, created_at timestamp with time zone, members_count integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_plan_reviewer();
  return query
    select plan.id, plan.name, plan.provider, plan.category, plan.status, plan.total_price, plan.billing_cycle,
      plan.owner_id, profile.display_name, plan.created_at, plan.current_members
    -- Each status is a separate index range, so that a page reads only the rows it shows.
    from unnest(case p_status when 'all' then array['active', 'pending', 'rejected'] else array[p_status] end) as wanted (status)
    cross join lateral (
      select * from public.shared_subscriptions as one
      where one.status = wanted.status and (p_owner is null or one.owner_id = p_owner) and (one.created_at, one.id) < (p_before, p_before_id)
      order by one.created_at desc, one.id desc
      limit case when p_limit is not null then least(greatest(p_limit, 1), 100) end
    ) as plan
    join public.user_profiles as profile on profile.user_id = plan.owner_id
    order by plan.created_at desc, plan.id desc
    limit case when p_limit is not null then least(greatest(p_limit, 1), 100) end;
end $function$;

CREATE OR REPLACE FUNCTION private.list_staff_log(p_before bigint DEFAULT NULL::bigint, p_limit integer DEFAULT 50, p_person uuid DEFAULT NULL::uuid)
 RETURNS TABLE(line bigint, at timestamp with time zone, actor uuid, actor_name text, action text, subject text, subject_name text, details jsonb, hash text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.proven(private.may('roles.manage')) then
    raise exception 'Only a super-admin reads the log of staff' using errcode = '42501';
  end if;
  -- Built with or without the person, because one statement for both would fit no index.
  return query execute format($query$
    with page as (
      select l.* from %s as l where l.line < $1 order by l.line desc limit $2
    )
    select page.line, page.at, page.actor, actor.display_name, page.action, page.subject,
      coalesce(person.display_name, plan.provider || ' ' || plan.name), page.details, page.hash
    from page left join public.user_profiles as actor on actor.user_id = page.actor
    left join public.user_profiles as person
      on person.user_id = case when page.subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then page.subject::uuid end
    left join public.shared_subscriptions as plan on plan.id = page.subject
    order by page.line desc
  $query$, case when p_person is null then 'private.staff_log' else 'private.log_about($3)' end)
  using coalesce(p_before, 9223372036854775807), case when p_limit is not null then least(greatest(p_limit, 1), 100) end, p_person;
end $function$;

CREATE OR REPLACE FUNCTION private.list_transfers(p_person uuid DEFAULT NULL::uuid, p_subscription_id text DEFAULT NULL::text, p_kind text DEFAULT NULL::text, p_from timestamp with time zone DEFAULT NULL::timestamp with time zone, p_until timestamp with time zone DEFAULT NULL::timestamp with time zone, p_before timestamp with time zone DEFAULT NULL::timestamp with time zone, p_before_id bigint DEFAULT NULL::bigint, p_limit integer DEFAULT 50)
 RETURNS TABLE(id bigint, created_at timestamp with time zone, kind text, amount numeric, from_kind text, to_kind text, person_id uuid, person_name text, subscription_id text, plan_name text, description text, moved_by text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A single bound, so that the index scan starts at the page.
  v_goes_on boolean := coalesce(p_before < p_until, p_before is not null);
  v_before timestamptz := case when v_goes_on then p_before else coalesce(p_until, 'infinity') end;
  v_before_id bigint := case when v_goes_on then p_before_id else 0 end;
begin
  perform private.require_treasurer();
  -- Built from the filters in use, because one statement for all of them would fit no index.
  return query execute format($query$
    with page as (
      select t.* from private.ledger_transfers as t
      where (t.created_at, t.id) < ($5, $6) and t.created_at >= $4 %s %s %s
      order by t.created_at desc, t.id desc limit $7
    )
    select page.id, page.created_at, page.kind, page.amount, source.kind, target.kind, page.person_id, person.display_name,
      page.subscription_id, plan.provider || ' ' || plan.name, page.description, staff.display_name
    from page join private.ledger_accounts as source on source.id = page.from_account
    join private.ledger_accounts as target on target.id = page.to_account
    left join public.user_profiles as person on person.user_id = page.person_id
    left join public.user_profiles as staff on staff.user_id = page.created_by
    left join public.shared_subscriptions as plan on plan.id = page.subscription_id
    order by page.created_at desc, page.id desc
  $query$,
    case when p_person is not null then 'and t.person_id = $1' end,
    case when p_subscription_id is not null then 'and t.subscription_id = $2' end,
    case when p_kind is not null then 'and t.kind = $3' end)
  using p_person, p_subscription_id, p_kind, coalesce(p_from, '-infinity'), v_before,
    coalesce(v_before_id, 0), case when p_limit is not null then least(greatest(p_limit, 1), 1000) end;
end $function$;

CREATE OR REPLACE FUNCTION private.list_users(p_search text DEFAULT ''::text, p_limit integer DEFAULT 25, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, p_role text DEFAULT NULL::text)
 RETURNS TABLE(id uuid, email text, display_name text, avatar_url text, role text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.may('users.view') then
    raise exception 'Only staff sees who has an account' using errcode = '42501';
  end if;
  return query
  select account.id, case when private.may('users.edit') then account.email::text end, account.shown_name, account.avatar_url,
    held.role, account.opened_at
  from (
    select u.id, u.email, profile.avatar_url, coalesce(u.created_at, 'epoch') as opened_at, coalesce(
      profile.display_name, nullif(split_part(u.email, '@', 1), ''), 'Unknown'
    ) as shown_name
    from auth.users as u left join public.user_profiles as profile on profile.user_id = u.id
    where u.deleted_at is null
  ) as account
  left join public.user_roles as held on held.user_id = account.id
  where position(lower(btrim(coalesce(p_search, ''))) in lower(account.shown_name)) > 0
    and (p_role is null or coalesce(held.role, 'none') = p_role)
    and (account.opened_at, account.id) < (p_before, p_before_id)
  order by account.opened_at desc, account.id desc
  limit case when p_limit is not null then least(greatest(p_limit, 1), 100) end;
end $function$;

CREATE OR REPLACE FUNCTION private.list_withdrawals(p_limit integer DEFAULT 50, p_offset integer DEFAULT 0, p_status text DEFAULT NULL::text, p_person uuid DEFAULT NULL::uuid)
 RETURNS TABLE(id uuid, user_id uuid, display_name text, full_name text, avatar_url text, amount numeric, status text, requested_at timestamp with time zone, processed_at timestamp with time zone, completed_at timestamp with time zone, rejection_reason text, stripe_transfer_id text, bank_account_last4 text, processed_by uuid, processed_by_name text, completed_by uuid, completed_by_name text, has_account boolean, payout_file_id bigint, returned_at timestamp with time zone, return_reason text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query
  select w.id, w.user_id, p.display_name, p.full_name, p.avatar_url, w.amount, w.status, w.requested_at, w.processed_at,
    w.completed_at, w.rejection_reason, w.stripe_transfer_id, w.bank_account_last4, w.processed_by, processed.display_name,
    w.completed_by, completed.display_name, w.bank_account_id is not null, private.payout_file_of(w.id), w.returned_at,
    w.return_reason
  from public.withdrawal_requests as w join public.user_profiles as p on p.user_id = w.user_id
  left join public.user_profiles as processed on processed.user_id = w.processed_by
  left join public.user_profiles as completed on completed.user_id = w.completed_by
  where (p_status is null or w.status = p_status) and (p_person is null or w.user_id = p_person)
  order by w.requested_at desc, w.id desc
  limit case when p_limit is not null then least(greatest(p_limit, 1), 100) end offset greatest(p_offset, 0);
end $function$;
