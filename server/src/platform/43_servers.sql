-- The servers on this database, which write their state here once a minute, for pages of the project.
create table if not exists platform.servers (
  id uuid primary key,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- Space on the disk of the data folder; null if there is no such folder.
  free_bytes bigint,
  -- When the newest daily backup was written; null if there is none.
  backed_up_at timestamptz,
  -- The last time when the clock was set, or the machine slept, and by how much.
  clock_jumped_at timestamptz,
  clock_jump_seconds integer
);
grant usage on schema platform to project_owner;
grant select on platform.servers to project_owner;
