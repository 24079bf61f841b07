// Writes what the type check needs and the repository does not keep, where what it is made of has changed: the types of the
// database, and the tree of the web's routes.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from './build.mjs'
import { CACHE, ROOT } from './install.mjs'

const FILES = {
  'supabase/database.types.ts': {
    from: ['supabase/migrations', 'supabase/generate', 'server/src/platform', 'server/src/db'],
    write: () =>
      execFileSync(process.execPath, ['scripts/run.mjs', 'supabase/generate/types.ts', '--database'], {
        cwd: ROOT,
        stdio: 'inherit',
      }),
  },
  'web/src/routeTree.gen.ts': {
    from: ['web/src/routes', 'web/tsr.config.json', 'package-lock.json'],
    write: async () => {
      const { Generator, getConfig } = await import('@tanstack/router-generator')
      const root = join(ROOT, 'web')
      await new Generator({ config: getConfig({}, root), root }).run()
    },
  },
}

export async function derive() {
  for (const [file, { from, write }] of Object.entries(FILES)) {
    const stamp = join(CACHE, `derived-${file.replaceAll('/', '-')}`)
    const wanted = fingerprint(from)
    if (existsSync(join(ROOT, file)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) continue
    console.log(`Writing ${file} …`)
    await write()
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(stamp, wanted)
  }
}
