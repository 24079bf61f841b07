// Sends notifications to people's devices (docs/decisions/023-web-push.md). GET returns the key with which browsers
// subscribe. POST sends the due pushes; the database calls it when a push is due, and anybody else may call it too,
// because it takes no parameters.
import { callDatabase as call } from '../_shared/database.ts'
import { notSetUp, serveAnyOrigin } from '../_shared/serve.ts'
import { type DuePush, readKeys, send } from './send.ts'

const AT_ONCE = 20
/** The time in ms after which no further pushes are leased; hosted functions are stopped after 150 s. */
const LONGEST = 60_000

serveAnyOrigin(async (request) => {
  const secret = Deno.env.get('VAPID_PRIVATE_KEY')
  if (!secret) return notSetUp('VAPID_PRIVATE_KEY')
  const keys = readKeys(secret)
  if (keys instanceof Error) return Response.json({ error: keys.message }, { status: 500 })
  if (request.method === 'GET') return Response.json({ key: keys.publicKey })
  if (request.method !== 'POST') return Response.json({ error: 'Call it with POST' }, { status: 405 })
  const sender = { ...keys, subject: subjectOf(Deno.env.get('VAPID_SUBJECT'), Deno.env.get('SITE_URL')) }
  const until = Date.now() + LONGEST
  const counts = { sent: 0, failed: 0 }
  let taken = AT_ONCE
  while (taken === AT_ONCE && Date.now() < until) {
    const due: DuePush[] = await call('lease_due_pushes', { p_limit: AT_ONCE })
    taken = due.length
    await Promise.all(due.map(deliver))
  }
  return Response.json(counts)

  async function deliver(push: DuePush): Promise<void> {
    const failure = await send(push, sender, Deno.env.get('PUSH_URL'))
    counts[failure ? 'failed' : 'sent'] += 1
    await call('settle_push', {
      p_about: push.about,
      p_session_id: push.session_id,
      p_attempt: push.attempt,
      p_error: failure?.message ?? null,
      p_outcome: failure?.outcome ?? 'sent',
    })
  }
})

/** Returns the contact for push services, in case our requests cause trouble. */
const subjectOf = (given: string | undefined, siteUrl = '') =>
  given ?? (siteUrl.startsWith('https:') ? siteUrl : 'mailto:no-reply@localhost')
