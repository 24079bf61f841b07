// Sends the due mails of the database's queue where our server does not run: on hosted Supabase, where the scheduled
// job `mail` calls this function every minute. Anybody may call it, because it takes no parameters and sends only what
// is due. Our server sends mail itself; it gets the texts from POST /mail/words, with the service key.
import { sendDue } from '../../../server/src/mail/due-mail.ts'
import { sendBySmtp, toFailure } from '../../../server/src/mail/smtp.ts'
import { callDatabase as call } from '../_shared/database.ts'
import { notSetUp } from '../_shared/serve.ts'
import { inWords, type QueuedMail } from './words.ts'

const AT_ONCE = 10
/** The time in ms after which no further mails are leased; hosted functions are stopped after 150 s. */
const LONGEST = 60_000

Deno.serve(async (request) => {
  if (request.method !== 'POST') return Response.json({ error: 'Call it with POST' }, { status: 405 })
  if (new URL(request.url).pathname.endsWith('/words')) return words(request)
  const [smtpUrl, siteUrl] = [Deno.env.get('SMTP_URL'), Deno.env.get('SITE_URL')?.replace(/\/+$/, '')]
  if (!smtpUrl || !siteUrl) return notSetUp('SMTP_URL', 'SITE_URL')
  const mailer = sendBySmtp(smtpUrl, Deno.env.get('MAIL_FROM') ?? 'Potluck <no-reply@localhost>')
  const until = Date.now() + LONGEST
  const counts = { sent: 0, failed: 0 }
  let taken = AT_ONCE
  while (taken === AT_ONCE && Date.now() < until) {
    const due: QueuedMail[] = await call('lease_due_mails', { p_limit: AT_ONCE })
    taken = due.length
    await Promise.all(due.map(deliver))
  }
  return Response.json(counts)

  async function deliver(mail: QueuedMail): Promise<void> {
    const failure = await Promise.resolve(mail)
      .then(inWords)
      .then((said) => sendDue(said, mailer, siteUrl ?? ''), toFailure)
    counts[failure ? 'failed' : 'sent'] += 1
    await call('settle_mail', {
      p_id: mail.id,
      p_attempt: mail.attempt,
      p_error: failure?.message ?? null,
      p_is_final: failure?.isFinal ?? false,
      p_is_outage: failure?.isOutage ?? false,
    })
  }
})

async function words(request: Request): Promise<Response> {
  const isServer =
    request.headers.get('Authorization') === `Bearer ${Deno.env.get('SUPABASE_SERVICE_ROLE_KEY')}`
  if (!isServer) return Response.json({ error: 'Call it with the service key' }, { status: 403 })
  return Response.json(inWords(await request.json()))
}
