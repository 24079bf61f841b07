-- Data of the auth service besides accounts: sessions, mailed tokens, and rate limit counters.
create table if not exists auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  aal text not null default 'aal1',
  amr jsonb not null,
  -- The number of the session's current refresh token; tokens themselves are not stored.
  refresh_counter integer not null default 0,
  refreshed_at timestamptz not null default now(),
  -- The time when the session ends regardless of use; null for never.
  not_after timestamptz,
  user_agent text,
  ip text,
  created_at timestamptz not null default now()
);
-- The times at which the latest refresh tokens were exchanged, as far back as a used token may be used again.
alter table auth.sessions add column if not exists exchanged_at timestamptz[] not null default '{}';
create index if not exists sessions_user_id_idx on auth.sessions (user_id);
alter table auth.sessions enable row level security;

-- A mailed link and its code. Only digests are stored, so nobody can sign in with the contents of this table.
create table if not exists auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  email text not null,
  token_hash text not null unique,
  code_hash text not null,
  drops_password boolean not null default false,
  created_at timestamptz not null default now(),
  unique (user_id, kind)
);
-- Older databases have a constraint that lacks the kind of reauthentication codes.
alter table auth.one_time_tokens drop constraint if exists one_time_tokens_kind_check;
create index if not exists one_time_tokens_email_idx on auth.one_time_tokens (email);
alter table auth.one_time_tokens enable row level security;

-- The PKCE challenge of clients that want a code instead of tokens; only the holder of its verifier can exchange the code.
alter table auth.one_time_tokens add column if not exists code_challenge text;
alter table auth.one_time_tokens add column if not exists code_challenge_method text;

-- Sign-ins in progress: through a provider, with their destination (referrer), or waiting for a client to exchange its code.
-- Only a digest of the code is stored.
drop table if exists auth.oauth_flows;
create table if not exists auth.flow_state (
  id uuid primary key,
  user_id uuid references auth.users (id) on delete cascade,
  auth_code text unique,
  code_challenge text,
  code_challenge_method text,
  provider_type text not null,
  provider_access_token text,
  provider_refresh_token text,
  authentication_method text not null,
  referrer text,
  auth_code_issued_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index if not exists flow_state_created_at_idx on auth.flow_state (created_at);
create index if not exists flow_state_user_id_idx on auth.flow_state (user_id);
alter table auth.flow_state enable row level security;

create schema if not exists platform;

-- The used part of each rate limit, until the limit is reset.
create table if not exists platform.rate_limits (
  key text primary key,
  taken integer not null,
  expires_at timestamptz not null
);
create index if not exists rate_limits_expires_at_idx on platform.rate_limits (expires_at);

-- As on hosted Supabase, a project's own functions may sign a person out.
grant select, delete on auth.sessions, auth.one_time_tokens, auth.flow_state to project_owner;
