// Only responses that SQL marks as the same for every visitor are cached, and only for as long as SQL says.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Answer } from './errors.ts'
import { SharedAnswers, type Visit } from './shared-answers.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

const PUBLIC = 'public, max-age=0, s-maxage=2'
let rows = 'a'
let asked = 0
const answerOf = (said: string, status = 200): Answer => ({
  status,
  headers: { 'cache-control': said, vary: 'Authorization, X-Who', 'Content-Type': 'text/plain' },
  body: rows,
})

/** Sends requests to a separate cache. Each request returns the value that `rows` has when its statement begins. */
function visitors({ said = PUBLIC, status = 200, bytes = undefined as number | undefined } = {}) {
  const shared = new SharedAnswers(bytes)
  asked = 0
  rows = 'a'
  return (
    key = 'plans',
    headers: Record<string, string> = {},
    method = 'GET',
    within = Promise.resolve(),
  ) => {
    const visit: Visit = { key, target: 'routine plans', method, header: (name) => headers[name] }
    return shared.answer(visit, (at) =>
      at(async () => {
        asked += 1
        const answer = answerOf(said, status)
        await within
        return answer
      }),
    )
  }
}

test('answers all with one statement, renews it half way, and is never older than SQL allows', async () => {
  const ask = visitors()
  const first = await ask()
  expect(first).toMatchObject({ body: 'a', headers: { ETag: expect.stringMatching(/^"[\w-]{27}"$/) } })
  rows = 'b'
  vi.advanceTimersByTime(1_000)
  expect(await ask()).toMatchObject({ body: 'a', headers: { Age: '1' } })
  expect(asked).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await Promise.all([ask(), ask()])).toMatchObject([
    { body: 'a', headers: { Age: '2' } },
    { body: 'a' },
  ])
  expect(asked).toBe(2)
  await new Promise(setImmediate)
  const renewed = await ask()
  expect(renewed.body).toBe('b')
  expect(renewed.headers.ETag).not.toBe(first.headers.ETag)
  rows = 'c'
  vi.advanceTimersByTime(2_000)
  expect((await ask()).body).toBe('c')
})

test('a renewal that fails leaves the answer until its end, and whoever asks then is told', async () => {
  const ask = visitors()
  await ask()
  vi.advanceTimersByTime(1_500)
  const down = () => ask('plans', {}, 'GET', Promise.reject(new Error('down')))
  expect((await down()).body).toBe('a')
  vi.advanceTimersByTime(500)
  await expect(down()).rejects.toThrow('down')
})

test('no-cache asks anew, and others receive that too', async () => {
  const ask = visitors()
  await ask()
  rows = 'b'
  expect((await ask('plans', { 'cache-control': 'no-cache' })).body).toBe('b')
  expect((await ask()).body).toBe('b')
})

test('those who ask at once wait for one statement', async () => {
  const ask = visitors()
  await ask('others')
  const within = new Promise<void>((done) => setImmediate(done))
  const answers = [1, 2, 3].map(() => ask('plans', {}, 'GET', within))
  expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(['a', 'a', 'a'])
  expect(asked).toBe(2)
})

test('whoever has it is told so, and HEAD gets no body', async () => {
  const ask = visitors()
  const { ETag = '' } = (await ask()).headers
  for (const known of [ETag, `W/${ETag}`, `"x", ${ETag}`, '*']) {
    const { status, body, headers } = await ask('plans', { 'if-none-match': known })
    expect([status, body, Object.keys(headers).sort()]).toEqual([
      ...[304, null],
      ['Age', 'ETag', 'cache-control', 'vary'],
    ])
  }
  expect(await ask('plans', { 'if-none-match': '"x"' })).toMatchObject({ status: 200, body: 'a' })
  expect(await ask('plans', {}, 'HEAD')).toMatchObject({ status: 200, body: null, headers: { ETag } })
  expect(asked).toBe(1)
})

test.each([
  ['private', 'private, public, s-maxage=2', 200],
  ['not said to be public', 's-maxage=2', 200],
  ['without a time', 'public', 200],
  ['an error', PUBLIC, 404],
])('does not keep what is %s', async (_what, said, status) => {
  const ask = visitors({ said, status })
  expect((await ask()).headers).not.toHaveProperty('ETag')
  await ask()
  expect(asked).toBe(2)
})

test('asks anew for another key, for other headers that count, and for what had to make room', async () => {
  const ask = visitors({ bytes: 2_500 })
  for (const [key, who] of [
    ['1', 'x'],
    ['1', 'y'],
    ['2', 'x'],
    ['3', 'x'],
    ['1', 'y'],
  ] as const)
    await ask(key, { 'x-who': who, authorization: key + who })
  expect(asked).toBe(5)
  await ask('1', { 'x-who': 'y' })
  expect(asked).toBe(5)
})
