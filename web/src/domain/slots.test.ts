import { describe, expect, test } from 'vitest'
import {
  capacityPercent,
  capacityTone,
  describePlaces,
  estimateSlots,
  isFull,
  providerMaximum,
  slotsRefusal,
} from './slots.ts'

describe('capacity', () => {
  test.each([
    [1, 4, false, '1/4'],
    [3, 4, false, '3/4'],
    [4, 4, true, '4/4 (Full)'],
    [5, 4, true, '5/4 (Full)'],
  ])('%i of %i places: full is %s, reads "%s"', (currentMembers, ownerMaxMembers, full, text) => {
    expect(isFull({ currentMembers, ownerMaxMembers })).toBe(full)
    expect(describePlaces({ currentMembers, ownerMaxMembers })).toBe(text)
  })

  test.each([
    [0, 'green'],
    [49.9, 'green'],
    [50, 'blue'],
    [74.9, 'blue'],
    [75, 'amber'],
    [89.9, 'amber'],
    [90, 'red'],
    [100, 'red'],
  ])('%d percent full is %s', (percent, tone) => {
    expect(capacityTone(percent)).toBe(tone)
  })

  test('a bar never overflows', () => {
    expect(capacityPercent({ currentMembers: 6, ownerMaxMembers: 4 })).toBe(100)
    expect(capacityPercent({ currentMembers: 1, ownerMaxMembers: 4 })).toBe(25)
  })
})

describe('a missing provider maximum', () => {
  test.each([
    [{ provider_max_members: 6, owner_max_members: 2, max_members: 4 }, 6],
    [{ provider_max_members: null, owner_max_members: 2, max_members: 3 }, 5],
    [{ provider_max_members: null, owner_max_members: 8, max_members: 3 }, 8],
    [{ provider_max_members: null, owner_max_members: 2, max_members: 7 }, 7],
    [{ provider_max_members: null, owner_max_members: null, max_members: null }, 5],
  ])('%o falls back to %i', (stored, expected) => {
    expect(providerMaximum(stored)).toBe(expected)
  })
})

describe('choosing slots', () => {
  test('refuses fewer places than people who joined', () => {
    expect(slotsRefusal(2, 3, 5)).toBe('Cannot set less than 3 members (already joined).')
  })

  test('refuses more places than the provider allows', () => {
    expect(slotsRefusal(6, 3, 5)).toBe("Cannot exceed provider's maximum limit of 5 members.")
  })

  test.each([3, 4, 5])('accepts %i places when 3 joined and 5 are allowed', (slots) => {
    expect(slotsRefusal(slots, 3, 5)).toBeNull()
  })

  test('estimates 90 percent of a share for every slot but the owner own', () => {
    const estimate = estimateSlots(20, 5, 4)
    expect(estimate.perSlotCost).toBeCloseTo(4)
    expect(estimate.earningsPerSlot).toBeCloseTo(3.6)
    expect(estimate.potentialEarnings).toBeCloseTo(10.8)
  })

  test('promises nothing without an open slot', () => {
    expect(estimateSlots(20, 5, 1).potentialEarnings).toBe(0)
    expect(estimateSlots(20, 5, 0).potentialEarnings).toBe(0)
  })
})
