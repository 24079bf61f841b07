set local check_function_bodies = off;

DROP FUNCTION "private"."save_bank_account"(uuid, integer, text, text, jsonb);

DROP FUNCTION "private"."save_vault_entry"(text, integer, text, jsonb);

DROP FUNCTION "public"."save_bank_account"(uuid, integer, text, text, jsonb);

DROP FUNCTION "public"."save_vault_entry"(text, integer, text, jsonb);

ALTER TABLE "private"."payout_file_entries" ADD COLUMN "written" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION private.act_for(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_user_id)::text, true);
end $function$;

CREATE OR REPLACE FUNCTION private.lock_own_plan_vault(p_subscription_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.shared_subscriptions
  where id = p_subscription_id and owner_id = private.require_user() for no key update;
  if not found then
    raise exception 'Only the plan''s owner says how to get in' using errcode = '42501';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.note_payout_file(p_user_id uuid, p_file_id bigint, p_written uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_left uuid[];
begin
  perform private.act_for(p_user_id);
  perform from private.payout_files where id = p_file_id for update;
  update private.payout_file_entries set written = true where file_id = p_file_id and withdrawal_id = any (p_written);
  with gone as (
    update private.payout_file_entries set voided = true where file_id = p_file_id and not written and not voided returning withdrawal_id
  ) select array_agg(withdrawal_id) into v_left from gone;
  if v_left is null then return; end if;
  update private.payout_files set (payments, amount) = (
    select count(*), sum(w.amount) from private.payout_file_entries as e join public.withdrawal_requests as w on w.id = e.withdrawal_id
    where e.file_id = p_file_id and not e.voided) where id = p_file_id;
  perform private.log_staff('left out of a payment file', p_file_id::text, jsonb_build_object('withdrawals', v_left));
end $function$;

CREATE OR REPLACE FUNCTION private.open_payout_file(p_file_id bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_file private.payout_files := private.require_payout_file(p_file_id);
begin
  perform private.require_recent_proof();
  perform private.require_impartial(w.user_id) from private.payout_file_entries as e
  join public.withdrawal_requests as w on w.id = e.withdrawal_id where e.file_id = p_file_id;
  insert into private.vault_openings (kind, secret_id, owner_id, opened_by, purpose)
  select 'bank-account', w.bank_account_id, w.user_id, auth.uid(), format('payment file %s', p_file_id)
  from private.payout_file_entries as e join public.withdrawal_requests as w on w.id = e.withdrawal_id
  where e.file_id = p_file_id and not e.voided and w.bank_account_id is not null;
  perform private.log_staff('payment file opened', p_file_id::text);
  return jsonb_build_object('id', v_file.id, 'opened_by', auth.uid(), 'created_at', v_file.created_at, 'payments', (
    select jsonb_agg(jsonb_build_object('withdrawal_id', w.id, 'amount', w.amount::text,
      'name', (select display_name from public.user_profiles where user_id = w.user_id),
      'owner', jsonb_build_object('kind', 'person', 'id', w.user_id), 'key', private.vault_key_of(w.user_id),
      'account', (select jsonb_build_object('id', a.id, 'version', a.version, 'last4', a.last4, 'sealed', a.sealed)
        from private.bank_accounts as a where a.id = w.bank_account_id)) order by w.requested_at, w.id)
    from private.payout_file_entries as e join public.withdrawal_requests as w on w.id = e.withdrawal_id
    where e.file_id = p_file_id and not e.voided));
end $function$;

CREATE OR REPLACE FUNCTION private.prepare_vault_entry(p_subscription_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_entry private.vault_entries;
begin
  perform private.lock_own_plan_vault(p_subscription_id);
  perform private.require_recent_proof();
  v_entry := private.current_vault_entry(p_subscription_id);
  return jsonb_build_object('author', auth.uid(), 'version', coalesce(v_entry.version, 0) + 1, 'key', private.vault_key_of(null, p_subscription_id),
    'current', case when v_entry.version is not null
      then jsonb_build_object('version', v_entry.version, 'sealed', v_entry.sealed) end);
end $function$;

CREATE OR REPLACE FUNCTION private.save_bank_account(p_user_id uuid, p_id uuid, p_version integer, p_last4 text, p_sealed text, p_key jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.act_for(p_user_id);
  perform private.spend_attempt('bank account');
  perform private.ensure_profile(p_user_id);
  if p_key is not null then
    perform private.keep_vault_key(p_key);
  end if;
  insert into private.bank_accounts (id, user_id, version, last4, sealed)
  values (p_id, p_user_id, p_version, p_last4, p_sealed) on conflict do nothing;
  if not found then
    raise exception 'Something else was stored at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  return private.get_bank_account();
end $function$;

CREATE OR REPLACE FUNCTION private.save_vault_entry(p_author_id uuid, p_subscription_id text, p_version integer, p_sealed text, p_key jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_entry private.vault_entries;
begin
  perform private.act_for(p_author_id);
  perform private.lock_own_plan_vault(p_subscription_id);
  if p_version is distinct from coalesce((private.current_vault_entry(p_subscription_id)).version, 0) + 1 then
    raise exception 'Something else was stored at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  if p_key is not null then
    perform private.keep_vault_key(p_key, p_subscription_id);
  end if;
  perform private.spend_attempt('vault version');
  insert into private.vault_entries (subscription_id, version, sealed, author_id)
  values (p_subscription_id, p_version, p_sealed, auth.uid()) returning * into v_entry;
  perform private.note_stored_access(p_subscription_id);
  perform private.tell_vault_version(v_entry);
  return private.get_vault_entry(p_subscription_id);
end $function$;

CREATE OR REPLACE FUNCTION private.void_payout_file(p_file_id bigint, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_payout_file(p_file_id);
  if coalesce(btrim(p_reason), '') = '' then
    raise exception 'Say why the file is void' using errcode = '23514';
  end if;
  perform from public.withdrawal_requests as w join private.payout_file_entries as e on e.withdrawal_id = w.id
  where e.file_id = p_file_id order by w.id for update of w;
  if exists (select from public.withdrawal_requests as w join private.payout_file_entries as e on e.withdrawal_id = w.id
    where e.file_id = p_file_id and not e.voided and w.status = 'completed') then
    raise exception 'A payment of this file is completed, so the bank has had it' using errcode = '23514';
  end if;
  update private.payout_file_entries set voided = true where file_id = p_file_id;
  update private.payout_files set voided_at = clock_timestamp(), voided_by = auth.uid(), void_reason = btrim(p_reason)
  where id = p_file_id;
  perform private.log_staff('payment file voided', p_file_id::text, jsonb_build_object('reason', btrim(p_reason)));
end $function$;

CREATE OR REPLACE FUNCTION public.note_payout_file(p_user_id uuid, p_file_id bigint, p_written uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.note_payout_file(p_user_id, p_file_id, p_written) $function$;

CREATE OR REPLACE FUNCTION public.save_bank_account(p_user_id uuid, p_id uuid, p_version integer, p_last4 text, p_sealed text, p_key jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.save_bank_account(p_user_id, p_id, p_version, p_last4, p_sealed, p_key) $function$;

CREATE OR REPLACE FUNCTION public.save_vault_entry(p_author_id uuid, p_subscription_id text, p_version integer, p_sealed text, p_key jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.save_vault_entry(p_author_id, p_subscription_id, p_version, p_sealed, p_key) $function$;

REVOKE ALL ON FUNCTION "private"."act_for"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_payout_file"(uuid, bigint, uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."note_payout_file"(uuid, bigint, uuid[]) TO "service_role";

REVOKE ALL ON FUNCTION "private"."save_bank_account"(uuid, uuid, integer, text, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."save_bank_account"(uuid, uuid, integer, text, text, jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "private"."save_vault_entry"(uuid, text, integer, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."save_vault_entry"(uuid, text, integer, text, jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "public"."note_payout_file"(uuid, bigint, uuid[]) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."note_payout_file"(uuid, bigint, uuid[]) TO "service_role";

REVOKE ALL ON FUNCTION "public"."save_bank_account"(uuid, uuid, integer, text, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."save_bank_account"(uuid, uuid, integer, text, text, jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "public"."save_vault_entry"(uuid, text, integer, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."save_vault_entry"(uuid, text, integer, text, jsonb) TO "service_role";
-- To be written by hand: ~ rows of private.rate_limits

insert into private.rate_limits (action, attempts, window_seconds, requests) values ('bank account', 5, 3600, '{}');

-- Nobody knows which of the files that there are the bank has.
update private.payout_file_entries set written = true;
