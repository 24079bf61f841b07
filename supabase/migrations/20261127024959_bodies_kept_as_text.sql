set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.entry_text(p_entry private.ledger_entries)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_array(p_entry.account_id, p_entry.version, p_entry.amount, p_entry.balance_before,
    p_entry.balance_after, extract(epoch from p_entry.created_at))
$function$;

CREATE OR REPLACE FUNCTION private.invitation_status(p_invitation public.subscription_invitations)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when p_invitation.accepted_at is not null then 'accepted'
    when p_invitation.declined_at is not null then 'declined'
    when p_invitation.withdrawn_at is not null then 'withdrawn'
    when p_invitation.expires_at <= now() - private.unnoticed_gap() then 'expired'
    else 'open'
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_open_request(p_request public.subscription_requests)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select p_request.status = 'pending' and not p_request.expired
    and p_request.requested_at > now() - private.request_lifetime() - private.unnoticed_gap()
$function$;

CREATE OR REPLACE FUNCTION private.payable_from(p_account private.bank_accounts)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select p_account.created_at + private.payout_delay()
$function$;

CREATE OR REPLACE FUNCTION private.seal_hash(p_before text, p_line bigint, p_transfer private.ledger_transfers, p_entries jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select encode(sha256(convert_to(jsonb_build_array(p_before, p_line, p_transfer.id, p_transfer.key,
    p_transfer.from_account, p_transfer.to_account, p_transfer.amount, p_transfer.kind, p_transfer.seat_id, p_transfer.period_id,
    p_transfer.subscription_id, p_transfer.person_id, p_transfer.description, extract(epoch from p_transfer.created_at),
    p_transfer.created_by, p_entries)::text, 'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION private.seat_news(p_seat private.seats, p_user_id uuid, p_type text, p_event text, p_title text, p_message text, p_params jsonb DEFAULT '{}'::jsonb, p_mails boolean DEFAULT true, p_invoiced uuid DEFAULT NULL::uuid)
 RETURNS private.news
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (p_seat, p_user_id, p_type, p_event, p_title, p_message, p_params, p_mails, p_invoiced)::private.news
$function$;

CREATE OR REPLACE FUNCTION private.taken_by(p_dispute public.payment_disputes)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_dispute.from_share + p_dispute.from_fee + p_dispute.from_coins + p_dispute.from_account + p_dispute.from_guarantee
    + p_dispute.from_refunds
$function$;

-- New since 20261126132808; here for sites that had applied it as it was before.
CREATE OR REPLACE FUNCTION private.is_sure_payment(p_payment public.member_payments)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_payment.share > 0 and p_payment.paid_at is not null
    and (p_payment.settlement = 'potluck' or p_payment.claimed_at is not null)
$function$;
