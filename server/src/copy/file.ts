// Writes a copy of a whole site to a file.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Database } from '#db/database.ts'
import { readCopy } from './read.ts'

/** Writes a consistent copy to the file, which appears only once it is complete. */
export async function writeBackup(
  db: Database,
  file: string,
  options: Parameters<typeof readCopy>[1] = {},
): Promise<void> {
  const unfinished = `${file}.unfinished`
  try {
    await db.transaction((tx) =>
      pipeline(
        Readable.from(withBreaks(readCopy(tx, options))),
        createGzip(),
        createWriteStream(unfinished, { mode: 0o600 }),
      ),
    )
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function* withBreaks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}
