import { expect, it } from 'vitest'
import { LIST_REFRESH, PLAN_REFRESH } from './plans.live.ts'

it('the lists follow a change after 500 ms, and 5 seconds apart', () => {
  expect(LIST_REFRESH).toEqual({ debounceMs: 500, throttleMs: 5000 })
})

it('a plan follows a change within 100 ms to 2 s, its loads 2 s apart', () => {
  expect(PLAN_REFRESH.debounceMs).toBeGreaterThanOrEqual(100)
  expect(PLAN_REFRESH.throttleMs).toBe(2000)
})
