// Name and version of the project this server runs, from the root package.json: it names no product itself.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'

const manifest = z.object({
  name: z.string(),
  /** As people read it. */
  displayName: z.string(),
  version: z.string(),
})

export const PROJECT = manifest.parse(
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')),
)
