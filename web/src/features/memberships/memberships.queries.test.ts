import { describe, expect, it } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { MEMBERS_SOON } from './memberships.live.ts'
import { membersQuery } from './memberships.queries.ts'

const { retry, retryDelay, staleTime, meta } = membersQuery('sub-1')
const asksAgain = (failures: number, code: string) =>
  typeof retry === 'function' && retry(failures, new AppError(code, ''))
const pause = (failures: number, code: string) =>
  typeof retryDelay === 'function' && retryDelay(failures, new AppError(code, ''))

describe('loading the members of a plan', () => {
  it('is good for 3 minutes, and repeated for changes 2 seconds later at the most', () => {
    expect(staleTime).toBe(180_000)
    expect(meta).toEqual({ pace: 2000, seen: true })
  })

  it('follows a change after 100 ms at least', () => {
    expect(MEMBERS_SOON).toBeGreaterThanOrEqual(100)
  })

  it('is tried five times in all, 1 s apart at first and doubling to 8 s', () => {
    expect([0, 1, 2, 3, 4].map((failures) => asksAgain(failures, 'offline'))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
    expect([0, 1, 2, 3, 4].map((failures) => pause(failures, 'offline'))).toEqual([
      1000, 2000, 4000, 8000, 8000,
    ])
  })

  it.each(['42703', '42P01', '42883', 'PGRST200', 'PGRST202', 'PGRST204', 'PGRST205', '42501', '22P02'])(
    'with the schema error %s is tried once more, after 5 s',
    (code) => {
      expect([0, 1].map((failures) => asksAgain(failures, code))).toEqual([true, false])
      expect(pause(0, code)).toBe(5000)
    },
  )

  it('is not tried again when it was given up', () => {
    expect(asksAgain(0, 'aborted')).toBe(false)
  })
})
