import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { counted, plural } from './plural.ts'

test.each([
  [0, '0 plans', 'people'],
  [1, '1 plan', 'person'],
  [2, '2 plans', 'people'],
])('%i is %s, %s', (count, plans, people) => {
  expect([counted(count, 'plan'), plural(count, 'person', 'people')]).toEqual([plans, people])
})

// The sentence of rate limits is the database's, and says seconds.
test('no sentence puts a number before a plural that is wrong for one', () => {
  const nouns =
    'plans|places|people|members|coins|requests|users|wallets|providers|seconds|hours|days|features'
  // A number from elsewhere, perhaps a word, and a plural. CONSTANTS are what they are, and money has its decimals.
  const written = new RegExp(`\\{(?![A-Z_.]+[a-zA-Z]*\\})[^{}]*\\}\\s(?:[a-z]+\\s)?(?:${nouns})\\b(?!=)`, 'g')
  const root = join(import.meta.dirname, '..')
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test|\.gen)\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(written)].map(([text]) => `${file}: ${text}`),
    )
    .filter((text) => !/toFixed\(2\)|formatMoney|categoryLabel|\{step\}|rate-limit/.test(text))
  expect(found).toEqual([])
})
