// The commands of `npm run admin`.
import type { Database } from '@potluck/server/db/database.ts'
import { toRun } from '@potluck/server/project.ts'
import { checkBooks, checkLog } from './books.ts'
import { Refusal } from './refusal.ts'
import { grant, list, revoke } from './roles.ts'

const USAGE = `${toRun('admin', '<command>')}
  grant <email> <role>   give somebody a role, such as admin; a wrong one lists all
  revoke <email>         take it away
  list                   who has one
  check-books [<hash>]   whether all money is accounted for, and nothing was forged; the hash is from the daily mail
  check-log [<hash>]     whether the log of staff was tampered with; the hash is from the daily mail
  rotate-vault-key       a new key for the vault, while the server runs`

/** Parses the arguments before a database is opened, and returns the command as a function. Throws a Refusal. */
export function readCommand(args: readonly string[]): (db: Database) => Promise<string> {
  const [verb, first, second, ...rest] = args
  if (rest.length > 0) throw new Refusal(USAGE)
  if (verb === 'grant' && first && second) return (db) => grant(db, first, second)
  if (verb === 'revoke' && first && second === undefined) return (db) => revoke(db, first)
  if (verb === 'list' && first === undefined) return list
  if (verb === 'check-books' && second === undefined) return (db) => checkBooks(db, first)
  if (verb === 'check-log' && second === undefined) return (db) => checkLog(db, first)
  throw new Refusal(USAGE)
}
