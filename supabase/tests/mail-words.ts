// Mail as its readers get it, in each language.
import type { Database, Row } from '@potluck/server/db/database.ts'
import { sendDue } from '@potluck/server/mail/due-mail.ts'
import { type Mail, toPlainText } from '@potluck/server/mail/smtp.ts'
import { languages } from '../functions/_shared/words/languages.ts'
import { inWords, type QueuedMail, type Said, sayMail } from '../functions/mail/words.ts'

type Waiting = QueuedMail & Row & { said: Said; minutes: number }

/**
 * Returns the waiting mails whose text the function `mail` writes, to one email address or to all, oldest first, with
 * their English texts.
 */
export async function waitingMails(db: Database, recipient?: string): Promise<Waiting[]> {
  const rows = await db.query<Waiting>(
    `select m.*, 'en' as language, private.zone_of(reader_id) as time_zone,
       round(extract(epoch from next_attempt_at - clock_timestamp()) / 60)::float8 as minutes
     from private.outgoing_mail as m where path is not null and recipient = coalesce($1, recipient) order by created_at`,
    [recipient ?? null],
  )
  return rows.map((mail) => ({ ...mail, said: sayMail(mail) }))
}

/** Returns a waiting mail as it is sent. */
export async function asSent(mail: QueuedMail): Promise<Mail> {
  const sent: Mail[] = []
  const send = async (given: Mail) => {
    sent.push(given)
  }
  const failure = await sendDue(inWords(mail), { send }, 'https://potluck.example')
  if (!sent[0]) throw new Error(failure?.message)
  return sent[0]
}

/** Signs of an empty or unfilled placeholder: `uses .`, `for  days`, `{amount}`, `%s`. */
const HOLE =
  /\p{L} [.,](?=\s|$)|\p{L} {2,}\p{L}|\{\w*[,}]|%[sIL]|\$\{|\b(?:null|undefined|NaN|Invalid Date)\b|“”|\(\)|^\s*[.,]/mu

/** Returns the text if a placeholder in it was left empty or unformatted. */
export const hollow = (text: string): string[] => (HOLE.test(text) ? [text] : [])

const textsOf = ({ language: _tag, sentences, ...others }: Said) => [...sentences, ...Object.values(others)]

/** Returns English texts of notifications (also used for pushes) and mails with an empty placeholder. */
export async function hollowTexts(db: Database): Promise<string[]> {
  const rows = await db.query<{ said: string }>(
    `select event || ': ' || said as said from (
       select event, unnest(array[title, message]) from public.user_notifications
     ) as texts (event, said) where event || said is not null`,
  )
  const mails = await waitingMails(db)
  return [...rows.map(({ said }) => said), ...mails.flatMap(({ said }) => textsOf(said))].flatMap(hollow)
}

/**
 * Returns parts of waiting mails that are still in English in another language, and unfilled placeholders; the tokens
 * in links are not counted.
 */
export async function leftInEnglish(db: Database): Promise<string[]> {
  const left = new Set<string>()
  for (const said of await hollowTexts(db)) left.add(said)
  const mails = await waitingMails(db)
  if (mails.length === 0) left.add('No mail is waiting')
  for (const language of Object.keys(languages))
    for (const mail of mails) {
      const { subject, html } = await asSent({ ...mail, language })
      const text = `${subject}\n${toPlainText(html)}`
      for (const said of text.split('\n').flatMap(hollow)) left.add(`${mail.event}: ${said}`)
      for (const said of [...textsOf(mail.said), '{{'])
        if (text.includes(said) && !/^[0-9a-f]{64}$/.test(said)) left.add(`${mail.event}: ${said}`)
      if (!html.includes(`<html lang="${language}">`)) left.add(`${mail.event}: ${language}`)
    }
  return [...left]
}
