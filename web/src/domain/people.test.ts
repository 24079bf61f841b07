// Proves AUTH 16, NAV 06, ROLE 01-04, PLAN 12 17, VALID 01 03 06
import { expect, test } from 'vitest'
import { initials } from './initials.ts'
import { inListOrder, type Member, relationTo } from './members.ts'
import { isStrongPassword, passwordStrength } from './password-strength.ts'
import { satisfies } from './roles.ts'
import { looksLikeEmail, trimEmail } from './text.ts'

test.each([
  ['  ana@example.com ', true],
  ['ana.example.com', false],
  ['   ', false],
  ['', false],
])('"%s" is an address: %s', (typed, verdict) => expect(looksLikeEmail(typed)).toBe(verdict))

test('an address is trimmed before it is sent', () =>
  expect(trimEmail(' ana@example.com\n')).toBe('ana@example.com'))

test.each([
  ['Marc', 'M'],
  ['ana.maria.lopez@example.com', 'AL'],
  ['  zoe   stranger  ', 'ZS'],
  ['Émile Zola', 'ÉZ'],
  ['A. B. C. D. Long-Name', 'AN'],
  ['', '?'],
])('"%s" is %s for short', (name, letters) => expect(initials(name)).toBe(letters))

test.each([
  ['Sunny-Day1!', true, [true, true, true, true, true]],
  ['Short1!', false, [false, true, true, true, true]],
  ['alllowercase1!', false, [true, false, true, true, true]],
  ['ALLUPPERCASE1!', false, [true, true, false, true, true]],
  ['NoNumber!', false, [true, true, true, false, true]],
  ['OnlyDash-1', false, [true, true, true, true, false]],
  ['', false, [false, false, false, false, false]],
])('the password "%s" is strong: %s', (password, strong, met) => {
  expect(isStrongPassword(password)).toBe(strong)
  expect(passwordStrength(password).map((rule) => rule.met)).toEqual(met)
})

test('every special character counts as one', () => {
  const special = [...'!@#$%^&*(),.?":{}|<>']
  expect(special.filter((character) => !passwordStrength(character)[4]?.met)).toEqual([])
})

// A super-admin satisfies every check, others the one for their role; only people without a role satisfy null.
test.each([
  ['super-admin', 'moderator', true],
  ['super-admin', 'anything', true],
  ['admin', 'moderator', false],
  ['admin', 'admin', true],
  [null, 'admin', false],
  [null, null, true],
  ['moderator', null, false],
  ['super-admin', null, false],
])('the role %s satisfies the check for %s: %s', (role, wanted, verdict) =>
  expect(satisfies(role, wanted)).toBe(verdict),
)

test('the owner is listed first, then whoever joined earliest, in a list of its own', () => {
  const member = (name: string, joinedAt: string, isOwner = false) => ({ name, joinedAt, isOwner }) as Member
  const given = [
    member('Zoe', '2026-11-03T00:00:00Z'),
    member('Marc', '2026-11-02T00:00:00Z'),
    member('Olivia', '2026-11-04T00:00:00Z', true),
  ]
  const names = (list: Member[]) => list.map(({ name }) => name)
  expect(names(inListOrder(given))).toEqual(['Olivia', 'Marc', 'Zoe'])
  expect(names(given)).toEqual(['Zoe', 'Marc', 'Olivia'])
})

test.each([
  [true, [], 'owner'],
  [true, [{ userId: 'olivia' }], 'owner'],
  [false, [{ userId: 'olivia' }], 'member'],
  [false, [{ userId: 'marc' }], 'none'],
] as const)('owning %s with members %o makes a person %s', (owns, members, relation) =>
  expect(relationTo(owns, 'olivia', members)).toBe(relation),
)
