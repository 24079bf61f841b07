-- Second factors, their challenges, and recovery codes. Secrets are encrypted with a key that only the server has; codes are stored
-- as digests.
create table if not exists auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text not null default '',
  factor_type text not null check (factor_type in ('totp', 'recovery_code')),
  status text not null check (status in ('unverified', 'verified')),
  secret text,
  -- The time step of the last accepted code. Codes of this step and of earlier ones cannot be used again.
  last_used_step bigint,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, friendly_name)
);
alter table auth.mfa_factors enable row level security;

create table if not exists auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  ip_address text not null,
  verified_at timestamptz,
  created_at timestamptz not null default now()
);
create index if not exists mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);
alter table auth.mfa_challenges enable row level security;

create table if not exists auth.mfa_recovery_codes (
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  code_hash text not null,
  consumed_at timestamptz,
  primary key (factor_id, code_hash)
);
alter table auth.mfa_recovery_codes enable row level security;

-- The factor that raised a session, and the number of the session's first refresh token since then; earlier tokens are invalid.
alter table auth.sessions add column if not exists factor_id uuid references auth.mfa_factors (id) on delete set null;
alter table auth.sessions add column if not exists refresh_floor integer not null default 0;
create index if not exists sessions_factor_id_idx on auth.sessions (factor_id);

grant select, delete, trigger on auth.mfa_factors to project_owner;
