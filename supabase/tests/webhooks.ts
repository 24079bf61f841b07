// Webhooks for SQL tests, as the function `vault` stores them; sealing is tested in edge-functions/webhooks.test.ts.
import { randomUUID } from 'node:crypto'
import type { Database } from '@potluck/server/db/database.ts'
import type { Person } from './people.ts'

/** Gives a person a webhook for all events, or only for `events`; returns the webhook's id. */
export async function addWebhook(db: Pick<Database, 'query'>, { id }: Pick<Person, 'id'>, events?: string[]) {
  const webhook = randomUUID()
  await db.query(
    `select private.save_webhook($1, $2, 1, 'v1.sealed', null, 'Home', 'home.example', coalesce($3::text[], private.webhook_types()))`,
    [id, webhook, events ? `{${events.join()}}` : null],
  )
  return webhook
}
