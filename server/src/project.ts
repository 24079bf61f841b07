// Whose server this is: what the package.json of the whole project says, read by nobody else.
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
