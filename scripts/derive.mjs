// Generates files that the type check needs but that are not committed, if their sources have changed: the types of the
// database and of the public API, the web app's route tree, and the database's refusals for translation.
import { join } from 'node:path'
import { renew } from './build.mjs'
import { fail, ROOT, run } from './install.mjs'

const FILES = {
  'supabase/database.types.ts': {
    from: ['supabase/migrations', 'supabase/generate', 'server/src/platform', 'server/src/db'],
    write: () =>
      run(process.execPath, ['scripts/run.mjs', 'supabase/generate/types.ts', '--database']) ||
      fail('The types of the database could not be written'),
  },
  // The types of the public API are generated as its users would generate them.
  'supabase/openapi.types.ts': {
    from: ['web/public/openapi.json', 'package-lock.json'],
    write: () =>
      run(
        'npx',
        ['--no-install', 'openapi-typescript', '../web/public/openapi.json', '-o', 'openapi.types.ts'],
        {
          cwd: join(ROOT, 'supabase'),
        },
      ) || fail('No client could be made of openapi.json'),
  },
  'web/src/routeTree.gen.ts': {
    from: ['web/src/routes', 'web/tsr.config.json', 'package-lock.json'],
    write: async () => {
      const { Generator, getConfig } = await import('@tanstack/router-generator')
      const root = join(ROOT, 'web')
      await new Generator({ config: getConfig({}, root), root }).run()
    },
  },
  'web/src/lib/refusals.gen.ts': {
    from: ['supabase/functions/_shared/words/refusals.ts', 'web/build/language/refusals.ts'],
    write: () =>
      run(process.execPath, ['scripts/run.mjs', 'web/build/language/refusals.ts']) || fail('No refusals'),
  },
}

export async function derive() {
  for (const [file, { from, write }] of Object.entries(FILES))
    await renew(file, from, () => {
      console.log(`Writing ${file} …`)
      return write()
    })
}
