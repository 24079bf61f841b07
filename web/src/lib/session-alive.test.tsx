import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { standIn } from './session.ts'
import { useSessionAlive } from './session-alive.ts'

it('ends when the clock is there, not when the timer is', async () => {
  vi.useFakeTimers({ now: 0 })
  const user = { id: 'olivia', aud: '', app_metadata: {}, user_metadata: {}, created_at: '' }
  standIn({ access_token: '', refresh_token: '', token_type: 'bearer', expires_in: 2, expires_at: 2, user })
  const { result } = renderHook(useSessionAlive)
  const after = async (ms: number) => {
    await act(() => vi.advanceTimersByTimeAsync(ms))
    return result.current
  }
  await after(1000)
  vi.setSystemTime(999)
  expect([await after(1000), await after(1)]).toEqual([true, false])
})
