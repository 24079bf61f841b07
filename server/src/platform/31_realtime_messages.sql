-- As on hosted Supabase, a project allows broadcasts by policies on this table: who receives (select) and who sends (insert) on a
-- private channel, named by realtime.topic(). Nothing is stored in it.
create table if not exists realtime.messages (
  id uuid not null default gen_random_uuid(),
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  primary key (id, inserted_at)
);
-- A new owner needs the right to create tables in the schema while the ownership changes.
grant create on schema realtime to project_owner;
alter table realtime.messages owner to project_owner;
revoke create on schema realtime from project_owner;
alter table realtime.messages enable row level security;

create or replace function realtime.topic() returns text language sql stable set search_path = '' as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;
revoke execute on function realtime.topic() from public;

grant usage on schema realtime to anon, authenticated, service_role, project_owner;
grant select, insert on realtime.messages to anon, authenticated, service_role;
grant execute on function realtime.topic() to anon, authenticated, service_role, project_owner;
