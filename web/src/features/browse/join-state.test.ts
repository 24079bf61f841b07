import { describe, expect, it } from 'vitest'
import { joinState, type Standing } from './join-state.ts'

const plan = { id: 'sub-1', provider: 'Netflix', ownerId: 'olivia', currentMembers: 1, ownerMaxMembers: 3 }
const full = { ...plan, currentMembers: 3 }
const zoe: Standing = { userId: 'zoe', joined: new Set(), requested: new Set(), waiting: {}, closed: {} }
const marc: Standing = { ...zoe, userId: 'marc', joined: new Set(['sub-1']) }

describe('the join button of', () => {
  it('a stranger is open', () => expect(joinState(plan, zoe)).toBe('open'))
  it('a stranger on a full plan is full', () => expect(joinState(full, zoe)).toBe('full'))
  it('a stranger is closed while the provider is switched off, and theirs stays what it is to those who belong', () => {
    const closed = { Netflix: 'Its terms' }
    expect(joinState(plan, { ...zoe, closed })).toBe('closed')
    expect(joinState(plan, { ...marc, closed })).toBe('member')
  })
  it('somebody who asked is requested, even when the plan has filled up since', () => {
    const asked = { ...zoe, requested: new Set(['sub-1']) }
    expect(joinState(plan, asked)).toBe('requested')
    expect(joinState(full, asked)).toBe('requested')
  })
  it('somebody whose session has ended is signed out', () =>
    expect(joinState(plan, { ...zoe, userId: null })).toBe('signed-out'))
  it('the owner is the owner, also of a full plan', () =>
    expect(joinState(full, { ...zoe, userId: 'olivia' })).toBe('owner'))
  it('a member is a member, also of a full plan', () => expect(joinState(full, marc)).toBe('member'))
})
