// Bank accounts for SQL tests. The sealed data is fake: encryption is tested in edge-functions/.
import { randomUUID } from 'node:crypto'
import type { Database } from '@potluck/server/db/database.ts'
import { moveCoins } from './coins.ts'
import { addPerson, type Person } from './people.ts'

/** Gives a person a bank account that was added this many hours ago. */
export async function addBankAccount(
  db: Pick<Database, 'query'>,
  { id }: Pick<Person, 'id'>,
  { last4 = '3000', hoursAgo = 25 }: { last4?: string; hoursAgo?: number } = {},
): Promise<string> {
  const account = randomUUID()
  await db.query(
    `insert into private.bank_accounts (id, user_id, version, last4, sealed, created_at)
     select $1, $2, coalesce(max(version), 0) + 1, $3, 'v1.sealed.elsewhere', now() - $4 * interval '1 hour'
     from private.bank_accounts where user_id = $2`,
    [account, id, last4, String(hoursAgo)],
  )
  return account
}

/** Creates an account with this many coins, and a bank account for payouts. */
export async function addPayee(db: Database, coins: number, name = 'Olivia'): Promise<Person> {
  const person = await addPerson(db, name)
  await moveCoins(db, person, 'earned', coins)
  await addBankAccount(db, person)
  return person
}
