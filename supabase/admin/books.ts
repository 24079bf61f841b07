// Whether the books and the log of staff are right, from the command line of the machine itself.
import type { Database } from '@potluck/server/db/database.ts'
import { Refusal } from './refusal.ts'

interface Fault extends Record<string, unknown> {
  fault: string
  subject: string
  expected: string | null
  found: string | null
}

/** Throws Refusal with a line per fault. `hash` is one from the daily mail to super-admins. */
export async function checkBooks(db: Database, hash?: string): Promise<string> {
  const faults = await db.query<Fault>('select * from private.check_books($1)', [hash ?? null])
  if (faults.length > 0) {
    const lines = faults.map(
      ({ fault, subject, expected, found }) =>
        `${fault}: ${subject}${expected === null && found === null ? '' : `, ${found ?? 'nothing'} instead of ${expected ?? 'nothing'}`}`,
    )
    throw new Refusal(`The books are wrong:\n${lines.join('\n')}`)
  }
  const [books] = await db.query<Record<'accounts' | 'transfers' | 'line' | 'hash', string>>(
    `select (select count(*) from private.ledger_accounts) as accounts, (select count(*) from private.ledger_transfers) as transfers,
      line, hash from private.ledger_seal_end`,
  )
  const checked = `The books balance: ${books?.accounts} accounts, ${books?.transfers} transfers, ${books?.line} of them sealed${books?.hash ? `, the last with hash ${books.hash}` : ''}.`
  return hash ? `${checked}\nThe hash from the mail is that of one of them.` : checked
}

/** Throws Refusal with a line per fault. `hash` is one from the daily mail to super-admins. */
export async function checkLog(db: Database, hash?: string): Promise<string> {
  const faults = await db.query<{ line: string | null; fault: string }>(
    'select * from private.check_staff_log($1)',
    [hash ?? null],
  )
  if (faults.length > 0) {
    const lines = faults.map(({ line, fault }) => (line === null ? fault : `Line ${line}: ${fault}`))
    throw new Refusal(`The log of staff has been tampered with:\n${lines.join('\n')}`)
  }
  const [end] = await db.query<{ line: string; hash: string }>('select line, hash from private.staff_log_end')
  const checked = `The log of staff is as it was written: ${end?.line} lines${end?.hash ? `, the last with hash ${end.hash}` : ''}.`
  return hash ? `${checked}\nThe hash from the mail is that of one of them.` : checked
}
