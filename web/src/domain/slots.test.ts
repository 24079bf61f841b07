// Proves PLAN 09 11 20-22, LIMIT 16, VALID 13
import { expect, test } from 'vitest'
import {
  capacityPercent,
  capacityTone,
  describeOpenPlaces,
  describePlaces,
  estimateSlots,
  isFull,
  providerMaximum,
  slotsRefusal,
} from './slots.ts'

test.each([
  [1, 4, false, '1/4', '3 of 4 places open', 25],
  [3, 4, false, '3/4', '1 of 4 places open', 75],
  [4, 4, true, '4/4 (Full)', 'Full, 4 people', 100],
  [6, 4, true, '6/4 (Full)', 'Full, 4 people', 100],
])(
  '%i of %i places: full is %s, reads "%s" and "%s", fills %i percent',
  (currentMembers, ownerMaxMembers, ...seen) => {
    const plan = { currentMembers, ownerMaxMembers }
    const read = [describePlaces(plan), describeOpenPlaces(plan)]
    expect([isFull(plan), ...read, capacityPercent(plan)]).toEqual(seen)
  },
)

test.each([
  [49.9, 'green'],
  [50, 'blue'],
  [74.9, 'blue'],
  [75, 'amber'],
  [89.9, 'amber'],
  [90, 'red'],
])('%d percent full is %s', (percent, tone) => expect(capacityTone(percent)).toBe(tone))

test.each([
  [6, 2, 4, 6],
  [null, 2, 3, 5],
  [null, 8, 3, 8],
  [null, 2, 7, 7],
  [null, null, null, 5],
])('a maximum of %s where the owner has %s and the plan %s is %i', (provider, owner, plan, maximum) => {
  const stored = { provider_max_members: provider, owner_max_members: owner, max_members: plan }
  expect(providerMaximum(stored)).toBe(maximum)
})

test.each([
  [2, 'Cannot set less than 3 members (already joined).'],
  [3, null],
  [5, null],
  [6, "Cannot exceed provider's maximum limit of 5 members."],
])('%i places, where 3 joined and 5 are allowed, are refused with: %s', (slots, refusal) =>
  expect(slotsRefusal(slots, 3, 5)).toBe(refusal),
)

test('90 percent of a share is estimated for every slot but the owner’s own, and nothing without an open one', () => {
  const estimate = estimateSlots(20, 5, 4)
  expect(estimate.perSlotCost).toBeCloseTo(4)
  expect(estimate.earningsPerSlot).toBeCloseTo(3.6)
  expect(estimate.potentialEarnings).toBeCloseTo(10.8)
  expect([1, 0].map((slots) => estimateSlots(20, 5, slots).potentialEarnings)).toEqual([0, 0])
})
