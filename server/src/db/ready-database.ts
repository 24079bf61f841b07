// A database that was set up when the release was built, so that a first start need not do it. Values that would
// otherwise be the same on all sites made from it are renewed.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import { z } from 'zod'
import type { Database } from './database.ts'

/** For each file its size, and how many of its bytes are packed: the zeros at its end are not. */
const packed = z.array(z.object({ path: z.string(), size: z.number(), bytes: z.number() }))
const LINE_BREAK = 10

/** Packs the folder of a closed database into one file: a line with the sizes of its files, then the files. */
export async function packDatabase(folder: string, file: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  const index: z.infer<typeof packed> = []
  const contents: Buffer[] = []
  for (const path of paths.sort()) {
    const isFolder = (await stat(path)).isDirectory()
    const whole = isFolder ? Buffer.alloc(0) : await readFile(path)
    // Half of a database is the unused part of its WAL, whose zeros need no space on the disk.
    const content = withoutZeros(whole)
    index.push({
      path: `${path.slice(folder.length + 1).replaceAll('\\', '/')}${isFolder ? '/' : ''}`,
      size: whole.length,
      bytes: content.length,
    })
    contents.push(content)
  }
  const all = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents])
  await writeFile(file, await promisify(gzip)(all, { level: 9 }))
}

/** Creates the folder of a new database from a packed one, unless it exists. An interrupted start leaves no folder. */
export async function unpackDatabase(file: string, folder: string): Promise<void> {
  if (existsSync(folder)) return
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  const all = gunzipSync(await readFile(file), { chunkSize: 1 << 22 })
  const from = all.indexOf(LINE_BREAK) + 1
  let at = from
  for (const { path, size, bytes } of packed.parse(JSON.parse(all.toString('utf8', 0, from)))) {
    const target = join(unfinished, path)
    if (path.endsWith('/')) mkdirSync(target, { mode: 0o700 })
    else {
      writeFileSync(target, all.subarray(at, at + bytes), { mode: 0o600 })
      if (bytes < size) truncateSync(target, size)
    }
    at += bytes
  }
  await renewIdentifier(unfinished, randomBytes(8))
  await rename(unfinished, folder)
}

function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}

const MARK = 'packed_at'

/** Marks a database that is about to be packed. */
export const markDatabase = (db: Database) =>
  db.query(`insert into platform.settings (key, value) values ('${MARK}', now()::text)`)

/**
 * Renews a database once after unpacking: moves all times by the age of the packed database, and replaces random ids.
 */
export const renewDatabase = (db: Database): Promise<void> =>
  db.transaction(async (tx) => {
    const [mark] = await tx.query<{ at: string }>(
      `delete from platform.settings where key = '${MARK}' returning value as at`,
    )
    if (mark) await tx.script(renewFrom(mark.at))
  })

const renewFrom = (at: string) => `
  set local session_replication_role = replica;
  do $$ declare
    renewed record;
  begin
    for renewed in
      select a.attrelid::regclass as its_table, string_agg(format(
          case when a.atttypid = 'uuid'::regtype then '%1$I = default' else '%1$I = %1$I + (now() - %2$L)' end,
          a.attname, '${at}'::timestamptz), ', ') as columns
        from pg_attribute as a
        -- VACUUM has counted the rows. A hundred tables are empty.
        join pg_class as c on c.oid = a.attrelid and c.relkind = 'r' and c.reltuples <> 0
       where c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
         and not a.attisdropped and a.attgenerated = ''
         and (a.atttypid = 'timestamptz'::regtype or a.atttypid = 'uuid'::regtype and a.atthasdef)
       group by a.attrelid
    loop
      execute format('update %s set %s', renewed.its_table, renewed.columns);
    end loop;
  end $$;
`

/**
 * Gives a closed cluster a new identifier, as pg_resetwal would: in its control file and at the start of its WAL files.
 */
async function renewIdentifier(folder: string, identifier: Buffer): Promise<void> {
  const control = join(folder, 'global/pg_control')
  const bytes = await readFile(control)
  const end = crcOffset(bytes)
  const old = Buffer.from(bytes.subarray(0, identifier.length))
  identifier.copy(bytes)
  bytes.writeUInt32LE(crc32c(bytes.subarray(0, end)), end)
  const wal = join(folder, 'pg_wal')
  for (const segment of (await readdir(wal)).filter((name) => /^[0-9A-F]{24}$/.test(name))) {
    const file = await open(join(wal, segment), 'r+')
    const { buffer } = await file.read(Buffer.alloc(old.length), 0, old.length, WAL_IDENTIFIER)
    if (buffer.equals(old)) await file.write(identifier, 0, identifier.length, WAL_IDENTIFIER)
    await file.close()
  }
  await writeFile(control, bytes)
}

/** The offset of the identifier in a WAL file. */
const WAL_IDENTIFIER = 24

/** Returns the offset of the control file's checksum, which covers everything before it; zeros follow it. */
function crcOffset(bytes: Buffer): number {
  for (let end = 0; end + 4 <= bytes.length; end += 4)
    if (end > 8 && crc32c(bytes.subarray(0, end)) === bytes.readUInt32LE(end)) return end
  throw new Error('The control file of the ready database is damaged')
}

/** Computes a CRC-32C checksum, with which Postgres protects its control file. */
function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  }
  return ~crc >>> 0
}
