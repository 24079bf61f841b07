-- What the browse screen offers before a plan is chosen (BROWSE-01): how many active plans there are by category and
-- provider, and how many of those still have a place. Counts only what the caller may see.
create function public.count_available_plans()
returns table (category text, provider text, plans bigint, open bigint)
language sql stable set search_path = '' as $$
  select category, provider, count(*), count(*) filter (where current_members < owner_max_members)
  from public.shared_subscriptions
  where status = 'active'
  group by category, provider
$$;

revoke execute on function public.count_available_plans() from public, anon, service_role;
grant execute on function public.count_available_plans() to authenticated;
