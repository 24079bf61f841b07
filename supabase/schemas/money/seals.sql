-- The seals of the books, a chain of hashes (common/chains.sql): one for each transfer, with its entries, and for each record of
-- other rows that the books need (sealed_records.sql). A scheduled job (clock.sql) seals committed rows, so that transactions never
-- wait for each other's seals. A transfer that is not sealed yet is checked only by its purpose (agreement.sql).
create table private.ledger_seals (
  line bigint primary key,
  transfer_id bigint unique references private.ledger_transfers (id),
  record_id bigint unique references private.sealed_records (id),
  hash text not null,
  constraint seals_one_thing check (num_nonnulls(transfer_id, record_id) = 1)
);
-- The end of the chain. All transfers up to `through`, and records up to `records_through`, are sealed; those up to `next_through`
-- and `next_records_through` will be, once all transactions before `next_transaction` have ended, because one of them may still
-- commit a lower id.
create table private.ledger_seal_end (
  id boolean primary key default true check (id),
  line bigint not null default 0,
  hash text not null default '',
  through bigint not null default 0,
  next_through bigint not null default 0,
  next_transaction bigint not null default 0,
  records_through bigint not null default 0,
  next_records_through bigint not null default 0
);
insert into private.ledger_seal_end default values;
alter table private.ledger_seals enable row level security;
alter table private.ledger_seal_end enable row level security;
create trigger keep before update or delete or truncate on private.ledger_seals
  for each statement execute function private.tg_ledger_transfers__keep();

-- These functions return the content that a seal's hash covers: of an entry, of a transfer with its entries, and of a record.
-- Columns that later versions add are not covered.
create function private.entry_text(p_entry private.ledger_entries) returns jsonb
language sql stable as $$
  select jsonb_build_array(p_entry.account_id, p_entry.version, p_entry.amount, p_entry.balance_before,
    p_entry.balance_after, extract(epoch from p_entry.created_at))
$$;
create function private.transfer_content(p_transfer private.ledger_transfers, p_entries jsonb) returns jsonb
language sql stable as $$
  select jsonb_build_array(p_transfer.id, p_transfer.key, p_transfer.from_account, p_transfer.to_account, p_transfer.amount,
    p_transfer.kind, p_transfer.seat_id, p_transfer.payment_id, p_transfer.subscription_id, p_transfer.person_id,
    p_transfer.description, extract(epoch from p_transfer.created_at), p_transfer.created_by, p_entries)
$$;
create function private.record_content(p_record private.sealed_records) returns jsonb
language sql stable as $$
  select jsonb_build_array('record', p_record.id, p_record.kind, p_record.subject, p_record.digest, extract(epoch from p_record.created_at))
$$;
-- Returns the content of the sealed row; null if the row is gone.
create function private.sealed_content_of(
  p_seal private.ledger_seals, p_transfer private.ledger_transfers, p_record private.sealed_records, p_entries jsonb
) returns jsonb
language sql stable as $$
  select case when p_transfer.id is not null then private.transfer_content(p_transfer, p_entries)
    when p_record.id is not null then private.record_content(p_record) end
$$;
create function private.seal_subject(p_seal private.ledger_seals, p_transfer private.ledger_transfers, p_record private.sealed_records)
returns text
language sql stable as $$
  select coalesce(p_transfer.kind || ' ' || p_transfer.key, p_record.kind || ' ' || p_record.subject, 'transfer ' || p_seal.transfer_id,
    'record ' || p_seal.record_id)
$$;

-- Seals all committed rows that are not sealed yet.
create function private.seal_transfers() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_end private.ledger_seal_end;
  v_snapshot pg_snapshot;
  v_newest bigint;
  v_newest_record bigint;
  v_row record;
begin
  select * into v_end from private.ledger_seal_end for update;
  -- A transaction that moves money or writes a record gets its transaction id before the ids of these rows.
  select pg_current_snapshot(), coalesce((select max(id) from private.ledger_transfers), 0),
    coalesce((select max(id) from private.sealed_records), 0) into v_snapshot, v_newest, v_newest_record;
  for v_row in
    select t.id as transfer_id, private.transfer_content(t, jsonb_agg(private.entry_text(e) order by e.account_id)) as content
    from private.ledger_transfers as t left join private.ledger_entries as e on e.transfer_id = t.id
    where t.id > v_end.through and not exists (select from private.ledger_seals as s where s.transfer_id = t.id)
    group by t.id order by t.id
  loop
    v_end.line := v_end.line + 1;
    v_end.hash := private.chain_hash(v_end.hash, v_end.line, v_row.content);
    insert into private.ledger_seals (line, transfer_id, hash) values (v_end.line, v_row.transfer_id, v_end.hash);
  end loop;
  for v_row in
    select r.id as record_id, private.record_content(r) as content from private.sealed_records as r
    where r.id > v_end.records_through and not exists (select from private.ledger_seals as s where s.record_id = r.id) order by r.id
  loop
    v_end.line := v_end.line + 1;
    v_end.hash := private.chain_hash(v_end.hash, v_end.line, v_row.content);
    insert into private.ledger_seals (line, record_id, hash) values (v_end.line, v_row.record_id, v_end.hash);
  end loop;
  -- A next_transaction above the current transaction ids comes from the database that this one was restored from.
  if v_end.next_transaction <= pg_snapshot_xmin(v_snapshot)::text::bigint
    or v_end.next_transaction > pg_snapshot_xmax(v_snapshot)::text::bigint then
    v_end.through := greatest(v_end.through, v_end.next_through);
    v_end.records_through := greatest(v_end.records_through, v_end.next_records_through);
    v_end.next_through := v_newest;
    v_end.next_records_through := v_newest_record;
    v_end.next_transaction := pg_snapshot_xmax(v_snapshot)::text::bigint;
  end if;
  update private.ledger_seal_end set line = v_end.line, hash = v_end.hash, through = v_end.through, next_through = v_end.next_through,
    records_through = v_end.records_through, next_records_through = v_end.next_records_through, next_transaction = v_end.next_transaction
  where (through, next_through, records_through, next_records_through, line)
    <> (v_end.through, v_end.next_through, v_end.records_through, v_end.next_records_through, v_end.line);
end $$;

-- Lists faults in the seals; returns no rows if there are none. p_hash is a hash from the daily mail; if no seal has this hash, the
-- ledger was rewritten.
create function private.check_seals(p_hash text default null) returns table (fault text, subject text, expected numeric, found numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select c.fault, c.subject, null::numeric, null::numeric from private.check_chain('books', p_hash) as c
  union all
  select 'A transfer was passed over by the seals', t.kind || ' ' || t.key, null, null from private.ledger_transfers as t
  where t.id <= (select through from private.ledger_seal_end)
    and not exists (select from private.ledger_seals as s where s.transfer_id = t.id)
  union all
  select 'A record was passed over by the seals', r.kind || ' ' || r.subject, null, null from private.sealed_records as r
  where r.id <= (select records_through from private.ledger_seal_end)
    and not exists (select from private.ledger_seals as s where s.record_id = r.id);
end $$;

revoke all on private.ledger_seals, private.ledger_seal_end from public, anon, authenticated, service_role;
