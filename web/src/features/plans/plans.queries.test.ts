import { expect, it } from 'vitest'
import { joinedPlansQuery, ownedPlansQuery, planPageQuery } from './plans.queries.ts'

it('changes load the lists at most every 5 seconds, and a plan at most every 2', () => {
  expect([ownedPlansQuery('olivia'), joinedPlansQuery('olivia')].map(({ meta }) => meta)).toEqual([
    { pace: 5000, seen: true },
    { pace: 5000, seen: true },
  ])
  expect(planPageQuery('sub-1', 'olivia').meta).toEqual({ pace: 2000, seen: true })
})

it('a plan stays good for 5 minutes', () => {
  expect(planPageQuery('sub-1', 'olivia').staleTime).toBe(300_000)
})
