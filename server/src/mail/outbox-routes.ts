// Shows captured mail, so that sign-up works on a machine that cannot send any. Never mounted where others reach it.
import { Hono } from 'hono'
import type { Database } from '#db/database.ts'
import { renderOutbox } from './outbox-page.ts'

export interface CapturedMail {
  to: string
  subject: string
  text: string
  html: string
  /** ISO 8601. */
  created_at: string
}

// A mail may bring styles of its own, and pictures from anywhere; nothing in it may run.
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** GET /outbox for people, GET /outbox.json for tests; both newest first. */
export function outboxRoutes({ db }: { db: Database }): Hono {
  const routes = new Hono()
  const readMail = () =>
    db.query<CapturedMail & Record<string, unknown>>(
      `select recipient as "to", subject, text, html, to_jsonb(created_at) #>> '{}' as created_at
       from platform.captured_mail order by id desc`,
    )
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
