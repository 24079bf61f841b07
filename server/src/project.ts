// The project's name and version, read from the root package.json, since the server's code does not name the product.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'

const manifest = z.object({
  name: z.string(),
  displayName: z.string(),
  version: z.string(),
})

const ROOT = resolve(import.meta.dirname, '../..')

export const PROJECT = manifest.parse(JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')))

/** Returns what an operator types to run a command: in a clone `npm run`, in a release's archive its own program. */
export const toRun = (command: string, args = ''): string =>
  (existsSync(resolve(ROOT, 'scripts'))
    ? `npm run ${command}${args && ` -- ${args}`}`
    : `${PROJECT.name} ${command} ${args}`
  ).trim()
