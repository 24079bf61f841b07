// Each notification of the database in English, as messages with the parameters of its event (ICU MessageFormat). `npm run messages` compiles
// them into the database's own function (schemas/account/event_words.sql), and their translations in supabase/locales into the files beside this one.

export interface Words {
  title: string
  message: string
}

const HOURS = '{hours, plural, one {# hour} other {# hours}}'

/** The words of each event. */
export const events: Record<string, Words> = {
  // Asking for a place
  'request-made': { title: 'New Join Request', message: '{member} would like to join {plan}.' },
  'request-cancelled': { title: 'Request Cancelled', message: '{member} no longer wants to join {plan}.' },
  'request-expiring': {
    title: 'Request Expiring Soon',
    message: `{member} is waiting for your answer about {plan}. The request expires within ${HOURS}.`,
  },
  'request-expired': {
    title: 'Request Expired',
    message: `The owner of {plan} didn’t answer within ${HOURS}. You can ask again.`,
  },
  'request-approved': {
    title: 'Request Approved',
    message: 'Your request to join {plan} has been approved.',
  },
  'request-rejected': {
    title: 'Request Rejected',
    message: 'Your request to join {plan} has been rejected.',
  },
  'let-in': { title: 'You Are In', message: 'You have a place in {plan}.' },
  'member-let-in': { title: 'New Member', message: '{member} has joined {plan} instantly.' },
  'question-asked': { title: 'New Question', message: '{person} has a question about {plan}.' },
  'invitation-accepted': { title: 'Invitation Accepted', message: '{member} has joined {plan}.' },
  'invitation-declined': {
    title: 'Invitation Declined',
    message: '{email} has declined your invitation to {plan}.',
  },
  joined: { title: 'You Are In', message: 'You have joined {plan}.' },
  'place-offered': {
    title: 'Place Offered',
    message: `A place in {plan} is free. We’re keeping it for you for ${HOURS}.`,
  },
  'offer-lapsed': {
    title: 'Offer Lapsed',
    message: `You didn’t take the place in {plan} within ${HOURS}, so it’s no longer kept for you.`,
  },
  'plan-found': {
    title: 'Plan Found',
    message: '{plan} has a place for {cost} a month, shared by {person}.',
  },
  'comes-first': {
    title: 'You Come First',
    message:
      'You lost your place in {plan} through no fault of your own. Until {day} you’re first in line for plans like it.',
  },

  // Leaving and ending
  'member-left': { title: 'Member Left', message: '{member} has left {plan}.' },
  'membership-ended': { title: 'Membership Ended', message: 'You are no longer a member of {plan}.' },
  'plan-cancelled': { title: 'Subscription Cancelled', message: 'The owner cancelled {plan}.' },
  'cancelled-while-waiting': {
    title: 'Subscription Cancelled',
    message: 'The owner cancelled {plan}, and its waiting list with it.',
  },
  'cancelled-while-asking': {
    title: 'Subscription Cancelled',
    message: 'The owner cancelled {plan}, and your request with it.',
  },
  'member-will-leave': { title: 'Member Will Leave', message: '{member} leaves {plan} on {day}.' },
  'member-stays': { title: 'Member Stays', message: '{member} stays in {plan}.' },
  'seat-will-end': { title: 'Your Place Ends', message: 'Your place in {plan} ends on {day}.' },
  'seat-ended': {
    title: 'Membership Ended',
    message:
      '{reason, select, unpaid {Your place in {plan} ended because it wasn’t paid.} no_access {{settlement, select, direct {Your place in {plan} ended because the owner didn’t give you access in time. They owe you a full refund.} other {Your place in {plan} ended because the owner didn’t give you access in time. You get a full refund.}}} problem {{settlement, select, direct {Your place in {plan} ended because it didn’t work. The owner owes you what you paid for the time since you reported it.} other {Your place in {plan} ended because it didn’t work. You get back what you paid for the time since you reported it.}}} owner_suspended {{settlement, select, direct {Your place in {plan} ended because its owner stayed suspended. The owner owes you what you paid for the time since.} other {Your place in {plan} ended because its owner stayed suspended. You get back what you paid for the time since.}}} member_suspended {{settlement, select, direct {Your place in {plan} ended because your account stayed suspended.} other {Your place in {plan} ended because your account stayed suspended. You get back what you paid for the time since.}}} other {Your place in {plan} has ended.}}',
  },
  'member-seat-ended': {
    title: 'Place Free Again',
    message:
      '{reason, select, unpaid {{member} didn’t pay for {plan}, so the place is free again.} no_access {{settlement, select, direct {{member} didn’t get access to {plan} in time, so you owe them a full refund and the place is free again.} other {{member} didn’t get access to {plan} in time, so they get a full refund and the place is free again.}}} problem {The problem {member} reported with {plan} wasn’t fixed, so the place is free again.} owner_suspended {{settlement, select, direct {The place of {member} in {plan} ended because your account stayed suspended, so you owe them what they paid for the time since.} other {The place of {member} in {plan} ended because your account stayed suspended, so they get back what they paid for the time since.}}} other {The place of {member} in {plan} is free again.}}',
  },

  // Suspensions
  'owner-suspended': {
    title: 'Owner Suspended',
    message:
      '{what, select, passing {The owner of {plan} is suspended until {until}. Nothing is charged until then.} direct {The owner of {plan} is suspended. Nothing is charged. If that isn’t lifted by {until}, your place ends, and {owner} owes you what you paid for the time since.} other {The owner of {plan} is suspended. Nothing is charged. If that isn’t lifted by {until}, your place ends, and you get back what you paid for the time since.}}',
  },
  'owner-back': {
    title: 'Owner Is Back',
    message: 'The owner of {plan} is no longer suspended. Your place goes on as before.',
  },
  'member-suspended': {
    title: 'Place Paused',
    message:
      '{what, select, passing {{member}’s place in {plan} is paused until {until}. Nothing is charged until then.} direct {{member}’s place in {plan} is paused. Nothing is charged. If that isn’t lifted by {until}, the place ends.} other {{member}’s place in {plan} is paused. Nothing is charged. If that isn’t lifted by {until}, the place ends, and they get back what they paid for the time since.}}',
  },
  'member-back': { title: 'Place Goes On', message: '{member}’s place in {plan} goes on as before.' },
  'you-are-suspended': {
    title: 'Account Suspended',
    message:
      '{what, select, passing {Your account is suspended until {until}. Your plans are hidden, and nothing is charged or paid out until then.} other {Your account is suspended. Your plans are hidden, and nothing is charged or paid out. If that isn’t lifted by {until}, your places and those in your plans end, and what was paid for the time since goes back.}}{because, select, true { The reason: {reason}} other {}}',
  },
  'you-are-back': {
    title: 'Account Open Again',
    message:
      '{ended, select, true {Your account is no longer suspended, and your plans can be found again. The places have ended.} other {Your account is no longer suspended. Your plans and places go on as before.}}',
  },
  'waiting-list-closed': {
    title: 'Waiting List Closed',
    message: '{plan} takes no new members, so you’re no longer waiting for it.',
  },

  'contract-made': {
    title: 'Payment Received',
    message:
      'We received your {amount} for {plan}. On {at} you asked us to begin at once. You can withdraw from this contract until {until}.',
  },
  'contract-changed': {
    title: 'New Contract',
    message:
      'From your next month you pay for {plan} through the site. On {at} you asked us to begin at once. You can withdraw from this contract until {until}.',
  },
  'contract-withdrawn': {
    title: 'You Have Withdrawn',
    message:
      '{what, select, back {{name}, on {at} you withdrew from the contract for {plan}. {amount} comes back the way you paid it, within {days, plural, one {# day} other {# days}}.} held {{name}, on {at} you withdrew from the contract for {plan}. What comes back is held until your problem is closed.} under_way {{name}, on {at} you withdrew from the contract for {plan}. What your bank is debiting comes back once it has arrived.} other {{name}, on {at} you withdrew from the contract for {plan}. You pay us nothing.}}',
  },
  'member-withdrew': {
    title: 'Member Withdrew',
    message:
      '{member} withdrew from the contract for {plan}. What you’ve earned stays yours, and the place is free again.',
  },

  // Money
  'member-says-paid': {
    title: 'Payment On Its Way',
    message:
      '{member} says they’ve paid {amount} for {plan}. Has it arrived? Without an answer by {day} it counts as received.',
  },
  'payment-back-claimed': {
    title: 'Has the Refund Arrived?',
    message:
      '{owner} says they’ve paid back {amount} for {plan}. Has it arrived? Without an answer by {day} it counts as received.',
  },
  'payment-back-denied': {
    title: 'Refund Not Received',
    message: '{member} hasn’t received your refund of {amount} for {plan}: {note}',
  },
  'payment-unanswered': {
    title: 'Counts as Received',
    message: '{amount} for {plan} counts as received, because there was no answer.',
  },
  'payment-unconfirmed': {
    title: 'Payment Not Confirmed After All',
    message: '{owner} took back that your {amount} for {plan} arrived.',
  },
  'payment-disagreement': {
    title: 'Our Team Decides',
    message:
      'You and {person} disagree about {amount} for {plan}. Our team decides within {days, plural, one {# day} other {# days}}.',
  },
  'payment-decided': {
    title: 'Payment Dispute Closed',
    message:
      '{outcome, select, received {Our team decided that {amount} for {plan} was paid: {reason}} denied {Our team decided that {amount} for {plan} was not paid: {reason}} other {Nobody could decide whether {amount} for {plan} was paid, so it counts for neither of you.}}',
  },
  'payment-left-unpaid': {
    title: 'Left Unpaid',
    message:
      'You used {plan} and left {amount} unpaid. Your payments say how to pay. Until then you can’t join plans of {owner}.',
  },
  'payment-member-left-unpaid': {
    title: 'Left Unpaid',
    message: '{member} left {plan} with {amount} unpaid. They see how to pay you. You can let it go.',
  },
  'payment-waived': { title: 'Payment Let Go', message: '{owner} lets go of {amount} for {plan}.' },
  'payment-debt-unkept': {
    title: 'Refund Not Paid',
    message:
      'You haven’t paid back {amount} for {plan}. You can’t share plans or take new members until it’s settled.',
  },
  'payment-debt-closed': {
    title: 'Refund Closed',
    message: 'Our team closed the refund of {amount} for {plan}: {note}',
  },
  'payment-received': {
    title: 'Payment Received',
    message: '{owner} has received your {amount} for {plan}.',
  },
  'payment-not-received': {
    title: 'Payment Not Received',
    message: '{owner} hasn’t received your {amount} for {plan}: {note}',
  },
  'payment-nudge': { title: 'A Payment Is Missing', message: '{owner} asks you to pay {amount} for {plan}.' },
  'payment-due': {
    title: '{late, select, true {A Payment Is Missing} other {A Payment Is Due}}',
    message:
      '{late, select, true {{owner} hasn’t received your {amount} for {plan} yet.} other {{amount} for {plan} is due to {owner} today.}}',
  },
  'payment-went-back': {
    title: 'Payment Refunded',
    message:
      'Your payment for {plan} was refunded. Our team says whether your place goes on. Otherwise it ends on {until}.',
  },
  'payment-of-member-went-back': {
    title: 'Payment Refunded',
    message:
      'The payment of {member} for {plan} was refunded. Our team says whether the place goes on. Otherwise it ends on {until}.',
  },
  'place-kept': { title: 'Your Place Goes On', message: 'Your place in {plan} goes on.' },
  'payment-made': { title: 'Payment Received', message: 'We received your {amount} for {plan}.' },
  'member-paid': {
    title: 'Member Has Paid',
    message: `{given, select, true {{member} has paid for {plan}.} other {{member} has paid for {plan}. Give them access within ${HOURS}.}}`,
  },
  'payment-failed': {
    title:
      '{why, select, undecided {Payment Not Made Yet} undecided_first {Payment Not Made Yet} other {Payment Failed}}',
    message:
      '{why, select, undecided {We couldn’t take your payment for {plan} yet. It’s not your card’s fault, and we’ll try again. Your place is kept until {until}. Your access is closed until then.} undecided_first {We couldn’t take your payment for {plan} yet. It’s not your card’s fault, and we’ll try again. Your place is kept until {until}.} refused {Your payment for {plan} failed because your bank refuses this card. Pay with another card by {until}. Your access is closed until then.} refused_first {Your payment for {plan} failed because your bank refuses this card. Pay with another card by {until} to keep your place.} declined_first {Your payment for {plan} failed. Confirm it or pay with another card by {until} to keep your place.} other {Your payment for {plan} failed, so your access is closed. We’ll try again on {until, date}, or pay with another card now.}}',
  },
  'payment-needs-action': {
    title: 'Payment Needs Your Confirmation',
    message:
      '{why, select, declined_first {Your payment for {plan} failed. Confirm it or pay with another card by {until} to keep your place.} other {Your payment for {plan} failed, so your access is closed. We’ll try again on {until, date}, or pay with another card now.}}',
  },
  'money-given-back': {
    title: 'Refund on Its Way',
    message: 'We’re refunding {amount} of your payment for {plan}, the way you paid it.',
  },
  'refund-to-wallet': {
    title: 'Refund In Your Wallet',
    message: 'We couldn’t refund {amount} for {plan} to your card, so it’s in your wallet.',
  },
  'owner-owes-you': {
    title: 'Money Owed to You',
    message:
      '{known, select, true {{owner} owes you {amount} for the time without access to {plan}.} other {{owner} owes you {amount} for the time without access to {plan}. Say where they can pay it.}}',
  },
  'you-owe-member': {
    title: 'Refund a Member',
    message: 'You owe {member} {amount} for the time without access to {plan}.',
  },
  'owed-settled': { title: 'Settled', message: '{member} says you’ve paid back the {amount} for {plan}.' },
  'renewal-coming': {
    title: 'Your Place Renews Soon',
    message: 'We’ll charge {amount} for {plan} on {day}. You can leave before then.',
  },
  'payment-debit-coming': {
    title: 'Your Place Renews Soon',
    message:
      'We’ll debit {amount} for {plan} on {day} or soon after, from your account ending in {account} (mandate {mandate}, creditor {creditor}). You can leave before then.',
  },
  'payment-mandate-ended': {
    title: 'Add Another Way to Pay',
    message:
      'Your bank account ending in {account} can’t be debited any more, because its mandate has ended. Add a card or account to keep your places.',
  },
  'payment-under-way': {
    title: 'Payment Under Way',
    message:
      '{admitted, select, true {Your bank debits {amount} for {plan} on {day} or soon after, from your account ending in {account} (mandate {mandate}, creditor {creditor}). You have your place meanwhile.} asked {Your bank debits {amount} for {plan} on {day} or soon after, from your account ending in {account} (mandate {mandate}, creditor {creditor}). You have your place meanwhile. On {at} you asked us to begin at once. You can withdraw from this contract until {until}.} other {Your bank debits {amount} for {plan} on {day} or soon after, from your account ending in {account} (mandate {mandate}, creditor {creditor}). Your place is kept until then.}}',
  },
  'member-debited': {
    title: 'New Member',
    message: `{given, select, true {{member}’s bank is being debited for {plan}.} other {{member}’s bank is being debited for {plan}. Give them access within ${HOURS}.}}`,
  },
  'terms-proposed': {
    title: 'New Terms Proposed',
    message:
      '{cycle, select, yearly {{settlement, select, direct {The owner of {plan} proposes new terms: {share} a year, paid directly. Nothing changes unless you accept.} other {The owner of {plan} proposes new terms: {share} a year, paid through the site. Nothing changes unless you accept.}}} other {{settlement, select, direct {The owner of {plan} proposes new terms: {share} a month, paid directly. Nothing changes unless you accept.} other {The owner of {plan} proposes new terms: {share} a month, paid through the site. Nothing changes unless you accept.}}}}',
  },
  'terms-accepted': {
    title: 'New Terms Accepted',
    message: '{member} accepted the new terms of {plan}, from the next period.',
  },
  'terms-refused': { title: 'Old Terms Kept', message: '{member} is keeping the old terms of {plan}.' },
  'first-coins': { title: 'First Coins', message: 'Your first {coins} coins are in your wallet.' },
  'coins-handed-over': {
    title: 'Coins From Your Closed Account',
    message: '{coins} coins that were left in the account you closed are in your wallet.',
  },
  'wallet-adjusted': {
    title: 'Wallet Adjusted',
    message:
      '{way, select, added {{coins} coins were added to your wallet: {reason}} other {{coins} coins were taken from your wallet: {reason}}}',
  },
  'payout-account-ready': {
    title: 'Payouts Are Ready',
    message: 'You can now share plans that members pay for by card.',
  },
  'payout-account-stopped': {
    title: 'Payouts Have Stopped',
    message:
      'Your payout account can’t be sent money until you’ve given what’s missing. What you earn waits in your wallet.',
  },
  'payout-account-refused': {
    title: 'Your Account Didn’t Accept Money',
    message:
      '{amount} couldn’t be sent to your payout account, so they’re in your wallet. Please check the account.',
  },
  'tax-details-wanted': {
    title: 'Tax Details Needed',
    message:
      'The law has us report to the tax office what you earn here. Please tell us who you are and your tax number.',
  },
  'payout-taken-back': {
    title: 'A Payment Was Taken Back',
    message:
      '{why, select, warned {A bank calls a payment for {plan} fraud, so we refunded it, and {amount} are taken back from your payout account.} refunded {We refunded a payment for {plan}, so {amount} are taken back from your payout account.} other {The bank of a member of {plan} took a payment back, so {amount} are taken back from your payout account. If we win, you get it back.}}',
  },
  'payout-returned': {
    title: 'Payout Returned',
    message: 'Your bank returned a payout of {amount}. Please check the bank account of your payout account.',
  },
  'payout-held': {
    title: 'Payouts Held',
    message:
      '{reason, select, no_account {We’re holding your payouts until {day}, because you haven’t added a bank account. Write to us, and we’ll let you add one.} other {We’re holding your payouts until {day}: {reason}}}',
  },
  'payout-released': { title: 'Payouts Free Again', message: 'Your payouts are no longer held.' },
  'withdrawal-processing': {
    title: 'Withdrawal Processing',
    message: 'Your withdrawal of {coins} coins is now processing.',
  },
  'withdrawal-completed': {
    title: 'Withdrawal Completed',
    message: 'Your withdrawal of {coins} coins is now completed.',
  },
  'withdrawal-rejected': {
    title: 'Withdrawal Rejected',
    message: 'Your withdrawal of {coins} coins is now rejected.',
  },
  'withdrawal-returned': {
    title: 'Withdrawal Returned',
    message:
      'Your bank returned your withdrawal of {coins} coins: {reason}. The coins are back in your wallet. Please check your bank account.',
  },

  // Access, problems and what goes well
  'access-given': {
    title: 'You Have Access',
    message:
      '{invited, select, true {{owner} sent your invitation to {plan} to {address}. Does it work?} other {{owner} gave you access to {plan}. Does it work?}}',
  },
  'access-confirmed': { title: 'Access Works', message: '{member} says {plan} works.' },
  'access-reminder': {
    title: 'Give Access Now',
    message:
      '{settlement, select, direct {{member} has paid for {plan} and is waiting for access. Without it by {until}, you owe a full refund and the place is free again.} other {{member} has paid for {plan} and is waiting for access. Without it by {until}, they get a full refund and the place is free again.}}',
  },
  'access-changed': {
    title:
      '{part, select, login {{first, select, true {Account Login Stored} other {Account Login Changed}}} other {{first, select, true {Access Stored} other {Access Changed}}}}',
    message:
      '{part, select, login {{first, select, true {The account login for {plan} is on the plan’s page.} other {The account login for {plan} has changed. See the plan’s page.}}} other {{first, select, true {Your access to {plan} is on the plan’s page.} other {Your access to {plan} has changed. See the plan’s page.}}}}',
  },
  'password-due': {
    title: 'Change the Password',
    message:
      '{member} is no longer in {plan} but still knows the password. Change it at the provider, then save the new one here.',
  },
  'first-month': { title: 'First Month Complete', message: 'Your first month in {plan} is complete.' },
  'member-first-month': {
    title: 'First Month Complete',
    message: '{member} has been in {plan} for a whole month.',
  },
  'problem-reported': {
    title: 'Problem Reported',
    message:
      '{money, select, you_owe {{member} has a problem with {plan}. Answer by {until}. Otherwise the place ends, and you owe {member} what was paid for the time since the report.} other {{member} has a problem with {plan}. Answer by {until}. Otherwise the place ends, and {member} gets back what was paid for the time since the report.}}',
  },
  'problem-not-fixed': {
    title: 'Still Not Fixed',
    message:
      '{money, select, you_owe {{member} still has a problem with {plan}. Answer by {until}. Otherwise the place ends, and you owe {member} what was paid for the time since the report.} other {{member} still has a problem with {plan}. Answer by {until}. Otherwise the place ends, and {member} gets back what was paid for the time since the report.}}',
  },
  'problem-fixed': {
    title: 'Is It Fixed?',
    message: '{owner} says {plan} is fixed. Is it? If you don’t answer by {until}, it counts as fixed.',
  },
  'problem-with-staff': {
    title: 'Our Team Decides',
    message: `{held, select, true {Our team decides on the problem with {plan} within ${HOURS}. The money stays held until then.} other {Our team decides on the problem with {plan} within ${HOURS}.}}`,
  },
  'problem-closed': {
    title: 'Problem Closed',
    message:
      '{outcome, select, fixed {The problem with {plan} is fixed. The time without access is refunded.} withdrawn {{member} withdrew the report about {plan}.} for_owner {Our team decided for {owner} about {plan}. See why.} for_member {Our team decided for {member} about {plan}. See why.} owner_silent {{money, select, you_owe {{owner} didn’t answer about {plan} in time, so you owe {member} what was paid for the time since the report.} owes_you {{owner} didn’t answer about {plan} in time, so {owner} owes you what was paid for the time since the report.} you_get {{owner} didn’t answer about {plan} in time, so you get back what was paid for the time since the report.} other {{owner} didn’t answer about {plan} in time, so {member} gets back what was paid for the time since the report.}}} owner_ended {{money, select, you_owe {The place in {plan} was ended while a problem was open, so you owe {member} what was paid for the time since the report.} owes_you {The place in {plan} was ended while a problem was open, so {owner} owes you what was paid for the time since the report.} you_get {The place in {plan} was ended while a problem was open, so you get back what was paid for the time since the report.} other {The place in {plan} was ended while a problem was open, so {member} gets back what was paid for the time since the report.}}} other {{money, select, you_owe {Our team didn’t decide about {plan} in time. The place ends, and you owe {member} what was paid for the time since the report.} owes_you {Our team didn’t decide about {plan} in time. The place ends, and {owner} owes you what was paid for the time since the report.} you_get {Our team didn’t decide about {plan} in time. The place ends, and you get back what was paid for the time since the report.} other {Our team didn’t decide about {plan} in time. The place ends, and {member} gets back what was paid for the time since the report.}}}}',
  },

  // Reviews and decisions
  'review-waits': {
    title: 'You Have a New Review',
    message:
      '{person} reviewed you for {plan}. Write yours to read it, or wait {days, plural, one {# day} other {# days}}.',
  },
  'reviews-shown': {
    title: 'Both Reviews Are In',
    message: '{person} also reviewed you for {plan}. You can both read them now.',
  },
  'review-hidden': {
    title: 'Review Hidden',
    message: 'Your review of {person} is no longer shown: {reason}',
  },
  warned: {
    title: 'A Warning',
    message: 'Our team warns you: {reason}',
  },
  'plan-hidden': {
    title: 'Plan Hidden',
    message: 'Our team has hidden {plan}, so no one new can find or join it: {reason}',
  },
  'report-read': {
    title: 'Your Report Was Reviewed',
    message: 'Our team has looked at your report about {person}.',
  },
  'plan-approved': { title: 'Plan Approved', message: 'Everyone can now see {plan}.' },
  'plan-rejected': {
    title: 'Plan Rejected',
    message: '{plan} was not approved, so no one can find or join it.',
  },
  'provider-request-approved': {
    title: 'Provider Request Approved',
    message: 'Your request to add {provider} has been approved.',
  },
  'provider-request-rejected': {
    title: 'Provider Request Rejected',
    message: 'Your request to add {provider} has been rejected.',
  },
  'admin-access-approved': {
    title: 'Admin Access Approved',
    message: 'Your request for admin access has been approved.',
  },
  'admin-access-rejected': {
    title: 'Admin Access Rejected',
    message: 'Your request for admin access has been rejected.',
  },
  'support-answered': { title: 'New Answer', message: '{answer}' },
  'webhook-stopped': {
    title: 'A Webhook Has Stopped',
    message:
      '{why, select, gone {“{name}” said that it’s gone, so nothing more is sent there.} other {“{name}” hasn’t taken anything for a day, so nothing more is sent there.}}',
  },
  'chat-message': { title: 'New Message', message: '{person} wrote to you about {plan}.' },
  'push-test': { title: 'This Is a Test', message: 'Notifications work on this device.' },

  // For staff
  'support-asked': { title: 'New Help Request', message: '{person}: {request}' },
  'tax-country-differs': {
    title: 'Countries That Contradict Each Other',
    message:
      '{person} says they live in {declared}, but pays from {card}. Say on their page which one decides the VAT.',
  },
  'payment-refund-to-decide': {
    title: 'A Refund to Decide About',
    message:
      'A payment of {member} for {plan} was refunded at the provider. Say by {until} whether the place ends or goes on.',
  },
  'person-suspended': {
    title: 'Places Will End',
    message:
      '{person} is suspended. If that isn’t lifted by {until}, {places, plural, one {# place ends} other {# places end}}.',
  },
  'payout-account-missing': {
    title: 'No Bank Account to Pay Out To',
    message: '{person} is suspended and has {coins} coins, but no bank account.',
  },
  'payout-by-one-admin': {
    title: 'Withdrawals Will Take One Admin',
    message:
      '{person} turned off “Two admins per withdrawal”: from {until}, one admin can approve and complete it. You can cancel this in the site settings.',
  },
  'payout-by-two-admins': {
    title: 'Withdrawals Take Two Admins',
    message: '{person} turned on “Two admins per withdrawal”: one admin approves it, another completes it.',
  },
  'problem-to-decide': { title: 'Problem to Decide', message: 'Owner and member of {plan} disagree.' },
  'payment-to-decide': {
    title: 'Payment to Decide',
    message: 'Owner and member of {plan} disagree about a payment.',
  },
  'payment-disputes-often': {
    title: 'Many Payment Disputes',
    message: '{person} is in a payment dispute for the third time or more.',
  },
  'payment-disputed': {
    title: 'A Payment Is Disputed',
    message: 'A member of {plan} disputed {amount} with their bank. Answer the provider in time.',
  },
  'payment-dispute-due': {
    title: 'A Dispute Must Be Answered',
    message: 'Answer the dispute about {plan} by {until}, or the bank keeps {amount}.',
  },
  'payment-answer-refused': {
    title: 'An Answer Was Refused',
    message: 'The provider did not take our answer to a dispute about {plan} ({reason}). Answer it there.',
  },
  'payment-fraud-warned': {
    title: 'Early Fraud Warning',
    message:
      'A bank calls a payment of {amount} for {plan} fraud. Refunded in time, it does not become a dispute.',
  },
  'payment-debt': {
    title: 'You Owe a Returned Debit',
    message:
      'Your bank took back a debit for {plan} that we had refunded. Please pay us {amount}. Until then you can’t withdraw coins or take a new place through the site.',
  },
  'payment-debt-paid': {
    title: 'Debt Paid',
    message: 'You’ve paid what you owed for {plan}. Thank you.',
  },
  'payment-debt-opened': {
    title: 'A Member Owes the Site',
    message:
      'The bank of a member of {plan} took back a debit after a refund. The member owes {amount}, which the guarantee account covers for now.',
  },
  'payment-withdrawals-many': {
    title: 'Many Withdrawals',
    message:
      '{member} has withdrawn from {withdrawals, plural, one {# contract} other {# contracts}} within a year, and gets new places through the site only once you lift that.',
  },
  'payment-returned-twice': {
    title: 'A Payment Went Back Twice',
    message:
      '{amount} of a payment for {plan} were refunded, and its bank had taken them back too. The guarantee account covers {rest}.',
  },
  'payment-returned': {
    title: 'A Payment Was Returned',
    message: 'The bank of a member of {plan} took back {amount}. There’s nothing to answer.',
  },
  'payment-jobs-fail': {
    title: 'Payments Fail',
    message: `Charges or refunds have been failing for ${HOURS}. We keep trying: {error}`,
  },
  'payment-books-differ': {
    title: 'The Books Differ From the Provider',
    message:
      'The nightly check found {differences, plural, one {a difference} other {# differences}}. See the unknown events.',
  },
  'payment-returned-by-hand': {
    title: 'Refund Exceeds Held Money',
    message:
      '{amount} of a payment for {plan} was refunded at the provider. The guarantee account covers {rest}, as no more was held.',
  },
}
