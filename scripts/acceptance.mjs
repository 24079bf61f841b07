// `npm run acceptance`: which lines of docs/acceptance.md nothing proves yet. With --check: a line is ticked when, and
// only when, it names the test files that prove it, and those exist.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ROOT } from './install.mjs'

const rows = readFileSync(join(ROOT, 'docs/acceptance.md'), 'utf8').match(/^- \[.*$/gm)
const lines = rows.map((row) => {
  const [, tick, id, text, proof = ''] =
    /^- \[([ x])\] \*\*([A-Z]+-\d\d)\*\* (.*?)(?: → (.*))?$/.exec(row) ??
    fail(`Not a line of the list: ${row}`)
  return { ticked: tick === 'x', id, text, files: proof ? proof.split(', ') : [] }
})
const unproven = lines.filter(({ files }) => files.length === 0)

if (process.argv.includes('--check')) {
  const wrong = lines.flatMap(({ id, ticked, files }, index) => [
    ...(lines.findIndex((line) => line.id === id) < index ? [`${id} stands twice`] : []),
    ...(ticked && files.length === 0 ? [`${id} is ticked, but names no test file`] : []),
    ...(!ticked && files.length > 0 ? [`${id} names what proves it, but is not ticked`] : []),
    ...files
      .filter((file) => !/\.test\.tsx?$/.test(file) || !existsSync(join(ROOT, file)))
      .map((file) => `${id} names ${file}, which is no test file`),
  ])
  for (const sentence of wrong) console.error(sentence)
  process.exit(wrong.length === 0 ? 0 : 1)
}
for (const { id, text } of unproven)
  console.log(`${id} ${text.length > 110 ? `${text.slice(0, 107)}...` : text}`)
console.log(`${lines.length - unproven.length} of ${lines.length} lines are proven.`)
