// A full disk: reads still work, writes are refused and leave nothing half-done, and no acknowledged write is lost. To
// really fill a small disk: `unshare -Urm sh -c 'mount -t tmpfs -o size=300m none /mnt && SMALL_DISK=/mnt npx vitest
// run disk-full'`
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { freeBytesOf } from '#db/disk-reserve.ts'
import { DiskFull, openDatabase } from '#db/open.ts'
import { openPglite } from '#db/pglite.ts'
import { eventually } from './eventually.ts'
import { serveTest } from './harness.ts'
import { loadTemplate } from './template.ts'

const MB = 1024 * 1024
const LEFT = 70 * MB
const small = process.env.SMALL_DISK
const dataDir = await mkdtemp(join(small ?? tmpdir(), 'potluck-disk-'))
/** The free space in bytes that the test simulates if there is no small disk. */
let pretended = Number.POSITIVE_INFINITY
const freeBytes = small === undefined ? () => pretended : freeBytesOf(small)
const filler = join(dataDir, 'filler')
const leave = async (bytes: number) => {
  pretended = bytes
  if (small !== undefined) await writeFile(filler, Buffer.alloc(Math.max(0, freeBytes() - bytes)))
}
const makeRoom = async () => {
  pretended = Number.POSITIVE_INFINITY
  if (small !== undefined) await truncate(filler)
}

const database = await openPglite({
  dataDir: join(dataDir, 'pglite'),
  loadDataDir: await loadTemplate(),
  freeBytes,
})
const server = await serveTest(database, undefined)
afterAll(async () => {
  await server.close()
  await rm(dataDir, { recursive: true, force: true })
})
await database.transaction((tx) =>
  tx.script(`
    create table public.pages (id serial primary key, text text not null);
    grant all on public.pages to service_role;
    grant usage on sequence public.pages_id_seq to service_role;
    create function public.meet_full_disk() returns void language plpgsql as $$
    begin raise sqlstate '53100' using message = 'could not extend file'; end $$;
    notify pgrst, 'reload schema'`),
)
const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, {
    ...init,
    headers: {
      apikey: server.serviceKey,
      'content-type': 'application/json',
      prefer: 'return=representation',
    },
  })
const write = (text: string) => ask('/rest/v1/pages', { method: 'POST', body: JSON.stringify({ text }) })
const texts = async () => {
  const pages = (await (await ask('/rest/v1/pages?select=text&order=id')).json()) as { text: string }[]
  return pages.map(({ text }) => text.slice(0, 20))
}
const random = (length: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString('hex')

async function expectFull(answer: Response) {
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toMatchObject({ code: '53100' })
}

test('what Postgres says of a full disk is passed on as what may work later', async () => {
  await eventually(async () =>
    expectFull(await ask('/rest/v1/rpc/meet_full_disk', { method: 'POST', body: '{}' })),
  )
})

test('embedded, it stops writing before the disk is full, reads on, and writes again by itself', async () => {
  await eventually(async () => expect((await write('first')).status).toBe(201))
  const acknowledged = ['first']
  await leave(LEFT)
  for (let page = 0; page < 500; page += 1) {
    if (small === undefined && page === 3) await leave(0)
    const text = `${page} ${random(40_000)}`
    const answer = await write(text)
    if (answer.status !== 201) {
      await expectFull(answer)
      break
    }
    acknowledged.push(text.slice(0, 20))
  }
  expect(acknowledged.length).toBeGreaterThan(3)
  await expectFull(await write('too much'))
  expect(await texts()).toEqual(acknowledged)
  const signUp = (email: string) =>
    ask('/auth/v1/signup', {
      method: 'POST',
      body: JSON.stringify({ email, password: 'Correct horse 1 battery!' }),
    })
  // The status is not 503, because the client would not show its message.
  const refused = await signUp('ana@potluck.example')
  expect([refused.status, await refused.json()]).toMatchObject([
    507,
    { error_code: 'disk_full', msg: expect.stringMatching(/^The disk of this site is full/) },
  ])
  const ready = await ask('/ready')
  expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ready', disk: 'full' }])
  expect(await (await ask('/metrics')).text()).toMatch(/^disk_full 1$/m)

  await makeRoom()
  expect((await write('last')).status).toBe(201)
  expect((await signUp('ana@potluck.example')).status).toBe(200)
  expect(await (await ask('/ready')).json()).toMatchObject({ disk: 'ok' })
  expect(await texts()).toEqual([...acknowledged, 'last'])
})

test('a restart on a full disk serves what can be read, unless the database has to be migrated', async () => {
  const config = { ...readConfig({ DATA_DIR: join(dataDir, 'again') }), demo: false }
  const template = { dataDir: join(config.dataDir, 'pglite'), loadDataDir: await loadTemplate() }
  await mkdir(config.dataDir)
  await (await serveTest(await openPglite(template), undefined)).close()
  const said: string[] = []
  const options = { freeBytes: () => 0, onProgress: (line: string) => said.push(line) }
  const again = await serveTest(await openDatabase(config, options), undefined)
  expect(said).toEqual(['The disk is full: reads work, and nothing can be written until there is room'])
  const headers = { apikey: again.anonKey }
  const read = await fetch(`${again.url}/rest/v1/service_provider_data?select=id&limit=1`, { headers })
  expect([read.status, await read.json()]).toEqual([200, [expect.anything()]])
  expect(await (await fetch(`${again.url}/ready`)).json()).toMatchObject({ status: 'ready', disk: 'full' })
  await again.close()

  const empty = { ...config, dataDir: join(dataDir, 'empty') }
  await expect(openDatabase(empty, options)).rejects.toThrow(DiskFull)
})

test('a transaction that uses up the room is taken back as a whole', async () => {
  const before = await texts()
  const growing = database.transaction(async (tx) => {
    await tx.query("insert into pages (text) values ('one')")
    await leave(0)
    await tx.query("insert into pages (text) values ('two')")
  })
  await expect(growing).rejects.toMatchObject({ code: '53100' })
  await makeRoom()
  expect(await texts()).toEqual(before)
})
