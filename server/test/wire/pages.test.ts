import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPageSources, readPictureSources, securityHeaders } from '#http/security-headers.ts'
import { createDrawing } from '#spa/drawing.ts'
import { spaRoutes } from '#spa/files.ts'
import { type PageHeads, readPageHeads } from '#spa/page-heads.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { freePort } from '../free-port.ts'
import { serveTest, testServer } from '../harness.ts'

const server = await testServer({
  ...{ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
  ...{ OPENID_KITE_ISSUER: 'https://id.example', OPENID_KITE_NAME: 'Kite Club', OPENID_ONLY: 'on' },
  ...{ OPENID_KITE_CLIENT_ID: 'id', OPENID_KITE_CLIENT_SECRET: 'secret' },
})

/** Sends a request byte for byte and returns the server's response. */
const say = (to: string, lines: string[]) =>
  new Promise<string>((done, fail) => {
    const socket = connect(Number(new URL(to).port), '127.0.0.1')
    let heard = ''
    socket.setEncoding('utf8').on('data', (text) => {
      heard += text
    })
    socket.on('close', () => done(heard)).on('error', fail)
    socket.write(lines.join('\r\n'))
  })

test.each(['/outbox', '/outbox.json'])("%s is shown under no name but this machine's own", async (path) => {
  const ask = (host: string) =>
    say(server.url, [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', '', ''])
  for (const host of ['localhost', '127.0.0.1:3000', '[::1]'])
    expect(await ask(host)).toMatch(/^HTTP\/1.1 200 /)
  for (const host of ['mail.attacker.example', 'localhost.example']) {
    const refused = await ask(host)
    expect(refused).toMatch(/^HTTP\/1.1 421 /)
    expect(refused).not.toContain('Captured mail</h1>')
  }
})

const shared = { ...server.db, close: async () => undefined }

test('a body that never arrives in full does not hold its connection', async () => {
  const hasty = await serveTest(shared, server.databaseUrl, {}, { requestMs: 300 })
  afterAll(() => hasty.close())
  const request = ['POST /rest/v1/rpc/none HTTP/1.1', 'Host: localhost', `apikey: ${hasty.anonKey}`]
  const body = ['Content-Type: application/json', 'Content-Length: 100', '', '{"a":']
  const asked = Date.now()
  expect(await say(hasty.url, [...request, ...body])).toMatch(/^HTTP\/1.1 408 /)
  expect(Date.now() - asked).toBeLessThan(5_000)
})

test('a server is well, and tells the page how to reach it', async () => {
  const health = await fetch(`${server.url}/health`)
  const { version } = manifest
  expect([health.status, await health.json()]).toEqual([
    200,
    { status: 'ok', version, database: server.db.kind },
  ])
  const config = await (await fetch(`${server.url}/config.json`)).json()
  const keys = { supabaseUrl: server.url, supabaseAnonKey: server.anonKey }
  const only = { signInWith: [{ id: 'custom:kite', name: 'Kite Club' }], signInByMail: false }
  expect(config).toMatchObject({
    operatorName: new URL(server.url).host,
    ...keys,
    outbox: true,
    demo: [],
    version,
    ...only,
  })
  expect(JSON.stringify(config)).not.toContain('secret')
})

test('behind TLS the page calls its site with TLS, on this machine too', async () => {
  const port = String(await freePort())
  const secure = await serveTest(shared, server.databaseUrl, { PORT: port, SITE_URL: 'https://localhost' })
  afterAll(() => secure.close())
  const asked = ['GET /config.json HTTP/1.1', 'Host: localhost', 'Connection: close', '', '']
  expect(await say(`http://127.0.0.1:${port}`, asked)).toContain('"supabaseUrl":"https://localhost"')
})

test('an address no service knows is not answered with a page', async () => {
  for (const path of ['/realtime/v1/websocket', '/storage/v1/object/x', '/graphql/v1/x']) {
    const answer = await fetch(`${server.url}${path}?apikey=${server.anonKey}`)
    expect(answer.status, path).toBe(404)
    expect(answer.headers.get('content-type')).toContain('json')
  }
  const script = await fetch(`${server.url}/assets/gone.js`, { headers: { accept: '*/*' } })
  expect(script.status).toBe(404)
})

describe('pages of other origins', () => {
  const origin = 'https://elsewhere.example'
  test.each<[string, string, string?]>([
    ['GET', '/rest/v1/service_provider_data?select=id'],
    ['HEAD', '/rest/v1/service_provider_data?select=id'],
    ['GET', '/rest/v1/nothing'],
    ['POST', '/rest/v1/rpc/is_subscription_owner', '{bad'],
    ['GET', '/auth/v1/settings'],
    ['GET', '/auth/v1/user'],
    ['POST', '/auth/v1/token?grant_type=password', '{}'],
    ['GET', '/auth/v1/nothing'],
    ['POST', '/realtime/v1/api/broadcast', '{}'],
  ])('may read every kind of answer: %s %s', async (method, path, body) => {
    const headers = { apikey: server.anonKey, origin }
    const answer = await fetch(server.url + path, { method, headers, ...(body && { body }) })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('Content-Range')
  })

  test('may ask beforehand', async () => {
    const asked = 'apikey,prefer,x-anything'
    const preflight = await fetch(`${server.url}/rest/v1/messages`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-anything')
  })
})

const policyOf = (headers: Headers) =>
  new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
      const [name = '', ...sources] = rule.split(' ')
      return [name, sources]
    }),
  )

describe('what a browser may do with our pages', () => {
  test.each(['/', '/my-subscriptions', '/outbox', '/config.json', '/health', '/assets/none.js'])(
    '%s carries the security headers, and no cookie',
    async (path) => {
      const { headers } = await fetch(server.url + path, { headers: { accept: 'text/html' } })
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': expect.stringMatching(/./),
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      })
      expect(headers.has('set-cookie')).toBe(false)
      const policy = policyOf(headers)
      expect(policy.get('default-src')).toBeDefined()
      expect(policy.get('base-uri')).toEqual(["'none'"])
      for (const sources of [policy.get('script-src') ?? [], policy.get('default-src') ?? []]) {
        expect(sources).not.toContain("'unsafe-inline'")
        expect(sources).not.toContain("'unsafe-eval'")
        expect(sources.filter((source) => /^(\*|https?:|data:|blob:)/.test(source))).toEqual([])
      }
    },
  )

  test('every script in a page is a file of ours, or its hash is in the policy', async () => {
    for (const path of ['/', '/about', '/signin', '/outbox']) {
      const response = await fetch(server.url + path, { headers: { accept: 'text/html' } })
      const page = await response.text()
      const allowed = policyOf(response.headers).get('script-src') ?? []
      for (const [, attributes = '', code = ''] of page.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
        if (/\btype="application\/(ld\+)?json"/.test(attributes)) continue
        const source = /\bsrc="([^"]*)"/.exec(attributes)?.[1]
        const hash = `'sha256-${createHash('sha256').update(code).digest('base64')}'`
        if (source === undefined) expect(allowed).toContain(hash)
        else expect(source).toMatch(/^\/[^/]/)
      }
      expect(page).not.toMatch(/<[a-z][^>]*\son[a-z]+=/i)
      expect(page).not.toContain('javascript:')
    }
  })

  test('pictures come from this site, where its pages say, and the providers people sign in with', async () => {
    const { headers } = await fetch(server.url)
    expect(policyOf(headers).get('img-src')).toEqual([
      "'self'",
      'data:',
      ...readPictureSources(server.config.webDir),
      'https://*.googleusercontent.com',
    ])
    expect(policyOf(headers).get('connect-src')).toEqual(["'self'", server.url.replace('http', 'ws')])
  })
})

describe('a site reached over https', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pages-'))
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Potluck</title>')
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('what belongs to one deployment stands in its pages, as text whatever it holds', async () => {
    await writeFile(
      join(folder, 'named.html'),
      '<p>{{operatorName}} at {{SITE_URL}}</p><i>{{OTHER}} {{constructor}}</i>',
    )
    let operatorName = '<b>Olivia & Marc $&</b>'
    const heads: PageHeads = {
      of: async () => null,
      paths: async () => null,
      // A project cannot replace what the server knows.
      texts: () => ({ operatorName, SITE_URL: 'https://elsewhere.example' }),
    }
    const app = new Hono().route(
      '/',
      await spaRoutes(folder, { SITE_URL: 'https://potluck.example' }, { heads }),
    )
    const page = async () => (await app.request('/named.html')).text()
    const rest = 'at https://potluck.example</p><i>{{OTHER}} {{constructor}}</i>'
    expect(await page()).toBe(`<p>&lt;b&gt;Olivia &amp; Marc $&amp;&lt;/b&gt; ${rest}`)
    operatorName = 'Zoe'
    expect(await page()).toBe(`<p>Zoe ${rest}`)
  })

  test('the landing page does not wait for a database that is silent', async () => {
    await writeFile(join(folder, 'landing.html'), '<p>{{operatorName}}</p>')
    await server.db.query(
      `create or replace function public.site_config(p_host text) returns jsonb language sql as $$ select '{"operatorName": "Zoe"}'::jsonb $$`,
    )
    let isSilent = false
    const db = new Proxy(server.db, {
      get(known, name) {
        const part = Reflect.get(known, name)
        if (typeof part !== 'function') return part
        return (...given: unknown[]) => (isSilent ? new Promise(() => {}) : part.apply(known, given))
      },
    })
    const heads = await readPageHeads(db, pino({ level: 'silent' }), 'potluck.example')
    const app = new Hono().route('/', await spaRoutes(folder, {}, { heads }))
    isSilent = true
    // After a second, the texts are read again, beside the answer.
    await setTimeout(1_100)
    for (let time = 0; time < 2; time += 1)
      expect(await (await app.request('/landing.html')).text()).toBe('<p>Zoe</p>')
  })

  test('pages on other origins may read its data, and not its pages', async () => {
    await writeFile(join(folder, 'openapi.json'), '{}')
    const app = new Hono().route('/', await spaRoutes(folder))
    const allowed = async (path: string) =>
      (await app.request(path)).headers.get('access-control-allow-origin')
    expect([await allowed('/openapi.json'), await allowed('/index.html')]).toEqual(['*', null])
  })

  test('a page answers for its own address, or for all below, and the general one for every other', async () => {
    await mkdir(join(folder, 'plans'))
    await mkdir(join(folder, 'de/plans'), { recursive: true })
    const inGerman = `<link rel="alternate" hreflang="en" href="/plans/[id]"><template data-sentences>{"A & (.+)":"$1 und A","(.+) \\\\(old\\\\)":"$1 (alt)"}</template>`
    const pages = {
      'plans.html': 'all',
      'plans/[id].html': 'one of <i data-head="heading"></i>',
      'de/app.html': 'auf Deutsch',
      'de/plans/[id].html': `${inGerman}<i data-head="heading"></i>`,
    }
    for (const [name, text] of Object.entries(pages)) await writeFile(join(folder, name), text)
    const heads: PageHeads = {
      of: async (path) =>
        path.endsWith('/named')
          ? { title: 'T', heading: 'A & B (old)', description: 'D', status: 404 }
          : null,
      paths: async () => null,
      texts: () => ({}),
    }
    const app = new Hono().route('/', await spaRoutes(folder, {}, { heads }))
    const read = async (path: string, encoding = '') => {
      const answer = await app.request(path, {
        headers: { accept: 'text/html', 'accept-encoding': encoding },
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      const packed = answer.headers.get('content-encoding') === 'gzip'
      return `${answer.status} ${packed ? `packed ${gunzipSync(bytes)}` : bytes}`
    }
    expect(await read('/plans')).toBe('200 all')
    expect(await read('/plans/some')).toBe('200 one of <i data-head="heading"></i>')
    expect(await read('/plans/named')).toBe('404 one of <i data-head="heading">A &amp; B (old)</i>')
    expect(await read('/plans/named', 'gzip, br')).toBe(
      '404 packed one of <i data-head="heading">A &amp; B (old)</i>',
    )
    expect(await read('/de/plans')).toBe('200 auf Deutsch')
    expect(await read('/de/plans/named')).toBe(
      `404 ${inGerman.replace('[id]', 'named')}<i data-head="heading">B (alt) und A</i>`,
    )
    for (const path of ['/plans/a/b', '/plan', '/']) expect(await read(path)).toContain('<title>Potluck')
    const robots = async (path: string) =>
      (await app.request(path, { headers: { accept: 'text/html' } })).headers.get('x-robots-tag')
    for (const path of ['/answer/secret', '/de/answer/secret'])
      expect(await robots(path), path).toBe('noindex')
    for (const path of ['/', '/plan', '/de/plan', '/plans/some']) expect(await robots(path), path).toBeNull()
    for (const made of ['plans', 'de']) await rm(join(folder, made), { recursive: true })
    await rm(join(folder, 'plans.html'))
  })

  test('a marked page gets what the build draws for visitors, and stays as it is if that fails', async () => {
    const made = await mkdtemp(join(tmpdir(), 'drawn-'))
    await mkdir(join(made, 'de'))
    await mkdir(join(made, '_server'))
    const page = '<p>before</p><!--draw-->pending<!--/draw--><p>after</p>'
    for (const name of ['plans.html', 'de/plans.html', 'de/app.html']) await writeFile(join(made, name), page)
    await writeFile(join(made, 'about.html'), 'about')
    await writeFile(
      join(made, '_server/draw.js'),
      `const language = Deno.env.get('LANGUAGE')
      let drawn = 0
      Deno.serve(async (request, { remoteAddr }) => {
        const { pathname, search } = new URL(request.url)
        if (search === '?late') await new Promise(() => {})
        if (search === '?broken') return new Response('broken', { status: 500 })
        drawn += 1
        const said = [language, pathname + search, drawn, remoteAddr.hostname].join(' ')
        return new Response(said, { headers: { 'Cache-Control': 'public, s-maxage=2' } })
      })`,
    )
    const said: string[] = []
    const drawing = createDrawing({
      webDir: made,
      script: new URL('../../src/functions/worker.mjs', import.meta.url).pathname,
      env: {},
      ...{ longestMs: 1_000, idleMs: 1_500 },
      log: pino({}, { write: (line: string) => void said.push(line) }),
    })
    const app = new Hono().route(
      '/',
      await spaRoutes(made, { SITE_URL: 'https://potluck.example' }, { drawing }),
    )
    const read = async (path: string) => {
      const text = await (await app.request(path, { headers: { accept: 'text/html' } })).text()
      return /^<p>before<\/p>(.*)<p>after<\/p>$/.exec(text)?.[1] ?? text
    }
    expect(await read('/plans?q=a')).toBe(' /plans?q=a 1 unknown')
    const both = [read('/plans?q=b'), read('/plans?q=b')]
    for (const text of await Promise.all(both)) expect(text).toBe(' /plans?q=b 2 unknown')
    expect(await read('/plans?q=a')).toBe(' /plans?q=a 1 unknown')
    expect(await read('/de/plans')).toBe('de /de/plans 1 unknown')
    for (const failing of ['?broken', '?late'])
      expect(await read(`/plans${failing}`)).toBe('<!--draw-->pending<!--/draw-->')
    // A path may be a secret, so the log names none.
    expect(said.join()).toMatch(/did not answer in time.*without its data/s)
    expect(said.join()).not.toContain('/plans')
    expect(await read('/about')).toBe('about')
    expect((await app.request('/_server/draw.js')).status).toBe(404)
    // The thread ends when nobody asks, and the next one counts anew.
    await setTimeout(3_000)
    expect(await read('/plans?q=c')).toBe(' /plans?q=c 1 unknown')
    await drawing?.close()
    await rm(made, { recursive: true })
  })

  test('a build says from where its pages load pictures: nothing but whole sites over https', async () => {
    const file = join(folder, 'picture-sources.json')
    expect(readPictureSources(folder)).toEqual([])
    await writeFile(file, '["https://pictures.example/;script-src *"]')
    expect(readPictureSources(folder)).toEqual(['https://pictures.example'])
    await writeFile(file, '["http://pictures.example"]')
    expect(() => readPictureSources(folder)).toThrow()
    await rm(file)
  })

  test('what a build wants from other sites is allowed on that page alone, and only where it is of use', async () => {
    const sites = { frames: [], connections: ['https://api.example/;script-src *'], pictures: [] }
    const page = { path: '/pay', with: 'PAY_KEY', scripts: ['https://*.js.example'], ...sites }
    const file = join(folder, 'page-sources.json')
    await writeFile(file, JSON.stringify([page]))
    expect(readPageSources(folder, { PAY_KEY: '' })).toEqual([])
    const app = new Hono()
    app.use(securityHeaders('http://localhost:3000', [], readPageSources(folder, { PAY_KEY: 'key' })))
    app.get('*', (context) => context.text(''))
    const scripts = async (path: string) => policyOf((await app.request(path)).headers).get('script-src')
    for (const path of ['/pay', '/de/pay', '/pay/'])
      expect(await scripts(path)).toEqual(["'self'", 'https://*.js.example'])
    for (const path of ['/', '/pay/more', '/payments', '/a/b/pay'])
      expect(await scripts(path)).toEqual(["'self'"])
    expect(policyOf((await app.request('/pay')).headers).get('connect-src')).toContain('https://api.example')
    await rm(file)
  })

  test.each([
    ['https://potluck.example', 'max-age=31536000', 'wss://potluck.example'],
    ['http://localhost:3000', null, 'ws://localhost:3000'],
  ])('%s tells browsers to stay there: %s', async (siteUrl, transport, socket) => {
    const app = new Hono()
    app.use(securityHeaders(siteUrl, []))
    app.route('/', await spaRoutes(folder))
    const { headers } = await app.request('/anything', { headers: { accept: 'text/html' } })
    expect(headers.get('strict-transport-security')).toBe(transport)
    expect(policyOf(headers).get('connect-src')).toEqual(["'self'", socket])
  })
})
