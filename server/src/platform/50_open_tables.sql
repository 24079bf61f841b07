-- For service_role and project_owner without BYPASSRLS, creates a policy on each table with row-level security to which the role has a
-- right but which it does not own, and drops policies that are no longer needed. The server calls this function after the migrations of
-- each start, so that new tables and rights are covered.
create or replace function platform.open_tables() returns void language plpgsql set search_path = '' as $$
declare v record;
begin
  for v in
    with needed as (
      select c.oid as relation, r.rolname || ' bypasses row-level security' as policy, r.rolname as role
      from pg_catalog.pg_class as c, pg_catalog.pg_roles as r
      where r.rolname in ('service_role', 'project_owner') and not r.rolbypassrls
        and c.relkind in ('r', 'p') and c.relrowsecurity
        and (has_any_column_privilege(r.oid, c.oid, 'select, insert, update') or has_table_privilege(r.oid, c.oid, 'delete'))
        and (c.relforcerowsecurity or not pg_has_role(r.oid, c.relowner, 'usage'))
        and pg_has_role(c.relowner, 'usage')
    ), present as (
      select polrelid as relation, polname as policy from pg_catalog.pg_policy where polname like '% bypasses row-level security'
    )
    select relation::pg_catalog.regclass as relation, policy, n.role, p.relation is null as is_missing
    from needed as n full join present as p using (relation, policy)
    where n.relation is null or p.relation is null
  loop
    if v.is_missing then
      execute format('create policy %I on %s to %I using (true) with check (true)', v.policy, v.relation, v.role);
    else
      execute format('drop policy %I on %s', v.policy, v.relation);
    end if;
  end loop;
end $$;
revoke execute on function platform.open_tables() from public;
