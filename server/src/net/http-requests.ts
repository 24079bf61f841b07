// Sends the requests that SQL has queued in net.http_request_queue, unless the database has pg_net itself.
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import { hasExtension, openQueue, type Queue } from '#db/queue.ts'

interface Queued extends Record<string, unknown> {
  id: number
  method: string
  url: string
  headers: Record<string, string> | null
  body: string | null
  timeout_milliseconds: number
}

const AT_ONCE = 20
const MOST_CONTENT = 1_000_000

/** Sends each request once, after its transaction has committed. The response is stored in net._http_response. */
export async function startHttpRequests({
  db,
  log,
}: {
  db: Database
  log: Logger
}): Promise<Pick<Queue, 'close'>> {
  if (await hasExtension(db, 'pg_net')) return { close: async () => undefined }

  async function sendBatch(): Promise<boolean> {
    const queued = await db.query<Queued>(
      `delete from net.http_request_queue where id in (
         select id from net.http_request_queue order by id limit $1 for update skip locked
       ) returning *`,
      [String(AT_ONCE)],
    )
    await Promise.all(queued.map(carryOut))
    return queued.length === AT_ONCE
  }
  async function carryOut(request: Queued): Promise<void> {
    const answer = await send(request).catch((error: unknown) => toFailure(error))
    await db.query(
      `insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg)
       select * from json_to_record($1) as r (id bigint, status_code integer, content_type text, headers jsonb,
         content text, timed_out boolean, error_msg text)`,
      [JSON.stringify({ id: request.id, ...answer })],
    )
  }

  const queue = openQueue(db, {
    channel: 'http_requests',
    work: sendBatch,
    onError: (error) => log.error({ err: error }, 'net: a request was not sent, or its answer not kept'),
  })
  await queue.start()
  return queue
}

async function send({ method, url, headers, body, timeout_milliseconds: timeout }: Queued) {
  const response = await fetch(url, {
    method,
    headers: headers ?? {},
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
  })
  return {
    status_code: response.status,
    content_type: response.headers.get('content-type'),
    headers: Object.fromEntries(response.headers),
    // Postgres text cannot contain NUL characters.
    content: (await response.text()).slice(0, MOST_CONTENT).replaceAll('\0', ''),
    timed_out: false,
  }
}

function toFailure(error: unknown) {
  const { name, message, cause } = error as Error
  const timedOut = name === 'TimeoutError'
  return { timed_out: timedOut, error_msg: cause instanceof Error ? cause.message : message }
}
