import { expect, it } from 'vitest'
import { looksLikeEmail, trimEmail } from './email.ts'

it.each([
  ['ana@example.com', true],
  ['  ana@example.com ', true],
  ['ana.example.com', false],
  ['   ', false],
  ['', false],
])('VALID-01 judges "%s" as an address: %s', (typed, verdict) => {
  expect(looksLikeEmail(typed)).toBe(verdict)
})

it('VALID-03 trims the address before it is sent', () => {
  expect(trimEmail(' ana@example.com\n')).toBe('ana@example.com')
})
