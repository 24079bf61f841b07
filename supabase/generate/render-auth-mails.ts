// The mails of the auth service, in the same layout as every other mail. Their subjects are in config.toml.
import type { Database } from '@potluck/server/db/database.ts'

const EMAIL = '<strong>{{ .Email }}</strong>'

interface AuthMail {
  heading: string
  paragraph: string
  action: string
  /** The button's target; by default it confirms what the mail is about. */
  link?: string
  smallPrint?: string
  closing: string
}

const MAILS = {
  confirmation: {
    heading: 'Pull up a chair',
    paragraph: `Confirm ${EMAIL}, and carry on where you left off.`,
    action: 'Confirm my address',
    closing: 'Didn’t sign up? You can ignore this email.',
  },
  magic_link: {
    heading: 'Welcome back to the table',
    paragraph: `Sign in as ${EMAIL}, no password needed. Or enter the code <strong>{{ .Token }}</strong>. Don’t share it with anyone.`,
    action: 'Sign me in',
    smallPrint: 'The link and code work once, for one hour.',
    closing: 'Didn’t ask for this? You can ignore this email.',
  },
  recovery: {
    heading: 'Reset your password',
    paragraph: `Choose a new password for ${EMAIL}.`,
    action: 'Choose a new password',
    closing: 'Wasn’t you? You can ignore this email. Your password stays the same.',
  },
  invite: {
    heading: 'You’re invited',
    paragraph: `Someone wants to share a plan with you on Potluck, where people share subscriptions and split the cost. Accept to open your account as ${EMAIL}.`,
    action: 'Accept invitation',
    closing: 'Not expecting this? You can ignore this email.',
  },
  email_change: {
    heading: 'Confirm your new email',
    paragraph: `Your account is moving from ${EMAIL} to <strong>{{ .NewEmail }}</strong>. Confirm the change in both inboxes.`,
    action: 'Confirm change',
    closing: 'Didn’t ask for this? Choose a new password right away: someone may be signed in as you.',
  },
  reauthentication: {
    heading: 'Confirm it’s you',
    paragraph: `To choose a new password for ${EMAIL}, enter this code: <strong>{{ .Token }}</strong>`,
    action: 'Back to Potluck',
    link: '{{ .SiteURL }}',
    smallPrint: 'The code works once, for one hour.',
    closing: 'Wasn’t you? Reset your password right away: someone else is signed in.',
  },
}

/** Each template with the name of its file in templates/. */
export function renderAuthMails(db: Pick<Database, 'query'>): Promise<[file: string, html: string][]> {
  return Promise.all(
    Object.entries<AuthMail>(MAILS).map(async ([name, { heading, paragraph, action, closing, ...more }]) => {
      const [mail] = await db.query<{ html: string }>(
        'select private.mail_layout($1, array[$2], $3, $4, $5, $6) as html',
        [
          heading,
          paragraph,
          action,
          more.link ?? '{{ .ConfirmationURL }}',
          more.smallPrint ?? 'The link works once, for one hour.',
          closing,
        ],
      )
      return [`${name}.html`, mail?.html ?? ''] as [string, string]
    }),
  )
}
