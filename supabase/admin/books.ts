// The commands `check-books` and `check-log` of `npm run admin`. They check the books and the staff log with the
// functions in this release's own files, because the owner of a database can replace the functions stored in it.
import type { Database, Transaction } from '@potluck/server/db/database.ts'
import { Refusal } from './refusal.ts'
import { faultsInBooks, installRelease } from './release.ts'

class RolledBack<T> {
  readonly outcome: T
  constructor(outcome: T) {
    this.outcome = outcome
  }
}

/** Runs `look` in a transaction that is rolled back, and returns its result. */
async function looking<T>(db: Database, look: (tx: Transaction) => Promise<T>): Promise<T> {
  const checkAndUndo = async (tx: Transaction): Promise<never> => {
    throw new RolledBack(await look(tx))
  }
  return db.transaction(checkAndUndo).catch((end: unknown) => {
    if (end instanceof RolledBack) return end.outcome as T
    throw end
  })
}

/** Checks the books. Throws a Refusal with one line for each fault. `hash` is from a daily mail to super-admins. */
export const checkBooks = (db: Database, hash?: string): Promise<string> =>
  looking(db, async (tx) => {
    const faults = await faultsInBooks(tx, await installRelease(tx), hash)
    if (faults.length > 0) {
      const lines = faults.map(
        ({ fault, subject, expected, found }) =>
          `${fault}: ${subject}${expected === null && found === null ? '' : `, ${found ?? 'nothing'} instead of ${expected ?? 'nothing'}`}`,
      )
      throw new Refusal(`The books are wrong:\n${lines.join('\n')}`)
    }
    const [books] = await tx.query<
      Record<
        'accounts' | 'transfers' | 'records' | 'line' | 'transfers_sealed' | 'records_sealed' | 'hash',
        string
      >
    >(
      `select (select count(*) from private.ledger_accounts) as accounts, (select count(*) from private.ledger_transfers) as transfers,
        (select count(*) from private.sealed_records) as records,
        (select count(transfer_id) from private.ledger_seals) as transfers_sealed,
        (select count(record_id) from private.ledger_seals) as records_sealed, line, hash from private.ledger_seal_end`,
    )
    const checked = `The books balance: ${books?.accounts} accounts, ${books?.transfers} transfers, ${books?.transfers_sealed} of them sealed, and ${books?.records} records, ${books?.records_sealed} of them sealed${books?.hash ? `. The last hash is ${books.hash}` : ''}.`
    return hash ? `${checked}\nThe hash from the mail is that of one of them.` : checked
  })

/** Checks the staff log. Throws a Refusal with one line for each fault. `hash` is from a daily mail to super-admins. */
export const checkLog = (db: Database, hash?: string): Promise<string> =>
  looking(db, async (tx) => {
    const faults = await tx.query<{ line: string | null; fault: string }>(
      `select * from ${await installRelease(tx)}.check_staff_log($1)`,
      [hash ?? null],
    )
    if (faults.length > 0) {
      const lines = faults.map(({ line, fault }) => (line === null ? fault : `Line ${line}: ${fault}`))
      throw new Refusal(`The log of staff has been tampered with:\n${lines.join('\n')}`)
    }
    const [end] = await tx.query<{ line: string; hash: string }>(
      'select line, hash from private.staff_log_end',
    )
    const checked = `The log of staff is as it was written: ${end?.line} lines${end?.hash ? `, the last with hash ${end.hash}` : ''}.`
    return hash ? `${checked}\nThe hash from the mail is that of one of them.` : checked
  })
