import { expect, test } from 'vitest'
import { inListOrder, type Member, relationTo } from './members.ts'

function member(name: string, joinedAt: string, isOwner = false): Member {
  return {
    userId: name,
    name,
    displayName: name,
    email: '',
    avatarUrl: null,
    isOwner,
    isAdmin: false,
    joinedAt,
  }
}

test('lists the owner first, then whoever joined earliest', () => {
  const listed = inListOrder([
    member('Zoe', '2026-11-03T00:00:00Z'),
    member('Marc', '2026-11-02T00:00:00Z'),
    member('Olivia', '2026-11-04T00:00:00Z', true),
  ])
  expect(listed.map(({ name }) => name)).toEqual(['Olivia', 'Marc', 'Zoe'])
})

test('leaves the given list as it was', () => {
  const given = [member('Marc', '2026-11-02T00:00:00Z'), member('Olivia', '2026-11-04T00:00:00Z', true)]
  inListOrder(given)
  expect(given[0]?.name).toBe('Marc')
})

test.each([
  [true, [], 'owner'],
  [true, [{ userId: 'olivia' }], 'owner'],
  [false, [{ userId: 'olivia' }], 'member'],
  [false, [{ userId: 'marc' }], 'none'],
] as const)('owning %s with members %o makes a person %s', (owns, members, relation) => {
  expect(relationTo(owns, 'olivia', members)).toBe(relation)
})
