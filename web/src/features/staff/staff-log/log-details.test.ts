import { expect, test } from 'vitest'
import { changed, inWords } from './log-words.ts'

test.each([
  ['amount', 12.5, '€12.50'],
  ['before', null, '–'],
  ['after', true, 'yes'],
  ['after', ['a', 'b'], 'a, b'],
  ['after', { fee_rate: 0.1, sign_ups: 'nobody' }, 'fee rate 0.1, sign ups nobody'],
  ['before', 'super-admin', 'Super-admin'],
])('%s %j is written as %s', (name, value, words) => {
  expect(inWords(name, value)).toBe(words)
})

test('of a changed row only the changed columns are shown', () => {
  expect(changed({ before: { a: 1, b: [2] }, after: { a: 3, b: [2] } })).toEqual([
    ['before', { a: 1 }],
    ['after', { a: 3 }],
  ])
})
