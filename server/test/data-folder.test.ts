import { chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#config.ts'
import type { Database } from '#db/database.ts'
import { FolderInUse } from '#db/folder-lock.ts'
import { DemoExposed, ForeignFolder, openDatabase } from '#db/open.ts'
import { deriveKeys, readOrCreateSecret } from '#secrets.ts'

const folder = await mkdtemp(join(tmpdir(), 'potluck-folder-'))
const config = readConfig({ DATA_DIR: folder })
afterAll(() => rm(folder, { recursive: true, force: true }))
const people = async (db: Database) => (await db.query('select count(*)::int as n from auth.users'))[0]?.n

test('a folder holds one server at a time, and what was in it', async () => {
  // The first start creates everything: migrations and demo data.
  const first = await openDatabase(config)
  await expect(openDatabase(config)).rejects.toThrow(FolderInUse)
  await expect(openDatabase(config)).rejects.toThrow(folder)
  const before = await people(first)
  expect(before).toBeGreaterThan(1)
  await first.close()
  const again = await openDatabase(config)
  expect(await people(again)).toBe(before)
  await again.close()
})

test('demo data never becomes public', async () => {
  const exposed = readConfig({ DATA_DIR: folder, HOST: '0.0.0.0', SMTP_URL: 'smtp://localhost' })
  await expect(openDatabase(exposed)).rejects.toThrow(DemoExposed)
})

test('root leaves a folder of somebody else alone', async () => {
  const { uid, gid } = await stat(join(folder, 'pglite'))
  if (uid === 0) await chown(join(folder, 'pglite'), 1, gid)
  const root = vi.spyOn(process, 'getuid').mockReturnValue(0)
  onTestFinished(async () => {
    root.mockRestore()
    await chown(join(folder, 'pglite'), uid, gid)
  })
  await expect(openDatabase(config)).rejects.toThrow(ForeignFolder)
})

test('the secret is made once, for its owner alone, and keys follow from it', async () => {
  const [one, other] = await Promise.all([readOrCreateSecret(folder), readOrCreateSecret(folder)])
  expect(one).toBe(other)
  expect(one.length).toBeGreaterThanOrEqual(32)
  expect((await stat(join(folder, 'jwt-secret'))).mode & 0o077).toBe(0)
  expect(await deriveKeys(one)).toEqual(await deriveKeys(one))
  expect((await deriveKeys(`${one}x`)).anon).not.toBe((await deriveKeys(one)).anon)
})
