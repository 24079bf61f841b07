set local check_function_bodies = off;

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
  return jsonb_build_object('id', v_file.id, 'opened_by', auth.uid(), 'created_at', v_file.created_at,
    'day', (private.now() at time zone 'Europe/Brussels')::date, 'reference', (
      select left(v_file.id || '-' || replace(withdrawal_id::text, '-', ''), 35) from private.payout_file_entries
      where file_id = p_file_id order by withdrawal_id limit 1
    ), 'payments', (
    select jsonb_agg(jsonb_build_object('withdrawal_id', w.id, 'amount', round(w.amount, 2)::text,
      'name', (select display_name from public.user_profiles where user_id = w.user_id),
      'owner', jsonb_build_object('kind', 'person', 'id', w.user_id), 'key', private.vault_key_of(w.user_id),
      'account', (select jsonb_build_object('id', a.id, 'version', a.version, 'last4', a.last4, 'sealed', a.sealed)
        from private.bank_accounts as a where a.id = w.bank_account_id)) order by w.requested_at, w.id)
    from private.payout_file_entries as e join public.withdrawal_requests as w on w.id = e.withdrawal_id
    where e.file_id = p_file_id and not e.voided));
end $function$;
