// This version upgrades a site of each release with every row and cent.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readConfig } from '@potluck/server/config.ts'
import { main } from '@potluck/server/copy/main.ts'
import type { Mark } from '@potluck/server/copy/read.ts'
import { digest } from '@potluck/server/copy/tables.ts'
import { readMark } from '@potluck/server/copy/write.ts'
import { openDatabase } from '@potluck/server/db/open.ts'
import { passwordMatches } from '@potluck/server/identity/passwords.ts'
import { afterAll, expect, test } from 'vitest'
import { emptyDatabase } from '../../server/test/harness.ts'
import demo from '../demo-accounts.json' with { type: 'json' }
import { expectAgreement } from './model/audit.ts'
import { statements } from './people.ts'

const releases = resolve(import.meta.dirname, '../releases')
const versions = (await readdir(releases))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -5))
const folder = await mkdtemp(join(tmpdir(), 'potluck-releases-'))
afterAll(() => rm(folder, { recursive: true }))
/** Rows that migrations bring and change, and nobody else. */
const OF_THE_PRODUCT = new Set(['private.rate_limits'])

/** Where the rows of a table are now. */
const MOVED: Record<string, string> = { 'public.subscription_logins': 'private.clear_logins' }

test.each(versions)('%s is upgraded from with everything that was there', async (version) => {
  const file = join(releases, `${version}.gz`)
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
  const marks = lines.map(readMark).filter((mark): mark is Mark => mark !== undefined)
  const { digests } = marks.find((mark) => 'digests' in mark) as { digests: Record<string, string> }
  const { url = '' } = await emptyDatabase()
  const env = {
    DATA_DIR: join(folder, version),
    DATABASE_URL: url,
    OUTBOX: 'on',
    ...{
      VAULT_KEY: randomBytes(32).toString('base64'),
      VAPID_PRIVATE_KEY: randomBytes(32).toString('base64'),
    },
  }
  expect(await main(['restore', file], env)).toBe(0)

  const db = await openDatabase({ ...readConfig(env), demo: false })
  const { sql } = statements(db)
  for (const mark of marks)
    if ('table' in mark && !OF_THE_PRODUCT.has(mark.table))
      expect([mark.table, await digest(db, MOVED[mark.table] ?? mark.table, mark.columns)]).toEqual([
        mark.table,
        digests[mark.table],
      ])
  await expectAgreement(sql)
  for (const { email, password } of demo) {
    const [user] = await sql<{
      hash: string
    }>`select encrypted_password as hash from auth.users where email = ${email}`
    expect(await passwordMatches(password, user?.hash ?? '')).toBe(true)
  }
  await sql`select private.run_due_work()`
  await expectAgreement(sql)
  await db.close()
})
