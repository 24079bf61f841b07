// `npm run backup`, `npm run restore` and `npm run move`: copies a whole site to a file, from a file, or from one
// database to another (embedded, Postgres or hosted Supabase).
import { createReadStream, existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Config, readConfig } from '#config.ts'
import type { Database, Transaction } from '#db/database.ts'
import { describeDatabase, openDatabase, refuseAccess } from '#db/open.ts'
import { openPostgres } from '#db/postgres.ts'
import { toRun } from '#project.ts'
import { writeBackup } from './file.ts'
import { CopyError, type Mark, readCopy } from './read.ts'
import { readMark, type WriteOptions, writeCopy } from './write.ts'

const USE = {
  backup: toRun('backup', '<file>'),
  restore: toRun('restore', '<file> [--leave <table or table.column>]…'),
  move: toRun('move', '<postgres://… or folder> [--leave <table or table.column>]…'),
} as const
type Verb = keyof typeof USE

const say = (line: string) => process.stderr.write(`${line}\n`)
const onTable = (name: string) => say(`  ${name}`)

/** Runs a command and returns its exit code. The environment names the database, as it does for the server. */
export async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const [verb, place, ...rest] = args
    if (!isVerb(verb) || place === undefined) throw new CopyError(Object.values(USE).join('\n'))
    const options = { leave: readLeave(verb, rest), onTable }
    // Encrypted data is copied without decrypting it, so no keys are needed.
    const config = readConfig(env, 'administer')
    if (verb === 'backup') await backUp(config, place)
    else if (verb === 'restore') await restore(config, place, options)
    else await move(config, placeFor(env, place), options)
    return 0
  } catch (error) {
    say(error instanceof Error && error.message !== '' ? error.message : String(error))
    return 1
  }
}

const isVerb = (word: string | undefined): word is Verb => word !== undefined && word in USE

function readLeave(verb: Verb, rest: readonly string[]): string[] {
  if (rest.length % 2 === 1 || rest.some((word, index) => index % 2 === 0 && word !== '--leave'))
    throw new CopyError(USE[verb])
  return rest.filter((_, index) => index % 2 === 1)
}

const placeFor = (env: NodeJS.ProcessEnv, place: string): Config =>
  readConfig(
    {
      ...env,
      ...(/^postgres(ql)?:/.test(place) ? { DATABASE_URL: place } : { DATABASE_URL: '', DATA_DIR: place }),
    },
    'administer',
  )

const KEYS =
  'It needs the VAULT_KEY and VAPID_PRIVATE_KEY it had (without these, function-secrets.json of DATA_DIR holds them); everyone signs in again.'

/** Writes a site to a file, which appears only once it is complete. */
export async function backUp(config: Config, file: string): Promise<void> {
  if (existsSync(file)) throw new CopyError(`${file} exists already`)
  const db = await openSite(config)
  try {
    await writeBackup(db, file, { onTable })
  } finally {
    await db.close()
  }
  say(
    `${file} holds the site. Keep VAULT_KEY (or function-secrets.json of DATA_DIR) elsewhere: what is sealed opens with it alone.`,
  )
}

/** Fills the configured database from a file, and migrates it if the file is older than this version. */
export async function restore(config: Config, file: string, options: WriteOptions): Promise<void> {
  const unpacked = createGunzip()
  // An error in either stream ends the other and reaches the reader.
  const reading = pipeline(createReadStream(file), unpacked)
  const notices: string[] = []
  const onWritten = async (tx: Transaction, at: string) => {
    notices.push(...(await noteRestore(tx, at)))
  }
  await Promise.all([take(config, linesOf(unpacked), { ...options, onWritten }), reading])
  for (const line of [`The site of ${file} is in place. ${KEYS}`, ...notices]) say(line)
}

/**
 * Tells the project, in the restore's transaction, that it lacks everything after the copy was made. A project has a
 * function `private.note_restore(timestamptz)` for this, which returns what the operator has to know.
 */
async function noteRestore(tx: Transaction, at: string): Promise<string[]> {
  const [project] = await tx.query<{ listens: boolean }>(
    `select to_regprocedure('private.note_restore(timestamptz)') is not null as listens`,
  )
  if (!project?.listens) return []
  const [told] = await tx.query<{ notice: string | null }>('select private.note_restore($1) as notice', [at])
  return told?.notice ? [told.notice] : []
}

/** Copies a site from one database to another and leaves the source unchanged. */
export async function move(from: Config, to: Config, options: WriteOptions): Promise<void> {
  const db = await openSite(from)
  try {
    await db.transaction((tx) => take(to, readCopy(tx), options))
  } finally {
    await db.close()
  }
  say(`The site is in place, and where it was. ${KEYS}`)
}

interface TakeOptions extends WriteOptions {
  /** Called at the end of the transaction that wrote the copy made at `at`. */
  onWritten?: (tx: Transaction, at: string) => Promise<void>
}

async function take(
  config: Config,
  lines: AsyncIterable<string>,
  { onWritten, ...options }: TakeOptions,
): Promise<void> {
  const rest = lines[Symbol.asyncIterator]()
  const head = readHead((await rest.next()).value)
  const db = await open(config, { versions: head.migrations })
  try {
    await db.transaction(async (tx) => {
      await writeCopy(tx, head, { [Symbol.asyncIterator]: () => rest }, options)
      await onWritten?.(tx, head.at)
    })
  } finally {
    await db.close()
  }
  // Opening the database once more runs the migrations newer than the copy, now that its rows are in place.
  await (await open(config)).close()
}

function readHead(line: string | undefined): Extract<Mark, { format: 1 }> {
  const mark = line === undefined ? undefined : readMark(line)
  if (!mark || !('format' in mark) || mark.format !== 1)
    throw new CopyError('This is no copy that this version can read')
  return mark
}

/** Opens the site to copy from. Throws for an empty database, which missing server variables would lead to. */
function openSite(config: Config): Promise<Database> {
  say(`Reading ${describeDatabase(config)}`)
  return open(config, { existing: 'as it is' })
}

/**
 * Opens a database. Hosted Supabase is used as it is; any other database is set up and migrated according to `options`.
 */
async function open(
  config: Config,
  options: Pick<Parameters<typeof openDatabase>[1] & object, 'versions' | 'existing'> = {},
): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    const db = await openPostgres(config.databaseUrl, { max: 1 }).catch(refuseAccess)
    const [here] = await db.query(
      "select to_regclass('auth.users') is not null and to_regnamespace('platform') is null as is_hosted",
    )
    if (here?.is_hosted) return db
    await db.close()
  }
  return openDatabase({ ...config, demo: false }, options)
}

async function* linesOf(text: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of text.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
