// Shows captured mail, so that sign-up works on a machine that cannot send any. Never mounted where other machines can
// reach it.
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { html, raw } from 'hono/html'
import { isLoopback } from '#config.ts'
import type { Database } from '#db/database.ts'
import type { OutgoingMail } from './outgoing.ts'

export interface CapturedMail {
  to: string
  subject: string
  text: string
  html: string
  /** ISO 8601. */
  created_at: string
}

// A mail may have its own styles and load pictures from anywhere, but must not run scripts.
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Serves captured mail, newest first, at /outbox for people and /outbox.json for tests. Mail that is due is included.
 */
export function outboxRoutes({
  db,
  outgoing,
}: {
  db: Database
  outgoing: Pick<OutgoingMail, 'flush'>
}): Hono {
  const routes = new Hono()
  // Prevents DNS rebinding: a foreign page could point its domain at this machine and read the mail as same-origin.
  routes.use('/outbox.json', onlyByLocalName).use('/outbox', onlyByLocalName)
  const readMail = async () => {
    await outgoing.flush()
    return db.query<CapturedMail & Record<string, unknown>>(
      `select recipient as "to", subject, text, html, to_jsonb(created_at) #>> '{}' as created_at
       from platform.captured_mail order by id desc`,
    )
  }
  routes.get('/outbox.json', async (context) =>
    context.json(await readMail(), 200, { 'Cache-Control': 'no-store' }),
  )
  routes.get('/outbox', async (context) =>
    context.html(renderOutbox(await readMail()), 200, {
      'Cache-Control': 'no-store',
      'Content-Security-Policy': PAGE_POLICY,
    }),
  )
  return routes
}

const onlyByLocalName = createMiddleware(async (context, next) => {
  if (isLoopback(new URL(context.req.url).hostname)) return next()
  return context.text('Captured mail is shown at localhost only', 421)
})

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 46rem; padding: 2rem 1rem; color: #2a1f18; background: #fffbf4 }
  h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 0 0 .25rem }
  p { margin: .25rem 0 1.5rem } .meta { margin: 0 0 .75rem; color: #6b5f57 }
  article { background: #fff; border-radius: 14px; padding: 1rem 1.25rem; margin: 0 0 1rem; box-shadow: 0 1px 3px #2a1f1822 }
  pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 } a { color: #b4451f }
  summary { cursor: pointer; margin-top: .75rem; padding: .5rem 0 }
  iframe { width: 100%; height: 28rem; border: 1px solid #e8ddd0; border-radius: 10px; background: #fff }
  @media (prefers-color-scheme: dark) {
    body { color: #f3eae0; background: #171310 } article { background: #211b17 } .meta { color: #b8aca0 } a { color: #e07a52 }
  }`

/** Renders each mail as text with working links; its HTML is one click away. */
const renderOutbox = (mails: readonly CapturedMail[]) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Captured mail</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>Captured mail</h1>
<p>This server sends no email. What it would have sent is here, newest first.</p>
${mails.length > 0 ? mails.map(renderMail) : html`<p>No mail yet. Reload after signing up.</p>`}
</main>
</body>
</html>
`

const renderMail = ({ to, subject, text, html: designed, created_at }: CapturedMail) => html`<article>
<h2>${subject}</h2>
<div class="meta">to <b>${to}</b>, <time datetime="${created_at}">${readableTime(created_at)}</time></div>
<pre>${withLinks(text)}</pre>
<details><summary>As designed</summary>
<iframe sandbox="" title="${subject}" loading="lazy" srcdoc="${designed}"></iframe>
</details>
</article>
`

/** Formats a time in the time zone of this machine, which is the reader's: captured mail is shown only on loopback. */
const readableTime = (iso: string) =>
  new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : piece))
