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

-- Refuses the acting user until they have confirmed their age, if the site asks. The server itself is not asked.
create function private.require_age() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is not null and (select ask_age from public.app_settings)
    and not exists (select from private.user_details where user_id = auth.uid() and of_age_at is not null) then
    perform private.refuse('age_not_confirmed', private.least_age()::text);
  end if;
end $$;
