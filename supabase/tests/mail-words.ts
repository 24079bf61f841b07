// Mail as its readers get it, in each language.
import type { Database, Row } from '@potluck/server/db/database.ts'
import { sendDue } from '@potluck/server/mail/due-mail.ts'
import { type Mail, toPlainText } from '@potluck/server/mail/smtp.ts'
import { languages } from '../functions/_shared/words/languages.ts'
import { inWords, type QueuedMail } from '../functions/mail/words.ts'

/** The waiting mails, as leased by the sender, for readers of this language. */
const waiting = (db: Database, language: string) =>
  db.query<QueuedMail & Row>(
    `select m.*, m.parts || private.mail_standing_words() as parts, private.mail_frame(m.parts, m.unsubscribe_path) as frame,
       $1 as language, 'Europe/Paris' as time_zone
     from private.outgoing_mail as m where m.parts is not null`,
    [language],
  )

/** One of them as it goes out. */
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

/** The text, if a placeholder in it was left empty or unformatted. */
export const hollow = (text: string): string[] => (HOLE.test(text) ? [text] : [])

/** English texts of notifications (also used for pushes) and mails with an empty placeholder. */
export async function hollowTexts(db: Database): Promise<string[]> {
  const rows = await db.query<{ said: string }>(
    `select event || ': ' || said as said from (
       select event, unnest(array[title, message]) from public.user_notifications
       union select event, unnest(array[subject] || array(select jsonb_array_elements_text(parts -> 'sentences'))
         || array[parts ->> 'heading', parts ->> 'small_print', parts ->> 'closing']) from private.outgoing_mail
     ) as texts (event, said) where event || said is not null`,
  )
  return rows.flatMap(({ said }) => hollow(said))
}

/** Parts of waiting mails that are English in another language, or unfilled placeholders; apart from hashes. */
export async function leftInEnglish(db: Database): Promise<string[]> {
  const left = new Set<string>()
  for (const said of await hollowTexts(db)) left.add(said)
  for (const language of Object.keys(languages)) {
    const mails = await waiting(db, language)
    if (mails.length === 0) left.add('No mail is waiting')
    for (const mail of mails) {
      const { subject, html } = await asSent(mail)
      const text = `${subject}\n${toPlainText(html)}`
      for (const said of text.split('\n').flatMap(hollow)) left.add(`${mail.event}: ${said}`)
      const { path: _path, language: _en, sentences, ...others } = mail.parts ?? { sentences: [] }
      for (const said of [mail.subject, ...sentences, ...Object.values(others).map(String), '{{'])
        if (text.includes(said) && !/^[0-9a-f]{64}$/.test(said)) left.add(`${mail.event}: ${said}`)
      if (!html.includes(`<html lang="${language}">`)) left.add(`${mail.event}: ${language}`)
    }
  }
  return [...left]
}
