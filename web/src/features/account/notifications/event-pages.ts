// Written by `npm run messages` from supabase/functions/_shared/words/events.ts.

/** The page about an event's subject, with `{id}` of its params, if the page does not depend on a plan. */
export const PAGES: Record<string, string> = {
  'payment-back-claimed': '/payments',
  'payment-back-denied': '/payments?tab=received',
  'payment-left-unpaid': '/payments',
  'payment-member-left-unpaid': '/payments?tab=received',
  'payment-waived': '/payments',
  'payment-debt-unkept': '/payments?tab=received',
  'owner-owes-you': '/payments',
  'you-owe-member': '/payments?tab=received',
  'payment-mandate-ended': '/cards',
  'tax-details-wanted': '/account-settings/money',
  warned: '/help',
  'role-given': '/admin',
  'support-answered': '/help',
  'webhook-stopped': '/account-settings/programs',
  'support-asked': '/admin/support',
  'payout-account-missing': '/admin/people/{id}',
  'payout-by-one-admin': '/admin?tab=settings',
  'payout-by-two-admins': '/admin?tab=settings',
  'problem-to-decide': '/admin/problems',
  'payment-to-decide': '/admin/problems',
  'payment-disputes-often': '/admin/people/{id}',
  'payment-disputed': '/admin/disputes',
  'payment-dispute-due': '/admin/disputes',
  'payment-answer-refused': '/admin/disputes',
  'payment-fraud-warned': '/admin/disputes',
  'payment-debt': '/payments',
  'payment-debt-paid': '/payments',
  'payment-debt-opened': '/admin/disputes',
  'payment-withdrawals-many': '/admin/disputes',
  'payment-returned-twice': '/admin/disputes',
  'payment-returned': '/admin/disputes',
  'payment-jobs-fail': '/admin/disputes',
  'payment-books-differ': '/admin/disputes',
  'payment-returned-by-hand': '/admin/disputes',
}

/** Events about a plan the person is in or is offered. Other events are about plans they may not open. */
export const ABOUT_OWN_PLANS = [
  'request-made',
  'request-cancelled',
  'request-expiring',
  'request-approved',
  'let-in',
  'member-let-in',
  'invitation-accepted',
  'invitation-declined',
  'joined',
  'place-offered',
  'plan-found',
  'member-left',
  'place-claimed',
  'plan-made-private',
]

/** The kinds of good news. All are about a plan, except for the first coins, which are about a person. */
export const MOMENTS = [
  'request-approved',
  'let-in',
  'member-let-in',
  'invitation-accepted',
  'joined',
  'first-coins',
  'first-month',
  'member-first-month',
] as const
