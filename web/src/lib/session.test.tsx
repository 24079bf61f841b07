// Proves LIMIT 02
import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { connectTestSite } from '../../test/site.ts'
import { standIn } from './session.ts'
import { useSessionAlive } from './session-alive.ts'

const START = new Date('2026-11-21T12:00:00Z').getTime()
let asked: number[]
let answer: () => Response

beforeEach(() => {
  vi.useFakeTimers({ now: START })
  asked = []
  vi.spyOn(globalThis, 'fetch').mockImplementation((address) => {
    expect(String(address)).toBe('http://refresh.example/auth/v1/token?grant_type=refresh_token')
    asked.push(Date.now() - START)
    return Promise.resolve(answer())
  })
})

const user = { id: 'olivia', aud: 'authenticated', app_metadata: {}, user_metadata: {}, created_at: '' }
const session = (secondsLeft: number) => ({
  access_token: 'a.b.c',
  refresh_token: 'first',
  token_type: 'bearer' as const,
  expires_in: 3600,
  expires_at: Math.floor(Date.now() / 1000) + secondsLeft,
  user,
})

/** Opens the app with a session that expires after this many seconds. */
async function open(secondsLeft: number) {
  window.localStorage.setItem('sb-refresh-auth-token', JSON.stringify(session(secondsLeft)))
  const client = await connectTestSite('http://refresh.example')
  await client.auth.initialize()
  return client
}

describe('renewing a session', () => {
  it('looks every 30 seconds, and renews before 90 seconds are left', async () => {
    answer = () => Response.json({ ...session(3600), refresh_token: 'second' })
    const client = await open(200)
    await vi.advanceTimersByTimeAsync(89_999)
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toEqual([90_000])
    expect((await client.auth.getSession()).data.session?.refresh_token).toBe('second')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(asked).toHaveLength(1)
    await client.auth.stopAutoRefresh()
  })

  it('a session with 90 seconds left is near its end: whoever asks for it gets a new one', async () => {
    answer = () => Response.json({ ...session(3600), refresh_token: 'second' })
    const client = await open(3600)
    await client.auth.stopAutoRefresh()
    vi.setSystemTime(START + (3600 - 91) * 1000)
    expect((await client.auth.getSession()).data.session?.refresh_token).toBe('first')
    vi.setSystemTime(START + (3600 - 89) * 1000)
    expect((await client.auth.getSession()).data.session?.refresh_token).toBe('second')
  })

  it('tries again after 200 ms, then twice as long each time, for 30 seconds', async () => {
    answer = () => new Response('{}', { status: 503 })
    const client = await open(200)
    await vi.advanceTimersByTimeAsync(90_000 + 29_999)
    const gaps = asked.slice(1).map((time, place) => time - (asked[place] ?? 0))
    expect(gaps).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800])
    // An unavailable service has not refused the session, so the session is kept and checked again later.
    expect(window.localStorage.getItem('sb-refresh-auth-token')).toContain('first')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(asked.length).toBeGreaterThan(8)
    await client.auth.stopAutoRefresh()
  })
})

it('a session ends when the clock is there, not when the timer is', async () => {
  vi.useFakeTimers({ now: 0 })
  standIn({ ...session(2), expires_at: 2 })
  const { result } = renderHook(useSessionAlive)
  const after = async (ms: number) => {
    await act(() => vi.advanceTimersByTimeAsync(ms))
    return result.current
  }
  await after(1000)
  vi.setSystemTime(999)
  expect([await after(1000), await after(1)]).toEqual([true, false])
})
