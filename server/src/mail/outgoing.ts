// Sends the mail the project's database writes. Which mail is due, and when a failed one is tried again, the database
// says; the two functions are all this server knows of it (docs/decisions/009-outgoing-mail.md).
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import { type Queue, startQueue } from '#db/queue.ts'
import type { Mailer } from './mailer.ts'
import { escapeHtml } from './templates.ts'

interface OutgoingMailParts {
  db: Database
  mailer: Mailer
  /** No trailing slash; stands where a mail says {{ .SiteURL }}. */
  siteUrl: string
  log: Logger
}

interface DueMail extends Record<string, unknown> {
  id: string
  attempt: number
  recipient: string
  subject: string
  html: string
  unsubscribe_path: string | null
}

const AT_ONCE = 5
const POLL_MS = 30_000

/** Sends what is due at each notification and every 30 seconds. A project without such mail is left alone. */
export async function startOutgoingMail({ db, mailer, siteUrl, log }: OutgoingMailParts): Promise<Queue> {
  if (!(await isOffered(db))) return { close: async () => undefined }

  async function sendBatch(): Promise<boolean> {
    const due = await db.query<DueMail>('select * from private.take_due_mails($1)', [String(AT_ONCE)])
    await Promise.all(due.map(deliver))
    return due.length === AT_ONCE
  }
  async function deliver(mail: DueMail): Promise<void> {
    const failure = await send(mail).catch((error: unknown) => toFailure(error))
    if (failure) log.warn({ mail: mail.id, attempt: mail.attempt, ...failure }, 'mail: not sent')
    const outcome = [
      mail.id,
      String(mail.attempt),
      failure?.message ?? null,
      String(failure?.isFinal ?? false),
    ]
    await db
      .query('select private.settle_mail($1, $2, $3, $4)', outcome)
      .catch((error: unknown) => log.error({ err: error, mail: mail.id }, 'mail: not settled'))
  }
  async function send({ recipient, subject, html, unsubscribe_path: path }: DueMail): Promise<undefined> {
    await mailer.send({
      to: recipient,
      subject,
      html: html.replaceAll('{{ .SiteURL }}', () => escapeHtml(siteUrl)),
      ...(path !== null && { unsubscribeUrl: `${siteUrl}${path}` }),
    })
  }

  return startQueue(db, {
    channel: 'outgoing_mail',
    work: sendBatch,
    onError: (error) => log.error({ err: error }, 'mail: the queue could not be read'),
    pollMs: POLL_MS,
  })
}

async function isOffered(db: Database): Promise<boolean> {
  const [row] = await db.query<{ offered: boolean }>(
    `select to_regprocedure('private.take_due_mails(integer)') is not null
       and to_regprocedure('private.settle_mail(uuid,integer,text,boolean)') is not null as offered`,
  )
  return row?.offered === true
}

/** A mail server that knows no such recipient will not know them in an hour either. */
function toFailure(error: unknown): { message: string; isFinal: boolean } {
  const { message, command, responseCode } = error as Error & { command?: string; responseCode?: number }
  return { message, isFinal: command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500 }
}
