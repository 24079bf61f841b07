// `npm run acceptance` lists the lines of docs/acceptance.md that no test proves yet; with the name of a line, it lists
// the tests that prove it. The first lines of a test file name the lines it proves: `// Proves AUTH 01-03 12, WALLET
// 06`. With --check, it checks that each named line exists once, and that exactly the lines that no test names are
// marked as not proven.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesUnder, ROOT } from './install.mjs'

const lines = [
  ...readFileSync(join(ROOT, 'docs/acceptance.md'), 'utf8').matchAll(
    /^- \*\*([A-Z]+-\d\d)\*\* (_\(not proven yet\)_ )?(.*)$/gm,
  ),
].map(([, id, open, text]) => ({ id, isOpen: open !== undefined, text }))
const proofs = ['supabase/tests', 'server', 'web', 'e2e']
  .flatMap((folder) => filesUnder(folder, /\.test\.tsx?$/))
  .flatMap(claims)
const [wanted] = process.argv.slice(2)

const unproven = lines.filter((line) => !proofs.some(({ id }) => id === line.id))

if (wanted === '--check') {
  const ids = lines.map(({ id }) => id)
  const wrong = [
    ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${id} stands twice`),
    ...proofs
      .filter(({ id }) => !ids.includes(id))
      .map(({ id, file }) => `${file} proves ${id}, which no line is`),
  ]
  for (const { id, isOpen } of lines)
    if (isOpen !== unproven.some((line) => line.id === id))
      wrong.push(isOpen ? `${id} is proven by now` : `${id} is proven by no test, and does not say so`)
  for (const sentence of wrong) console.error(sentence)
  process.exit(wrong.length === 0 ? 0 : 1)
}
if (wanted) {
  for (const { file } of proofs.filter(({ id }) => id === wanted)) console.log(file)
  process.exit()
}
for (const { id, text } of unproven)
  console.log(`${id} ${text.length > 110 ? `${text.slice(0, 107)}...` : text}`)
console.log(`${lines.length - unproven.length} of ${lines.length} lines are proven.`)

/** Returns the lines named in the first lines of a test file, with ranges expanded. */
function claims(file) {
  const [head] = /^(?:\/\/.*\n)*/.exec(readFileSync(join(ROOT, file), 'utf8'))
  const [, named = ''] = /\bProves ([A-Z]+ \d\d[\s\S]*)$/.exec(head.replaceAll(/^\/\/ ?/gm, '')) ?? []
  return named
    .trim()
    .split(/,\s+/)
    .filter(Boolean)
    .flatMap((part) => {
      const [area, ...numbers] = part.split(/\s+/)
      return numbers
        .flatMap((range) => {
          const [from, to = from] = range.split('-').map(Number)
          return Array.from({ length: to - from + 1 }, (_, step) => String(from + step).padStart(2, '0'))
        })
        .map((number) => ({ file, id: `${area}-${number}` }))
    })
}
