import { expect, it, vi } from 'vitest'
import { isOnline, siteAnswers, watchSite } from './site.ts'

it('tells a site that is away from a refusal, asks it every two seconds, and says when it is back', async () => {
  vi.useFakeTimers()
  const heard: string[] = []
  const listening = new AbortController()
  for (const change of ['online', 'offline'])
    window.addEventListener(change, () => heard.push(change), { signal: listening.signal })
  let answer = () => new Response(null, { status: 401 })
  const asked = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(() => new Promise((resolve) => resolve(answer())))
  expect(await siteAnswers()).toBe(true)
  expect(asked).not.toHaveBeenCalled()

  const stop = watchSite({ supabaseUrl: 'http://site.example', supabaseAnonKey: 'key' })
  expect(await siteAnswers()).toBe(true)
  expect(heard).toEqual([])
  for (const away of [
    () => new Response(null, { status: 503 }),
    () => {
      throw new TypeError('Failed to fetch')
    },
  ]) {
    answer = away
    expect(await siteAnswers()).toBe(false)
    expect([heard.splice(0), isOnline()]).toEqual([['offline'], false])
    await vi.advanceTimersByTimeAsync(5000)
    expect(heard).toEqual([])
    answer = () => new Response('{}')
    await vi.advanceTimersByTimeAsync(2500)
    expect([heard.splice(0), isOnline()]).toEqual([['online'], true])
  }
  // If a part of the app fails to load, the site itself is asked too, since it may be another machine than the backend.
  // A check of the backend that is under way does not count as a check of the site.
  asked.mockClear()
  await Promise.all([siteAnswers(), siteAnswers(true)])
  const backend = 'http://site.example/auth/v1/health'
  expect(asked.mock.calls.map(([address]) => address)).toEqual([backend, '/config.json', backend])
  stop()
  listening.abort()
})
