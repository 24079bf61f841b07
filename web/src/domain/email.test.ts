import { expect, it } from 'vitest'
import { looksLikeEmail, trimEmail } from './email.ts'

it.each([
  ['ana@example.com', true],
  ['  ana@example.com ', true],
  ['ana.example.com', false],
  ['   ', false],
  ['', false],
])('judges "%s" as an address: %s', (typed, verdict) => {
  expect(looksLikeEmail(typed)).toBe(verdict)
})

it('trims the address before it is sent', () => {
  expect(trimEmail(' ana@example.com\n')).toBe('ana@example.com')
})
