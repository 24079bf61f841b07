import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { FunctionsHttpError } from '@supabase/supabase-js'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { readFunctionSettings } from '#functions/function-settings.ts'
import {
  generatedSecretsFile,
  generateSecrets,
  readGeneratedSecrets,
  writeGeneratedSecrets,
} from '#functions/generated-secrets.ts'
import { serveFunctions } from '#functions/serve.ts'
import { createTokens } from '#identity/tokens.ts'
import { eventually } from './eventually.ts'
import { addAccount, newClient, testDatabase } from './harness.ts'

const SOURCES: Record<string, string> = {
  ok: `Deno.serve(() => new Response('ok'))`,
  echo: `Deno.serve(async (request, info) => {
    const { method, url, headers } = request
    return Response.json({ method, url, type: headers.get('content-type'), body: await request.text(), ...info.remoteAddr },
      { status: 201, headers: [['Set-Cookie', 'a=1'], ['Set-Cookie', 'b=2'], ['X-Own', 'é'.length.toString()]] })
  })`,
  any: `Deno.serve(({ method }) => new Response(method))`,
  env: `Deno.serve(() => Response.json({ ...process.env, SUPABASE_URL: Deno.env.get('SUPABASE_URL') }))`,
  count: `let n = 0; Deno.serve(() => new Response(String(++n)))`,
  throws: `Deno.serve(() => { throw new Error('a secret') })`,
  rejects: `Deno.serve(() => { Promise.reject(new Error('late')); return new Promise(() => {}) })`,
  leaves: `import { writeFileSync } from 'node:fs'
    let calls = 0
    process.on('exit', () => writeFileSync(new URL('ended', import.meta.url), ''))
    Deno.serve(() => {
      EdgeRuntime.waitUntil(new Promise((_, fail) => setTimeout(() => fail(new Error('after the answer')), 1_000)))
      return new Response(String((calls += 1)))
    })`,
  background: `Deno.serve(() => { EdgeRuntime.waitUntil(Promise.reject(new Error('in the background'))); return new Response('ok') })`,
  broken: `throw new Error('at import')`,
  stuck: `for (;;);`,
  silent: `export const nothing = 1`,
  hangs: `const life = crypto.randomUUID(); Deno.serve(({ url }) => { if (url.endsWith('?hang')) for (;;); return new Response(life) })`,
  waits: `const life = crypto.randomUUID(); Deno.serve(({ url }) => url.endsWith('?wait') ? new Promise(() => {}) : new Response(life))`,
  hungry: `Deno.serve(() => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)) })`,
  stream: `Deno.serve(() => new Response(new ReadableStream({ async start(c) {
    for (const word of ['one ', 'two ', 'three']) { c.enqueue(new TextEncoder().encode(word)); await new Promise((d) => setTimeout(d, 20)) }
    c.close() } }), { headers: { 'Content-Type': 'text/event-stream' } }))`,
  empty: `Deno.serve(() => new Response(null, { status: 204 }))`,
  texts: `const made = (init) => new Response('{"a":1}', init)
    const bytes = async (response) => new TextDecoder().decode(await response.arrayBuffer())
    Deno.serve(async ({ url }) => {
      if (url.endsWith('?sent')) { const read = made({ status: 201, headers: { 'X-Own': 'kept' } }); const copy = read.clone(); await read.text(); return copy }
      if (url.endsWith('?streamed')) { const one = made(); one.body; return one }
      const one = made(), used = made(), form = new Response('a=1', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })
      const refused = (work) => work.then(() => false, (error) => error.name)
      const cloned = one.clone()
      return Response.json({
        text: await one.text(), used: one.bodyUsed, cloned: await cloned.json(), twice: await refused(one.text()),
        lost: await refused((async () => one.clone())()), bytes: await bytes(made()), blob: (await made().blob()).type,
        form: (await form.formData()).get('a'), piped: await new Response(made().body).text(), locked: (used.body.getReader(), used.body.locked),
        unread: made().bodyUsed, isResponse: made() instanceof Response, none: await refused((async () => made({ status: 204 }))()),
      })
    })`,
  off: `Deno.serve(() => new Response('never'))`,
}
const CONFIG = `
[functions.off]
enabled = false
[functions.env]
verify_jwt = false
[edge_runtime.secrets]
KEY = "env(THE_KEY)"
PLAIN = "said"
MISSING = "env(NOWHERE)"
`

const db = await testDatabase()
const tokens = createTokens('a-secret-of-this-test-and-of-nothing-else')
const logged: string[] = []
const failures: string[] = []
const folder = await mkdtemp(join(tmpdir(), 'potluck-functions-'))
for (const [name, source] of Object.entries(SOURCES)) await writeFile(join(folder, `${name}.js`), source)
await writeFile(join(folder, 'package.json'), '{"type":"module"}')
const generated = generateSecrets({ dataDir: folder, generated: ['MADE'] })
const serving = (answerMs: number, idleMs?: number) =>
  serveFunctions({
    ...{
      db,
      folder,
      tokens,
      generated,
      answerMs,
      idleMs,
      trustProxy: true,
      env: { SUPABASE_URL: 'http://here' },
    },
    settings: readFunctionSettings(CONFIG, { THE_KEY: 'known' }),
    script: resolve(import.meta.dirname, '../src/functions/worker.mjs'),
    onFailure: (name) => failures.push(name),
    log: pino({ level: 'info' }, { write: (line) => logged.push(line) }),
  })
// A busy machine may take long to start a thread, so only the hasty server gives up quickly on one that never responds.
const servings = { patient: serving(60_000), hasty: serving(1_000), brief: serving(60_000, 200) }
const server = createServer((incoming, outgoing) => {
  const [, name = 'patient', path] = /^(?:\/(hasty|brief))?(\/.*)$/.exec(incoming.url ?? '') ?? []
  incoming.url = path
  void servings[name as keyof typeof servings].serve(incoming, outgoing)
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const anon = await tokens.sign({ role: 'anon' }, 60)
afterAll(async () => {
  await Promise.all(Object.values(servings).map((functions) => functions.close()))
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})
/** A path may begin with the name of another serving. */
const call = (path: string, init: RequestInit = {}) =>
  fetch(url + path.replace(/^(hasty|brief)?\/?(.*)$/, '/$1/functions/v1/$2').replace('//', '/'), {
    headers: { Authorization: `Bearer ${anon}` },
    ...init,
  })
const said = async (path: string, init?: RequestInit) => {
  const answer = await call(path, init)
  return [answer.status, await answer.text()]
}

describe('functions', () => {
  test('supabase-js calls them, with a body, a path and a query', async () => {
    const client = newClient({ url, anonKey: anon })
    const { data, response } = await client.functions.invoke('echo/part?q=1', { body: { said: 'é' } })
    expect(data).toEqual({
      ...{ method: 'POST', url: `${url}/echo/part?q=1`, type: 'application/json', body: '{"said":"é"}' },
      ...{ transport: 'tcp', hostname: '127.0.0.1', port: 0 },
    })
    expect(response?.status).toBe(201)
    expect(response?.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await client.functions.invoke('ok', { method: 'GET' })).toMatchObject({ data: 'ok', error: null })
    const { error } = await client.functions.invoke('throws')
    expect(error).toBeInstanceOf(FunctionsHttpError)
  })

  test('every method reaches them, and OPTIONS needs no token', async () => {
    expect(await said('any', { method: 'PATCH' })).toEqual([200, 'PATCH'])
    expect(await said('any', { method: 'OPTIONS', headers: {} })).toEqual([200, 'OPTIONS'])
    expect(await said('empty')).toEqual([204, ''])
  })

  test('of many at once each gets its own answer', async () => {
    const ask = async (n: number) => {
      const answer = await call(`echo?${n}`, {
        method: 'POST',
        body: `body ${n}`,
        headers: { Authorization: `Bearer ${anon}`, 'Content-Type': `text/${n}` },
      })
      const { url: asked, type, body } = (await answer.json()) as Record<string, string>
      return [asked, type, body]
    }
    const all = Array.from({ length: 500 }, (_, n) => n)
    expect(await Promise.all(all.map(ask))).toEqual(
      all.map((n) => [`${url}/echo?${n}`, `text/${n}`, `body ${n}`]),
    )
  })

  test('an answer streams', async () => {
    const answer = await call('stream')
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    const chunks: string[] = []
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) chunks.push(decoder.decode(chunk as Uint8Array))
    expect(chunks.join('')).toBe('one two three')
    expect(chunks.length).toBeGreaterThan(1)
  })

  test('they keep their module between requests, and see their own environment alone', async () => {
    expect(await said('count')).toEqual([200, '1'])
    expect(await said('count')).toEqual([200, '2'])
    const answer = await call('env', { headers: {} })
    const { MADE } = readGeneratedSecrets(folder)
    const secrets = { SUPABASE_URL: 'http://here', KEY: 'known', PLAIN: 'said', MADE }
    expect(await answer.json()).toEqual(secrets)
  })

  test('a secret of 32 bytes is made once, for its owner alone, and reaches them when it changes, while old requests end', async () => {
    const made = readGeneratedSecrets(folder)
    expect(Buffer.from(made.MADE ?? '', 'base64url')).toHaveLength(32)
    expect((await stat(generatedSecretsFile(folder))).mode & 0o777).toBe(0o600)
    expect(generateSecrets({ dataDir: folder, generated: ['MADE'] })()).toEqual(made)
    const before = (await said('count'))[1]
    const stream = call('stream')
    // A secret that the file has beside a variable of that name is ignored.
    writeGeneratedSecrets(folder, { MADE: 'another', KEY: 'of the file' })
    expect(await (await call('env', { headers: {} })).json()).toMatchObject({ MADE: 'another', KEY: 'known' })
    expect([before, await said('count')]).toEqual([expect.stringMatching(/^[3-9]$/), [200, '1']])
    expect(await (await stream).text()).toBe('one two three')
    expect(await said('count')).toEqual([200, '2'])
  })

  test('without a token only those that say so are served', async () => {
    const expired = await tokens.sign({ role: 'anon' }, -3_600)
    for (const [headers, message] of [
      [{}, 'Missing authorization header'],
      [{ Authorization: 'Basic x' }, "Auth header is not 'Bearer {token}'"],
      [{ Authorization: 'Bearer x' }, 'Invalid JWT'],
      [{ Authorization: `Bearer ${expired}` }, 'Invalid JWT'],
      [{ Authorization: 'Bearer sb_publishable_x' }, 'Invalid JWT'],
    ] as const) {
      const answer = await call('ok', { headers })
      expect([answer.status, await answer.json()]).toEqual([401, { code: 401, message }])
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  test('a token that outlives its session or its account is served nowhere', async () => {
    for (const [name, end] of [
      ['out', 'delete from auth.sessions where user_id = $1'],
      ['banned', "update auth.users set banned_until = now() + interval '1 day' where id = $1"],
      ['gone', 'delete from auth.users where id = $1'],
    ] as const) {
      const { id, accessToken } = await addAccount({ db, tokens, url }, `${name}@example.com`)
      const ask = async () =>
        (await call('ok', { headers: { Authorization: `Bearer ${accessToken}` } })).status
      expect(await ask()).toBe(200)
      await db.query(end, [id])
      expect(await ask()).toBe(401)
    }
  })

  test.each(['nowhere', 'off', '_shared', '..%2Fok', 'ok.js', '1ok'])('"%s" is no function', async (name) => {
    expect(await said(name)).toEqual([404, 'Function not found'])
  })

  test('a text that is answered is a response in all else too', async () => {
    expect(JSON.parse(String((await said('texts'))[1]))).toEqual({
      ...{ text: '{"a":1}', bytes: '{"a":1}', piped: '{"a":1}', cloned: { a: 1 }, form: '1' },
      ...{ used: true, unread: false, locked: true, isResponse: true, blob: 'text/plain;charset=utf-8' },
      ...{ twice: 'TypeError', lost: 'TypeError', none: 'TypeError' },
    })
    for (const [how, ...head] of [['sent', 201, 'kept'] as const, ['streamed', 200, null] as const]) {
      const answer = await call(`texts?${how}`)
      expect([answer.status, answer.headers.get('x-own'), await answer.text()]).toEqual([...head, '{"a":1}'])
    }
  })

  test('a body has its limit, whether or not its size is told', async () => {
    const most = 6 * 1024 * 1024
    for (const [length, status] of [[most, 201] as const, [most + 1, 413] as const]) {
      const body = 'x'.repeat(length)
      expect((await call('echo', { method: 'POST', body })).status).toBe(status)
      const streamed = { method: 'POST', body: new Blob([body]).stream(), duplex: 'half' }
      expect((await call('echo', streamed as RequestInit)).status).toBe(status)
    }
  })

  const expectAnswer = async (name: string, status: number, code: string) => {
    const asked = said(name)
    expect(await said('ok')).toEqual([200, 'ok'])
    const [answered, text] = await asked
    expect([answered, JSON.parse(String(text)).code]).toEqual([status, code])
    expect(text).not.toContain('secret')
    expect(failures).toContain(name.replace('hasty/', '').split('?')[0])
    expect(await said('ok')).toEqual([200, 'ok'])
    expect(failures).not.toContain('ok')
  }

  test.each([
    ['throws', 500, 'WORKER_ERROR'],
    ['rejects', 500, 'WORKER_ERROR'],
    ['silent', 500, 'WORKER_ERROR'],
    ['broken', 503, 'BOOT_ERROR'],
    ['hasty/stuck', 503, 'BOOT_ERROR'],
  ])('%s answers %i while others go on', expectAnswer)

  test('one that hangs is stopped and starts anew; one that waits goes on serving', async () => {
    const lives = () =>
      Promise.all(
        ['hasty/hangs', 'hasty/waits'].map((name) =>
          eventually(async () => {
            const [status, life] = await said(name)
            expect(status).toBe(200)
            return life
          }),
        ),
      )
    const [first, same] = await lives()
    await Promise.all(
      ['hasty/hangs?hang', 'hasty/waits?wait'].map((name) => expectAnswer(name, 504, 'IDLE_TIMEOUT')),
    )
    expect(await lives()).toEqual([expect.not.stringContaining(String(first)), same])
    const lines = logged.map((line) => JSON.parse(line))
    for (const name of ['hangs', 'waits'])
      expect(lines).toContainEqual(
        expect.objectContaining({ level: 50, function: name, msg: 'A function did not answer in time' }),
      )
    expect(lines.filter(({ msg }) => msg === 'A function hung and was stopped')).toMatchObject([
      { level: 50, function: 'hangs' },
    ])
  })

  test('one that nobody asks for ends, but not before it has done what it began', async () => {
    expect(await said('brief/leaves')).toEqual([200, '1'])
    await eventually(() => expect(logged.join()).toContain('after the answer'))
    expect(await said('brief/leaves')).toEqual([200, '1'])
    await eventually(() => expect(existsSync(join(folder, 'ended'))).toBe(true))
  })

  test('one that eats memory is stopped', async () => {
    const [status, text] = await said('hungry')
    expect([546, 504]).toContain(status)
    expect(text).toMatch(/WORKER_LIMIT|IDLE_TIMEOUT/)
    expect(await said('ok')).toEqual([200, 'ok'])
  })

  test('what goes wrong is in the log, with its reason', async () => {
    await said('background')
    for (const reason of ['a secret', 'late', 'at import', 'calls no Deno.serve', 'in the background'])
      expect(logged.some((line) => line.includes(reason))).toBe(true)
  })
})
