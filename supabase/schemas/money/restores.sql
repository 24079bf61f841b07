-- Restores of a backup. The books then lack what happened between the backup and the restore: a payment may have been charged that still
-- looks due. So nothing is charged, refunded, sent to an owner or put into a payment file, and no withdrawal is approved, until staff
-- have compared the provider, and the payment files and bank transfers made since, with the books.

create table private.restores (
  id bigint generated always as identity primary key,
  -- When the backup was made: what happened after it is missing.
  backed_up_at timestamptz not null,
  restored_at timestamptz not null default clock_timestamp(),
  -- When an admin ended the hold.
  compared_at timestamptz
);
create unique index one_hold_at_a_time on private.restores ((true)) where compared_at is null;
alter table private.restores enable row level security;
revoke all on private.restores from public, anon, authenticated, service_role;

-- Whether payments are on hold after a restore.
create function private.are_payments_held() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.restores where compared_at is null);
end $$;

-- Puts payments on hold after a restore of a backup made at p_backed_up_at, if this site has moved real money. The server calls it in the
-- restore's own transaction. Returns what the operator has to know; null if nothing is on hold.
create function private.note_restore(p_backed_up_at timestamptz) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not exists (select from private.charges where provider <> 'simulated') and not exists (select from private.payout_files) then
    return null;
  end if;
  insert into private.restores (backed_up_at) values (p_backed_up_at)
  on conflict ((true)) where compared_at is null do update
    set backed_up_at = least(restores.backed_up_at, excluded.backed_up_at), restored_at = excluded.restored_at;
  return 'Payments are on hold: the books lack what happened after the backup. Compare them with the payment provider and the payment files '
    || 'made since, then end the hold under Admin, System.';
end $$;

-- Ends the hold. The admin writes into the staff log what was compared.
create function private.end_payment_hold(p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_reason text;
begin
  perform private.require_treasurer();
  perform private.require_recent_proof();
  v_reason := private.review_text(p_reason, true);
  update private.restores set compared_at = clock_timestamp() where compared_at is null;
  if not found then
    perform private.refuse('payments_not_held');
  end if;
  perform private.log_staff('payments resumed after a restore', 'payments', jsonb_build_object('reason', v_reason));
end $$;
select private.publish('end_payment_hold', 'authenticated');
