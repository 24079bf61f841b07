import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTokens, InvalidToken } from './tokens.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const LIFE = 60
const tokens = createTokens('a secret for tests of tokens only')
const person = { sub: 'olivia', role: 'authenticated' }

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }))
afterEach(() => void vi.useRealTimers())

/** Returns the claims of a token or, if it is refused, the reason. */
const judge = (token: string, by = tokens) =>
  by
    .verify(token)
    .catch((error: InvalidToken) => [error instanceof InvalidToken, error.message, error.expired])
const EXPIRED = [true, 'JWT expired', true]
const FORGED = [true, 'JWT could not be verified', false]

test('a token carries what was signed, when and until when', async () => {
  const times = { iat: NOW / 1000, exp: NOW / 1000 + LIFE }
  expect(await judge(await tokens.sign(person, LIFE))).toEqual({ ...person, ...times })
})

describe.each(['seen for the first time', 'remembered'])('a token %s', (how) => {
  // Clocks may differ by half a minute.
  test.each([
    [LIFE, 'accepted'],
    [LIFE + 29, 'accepted'],
    [LIFE + 30, 'refused'],
    [LIFE + 3600, 'refused'],
  ])('of a minute is, after %i seconds, %s', async (seconds, outcome) => {
    const token = await tokens.sign(person, LIFE)
    if (how === 'remembered') expect(await judge(token)).toMatchObject(person)
    vi.setSystemTime(NOW + seconds * 1000)
    for (const _ of [1, 2])
      expect(await judge(token)).toEqual(outcome === 'refused' ? EXPIRED : expect.objectContaining(person))
  })
})

test('a remembered token is not read again, until 5000 newer ones have come', async () => {
  const token = await tokens.sign(person, LIFE)
  const claims = await tokens.verify(token)
  const newer = await Promise.all(
    Array.from({ length: 5_000 }, (_, n) => tokens.sign({ ...person, n }, LIFE)),
  )
  await Promise.all(newer.slice(1).map((other) => tokens.verify(other)))
  expect(await tokens.verify(token)).toBe(claims)
  await tokens.verify(newer[0] ?? '')
  expect(await tokens.verify(token)).not.toBe(claims)
})

test('what this secret did not sign is refused, remembered or not', async () => {
  const token = await tokens.sign(person, LIFE)
  await tokens.verify(token)
  const [head = '', payload = '', signature = ''] = token.split('.')
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const forged of [
    `${head}.${payload}.${signature.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))}`,
    `${head}.${encode({ ...person, role: 'service_role', exp: 2e9 })}.${signature}`,
    `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    await createTokens('another secret, just as long as the right one').sign(person, LIFE),
    'garbage',
  ])
    expect(await judge(forged)).toEqual(FORGED)
})

test('without a role a token is for nobody', async () => {
  expect(await judge(await tokens.sign({ sub: 'olivia' }, LIFE))).toEqual([
    true,
    'invalid claim: missing role claim',
    false,
  ])
})

test('a digest depends on the secret, the purpose and the text', () => {
  const digests = [
    tokens.digest('one', 'text'),
    tokens.digest('other', 'text'),
    tokens.digest('one', 'texts'),
    createTokens('another secret').digest('one', 'text'),
  ].map((digest) => digest.toString('hex'))
  expect(new Set(digests).size).toBe(4)
  expect(tokens.digest('one', 'text').toString('hex')).toBe(digests[0])
})
