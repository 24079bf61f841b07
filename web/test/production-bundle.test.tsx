import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildChanged } from '../../scripts/build.mjs'

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

/** Everything a browser could load of the build in this folder. */
async function everythingIn(out: string): Promise<string> {
  const files = await readdir(out, { recursive: true })
  const texts = files.filter((file) => /\.(js|html|css|json|map)$/.test(file))
  expect(texts.length).toBeGreaterThan(10)
  return (await Promise.all(texts.map((file) => readFile(join(out, file), 'utf8')))).join('\n')
}

describe('the development sign-in', () => {
  it('is nowhere in what production serves', async () => {
    await buildChanged(['web'])
    const bundle = await everythingIn(join(WEB, 'dist'))
    expect(bundle).toContain('Welcome Back')
    expect(MARKERS.filter((marker) => bundle.includes(marker))).toEqual([])
  })

  it('is in a preview build', async () => {
    const out = await mkdtemp(join(tmpdir(), 'potluck-bundle-'))
    onTestFinished(() => rm(out, { recursive: true }))
    const args = [VITE, 'build', WEB, '--mode', 'preview', '--outDir', out, '--logLevel', 'error']
    await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_ENV: 'production' } })
    const bundle = await everythingIn(out)
    expect(MARKERS.filter((marker) => !bundle.includes(marker))).toEqual([])
  })
})
