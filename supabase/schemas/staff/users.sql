-- The list of all accounts with their roles and profiles, for staff. Because of it, no browser needs a key that can read auth.users.

-- Returns the accounts whose name contains p_search and that have this role ('none' for no role), newest first, or sorted
-- (private.page_of). A further page starts after the account (p_before, p_before_id). The name of an account without a profile is derived
-- from its email address. Email addresses are for admins only. p_limit is between 1 and 100.
create function private.list_users(
  p_search text default '', p_limit integer default 25,
  p_before timestamptz default 'infinity', p_before_id uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  p_role text default null, p_sort text default null, p_after jsonb default null
)
returns table (id uuid, email text, display_name text, avatar_url text, role text, created_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.may('users.view') then
    perform private.refuse('only_staff_sees_accounts');
  end if;
  return query execute private.page_of($query$
  select account.id, case when $5 then account.email::text end as email, account.shown_name as display_name, account.avatar_url,
    held.role, account.opened_at as created_at
  from (
    select u.id, u.email, profile.avatar_url, coalesce(u.created_at, 'epoch') as opened_at,
      coalesce(profile.display_name, private.name_of_address(u.email)) as shown_name
    from auth.users as u left join private.user_profiles as profile on profile.user_id = u.id
    where u.deleted_at is null
  ) as account
  left join public.user_roles as held on held.user_id = account.id
  where position(lower(btrim(coalesce($1, ''))) in lower(account.shown_name)) > 0
    and ($2 is null or coalesce(held.role, 'none') = $2)
    and (account.opened_at, account.id) < ($3, $4)
  $query$, 'account.opened_at desc, account.id desc', p_sort, 'id', p_after, p_limit)
  using p_search, p_role, p_before, p_before_id, private.may('users.edit');
end $$;
select private.publish('list_users', 'authenticated');
