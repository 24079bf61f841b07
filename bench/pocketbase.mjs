// `npm run bench:pocketbase`: PocketBase and our server in turns, at the load that PocketBase publishes figures of
// (github.com/pocketbase/benchmarks): records created over 500 connections without and with a rule, records by id, a
// list, sign-ins. Both have the same table of posts with the same rules. `-- creates=5000` is shorter, `-- pglite`
// measures ours on PGlite as well. Printed only.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { hash } from '@node-rs/bcrypt'
import { Pool } from 'undici'
import { load } from '../scripts/run.mjs'
import { onPostgres } from './cluster.mjs'
import { findPocketbase, startPocketbase } from './contestants/pocketbase.mjs'
import { fillPotluck, startPotluck } from './contestants/potluck.mjs'
import { median, quantile, sayLoad, timed } from './figures.mjs'
import { table } from './report.mjs'
import { personId, sessionId, tokenOf } from './requests.mjs'

const PEOPLE = 50
const ROUNDS = 5
const CREATES = 50_000
const CONNECTIONS = 500
const PASSWORD = 'Bench-of-posts-1!'
const DOMAIN = 'posts.example'
const TYPES = ['a', 'b', 'c', 'd']
// As long as the text in PocketBase's own benchmark.
const DESCRIPTION = 'Who shares this plan pays a fair part of it, and everybody knows what it costs. '.repeat(
  6,
)
const emailOf = (person) => `person${person}@${DOMAIN}`

/** Their rule for creating, and for everything else none. */
const RULE = "@request.auth.id != '' && @request.body.public:isset = true"
const SCHEMA = `
  create table public.posts (id uuid primary key default gen_random_uuid(), title text, description text, public boolean,
    type text[], author uuid references auth.users (id) on delete cascade, created timestamptz not null default now());
  alter table public.posts enable row level security;
  grant select, insert on public.posts to anon, authenticated;
  create policy read on public.posts for select using (true);
  create policy create_open on public.posts for insert to anon with check (true);
  create policy create_ruled on public.posts for insert to authenticated
    with check ((select auth.uid()) is not null and public is not null);`

export const measure = (words = []) =>
  onPostgres('pocketbase', async (cluster, folder) => {
    const program = findPocketbase()
    if (!program)
      throw new Error('Needs PocketBase: on PATH, in $POCKETBASE, or from the package of Debian sid')
    const creates = Number(words.find((word) => word.startsWith('creates='))?.slice(8) ?? CREATES) / ROUNDS
    const parts = await load('bench/server-parts.mjs')
    const password = await hash(PASSWORD, { cost: 10 })
    const contestants = []
    try {
      contestants.push(await openPocketbase(program, join(folder, 'pocketbase')))
      const place = { folder: join(folder, 'ours'), databaseUrl: await cluster.create('posts') }
      await fillPotluck(place, fillPosts(password), parts)
      const lazy = { folder: join(folder, 'lazy'), databaseUrl: await cluster.create('lazy', 'posts') }
      await fillPotluck(lazy, (db) => db.query('alter database lazy set synchronous_commit = off'), parts)
      contestants.push(await openOurs('ours, Postgres', place))
      contestants.push(await openOurs('ours, Postgres that flushes as PocketBase does', lazy))
      if (words.includes('pglite')) {
        const embedded = { folder: join(folder, 'embedded') }
        await fillPotluck(embedded, fillPosts(password), parts)
        contestants.push(await openOurs('ours, PGlite', embedded))
      }
      const rows = await inTurns(contestants, callsOf(creates))
      console.log(`\n${table([['call', ...contestants.map(({ name }) => name)], ...rows])}`)
      sayLoad()
    } finally {
      for (const { stop } of contestants) await stop()
    }
  })

const fillPosts = (password) => async (db) => {
  await db.transaction(async (tx) => {
    await tx.script(SCHEMA)
    for (let person = 1; person <= PEOPLE; person += 1) {
      await tx.query(
        `insert into auth.users (id, aud, role, email, email_confirmed_at, encrypted_password)
         values ($1, 'authenticated', 'authenticated', $2, now(), $3)`,
        [personId(person), emailOf(person), password],
      )
      await tx.query(`insert into auth.sessions (id, user_id, aal, amr) values ($1, $2, 'aal1', '[]')`, [
        sessionId(person),
        personId(person),
      ])
    }
  })
  await db.query('analyze')
}

/** { name, stop, create(n, signedIn), byId(id), list(), signIn(n) }, each a request of undici. */
async function openOurs(name, place) {
  // Each connection is another visitor, as in life: ours lets nobody take all the places.
  const server = await startPotluck({ ...place, settings: { TRUST_PROXY: 'on' } })
  const { url, apikey, secret } = server
  const request = (method, path, n, { person, body, ...headers } = {}) => ({
    method,
    path,
    headers: {
      apikey,
      'x-forwarded-for': `10.0.${Math.floor((n % CONNECTIONS) / 250)}.${n % 250}`,
      ...(person && { authorization: `Bearer ${tokenOf(person, secret, DOMAIN)}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return {
    ...{ name, url, stop: server.stop, created: 201, idOf: ([{ id }]) => id },
    create: (n, signedIn) =>
      request('POST', '/rest/v1/posts', n, {
        ...(signedIn && { person: (n % PEOPLE) + 1 }),
        body: post(n, personId((n % PEOPLE) + 1)),
        prefer: 'return=representation',
      }),
    byId: (n, id) =>
      request('GET', `/rest/v1/posts?select=*&id=eq.${id}`, n, {
        accept: 'application/vnd.pgrst.object+json',
      }),
    list: (n) => request('GET', '/rest/v1/posts?select=*&limit=20', n),
    signIn: (n) =>
      request('POST', '/auth/v1/token?grant_type=password', n, {
        body: { email: emailOf((n % PEOPLE) + 1), password: PASSWORD },
      }),
  }
}

async function openPocketbase(program, folder) {
  const server = await startPocketbase(program, folder)
  const rules = { listRule: '', viewRule: '' }
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'description', type: 'text' },
    { name: 'public', type: 'bool' },
    { name: 'type', type: 'select', maxSelect: TYPES.length, values: TYPES },
    { name: 'author', type: 'relation', collectionId: '_pb_users_auth_', maxSelect: 1, cascadeDelete: true },
    { name: 'created', type: 'autodate', onCreate: true },
  ]
  for (const [name, createRule] of [
    ['posts', ''],
    ['ruled', RULE],
  ])
    await server.ask('POST', 'collections', { name, type: 'base', fields, createRule, ...rules })
  const people = []
  for (let person = 1; person <= PEOPLE; person += 1) {
    const { id } = await server.ask('POST', 'collections/users/records', {
      ...{ email: emailOf(person), password: PASSWORD, passwordConfirm: PASSWORD, verified: true },
    })
    const { token } = await server.signIn({ identity: emailOf(person), password: PASSWORD })
    people.push({ id, token })
  }
  const send = (method, path, body, authorization) => ({
    ...{ method, path: `/api/collections/${path}` },
    headers: { ...(body && { 'content-type': 'application/json' }), ...(authorization && { authorization }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return {
    ...{ name: 'PocketBase', url: server.url, stop: server.stop, created: 200, idOf: ({ id }) => id },
    create: (n, signedIn) => {
      const { id, token } = people[n % PEOPLE]
      return send('POST', `${signedIn ? 'ruled' : 'posts'}/records`, post(n, id), signedIn && token)
    },
    byId: (_n, id) => send('GET', `posts/records/${id}`),
    list: () => send('GET', 'posts/records?perPage=20&skipTotal=1'),
    signIn: (n) =>
      send('POST', 'users/auth-with-password', { identity: emailOf((n % PEOPLE) + 1), password: PASSWORD }),
  }
}

const post = (n, author) => ({
  ...{ title: `post ${n} ${randomUUID()}`, description: DESCRIPTION },
  ...{ public: n % 2 === 1, type: [TYPES[n % 4], TYPES[(n + 1) % 4]], author },
})

/** What is asked in one round: its name, how many, over how many connections, the request, and its status if not 200. */
const callsOf = (creates) => [
  ['create, no rule', creates, CONNECTIONS, (one, n) => one.create(n, false), 'created'],
  ['create, signed in, by a rule', creates, CONNECTIONS, (one, n) => one.create(n, true), 'created'],
  ['one by id', 1_000, 100, (one, n) => one.byId(n, one.known[n % one.known.length])],
  ['a list of 20', 1_000, 100, (one, n) => one.list(n)],
  ['sign-in', 250 / ROUNDS, 10, (one, n) => one.signIn(n)],
]

async function inTurns(contestants, calls) {
  for (const one of contestants) one.known = []
  const rows = []
  for (const [call, count, connections, requestOf, status] of calls) {
    const figures = contestants.map(() => ({ rates: [], times: [] }))
    for (let round = 0; round < ROUNDS; round += 1)
      for (let turn = 0; turn < contestants.length; turn += 1) {
        const place = (round + turn) % contestants.length
        const one = contestants[place]
        const requests = Array.from({ length: count }, (_, n) => requestOf(one, round * count + n))
        const { seconds, times } = await sendAll(one, requests, connections, one[status] ?? 200)
        figures[place].rates.push(count / seconds)
        figures[place].times.push(...times)
      }
    console.log(`${call} …`)
    rows.push([`${call}, ${count} over ${connections}`, ...figures.map(cellOf)])
  }
  return rows
}

/** How long they take over so many connections, each request waiting for the one before on its own. */
async function sendAll(one, requests, connections, status) {
  const pool = new Pool(one.url, { connections, pipelining: 1 })
  const times = []
  const started = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < requests.length) {
        const request = requests[next++]
        times.push(
          await timed(async () => {
            const answer = await pool.request(request)
            const text = await answer.body.text()
            if (answer.statusCode !== status)
              throw new Error(`${one.name}: ${request.method} ${request.path}: ${answer.statusCode} ${text}`)
            if (request.method === 'POST' && one.known.length < 1_000 && status === one.created)
              one.known.push(one.idOf(JSON.parse(text)))
          }),
        )
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await pool.close()
  return { seconds, times }
}

const cellOf = ({ rates, times }) =>
  `${Math.round(median(rates)).toLocaleString('en-GB')}/s, p99 ${quantile(times, 0.99).toFixed(0)} ms`
