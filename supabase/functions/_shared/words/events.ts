// The notifications of the database: the English words of each event, as messages with its parameters (ICU
// MessageFormat), and where the notification is delivered. From this file, `npm run messages` writes the database's
// functions (schemas/account/{event_words,events}.sql), the web app's event-pages.ts and the types in docs/webhooks.md.
// From the translations in supabase/locales, it writes the JSON files in this folder.

export interface Words {
  title: string
  message: string
}

/** The types that webhooks can subscribe to: the event, and the data besides the ids of plan and notification. */
export const webhookTypes = {
  request: ['a person asks to join your plan', '`request_id`'],
  approval: ['you get a place, or a person joins your plan instantly', ''],
  'payment.due': [
    'a payment is due, or will be: `renewal-coming` announces it, with its `day`',
    '`amount`, `currency`, `seat_id`, `payment_id` once there is one',
  ],
  'payment.claimed': [
    'a member says that they have paid you directly. Do not count the money as received until you confirm it',
    'as above',
  ],
  'payment.paid': ['a payment has arrived', 'as above'],
  'payment.late': ['a payment is missing or has failed', 'as above'],
  'payment.disputed': [
    'you and the other side disagree about a direct payment, or staff has decided',
    'as above',
  ],
  message: ['a person writes to you', '`conversation_id`, `message_id` instead of a notification'],
  problem: ['a problem is reported, answered or closed', '`problem_id`, `seat_id`, `until`'],
} as const satisfies Record<string, readonly [event: string, data: string]>
type WebhookType = keyof typeof webhookTypes

/** The topics that people can turn on and off, in the order of the settings page. */
export const topics = ['messages', 'places', 'alerts', 'money', 'access', 'team'] as const

export interface NotificationKind extends Words {
  topic: (typeof topics)[number]
  /**
   * Set if the notification is mailed immediately to all its readers, even if they have read it or turned its topic
   * off. `always`: it announces a charge, confirms a contract or a withdrawal from one, concerns an account that cannot
   * sign in, gives the reasons for a decision of staff, or what came of an appeal or a report, or says that one admin can pay out alone. `needs-answer`: a
   * reader who does not answer in time loses money or a place.
   */
  mailed?: 'always' | 'needs-answer'
  /** An object with two types if the type depends on `late` in the params. */
  webhook?: WebhookType | { soon: WebhookType; late: WebhookType }
  /** The page to open, with `{id}` from the params; or `plan` for a plan that the person is in or is offered. */
  opens?: 'plan' | `/${string}`
  /** Set if the notification is shown as a card on the page that it is about. */
  isGoodNews?: true
}

const HOURS = '{hours, plural, one {# hour} other {# hours}}'

// The four parts of a decision of staff (private.decisions): what was done, why, what that is based on, and how long it holds.
const MEASURE =
  '{measure, select, warned {Our team warns you.} plan_rejected {{plan} was not approved, so no one can find or join it.} plan_hidden {We’ve hidden {plan}, so no one new can find or join it.} plan_made_private {{plan} is no longer listed. Members keep their places, and you can still invite people.} provider_closed {{plan} takes no new members. Those it has keep their places.} review_hidden {Your review of {person} is no longer shown.} message_removed {We’ve removed a message you wrote.} picture_removed {We’ve removed your picture.} suspended {{ends, select, true {Your account is suspended until {until}.} other {Your account is suspended.}}} other {We’re holding your payouts until {until}.}}'
const FACTS =
  '{block, select, sharing { The plan is shared with people with whom its provider allows no sharing.} household { The provider allows sharing only among people who live together.} people_you_know { The provider allows sharing only among people who know each other.} anyone { This site lists no plans of its kind.} unknown { We don’t know with whom the provider allows sharing it.} untrue { It says something that isn’t true.} no_access { People paid and got no access.} outside { It asks people to pay or to share a login in ways that this site can’t protect.} insult { It insults, threatens or harasses someone.} private_data { It shows someone’s private data.} advert { It advertises something that has nothing to do with sharing.} rights { Someone holds the rights to it and objects.} other {}}{more, select, true { “{facts}”} other {}}'
const SCOPE =
  '{measure, select, warned {} suspended {} payouts_held {} other { It holds on the whole site until it is taken back.}}'
const GROUND =
  '{ground, select, law {The law does not allow that: {clause}.} provider {The provider’s terms do not allow that: {clause}.} other {Section {clause} of our terms does not allow that.}}'

/** All notifications, by the names of their events. */
export const events: Record<string, NotificationKind> = {
  // Asking for a place
  'request-made': {
    topic: 'places',
    webhook: 'request',
    opens: 'plan',
    title: 'New Join Request',
    message: '{member} would like to join {plan}.',
  },
  'request-cancelled': {
    topic: 'places',
    opens: 'plan',
    title: 'Request Cancelled',
    message: '{member} no longer wants to join {plan}.',
  },
  'request-expiring': {
    topic: 'places',
    opens: 'plan',
    title: 'Request Expiring Soon',
    message: `{member} is waiting for your answer about {plan}. The request expires within ${HOURS}.`,
  },
  'request-expired': {
    topic: 'places',
    title: 'Request Expired',
    message: `The owner of {plan} didn’t answer within ${HOURS}. You can ask again.`,
  },
  'request-approved': {
    topic: 'places',
    webhook: 'approval',
    opens: 'plan',
    isGoodNews: true,
    title: 'Request Approved',
    message: 'Your request to join {plan} has been approved.',
  },
  'request-rejected': {
    topic: 'places',
    title: 'Request Rejected',
    message: 'Your request to join {plan} has been rejected.',
  },
  'let-in': {
    topic: 'places',
    webhook: 'approval',
    opens: 'plan',
    isGoodNews: true,
    title: 'You Are In',
    message: 'You have a place in {plan}.',
  },
  'member-let-in': {
    topic: 'places',
    webhook: 'approval',
    opens: 'plan',
    isGoodNews: true,
    title: 'New Member',
    message: '{member} has joined {plan} instantly.',
  },
  'question-asked': {
    topic: 'messages',
    title: 'New Question',
    message: '{person} has a question about {plan}.',
  },
  'invitation-accepted': {
    topic: 'places',
    opens: 'plan',
    isGoodNews: true,
    title: 'Invitation Accepted',
    message: '{member} has joined {plan}.',
  },
  'invitation-declined': {
    topic: 'places',
    opens: 'plan',
    title: 'Invitation Declined',
    message: '{email} has declined your invitation to {plan}.',
  },
  joined: {
    topic: 'places',
    opens: 'plan',
    isGoodNews: true,
    title: 'You Are In',
    message: 'You have joined {plan}.',
  },
  'place-offered': {
    topic: 'places',
    opens: 'plan',
    title: 'Place Offered',
    message: `A place in {plan} is free. We’re keeping it for you for ${HOURS}.`,
  },
  'offer-lapsed': {
    topic: 'places',
    title: 'Offer Lapsed',
    message: `You didn’t take the place in {plan} within ${HOURS}, so it’s no longer kept for you.`,
  },
  'plan-found': {
    topic: 'alerts',
    opens: 'plan',
    title: 'Plan Found',
    message: '{plan} has a place for {cost} a month, shared by {person}.',
  },
  'comes-first': {
    topic: 'places',
    title: 'You Come First',
    message:
      'You lost your place in {plan} through no fault of your own. Until {day} you’re first in line for plans like it.',
  },

  // Leaving and ending
  'member-left': {
    topic: 'places',
    opens: 'plan',
    title: 'Member Left',
    message: '{member} has left {plan}.',
  },
  'membership-ended': {
    topic: 'places',
    title: 'Membership Ended',
    message: 'You are no longer a member of {plan}.',
  },
  'plan-cancelled': {
    topic: 'places',
    title: 'Subscription Cancelled',
    message: 'The owner cancelled {plan}.',
  },
  'cancelled-while-waiting': {
    topic: 'places',
    title: 'Subscription Cancelled',
    message: 'The owner cancelled {plan}, and its waiting list with it.',
  },
  'cancelled-while-asking': {
    topic: 'places',
    title: 'Subscription Cancelled',
    message: 'The owner cancelled {plan}, and your request with it.',
  },
  'member-will-leave': {
    topic: 'places',
    title: 'Member Will Leave',
    message: '{member} leaves {plan} on {day}.',
  },
  'member-stays': { topic: 'places', title: 'Member Stays', message: '{member} stays in {plan}.' },
  'seat-will-end': {
    topic: 'places',
    title: 'Your Place Ends',
    message: 'Your place in {plan} ends on {day}.',
  },
  'seat-ended': {
    topic: 'places',
    title: 'Membership Ended',
    message:
      '{reason, select, unpaid {Your place in {plan} ended because it wasn’t paid.} no_access {{settlement, select, direct {Your place in {plan} ended because the owner didn’t give you access in time. They owe you a full refund.} other {Your place in {plan} ended because the owner didn’t give you access in time. You get a full refund.}}} problem {{settlement, select, direct {Your place in {plan} ended because it didn’t work. The owner owes you what you paid for the time since you reported it.} other {Your place in {plan} ended because it didn’t work. You get back what you paid for the time since you reported it.}}} owner_suspended {{settlement, select, direct {Your place in {plan} ended because its owner stayed suspended. The owner owes you what you paid for the time since.} other {Your place in {plan} ended because its owner stayed suspended. You get back what you paid for the time since.}}} member_suspended {{settlement, select, direct {Your place in {plan} ended because your account stayed suspended.} other {Your place in {plan} ended because your account stayed suspended. You get back what you paid for the time since.}}} other {Your place in {plan} has ended.}}',
  },
  'member-seat-ended': {
    topic: 'places',
    title: 'Place Free Again',
    message:
      '{reason, select, unpaid {{member} didn’t pay for {plan}, so the place is free again.} no_access {{settlement, select, direct {{member} didn’t get access to {plan} in time, so you owe them a full refund and the place is free again.} other {{member} didn’t get access to {plan} in time, so they get a full refund and the place is free again.}}} problem {The problem {member} reported with {plan} wasn’t fixed, so the place is free again.} owner_suspended {{settlement, select, direct {The place of {member} in {plan} ended because your account stayed suspended, so you owe them what they paid for the time since.} other {The place of {member} in {plan} ended because your account stayed suspended, so they get back what they paid for the time since.}}} other {The place of {member} in {plan} is free again.}}',
  },

  // Suspensions
  'owner-suspended': {
    topic: 'places',
    title: 'Owner Suspended',
    message:
      '{what, select, passing {The owner of {plan} is suspended until {until}. Nothing is charged until then.} direct {The owner of {plan} is suspended. Nothing is charged. If that isn’t lifted by {until}, your place ends, and {owner} owes you what you paid for the time since.} other {The owner of {plan} is suspended. Nothing is charged. If that isn’t lifted by {until}, your place ends, and you get back what you paid for the time since.}}',
  },
  'owner-back': {
    topic: 'places',
    title: 'Owner Is Back',
    message: 'The owner of {plan} is no longer suspended. Your place goes on as before.',
  },
  'member-suspended': {
    topic: 'places',
    title: 'Place Paused',
    message:
      '{what, select, passing {{member}’s place in {plan} is paused until {until}. Nothing is charged until then.} direct {{member}’s place in {plan} is paused. Nothing is charged. If that isn’t lifted by {until}, the place ends.} other {{member}’s place in {plan} is paused. Nothing is charged. If that isn’t lifted by {until}, the place ends, and they get back what they paid for the time since.}}',
  },
  'member-back': {
    topic: 'places',
    title: 'Place Goes On',
    message: '{member}’s place in {plan} goes on as before.',
  },
  'you-are-suspended': {
    topic: 'places',
    mailed: 'always',
    title: 'Account Suspended',
    message:
      '{what, select, passing {Your account is suspended until {until}. Your plans are hidden, and nothing is charged or paid out until then.} other {{ends, select, true {Your account is suspended until {at}.} other {Your account is suspended.}} Your plans are hidden, and nothing is charged or paid out. If that isn’t lifted by {until}, your places and those in your plans end, and what was paid for the time since goes back.}}',
  },
  'you-are-back': {
    topic: 'places',
    mailed: 'always',
    title: 'Account Open Again',
    message:
      '{ended, select, true {Your account is no longer suspended, and your plans can be found again. The places have ended.} other {Your account is no longer suspended. Your plans and places go on as before.}}',
  },
  'waiting-list-closed': {
    topic: 'places',
    title: 'Waiting List Closed',
    message: '{plan} takes no new members, so you’re no longer waiting for it.',
  },

  'contract-withdrawn': {
    topic: 'money',
    mailed: 'always',
    title: 'You Have Withdrawn',
    message:
      '{what, select, back {{name}, on {at} you withdrew from the contract for {plan}. {amount} comes back the way you paid it, within {days, plural, one {# day} other {# days}}.} owed {{name}, on {at} you withdrew from the contract for {plan}. {owner} owes you {amount}, within {days, plural, one {# day} other {# days}}.} held {{name}, on {at} you withdrew from the contract for {plan}. What comes back is held until your problem is closed.} under_way {{name}, on {at} you withdrew from the contract for {plan}. What your bank is debiting comes back once it has arrived.} other {{name}, on {at} you withdrew from the contract for {plan}. You pay us nothing.}}',
  },
  'member-withdrew': {
    topic: 'places',
    title: 'Member Withdrew',
    message:
      '{member} withdrew from the contract for {plan}. What you’ve earned stays yours, and the place is free again.',
  },

  // Money
  'member-says-paid': {
    topic: 'money',
    mailed: 'needs-answer',
    webhook: 'payment.claimed',
    title: 'Payment On Its Way',
    message:
      '{member} says they’ve paid {amount} for {plan}. Has it arrived? Without an answer by {day} it counts as received.',
  },
  'payment-back-claimed': {
    topic: 'money',
    mailed: 'needs-answer',
    webhook: 'payment.claimed',
    opens: '/payments',
    title: 'Has the Refund Arrived?',
    message:
      '{owner} says they’ve paid back {amount} for {plan}. Has it arrived? Without an answer by {day} it counts as received.',
  },
  'payment-back-denied': {
    topic: 'money',
    mailed: 'needs-answer',
    webhook: 'payment.late',
    opens: '/payments?tab=received',
    title: 'Refund Not Received',
    message: '{member} hasn’t received your refund of {amount} for {plan}: {note}',
  },
  'payment-unanswered': {
    topic: 'money',
    webhook: 'payment.paid',
    title: 'Counts as Received',
    message: '{amount} for {plan} counts as received, because there was no answer.',
  },
  'payment-unconfirmed': {
    topic: 'money',
    webhook: 'payment.late',
    title: 'Payment Not Confirmed After All',
    message: '{owner} took back that your {amount} for {plan} arrived.',
  },
  'payment-disagreement': {
    topic: 'money',
    webhook: 'payment.disputed',
    title: 'Our Team Decides',
    message:
      'You and {person} disagree about {amount} for {plan}. Our team decides within {days, plural, one {# day} other {# days}}.',
  },
  'payment-decided': {
    topic: 'money',
    webhook: 'payment.disputed',
    title: 'Payment Dispute Closed',
    message:
      '{outcome, select, received {Our team decided that {amount} for {plan} was paid: {reason}} denied {Our team decided that {amount} for {plan} was not paid: {reason}} other {Nobody could decide whether {amount} for {plan} was paid, so it counts for neither of you.}}',
  },
  'payment-left-unpaid': {
    topic: 'money',
    webhook: 'payment.late',
    opens: '/payments',
    title: 'Left Unpaid',
    message:
      'You used {plan} and left {amount} unpaid. Your payments say how to pay. Until then you can’t join plans of {owner}.',
  },
  'payment-member-left-unpaid': {
    topic: 'money',
    webhook: 'payment.late',
    opens: '/payments?tab=received',
    title: 'Left Unpaid',
    message: '{member} left {plan} with {amount} unpaid. They see how to pay you. You can let it go.',
  },
  'payment-waived': {
    topic: 'money',
    opens: '/payments',
    title: 'Payment Let Go',
    message: '{owner} lets go of {amount} for {plan}.',
  },
  'payment-debt-unkept': {
    topic: 'money',
    mailed: 'needs-answer',
    webhook: 'payment.late',
    opens: '/payments?tab=received',
    title: 'Refund Not Paid',
    message:
      'You haven’t paid back {amount} for {plan}. You can’t share plans or take new members until it’s settled.',
  },
  'payment-debt-closed': {
    topic: 'money',
    title: 'Refund Closed',
    message: 'Our team closed the refund of {amount} for {plan}: {note}',
  },
  'payment-received': {
    topic: 'money',
    webhook: 'payment.paid',
    title: 'Payment Received',
    message: '{owner} has received your {amount} for {plan}.',
  },
  'payment-not-received': {
    topic: 'money',
    mailed: 'needs-answer',
    webhook: 'payment.late',
    title: 'Payment Not Received',
    message: '{owner} hasn’t received your {amount} for {plan}: {note}',
  },
  'payment-nudge': {
    topic: 'money',
    webhook: 'payment.late',
    title: 'A Payment Is Missing',
    message: '{owner} asks you to pay {amount} for {plan}.',
  },
  'payment-due': {
    topic: 'money',
    webhook: { soon: 'payment.due', late: 'payment.late' },
    title: '{late, select, true {A Payment Is Missing} other {A Payment Is Due}}',
    message:
      '{late, select, true {{owner} hasn’t received your {amount} for {plan} yet.} other {{amount} for {plan} is due to {owner} today.}}',
  },
  'payment-went-back': {
    topic: 'money',
    title: 'Payment Refunded',
    message:
      'Your payment for {plan} was refunded. Our team says whether your place goes on. Otherwise it ends on {until}.',
  },
  'payment-of-member-went-back': {
    topic: 'money',
    title: 'Payment Refunded',
    message:
      'The payment of {member} for {plan} was refunded. Our team says whether the place goes on. Otherwise it ends on {until}.',
  },
  'place-kept': { topic: 'places', title: 'Your Place Goes On', message: 'Your place in {plan} goes on.' },
  'payment-made': {
    topic: 'money',
    webhook: 'payment.paid',
    title: 'Payment Received',
    message: 'We received your {amount} for {plan}.',
  },
  'member-paid': {
    topic: 'money',
    webhook: 'payment.paid',
    title: 'Member Has Paid',
    message: `{given, select, true {{member} has paid for {plan}.} other {{member} has paid for {plan}. Give them access within ${HOURS}.}}`,
  },
  'payment-failed': {
    topic: 'money',
    webhook: 'payment.late',
    title:
      '{why, select, undecided {Payment Not Made Yet} undecided_first {Payment Not Made Yet} other {Payment Failed}}',
    message:
      '{why, select, undecided {We couldn’t take your payment for {plan} yet. It’s not your card’s fault, and we’ll try again. Your place is kept until {until}. Your access is closed until then.} undecided_first {We couldn’t take your payment for {plan} yet. It’s not your card’s fault, and we’ll try again. Your place is kept until {until}.} refused {Your payment for {plan} failed because your bank refuses this card. Pay with another card by {until}. Your access is closed until then.} refused_first {Your payment for {plan} failed because your bank refuses this card. Pay with another card by {until} to keep your place.} declined_first {Your payment for {plan} failed. Confirm it or pay with another card by {until} to keep your place.} other {Your payment for {plan} failed, so your access is closed. We’ll try again on {until, date}, or pay with another card now.}}',
  },
  'payment-needs-action': {
    topic: 'money',
    webhook: 'payment.late',
    title: 'Payment Needs Your Confirmation',
    message:
      '{why, select, declined_first {Your payment for {plan} failed. Confirm it or pay with another card by {until} to keep your place.} other {Your payment for {plan} failed, so your access is closed. We’ll try again on {until, date}, or pay with another card now.}}',
  },
  'money-given-back': {
    topic: 'money',
    title: 'Refund on Its Way',
    message: 'We’re refunding {amount} of your payment for {plan}, the way you paid it.',
  },
  'refund-to-wallet': {
    topic: 'money',
    title: 'Refund In Your Wallet',
    message: 'We couldn’t refund {amount} for {plan} to your card, so it’s in your wallet.',
  },
  'owner-owes-you': {
    topic: 'money',
    webhook: 'payment.late',
    opens: '/payments',
    title: 'Money Owed to You',
    message:
      '{known, select, true {{owner} owes you {amount} for the time without access to {plan}.} other {{owner} owes you {amount} for the time without access to {plan}. Say where they can pay it.}}',
  },
  'you-owe-member': {
    topic: 'money',
    mailed: 'needs-answer',
    webhook: 'payment.late',
    opens: '/payments?tab=received',
    title: 'Refund a Member',
    message: 'You owe {member} {amount} for the time without access to {plan}.',
  },
  'owed-settled': {
    topic: 'money',
    webhook: 'payment.paid',
    title: 'Settled',
    message: '{member} says you’ve paid back the {amount} for {plan}.',
  },
  'renewal-coming': {
    topic: 'money',
    mailed: 'always',
    webhook: 'payment.due',
    title: 'Your Place Renews Soon',
    message: 'We’ll charge {amount} for {plan} on {day}. You can leave before then.',
  },
  'payment-debit-coming': {
    topic: 'money',
    mailed: 'always',
    webhook: 'payment.due',
    title: 'Your Place Renews Soon',
    message:
      'We’ll debit {amount} for {plan} on {day} or soon after, from your account ending in {account} (mandate {mandate}, creditor {creditor}). You can leave before then.',
  },
  'payment-mandate-ended': {
    topic: 'money',
    opens: '/cards',
    title: 'Add Another Way to Pay',
    message:
      'Your bank account ending in {account} can’t be debited any more, because its mandate has ended. Add a card or account to keep your places.',
  },
  'payment-under-way': {
    topic: 'money',
    mailed: 'always',
    title: 'Payment Under Way',
    message:
      '{admitted, select, true {Your bank debits {amount} for {plan} on {day} or soon after, from your account ending in {account} (mandate {mandate}, creditor {creditor}). You have your place meanwhile.} other {Your bank debits {amount} for {plan} on {day} or soon after, from your account ending in {account} (mandate {mandate}, creditor {creditor}). Your place is kept until then.}}',
  },
  'member-debited': {
    topic: 'money',
    title: 'New Member',
    message: `{given, select, true {{member}’s bank is being debited for {plan}.} other {{member}’s bank is being debited for {plan}. Give them access within ${HOURS}.}}`,
  },
  'terms-proposed': {
    topic: 'places',
    title: 'New Terms Proposed',
    message:
      '{cycle, select, yearly {{settlement, select, direct {The owner of {plan} proposes new terms: {share} a year, paid directly. Nothing changes unless you accept.} other {The owner of {plan} proposes new terms: {share} a year, paid through the site. Nothing changes unless you accept.}}} other {{settlement, select, direct {The owner of {plan} proposes new terms: {share} a month, paid directly. Nothing changes unless you accept.} other {The owner of {plan} proposes new terms: {share} a month, paid through the site. Nothing changes unless you accept.}}}}',
  },
  'share-proposed': {
    topic: 'places',
    title: 'New Share Proposed',
    message:
      'The owner of {plan} proposes {share} every {months, plural, one {month} other {# months}} as your share. Nothing changes unless you accept.',
  },
  'share-lowered': {
    topic: 'places',
    title: 'Your Share Is Lower',
    message:
      'Your share of {plan} is {share} every {months, plural, one {month} other {# months}} from the next payment on.',
  },
  'price-announced': {
    topic: 'places',
    title: 'New Price Announced',
    message:
      '{owner} says that {plan} will cost {cost} every {months, plural, one {month} other {# months}} from {day}. Your share stays the same unless you accept another one.',
  },
  'pause-announced': {
    topic: 'places',
    title: 'Pause Announced',
    message:
      '{owner} says that the provider will pause {plan} on {day}. If you lose access then, report it on the plan’s page.',
  },
  'notice-withdrawn': {
    topic: 'places',
    title: '{kind, select, pause {No Pause} other {No New Price}}',
    message:
      '{kind, select, pause {{owner} says that {plan} goes on without a pause.} other {{owner} says that the price of {plan} stays the same.}}',
  },
  'place-claimed': {
    topic: 'places',
    title: 'Is It the Same Person?',
    message:
      '{member} has taken over the place of {guest} in {plan}. Say whether it is the same person; until then they see no login.',
    opens: 'plan',
  },
  'guest-note': {
    topic: 'messages',
    title: 'A Note from {member}',
    message: '{member} has written a note about {plan}.',
    opens: 'plan',
  },
  'owner-note': {
    topic: 'messages',
    title: 'A Note from {owner}',
    message: '{owner} has written a note about {plan}.',
  },
  'pin-used-up': {
    topic: 'access',
    title: 'Too Many Wrong PINs',
    message:
      'Somebody with the link of {member} has typed a wrong PIN for {plan} {tries} times. If it was {member}, make a new PIN; otherwise make a new link.',
    opens: 'plan',
  },
  'claim-refused': {
    topic: 'places',
    title: 'Place Taken Back',
    message: '{owner} says that the place in {plan} is somebody else’s.',
  },
  // Handing a plan over
  'plan-offered': {
    topic: 'places',
    title: 'Will You Take the Plan Over?',
    message: '{owner} would like to hand {plan} over to you. Nothing changes unless you accept.',
    opens: 'plan',
  },
  'plan-offer-accepted': {
    topic: 'places',
    title: 'Your Plan Changes Hands',
    message: '{member} takes over {plan} on {day}.',
    opens: 'plan',
  },
  'plan-offer-declined': {
    topic: 'places',
    title: 'Your Plan Stays Yours',
    message: '{member} doesn’t take over {plan}.',
    opens: 'plan',
  },
  'plan-offer-withdrawn': {
    topic: 'places',
    title: 'Offer Withdrawn',
    message: '{owner} keeps {plan}.',
    opens: 'plan',
  },
  'plan-handed-over': {
    topic: 'places',
    title: 'Your Plan Has a New Owner',
    message:
      '{plan} belongs to {owner} now. You pay {owner} from your next payment on. What is due for earlier periods is still owed to {former}.',
    opens: 'plan',
  },
  'plan-is-yours': {
    topic: 'places',
    title: 'The Plan Is Yours',
    message:
      '{plan} belongs to you now, and members pay you from their next payments on. The login of {member} is deleted: add how people get in.',
    opens: 'plan',
  },
  'plan-no-longer-yours': {
    topic: 'places',
    title: 'You’ve Handed Your Plan Over',
    message:
      '{plan} belongs to {owner} now, and you have a place in it that you pay from {day} on. What is due for earlier periods is still owed to you.',
    opens: 'plan',
  },
  'handover-off': {
    topic: 'places',
    title: 'Plan Not Handed Over',
    message:
      '{why, select, left {{plan} stays with {owner}: {member} has left or is leaving.} terms {{plan} stays with {owner} for now: its price has changed, so {owner} has to offer it again.} problem {{plan} stays with {owner}: a problem or dispute is open.} other {{plan} stays with {owner}: it can’t be handed over to {member} any more.}}',
    opens: 'plan',
  },
  'invitation-ended': {
    topic: 'places',
    title: 'Invitation Ended',
    message: '{plan} has a new owner, so your invitation has ended.',
  },
  'carrier-left': {
    topic: 'places',
    title: 'Divide the Price Again',
    message:
      '{member} has left {plan} and paid for others there. Until you divide the price again, that is yours to pay.',
  },
  'terms-accepted': {
    topic: 'places',
    title: 'New Terms Accepted',
    message: '{member} accepted the new terms of {plan}, from the next period.',
  },
  'terms-refused': {
    topic: 'places',
    title: 'Old Terms Kept',
    message: '{member} is keeping the old terms of {plan}.',
  },
  'first-coins': {
    topic: 'places',
    isGoodNews: true,
    title: 'First Coins',
    message: 'Your first {coins} coins are in your wallet.',
  },
  'coins-handed-over': {
    topic: 'money',
    title: 'Coins From Your Closed Account',
    message: '{coins} coins that were left in the account you closed are in your wallet.',
  },
  'wallet-adjusted': {
    topic: 'money',
    title: 'Wallet Adjusted',
    message:
      '{way, select, added {{coins} coins were added to your wallet: {reason}} other {{coins} coins were taken from your wallet: {reason}}}',
  },
  'payout-account-ready': {
    topic: 'money',
    title: 'Payouts Are Ready',
    message: 'You can now share plans that members pay for by card.',
  },
  'payout-account-stopped': {
    topic: 'money',
    title: 'Payouts Have Stopped',
    message:
      'Your payout account can’t be sent money until you’ve given what’s missing. What you earn waits in your wallet.',
  },
  'payout-account-refused': {
    topic: 'money',
    title: 'Your Account Didn’t Accept Money',
    message:
      '{amount} couldn’t be sent to your payout account, so they’re in your wallet. Please check the account.',
  },
  'tax-details-wanted': {
    topic: 'money',
    opens: '/account-settings/money',
    title: 'Tax Details Needed',
    message:
      'The law has us report to the tax office what you earn here. Please tell us who you are and your tax number.',
  },
  'payout-taken-back': {
    topic: 'money',
    title: 'A Payment Was Taken Back',
    message:
      '{why, select, warned {A bank calls a payment for {plan} fraud, so we refunded it, and {amount} are taken back from your payout account.} refunded {We refunded a payment for {plan}, so {amount} are taken back from your payout account.} other {The bank of a member of {plan} took a payment back, so {amount} are taken back from your payout account. If we win, you get it back.}}',
  },
  'payout-returned': {
    topic: 'money',
    title: 'Payout Returned',
    message: 'Your bank returned a payout of {amount}. Please check the bank account of your payout account.',
  },
  'payout-held': {
    topic: 'money',
    mailed: 'always',
    title: 'Payouts Held',
    message:
      'We’re holding your payouts until {day}, because you haven’t added a bank account. Write to us, and we’ll let you add one.',
  },
  'payout-released': {
    topic: 'money',
    mailed: 'always',
    title: 'Payouts Free Again',
    message: 'Your payouts are no longer held.',
  },
  'withdrawal-processing': {
    topic: 'money',
    title: 'Withdrawal Processing',
    message: 'Your withdrawal of {coins} coins is now processing.',
  },
  'withdrawal-completed': {
    topic: 'money',
    title: 'Withdrawal Completed',
    message: 'Your withdrawal of {coins} coins is now completed.',
  },
  'withdrawal-rejected': {
    topic: 'money',
    title: 'Withdrawal Rejected',
    message: 'Your withdrawal of {coins} coins is now rejected.',
  },
  'withdrawal-returned': {
    topic: 'money',
    title: 'Withdrawal Returned',
    message:
      'Your bank returned your withdrawal of {coins} coins: {reason}. The coins are back in your wallet. Please check your bank account.',
  },

  // Access, milestones and problems
  'access-given': {
    topic: 'access',
    title: 'You Have Access',
    message:
      '{invited, select, true {{owner} sent your invitation to {plan} to {address}. Does it work?} other {{owner} gave you access to {plan}. Does it work?}}',
  },
  'access-confirmed': { topic: 'access', title: 'Access Works', message: '{member} says {plan} works.' },
  'access-reminder': {
    topic: 'access',
    mailed: 'needs-answer',
    title: 'Give Access Now',
    message:
      '{settlement, select, direct {{member} has paid for {plan} and is waiting for access. Without it by {until}, you owe a full refund and the place is free again.} other {{member} has paid for {plan} and is waiting for access. Without it by {until}, they get a full refund and the place is free again.}}',
  },
  'access-changed': {
    topic: 'access',
    title:
      '{part, select, login {{first, select, true {Account Login Stored} other {Account Login Changed}}} other {{first, select, true {Access Stored} other {Access Changed}}}}',
    message:
      '{part, select, login {{first, select, true {The account login for {plan} is on the plan’s page.} other {The account login for {plan} has changed. See the plan’s page.}}} other {{first, select, true {Your access to {plan} is on the plan’s page.} other {Your access to {plan} has changed. See the plan’s page.}}}}',
  },
  'password-due': {
    topic: 'access',
    title: 'Change the Password',
    message:
      '{member} is no longer in {plan} but still knows the password. Change it at the provider, then save the new one here.',
  },
  'first-month': {
    topic: 'places',
    isGoodNews: true,
    title: 'First Month Complete',
    message: 'Your first month in {plan} is complete.',
  },
  'member-first-month': {
    topic: 'places',
    isGoodNews: true,
    title: 'First Month Complete',
    message: '{member} has been in {plan} for a whole month.',
  },
  'problem-reported': {
    topic: 'access',
    webhook: 'problem',
    title: 'Problem Reported',
    message:
      '{reason, select, code {The provider asks {member} for a code to sign in to {plan}. It has sent the code to you: pass it on.} household {The provider tells {member} that {plan} is for another household.} other {{member} has a problem with {plan}.}} {money, select, you_owe {Answer by {until}. Otherwise the place ends, and you owe {member} what was paid for the time since the report.} other {Answer by {until}. Otherwise the place ends, and {member} gets back what was paid for the time since the report.}}',
  },
  'problem-not-fixed': {
    topic: 'access',
    webhook: 'problem',
    title: 'Still Not Fixed',
    message:
      '{money, select, you_owe {{member} still has a problem with {plan}. Answer by {until}. Otherwise the place ends, and you owe {member} what was paid for the time since the report.} other {{member} still has a problem with {plan}. Answer by {until}. Otherwise the place ends, and {member} gets back what was paid for the time since the report.}}',
  },
  'problem-fixed': {
    topic: 'access',
    webhook: 'problem',
    title: 'Is It Fixed?',
    message: '{owner} says {plan} is fixed. Is it? If you don’t answer by {until}, it counts as fixed.',
  },
  'problem-with-staff': {
    topic: 'access',
    webhook: 'problem',
    title: 'Our Team Decides',
    message: `{held, select, true {Our team decides on the problem with {plan} within ${HOURS}. The money stays held until then.} other {Our team decides on the problem with {plan} within ${HOURS}.}}`,
  },
  'problem-closed': {
    topic: 'access',
    webhook: 'problem',
    title: 'Problem Closed',
    message:
      '{outcome, select, fixed {The problem with {plan} is fixed. The time without access is refunded.} withdrawn {{member} withdrew the report about {plan}.} for_owner {Our team decided for {owner} about {plan}. See why.} for_member {Our team decided for {member} about {plan}. See why.} owner_silent {{money, select, you_owe {{owner} didn’t answer about {plan} in time, so you owe {member} what was paid for the time since the report.} owes_you {{owner} didn’t answer about {plan} in time, so {owner} owes you what was paid for the time since the report.} you_get {{owner} didn’t answer about {plan} in time, so you get back what was paid for the time since the report.} other {{owner} didn’t answer about {plan} in time, so {member} gets back what was paid for the time since the report.}}} owner_ended {{money, select, you_owe {The place in {plan} was ended while a problem was open, so you owe {member} what was paid for the time since the report.} owes_you {The place in {plan} was ended while a problem was open, so {owner} owes you what was paid for the time since the report.} you_get {The place in {plan} was ended while a problem was open, so you get back what was paid for the time since the report.} other {The place in {plan} was ended while a problem was open, so {member} gets back what was paid for the time since the report.}}} other {{money, select, you_owe {Our team didn’t decide about {plan} in time. The place ends, and you owe {member} what was paid for the time since the report.} owes_you {Our team didn’t decide about {plan} in time. The place ends, and {owner} owes you what was paid for the time since the report.} you_get {Our team didn’t decide about {plan} in time. The place ends, and you get back what was paid for the time since the report.} other {Our team didn’t decide about {plan} in time. The place ends, and {member} gets back what was paid for the time since the report.}}}}',
  },

  // Reviews and decisions
  'review-waits': {
    topic: 'team',
    title: 'You Have a New Review',
    message:
      '{person} reviewed you for {plan}. Write yours to read it, or wait {days, plural, one {# day} other {# days}}.',
  },
  'reviews-shown': {
    topic: 'team',
    title: 'Both Reviews Are In',
    message: '{person} also reviewed you for {plan}. You can both read them now.',
  },
  decision: {
    topic: 'team',
    mailed: 'always',
    opens: '/decision/{id}',
    title:
      '{measure, select, warned {A Warning} plan_rejected {Plan Rejected} plan_hidden {Plan Hidden} plan_made_private {Your Plan Is Now Private} provider_closed {Your Plan Takes Nobody New} review_hidden {Review Hidden} message_removed {Message Removed} picture_removed {Picture Removed} suspended {Account Suspended} other {Payouts Held}}',
    message: `${MEASURE}${FACTS} ${GROUND}${SCOPE}`,
  },
  'appeal-decided': {
    topic: 'team',
    mailed: 'always',
    opens: '/decision/{id}',
    title: '{outcome, select, reversed {Decision Taken Back} other {Decision Upheld}}',
    message:
      '{outcome, select, reversed {Your appeal was right, and we’ve taken the decision back.} other {We’ve looked at your appeal, and the decision stands.}} {again, select, true {The same person decided, after a day, since the team has nobody else for it.} other {Someone else than before has decided.}} {answer}',
  },
  'plan-not-listed': {
    topic: 'places',
    title: 'Plan No Longer Listed',
    message:
      '{plan} is now shared only by invitation, so you can no longer get a place there. You pay nothing.',
  },
  'report-received': {
    topic: 'team',
    mailed: 'always',
    title: 'We Have Your Report',
    message: 'Your report has arrived. A person looks at it, and we tell you what we decide.',
  },
  'report-decided': {
    topic: 'team',
    mailed: 'always',
    title: 'Your Report Was Decided',
    message: `We’ve looked at your report about {kind, select, plan {{plan}} other {{person}}}. {outcome, select, none {We found nothing to act on: {answer}} other {You were right, and we’ve acted on it. ${GROUND}}}`,
  },
  'plan-approved': { topic: 'team', title: 'Plan Approved', message: 'Everyone can now see {plan}.' },
  'provider-request-approved': {
    topic: 'team',
    title: 'Provider Request Approved',
    message: 'Your request to add {provider} has been approved.',
  },
  'provider-request-rejected': {
    topic: 'team',
    title: 'Provider Request Rejected',
    message: 'Your request to add {provider} has been rejected.',
  },
  'admin-access-approved': {
    topic: 'team',
    title: 'Admin Access Approved',
    message: 'Your request for admin access has been approved.',
  },
  'admin-access-rejected': {
    topic: 'team',
    title: 'Admin Access Rejected',
    message: 'Your request for admin access has been rejected.',
  },
  'role-given': {
    topic: 'team',
    opens: '/admin',
    title: 'You’re on the Team',
    message: 'You can now open the administration.',
  },
  'support-answered': { topic: 'team', opens: '/help', title: 'New Answer', message: '{answer}' },
  'webhook-stopped': {
    topic: 'access',
    opens: '/account-settings/programs',
    title: 'A Webhook Has Stopped',
    message:
      '{why, select, gone {“{name}” said that it’s gone, so nothing more is sent there.} other {“{name}” hasn’t taken anything for a day, so nothing more is sent there.}}',
  },
  'chat-message': {
    topic: 'messages',
    webhook: 'message',
    title: 'New Message',
    message: '{person} wrote to you about {plan}.',
  },
  'push-test': { topic: 'places', title: 'This Is a Test', message: 'Notifications work on this device.' },

  // For staff
  'support-asked': {
    topic: 'team',
    opens: '/admin/cases',
    title: 'New Help Request',
    message: '{person}: {request}',
  },
  'tax-country-differs': {
    topic: 'money',
    title: 'Countries That Contradict Each Other',
    message:
      '{person} says they live in {declared}, but pays from {card}. Say on their page which one decides the VAT.',
  },
  'tax-threshold': {
    topic: 'money',
    title: 'Sales to Other EU Countries',
    message:
      'Fees of {amount} came from members in other EU countries this year: at least {percent}% of the {cost} up to which your own country’s VAT applies.',
  },
  'payment-refund-to-decide': {
    topic: 'money',
    title: 'A Refund to Decide About',
    message:
      'A payment of {member} for {plan} was refunded at the provider. Say by {until} whether the place ends or goes on.',
  },
  'person-suspended': {
    topic: 'places',
    title: 'Places Will End',
    message:
      '{person} is suspended. If that isn’t lifted by {until}, {places, plural, one {# place ends} other {# places end}}.',
  },
  'payout-account-missing': {
    topic: 'money',
    opens: '/admin/people/{id}',
    title: 'No Bank Account to Pay Out To',
    message: '{person} is suspended and has {coins} coins, but no bank account.',
  },
  'payout-by-one-admin': {
    topic: 'money',
    mailed: 'always',
    opens: '/admin?tab=settings',
    title: 'Withdrawals Will Take One Admin',
    message:
      '{person} turned off “Two admins per withdrawal”: from {until}, one admin can approve and complete it. You can cancel this in the site settings.',
  },
  'payout-by-two-admins': {
    topic: 'money',
    opens: '/admin?tab=settings',
    title: 'Withdrawals Take Two Admins',
    message: '{person} turned on “Two admins per withdrawal”: one admin approves it, another completes it.',
  },
  'problem-to-decide': {
    topic: 'access',
    opens: '/admin/problems',
    title: 'Problem to Decide',
    message: 'Owner and member of {plan} disagree.',
  },
  'payment-to-decide': {
    topic: 'money',
    opens: '/admin/problems',
    title: 'Payment to Decide',
    message: 'Owner and member of {plan} disagree about a payment.',
  },
  'payment-disputes-often': {
    topic: 'money',
    opens: '/admin/people/{id}',
    title: 'Many Payment Disputes',
    message: '{person} is in a payment dispute for the third time or more.',
  },
  'payment-disputed': {
    topic: 'money',
    opens: '/admin/disputes',
    title: 'A Payment Is Disputed',
    message: 'A member of {plan} disputed {amount} with their bank. Answer the provider in time.',
  },
  'payment-dispute-due': {
    topic: 'money',
    opens: '/admin/disputes',
    title: 'A Dispute Must Be Answered',
    message: 'Answer the dispute about {plan} by {until}, or the bank keeps {amount}.',
  },
  'payment-answer-refused': {
    topic: 'money',
    opens: '/admin/disputes',
    title: 'An Answer Was Refused',
    message: 'The provider did not take our answer to a dispute about {plan} ({reason}). Answer it there.',
  },
  'payment-fraud-warned': {
    topic: 'money',
    opens: '/admin/disputes',
    title: 'Early Fraud Warning',
    message:
      'A bank calls a payment of {amount} for {plan} fraud. Refunded in time, it does not become a dispute.',
  },
  'payment-debt': {
    topic: 'money',
    opens: '/payments',
    title: 'You Owe a Returned Debit',
    message:
      'Your bank took back a debit for {plan} that we had refunded. Please pay us {amount}. Until then you can’t withdraw coins or take a new place through the site.',
  },
  'payment-debt-paid': {
    topic: 'money',
    opens: '/payments',
    title: 'Debt Paid',
    message: 'You’ve paid what you owed for {plan}. Thank you.',
  },
  'payment-debt-opened': {
    topic: 'money',
    opens: '/admin/disputes',
    title: 'A Member Owes the Site',
    message:
      'The bank of a member of {plan} took back a debit after a refund. The member owes {amount}, which the guarantee account covers for now.',
  },
  'payment-withdrawals-many': {
    topic: 'money',
    opens: '/admin/disputes',
    title: 'Many Withdrawals',
    message:
      '{member} has withdrawn from {withdrawals, plural, one {# contract} other {# contracts}} within a year, and gets new places through the site only once you lift that.',
  },
  'payment-returned-twice': {
    topic: 'money',
    opens: '/admin/disputes',
    title: 'A Payment Went Back Twice',
    message:
      '{amount} of a payment for {plan} were refunded, and its bank had taken them back too. The guarantee account covers {rest}.',
  },
  'payment-returned': {
    topic: 'money',
    opens: '/admin/disputes',
    title: 'A Payment Was Returned',
    message: 'The bank of a member of {plan} took back {amount}. There’s nothing to answer.',
  },
  'payment-jobs-fail': {
    topic: 'money',
    opens: '/admin/disputes',
    title: 'Payments Fail',
    message: `Charges or refunds have been failing for ${HOURS}. We keep trying: {error}`,
  },
  'payment-books-differ': {
    topic: 'money',
    opens: '/admin/disputes',
    title: 'The Books Differ From the Provider',
    message:
      'The nightly check found {differences, plural, one {a difference} other {# differences}}. See the unknown events.',
  },
  'payment-returned-by-hand': {
    topic: 'money',
    opens: '/admin/disputes',
    title: 'Refund Exceeds Held Money',
    message:
      '{amount} of a payment for {plan} was refunded at the provider. The guarantee account covers {rest}, as no more was held.',
  },
}

/** The words of each event, without its other properties. */
export const eventWords: Record<string, Words> = Object.fromEntries(
  Object.entries(events).map(([event, { title, message }]) => [event, { title, message }]),
)
