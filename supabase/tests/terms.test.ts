// Each number shown to people appears once, in its function in the schema; the web takes it from the generated file.
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSchemas } from '../generate/schemas.ts'

test.each([
  ['request_lifetime', /\b48 hours\b|\b2 days\b/i],
  ['proof_lifetime', /- interval '10 minutes'|\b10 minutes ago\b/],
  ['undo_lifetime', /\b48 hours\b/],
  ['reminder_lead', /\b42 hours\b|within 6 hours/i],
  ['invitation_lifetime', /\b7 days\b/i],
  ['direct_patience', /\b14 days\b/i],
  ['standing_memory', /\b180 days\b/i],
  ['first_fee_rate', /\b1\.10?\b|\b0\.10?\b/],
  ['most_fee_rate', /\b0\.20?\b|\b20 percent/i],
  ['least_withdrawal', /\b20(\.0+)?\b coins|([<>]=?|between) 20\b/],
  ['most_coins', /9{6,}/],
  ['longest_message', /\b1000 characters|[<>]=? 1000\b/],
  ['longest_join_message', /at most \d+ characters/],
])('private.%s() is the only home of its number', async (name, literal) => {
  const all = (await readSchemas()).flatMap(({ path, sql }) =>
    sql.split('\n').map((line) => ({ path, line })),
  )
  expect(all.filter(({ line }) => line.startsWith(`create function private.${name}()`))).toHaveLength(1)
  // Other terms, and comments.
  const isOther = (line: string) => /^language sql immutable return|^\s*--/.test(line)
  const strays = all.filter(({ line }) => !isOther(line) && literal.test(line))
  expect(strays.map(({ path, line }) => `${path}: ${line.trim()}`)).toEqual([])
})

// Periods that a page shows figures of are no terms, nor is how long a browser keeps what it read.
const OTHER =
  /^\s*(\/\/|\*|\/\*)|figures|statistics|'\d+d'|label: '|(in|label="\w+ in) \d+ days|^const LONGEST = 30 \*/i

test('the web writes none of them out', async () => {
  const web = resolve(import.meta.dirname, '../../web/src')
  const paths = (await readdir(web, { recursive: true })).filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  const lines = paths.map(async (path) =>
    (await readFile(join(web, path), 'utf8')).split('\n').map((line) => `${path}: ${line.trim()}`),
  )
  const written =
    /\b((?!1 )\d+|two|three|seven|fourteen) (hours|days|coins)\b|\b\d+ \* (24 \* )?60 \* 60|at most \d+ characters|LONGEST_\w+ = (500|1000|200|300)\b/
  const strays = (await Promise.all(lines))
    .flat()
    .filter((line) => written.test(line) && !OTHER.test(line.slice(line.indexOf(': ') + 2)))
  expect(strays).toEqual([])
})
