import { beforeEach, expect, test, vi } from 'vitest'
import { setConfig } from '#lib/config.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { connectSupabase } from '#lib/supabase.ts'
import { intercept, refusal } from '../../../test/network.ts'
import { type ChatParties, conversationQuery } from './chat.queries.ts'

const parties: ChatParties = { planId: 'sub-1-a', ownerId: 'olivia', memberId: 'marc' }

beforeEach(async () => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  await connectSupabase(
    setConfig({
      supabaseUrl: 'http://potluck.example',
      supabaseAnonKey: 'anonymous',
      outbox: false,
      demo: [],
      logoKey: null,
      operatorName: 'Potluck Test',
    }),
  )
})

/** Opens a chat whose every request is answered like this; when they were made, in ms, and how it ended. */
async function openWith(answer: () => Promise<Response>, wanted: ChatParties = parties) {
  const start = performance.now()
  const { times } = intercept('POST http://potluck.example', answer)
  const ended = createQueryClient()
    .fetchQuery({ ...conversationQuery(wanted) })
    .then(
      () => null,
      (problem: Error) => problem,
    )
  await vi.advanceTimersByTimeAsync(60_000)
  return { times: times.map((time) => time - start), problem: await ended }
}

test('waits half a second, then tries three times more, after 2, 4 and 6 seconds', async () => {
  const { times, problem } = await openWith(() => refusal(503, 'PGRST000', 'starting up'))
  expect(times).toEqual([500, 2500, 6500, 12_500])
  expect(problem).toMatchObject({ message: 'starting up' })
})

test('tries as often while the member is being set up', async () => {
  const sentence = 'Chat is being initialized. Please try again in a moment.'
  expect((await openWith(() => refusal(400, 'P0001', sentence))).times).toEqual([500, 2500, 6500, 12_500])
})

test.each(['23505', '23503'])('tries a collision (%s) again three times, each wait double', async (code) => {
  const { times } = await openWith(() => refusal(409, code, 'taken'))
  // The jitter is half of its quarter second at most here.
  expect(times).toEqual([500, 1125, 2250, 4375])
})

test('spreads the waits of a collision by chance', async () => {
  vi.mocked(Math.random).mockReturnValue(0)
  expect((await openWith(() => refusal(409, '23505', 'taken'))).times).toEqual([500, 1000, 2000, 4000])
})

test('takes a no for a no', async () => {
  expect((await openWith(() => refusal(403, '42501', 'no'))).times).toEqual([500])
})

test.each([
  [{ ...parties, planId: '' }, 'Subscription information is required'],
  [{ ...parties, memberId: '' }, 'Cannot start chat without a recipient'],
  [{ ...parties, ownerId: '' }, 'Cannot start chat without a recipient'],
])('asks for nothing that cannot be: %j', async (wanted, message) => {
  const { times, problem } = await openWith(() => refusal(500, 'XX000', 'never asked'), wanted)
  expect(problem).toMatchObject({ message })
  expect(times).toEqual([])
})
