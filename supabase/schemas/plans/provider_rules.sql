-- With whom plans may be shared: what a provider's own terms allow (`sharing.with` in the catalogue), and the operator's rules about it.

-- A rule of the operator for one provider. `listed`: its plans may be listed in the market. `private`: people come by invitation or link only.
-- `off`: nobody shares another plan, and plans take no new members, but existing members keep their places. A provider without a row has
-- the rule that the settings give to what its terms allow.
create table public.provider_rules (
  provider text primary key check (char_length(provider) between 1 and 200),
  -- The reason, which everybody can read.
  reason text not null check (char_length(btrim(reason)) between 1 and 300),
  -- What the rule is based on, for the owners whose plans it concerns (staff/decisions.sql): these terms, a law or the provider's terms, and
  -- which section of them.
  ground text not null check (ground in ('terms', 'law', 'provider')),
  clause text not null check (char_length(btrim(clause)) between 1 and 200),
  -- When the provider got its first rule; the staff log has all changes.
  set_at timestamptz not null default clock_timestamp(),
  rule text not null check (rule in ('listed', 'private', 'off'))
);
alter table public.provider_rules enable row level security;
create policy "People see the rules" on public.provider_rules
  for select to authenticated using (true);
create policy "Whoever takes plans down sets a rule" on public.provider_rules
  for insert to authenticated with check ((select private.proven(private.may('subscriptions.delete'))));
create policy "Whoever takes plans down changes a rule" on public.provider_rules
  for update to authenticated using ((select private.proven(private.may('subscriptions.delete'))))
  with check ((select private.proven(private.may('subscriptions.delete'))));
create policy "Whoever takes plans down removes a rule" on public.provider_rules
  for delete to authenticated using ((select private.proven(private.may('subscriptions.delete'))));

-- Returns the rule that the settings give to what a provider's terms allow; null stands for unknown.
create function private.rule_for(p_with text) returns text
language sql stable security definer set search_path = '' as $$
  select case p_with when 'anyone' then rule_anyone when 'people-you-know' then rule_people_you_know when 'household' then rule_household
    else rule_unknown end from public.app_settings
$$;

-- Returns every provider whose plans may not be listed, with its rule and either the operator's reason or what its terms allow.
create function private.restricted_providers() returns table (provider text, rule text, reason text, allows text)
language sql stable security definer set search_path = '' as $$
  select r.provider, r.rule, r.reason, null from public.provider_rules as r where r.rule <> 'listed'
  union all
  select sold.name, private.rule_for(sold.allows), null, coalesce(sold.allows, 'unknown') from (
    select one ->> 'name' as name, one -> 'sharing' ->> 'with' as allows from jsonb_array_elements((
      -- The catalogue is read only if there is a setting that needs it.
      select private.catalogue() from public.app_settings
      where 'listed' <> any (array[rule_anyone, rule_people_you_know, rule_household, rule_unknown])
    )) as one
  ) as sold
  where private.rule_for(sold.allows) <> 'listed' and not exists (select from public.provider_rules as r where r.provider = sold.name)
$$;
select private.publish('restricted_providers', 'anon', 'authenticated');

create function private.rule_of(p_provider text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((select rule from private.restricted_providers() where provider = p_provider), 'listed')
$$;

create function private.providers_off() returns setof text
language sql stable security definer set search_path = '' as $$
  select provider from private.restricted_providers() where rule = 'off'
$$;

-- Refuses new plans, invitations and requests for a provider that is off.
create function private.require_offered(p_provider text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.rule_of(p_provider) = 'off' then
    perform private.refuse('provider_unavailable', p_provider);
  end if;
end $$;

-- Refuses to list a plan whose provider's plans may not be listed.
create function private.require_listable(p_provider text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.rule_of(p_provider) <> 'listed' then
    perform private.refuse('provider_not_listed', p_provider);
  end if;
end $$;

-- Records the decision about a plan that follows from the rule for its provider: the operator's reason, or else what the provider's terms
-- allow, which section 2 of our terms binds owners to.
create function private.decide_by_rule(p_plan public.shared_subscriptions, p_measure text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_rule public.provider_rules;
  v_reasons private.reasons;
begin
  select * into v_rule from public.provider_rules where provider = p_plan.provider;
  v_reasons := case when v_rule.provider is not null then (v_rule.ground, v_rule.clause, 'own', v_rule.reason)
    else ('terms', '2', (select allows from private.restricted_providers() where provider = p_plan.provider), '') end;
  perform private.record_decision(p_plan.owner_id, p_measure, p_plan.id, p_plan.provider || ' ' || p_plan.name, v_reasons);
end $$;

-- Makes listed plans private whose provider's rule says so, and tells the owners of these plans, and of those that take nobody new, the
-- reasons. What strangers had begun there ends: open requests and places in line. Members keep their places. Nothing is listed again by
-- itself.
create function private.apply_provider_rules() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plans text[] := array(
    select p.id from public.shared_subscriptions as p
    where not p.is_private and p.provider in (select r.provider from private.restricted_providers() as r where r.rule = 'private')
    order by p.id for no key update
  );
  v_ended record;
begin
  perform private.decide_by_rule(p, 'provider-closed') from public.shared_subscriptions as p
  where p.status = 'active' and p.catalogue_plan_id <> 'own' and p.provider in (select private.providers_off()) and not exists (
    select from private.decisions as d where d.subject_id = p.id and d.measure = 'provider-closed' and d.undone_at is null);
  update private.decisions as d set undone_at = private.now() from public.shared_subscriptions as p
  where p.id = d.subject_id and d.measure = 'provider-closed' and d.undone_at is null and p.provider not in (select private.providers_off());
  if v_plans = '{}' then return; end if;
  update public.shared_subscriptions set is_private = true where id = any (v_plans);
  perform private.decide_by_rule(p, 'plan-made-private') from public.shared_subscriptions as p where p.id = any (v_plans);
  for v_ended in
    with requests as (
      update public.subscription_requests set status = 'rejected'
      where subscription_id = any (v_plans) and status = 'pending' and not expired returning user_id, subscription_id
    ), line as (
      delete from public.waiting_list where subscription_id = any (v_plans) returning user_id, subscription_id
    )
    select ended.user_id, p.provider || ' ' || p.name as plan
    from (select * from requests union select * from line) as ended join public.shared_subscriptions as p on p.id = ended.subscription_id
  loop
    perform private.mail_notification(private.notify(v_ended.user_id, 'info', null, 'plan-not-listed', jsonb_build_object('plan', v_ended.plan)),
      '{}', '/available-subscriptions');
  end loop;
end $$;

create function private.tg_public__apply_provider_rules() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.apply_provider_rules();
  return null;
end $$;
create trigger apply_provider_rules after insert or update or delete on public.provider_rules
  for each statement execute function private.tg_public__apply_provider_rules();
create trigger apply_provider_rules after update of rule_anyone, rule_people_you_know, rule_household, rule_unknown on public.app_settings
  for each statement execute function private.tg_public__apply_provider_rules();
create trigger apply_provider_rules after insert or update on public.service_provider_data
  for each statement execute function private.tg_public__apply_provider_rules();

select private.send_changes('provider_rules');

revoke all on public.provider_rules from public, anon, authenticated;
grant select, insert (provider, rule, reason, ground, clause), update (provider, rule, reason, ground, clause), delete on public.provider_rules to authenticated;
grant all on public.provider_rules to service_role;

create trigger refuse before insert or update on public.provider_rules
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
