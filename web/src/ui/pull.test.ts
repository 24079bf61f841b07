import { expect, test } from 'vitest'
import { pulledBy, pullState } from './pull.ts'

test.each([
  [-40, 0, 'idle'],
  [0, 0, 'idle'],
  [100, 50, 'pulling'],
  [159, 79.5, 'pulling'],
  [160, 80, 'ready'],
  [240, 120, 'ready'],
  [600, 120, 'ready'],
] as const)('a finger %i px down moves the content %d px: %s', (finger, moved, state) => {
  expect(pulledBy(finger)).toBe(moved)
  expect(pullState(moved)).toBe(state)
})
