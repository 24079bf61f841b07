// Builds the web app and the server, each only when something it is made of has changed.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CACHE, ensureInstalled, hash, ROOT } from './install.mjs'

const PARTS = {
  web: [
    'web/src',
    'web/public',
    'web/index.html',
    'scripts/prerender.mjs',
    'web/vite.config.ts',
    'web/postcss.config.mjs',
    'web/package.json',
    'supabase/database.types.ts',
    'supabase/provider-catalogue.json',
    'package-lock.json',
  ],
  server: ['server/src', 'server/vite.config.ts', 'server/package.json', 'package-lock.json'],
}

export async function buildChanged() {
  for (const [part, sources] of Object.entries(PARTS)) {
    const stamp = join(CACHE, `built-${part}`)
    const wanted = fingerprint(sources)
    const current =
      existsSync(stamp) && existsSync(join(ROOT, part, 'dist')) ? readFileSync(stamp, 'utf8') : ''
    if (current === wanted) continue
    console.log(`Building ${part} …`)
    await viteBuild(join(ROOT, part))
    if (part === 'web') await prerender()
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(stamp, wanted)
  }
}

// Vite sets NODE_ENV for its own process, which here goes on to be the server's.
async function viteBuild(root) {
  const given = process.env.NODE_ENV
  const { build } = await import('vite')
  await build({ root, logLevel: 'warn' })
  if (given === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = given
}

// In a process of its own, which takes React's server side with it when it ends.
async function prerender() {
  const { NODE_ENV: _given, ...env } = process.env
  const status = await new Promise((done) => {
    spawn(process.execPath, [join(ROOT, 'scripts', 'prerender.mjs')], {
      cwd: ROOT,
      stdio: 'inherit',
      env,
    }).once('exit', done)
  })
  if (status !== 0) throw new Error('The landing page could not be rendered')
}

function fingerprint(sources) {
  return hash(
    sources
      .flatMap((source) => filesOf(join(ROOT, source)))
      .sort()
      .map((file) => `${relative(ROOT, file)} ${hash(readFileSync(file))}`)
      .join('\n'),
  )
}

function filesOf(path) {
  if (!existsSync(path)) return []
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return [path]
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensureInstalled()
  await buildChanged()
}
