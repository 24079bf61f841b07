// Detects poolers that do not give each connection a session of its own.
import pg from 'pg'
import { StartRefusal } from '../start-refusal.ts'

/** Thrown if a pooler gives the transactions of one connection to different sessions of Postgres. */
export class SharedSessions extends StartRefusal {}

const ATTEMPTS = 5
const WAIT_MS = 5_000
const WHICH = 'select pg_backend_pid() as pid'

/**
 * Throws SharedSessions behind a pooler in transaction or statement mode. LISTEN would hear nothing there, and roles,
 * settings and prepared statements of a session would meet those of others.
 */
export async function refuseSharedSessions(url: string): Promise<void> {
  const connection = { connectionString: url, connectionTimeoutMillis: WAIT_MS }
  const [one, other] = [new pg.Client(connection), new pg.Client(connection)]
  const ask = async (client: pg.Client) => (await client.query(WHICH)).rows[0]?.pid
  try {
    for (const client of [one, other]) {
      client.on('error', () => undefined)
      await client.connect()
    }
    // Such a pooler answers the second connection from the session that the first one has just left, or the first one from
    // another session, unless other clients interfere; hence several attempts.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const [first, second, third] = [await ask(one), await ask(other), await ask(one)]
      if (first === second || first !== third)
        throw new SharedSessions(
          'DATABASE_URL leads to a pooler that shares its sessions (pool_mode transaction or statement), but this server needs sessions of its own. Use the address of Postgres itself, or pool_mode session: docs/scale.md, "Behind a pooler".',
        )
    }
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => undefined)))
  }
}
