import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const WEB = resolve(import.meta.dirname, '..')
const VITE = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')

// What only the development sign-in consists of: its button, its user, its sentences, its tokens.
const MARKERS = [
  'Quick Development Login',
  'For testing in preview environments',
  'Development User',
  'developer@example.com',
  '00000000-0000-4000-8000-000000000001',
  'Using simulated authentication',
  'You are now signed in with a development account',
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'potluck-bundle-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Everything a browser could load of a build. */
async function build(mode: 'production' | 'preview'): Promise<string> {
  const out = join(folder, mode)
  const args = [VITE, 'build', WEB, '--mode', mode, '--outDir', out, '--logLevel', 'error']
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_ENV: 'production' } })
  const files = await readdir(out, { recursive: true })
  const texts = files.filter((file) => /\.(js|html|css|json|map)$/.test(file))
  expect(texts.length).toBeGreaterThan(10)
  return (await Promise.all(texts.map((file) => readFile(join(out, file), 'utf8')))).join('\n')
}

describe('the development sign-in', () => {
  it('is nowhere in what production serves', async () => {
    const bundle = await build('production')
    expect(bundle).toContain('Welcome Back')
    expect(MARKERS.filter((marker) => bundle.includes(marker))).toEqual([])
  })

  it('is in a preview build', async () => {
    const bundle = await build('preview')
    expect(MARKERS.filter((marker) => !bundle.includes(marker))).toEqual([])
  })
})
