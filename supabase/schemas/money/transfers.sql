-- All movements of money, for the responsible staff: amounts, accounts, reasons and actors.

-- Transfers that match every non-null filter, newest first, or sorted (private.page_of); a page continues after the given transfer
-- (p_before, p_before_id). The transfers of a person are those of their wallet and of the seats they pay for. p_limit is at most
-- 1,000.
create function private.list_transfers(
  p_person uuid default null, p_subscription_id text default null, p_kind text default null,
  p_from timestamptz default null, p_until timestamptz default null,
  p_before timestamptz default null, p_before_id bigint default null, p_limit integer default 50,
  p_sort text default null, p_after jsonb default null
) returns table (
  id bigint, created_at timestamptz, kind text, amount numeric, from_kind text, to_kind text,
  person_id uuid, person_name text, subscription_id text, plan_name text, description text, moved_by text
)
language plpgsql stable security definer set search_path = '' as $$
declare
  -- The filter and the page share one upper bound, so that the index scan starts at the page.
  v_goes_on boolean := coalesce(p_before < p_until, p_before is not null);
  v_before timestamptz := case when v_goes_on then p_before else coalesce(p_until, 'infinity') end;
  v_before_id bigint := case when v_goes_on then p_before_id else 0 end;
begin
  perform private.require_treasurer();
  -- The statement has only the filters in use, because a statement with all of them could use no index.
  return query execute private.page_of(format($query$
    select page.id, page.created_at, page.kind, page.amount, source.kind as from_kind, target.kind as to_kind, page.person_id,
      person.display_name as person_name, page.subscription_id, plan.provider || ' ' || plan.name as plan_name,
      page.description, staff.display_name
    from (
      select t.* from private.ledger_transfers as t
      where (t.created_at, t.id) < ($5, $6) and t.created_at >= $4 %s %s %s %s
    ) as page join private.ledger_accounts as source on source.id = page.from_account
    join private.ledger_accounts as target on target.id = page.to_account
    left join private.user_profiles as person on person.user_id = page.person_id
    left join private.user_profiles as staff on staff.user_id = page.created_by
    left join public.shared_subscriptions as plan on plan.id = page.subscription_id
  $query$,
    case when p_person is not null then 'and t.person_id = $1' end,
    case when p_subscription_id is not null then 'and t.subscription_id = $2' end,
    case when p_kind is not null then 'and t.kind = $3' end,
    case when p_sort is null then 'order by t.created_at desc, t.id desc limit $7' end),
    'page.created_at desc, page.id desc', p_sort, 'id', p_after, p_limit, 1000)
  using p_person, p_subscription_id, p_kind, coalesce(p_from, '-infinity'), v_before,
    coalesce(v_before_id, 0), least(greatest(p_limit, 1), 1000);
end $$;
select private.publish('list_transfers', 'authenticated');
