// A whole site copied to a file and to another database: every row and every cent of it, or nothing.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readConfig } from '@potluck/server/config.ts'
import { backUp, main } from '@potluck/server/copy/main.ts'
import { type Mark, readCopy } from '@potluck/server/copy/read.ts'
import { readMark, writeCopy } from '@potluck/server/copy/write.ts'
import type { Database } from '@potluck/server/db/database.ts'
import { openDatabase } from '@potluck/server/db/open.ts'
import { passwordMatches } from '@potluck/server/identity/passwords.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openTestDatabase } from '../../server/test/harness.ts'
import { hostedDatabase } from './hosted/database.ts'
import { expectAgreement } from './model/audit.ts'
import { signedInWith, statements } from './people.ts'
import { storeEntry } from './vault-entries.ts'

const folder = await mkdtemp(join(tmpdir(), 'potluck-copy-'))
afterAll(() => rm(folder, { recursive: true }))
const env = (name: string) => ({
  DATA_DIR: join(folder, name),
  VAULT_KEY: randomBytes(32).toString('base64'),
  VAPID_PRIVATE_KEY: randomBytes(32).toString('base64'),
  OUTBOX: 'on',
})
const file = join(folder, 'site.gz')
let lines: string[]

/** Returns a place for a copy: a second, empty Postgres if the run has one, otherwise another folder. */
async function place(name: string): Promise<string> {
  if (!inject('clusterUrl')) return join(folder, name)
  const database = await openTestDatabase()
  await database.close()
  return database.url ?? ''
}
const at = (address: string) => ({
  ...env('unused'),
  ...(address.startsWith('postgres') ? { DATABASE_URL: address } : { DATA_DIR: address }),
})
const look = async <T>(address: string, work: (db: Database) => Promise<T>): Promise<T> => {
  const db = await openDatabase({ ...readConfig(at(address)), demo: false })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
const copyOf = (db: Database): Promise<string[]> =>
  db.transaction(async (tx) => {
    const all: string[] = []
    for await (const line of readCopy(tx)) all.push(line)
    return all
  })
const digestsOf = (copy: readonly string[]) => (readMark(copy.at(-1) ?? '') as { digests: object }).digests
const write = (db: Database, [first = '', ...rest]: readonly string[], leave: string[] = []) =>
  db.transaction((tx) =>
    writeCopy(
      tx,
      readMark(first) as Extract<Mark, { format: 1 }>,
      (async function* () {
        yield* rest
      })(),
      { leave },
    ),
  )

beforeAll(async () => {
  // The first site gets the demo data, and a vault entry.
  const config = readConfig({ ...env('first'), DEMO: 'on' })
  const db = await openDatabase(config)
  const { sql } = statements(db)
  const [plan] = await sql<{ id: string; owner_id: string; email: string }>`
    select p.id, p.owner_id, u.email from shared_subscriptions as p join auth.users as u on u.id = p.owner_id
    where p.status = 'active' limit 1`
  const owner = signedInWith(db, { id: plan?.owner_id ?? '', email: plan?.email ?? '' }, ['password'])
  await storeEntry(db, { id: plan?.id, owner } as never, 'v1.sealed.for-the-copy')
  await db.close()
  await backUp(config, file)
  lines = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
})

describe('a backup', () => {
  test('is for its owner alone, holds no session, and takes no other file’s place', async () => {
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect(lines.filter((line) => /^@.*"table":"auth\.(sessions|one_time_tokens)/.test(line))).toEqual([])
    expect(await main(['backup', file], env('first'))).toBe(1)
    expect(existsSync(`${file}.unfinished`)).toBe(false)
  })

  test('comes back whole, is moved on, and the site works there', async () => {
    const [second, third] = [await place('second'), join(folder, 'third')]
    expect(await main(['restore', file], at(second))).toBe(0)
    expect(await main(['move', third], at(second))).toBe(0)
    for (const address of [second, third])
      await look(address, async (db) => {
        expect(digestsOf(await copyOf(db))).toEqual(digestsOf(lines))
        const { sql } = statements(db)
        await expectAgreement(sql)
        const [dana] = await sql<{ encrypted_password: string }>`
          select encrypted_password from auth.users where email = 'demo@potluck.example'`
        expect(await passwordMatches('Potluck-demo-1!', dana?.encrypted_password)).toBe(true)
        expect(
          await sql`select sealed from private.vault_entries where sealed like '%for-the-copy'`,
        ).toHaveLength(1)
        // The copy's sequences continue from the original's values, and its triggers are enabled again.
        const [of] =
          await sql`select max(id) < nextval(pg_get_serial_sequence('private.ledger_transfers', 'id')) as is_next
          from private.ledger_transfers`
        expect(of).toEqual({ is_next: true })
        await expect(sql`update private.ledger_entries set amount = 1`).rejects.toThrow()
        await expect(sql`insert into member_payments (seat_id) values (gen_random_uuid())`).rejects.toThrow()
      })
    // A site with people is never overwritten.
    expect(await main(['restore', file], at(third))).toBe(1)
    expect(await main(['move', second], at(third))).toBe(1)
  })

  test('of a site that paid people out comes back with payments on hold', async () => {
    const [paying, after] = [join(folder, 'third'), await place('after')]
    await look(paying, (db) =>
      db.query(
        'insert into private.payout_files (payments, amount, created_by) select 1, 25, id from auth.users limit 1',
      ),
    )
    const holds = (address: string) =>
      look(address, (db) =>
        db.query(
          'select backed_up_at < restored_at as is_earlier from private.restores where compared_at is null',
        ),
      )
    const later = join(folder, 'later.gz')
    await backUp(readConfig(at(paying), 'administer'), later)
    expect(await main(['restore', later], at(after))).toBe(0)
    expect([await holds(paying), await holds(after)]).toEqual([[], [{ is_earlier: true }]])
  })

  test('fits hosted Supabase, and what has no place there is left behind only when said', async () => {
    const { db, sql } = await hostedDatabase()
    await sql`drop table platform.settings`
    const demo = ['platform.settings']
    await expect(write(db, lines)).rejects.toThrow(
      /no place for platform\.settings.*--leave platform\.settings/,
    )
    expect(await sql`select id from auth.users`).toEqual([])
    await write(db, lines, demo)
    await expectAgreement(sql)
    const there = digestsOf(await copyOf(db)) as Record<string, string>
    const here = digestsOf(lines) as Record<string, string>
    const project = Object.keys(here).filter((name) => /^(public|private)\./.test(name))
    expect(project.map((name) => [name, there[name]])).toEqual(project.map((name) => [name, here[name]]))
    expect(there['auth.users']?.split(':')[0]).toBe(here['auth.users']?.split(':')[0])
  })
})

describe('a copy that is not what it was', () => {
  let db: Database
  let empty: string[]
  beforeAll(async () => {
    db = await openTestDatabase()
    empty = await copyOf(db)
  })
  afterAll(() => db.close())
  const rowAfter = (table: string) => lines.findIndex((line) => line.includes(`"table":"${table}"`)) + 1
  const changed = (index: number, line: string) => lines.with(index, line)
  const edited = (table: string, from: string | RegExp, to: string) => {
    const row = rowAfter(table)
    return changed(row, (lines[row] ?? '').replace(from, to))
  }
  test.each([
    [
      'a number',
      () => edited('private.ledger_transfers', /"amount":(-?)/, '"amount":1$1'),
      /private\.ledger_transfers is not what it was/,
    ],
    ['a row too few', () => lines.toSpliced(rowAfter('public.messages'), 1), /public\.messages is not/],
    ['its end missing', () => lines.slice(0, -1), /breaks off/],
    [
      'a table of another site',
      () =>
        changed(
          rowAfter('public.messages') - 1,
          '@{"table":"public.messages;drop table x","columns":["id"]}',
        ),
      /no place for public\.messages;drop/,
    ],
    [
      'a column of another site',
      () => {
        const head = rowAfter('public.messages') - 1
        const more = (lines[head] ?? '').replace(/\]\}$/, ',"x) values (1"]}')
        return edited('public.messages', '{', '{"x) values (1":7,').with(head, more)
      },
      /no place for public\.messages\.x\) values/,
    ],
    [
      'another version',
      () => changed(0, (lines[0] ?? '').replace('"migrations":[', '"migrations":["1",')),
      /migrations/,
    ],
    ['a row that is no JSON', () => changed(rowAfter('public.messages'), '{"id":'), /json/],
  ] as const)('is refused with %s, and leaves nothing', async (_what, damage, why) => {
    await expect(write(db, damage())).rejects.toThrow(why)
    expect(digestsOf(await copyOf(db))).toEqual(digestsOf(empty))
  })

  test('is refused as a file too: cut off, no copy at all, or not there', async () => {
    const cut = join(folder, 'cut.gz')
    await writeFile(cut, (await readFile(file)).subarray(0, 5_000))
    const other = join(folder, 'other.gz')
    await writeFile(other, gzipSync('{"hello":1}\n'))
    for (const name of [cut, other, join(folder, 'none.gz')])
      expect(await main(['restore', name], env('fourth')), name).toBe(1)
    await look(join(folder, 'fourth'), async (db) =>
      expect(await db.query('select id from auth.users')).toEqual([]),
    )
  })

  test.each([
    [[]],
    [['backup']],
    [['sell', 'x']],
    [['move', 'x', '--leave']],
    [['restore', 'x', '--drop', 'y']],
  ])('a command such as %j says how it is meant', async (args) =>
    expect(await main(args, env('fifth'))).toBe(1),
  )
})
