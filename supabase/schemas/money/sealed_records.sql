-- Records of rows that the books need beside the ledger: documents, steps of direct payments, payout targets, rates. A trigger
-- writes a record, with a digest of the row's content, whenever such a row is written or changed, and the seals cover each record
-- (seals.sql). Digests of personal data have a salt, which is deleted with the row: then the content cannot be guessed any more,
-- and the chain is still intact.
create table private.sealed_records (
  id bigint generated always as identity primary key,
  kind text not null,
  -- The key of the row.
  subject text not null,
  -- The hash of the salt and the row's content; null once the row is deleted.
  digest text,
  salt uuid,
  created_at timestamptz not null default clock_timestamp()
);
create index sealed_records_subject_idx on private.sealed_records (kind, subject, id desc);
alter table private.sealed_records enable row level security;

-- The kinds of rows that have records: their table, key and condition. A row of a fixed kind is written once and never changes, so
-- a second record is a fault even if a trigger wrote it; a row that changes has records of two kinds, one for its fixed part and
-- one for its state. A row of a deletable kind is deleted with a person or at their request.
create function private.sealed_kinds()
returns table (kind text, relation text, key text[], condition text, is_fixed boolean, is_deletable boolean)
language sql immutable set search_path = '' as $$
  values
    ('invoice', 'public.fee_invoices', '{id}'::text[], 'true', true, false),
    ('receipt', 'public.member_payments', '{id}', 'settlement = ''potluck'' and receipt_number is not null', true, false),
    ('direct payment', 'public.member_payments', '{id}', 'settlement = ''direct''', false, false),
    ('claim of a direct payment', 'public.payment_claims', '{id}', 'true', false, false),
    ('void receipt', 'private.void_receipts', '{number}', 'true', true, false),
    ('debt to the site', 'public.debts', '{id}', 'true', false, true),
    ('tax report', 'private.tax_reports', '{id}', 'true', true, false),
    ('void tax report', 'private.tax_reports', '{id}', 'voided_at is not null', true, false),
    ('tax report entry', 'private.tax_report_entries', '{report_id,user_id}', 'true', true, false),
    ('day of the books', 'private.daily_books', '{day}', 'true', true, false),
    ('withdrawal', 'public.withdrawal_requests', '{id}', 'true', false, false),
    ('paid withdrawal', 'public.withdrawal_requests', '{id}', 'status = ''completed''', true, false),
    ('bank account', 'private.bank_accounts', '{id}', 'true', true, true),
    ('state of a bank account', 'private.bank_accounts', '{id}', 'true', false, true),
    ('payout account', 'private.connected_accounts', '{user_id}', 'true', true, false),
    ('transfer to an account', 'private.account_transfers', '{id}', 'true', true, false),
    ('state of a transfer', 'private.account_transfers', '{id}', 'true', false, false),
    ('reversal', 'private.account_reversals', '{id}', 'true', true, false),
    ('state of a reversal', 'private.account_reversals', '{id}', 'true', false, false),
    ('payout', 'private.account_payouts', '{id}', 'true', false, false),
    ('customer', 'private.payment_customers', '{user_id,provider}', 'true', false, true),
    ('payment method', 'public.payment_methods', '{id}', 'true', true, true),
    ('state of a payment method', 'public.payment_methods', '{id}', 'true', false, true),
    ('VAT rate', 'private.vat_rates', '{country,valid_from}', 'true', true, false),
    ('operator', 'public.operator', '{id}', 'true', false, false),
    ('VAT settings', 'public.vat_settings', '{id}', 'true', false, false),
    ('time with invoices', 'private.invoice_spans', '{since}', 'true', true, false)
$$;

-- The columns that a digest covers. A null value counts like a missing column, and so does the currency EUR, so that neither a new column
-- that is empty nor that of the currency changes a digest.
create function private.sealed_columns(p_kind text) returns text[]
language sql immutable return string_to_array(case p_kind
  when 'invoice' then 'number corrects payment_id buyer_id issued_at paid_at plan_name period gross net vat category vat_rate buyer_name '
    || 'buyer_country evidence seller'
  when 'receipt' then 'receipt_number seat_id subscription_id owner_id member_id plan_name number share fee paid_at owner_name member_name '
    || 'seller_name seller_address seller_tax_number'
  when 'direct payment' then 'seat_id subscription_id owner_id member_id plan_name number currency share fee starts_at ends_at due_at status '
    || 'claimed_at paid_at received_by first_due_at unconfirmed_at left_unpaid_at waived_at closed_at owed_back owed_since unkept_at repaid_at '
    || 'debt_closed_at note receipt_number owner_name member_name seller_name seller_address '
    || 'seller_tax_number'
  when 'claim of a direct payment' then 'payment_id kind amount note made_at after_end status answer_by denial disputed_at closed_at decided_by '
    || 'decision'
  when 'void receipt' then 'payment_id voided_at'
  when 'debt to the site' then 'dispute_id payment_id member_id amount coins card opened_at'
  when 'tax report' then 'year kind reference operator operator_document operator_way operator_corrects made_at created_by'
  when 'void tax report' then 'voided_at voided_by void_reason'
  when 'tax report entry' then 'document corrects is_deletion figures'
  when 'day of the books' then 'held owed going_back fees corrections outside given_back ' || 'seats ' || 'wallets problems fixed paid_back unfounded '
    || 'hours_to_money checked_at faults seal seal_hash'
  when 'withdrawal' then 'user_id amount closes_account status requested_at processed_at completed_at rejection_reason stripe_transfer_id '
    || 'bank_account_last4 bank_account_id processed_by completed_by returned_at returned_by return_reason'
  when 'paid withdrawal' then 'user_id amount requested_at processed_at completed_at stripe_transfer_id bank_account_last4 processed_by '
    || 'completed_by'
  when 'bank account' then 'user_id version last4 sealed created_at'
  when 'state of a bank account' then 'taken_back_at'
  when 'payout account' then 'reference created_at'
  when 'transfer to an account' then 'user_id payment_id dispute_id amount created_at'
  when 'state of a transfer' then 'status reference reason sent_at'
  when 'reversal' then 'transfer_id dispute_id warning_id refund_id amount created_at'
  when 'state of a reversal' then 'status reference done_at'
  when 'payout' then 'user_id amount status arrives_on reason created_at changed_at'
  when 'customer' then 'reference'
  when 'payment method' then 'user_id provider reference kind created_at'
  when 'state of a payment method' then 'last4 mandate country'
  when 'VAT rate' then 'rate'
  when 'operator' then 'name street postcode town country vat_number'
  when 'VAT settings' then 'mode sentence prefix since'
  when 'time with invoices' then 'until mode'
end, ' ');

-- sealed_content() returns the part of a row that its digest covers, sealed_subject() the row's key. The caller sets the time zone
-- to UTC, because the content contains times.
create function private.sealed_content(p_kind text, p_row jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return (select jsonb_strip_nulls(jsonb_object_agg(name, nullif(p_row -> name, case name when 'currency' then to_jsonb('EUR'::text) end)))
    from unnest(private.sealed_columns(p_kind)) as name);
end $$;
create function private.sealed_subject(p_key text[], p_row jsonb) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return (select string_agg(p_row ->> name, ' ' order by place) from unnest(p_key) with ordinality as key (name, place));
end $$;
create function private.record_digest(p_salt uuid, p_content jsonb) returns text
language sql stable return encode(sha256(convert_to(jsonb_build_array(p_salt, p_content)::text, 'UTF8')), 'hex');

-- Writes the record of a row. If p_content is null, the row was deleted, and the salts of its records are deleted too.
create function private.write_record(p_kind text, p_subject text, p_content jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- A row without personal data needs no salt.
  v_salt uuid := case when p_content is not null and p_kind not in ('day of the books', 'VAT rate', 'operator', 'VAT settings', 'time with invoices')
    then gen_random_uuid() end;
begin
  insert into private.sealed_records (kind, subject, digest, salt)
  values (p_kind, p_subject, case when p_content is not null then private.record_digest(v_salt, p_content) end, v_salt);
  if p_content is null then
    update private.sealed_records set salt = null where kind = p_kind and subject = p_subject and salt is not null;
  end if;
end $$;

-- Writes the record of the changed row. Arguments of the trigger: the kind and the key of the row.
create function private.tg_private__record() returns trigger
language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  v_kind text := tg_argv[0];
  v_row jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  v_content jsonb := case when tg_op <> 'DELETE' then private.sealed_content(v_kind, v_row) end;
begin
  if tg_op = 'UPDATE' and private.sealed_content(v_kind, to_jsonb(old)) = v_content then return null; end if;
  perform private.write_record(v_kind, private.sealed_subject(tg_argv[1]::text[], v_row), v_content);
  return null;
end $$;

-- Only the salt of a record can be deleted; nothing else of it ever changes.
create function private.tg_sealed_records__keep() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if new.salt is null and (new.id, new.kind, new.subject, new.digest, new.created_at)
      is not distinct from (old.id, old.kind, old.subject, old.digest, old.created_at) then return new; end if;
  end if;
  perform private.refuse('ledger_sealed');
end $$;
create trigger keep before update or delete on private.sealed_records
  for each row execute function private.tg_sealed_records__keep();
create trigger keep_all before truncate on private.sealed_records
  for each statement execute function private.tg_ledger_transfers__keep();

-- Writes the missing records of rows that an older version has written.
create function private.record_rows() returns void
language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare v_kind record;
begin
  for v_kind in select * from private.sealed_kinds() loop
    execute format($query$
      select private.write_record(%1$L, rows.subject, private.sealed_content(%1$L, rows.content)) from (
        select private.sealed_subject(%3$L, to_jsonb(t)) as subject, to_jsonb(t) as content from %2$s as t where %4$s
      ) as rows
      where not exists (select from private.sealed_records as r where r.kind = %1$L and r.subject = rows.subject) order by rows.subject
    $query$, v_kind.kind, v_kind.relation, v_kind.key, v_kind.condition);
  end loop;
end $$;

-- Lists rows that differ from their last record.
create function private.check_records() returns table (fault text, subject text, expected numeric, found numeric)
language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare v_kind record;
begin
  for v_kind in select * from private.sealed_kinds() loop
    return query execute format($query$
      with kept as (
        select private.sealed_subject(%3$L, rows.content) as subject, private.sealed_content(%1$L, rows.content) as content
        from (select to_jsonb(t) as content from %2$s as t where %4$s) as rows
      ), last as (
        select distinct on (r.subject) r.subject, r.digest, r.salt, count(*) over (partition by r.subject) as records
        from private.sealed_records as r where r.kind = %1$L order by r.subject, r.id desc
      )
      select case when last.subject is null then 'A row has no record: '
          when kept.subject is null then 'A row that was sealed is missing: '
          when last.digest is distinct from private.record_digest(last.salt, kept.content) then 'A row is not what was sealed: '
          else 'A row that never changes was sealed again: ' end || %1$L,
        coalesce(kept.subject, last.subject), null::numeric, null::numeric
      from kept full join last on last.subject = kept.subject
      where last.subject is null or kept.subject is null and (last.digest is not null or not %6$L::boolean)
        or kept.subject is not null and (last.digest is distinct from private.record_digest(last.salt, kept.content)
          or %5$L::boolean and last.records > 1)
    $query$, v_kind.kind, v_kind.relation, v_kind.key, v_kind.condition, v_kind.is_fixed, v_kind.is_deletable);
  end loop;
  return query select 'A record is of no kind there is', r.kind || ' ' || r.subject, null::numeric, null::numeric
    from private.sealed_records as r where r.kind not in (select k.kind from private.sealed_kinds() as k);
end $$;

revoke all on private.sealed_records from public, anon, authenticated, service_role;
