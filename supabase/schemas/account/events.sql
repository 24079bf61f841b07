-- Written by `npm run messages` from functions/_shared/words/events.ts.

-- The topics of notifications, in the order of the settings page.
create function private.notification_topics() returns text[]
language sql immutable set search_path = '' as $$ select array['messages', 'places', 'alerts', 'money', 'access', 'team'] $$;

create function private.topic_of(p_event text) returns text
language sql immutable
return case
  when p_event in ('question-asked', 'guest-note', 'owner-note', 'chat-message')
    then 'messages'
  when p_event in ('plan-found')
    then 'alerts'
  when p_event in ('contract-withdrawn', 'member-says-paid', 'payment-back-claimed', 'payment-back-denied', 'payment-unanswered',
    'payment-unconfirmed', 'payment-disagreement', 'payment-decided', 'payment-left-unpaid',
    'payment-member-left-unpaid', 'payment-waived', 'payment-debt-unkept', 'payment-debt-closed', 'payment-received',
    'payment-not-received', 'payment-nudge', 'payment-due', 'payment-went-back', 'payment-of-member-went-back',
    'payment-made', 'member-paid', 'payment-failed', 'payment-needs-action', 'money-given-back', 'refund-to-wallet',
    'owner-owes-you', 'you-owe-member', 'owed-settled', 'renewal-coming', 'payment-debit-coming',
    'payment-mandate-ended', 'payment-under-way', 'member-debited', 'coins-handed-over', 'wallet-adjusted',
    'payout-account-ready', 'payout-account-stopped', 'payout-account-refused', 'tax-details-wanted',
    'payout-taken-back', 'payout-returned', 'payout-held', 'payout-released', 'withdrawal-processing',
    'withdrawal-completed', 'withdrawal-rejected', 'withdrawal-returned', 'tax-country-differs', 'tax-threshold',
    'payment-refund-to-decide', 'payout-account-missing', 'payout-by-one-admin', 'payout-by-two-admins',
    'payment-to-decide', 'payment-disputes-often', 'payment-disputed', 'payment-dispute-due', 'payment-answer-refused',
    'payment-fraud-warned', 'payment-debt', 'payment-debt-paid', 'payment-debt-opened', 'payment-withdrawals-many',
    'payment-returned-twice', 'payment-returned', 'payment-jobs-fail', 'payment-books-differ',
    'payment-returned-by-hand')
    then 'money'
  when p_event in ('pin-used-up', 'access-given', 'access-confirmed', 'access-reminder', 'access-changed', 'password-due',
    'problem-reported', 'problem-not-fixed', 'problem-fixed', 'problem-with-staff', 'problem-closed',
    'webhook-stopped', 'problem-to-decide')
    then 'access'
  when p_event in ('review-waits', 'reviews-shown', 'decision', 'appeal-decided', 'report-received', 'report-decided', 'plan-approved',
    'provider-request-approved', 'provider-request-rejected', 'admin-access-approved', 'admin-access-rejected',
    'role-given', 'support-answered', 'support-asked')
    then 'team'
  else 'places'
end;

-- Whether the event has a deadline after which a reader who does not answer loses money or a place.
create function private.needs_answer(p_event text) returns boolean
language sql immutable
return p_event in ('member-says-paid', 'payment-back-claimed', 'payment-back-denied', 'payment-debt-unkept', 'payment-not-received',
    'you-owe-member', 'access-reminder');

-- Whether this event is mailed at once to all its readers, even if they have read it or turned its topic off.
create function private.is_always_mailed(p_event text) returns boolean
language sql immutable
return coalesce(p_event in ('you-are-suspended', 'you-are-back', 'contract-withdrawn', 'renewal-coming', 'payment-debit-coming',
    'payment-under-way', 'payout-held', 'payout-released', 'decision', 'appeal-decided', 'report-received',
    'report-decided', 'payout-by-one-admin')
  or private.needs_answer(p_event), false);

-- The types that people can subscribe to.
create function private.webhook_types() returns text[]
language sql immutable
return '{request,approval,payment.due,payment.claimed,payment.paid,payment.late,payment.disputed,message,problem}'::text[];

-- The webhook type of an event; null for events that people cannot subscribe to, such as those for staff.
create function private.webhook_type(p_event text, p_params jsonb) returns text
language sql immutable
return case
  when p_event in ('request-made')
    then 'request'
  when p_event in ('request-approved', 'let-in', 'member-let-in')
    then 'approval'
  when p_event in ('payment-due') and p_params ->> 'late' = 'false' then 'payment.due'
  when p_event in ('renewal-coming', 'payment-debit-coming')
    then 'payment.due'
  when p_event in ('member-says-paid', 'payment-back-claimed')
    then 'payment.claimed'
  when p_event in ('payment-unanswered', 'payment-received', 'payment-made', 'member-paid', 'owed-settled')
    then 'payment.paid'
  when p_event in ('payment-back-denied', 'payment-unconfirmed', 'payment-left-unpaid', 'payment-member-left-unpaid',
    'payment-debt-unkept', 'payment-not-received', 'payment-nudge', 'payment-due', 'payment-failed',
    'payment-needs-action', 'owner-owes-you', 'you-owe-member')
    then 'payment.late'
  when p_event in ('payment-disagreement', 'payment-decided')
    then 'payment.disputed'
  when p_event in ('chat-message')
    then 'message'
  when p_event in ('problem-reported', 'problem-not-fixed', 'problem-fixed', 'problem-with-staff', 'problem-closed')
    then 'problem'
end;
