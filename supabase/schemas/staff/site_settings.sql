-- The time before a request to turn off the second admin takes effect. Within it, another super-admin can cancel a thief's request.
create function private.two_admins_notice() returns interval
language sql immutable return interval '24 hours';

-- The settings of the site, which staff choose; one row.
create table public.app_settings (
  id boolean primary key default true check (id),
  -- Whether staff must approve a new plan before others can see it.
  review_new_plans boolean not null default false,
  -- Who may create an account: everyone, or only people who are invited to a plan.
  sign_ups text not null default 'everyone' check (sign_ups in ('everyone', 'invited')),
  -- Whether people must confirm that they are of age before they share or take a place that is paid through the site (age.sql).
  ask_age boolean not null default true,
  -- The rule for plans whose provider's terms allow sharing with anyone, with people the owner knows or within a household, or do not say
  -- with whom (plans/provider_rules.sql).
  rule_anyone text not null default 'listed' check (rule_anyone in ('listed', 'private', 'off')),
  rule_people_you_know text not null default 'listed' check (rule_people_you_know in ('listed', 'private', 'off')),
  rule_household text not null default 'listed' check (rule_household in ('listed', 'private', 'off')),
  rule_unknown text not null default 'listed' check (rule_unknown in ('listed', 'private', 'off')),
  -- Whether people, with or without an account, can report plans and people (cases.sql). A site for friends needs no such reports.
  takes_reports boolean not null default true,
  -- The maximum number of coins that one adjustment may add to a wallet or take from it.
  adjustment_ceiling numeric(12, 2) not null default 100.00
    check (adjustment_ceiling between 0.01 and private.most_coins()),
  -- Whether staff need a session with a second factor or a passkey to use their role.
  require_second_factor boolean not null default false,
  -- The convenience fee of plans shared from now on; existing plans keep their fee.
  fee_rate numeric not null default private.first_fee_rate(),
  -- Whether people who pay by bank debit get their place immediately, although a debit takes days and the site bears the risk of failure.
  admit_on_debit boolean not null default false,
  -- The part of a payment through the site that is the site's own supply, according to the operator's adviser: the fee alone or the whole
  -- payment; null until staff have answered (supply.sql).
  payment_supply text check (payment_supply in ('fee', 'whole')),
  -- The time until which a withdrawal takes two admins, one who approves it and one who completes it; null if there is no such end. Only
  -- private.set_two_admins() writes this column.
  two_admins_until timestamptz,
  updated_at timestamptz not null default now(),
  updated_by uuid references private.user_profiles (user_id) on delete set null
);
create index app_settings_updated_by_idx on public.app_settings (updated_by);
insert into public.app_settings default values;
alter table public.app_settings enable row level security;

create policy "Whoever edits them or people reads the settings" on public.app_settings
  for select to authenticated using ((select private.may('settings.edit')) or (select private.may('users.edit')));
create policy "Whoever has the permission edits the settings" on public.app_settings
  for update to authenticated
  using ((select private.proven(private.may('settings.edit')))) with check ((select private.proven(private.may('settings.edit'))));

-- Returns the fee of a plan that is shared now. Everybody may call this.
create function private.fee_rate() returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select fee_rate from public.app_settings);
end $$;
select private.publish('fee_rate', 'anon', 'authenticated');

-- Records who edited the settings, checks that the fee is in range, and lets only people who manage roles change settings that bind other
-- staff. Requiring a second factor needs one in the current session, so that people cannot lock themselves out.
create function private.tg_app_settings__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if v_user is not null and new.adjustment_ceiling <> old.adjustment_ceiling and not private.may('roles.manage') then
    perform private.refuse('only_super_admin_changes_maximum');
  end if;
  if v_user is not null and new.require_second_factor <> old.require_second_factor then
    if not private.may('roles.manage') then
      perform private.refuse('only_super_admin_changes_setting');
    elsif not private.shows_second_factor() then
      perform private.refuse('strong_sign_in_of_own_required');
    end if;
  end if;
  if (new.fee_rate between 0 and private.most_fee_rate() and new.fee_rate % private.fee_rate_step() = 0) is not true then
    perform private.refuse('fee_out_of_range', trim_scale(private.most_fee_rate() * 100)::text, trim_scale(private.fee_rate_step() * 100)::text);
  end if;
  new.updated_at := now();
  new.updated_by := v_user;
  return new;
end $$;
create trigger guard before update on public.app_settings
  for each row execute function private.tg_app_settings__guard();

-- Returns whether a withdrawal takes two admins now. The answer at the time of completion counts, not the one at the time of approval. The
-- server itself may complete any withdrawal.
create function private.takes_two_admins() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return auth.uid() is not null
    and not exists (select from public.app_settings where two_admins_until <= private.now() - private.unnoticed_gap());
end $$;
select private.publish('takes_two_admins', 'authenticated');

-- Sets whether withdrawals take two admins. Turning this off needs a recent proof of identity and takes effect after
-- private.two_admins_notice(); all super-admins get a mail immediately, and each of them can cancel it. Turning it on takes effect
-- immediately, and cancels a waiting request to turn it off.
create function private.set_two_admins(p_on boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_name text := (select display_name from private.user_profiles where user_id = v_user);
  v_until timestamptz := private.now() + private.two_admins_notice();
begin
  if not private.proven(private.may('settings.edit') and private.may('roles.manage')) then
    perform private.refuse('only_super_admin_changes_setting');
  elsif p_on is not false then
    update public.app_settings set two_admins_until = null where two_admins_until is not null;
    if not found then return; end if;
    perform private.notify(id, 'info', null, 'payout-by-two-admins', jsonb_build_object('person', v_name))
    from private.people_who_may('roles.manage') as staff (id);
    return;
  end if;
  perform private.require_recent_proof();
  update public.app_settings set two_admins_until = v_until where two_admins_until is null;
  if not found then return; end if;
  perform private.mail_notification(private.notify(id, 'warning', null, 'payout-by-one-admin',
    jsonb_build_object('person', v_name, 'until', v_until)), '{}', '/admin?tab=settings')
  from private.people_who_may('roles.manage') as staff (id);
end $$;
select private.publish('set_two_admins', 'authenticated');

revoke all on public.app_settings from public, anon, authenticated, service_role;
grant select, update (review_new_plans, sign_ups, takes_reports, ask_age, rule_anyone, rule_people_you_know, rule_household, rule_unknown, adjustment_ceiling,
    require_second_factor, fee_rate, admit_on_debit, payment_supply)
  on public.app_settings to authenticated, service_role;

create trigger refuse before insert or update on public.app_settings
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
