// Rate limit counters in the database, shared by every server process.
import type { Context, MiddlewareHandler } from 'hono'
import type { Database, Queryable, Transaction } from '#db/database.ts'
import { logOf } from '#http/request-id.ts'
import type { Allowance } from './auth-settings.ts'
import { AuthError, tooManyMails, tooManyRequests } from './errors.ts'
import type { AuthParts } from './parts.ts'

// Each call also deletes two expired counters, so the table stays small. A counter that ends more than a whole window
// from now was written before the system clock was set back; it counts as expired, so that a wrong clock blocks no
// requests. The check reads the clock once this call has the row's lock: a counter written while it waited is not taken
// for one from the future.
const TAKE = `with cleared as (
  delete from platform.rate_limits where key in (
    select key from platform.rate_limits where expires_at < clock_timestamp() and key <> $1
    order by expires_at limit 2 for update skip locked)
), fresh as (select clock_timestamp() as now, make_interval(secs => $2::float8) as span)
insert into platform.rate_limits as r (key, taken, expires_at) select $1, 1, now + span from fresh
on conflict (key) do update set
  taken = case when r.expires_at between (select now from fresh) and clock_timestamp() + (select span from fresh)
    then r.taken + 1 else 1 end,
  expires_at = case when r.expires_at between (select now from fresh) and clock_timestamp() + (select span from fresh)
    then r.expires_at else excluded.expires_at end
returning taken, greatest(1, ceil(extract(epoch from expires_at - clock_timestamp())))::int as wait`

/** Counts an attempt. Returns 0, or the seconds until the next allowed attempt if the allowance is used up. */
export async function take(db: Queryable, key: string, { count, seconds }: Allowance): Promise<number> {
  if (!Number.isFinite(count) || seconds <= 0) return 0
  const [row] = await db.query<{ taken: number; wait: number }>(TAKE, [key, String(seconds)])
  return row && row.taken > count ? row.wait : 0
}

async function forget(db: Database, key: string): Promise<void> {
  await db.query('delete from platform.rate_limits where key = $1', [key])
}

/** Refuses with 429 if a client address has used up its allowance for this kind of request. */
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

/**
 * The reason why a mail was requested. The mail that is sent may be another one, depending on whether an account
 * exists.
 */
type MailKind = 'confirmation' | 'magic_link' | 'recovery' | 'email_change' | 'reauthentication'

const mailKey = (kind: MailKind, email: string) => `mail-${kind}:${email}`

/**
 * Runs `work`, which may mail the address, unless it ran for that address too recently. The check costs the same
 * whether or not an account exists, so a refusal reveals nothing. Failures are not counted.
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

/** Lets an address get another mail immediately, after its last confirmation mail has been used. */
export async function endMailIntervals(db: Database, email: string): Promise<void> {
  for (const kind of ['confirmation', 'magic_link'] as const) await forget(db, mailKey(kind, email))
}

// Limits further guesses at an account once guesses from all addresses together have used up its allowance.
const SLOWLY: Allowance = { count: 1, seconds: 10 }

/**
 * Runs `work`, which throws if the person did not know the account's `secret`. Failures are counted per client and
 * account, so that one person cannot lock out another, and also per account: past that limit attempts are slowed down,
 * except from an address where the account's owner is signed in. Attempts are counted before the check, so that a burst
 * counts in full. Throws 429.
 */
export async function limitGuesses<T>(
  { db, settings, clientAddress, log }: AuthParts,
  context: Context,
  { secret, account }: { secret: 'password' | 'code' | 'factor'; account: string },
  work: () => Promise<T>,
): Promise<T> {
  const { failedAttempts, failedAttemptsOfAll } = settings.rateLimits
  const client = clientAddress(context)
  const [all, own] = [`${secret}:${account}`, `${secret}:${account}:${client}`]
  const wait = (await take(db, own, failedAttempts)) || (await takeFromAccount())
  /** Logs one line per wrong guess, from which fail2ban reads the client's address (docs/operate.md). */
  const note = () => logOf(context, log).warn({ secret, address: client }, 'auth: a wrong guess')
  if (wait > 0) {
    note()
    throw tooManyRequests(wait)
  }
  const result = await work().catch((error: unknown) => {
    if (error instanceof AuthError && error.status < 500) note()
    throw error
  })
  await forget(db, own)
  await db.query('update platform.rate_limits set taken = taken - 1 where key = $1', [all])
  return result

  async function takeFromAccount(): Promise<number> {
    if ((await take(db, all, failedAttemptsOfAll)) === 0) return 0
    // For a second factor, only a session at aal2 shows that the address is the owner's: a person who guesses codes has
    // a session too, but only at aal1.
    const [home] = await db.query(
      secret === 'factor'
        ? `select 1 from auth.sessions s join auth.mfa_factors f using (user_id)
           where f.id::text = $1 and s.ip = $2 and s.aal = 'aal2' limit 1`
        : `select 1 from auth.sessions s join auth.users u on u.id = s.user_id
           where lower(u.email) = $1 and s.ip = $2 limit 1`,
      [account, client],
    )
    return home ? 0 : take(db, `${all}:slowly`, SLOWLY)
  }
}
