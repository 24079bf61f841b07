// Tests the state that decides the button of a plan.
// Proves REQ 01-04 07 08
import { expect, test } from 'vitest'
import { joinState, type PlanRelations } from './join-state.ts'

const plan = { id: 'sub-1', provider: 'Netflix', ownerId: 'olivia', currentMembers: 1, ownerMaxMembers: 3 }
const mine = new Set(['sub-1'])
const stranger: PlanRelations = {
  userId: 'zoe',
  joined: new Set(),
  requested: new Set(),
  waiting: {},
  closed: new Set(),
}
const closed = new Set(['Netflix'])
test.each<[string, Partial<PlanRelations>, number, ReturnType<typeof joinState>, number?]>([
  ['a stranger', {}, 2, 'open'],
  ['a stranger', {}, 3, 'full'],
  ['a stranger, the last place being kept,', {}, 2, 'full', 1],
  ['a stranger while the provider is switched off', { closed }, 1, 'closed'],
  ['somebody who asked', { requested: mine }, 1, 'requested'],
  ['somebody who asked', { requested: mine }, 3, 'requested'],
  ['somebody whose session has ended', { userId: null }, 1, 'signed-out'],
  ['the owner', { userId: 'olivia' }, 3, 'owner'],
  ['a member', { joined: mine }, 3, 'member'],
  ['a member while the provider is switched off', { joined: mine, closed }, 1, 'member'],
])(
  'the join button of %s (%j) with %i of 3 places taken is %s',
  (_who, more, currentMembers, state, kept = 0) =>
    expect(joinState({ ...plan, currentMembers, kept }, { ...stranger, ...more })).toBe(state),
)
