import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { everythingIn, MARKERS, WEB } from './bundle.ts'

const VITE = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')

it('the development sign-in is in a preview build', async () => {
  const out = await mkdtemp(join(tmpdir(), 'potluck-bundle-'))
  onTestFinished(() => rm(out, { recursive: true }))
  const args = [VITE, 'build', WEB, '--mode', 'preview', '--outDir', out, '--logLevel', 'error']
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_ENV: 'production' } })
  const bundle = await everythingIn(out)
  expect(MARKERS.filter((marker) => !bundle.includes(marker))).toEqual([])
})
