import { expect, test } from 'vitest'
import { setConfig } from './config.ts'
import { connectSupabase } from './supabase.ts'

test('beats every 30 s, waits 10 s, and reconnects after 1, 2, 5, then 10 s', async () => {
  const { realtime } = await connectSupabase(
    setConfig({
      supabaseUrl: 'http://potluck.example',
      supabaseAnonKey: 'anonymous',
      outbox: false,
      demo: [],
      logoKey: null,
      operatorName: 'Potluck Test',
    }),
  )
  expect(realtime.heartbeatIntervalMs).toBe(30_000)
  expect(realtime.timeout).toBe(10_000)
  expect([1, 2, 3, 4, 5, 50].map((tries) => realtime.reconnectAfterMs(tries))).toEqual([
    1000, 2000, 5000, 10_000, 10_000, 10_000,
  ])
})
