// One caller requests more than the database can serve; other callers are still served.
import { afterAll, expect, test } from 'vitest'
import { eventually } from './eventually.ts'
import { addAccount, openTestDatabase, serveTest } from './harness.ts'

const WAITING = 3
const database = await openTestDatabase()
const limits = { turns: { waitingOfOne: WAITING, waitMs: 60_000 } }
const server = await serveTest(database, database.url, {}, limits)
afterAll(() => server.close())
// The test holds this lock, so that requests wait in the database until the test releases it.
await database.transaction((tx) =>
  tx.script(`
    create function public.stay() returns text language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(1); return 'done'; end $$;
    notify pgrst, 'reload schema'`),
)
const share = database.kind === 'postgres' ? 2 : 1
const [heavy, other] = [
  await addAccount(server, 'heavy@example.com'),
  await addAccount(server, 'olivia@example.com'),
]

const ask = (path: string, token: string, init: RequestInit = {}) => {
  const headers = {
    apikey: server.anonKey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  return fetch(server.url + path, { headers, ...init })
}
const stay = (token: string) => ask('/rest/v1/rpc/stay', token)
const state = async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return [...text.matchAll(/^data_requests\{state="(\w+)"\} (\d+)$/gm)].map(([, name, count]) => [
    name,
    Number(count),
  ])
}

/** Makes requests wait in the database until the returned function is called. */
async function holdDatabase(): Promise<() => Promise<void>> {
  return new Promise((holds) => {
    const holding = database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(1)')
      await new Promise<void>((letGo) => {
        holds(() => {
          letGo()
          return holding
        })
      })
    })
  })
}

test('a caller is refused what is too much, and waits alone for the rest', async () => {
  await eventually(async () => expect((await stay(heavy.accessToken)).status).toBe(200))
  const letGo = await holdDatabase()
  const asked = Array.from({ length: share + WAITING }, () => stay(heavy.accessToken))
  await eventually(async () =>
    expect(Object.fromEntries(await state())).toEqual({ running: share, waiting: WAITING, callers: 1 }),
  )
  const refused = await stay(heavy.accessToken)
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    '1',
    {
      code: 'PT429',
      message: 'Too many of your requests are waiting',
      details: null,
      hint: 'Try again in a moment.',
    },
  ])
  // This check needs Postgres, because the test holds the embedded database's only connection.
  if (database.kind === 'postgres') {
    const path = '/rest/v1/user_profiles?select=user_id&limit=1'
    const answers = await Promise.all([
      ask(path, other.accessToken),
      ask(path, server.anonKey),
      ask(path, server.serviceKey),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200])
  }
  await letGo()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  // On a slow machine, Postgres may have ended a statement that took too long. That is allowed, but refusals by the
  // queue are not.
  expect(statuses.filter((status) => [429, 503].includes(status))).toEqual([])
})

test('a read whose caller leaves waits no longer, and a write does', async () => {
  await database.transaction((tx) =>
    tx.script(`
      create table public.kept (n int);
      grant all on public.kept to authenticated;
      notify pgrst, 'reload schema'`),
  )
  const write = (init: RequestInit = {}) =>
    ask('/rest/v1/kept', heavy.accessToken, { method: 'POST', body: '{"n":1}', ...init })
  await eventually(async () => expect((await write()).status).toBe(201))
  const letGo = await holdDatabase()
  const asked = Array.from({ length: share }, () => stay(heavy.accessToken))
  const waiting = (n: number) =>
    eventually(async () => expect(Object.fromEntries(await state())).toMatchObject({ waiting: n }))
  const leaving = new AbortController()
  const { signal } = leaving
  const left = [write({ signal }), ask('/rest/v1/kept', heavy.accessToken, { signal })]
  await waiting(2)
  leaving.abort()
  await Promise.allSettled(left)
  await waiting(1)
  await letGo()
  await Promise.all(asked)
  await eventually(async () => expect(await database.query('select n from kept')).toHaveLength(2))
})
