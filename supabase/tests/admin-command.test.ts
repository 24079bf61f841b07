// `npm run admin`: how the first super-admin is made, and whether the site's records are intact.
// Proves ROLE 01 08, BOOKS 04
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Database } from '@potluck/server/db/database.ts'
import { lockFolder } from '@potluck/server/db/folder-lock.ts'
import { openPglite } from '@potluck/server/db/pglite.ts'
import { loadTemplate } from '@potluck/server/test/template.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../server/test/harness.ts'
import { readCommand } from '../admin/commands.ts'
import { moveCoins } from './coins.ts'
import { addPerson, refusalOf } from './people.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let folder: string
beforeAll(async () => {
  db = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'potluck-admin-'))
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

const run = async (...args: string[]) => readCommand(args)(db)
const roles = (of: Database) => of.query('select role, granted_by from public.user_roles')

describe('the admin command', () => {
  test('makes the first super-admin of an account, whom the database then lets grant roles', async () => {
    const sofia = await addPerson(db, 'Sofia')
    const zoe = await addPerson(db, 'Zoe')
    expect(await run('list')).toBe('Nobody has a role.')
    expect(await run('grant', sofia.email.toUpperCase(), 'super-admin')).toBe(
      `${sofia.email.toUpperCase()} is now super-admin.`,
    )
    expect(await roles(db)).toEqual([{ role: 'super-admin', granted_by: null }])
    await sofia.sql`select assign_user_role(${zoe.id}, 'moderator')`
    expect(await run('list')).toBe(`super-admin  ${sofia.email}\nmoderator  ${zoe.email}`)
    expect(await run('grant', zoe.email, 'admin')).toBe(`${zoe.email} is now admin.`)
    expect(await run('revoke', zoe.email)).toBe(`${zoe.email} is no longer admin.`)
    expect(await run('revoke', zoe.email)).toBe(`${zoe.email} has no role.`)
    expect(await refusalOf(run('revoke', sofia.email))).toMatchObject({
      message: 'The last super-admin cannot be removed',
    })
  })

  test('says what is wrong with what it was asked', async () => {
    const zoe = await addPerson(db, 'Zoe')
    await expect(run('grant', 'nobody@potluck.example', 'admin')).rejects.toThrow(
      'Nobody has an account with nobody@potluck.example. Sign up with it first.',
    )
    await expect(run('grant', zoe.email, 'emperor')).rejects.toThrow(
      'There is no role "emperor". There are: admin, moderator, super-admin.',
    )
    for (const args of [
      '',
      `grant ${zoe.email}`,
      'revoke',
      'list all',
      'check-books a b',
      'check-log a b',
      'crown x y',
    ])
      await expect(run(...args.split(' ').filter(Boolean))).rejects.toThrow(
        /^npm run admin -- <command>\n {2}grant <email> <role>/,
      )
  })

  test('gives no role to an address that nobody has confirmed, nor to an account that has ended', async () => {
    const zoe = await addPerson(db, 'Zoe')
    await db.query('update auth.users set email_confirmed_at = null where id = $1', [zoe.id])
    await expect(run('grant', zoe.email, 'super-admin')).rejects.toThrow('is not confirmed yet')
    await db.query('update auth.users set email_confirmed_at = now(), deleted_at = now() where id = $1', [
      zoe.id,
    ])
    await expect(run('grant', zoe.email, 'super-admin')).rejects.toThrow('Nobody has an account')
  })

  test('says that the books balance, and each fault when they do not', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await moveCoins(db, olivia, 'earned', 5)
    expect(await run('check-books')).toBe(
      'The books balance: 7 accounts, 1 transfers, 0 of them sealed, and 29 records, 0 of them sealed.',
    )
    await db.query('select private.seal_transfers()')
    const [end] = await db.query<{ hash: string }>('select hash from private.ledger_seal_end')
    const whole = `The books balance: 7 accounts, 1 transfers, 1 of them sealed, and 29 records, 29 of them sealed. The last hash is ${end?.hash}.`
    expect(await run('check-books', end?.hash ?? '')).toBe(
      `${whole}\nThe hash from the mail is that of one of them.`,
    )
    await expect(run('check-books', 'f00')).rejects.toThrow(
      'The books are wrong:\nThe hash from the mail is that of no line: f00',
    )
    await db.query('update user_wallets set coin_balance = 7 where user_id = $1', [olivia.id])
    await expect(run('check-books')).rejects.toThrow(
      `The books are wrong:\nA wallet does not equal the ledger: ${olivia.id}, 7.00 instead of 5.00\nA wallet does not equal its coins: ${olivia.id}, 5.00 instead of 7.00`,
    )
    // The command runs the check of its own release, even if the owner of the database has replaced the stored check.
    const [own] = await db.query<{ it: string }>(
      "select pg_get_functiondef('private.check_ledger()'::regprocedure) as it",
    )
    await db.query(`create or replace function private.check_ledger() returns table (fault text, subject text, expected numeric, found numeric)
      language sql stable security definer set search_path = '' as 'select null, null, 0, 0 where false'`)
    await expect(run('check-books')).rejects.toThrow(
      /A wallet does not equal the ledger[\s\S]*A function is not that of this release: check_ledger\(\)/,
    )
    await db.query(own?.it ?? '')
    await db.query('update user_wallets set coin_balance = 5 where user_id = $1', [olivia.id])
    expect(await run('check-books')).toBe(whole)
    // The server's own trigger is no fault, unless its function was replaced.
    await db.query('select realtime.attach_capture()')
    expect(await run('check-books')).toBe(whole)
    const [capture] = await db.query<{ it: string }>(
      "select pg_get_functiondef('realtime.capture_change()'::regprocedure) as it",
    )
    await db.query(`create or replace function realtime.capture_change() returns trigger
      language plpgsql set search_path = '' as 'begin return null; end'`)
    await expect(run('check-books')).rejects.toThrow(
      'that protects the books is not that of this release: public.coin_transactions: _realtime_capture',
    )
    await db.query(capture?.it ?? '')
    // The command leaves no schema of its own behind.
    expect(await db.query("select from pg_namespace where nspname like 'release%'")).toEqual([])
  })

  test('says that the log of staff is as it was written, also by a hash from the mail, and what is not', async () => {
    const [end] = await db.query<{ line: string; hash: string }>(
      'select line, hash from private.staff_log_end',
    )
    const whole = `The log of staff is as it was written: ${end?.line} lines, the last with hash ${end?.hash}.`
    expect(await run('check-log')).toBe(whole)
    expect(await run('check-log', end?.hash ?? '')).toBe(
      `${whole}\nThe hash from the mail is that of one of them.`,
    )
    await expect(run('check-log', 'f00')).rejects.toThrow(
      'The log of staff has been tampered with:\nThe hash from the mail is that of no line',
    )
    await db.query("update private.staff_log_end set hash = 'other'")
    await expect(run('check-log')).rejects.toThrow(`Line ${end?.line}: The chain does not reach its end`)
    await db.query('update private.staff_log_end set hash = $1', [end?.hash ?? ''])
  })

  test('opens the database of the server by the same environment, and waits for a folder that is in use', async () => {
    const ofServer = db.url ? { DATABASE_URL: db.url } : { DATA_DIR: folder }
    const command = async (args: string[], place: Record<string, string> = ofServer) => {
      const script = resolve(import.meta.dirname, '../../scripts/run.mjs')
      const child = spawn(process.execPath, [script, 'supabase/admin/main.ts', ...args], {
        env: { PATH: process.env.PATH, ...place },
      })
      const code = new Promise((done) => child.once('exit', done))
      return { out: await text(child.stdout), complaint: await text(child.stderr), code: await code }
    }
    const embedded = db.url ? undefined : () => openPglite({ dataDir: join(folder, 'pglite') })
    if (embedded) {
      await (await openPglite({ dataDir: join(folder, 'pglite'), loadDataDir: await loadTemplate() })).close()
    }
    const first = embedded ? await embedded() : db
    const ada = await addPerson(first, 'Ada')
    if (embedded) await first.close()

    if (embedded) {
      const release = await lockFolder(folder)
      expect(await command(['list'])).toMatchObject({
        code: 1,
        complaint: expect.stringMatching(/^Looking at .*\nPotluck is running on this data folder/),
      })
      await release()
    }
    expect(await command(['grant', ada.email, 'admin'])).toEqual({
      code: 0,
      out: `${ada.email} is now admin.\n`,
      complaint: expect.stringMatching(
        db.url ? /^Looking at the database test_\w+ at 127/ : /^Looking at the embedded/,
      ),
    })
    // Without the server's variables the command reads and creates nothing.
    const nowhere = join(folder, 'nowhere')
    expect(await command(['list'], { DATA_DIR: nowhere })).toEqual({
      code: 1,
      out: '',
      complaint: expect.stringContaining(`There is no site in the embedded database in ${nowhere}. `),
    })
    expect(existsSync(nowhere)).toBe(false)
    const then = embedded ? await embedded() : db
    expect(await then.query('select role from public.user_roles where user_id = $1', [ada.id])).toEqual([
      { role: 'admin' },
    ])
    if (embedded) await then.close()
  })
})
