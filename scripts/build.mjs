// Builds the web app, the server and the functions, each only if its sources have changed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { CACHE, ensureInstalled, hash, ROOT, say, step } from './install.mjs'

const PARTS = {
  web: [
    'web/src',
    'web/public',
    'web/index.html',
    'web/app.html',
    'web/build',
    'web/landing',
    'web/locales',
    'web/vite.config.ts',
    'web/tsr.config.json',
    'web/package.json',
    'supabase/functions/_shared/limits.ts',
    'supabase/functions/_shared/words',
    'supabase/error-codes.md',
    'supabase/provider-catalogue.json',
    'package-lock.json',
  ],
  server: ['server/src', 'server/vite.config.ts', 'server/package.json', 'package-lock.json'],
  // The Edge Functions.
  supabase: ['supabase/functions', 'server/src/mail', 'supabase/vite.config.ts', 'package-lock.json'],
}

/** Builds these parts, or all of them. */
export async function buildChanged(parts = Object.keys(PARTS)) {
  await Promise.all(parts.map((part) => renew(join(part, 'dist'), PARTS[part], () => build(part))))
}

/** Rebuilds a file or folder, unless it was built from the same sources. */
export async function renew(made, sources, make) {
  const stamp = join(CACHE, `made-${made.replaceAll(/[\\/]/g, '-')}`)
  const wanted = fingerprint(sources)
  const current = existsSync(stamp) && existsSync(join(ROOT, made)) ? readFileSync(stamp, 'utf8') : ''
  if (current === wanted) return
  await make()
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(stamp, wanted)
}

const NAMES = { web: 'the web app', server: 'the server', supabase: 'the functions' }

// In a separate process, which frees all memory of the build: this one becomes the server.
async function build(part) {
  const done = step(`Building ${NAMES[part]}`)
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', join(ROOT, part), '--logLevel', 'warn']
  // A test that builds is no reason to build for tests.
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, problems, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  done(status === 0 ? undefined : 'failed')
  if (status !== 0) throw new Error(`${NAMES[part]} could not be built:\n${out}${problems}`)
  say(out + problems)
}

function fingerprint(sources) {
  return hash(
    sources
      .flatMap((source) => filesOf(join(ROOT, source)))
      // Made of the others by the build itself.
      .filter((file) => !file.endsWith('.gen.ts'))
      .sort()
      .map((file) => `${relative(ROOT, file)} ${hash(readFileSync(file))}`)
      .join('\n'),
  )
}

function filesOf(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensureInstalled(ROOT, { dev: false })
  await buildChanged()
}
