// Whether the books are right, from the command line of the machine itself.
import type { Database } from '@potluck/server/db/database.ts'
import { Refusal } from './refusal.ts'

interface Fault extends Record<string, unknown> {
  fault: string
  subject: string
  expected: string
  found: string
}

/** Throws Refusal with a line per fault. */
export async function checkBooks(db: Database): Promise<string> {
  const faults = await db.query<Fault>('select * from private.check_books()')
  if (faults.length > 0) {
    const lines = faults.map(
      ({ fault, subject, expected, found }) => `${fault}: ${subject}, ${found} instead of ${expected}`,
    )
    throw new Refusal(`The books are wrong:\n${lines.join('\n')}`)
  }
  const [{ accounts, transfers } = { accounts: '0', transfers: '0' }] = await db.query<{
    accounts: string
    transfers: string
  }>(
    `select (select count(*) from private.ledger_accounts) as accounts, (select count(*) from private.ledger_transfers) as transfers`,
  )
  return `The books balance: ${accounts} accounts, ${transfers} transfers.`
}
