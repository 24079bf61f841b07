-- A person confirms their age before their first plan, and before their first place that is paid through the site: contracts need full age
-- in most member states. The site stores when they confirmed it, and no date of birth (user_details.of_age_at).

-- The least age in years.
create function private.least_age() returns integer
language sql immutable return 18;

-- Records that the acting user says that they are old enough; the first time counts.
create function private.confirm_age() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  perform private.refuse_tokens(), private.ensure_profile(v_user);
  insert into private.user_details as d (user_id, of_age_at) values (v_user, private.now())
  on conflict (user_id) do update set of_age_at = excluded.of_age_at where d.of_age_at is null;
end $$;
select private.publish('confirm_age', 'authenticated');

-- Returns whether the acting user still has to confirm their age. The server itself does not, and nobody does on a site that does not ask.
create function private.asks_age() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return auth.uid() is not null and (select ask_age from public.app_settings)
    and not exists (select from private.user_details where user_id = auth.uid() and of_age_at is not null);
end $$;
select private.publish('asks_age', 'authenticated');

-- Refuses the acting user until they have confirmed their age.
create function private.require_age() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.asks_age() then
    perform private.refuse('age_not_confirmed', private.least_age()::text);
  end if;
end $$;
