// Serves the built web app: hashed files are cached for a year, everything else is revalidated, and page requests
// without a file get app.html. Files stay in memory, because hono's serve-static, which reads them from disk, serves
// only a fifth of the requests per second, and hono's compress, which compresses every response anew, only a twentieth.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/compress'
import { getMimeType } from 'hono/utils/mime'
import { clientAddress } from '#http/client-address.ts'
import { escapeHtml } from '#mail/templates.ts'
import { type Drawing, isDrawn, SERVER_FOLDER, withDrawn } from './drawing.ts'
import { type PageHeads, sitemap, withHead } from './page-heads.ts'

type Env = { Bindings: Partial<HttpBindings> }
const COMPRESSORS = { br: promisify(brotliCompress), gzip: promisify(gzip) }
type Encoding = keyof typeof COMPRESSORS
const ENCODINGS: Encoding[] = ['br', 'gzip']

type Bytes = Uint8Array<ArrayBuffer>
interface ServedFile {
  /** A page before the values are filled in, and the values with which it was last filled. */
  page?: { template: string; filledWith: string; isDrawn: boolean }
  type: string
  bytes: Bytes
  etag: string
  cache: string
  compressed: Map<Encoding, Promise<Bytes>>
}

interface SiteParts {
  heads?: PageHeads
  drawing?: Drawing | undefined
  /** See config.trustProxy. */
  trustProxy?: boolean
}

/**
 * Serves the files below `folder`. A page request that matches no file gets its own page (plans.html for /plans,
 * plans/[id].html for anything below), otherwise app.html, or index.html if there is none, with the head that `heads`
 * provides. Search engines are asked not to index a nested path, such as /answer/<token>, that has no file, page or
 * head of its own. `drawing` fills in the data of marked pages. A folder with an app.html is the site in another
 * language, for the paths below it. `{{name}}` in a page is replaced by the value of that name or the project's text.
 */
export async function spaRoutes(
  folder: string,
  values: Record<string, string> = {},
  { heads, drawing, trustProxy = false }: SiteParts = {},
): Promise<Hono<Env>> {
  const files = await load(folder)
  // Each page is filled when it is first served, and again after a change of the texts.
  const fillIn = (file: ServedFile, page: NonNullable<ServedFile['page']>) => {
    const all = { ...heads?.texts(), ...values }
    const filledWith = JSON.stringify(all)
    if (page.filledWith === filledWith) return
    Object.assign(file, served(Buffer.from(fill(page.template, all))))
    page.filledWith = filledWith
  }
  const languages = [...files.keys()].flatMap((name) => /^(\/[^/]+)\/app\.html$/.exec(name)?.[1] ?? [])
  const languageOf = (path: string) => languages.find((prefix) => `${path}/`.startsWith(`${prefix}/`)) ?? ''
  const pageOf = (path: string) =>
    [
      `${path.replace(/(?<=.)\/$/, '')}.html`,
      `${dirname(path)}/[id].html`,
      `${languageOf(path)}/app.html`,
      '/index.html',
    ]
      .map((name) => files.get(name))
      .find((file) => file !== undefined)
  // True for nested paths without a page of their own: pages of one person, and secret links in mails.
  const isPrivate = (path: string, page: ServedFile) =>
    page === (files.get(`${languageOf(path)}/app.html`) ?? files.get('/index.html')) &&
    dirname(path.slice(languageOf(path).length)) !== '/'
  const siteUrl = values.SITE_URL ?? ''
  const draw = (context: Context<Env>, path: string) => {
    const { pathname, search } = new URL(context.req.url)
    const { incoming } = context.env ?? {}
    const address = incoming ? clientAddress(trustProxy, incoming) : 'unknown'
    return drawing?.draw({ language: languageOf(path).slice(1), url: siteUrl + pathname + search, address })
  }
  const app = new Hono<Env>()
  if (heads) app.route('/', indexRoutes(heads, siteUrl))
  app.on(['GET', 'HEAD'], '*', async (context) => {
    const path = decodePath(context.req.path)
    const page = asksForPage(path, context.req.header('accept')) ? pageOf(path) : undefined
    const file = files.get(path) ?? page
    if (!file) return context.text('Not found', 404)
    if (file.page) fillIn(file, file.page)
    const { pathname } = new URL(context.req.url)
    const head = file === page && (await heads?.of(pathname.slice(languageOf(pathname).length) || '/'))
    const status = (head || undefined)?.status ?? 200
    const draws = file === page && page.page?.isDrawn && status === 200 && context.req.method === 'GET'
    const drawn = draws ? await draw(context, path) : undefined
    if (head || drawn !== undefined) {
      let html = Buffer.from(file.bytes).toString()
      if (head) {
        const image = head.image && files.has(head.image.path) ? head.image : null
        html = withHead(html, { ...head, image }, { url: siteUrl, path })
      }
      if (drawn !== undefined) html = withDrawn(html, drawn)
      const headers = { 'Content-Type': file.type, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }
      // This page is compressed for each response, so gzip is used, which is twenty times as fast as Brotli.
      if (encodingFor(context, file.type, ['gzip']) === '') return context.body(html, status as 200, headers)
      const packed = Uint8Array.from(await COMPRESSORS.gzip(html))
      return context.body(packed, status as 200, { ...headers, 'Content-Encoding': 'gzip' })
    }
    const headers: Record<string, string> = {
      'Content-Type': file.type,
      'Cache-Control': file.cache,
      ETag: file.etag,
      Vary: 'Accept-Encoding',
      ...(file === page && isPrivate(path, page) && { 'X-Robots-Tag': 'noindex' }),
      // JSON files are data for programs, such as a viewer of OpenAPI, so pages on other origins may read them.
      ...(file.type.startsWith('application/json') && { 'Access-Control-Allow-Origin': '*' }),
    }
    if (context.req.header('if-none-match')?.includes(file.etag)) return context.body(null, 304, headers)
    const encoding = encodingFor(context, file.type, ENCODINGS)
    if (encoding === '') return context.body(file.bytes, 200, headers)
    return context.body(await compress(file, encoding), 200, { ...headers, 'Content-Encoding': encoding })
  })
  return app
}

/** Returns the encoding for a response of this type, or '' for none. */
const encodingFor = (context: Context, type: string, offered: Encoding[]) =>
  accepts(context, {
    header: 'Accept-Encoding',
    supports: COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type) ? offered : [],
    default: '',
    // Our order of preference: browsers list gzip before br without preferring it.
    match: (accepted, { supports }) =>
      supports.find((name) => accepted.some(({ type: known, q }) => known === name && q > 0)) ?? '',
  }) as Encoding | ''

/** Routes for search engines: /sitemap.xml and /robots.txt. */
function indexRoutes(heads: PageHeads, siteUrl: string): Hono {
  const app = new Hono()
  app.get('/sitemap.xml', async (context) => {
    const paths = await heads.paths()
    if (!paths) return context.text('Not found', 404)
    return context.body(sitemap(paths, siteUrl), 200, {
      'Content-Type': 'application/xml; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
    })
  })
  app.get('/robots.txt', async (context) => {
    const paths = await heads.paths()
    return context.text(
      `User-agent: *\nDisallow: /*/v1/\n${paths ? `Sitemap: ${siteUrl}/sitemap.xml\n` : ''}`,
    )
  })
  return app
}

async function load(folder: string): Promise<Map<string, ServedFile>> {
  const files = new Map<string, ServedFile>()
  if (!existsSync(folder)) return files
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const address = `/${relative(folder, path).split(sep).join('/')}`
    if (address.startsWith(`/${SERVER_FOLDER}/`)) continue
    const stored = await readFile(path)
    files.set(address, {
      ...(extname(entry.name) === '.html' && { page: unfilled(stored.toString()) }),
      type: getMimeType(entry.name) ?? 'application/octet-stream',
      cache: address.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...served(stored),
    })
  }
  const index = files.get('/index.html')
  if (index) files.set('/', index)
  return files
}

const unfilled = (template: string) => ({ template, filledWith: '', isDrawn: isDrawn(template) })

/** The parts of a served file that depend on its content. */
function served(content: Buffer): Pick<ServedFile, 'bytes' | 'etag' | 'compressed'> {
  const bytes = Uint8Array.from(content)
  return {
    bytes,
    etag: `"${createHash('sha1').update(bytes).digest('base64url')}"`,
    compressed: new Map(),
  }
}

const fill = (page: string, values: Record<string, string>) =>
  page.replace(/\{\{(\w+)\}\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? escapeHtml(String(values[name])) : place,
  )

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

// A missing script must not get a page, which the browser would try to run.
const asksForPage = (path: string, accept = '') =>
  extname(path) === '' && (accept === '' || accept.includes('text/html') || accept.includes('*/*'))

function compress({ bytes, compressed }: ServedFile, encoding: Encoding): Promise<Bytes> {
  const packed =
    compressed.get(encoding) ?? COMPRESSORS[encoding](bytes).then((result) => Uint8Array.from(result))
  compressed.set(encoding, packed)
  return packed
}
