-- Payment files (pain.001) for the bank, each with withdrawals that are processing. Only the ids of the withdrawals are stored; the
-- function `vault` adds the account details when the file is downloaded, and does not store them.
create table private.payout_files (
  id bigint generated always as identity primary key,
  payments integer not null,
  amount numeric(14, 2) not null,
  created_at timestamptz not null default clock_timestamp(),
  created_by uuid not null references auth.users (id) on delete restrict,
  voided_at timestamptz,
  voided_by uuid references auth.users (id) on delete restrict,
  void_reason text check (char_length(void_reason) <= 500)
);
create index payout_files_created_by_idx on private.payout_files (created_by);
create index payout_files_voided_by_idx on private.payout_files (voided_by);
create table private.payout_file_entries (
  file_id bigint not null references private.payout_files (id) on delete restrict,
  withdrawal_id uuid not null references public.withdrawal_requests (id) on delete restrict,
  voided boolean not null default false,
  -- Whether the payment has been written into a download, so that the bank may have it.
  written boolean not null default false,
  primary key (file_id, withdrawal_id)
);
create unique index no_withdrawal_in_two_files on private.payout_file_entries (withdrawal_id) where not voided;
create index payout_file_entries_withdrawal_idx on private.payout_file_entries (withdrawal_id);
alter table private.payout_files enable row level security;
alter table private.payout_file_entries enable row level security;

-- Returns the number of the file that pays this withdrawal, or null.
create function private.payout_file_of(p_withdrawal_id uuid) returns bigint
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select file_id from private.payout_file_entries where withdrawal_id = p_withdrawal_id and not voided);
end $$;

-- Puts withdrawals with the status `processing` into one payment file, either all or none of them, and returns the file's number.
create function private.create_payout_file(p_withdrawals uuid[]) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_withdrawal public.withdrawal_requests;
  v_amount numeric := 0;
  v_file bigint;
begin
  if private.are_payments_held() then
    perform private.refuse('payments_held');
  elsif coalesce(cardinality(p_withdrawals), 0) not between 1 and 1000 then
    perform private.refuse('payment_file_size_out_of_range');
  end if;
  insert into private.payout_files (payments, amount, created_by) values (cardinality(p_withdrawals), 0, v_user)
  returning id into v_file;
  for v_withdrawal in
    select * from public.withdrawal_requests where id = any (p_withdrawals) order by id for update
  loop
    perform private.require_impartial(v_withdrawal.user_id);
    if v_withdrawal.status <> 'processing' then
      perform private.refuse('withdrawal_not_processing', v_withdrawal.status);
    elsif v_withdrawal.bank_account_id is null then
      perform private.refuse('withdrawal_without_account');
    elsif private.payout_file_of(v_withdrawal.id) is not null then
      perform private.refuse('withdrawal_in_other_file');
    end if;
    insert into private.payout_file_entries (file_id, withdrawal_id) values (v_file, v_withdrawal.id);
    v_amount := v_amount + v_withdrawal.amount;
  end loop;
  update private.payout_files set amount = v_amount where id = v_file and payments =
    (select count(*) from private.payout_file_entries where file_id = v_file);
  if not found then
    perform private.refuse('withdrawal_not_found');
  end if;
  perform private.log_staff('payment file made', v_file::text,
    jsonb_build_object('payments', cardinality(p_withdrawals), 'amount', v_amount));
  return v_file;
end $$;
select private.publish('create_payout_file', 'authenticated');

create function private.require_payout_file(p_file_id bigint) returns private.payout_files
language plpgsql volatile security definer set search_path = '' as $$
declare v_file private.payout_files;
begin
  perform private.require_treasurer();
  select * into v_file from private.payout_files where id = p_file_id for update;
  if not found then
    perform private.refuse('payment_file_not_found');
  elsif v_file.voided_at is not null then
    perform private.refuse('payment_file_void');
  end if;
  return v_file;
end $$;

-- Returns the data that the function `vault` needs to write the file, with the bank accounts still sealed. Records that the acting
-- user has opened each of these accounts.
create function private.open_payout_file(p_file_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
      'name', (select display_name from private.user_profiles where user_id = w.user_id),
      'owner', jsonb_build_object('kind', 'person', 'id', w.user_id), 'key', private.vault_key_of(w.user_id),
      'account', (select jsonb_build_object('id', a.id, 'version', a.version, 'last4', a.last4, 'sealed', a.sealed)
        from private.bank_accounts as a where a.id = w.bank_account_id)) order by w.requested_at, w.id)
    from private.payout_file_entries as e join public.withdrawal_requests as w on w.id = e.withdrawal_id
    where e.file_id = p_file_id and not e.voided));
end $$;
select private.publish('open_payout_file', 'authenticated');

-- Records which payments of a file the function `vault` has written for this member of staff. The other payments, whose bank
-- accounts it could not decrypt, are removed from the file, so that their withdrawals can be rejected; only those that an earlier
-- download contains stay, because the bank may already have them.
create function private.note_payout_file(p_user_id uuid, p_file_id bigint, p_written uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
end $$;
select private.publish('note_payout_file', 'service_role');

-- Voids a whole file if the bank made none of its payments; its withdrawals may go into another file.
create function private.void_payout_file(p_file_id bigint, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_payout_file(p_file_id);
  if coalesce(btrim(p_reason), '') = '' then
    perform private.refuse('void_reason_of_file_missing');
  end if;
  perform from public.withdrawal_requests as w join private.payout_file_entries as e on e.withdrawal_id = w.id
  where e.file_id = p_file_id order by w.id for update of w;
  if exists (select from public.withdrawal_requests as w join private.payout_file_entries as e on e.withdrawal_id = w.id
    where e.file_id = p_file_id and not e.voided and w.status = 'completed') then
    perform private.refuse('payment_file_received');
  end if;
  update private.payout_file_entries set voided = true where file_id = p_file_id;
  update private.payout_files set voided_at = clock_timestamp(), voided_by = auth.uid(), void_reason = btrim(p_reason)
  where id = p_file_id;
  perform private.log_staff('payment file voided', p_file_id::text, jsonb_build_object('reason', btrim(p_reason)));
end $$;
select private.publish('void_payout_file', 'authenticated');

-- The payment files, newest first unless p_sort names another order (private.page_of), with the number of their completed payments.
create function private.list_payout_files(
  p_limit integer default 20, p_sort text default null, p_after jsonb default null
)
returns table (
  id bigint, payments integer, completed integer, amount numeric, created_at timestamptz, created_by_name text,
  voided_at timestamptz, voided_by_name text, void_reason text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query execute private.page_of($query$
    select f.id, f.payments, (select count(*)::integer from private.payout_file_entries as e
        join public.withdrawal_requests as w on w.id = e.withdrawal_id where e.file_id = f.id and not e.voided and w.status = 'completed'),
      f.amount, f.created_at, author.display_name, f.voided_at, voider.display_name as voided_by_name, f.void_reason
    from private.payout_files as f
    left join private.user_profiles as author on author.user_id = f.created_by
    left join private.user_profiles as voider on voider.user_id = f.voided_by
  $query$, null, coalesce(p_sort, '-id'), 'id', p_after, p_limit);
end $$;
select private.publish('list_payout_files', 'authenticated');
