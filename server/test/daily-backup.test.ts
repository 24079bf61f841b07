// The daily backup of an embedded database.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { backUpToday, backupsFolder } from '#copy/daily.ts'
import { openTestDatabase } from './harness.ts'

const db = await openTestDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'potluck-backups-'))
const folder = backupsFolder(dataDir)
afterAll(async () => {
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('there is one a day, whole and for its owner alone, and the last seven stay', async () => {
  const onDay = (day: number) => backUpToday(db, dataDir, new Date(Date.UTC(2026, 10, day, 23, 59)))
  const file = (day: number) => join(folder, `potluck-2026-11-${String(day).padStart(2, '0')}.gz`)
  await onDay(1)
  const lines = gunzipSync(await readFile(file(1)))
    .toString()
    .trimEnd()
    .split('\n')
  expect([lines[0], lines.at(-1)]).toEqual([
    expect.stringMatching(/^@.*"migrations"/),
    expect.stringMatching(/^@.*"digests"/),
  ])
  expect((await stat(file(1))).mode & 0o077).toBe(0)
  const { mtimeMs } = await stat(file(1))
  await onDay(1)
  expect((await stat(file(1))).mtimeMs).toBe(mtimeMs)
  // A killed server leaves an unfinished file, and operators may keep files of their own in this folder.
  await writeFile(`${file(1)}.unfinished`, '')
  await writeFile(join(folder, 'mine.txt'), '')
  for (const day of [2, 3, 4, 5, 6, 7, 8, 9]) await onDay(day)
  expect((await readdir(folder)).map((name) => join(folder, name)).sort()).toEqual([
    join(folder, 'mine.txt'),
    ...[3, 4, 5, 6, 7, 8, 9].map(file),
  ])
})

test('a failure leaves nothing half done, and the next attempt writes it', async () => {
  const day = new Date(Date.UTC(2026, 11, 1))
  const broken = { ...db, transaction: () => Promise.reject(new Error('The disk is full')) }
  await expect(backUpToday(broken, dataDir, day)).rejects.toThrow('The disk is full')
  expect((await readdir(folder)).filter((name) => name.includes('2026-12'))).toEqual([])
  await backUpToday(db, dataDir, day)
  expect((await readdir(folder)).filter((name) => name.includes('2026-12'))).toHaveLength(1)
})
