// Proves CHAT 12, VALID 15
import { expect, test } from 'vitest'
import { canSend, characters, newMessageId, toSend } from './message-text.ts'

const family = '👨‍👩‍👧‍👦'

test.each([
  ['', false],
  [' \n ', false],
  ['\u200b\u00a0\ufeff\u2800', false],
  ['Hello', true],
  ['a'.repeat(1000), true],
  ['a'.repeat(1001), false],
  ['🍲'.repeat(1000), true],
  ['🍲'.repeat(1001), false],
  [family.repeat(1000), true],
  [family.repeat(1001), false],
  [`e${'\u0301'.repeat(10_000)}`, false],
  [`${'a'.repeat(1000)}   `, true],
])('decides whether %j may be sent: %s', (text, allowed) => {
  expect(canSend(text)).toBe(allowed)
})

test.each([
  ['Hello', 5],
  ['🍲é', 2],
  ['e\u0301', 1],
  [family, 1],
  ['👩🏻‍❤️‍💋‍👩🏿', 1],
  ['🇪🇺🇧🇷', 2],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 1],
  ['1️⃣', 1],
  ['👍🏽!', 2],
  ['مَرْحَبًا', 5],
  ['שָׁלוֹם', 4],
  ['สวัสดี', 4],
  ['हिन्दी', 3],
  ['a\u200db', 2],
])('counts %s as a person does: %i', (text, count) => {
  expect(characters(text)).toBe(count)
})

test('sends a draft without the space around it and without what cannot be stored', () => {
  expect(toSend('  one\n two\0 \ud800 ')).toBe('one\n two \ufffd')
})

test('names messages with UUIDs that differ', () => {
  const ids = Array.from({ length: 50 }, newMessageId)
  expect(new Set(ids).size).toBe(50)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
