// `npm run acceptance`: which lines of docs/acceptance.md no test names. With --check: a ticked line must be named
// by a test title, and a line a test proves must be ticked.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './install.mjs'

const lines = [
  ...readFileSync(join(ROOT, 'docs/acceptance.md'), 'utf8').matchAll(
    /^- \[([ x])\] \*\*([A-Z]+-\d+)\*\* (.*)$/gm,
  ),
].map(([, tick, id, text]) => ({ ticked: tick === 'x', id, text }))
const named = namedByTests()
const unnamed = lines.filter(({ id }) => !named.has(id))

if (process.argv.includes('--check')) {
  const wrong = [
    ...unnamed.filter(({ ticked }) => ticked).map(({ id }) => `${id} is ticked, but no test names it`),
    ...[...named]
      .filter((id) => !lines.some((line) => line.id === id))
      .map((id) => `${id} is named by a test, but is no line of the list`),
  ]
  for (const sentence of wrong) console.error(sentence)
  process.exit(wrong.length === 0 ? 0 : 1)
}
for (const { id, text } of unnamed)
  console.log(`${id} ${text.length > 110 ? `${text.slice(0, 107)}...` : text}`)
console.log(
  `${lines.length - unnamed.length} of ${lines.length} lines are named by a test, ${lines.filter(({ ticked }) => ticked).length} are ticked.`,
)

function namedByTests() {
  const ids = new Set()
  for (const folder of ['supabase/tests', 'server', 'web/src', 'web/test', 'e2e']) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.test\.tsx?$/.test(entry.name) || entry.parentPath.includes('node_modules'))
        continue
      const source = readFileSync(join(entry.parentPath, entry.name), 'utf8')
      // A title follows the word, or the cases it is repeated for.
      for (const [, title] of source.matchAll(
        /(?:\b(?:test|it|describe)(?:\.\w+)?|\.each\([\w.]+\)|\])\)?\(\s*(['"`][^\n]*)/g,
      )) {
        for (const id of expand(title)) ids.add(id)
      }
    }
  }
  return ids
}

// A title may name several lines: "REQ-01, REQ-03 …" or a run of them, "VALID-01..06 …".
function expand(title) {
  return [...title.matchAll(/\b([A-Z]{3,8})-(\d{2})(?:\.\.(\d{2}))?/g)].flatMap(
    ([, area, first, last = first]) =>
      Array.from(
        { length: Number(last) - Number(first) + 1 },
        (_, step) => `${area}-${String(Number(first) + step).padStart(2, '0')}`,
      ),
  )
}
