-- Account logins that an earlier version stored in clear, until the function `vault` has sealed them, seconds after the upgrade.
-- Nothing writes here, so that it stays empty; a later release drops it.
create table private.clear_logins (
  subscription_id text primary key references public.shared_subscriptions (id) on delete cascade,
  login_name text not null,
  updated_at timestamptz not null
);
alter table private.clear_logins enable row level security;

-- What the function `vault` needs to seal some of them; one that cannot be sealed must not keep others waiting.
create function private.take_clear_logins() returns jsonb
language sql volatile security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('plan', c.subscription_id, 'login', c.login_name,
    'version', private.next_vault_version(c.subscription_id), 'key', private.vault_key_of(null, c.subscription_id))), '[]')
  from (select * from private.clear_logins order by random() limit 100) as c
$$;
select private.publish('take_clear_logins', 'service_role');

-- Stores one of them sealed, as of the time its owner gave it, and removes it here.
create function private.seal_clear_login(p_subscription_id text, p_version integer, p_sealed text, p_key jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_since timestamptz;
begin
  perform private.act_for((select owner_id from public.shared_subscriptions where id = p_subscription_id));
  perform private.lock_own_plan_vault(p_subscription_id);
  delete from private.clear_logins where subscription_id = p_subscription_id returning updated_at into v_since;
  if v_since is null or p_version is distinct from private.next_vault_version(p_subscription_id) then
    raise exception 'Something else changed at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  if p_key is not null then
    perform private.keep_vault_key(p_key, p_subscription_id);
  end if;
  insert into private.vault_entries (subscription_id, version, sealed, author_id, created_at, part)
  values (p_subscription_id, p_version, p_sealed, auth.uid(), v_since, 'login');
end $$;
select private.publish('seal_clear_login', 'service_role');

create function private.call_for_clear_logins() returns void
language sql volatile security definer set search_path = '' as $$
  select private.call_function('vault/seal-logins') where exists (select from private.clear_logins)
$$;
