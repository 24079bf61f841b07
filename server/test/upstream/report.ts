// The outcomes of a suite, and the tests that are left out on purpose.
import leftOut from './left-out.json' with { type: 'json' }

export interface Outcome {
  test: string
  /**
   * `unread`: this runner cannot run the test. `alone`: the test sent no request, so it proves nothing about this
   * server.
   */
  result: 'passed' | 'failed' | 'unread' | 'alone'
  why: string
}

const say = (line: string) => process.stdout.write(`${line}\n`)

export type Figures = Record<'passed' | 'left out' | 'differ' | 'alone' | 'not run', number>

/** Prints the left-out tests of a suite by reason, and every other test that failed. */
export function report(suite: keyof typeof leftOut, outcomes: Outcome[]): Figures {
  const reasons = Object.entries(leftOut[suite]).map(([why, pattern]) => ({
    why,
    pattern: new RegExp(pattern, 's'),
  }))
  const counts = new Map(reasons.map(({ why }) => [why, 0]))
  const failed: Outcome[] = []
  for (const outcome of outcomes.filter(({ result }) => result === 'failed')) {
    const reason = reasons.find(({ pattern }) => pattern.test(`${outcome.test} => ${outcome.why}`))
    if (reason) counts.set(reason.why, (counts.get(reason.why) ?? 0) + 1)
    else failed.push(outcome)
  }
  say(`\n${suite}`)
  for (const [why, count] of counts) say(`  left out, ${String(count).padStart(3)}: ${why}`)
  for (const { test, why } of failed) say(`  differs: ${test}\n    ${why.replace(/\s+/g, ' ').slice(0, 300)}`)
  const all = (result: Outcome['result']) => outcomes.filter((outcome) => outcome.result === result).length
  return {
    passed: all('passed'),
    'left out': all('failed') - failed.length,
    differ: failed.length,
    alone: all('alone'),
    'not run': all('unread'),
  }
}

/** Prints the suites' figures as a table; the first column names the suite and its commit. */
export function table(suites: [suite: string, figures: Figures][]): void {
  const columns = Object.keys(suites[0]?.[1] ?? {}) as (keyof Figures)[]
  say(`\n| suite | tests | ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length + 2)}`)
  for (const [suite, figures] of suites) {
    const numbers = columns.map((column) => figures[column])
    const tests = numbers.reduce((sum, number) => sum + number, 0)
    say(`| ${[suite, tests, ...numbers].join(' | ')} |`)
  }
}
