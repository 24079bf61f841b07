// Sends the database's mail where our server does not run: on hosted Supabase, called every minute by the job `mail`.
// Anybody may call it; it takes no parameters and sends only due mail.
import { callDatabase as call } from '../_shared/database.ts'
import { type DueMail, sendDue } from '../_shared/due-mail.ts'
import { notSetUp } from '../_shared/serve.ts'
import { sendBySmtp } from '../_shared/smtp.ts'

const AT_ONCE = 10
/** In milliseconds; hosted functions are stopped after 150 s. */
const LONGEST = 60_000

Deno.serve(async (request) => {
  if (request.method !== 'POST') return Response.json({ error: 'Call it with POST' }, { status: 405 })
  const [smtpUrl, siteUrl] = [Deno.env.get('SMTP_URL'), Deno.env.get('SITE_URL')?.replace(/\/+$/, '')]
  if (!smtpUrl || !siteUrl) return notSetUp('SMTP_URL', 'SITE_URL')
  const mailer = sendBySmtp(smtpUrl, Deno.env.get('MAIL_FROM') ?? 'Potluck <no-reply@localhost>')
  const until = Date.now() + LONGEST
  const counts = { sent: 0, failed: 0 }
  let taken = AT_ONCE
  while (taken === AT_ONCE && Date.now() < until) {
    const due: DueMail[] = await call('lease_due_mails', { p_limit: AT_ONCE })
    taken = due.length
    await Promise.all(due.map(deliver))
  }
  return Response.json(counts)

  async function deliver(mail: DueMail): Promise<void> {
    const failure = await sendDue(mail, mailer, siteUrl ?? '')
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
