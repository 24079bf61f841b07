import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { generatedFiles } from '../generate/generated-files.ts'
import { ownDatabase } from './people.ts'

const { db } = await ownDatabase()

test('every generated file is what `npm run types` writes, and the settings name each mail template', async () => {
  const files = await generatedFiles(db)
  for (const [path, content] of files) expect(await readFile(path, 'utf8'), path).toBe(content)
  const templates = files.map(([path]) => path).filter((path) => path.endsWith('.html'))
  const names = templates.map((path) => basename(path)).sort()
  expect((await readdir(dirname(templates[0] ?? ''))).sort()).toEqual(names)
  const settings = await readFile(join(import.meta.dirname, '../config.toml'), 'utf8')
  const named = [...settings.matchAll(/content_path = "\.\/supabase\/templates\/(.+)"/g)]
  expect(named.map(([, file]) => file).sort()).toEqual(names)
})
