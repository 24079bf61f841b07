// Sends the mail that the project's database has queued, including that of the auth service. The database decides which
// mail is due and when to retry, and the project's function `mail` writes the texts; this server uses only four
// functions of the database (docs/decisions/009-outgoing-mail.md).
import type { Logger } from 'pino'
import type { Database, Row, Transaction } from '#db/database.ts'
import { openQueue, type Queue } from '#db/queue.ts'
import type { Metrics } from '#http/metrics.ts'
import { renewTokens } from '#identity/one-time-tokens.ts'
import { type DueMail, type FinishedMail, sendDue } from './due-mail.ts'
import { type Mail, type Mailer, toFailure } from './smtp.ts'

export interface OutgoingMail extends Queue {
  /**
   * Queues a mail to an account, to be sent when the transaction commits; does nothing if there is no such account.
   * Replaces an unsent mail of this `kind` to the same address.
   */
  write(tx: Transaction, accountId: string, kind: string, mail: Mail): Promise<void>
}

interface OutgoingMailParts extends Pick<Metrics, 'mails'> {
  db: Database
  mailer: Mailer
  /** Calls a function of the project, with the service key. */
  callFunction: (path: string, init: RequestInit) => Promise<Response>
  /** The site's URL without a trailing slash; it replaces {{ .SiteURL }} in mails. */
  siteUrl: string
  log: Logger
}

/** The `about` of an auth mail: kind, account and address. */
const ABOUT_LINK = /^([a-z_]+) ([0-9a-f-]{36}) (\S+)$/

const AT_ONCE = 5
const POLL_MS = 30_000

/**
 * Opens the project's queue, which is read on each notification and every 30 seconds. Without a queue, auth mail is
 * sent immediately.
 */
export async function openOutgoingMail({
  db,
  mailer,
  callFunction,
  siteUrl,
  mails,
  log,
}: OutgoingMailParts): Promise<OutgoingMail> {
  if (!(await isOffered(db))) return withoutQueue(mailer, log)

  async function sendBatch(): Promise<boolean> {
    const due = await db.query<DueMail & Row>('select * from private.lease_due_mails($1)', [String(AT_ONCE)])
    await Promise.all(due.map(deliver))
    return due.length === AT_ONCE
  }
  async function deliver(mail: DueMail): Promise<void> {
    await Promise.all(mail.about.map(renewLink))
    const failure = await putIntoWords(mail).then((said) => sendDue(said, mailer, siteUrl), toFailure)
    mails.inc({ outcome: failure ? 'failed' : 'sent' })
    const attempt = { mail: mail.id, attempt: mail.attempt }
    log.info({ ...attempt, ...failure }, failure ? 'mail: not sent' : 'mail: sent')
    const outcome = [
      mail.id,
      String(mail.attempt),
      failure?.message ?? null,
      String(failure?.isFinal ?? false),
      String(failure?.isOutage ?? false),
    ]
    try {
      const text = 'select private.settle_mail($1, $2, $3, $4, $5) as "isGivenUp"'
      const [settled] = await db.query<{ isGivenUp: boolean }>(text, outcome)
      if (settled?.isGivenUp) log.warn({ ...attempt, ...failure }, 'mail: given up')
    } catch (error) {
      log.error({ err: error, mail: mail.id }, 'mail: not settled')
    }
  }
  async function putIntoWords(mail: DueMail): Promise<FinishedMail> {
    const { subject, html } = mail
    if (subject !== null && html !== null) return { ...mail, subject, html }
    const answer = await callFunction('mail/words', { method: 'POST', body: JSON.stringify(mail) })
    if (!answer.ok) throw new Error(`The function mail answered ${answer.status}: ${await answer.text()}`)
    return answer.json() as Promise<FinishedMail>
  }
  /**
   * Restarts the validity of an auth link when its mail is sent, since the mail may have waited for the mail server.
   */
  async function renewLink(about: string): Promise<void> {
    const [, kind, userId, email] = ABOUT_LINK.exec(about) ?? []
    if (kind && userId && email) await renewTokens(db, { kind, userId, email })
  }
  return {
    ...openQueue(db, {
      channel: 'outgoing_mail',
      work: sendBatch,
      onError: (error) => log.error({ err: error }, 'mail: the queue could not be read'),
      pollMs: POLL_MS,
    }),
    write: async (tx, accountId, kind, { to, subject, html }) => {
      const text = `select private.cancel_mail($5), private.send_mail($2, $3, $4, array[$5])
        from auth.users where id = $1`
      await tx.query(text, [accountId, to, subject, html, `${kind} ${accountId} ${to}`])
    },
  }
}

const nothing = async () => undefined

const withoutQueue = (mailer: Mailer, log: Logger): OutgoingMail => ({
  write: async (tx, accountId, _kind, mail) => {
    const [account] = await tx.query('select 1 from auth.users where id = $1', [accountId])
    if (!account) return
    // This is not awaited, because the time until the mail server responds would reveal whether the account exists.
    mailer.send(mail).catch((error: unknown) => log.warn(toFailure(error), 'mail: not sent'))
  },
  start: nothing,
  flush: nothing,
  close: nothing,
})

async function isOffered(db: Database): Promise<boolean> {
  const [row] = await db.query<{ offered: boolean }>(
    `select bool_and(to_regproc('private.' || name) is not null) as offered
     from unnest(array['send_mail', 'cancel_mail', 'lease_due_mails', 'settle_mail']) as name`,
  )
  return row?.offered === true
}
