import { describe, expect, it } from 'vitest'
import { satisfies } from './roles.ts'

describe('a super-admin satisfies every check, others the check for their own role', () => {
  it.each([
    ['super-admin', 'moderator', true],
    ['super-admin', 'anything', true],
    ['admin', 'moderator', false],
    ['admin', 'admin', true],
    [null, 'admin', false],
  ])('%s checked for %s: %s', (role, wanted, verdict) => {
    expect(satisfies(role, wanted)).toBe(verdict)
  })
})

describe('only having no role satisfies the check for none', () => {
  it.each([
    [null, true],
    ['moderator', false],
    ['super-admin', false],
  ])('%s: %s', (role, verdict) => {
    expect(satisfies(role, null)).toBe(verdict)
  })
})
