// The files in deploy/, the scripts that npm may run while it installs, and servers that start before Postgres does or run
// out of file handles.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { watchOpenFiles } from '#http/open-files.ts'
import { eventually } from './eventually.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFile(join(ROOT, name), 'utf8')

test('each variable that stands in deploy/.env reaches the container', async () => {
  const table = (await read('docs/configuration.md')).split('\n## ')[0] ?? ''
  const names = table
    .split('\n')
    .flatMap((line) => (line.split('|')[1] ?? '').match(/\b[A-Z][A-Z0-9_]{3,}\b/g) ?? [])
  expect(names.length).toBeGreaterThan(40)
  const [server = ''] = (await read('deploy/compose.yaml')).split('\n  postgres:')
  expect(server).toMatch(/^ {4}env_file: \.env$/m)
  // Values under `environment` override .env, so each must take its value from .env: it is either required, or has the
  // container's default.
  const [, named = ''] = /environment:\n((?: {6}.*\n)+)/.exec(server) ?? []
  for (const [, name = '', value = ''] of named.matchAll(/^ {6}([A-Z_]+): (.*)$/gm))
    expect([name, value]).toEqual([
      name,
      expect.stringMatching(
        /^(HOST|PORT|DATA_DIR|NODE_ENV)$/.test(name) ? /^\S+$/ : new RegExp(`^\\$\\{${name}(:\\?|:-.+)\\}$`),
      ),
    ])
})

test('npm 12, which skips install scripts, is told which ones to run', async () => {
  type Packages = Record<string, { hasInstallScript?: boolean }>
  for (const folder of ['.', 'postgres', 'deno', 'bench']) {
    const { packages } = JSON.parse(await read(join(folder, 'package-lock.json'))) as { packages: Packages }
    const withScript = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
    const { allowScripts = {} } = JSON.parse(await read(join(folder, 'package.json'))) as {
      allowScripts?: Record<string, boolean>
    }
    expect(Object.keys(allowScripts).sort(), folder).toEqual([...new Set(withScript)].sort())
  }
})

test('the unit goes on trying until Postgres is there', async () => {
  const [unit = '', service = ''] = (await read('deploy/potluck.service')).split('[Service]')
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
  expect(service).toMatch(/^Restart=on-failure$/m)
  expect(Number(/^RestartSec=(\d+)$/m.exec(service)?.[1])).toBeGreaterThanOrEqual(1)
})

test('a process that can open no file says so', async () => {
  const logged: string[] = []
  const end = watchOpenFiles(pino({}, { write: (line) => logged.push(line) }), {
    everyMs: 10,
    file: '/nowhere',
  })
  await eventually(() => expect(logged.join()).toContain('can open no more files'))
  end()
})
