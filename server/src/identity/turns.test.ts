import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('no more run at once than allowed, first come first served, and a failure frees its place', async () => {
  const inTurn = createTurns(2)
  let running = 0
  let most = 0
  const started: number[] = []
  const results = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((number) =>
      inTurn(async () => {
        started.push(number)
        most = Math.max(most, ++running)
        await pause(5)
        running -= 1
        if (number === 2) throw new Error('no')
        return number
      }),
    ),
  )
  expect(most).toBe(2)
  expect(started).toEqual([1, 2, 3, 4, 5])
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true])
})
