// Counts in the database how often something was done, so that every server process shares the count.
import type { MiddlewareHandler } from 'hono'
import type { Database, Transaction } from '#db/database.ts'
import type { Queryable } from '#identity/users.ts'
import type { Allowance } from './auth-settings.ts'
import { tooManyMails, tooManyRequests } from './errors.ts'
import type { AuthParts } from './parts.ts'

// Each call also deletes two expired allowances, so the table never outgrows its use.
const TAKE = `with cleared as (
  delete from platform.rate_limits where key in (
    select key from platform.rate_limits where expires_at < clock_timestamp() and key <> $1
    order by expires_at limit 2 for update skip locked)
)
insert into platform.rate_limits as r (key, taken, expires_at)
values ($1, 1, clock_timestamp() + make_interval(secs => $2::float8))
on conflict (key) do update set
  taken = case when r.expires_at <= clock_timestamp() then 1 else r.taken + 1 end,
  expires_at = case when r.expires_at <= clock_timestamp() then excluded.expires_at else r.expires_at end
returning taken, greatest(1, ceil(extract(epoch from expires_at - clock_timestamp())))::int as wait`

/** Uses up one of the allowance. Answers 0, or in how many seconds to come back when it was used up already. */
export async function take(db: Queryable, key: string, { count, seconds }: Allowance): Promise<number> {
  if (!Number.isFinite(count) || seconds <= 0) return 0
  const [row] = await db.query<{ taken: number; wait: number }>(TAKE, [key, String(seconds)])
  return row && row.taken > count ? row.wait : 0
}

export async function giveBack(db: Database, key: string): Promise<void> {
  await db.query('delete from platform.rate_limits where key = $1', [key])
}

/** Refuses with 429 once a client address has used up its allowance of this kind of request. */
export function limitPerClient(
  { db, clientAddress }: AuthParts,
  name: string,
  allowance: Allowance,
): MiddlewareHandler {
  return async (context, next) => {
    const wait = await take(db, `${name}:${clientAddress(context)}`, allowance)
    if (wait > 0) throw tooManyRequests(wait)
    await next()
  }
}

/** What a mail was asked for by. Not what it says: that depends on whether there is an account. */
type MailKind = 'confirmation' | 'magic_link' | 'recovery' | 'email_change'

const mailKey = (kind: MailKind, email: string) => `mail-${kind}:${email}`

/**
 * Runs `work`, which may mail to the address, unless it ran for that address too short a time ago. Asking costs
 * the same whether or not an account exists, so the refusal tells nothing. What fails is not counted.
 */
export function oncePerInterval<T>(
  { db, settings }: AuthParts,
  kind: MailKind,
  email: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const wait = await take(tx, mailKey(kind, email), settings.rateLimits.mailInterval)
    if (wait > 0) throw tooManyMails(wait)
    return work(tx)
  })
}

/** Lets the address be mailed again: the last mail to confirm it did its work. */
export async function endMailIntervals(db: Database, email: string): Promise<void> {
  for (const kind of ['confirmation', 'magic_link'] as const) await giveBack(db, mailKey(kind, email))
}

/** Counts an attempt before it is judged, so that a burst of guesses counts in full. Throws 429. */
export async function countAttempt({ db, settings }: AuthParts, key: string): Promise<void> {
  const wait = await take(db, key, settings.rateLimits.failedAttempts)
  if (wait > 0) throw tooManyRequests(wait)
}
