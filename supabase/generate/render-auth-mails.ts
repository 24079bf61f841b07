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
    paragraph: `Confirm that ${EMAIL} is yours, and your place at the table is ready.`,
    action: 'Confirm my address',
    closing: 'You did not sign up? Then ignore this e-mail; no account is opened without the click.',
  },
  magic_link: {
    heading: 'Welcome back to the table',
    paragraph: `One click signs you in as ${EMAIL}. No password needed. Where Potluck asks you for a code, it is <strong>{{ .Token }}</strong>; tell it to nobody.`,
    action: 'Sign me in',
    smallPrint: 'Link and code work once, for one hour.',
    closing: 'You did not ask for this link? Then ignore this e-mail; nobody gets in without it.',
  },
  recovery: {
    heading: 'A fresh key for your account',
    paragraph: `We were asked to reset the password of ${EMAIL}. Open the link and choose a new one.`,
    action: 'Choose a new password',
    closing: 'That was not you? Then ignore this e-mail; your password stays as it is.',
  },
  invite: {
    heading: 'There is a place for you',
    paragraph: `Someone wants to share a plan with you on Potluck, where people split the cost of the services they all use. Accept to open your account as ${EMAIL}.`,
    action: 'Accept the invitation',
    closing:
      'You do not know what this is about? Then ignore this e-mail; no account is opened without the click.',
  },
  email_change: {
    heading: 'Moving to a new address',
    paragraph: `Your account is about to move from ${EMAIL} to <strong>{{ .NewEmail }}</strong>. Confirm it in the mailboxes of both, and it is done.`,
    action: 'Confirm the change',
    closing:
      'You did not ask for this? Then do not click, and choose a new password: someone may be signed in as you.',
  },
  reauthentication: {
    heading: 'A code, to be sure it is you',
    paragraph: `Someone signed in as ${EMAIL} is choosing a new password. If that is you, enter this code: <strong>{{ .Token }}</strong>`,
    action: 'Back to Potluck',
    link: '{{ .SiteURL }}',
    smallPrint: 'The code works once, for one hour.',
    closing:
      'That was not you? Then tell nobody the code, and reset your password: someone else is signed in.',
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
