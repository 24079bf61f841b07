// Mails in English, as messages (ICU MessageFormat) with the parameters of their events. A mail about a notification
// takes its subject, heading and sentence from events.ts. `npm run messages` compiles these texts, and their
// translations in supabase/locales, into the JSON files in mails/, which functions/mail/words.ts reads.
import type { PlanWord } from '../plan-name.ts'

const HOURS = '{hours, plural, one {# hour} other {# hours}}'
const DAYS = '{days, plural, one {# day} other {# days}}'
const ADDED = 'It was added on {at}.'
const REMOVED = 'It was removed on {at}.'
const CHANGED = 'It was changed on {at}.'
const change = (heading: string, then: string, happened = CHANGED) => ({
  subject: heading,
  heading,
  sentence_1: happened,
  sentence_2: `If it wasn’t you, undo it: ${then}. We also undo later changes and sign out every device, and you choose a new password.`,
  small_print: `The link works once, for ${HOURS}.`,
  closing: 'Was it you? Then there’s nothing to do.',
})
const removed = 'we can’t restore what was removed, but whoever did it is locked out'
/** The end of a mail to a person whose account is closed. */
const CLOSED = {
  small_print: `We keep this address and your bank account only until ${DAYS} after we’ve paid you.`,
  closing: 'There’s nothing to unsubscribe from.',
}
const ANSWER = { closing: 'You always get this email because money or a place hangs on your answer.' }
const price = (own = '') =>
  `{cycle, select, yearly {You pay {cost} a year, in 12 monthly payments that differ by a cent at most. The next is {amount}.} ${own}other {You pay {amount} a month.}}`
const ENDS =
  'The contract goes on from month to month until you leave. You can leave at any time in your plan, at the end of the month or at once.'
const SELLER = '{seller, select, none {us (see our imprint)} other {{seller}}}'
const RIGHT = `{form, select, true {Right of withdrawal: you can withdraw from this contract within ${DAYS} without giving a reason, until {until}. Say so clearly: with “Leave” in your plan, by email or by letter, to ${SELLER}. You can use the form below, but you don’t have to. It’s enough if you send it before the time is over.} other {}}`
/** The model withdrawal form of Directive 2011/83/EU, Annex I B; the translations are those of the directive. */
const MODEL_FORM = `Model withdrawal form
(Complete and return this form only if you wish to withdraw from the contract.)
— To ${SELLER}:
— I/We (*) hereby give notice that I/We (*) withdraw from my/our (*) contract of sale of the following goods (*)/for the provision of the following service (*): a place in {plan}, shared by {owner}
— Ordered on (*)/received on (*): {day}
— Name of consumer(s): {name}
— Address of consumer(s):
— Signature of consumer(s) (only if this form is notified on paper):
— Date:
(*) Delete as appropriate.`
const FORM = `{form, select, true {${MODEL_FORM}} other {}}`
const CHARGE = { closing: 'You always get this email before a charge.' }
const SUSPENDED = { closing: 'You always get this email when your account is suspended.' }
/** The end of a mail that gives the reasons for a decision of staff. */
const MEASURE = {
  action: 'Write to us',
  small_print: 'Do you think we’re wrong? Write to us.',
  closing: 'You always get this email when our team decides about you.',
}
/** The end of each mail to somebody without an account. */
const GUEST = {
  small_print: 'Whoever has this link can open your place, so keep it to yourself.',
  closing: 'You get this email because {owner} has entered this address.',
}
const HELD = { closing: 'You always get this email when payouts are held.' }

/** The texts of each mail, by its event. Texts that are missing here come from `notification`, `pages` or events.ts. */
export const mails: Record<string, Record<string, string>> = {
  // Every mail about a notification
  notification: {
    small_print: 'You can also find this in your Potluck notifications.',
    closing: 'You get this email because you hadn’t read it on Potluck yet.',
  },
  'chat-message': { small_print: 'We won’t email you about this chat again until you’ve read it.' },
  'request-made': { action: 'Answer the request' },
  'request-expiring': { action: 'Answer the request' },
  'question-asked': { action: 'Answer the question' },
  'tax-details-wanted': { action: 'Give your tax details' },
  // Mails that a person cannot turn off: private.is_always_mailed()
  'renewal-coming': CHARGE,
  'payment-debit-coming': CHARGE,
  'payment-under-way': CHARGE,
  'contract-withdrawn': { closing: 'You always get this email after a withdrawal.' },
  'you-are-suspended': {
    ...SUSPENDED,
    sentence_2:
      'You can’t sign in while it lasts. Do you think we’re wrong? Write to us, at the address in our imprint.',
    action: 'Write to us',
    small_print: 'You’ll get an email when your account is open again.',
  },
  'you-are-back': SUSPENDED,
  decision: {
    ...MEASURE,
    action: 'See the decision',
    sentence_2:
      '{reported, select, true {Somebody reported it to us.} other {We looked into it ourselves.}} A person decided, not a program.',
    small_print:
      'Do you think we’re wrong? Appeal there until {day}. It costs nothing, and you can turn to a court as well.',
  },
  'appeal-decided': { ...MEASURE, action: 'See the decision', small_print: 'You can still turn to a court.' },
  'report-received': {
    action: 'See how we decide',
    small_print: 'Whoever it is about is not told who reported it.',
    closing: 'You get this email because you reported something on Potluck with this address.',
  },
  'report-decided': {
    action: 'Report something',
    small_print:
      'Do you think we’re wrong? Report it again and say what we missed. You can turn to a court as well.',
    closing: 'You get this email because you reported something on Potluck.',
  },
  'payout-held': HELD,
  'payout-released': HELD,
  'payout-by-one-admin': { closing: 'You always get this email as a super-admin.' },
  'member-says-paid': ANSWER,
  'payment-back-claimed': ANSWER,
  'payment-not-received': ANSWER,
  'payment-back-denied': ANSWER,
  'you-owe-member': ANSWER,
  'payment-debt-unkept': ANSWER,
  'access-reminder': ANSWER,

  'test-mail': {
    subject: 'Mail works',
    heading: 'Mail works',
    sentence_1: 'You asked for this email to see whether mail leaves the site. It does.',
    small_print: 'If somebody misses an email, search for their address there.',
    closing: 'You get this email because you asked for it.',
  },
  'address-confirmed': {
    ...MEASURE,
    subject: 'Your email address was confirmed',
    heading: 'Your address was confirmed',
    sentence_1: 'Our team confirmed this address for an account on Potluck. You can sign in with it now.',
    small_print: 'Is the account not yours? Write to us.',
  },
  'guest-added': {
    subject: '{owner} has a place for you',
    heading: 'Your place in {plan}',
    sentence_1:
      '{owner} has given you a place in {plan}. The link shows what you pay and how; you need no account.',
    sentence_2:
      'So that you can settle the cost between you, {owner} has entered your name and this address. We keep them until {memory} months after your place has ended. On that page you can see all that is stored about you, and have it deleted at any time.',
    ...GUEST,
  },
  'share-agreed': {
    subject: 'Your share of {plan}',
    heading: 'Your share of {plan}',
    sentence_1:
      'With a link to your place, a share of {share} every {months, plural, one {month} other {# months}} was accepted. If it wasn’t you, tell {owner}.',
    ...GUEST,
  },
  'place-ended': {
    subject: 'Your place in {plan} has ended',
    heading: 'Your place has ended',
    sentence_1:
      'Your place in {plan} with {owner} has ended. For a while, the link shows what is still owed.',
    ...GUEST,
  },
  'place-taken-over': {
    subject: 'Your place in {plan} is in an account now',
    heading: 'Your place is in an account now',
    sentence_1:
      'An account has taken over your place in {plan}, so the link stops working. If it wasn’t you, tell {owner}, who can take it back for {days} days.',
    ...GUEST,
  },
  // The end of all mails to guests
  guest: GUEST,
  invited: {
    subject: '{person} invites you to share {plan}',
    heading: 'You’re invited',
    sentence_1:
      '{person} is keeping a place for you in {plan} on Potluck, where people share subscriptions and split the cost.',
    sentence_2:
      '{settlement, select, direct {{cycle, select, yearly {Your share is {share} a year, paid to {person} directly, no fee. You pay nothing until you accept.} months {Your share is {share} every {months, plural, one {month} other {# months}}, paid to {person} directly, no fee. You pay nothing until you accept.} other {Your share is {share} a month, paid to {person} directly, no fee. You pay nothing until you accept.}}} other {{cycle, select, yearly {Your share is {share} a year, convenience fee included. You pay nothing until you accept.} other {Your share is {share} a month, convenience fee included. You pay nothing until you accept.}}}}',
    small_print: `We keep the place for ${DAYS}.`,
    closing: 'Not expecting this? You can ignore this email.',
  },
  // The contract for a place: private.mail_contract()
  'contract-made': {
    subject: 'Your place in {plan}: your contract',
    heading: 'Your contract',
    sentence_1:
      '{made, select, terms {On {day} you accepted new terms for your place in {plan}, shared by {owner}. They apply from your next month.} other {Since {day} you have a place in {plan}, shared by {owner}. This is your contract.}}',
    sentence_2: `${price()} {share} of it is for {owner}, who gives you the place. {vat, select, true {{fee} is for our service, VAT included.} other {{fee} is for our service.}}`,
    sentence_3:
      '{made, select, terms {We charge it from your next month on,} other {We charge it now, and then every month,}} and tell you {notice, plural, one {# day} other {# days}} before each renewal. We hold the money, and {owner} earns it while your access works.',
    sentence_4: `{made, select, terms {} other {{owner} has ${HOURS} from your first payment to give you access. Otherwise the place ends and all you paid comes back. }}If access stops working, report it in your plan: {owner} earns nothing until it works again. If you disagree, our team decides.`,
    sentence_5: `${ENDS} If {owner} ends your place, the unused part comes back.`,
    sentence_6:
      '{owner} sells you the place. We take the payment, hold it and help with problems; that is what the fee is for. Consumer law does not apply to what one private person sells to another. What this email promises is yours in any case.',
    sentence_7:
      '{form, select, true {On {at} you asked us to begin at once. If you withdraw from the contract, you pay for the days you had access.} other {}}',
    sentence_8: RIGHT,
    sentence_9:
      '{form, select, true {If you withdraw, we pay back all you paid, less the days you had access: at once, at the latest within {back, plural, one {# day} other {# days}} of hearing from you, the way you paid, and at no cost to you.} other {}}',
    sentence_10: FORM,
    small_print: 'Your plan on Potluck shows your place and what you pay.',
    closing: 'You always get this email about a contract.',
  },
  'contract-with-owner': {
    subject: 'Your place in {plan}: the terms',
    heading: 'Your place',
    sentence_1:
      '{made, select, terms {On {day} you accepted new terms for your place in {plan}. They apply from your next payment.} other {Since {day} you have a place in {plan}.}} Your contract is with {owner}, who shares it. We are not part of it.',
    sentence_2: `${price('months {You pay {amount} every {months, plural, one {month} other {# months}}.} ')} You pay {owner} directly, without a fee.`,
    sentence_3:
      '{made, select, terms {The new price is due from your next payment on.} other {The first payment is due once {owner} has said how to pay{cycle, select, months {, and covers the time until the plan renews. The next ones are due when it renews.} other {, then on the same day each month.}}}} Your plan shows where to pay and the reference. We keep track, but move no money.',
    sentence_4:
      'The contract goes on until you leave. You can leave at any time in your plan, at the end of the time you have paid for or at once. If {owner} ends your place, {owner} owes you the unused part.',
    sentence_5:
      'If you get no access, or it stops working, report it in your plan. We show you both what {owner} owes you for that time. We can’t refund you, because you pay {owner} directly.',
    sentence_6: `{trader, select, true {{owner} shares as a trader, so you have the rights of a consumer.} other {Consumer law, such as the right to withdraw within ${DAYS}, does not apply between private people.}}`,
    sentence_7:
      '{begun, select, true {On {at} you asked for the place to begin at once. If you withdraw from the contract, you pay for the days you had access.} other {}}',
    sentence_8: RIGHT,
    sentence_9:
      '{form, select, true {If you withdraw, {owner} pays back what you paid for the days without access: at once, at the latest within {back, plural, one {# day} other {# days}} of hearing from you, and at no cost to you.} other {}}',
    sentence_10: FORM,
    small_print: 'Your plan on Potluck shows your place and what you pay.',
    closing: 'You always get this email about a contract.',
  },
  'account-email': change(
    'The email address of your account was changed',
    'the account gets this address back',
    `{address, select, none {${CHANGED}} other {${CHANGED} The account now uses {address}.}}`,
  ),
  'account-password': change('The password of your account was changed', 'the new password stops working'),
  'account-factor-added': change(
    'An authenticator app was added to your account',
    'it is removed again',
    ADDED,
  ),
  'account-factor-removed': change('An authenticator app was removed from your account', removed, REMOVED),
  'account-passkey-added': change('A passkey was added to your account', 'it is removed again', ADDED),
  'account-passkey-removed': change('A passkey was removed from your account', removed, REMOVED),
  'account-recovery-codes': change(
    'The recovery codes of your account were changed',
    'these codes stop working',
    'They were changed on {at}.',
  ),
  'account-bank-account': change(
    'The bank account for your payouts was changed',
    'nothing more is paid to it',
  ),
  'account-token-added': change(
    'A token for programs was added to your account',
    'it is removed again',
    ADDED,
  ),
  'account-sign-in-added': change('Another sign-in was added to your account', 'it is removed again', ADDED),
  'account-webhook-added': change('A webhook was added to your account', 'it is removed again', ADDED),
  'account-webhook-secret': change(
    'The secret of a webhook was replaced',
    'the webhook is removed',
    'It was replaced on {at}.',
  ),
  'account-closed': {
    subject: 'Your account is closed',
    heading: 'Your account is closed',
    sentence_1:
      '{known, select, true {{amount} are on their way to your bank account ending in {last4}.} other {{amount} are on their way to your bank account.}}',
    sentence_2: 'We’ll let you know when they’re paid, or if something goes wrong.',
    ...CLOSED,
  },
  'payout-failed': {
    subject: 'Your last payout did not arrive',
    heading: 'Your last payout did not arrive',
    sentence_1:
      '{why, select, rejected {{amount} could not be paid to your bank account: {reason}} other {Your bank returned {amount}: {reason}}}',
    sentence_2:
      'It’s still yours. Sign up with this address, and you’ll find it in your wallet within minutes. Then add your bank account.',
    ...CLOSED,
  },
  'payout-made': {
    subject: 'Your last payout is made',
    heading: 'Your last payout is made',
    sentence_1: '{amount} were paid to your bank account ending in {last4}.',
    ...CLOSED,
  },
  'staff-log-day': {
    subject: 'The log of staff up to {day}',
    heading: 'The log of staff',
    sentence_1: 'Line {line} is the last one of {day}. Its hash is',
    sentence_2: '{hash}',
    sentence_3:
      'Keep this mail: "potluck admin check-log <hash>" finds out whether any line up to it was changed or taken out.',
    sentence_4:
      'The ledger has {transfers, plural, one {a sealed transfer} other {# sealed transfers}}. The hash of the last one is',
    sentence_5: '{seal, select, none {none yet.} other {{seal}}}',
    sentence_6: '"potluck admin check-books <hash>" finds out whether any of them was changed or taken out.',
    sentence_7:
      '{faults, plural, =0 {The books balance.} one {The books have a fault: "potluck admin check-books" names it.} other {The books have # faults: "potluck admin check-books" names them.}}',
    small_print: 'Super-admins get this mail every day.',
    closing: 'It cannot be ended while you are one.',
  },
}

/** The text of a mail's button, by the beginning of the path that the button opens. The first match counts. */
export const pages: Record<string, string> = {
  '/account-settings/programs': 'Open your webhooks',
  '/account-settings/money': 'Open your payouts',
  '/admin/disputes': 'See disputes and events',
  '/admin/log': 'Read the log',
  '/admin/mails': 'See the emails',
  '/admin?tab=settings': 'Open the site settings',
  '/answer/': 'Answer',
  '/available-subscriptions': 'Look at other plans',
  '/cards': 'Add a way to pay',
  '/help': 'See the answer',
  '/invitation/': 'See the invitation',
  '/manage-shared/': 'Open the plan',
  '/manage-subscribed/': 'Open the plan',
  '/messages/': 'Read the message',
  '/payments/': 'See the invoice',
  '/payments': 'See your payments',
  '/place#': 'Open your place',
  '/plans-like/': 'See similar plans',
  '/plans/': 'See the plan',
  '/subscription/': 'See the place',
  '/undo-change#': 'This wasn’t me',
  '/': 'Open Potluck',
}

/** The words of the layout, which appear in every mail. */
export const layout = {
  paste: 'If the button does nothing, paste this address into your browser:',
  stop: 'Stop these emails',
  motto: 'Potluck. Share the plan. Split the cost.',
  imprint: 'Imprint',
}

/** The words that the catalogue adds to the names of plans: translatePlanName(). */
export const plans: Record<PlanWord, string> = {
  months: '{count, plural, one {# month} other {# months}}',
  years: '{count, plural, one {# year} other {# years}}',
  people: '{count, plural, one {# person} other {# people}}',
  term: '{count}-month term',
  annual: 'annual',
  cancelMonthly: 'cancel monthly',
}

export interface AuthMail {
  subject: string
  heading: string
  paragraph: string
  action: string
  small_print: string
  closing: string
}

const LINK = `The link works once, for ${HOURS}.`
const LINK_AND_CODE = `The link and code work once, for ${HOURS}.`
/** For people with the app on their home screen: a mailed link opens in the browser, so they enter the code instead. */
const CODE = 'Or enter the code {token}. Don’t share it with anyone.'

/**
 * Mails of the auth service, by the names of their templates. The service fills in {email}, {newEmail} and {token};
 * {hours} is `otp_expiry` of config.toml.
 */
export const authMails: Record<string, AuthMail> = {
  confirmation: {
    subject: 'Confirm your email address for Potluck',
    heading: 'Pull up a chair',
    paragraph: `Confirm {email}, and carry on where you left off. ${CODE}`,
    action: 'Confirm my address',
    small_print: LINK_AND_CODE,
    closing: 'Didn’t sign up? You can ignore this email.',
  },
  magic_link: {
    subject: 'Your link to sign in to Potluck',
    heading: 'Welcome back to the table',
    paragraph: `Sign in as {email}, no password needed. ${CODE}`,
    action: 'Sign me in',
    small_print: LINK_AND_CODE,
    closing: 'Didn’t ask for this? You can ignore this email.',
  },
  recovery: {
    subject: 'Choose a new password for Potluck',
    heading: 'Reset your password',
    paragraph: `Choose a new password for {email}. ${CODE}`,
    action: 'Choose a new password',
    small_print: LINK_AND_CODE,
    closing: 'Wasn’t you? You can ignore this email. Your password stays the same.',
  },
  invite: {
    subject: 'You’re invited to Potluck',
    heading: 'You’re invited',
    paragraph:
      'Someone wants to share a plan with you on Potluck, where people share subscriptions and split the cost. Accept to open your account as {email}.',
    action: 'Accept invitation',
    small_print: LINK,
    closing: 'Not expecting this? You can ignore this email.',
  },
  email_change: {
    subject: 'Confirm your new email address for Potluck',
    heading: 'Confirm your new email',
    paragraph: 'Your account is moving from {email} to {newEmail}. Confirm the change in both inboxes.',
    action: 'Confirm change',
    small_print: LINK,
    closing: 'Didn’t ask for this? Choose a new password right away: someone may be signed in as you.',
  },
  reauthentication: {
    subject: 'Your code for a new Potluck password',
    heading: 'Confirm it’s you',
    paragraph: 'To choose a new password for {email}, enter this code: {token}',
    action: 'Back to Potluck',
    small_print: `The code works once, for ${HOURS}.`,
    closing: 'Wasn’t you? Reset your password right away: someone else is signed in.',
  },
}
