-- A place an owner keeps for somebody for 7 days (PLAN-14). The link in the mail carries a token of which only the
-- hash is stored.
create table public.subscription_invitations (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  email text not null check (email = lower(btrim(email)) and email like '%_@_%' and char_length(email) <= 254),
  invited_by uuid not null references public.user_profiles (user_id) on delete cascade,
  token_hash text not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  withdrawn_at timestamptz
);
create unique index subscription_invitations_open_key on public.subscription_invitations (subscription_id, email)
  where accepted_at is null and withdrawn_at is null;
create index subscription_invitations_plan_idx on public.subscription_invitations (subscription_id);
create index subscription_invitations_inviter_idx on public.subscription_invitations (invited_by);
alter table public.subscription_invitations enable row level security;
create policy "Owners see whom they invited" on public.subscription_invitations
  for select to authenticated using (private.is_plan_owner(subscription_id));

revoke all on public.subscription_invitations from public, anon, authenticated;
grant select (id, subscription_id, email, invited_by, created_at, expires_at, accepted_at, withdrawn_at)
  on public.subscription_invitations to authenticated;
grant all on public.subscription_invitations to service_role;
