// `npm run admin`: opens the server's database, as the environment variables describe it, and runs a command.
import { readConfig } from '@potluck/server/config.ts'
import { FolderInUse } from '@potluck/server/db/folder-lock.ts'
import { describeDatabase, openDatabase } from '@potluck/server/db/open.ts'
import { readCommand } from './commands.ts'
import { rotateVaultKey } from './rotate-vault-key.ts'

/** Runs a command; returns the exit code. */
export async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    if (args[0] === 'rotate-vault-key') {
      process.stdout.write(`${await rotateVaultKey(readConfig(env))}\n`)
      return 0
    }
    const command = readCommand(args)
    // A database that is opened only for administration gets no demo data.
    const config = readConfig(env, 'administer')
    process.stderr.write(`Looking at ${describeDatabase(config)}\n`)
    const db = await openDatabase({ ...config, demo: false }, { existing: 'migrated' })
    try {
      process.stdout.write(`${await command(db)}\n`)
    } finally {
      await db.close()
    }
    return 0
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    return 1
  }
}

function explain(error: unknown): string {
  if (error instanceof FolderInUse)
    return 'Potluck is running on this data folder, which only one process can use. Stop it, run this again, start it.'
  return error instanceof Error && error.message !== '' ? error.message : String(error)
}
