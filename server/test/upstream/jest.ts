// Runs tests with jest and reads their results.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome } from './report.ts'
import type { Served } from './served.ts'

interface JestReport {
  testResults: {
    name: string
    message: string
    assertionResults: {
      fullName: string
      status: string
      failureMessages: string[]
      startAt: number | null
      duration: number | null
    }[]
  }[]
}

const CONFIG = {
  testTimeout: 30_000,
  forceExit: true,
  transform: { '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }] },
}

/**
 * Runs the tests of the package in `folder`. A test that sends no request to any server in `served` proves nothing
 * about these servers, so it is reported as `alone`.
 */
export async function runJest(
  folder: string,
  served: Pick<Served, 'wasAsked'>[],
  settings: { testMatch: string[]; [setting: string]: unknown },
): Promise<Outcome[]> {
  const config = join(folder, 'upstream.config.json')
  const report = join(folder, 'upstream.report.json')
  await writeFile(config, JSON.stringify({ rootDir: folder, ...CONFIG, ...settings }))
  const jest = join(folder, '../../../node_modules/jest/bin/jest.js')
  const args = [jest, '--config', config, '--ci', '--runInBand', '--json', '--outputFile', report]
  const run = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' })
  await once(run, 'exit')
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as JestReport
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = name.replace(/.*\/test\//, '').replace('.test.ts', '')
    if (assertionResults.length === 0) return [{ test: file, result: 'unread' as const, why: message }]
    return assertionResults.map(({ fullName, status, failureMessages, startAt, duration }) => {
      const [from, until] = [startAt ?? 0, (startAt ?? 0) + (duration ?? 0)]
      const asked = served.some((each) => each.wasAsked(from, until))
      return {
        test: `${file}: ${fullName}`,
        result: resultOf(status, asked),
        why: failureMessages.join('\n'),
      }
    })
  })
}

function resultOf(status: string, asked: boolean): Outcome['result'] {
  if (status !== 'passed' && status !== 'failed') return 'unread'
  return asked ? status : 'alone'
}
