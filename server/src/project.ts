// Name and version of the project, from the root package.json, since the server's code does not name the product.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'

const manifest = z.object({
  name: z.string(),
  displayName: z.string(),
  version: z.string(),
})

export const PROJECT = manifest.parse(
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')),
)
