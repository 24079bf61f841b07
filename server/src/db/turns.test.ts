import { afterEach, describe, expect, test, vi } from 'vitest'
import { type TurnLimits, Turns, turnLimits } from './turns.ts'

afterEach(() => void vi.useRealTimers())

/** Starts requests by name. Each request occupies the database until the test ends it. */
function counter(limits: Partial<TurnLimits>) {
  const turns = new Turns({ ...turnLimits(10), waitMs: 60_000, ...limits })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string) => {
    const work = async () => {
      begun.push(name)
      await new Promise<void>((end) => ends.set(name, end))
      return name
    }
    // The first letter is the caller.
    const answer = turns.take(name.charAt(0), work)
    return answer.catch(({ code }: { code: string }) => code)
  }
  const end = async (...names: string[]) => {
    for (const name of names) ends.get(name)?.()
    await rest()
  }
  return { turns, begun, ask, end }
}

// Waits for two turns of the event loop, after which a free slot has passed to the next request.
async function rest() {
  for (let round = 0; round < 2; round += 1) await new Promise((done) => setImmediate(done))
}

test('callers take turns, however much one of them has asked before', async () => {
  const { begun, ask, end } = counter({ places: 1, share: 1 })
  const answers = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map(ask)
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']) {
    expect(begun.at(-1)).toBe(name)
    await end(name)
  }
  expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'])
})

test('one caller gets at most its share of the places, and the next caller finds one free', async () => {
  const { begun, ask, end, turns } = counter({ places: 4, share: 2 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void ask(name)
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  expect(turns.state).toEqual({ running: 3, waiting: 2, callers: 2 })
  await end('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('a2', 'a1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
  await end('a3', 'a4')
  expect(turns.state).toEqual({ running: 0, waiting: 0, callers: 0 })
})

test('where the database answers in this thread, a caller who takes long goes on when others have been read', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const turns = new Turns({ ...turnLimits(1), roundMs: 5 })
  const served: string[] = []
  const answers: Promise<unknown>[] = []
  const work = async (name: string) => {
    served.push(name)
    vi.advanceTimersByTime(3)
  }
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) {
    answers.push(turns.take(name.charAt(0), () => work(name)))
    // Simulates the time that passes between reading two requests from the network.
    for (let moment = 0; moment < 20; moment += 1) await null
  }
  await Promise.all(answers)
  expect(served).toEqual(['a1', 'a2', 'a3', 'b1', 'a4'])
})

test('work that fails gives its place back', async () => {
  const turns = new Turns(turnLimits(1))
  const fail = () => turns.take('a', () => Promise.reject(new Error('failed')))
  await expect(Promise.all([fail(), turns.take('b', async () => 'done')])).rejects.toThrow('failed')
  expect(await turns.take('b', async () => 'done')).toBe('done')
})

describe('of what waits', () => {
  test('a caller has so much and is refused the rest, whatever others have', async () => {
    const { ask } = counter({ places: 1, share: 1, waitingOfOne: 2 })
    void ['a1', 'a2', 'a3', 'b1', 'b2'].map(ask)
    expect(await ask('a4')).toBe('PT429')
  })

  test('the total is limited: with one more, the caller with the most requests loses its newest', async () => {
    const { ask, begun, end } = counter({ places: 1, share: 1, waiting: 3 })
    const [, , , lost] = ['a1', 'a2', 'a3', 'a4', 'b1'].map(ask)
    expect(await lost).toBe('53300')
    for (const name of ['a1', 'b1', 'a2', 'a3']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
  })

  test('nothing waits longer than it may', async () => {
    const { ask, turns } = counter({ places: 1, share: 1, waitMs: 1 })
    void ask('a1')
    expect(await ask('b1')).toBe('53300')
    expect(turns.state).toEqual({ running: 1, waiting: 0, callers: 1 })
  })
})

test.each([
  [1, 1],
  [4, 1],
  [10, 2],
  [50, 10],
])('of %i connections one caller has %i', (places, share) => {
  expect(turnLimits(places)).toMatchObject({ places, share, waitMs: 5_000 })
})
