import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SCHEMAS = join(import.meta.dirname, '../../../../../supabase/schemas')
const WORDS = readFileSync(join(import.meta.dirname, 'log-words.ts'), 'utf8')

test('whatever the database writes into the log of staff has its words', () => {
  const sources = readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => readFileSync(join(SCHEMAS, file), 'utf8'))
  // In SQL, an action may be a literal or come from a `case` expression.
  const written = sources.flatMap((sql) =>
    [...sql.matchAll(/private\.log_staff\(\s*('[^']+'|case .*?\bend)/g)].flatMap(([, action = '']) =>
      [...action.matchAll(/(?:^|then |else )'([^']+)'/g)].map(([, one = '']) => one),
    ),
  )
  expect(written.length).toBeGreaterThan(20)
  expect(written.filter((action) => !WORDS.includes(`'${action}`))).toEqual([])
})
