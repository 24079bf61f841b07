-- The seals of the ledger: each transfer, with its entries, has a hash of itself and of the seal before, so that changing or
-- removing one breaks the chain; the last hash of each day is mailed, so that rewriting the whole chain shows too. The clock
-- seals what has been committed since, so that no transfer waits for another one's seal. Until then, what a transfer was for
-- speaks for it (agreement.sql).
create table private.ledger_seals (
  line bigint primary key,
  transfer_id bigint not null unique references private.ledger_transfers (id),
  hash text not null
);
-- The end of the chain. All transfers up to `through` are sealed; those up to `next_through` will be, once all transactions
-- before `next_transaction` have ended, as one of them may still commit a transfer with a lower id.
create table private.ledger_seal_end (
  id boolean primary key default true check (id),
  line bigint not null default 0,
  hash text not null default '',
  through bigint not null default 0,
  next_through bigint not null default 0,
  next_transaction bigint not null default 0
);
insert into private.ledger_seal_end default values;
alter table private.ledger_seals enable row level security;
alter table private.ledger_seal_end enable row level security;
create trigger keep before update or delete or truncate on private.ledger_seals
  for each statement execute function private.tg_ledger_transfers__keep();

-- Columns that later versions add are not covered, and a version must not change what a hash is made of.
create function private.entry_text(p_entry private.ledger_entries) returns jsonb
language sql stable as $$
  select jsonb_build_array(p_entry.account_id, p_entry.version, p_entry.amount, p_entry.balance_before,
    p_entry.balance_after, extract(epoch from p_entry.created_at))
$$;
create function private.seal_hash(p_before text, p_line bigint, p_transfer private.ledger_transfers, p_entries jsonb) returns text
language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(p_before, p_line, p_transfer.id, p_transfer.key,
    p_transfer.from_account, p_transfer.to_account, p_transfer.amount, p_transfer.kind, p_transfer.seat_id, p_transfer.period_id,
    p_transfer.subscription_id, p_transfer.person_id, p_transfer.description, extract(epoch from p_transfer.created_at),
    p_transfer.created_by, p_entries)::text, 'UTF8')), 'hex')
$$;

-- Seals what has been committed and is not sealed yet.
create function private.seal_transfers() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_end private.ledger_seal_end;
  v_snapshot pg_snapshot;
  v_newest bigint;
  v_row record;
begin
  select * into v_end from private.ledger_seal_end for update;
  -- Moving money takes locks, and with them a transaction's number, before it takes an id.
  select pg_current_snapshot(), coalesce(max(id), 0) into v_snapshot, v_newest from private.ledger_transfers;
  for v_row in
    select t as transfer, jsonb_agg(private.entry_text(e) order by e.account_id) as entries
    from private.ledger_transfers as t left join private.ledger_entries as e on e.transfer_id = t.id
    where t.id > v_end.through and not exists (select from private.ledger_seals as s where s.transfer_id = t.id)
    group by t.id order by t.id
  loop
    v_end.line := v_end.line + 1;
    v_end.hash := private.seal_hash(v_end.hash, v_end.line, v_row.transfer, v_row.entries);
    insert into private.ledger_seals (line, transfer_id, hash) values (v_end.line, (v_row.transfer).id, v_end.hash);
  end loop;
  -- A number from the future is of the database that this one was copied from.
  if v_end.next_transaction <= pg_snapshot_xmin(v_snapshot)::text::bigint
    or v_end.next_transaction > pg_snapshot_xmax(v_snapshot)::text::bigint then
    v_end.through := greatest(v_end.through, v_end.next_through);
    v_end.next_through := v_newest;
    v_end.next_transaction := pg_snapshot_xmax(v_snapshot)::text::bigint;
  end if;
  update private.ledger_seal_end set line = v_end.line, hash = v_end.hash, through = v_end.through,
    next_through = v_end.next_through, next_transaction = v_end.next_transaction
  where (through, next_through, line) <> (v_end.through, v_end.next_through, v_end.line);
end $$;

-- Faults in the chain; no row if there are none. p_hash, from a mail, must be that of some seal.
create function private.check_seals(p_hash text default null) returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  with chain as (
    select s.line, s.transfer_id, s.hash, lag(s.hash, 1, '') over lines as before, lag(s.line, 1, 0::bigint) over lines + 1 as next
    from private.ledger_seals as s window lines as (order by s.line)
  ), entries as (
    select e.transfer_id, jsonb_agg(private.entry_text(e) order by e.account_id) as entries
    from private.ledger_entries as e group by e.transfer_id
  )
  select case when t.id is null then 'A transfer was removed' else 'A transfer is not what it was when it was sealed' end,
    coalesce(t.kind || ' ' || t.key, 'transfer ' || c.transfer_id), null::numeric, null::numeric
  from chain as c left join private.ledger_transfers as t on t.id = c.transfer_id
  left join entries as e on e.transfer_id = c.transfer_id
  where t.id is null or c.hash <> private.seal_hash(c.before, c.line, t, e.entries)
  union all
  select 'Seals are missing', 'before seal ' || line, next, line from chain where line <> next
  union all
  select 'The chain of seals does not reach its end, or goes on after it', 'seal ' || e.line, e.line, coalesce(last.line, 0)
  from private.ledger_seal_end as e left join (select line, hash from private.ledger_seals order by line desc limit 1) as last on true
  where (e.line, e.hash) is distinct from (coalesce(last.line, 0), coalesce(last.hash, ''))
  union all
  select 'The chain of seals has no end', 'ledger_seal_end', 1, 0 where not exists (select from private.ledger_seal_end)
  union all
  select 'A transfer was passed over by the seals', t.kind || ' ' || t.key, null, null from private.ledger_transfers as t
  where t.id <= (select through from private.ledger_seal_end)
    and not exists (select from private.ledger_seals as s where s.transfer_id = t.id)
  union all
  select 'The hash from the mail is that of no seal', p_hash, null, null
  where p_hash is not null and not exists (select from private.ledger_seals as s where s.hash = lower(btrim(p_hash)))
$$;

revoke all on private.ledger_seals, private.ledger_seal_end from public, anon, authenticated, service_role;
