import { expect, test } from 'vitest'
import { changed, inWords, sentenceOf } from './log-words.ts'

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

test.each([
  [
    'role given',
    { subjectName: 'Sofia', details: { after: 'super-admin' } },
    'Role given to Sofia: Super-admin',
  ],
  ['role taken', { subjectName: 'Sofia', details: { before: 'admin' } }, 'Role taken from Sofia: Admin'],
  ['plan approved', { subject: 'sub-1', subjectName: 'Netflix Premium' }, 'Plan approved: Netflix Premium'],
  ['tax report made', { subject: 'OSS-2026' }, 'Tax report made: OSS-2026'],
  ['settings changed', { subject: 'settings' }, 'Settings changed'],
  ['debt closed', {}, 'Refund between two people closed'],
])('%s of %j is the sentence %s', (action, entry, sentence) => {
  const subject = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  const line = {
    line: 1,
    at: '',
    actor: null,
    actorName: null,
    subject,
    subjectName: null,
    details: {},
    hash: '',
  }
  expect(sentenceOf({ ...line, ...entry, action })).toBe(sentence)
})
