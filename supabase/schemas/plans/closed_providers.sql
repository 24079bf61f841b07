-- Providers that the operator has switched off. Their plans take no new members, and nobody can share another plan of theirs; existing
-- members keep their places.
create table public.closed_providers (
  provider text primary key check (char_length(provider) between 1 and 200),
  -- The reason, which every signed-in person can read.
  reason text not null check (char_length(btrim(reason)) between 1 and 300),
  closed_at timestamptz not null default clock_timestamp()
);
alter table public.closed_providers enable row level security;
create policy "People see which providers are switched off" on public.closed_providers
  for select to authenticated using (true);
create policy "Whoever takes plans down switches a provider off" on public.closed_providers
  for insert to authenticated with check ((select private.proven(private.may('subscriptions.delete'))));
create policy "Whoever takes plans down switches it on again" on public.closed_providers
  for delete to authenticated using ((select private.proven(private.may('subscriptions.delete'))));

-- Refuses new plans, invitations and requests for a provider that is switched off.
create function private.require_offered(p_provider text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from public.closed_providers where provider = p_provider) then
    perform private.refuse('provider_unavailable', p_provider);
  end if;
end $$;

select private.send_changes('closed_providers');

revoke all on public.closed_providers from public, anon, authenticated;
grant select, insert (provider, reason), delete on public.closed_providers to authenticated;
grant all on public.closed_providers to service_role;

create trigger refuse before insert or update on public.closed_providers
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
