// Serves the built web app: hashed files for a year, everything else checked on each use, and the index for pages.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { Hono } from 'hono'
import { escapeHtml } from '#mail/templates.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
const COMPRESSIBLE = /^(text\/|application\/(json|manifest)|image\/svg)/

type Bytes = Uint8Array<ArrayBuffer>
interface File {
  type: string
  bytes: Bytes
  etag: string
  cache: string
  compressed: Map<'br' | 'gzip', Promise<Bytes>>
}

/**
 * Files below `folder`, kept in memory. A path that is no file answers, when a page is asked for, with app.html, or with
 * index.html where the first page is no other than the rest. `{{NAME}}` in a page becomes the value of that name.
 */
export async function spaRoutes(folder: string, values: Record<string, string> = {}): Promise<Hono> {
  const files = await load(folder, values)
  const fallback = files.get('/app.html') ?? files.get('/index.html')
  const app = new Hono()
  app.on(['GET', 'HEAD'], '*', async (context) => {
    const path = decodePath(context.req.path)
    const file = files.get(path) ?? (asksForPage(path, context.req.header('accept')) ? fallback : undefined)
    if (!file) return context.text('Not found', 404)
    const headers: Record<string, string> = {
      'Content-Type': file.type,
      'Cache-Control': file.cache,
      ETag: file.etag,
      Vary: 'Accept-Encoding',
    }
    if (context.req.header('if-none-match')?.includes(file.etag)) return context.body(null, 304, headers)
    const encoding = COMPRESSIBLE.test(file.type) ? wanted(context.req.header('accept-encoding')) : undefined
    if (!encoding) return context.body(file.bytes, 200, headers)
    return context.body(await compress(file, encoding), 200, { ...headers, 'Content-Encoding': encoding })
  })
  return app
}

async function load(folder: string, values: Record<string, string>): Promise<Map<string, File>> {
  const files = new Map<string, File>()
  if (!existsSync(folder)) return files
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const stored = await readFile(path)
    const isPage = extname(entry.name) === '.html'
    const bytes = Uint8Array.from(isPage ? Buffer.from(fill(stored.toString(), values)) : stored)
    const address = `/${relative(folder, path).split(sep).join('/')}`
    files.set(address, {
      type: TYPES[extname(entry.name)] ?? 'application/octet-stream',
      bytes,
      etag: `"${createHash('sha1').update(bytes).digest('base64url')}"`,
      cache: address.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      compressed: new Map(),
    })
  }
  const index = files.get('/index.html')
  if (index) files.set('/', index)
  return files
}

function fill(page: string, values: Record<string, string>): string {
  return page.replace(/\{\{([A-Z_]+)\}\}/g, (place, name: string) => escapeHtml(values[name] ?? place))
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

// A missing script must not be answered with a page, or the browser tries to run it.
function asksForPage(path: string, accept = ''): boolean {
  return extname(path) === '' && (accept === '' || accept.includes('text/html') || accept.includes('*/*'))
}

function wanted(accept = ''): 'br' | 'gzip' | undefined {
  if (/\bbr\b/.test(accept)) return 'br'
  return /\bgzip\b/.test(accept) ? 'gzip' : undefined
}

function compress(file: File, encoding: 'br' | 'gzip'): Promise<Bytes> {
  let bytes = file.compressed.get(encoding)
  if (!bytes) {
    bytes = promisify(encoding === 'br' ? brotliCompress : gzip)(file.bytes).then((packed) =>
      Uint8Array.from(packed),
    )
    file.compressed.set(encoding, bytes)
  }
  return bytes
}
