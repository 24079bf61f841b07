// Tests how long query results stay fresh, and how often failed requests are retried.
// Proves PLAN 24, CHAT 05 13, API 44, EVT 10, ERR 26 32 35 39, LIMIT 06 07 09 12
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { intercept, refusal } from '../../test/network.ts'
import { setTestSite } from '../../test/site.ts'
import { mustBeMember } from './joining/join-requests/join-requests.mutations.ts'
import { MEMBERS_SOON } from './joining/memberships/memberships.live.ts'
import { membersQuery } from './joining/memberships/memberships.queries.ts'
import { type ChatParties, conversationQuery } from './people/chat/chat.queries.ts'
import { joinedPlansQuery, ownedPlansQuery, planPageQuery } from './plans/shared-plans/plans.queries.ts'

test('changes load the lists at most every 5 seconds, a plan and its members at most every 2', () => {
  const queries = [ownedPlansQuery('olivia'), joinedPlansQuery('olivia'), planPageQuery('sub-1', 'olivia')]
  expect([...queries, membersQuery('sub-1')].map(({ meta }) => meta)).toEqual([
    { pace: 5000, seen: true },
    { pace: 5000, seen: true },
    { pace: 2000, seen: true },
    { pace: 2000, seen: true },
  ])
})

test('a plan stays good for 5 minutes, its members for 3, who follow a change after 100 ms at least', () => {
  expect(planPageQuery('sub-1', 'olivia').staleTime).toBe(300_000)
  expect(membersQuery('sub-1').staleTime).toBe(180_000)
  expect(MEMBERS_SOON).toBeGreaterThanOrEqual(100)
})

const { retry, retryDelay } = membersQuery('sub-1')
const asksAgain = (code: string) => (failures: number) =>
  typeof retry === 'function' && retry(failures, new AppError(code, ''))
const pause = (code: string) => (failures: number) =>
  typeof retryDelay === 'function' && retryDelay(failures, new AppError(code, ''))

test('members are asked for five times in all, 1 s apart at first and doubling to 8 s', () => {
  expect([0, 1, 2, 3, 4].map(asksAgain('offline'))).toEqual([true, true, true, true, false])
  expect([0, 1, 2, 3, 4].map(pause('offline'))).toEqual([1000, 2000, 4000, 8000, 8000])
  expect(asksAgain('aborted')(0)).toBe(false)
})

test.each(['42703', '42P01', '42883', 'PGRST200', 'PGRST202', 'PGRST204', 'PGRST205', '42501', '22P02'])(
  'after the schema error %s members are asked for once more, after 5 s',
  (code) => {
    expect([0, 1].map(asksAgain(code))).toEqual([true, false])
    expect(pause(code)(0)).toBe(5000)
  },
)

const NO_MEMBER = 'Invalid member data received from server'
test.each([
  [{ id: 'member-1' }, NO_MEMBER],
  [{ id: 'member-1', name: '' }, NO_MEMBER],
  [{ name: 'Marc' }, NO_MEMBER],
  ['Marc', 'Invalid response from server'],
  [null, 'Invalid response from server'],
])('an approval answered with %j fails with: %s', (answer, problem) =>
  expect(() => mustBeMember(answer)).toThrow(problem),
)
test('an approval answered with a member is done', () =>
  expect(() => mustBeMember({ id: 'member-1', name: 'Marc' })).not.toThrow())

const parties: ChatParties = { planId: 'sub-1-a', ownerId: 'olivia', memberId: 'marc' }

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  setTestSite({ supabaseUrl: 'http://potluck.example' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/**
 * Opens a chat whose requests are all answered by `answer`. Returns the times of the requests, in ms, and the outcome.
 */
async function openWith(answer: () => Promise<Response>, wanted: ChatParties = parties) {
  const start = performance.now()
  const { times } = intercept('POST http://potluck.example', answer)
  const ended = createQueryClient()
    .fetchQuery({ ...conversationQuery(wanted) })
    .then(
      () => undefined,
      (problem: Error) => problem.message,
    )
  await vi.advanceTimersByTimeAsync(60_000)
  return { times: times.map((time) => time - start), problem: await ended }
}

test.each([
  ['is away', 503, 'PGRST000', 'starting up', [500, 2500, 6500, 12_500]],
  ['is setting the member up', 400, 'P0001', 'Chat is being initialized.', [500, 2500, 6500, 12_500]],
  // In this test the jitter is 125 ms, half of its maximum.
  ['meets a collision', 409, '23505', 'taken', [500, 1125, 2250, 4375]],
  ['meets another collision', 409, '23503', 'taken', [500, 1125, 2250, 4375]],
  ['says no', 403, '42501', 'no', [500]],
])(
  'a chat of a server that %s is asked for after half a second, then again',
  async (_what, status, code, text, times) => {
    expect(await openWith(() => refusal(status, code, text))).toEqual({ times, problem: text })
  },
)

test('the waits after a collision are spread by chance', async () => {
  vi.mocked(Math.random).mockReturnValue(0)
  expect((await openWith(() => refusal(409, '23505', 'taken'))).times).toEqual([500, 1000, 2000, 4000])
})

test.each([
  [{ planId: '' }, 'Subscription information is required'],
  [{ memberId: '' }, 'Cannot start chat without a recipient'],
  [{ ownerId: '' }, 'Cannot start chat without a recipient'],
])('a chat that cannot be is not asked for: %j', async (without, problem) => {
  const answer = () => refusal(500, 'XX000', 'never asked')
  expect(await openWith(answer, { ...parties, ...without })).toEqual({ times: [], problem })
})
