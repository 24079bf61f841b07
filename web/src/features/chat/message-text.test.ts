import { expect, test } from 'vitest'
import { canSend, characters, newMessageId } from './message-text.ts'

test.each([
  ['', false],
  [' \n ', false],
  ['Hello', true],
  ['a'.repeat(1000), true],
  ['a'.repeat(1001), false],
  ['🍲'.repeat(1000), true],
  ['🍲'.repeat(1001), false],
  [`${'a'.repeat(1000)}   `, true],
])('VALID-15 decides whether %j may be sent: %s', (text, allowed) => {
  expect(canSend(text)).toBe(allowed)
})

test('VALID-15 counts an emoji as one character', () => {
  expect(characters('🍲é')).toBe(2)
})

test('CHAT-12 names messages with UUIDs that differ', () => {
  const ids = Array.from({ length: 50 }, newMessageId)
  expect(new Set(ids).size).toBe(50)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
