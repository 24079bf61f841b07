// The outcomes of a suite, and which of them are left out on purpose.
import leftOut from './left-out.json' with { type: 'json' }

export interface Outcome {
  test: string
  /** `unread`: nothing here can run it. */
  result: 'passed' | 'failed' | 'unread'
  /** How it failed. */
  why: string
}

/** Prints a suite's figures, what is left out by reason, and each test that failed otherwise; returns how many did. */
export function report(suite: keyof typeof leftOut, commit: string, outcomes: Outcome[]): number {
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
  const all = (result: Outcome['result']) => outcomes.filter((outcome) => outcome.result === result).length
  const say = (line: string) => process.stdout.write(`${line}\n`)
  say(`\n${suite} at ${commit}: ${all('passed')} of ${outcomes.length} passed, ${failed.length} failed,`)
  say(`${all('failed') - failed.length} left out on purpose, ${all('unread')} that nothing here can run`)
  for (const [why, count] of counts) say(`  left out, ${String(count).padStart(3)}: ${why}`)
  for (const { test, why } of failed) say(`  failed: ${test}\n    ${why.replace(/\s+/g, ' ').slice(0, 300)}`)
  return failed.length
}
