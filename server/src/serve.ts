// Starts the server, prints its URL, and shuts it down properly.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { startApp } from './app.ts'
import { readConfig, readDemoAccounts } from './config.ts'
import { startDailyBackups } from './copy/daily.ts'
import { openDatabase } from './db/open.ts'
import { reportServer } from './db/servers.ts'
import { PROJECT } from './project.ts'
import { StartRefusal } from './start-refusal.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

interface Start {
  onProgress?: (step: string) => void
  /** Called once the database is open. Nothing is served before its promise resolves. */
  onOpen?: () => Promise<unknown> | undefined
}

/** Serves until SIGINT or SIGTERM, and then ends the process. If the server cannot start, ends it with code 1. */
export const serve = (start: Start = {}): Promise<void> =>
  run(start).catch((error: unknown) => {
    process.stderr.write(`${error instanceof StartRefusal ? error.message : explain(error)}\n`)
    process.exit(1)
  })

async function run({ onProgress = (step) => say(`  ${step}`), onOpen }: Start): Promise<void> {
  const config = readConfig(process.env)
  const log = pino({ level: config.logLevel })
  const db = await openDatabase(config, { onProgress })
  const start = async () => {
    await onOpen?.()
    return startApp(config, db, log, { checks: config.startChecks })
  }
  const app = await start().catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  const [account] = readDemoAccounts(config)
  const signIn = account ? ` Sign in as ${account.email} with ${account.password}` : ' Sign up there'
  say(
    `${PROJECT.displayName} is ready at ${app.url}.${signIn}${config.outbox ? `; captured mail: ${app.url}/outbox` : ''}.`,
  )

  for (const notice of app.notices) say(notice)
  keepNotices(config.dataDir, app.notices)

  const endBackups =
    config.databaseUrl === undefined && startDailyBackups({ db, dataDir: config.dataDir, log })
  const endReports = await reportServer({ db, dataDir: config.dataDir, log })

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await app.close()
    if (endBackups) await endBackups()
    await endReports()
    await db.close()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

/** Writes the notices beside the secrets, for operators who do not see what the server prints. */
function keepNotices(dataDir: string, notices: readonly string[]): void {
  const file = join(dataDir, 'notices.txt')
  rmSync(file, { force: true })
  if (notices.length > 0 && existsSync(dataDir))
    writeFileSync(file, `${notices.join('\n')}\n`, { mode: 0o600 })
}

function explain(error: unknown): string {
  const { code, stack } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'That port is already in use. Choose another one with PORT=….'
  return stack ?? String(error)
}
