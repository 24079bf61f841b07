// Proves ERR 31, LIMIT 17-21
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from './errors.ts'
import { createLimiter, type Limited, secondsIn, withinLimit } from './rate-limit.ts'

const who = 'zoe'
let now = 0
let limiter: ReturnType<typeof createLimiter>

beforeEach(() => {
  vi.useFakeTimers()
  now = 1_000_000
  limiter = createLimiter(() => now)
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => {
  now += ms
  vi.advanceTimersByTime(ms)
}
const refusal = (work: () => unknown): unknown => {
  try {
    work()
    return 'allowed'
  } catch (problem) {
    return problem
  }
}
const wait = (person = who, action: Limited = 'plan creation') => limiter.secondsToWait(action, person)
const waiting = (seconds: number) =>
  new AppError('PT429', `Rate limit exceeded. Please wait ${seconds} seconds.`, { values: [String(seconds)] })

// The next attempt waits a whole window less the elapsed time, and no longer.
it.each<[Limited, number, number]>([
  ['plan creation', 3, 60],
  ['join request', 10, 60],
  ['waiting list', 20, 60],
  ['chat message', 30, 60],
  ['announcement', 5, 3600],
  ['auth attempt', 5, 900],
  ['approval', 20, 60],
  ['rejection', 20, 60],
  ['owner action', 50, 60],
  ['view requests', 30, 60],
])('a %s goes through %i times in %i seconds in this browser', (action, attempts, seconds) => {
  const take = () => refusal(() => limiter.take(action, who))
  for (let done = 0; done < attempts; done += 1) limiter.take(action, who)
  expect(take()).toEqual(waiting(seconds))
  pass(seconds * 1000 - 1500)
  expect(take()).toEqual(waiting(2))
  pass(1499)
  expect(take()).toEqual(waiting(1))
  pass(1)
  expect(take()).toBe('allowed')
})

describe('an allowance', () => {
  it("is a person's own, and an action's own", () => {
    for (let done = 0; done < 3; done += 1) limiter.take('plan creation', who)
    expect([wait(), wait('marc'), wait(who, 'join request')]).toEqual([60, 0, 0])
  })

  it('slides: each attempt counts for its own minute', () => {
    limiter.take('plan creation', who)
    pass(30_000)
    limiter.take('plan creation', who)
    limiter.take('plan creation', who)
    expect(wait()).toBe(30)
    pass(30_000)
    limiter.take('plan creation', who)
    expect(wait()).toBe(30)
  })

  it('gets back what the server did not count', () => {
    limiter.take('plan creation', who)
    limiter.take('plan creation', who)
    limiter.take('plan creation', who)()
    expect(wait()).toBe(0)
    limiter.take('plan creation', who)
    expect(wait()).toBe(60)
  })

  it('is closed for as long as the server says, whatever was counted here', () => {
    limiter.close('join request', who, 42)
    expect(refusal(() => limiter.take('join request', who))).toEqual(waiting(42))
    pass(42_000)
    expect(wait(who, 'join request')).toBe(0)
  })

  it('is whole again once forgotten', () => {
    for (let tries = 0; tries < 5; tries += 1) limiter.take('auth attempt', who)
    limiter.forget('auth attempt', who)
    expect(wait(who, 'auth attempt')).toBe(0)
  })
})

describe('the memory of it', () => {
  it('holds at most 100 entries and lets go of the one longest untouched', () => {
    for (let person = 0; person < 100; person += 1) limiter.take('plan creation', `${person}`)
    for (let again = 0; again < 2; again += 1) limiter.take('plan creation', '0')
    expect(limiter.size()).toBe(100)
    for (let more = 100; more < 150; more += 1) limiter.take('plan creation', `${more}`)
    expect(limiter.size()).toBe(100)
    expect(wait('0')).toBe(60)
  })

  it('is cleaned every 5 minutes of what no longer counts', () => {
    limiter.take('join request', who)
    limiter.take('auth attempt', who)
    pass(5 * 60_000 - 1)
    expect(limiter.size()).toBe(2)
    pass(1)
    expect(limiter.size()).toBe(1)
    pass(5 * 60_000)
    expect(limiter.size()).toBe(1)
    pass(5 * 60_000)
    expect(limiter.size()).toBe(0)
  })
})

describe('work within a limit', () => {
  it('is refused here after three, in the words of the server, without asking it', async () => {
    const work = vi.fn(async () => 'done')
    for (let done = 0; done < 3; done += 1) expect(await withinLimit('plan creation', work)).toBe('done')
    await expect(withinLimit('plan creation', work)).rejects.toEqual(waiting(60))
    expect(work).toHaveBeenCalledTimes(3)
  })

  it('counts what the server refused, but not what it never heard of', async () => {
    const unheard = () => Promise.reject(new AppError('offline', 'Failed to fetch'))
    for (let failed = 0; failed < 25; failed += 1)
      await expect(withinLimit('rejection', unheard)).rejects.toMatchObject({ code: 'offline' })
    const refused = () => Promise.reject(new AppError('23514', 'Subscription Full'))
    for (let failed = 0; failed < 20; failed += 1)
      await expect(withinLimit('rejection', refused)).rejects.toMatchObject({ code: '23514' })
    await expect(withinLimit('rejection', refused)).rejects.toEqual(waiting(60))
  })

  it('believes a server that says no', async () => {
    await expect(withinLimit('approval', () => Promise.reject(waiting(17)))).rejects.toEqual(waiting(17))
    const work = vi.fn(async () => 'done')
    await expect(withinLimit('approval', work)).rejects.toEqual(waiting(17))
    expect(work).not.toHaveBeenCalled()
    vi.advanceTimersByTime(17_000)
    expect(await withinLimit('approval', work)).toBe('done')
  })

  it('reads the seconds out of a refusal for being too often, and out of nothing else', () => {
    expect(secondsIn(waiting(9))).toBe(9)
    expect(secondsIn(new AppError('23514', 'Please wait 9 seconds.'))).toBe(0)
  })
})
