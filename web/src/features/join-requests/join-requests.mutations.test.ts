import { expect, it } from 'vitest'
import { mustBeMember } from './join-requests.mutations.ts'

it.each([
  [{ id: 'member-1', name: 'Marc' }, undefined],
  [{ id: 'member-1' }, 'Invalid member data received from server'],
  [{ id: 'member-1', name: '' }, 'Invalid member data received from server'],
  [{ name: 'Marc' }, 'Invalid member data received from server'],
  [{}, 'Invalid member data received from server'],
  ['Marc', 'Invalid response from server'],
  [null, 'Invalid response from server'],
])('an approval answered with %j fails with: %s', (answer, problem) => {
  const check = () => mustBeMember(answer)
  if (problem) expect(check).toThrow(problem)
  else expect(check).not.toThrow()
})
