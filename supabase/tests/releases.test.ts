// Released files never change.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const releases = resolve(import.meta.dirname, '../releases')
const migrations = resolve(import.meta.dirname, '../migrations')
const records = (await readdir(releases)).filter((file) => file.endsWith('.json'))

test('there is a release', () => {
  expect(records).not.toEqual([])
})

test.each(records)('the migrations of %s are here, and those written since come after them', async (file) => {
  const released: Record<string, string> = JSON.parse(await readFile(join(releases, file), 'utf8'))
  const here = (await readdir(migrations)).sort().slice(0, Object.keys(released).length)
  const digest = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(migrations, name)))
      .digest('hex')
  const found = await Promise.all(here.map(async (name) => [name, await digest(name)]))
  expect(Object.fromEntries(found)).toEqual(released)
})
