// Reads the records that `npm run release` writes: the digest of each migration of a version.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../releases')

/** Returns the SHA-256 digests by file name, for each released version, oldest first. */
export async function readReleases(): Promise<Map<string, Record<string, string>>> {
  const files = existsSync(FOLDER) ? await readdir(FOLDER) : []
  const versions = files
    .flatMap((file) => /^(\d+\.\d+\.\d+)\.json$/.exec(file)?.[1] ?? [])
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return new Map(
    await Promise.all(
      versions.map(
        async (version): Promise<[string, Record<string, string>]> => [
          version,
          JSON.parse(await readFile(join(FOLDER, `${version}.json`), 'utf8')),
        ],
      ),
    ),
  )
}
