import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { duration } from '#domain/duration.ts'

/** The legal basis of keeping data (GDPR, Art. 6(1)). */
type Basis = 'consent' | 'contract' | 'obligation' | 'interest'

interface PersonalData {
  title: string
  data: string
  purpose: string
  bases: Basis[]
  kept: string
  /** The tables with this data; those without a schema are in `public`. A test finds tables that no category names. */
  tables: string
}

export const basisText = (basis: Basis): string =>
  ({
    consent: t`Your consent (GDPR, Article 6(1)(a))`,
    contract: t`Our contract (GDPR, Article 6(1)(b))`,
    obligation: t`Our legal duty (GDPR, Article 6(1)(c))`,
    interest: t`Our legitimate interest (GDPR, Article 6(1)(f))`,
  })[basis]

/** All personal data that the database keeps, by category; docs/privacy.md has the jobs that delete it. */
export const personalData = (): PersonalData[] => [
  {
    title: t`Your account`,
    data: t`Email address, name, picture, language and time zone; full name and phone number if you enter them; when you confirmed your age; a scrambled form of your password, passkeys and other ways to sign in.`,
    purpose: t`To sign you in, and to show others who you are`,
    bases: ['contract'],
    kept: t`Until you delete your account`,
    tables: `auth.users auth.identities auth.mfa_factors auth.mfa_recovery_codes auth.webauthn_credentials
      private.user_profiles private.user_details private.time_zones`,
  },
  {
    title: t`Sessions and changes to your account`,
    data: t`Device, browser and internet address of each session; changes to how you sign in or are paid; counted attempts.`,
    purpose: t`To notice and undo what others do in your name`,
    bases: ['interest'],
    kept: t`Sessions until you sign out, changes ${duration(LIMITS.changeMemoryHours)}, attempts ${duration(LIMITS.attemptMemoryHours)}`,
    tables: `auth.sessions auth.one_time_tokens auth.flow_state auth.mfa_challenges auth.webauthn_challenges
      private.account_changes private.rate_limit_usage`,
  },
  {
    title: t`Plans and places`,
    data: t`The plans you share, your places, requests, invitations, waiting lists and alerts.`,
    purpose: t`To find, share and join plans`,
    bases: ['contract'],
    kept: t`Until you end them or delete your account; requests ${duration(LIMITS.requestMemoryHours)}, alerts ${duration(LIMITS.alertLifetimeHours)}, invitations ${duration(LIMITS.invitationMemoryHours)} after they expire`,
    tables: `shared_subscriptions subscription_members subscription_requests subscription_invitations waiting_list plan_alerts
      plan_departures provider_requests term_proposals private.expiry_reminders private.link_visits private.plan_changes
      private.plan_links private.plan_notices private.plan_offers private.plan_prices private.plans_to_tell private.told_plans`,
  },
  {
    title: t`Guests`,
    data: t`The name of a person whom an owner adds without an account, their email address if the owner enters it, and notes between the two. We have it from the owner.`,
    purpose: t`To settle the cost between them`,
    bases: ['interest'],
    kept: t`${LIMITS.guestMemoryMonths} months after the place has ended, or until the guest deletes it; that an address wants no mail, for good`,
    tables: 'private.guests private.guest_mailboxes private.place_links private.place_notes',
  },
  {
    title: t`Messages`,
    data: t`What you write to each other, drafts, and whom you have blocked.`,
    purpose: t`To agree on a plan`,
    bases: ['contract'],
    kept: t`Closed chats ${duration(LIMITS.chatMemoryHours)} after the last message, or longer while a report or a problem is open; drafts ${duration(LIMITS.draftLifetimeHours)}; blocks until you lift them`,
    tables: 'conversations messages chat_participants message_drafts blocked_people',
  },
  {
    title: t`Access to plans`,
    data: t`Login names, passwords, links and notes, encrypted; who opened them, and when.`,
    purpose: t`To let members use a plan, and to show its owner who opened what`,
    bases: ['contract'],
    kept: t`Until the owner deletes them or the plan ends; openings ${duration(LIMITS.caseMemoryHours)}, or longer while that version is the newest`,
    tables: 'private.vault_entries private.vault_keys private.vault_openings',
  },
  {
    title: t`Payments`,
    data: t`What you owe, paid and got back; how members pay you; the kind and last digits of your card or account; disputes.`,
    purpose: t`To take payments, and to keep books`,
    bases: ['contract', 'obligation'],
    kept: t`Records as long as the law requires; cards and payment details until you remove them; numbers that stand for a card ${duration(LIMITS.contractWithdrawalsMemoryHours)} after your account has ended`,
    tables: `member_payments payment_claims payment_wishes payment_methods payment_disputes debts fraud_warnings private.charges
      private.dispute_evidence private.missing_charges private.payment_customers private.payment_fingerprints private.payment_jobs
      private.provider_movements private.refunds private.returned_payments private.seats private.simulated_payments
      private.used_bank_entries private.void_receipts private.withdrawal_lifts`,
  },
  {
    title: t`Coins and payouts`,
    data: t`Coins, withdrawals, your bank account, encrypted, or your account at Stripe.`,
    purpose: t`To pay out what you earn, and to keep books`,
    bases: ['contract', 'obligation'],
    kept: t`Records as long as the law requires; a bank account until you remove it and nothing is left to pay`,
    tables: `user_wallets coin_transactions withdrawal_requests private.account_payouts private.account_reversals
      private.account_transfers private.bank_accounts private.closed_accounts private.connected_accounts private.ledger_accounts
      private.ledger_entries private.ledger_transfers private.payout_file_entries private.payout_files private.sealed_records`,
  },
  {
    title: t`Country and invoices`,
    data: t`The country you live in, what shows it, and invoices with your name.`,
    purpose: t`To charge the right VAT`,
    bases: ['obligation'],
    kept: t`Invoices as long as the law requires; your country until you delete your account`,
    tables: 'fee_invoices private.closed_buyers private.country_questions private.home_countries',
  },
  {
    title: t`Sellers`,
    data: t`Whether you share as a private person or as a trader; name, address and contact of traders.`,
    purpose: t`To tell members whom they make a contract with`,
    bases: ['obligation'],
    kept: t`Until you delete your account`,
    tables: 'private.sellers',
  },
  {
    title: t`Tax details`,
    data: t`Name, address, date of birth and tax numbers of owners, encrypted, and what was reported. Only where the law has this site report what they earn.`,
    purpose: t`To report to the tax office`,
    bases: ['obligation'],
    kept: t`${duration(LIMITS.taxDetailsTimeHours)} after the last year in which you earned, even if you delete your account`,
    tables: 'private.tax_details private.tax_questions private.tax_report_entries private.tax_reports',
  },
  {
    title: t`Problems, reviews and standing`,
    data: t`Reported problems and what both sides said, reviews, and figures from your payments and answers.`,
    purpose: t`To show people whom they deal with, and to decide who gets the money`,
    bases: ['interest'],
    kept: t`Words about a problem ${duration(LIMITS.caseMemoryHours)} after it is closed; reviews as long as the account they are about; standing looks back ${duration(LIMITS.standingMemoryHours)}`,
    tables: 'seat_problems problem_statements private.seat_reviews private.known_facts private.fact_changes',
  },
  {
    title: t`What we tell you`,
    data: t`Notifications and mails, and which ones you want.`,
    purpose: t`To tell you what happens in your plans`,
    bases: ['contract'],
    kept: t`Mails ${duration(LIMITS.mailMemoryHours)}, notifications ${duration(LIMITS.readNotificationMemoryHours)}, or ${duration(LIMITS.unreadNotificationMemoryHours)} if you have not read them`,
    tables:
      'user_notifications private.outgoing_mail private.unsubscribe_links private.unwanted_notifications',
  },
  {
    title: t`Notifications on your devices`,
    data: t`The address of each device at its browser’s push service.`,
    purpose: t`To tell you at once`,
    bases: ['consent'],
    kept: t`Until you turn them off or sign out`,
    tables: 'private.push_devices private.outgoing_pushes',
  },
  {
    title: t`Programs you connect`,
    data: t`Tokens, webhooks with their last calls, and the secret address of your calendar.`,
    purpose: t`To give your programs what you allow them`,
    bases: ['contract'],
    kept: t`Until you remove them; calls ${duration(LIMITS.deliveryMemoryHours)}`,
    tables:
      'private.api_tokens private.api_tickets private.calendars private.webhooks private.webhook_deliveries',
  },
  {
    title: t`Reports and questions to our team`,
    data: t`Reports and appeals by you and about you, with what was reported; what you write to our team; what it decided about you, and why. Of people who report something without an account: their name and address.`,
    purpose: t`To answer you, and to keep people safe`,
    bases: ['interest'],
    kept: t`${duration(LIMITS.caseMemoryHours)} after it is closed or decided; suspensions until you delete your account`,
    tables: 'cases private.decisions private.suspensions private.payout_holds',
  },
  {
    title: t`Our team`,
    data: t`Roles, requests for one, and a log of decisions.`,
    purpose: t`To be able to check every decision`,
    bases: ['interest'],
    kept: t`Roles until they are taken back, decided requests ${duration(LIMITS.caseMemoryHours)}, the log for good`,
    tables: 'user_roles admin_role_requests app_settings unknown_payment_events private.staff_log',
  },
]
