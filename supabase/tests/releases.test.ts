// Released migrations never change, and at most one migration leads from the last release to the present schema.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readReleases } from '../generate/releases.ts'

const migrations = resolve(import.meta.dirname, '../migrations')
const digest = async (name: string) =>
  createHash('sha256')
    .update(await readFile(join(migrations, name)))
    .digest('hex')

test('every released migration is here as it was, in front of the one to come', async () => {
  const here = (await readdir(migrations)).sort()
  let count = 0
  for (const [version, released] of await readReleases()) {
    count = Object.keys(released).length
    const found = here.slice(0, count).map(async (name) => [name, await digest(name)])
    expect(Object.fromEntries(await Promise.all(found)), version).toEqual(released)
  }
  expect(here.slice(count).length, 'unreleased migrations').toBeLessThanOrEqual(1)
})
