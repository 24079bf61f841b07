import { expect, test } from 'vitest'
import type { ShareRule } from './plan.ts'
import { dividePrice } from './shares.ts'

const alone = (part: number) => ({ part, carriedBy: null })
test.each<[ShareRule, string, number, Parameters<typeof dividePrice>[1]['parts'], number[], number]>([
  ['equal', 'EUR', 10, { a: alone(0), b: alone(0) }, [3.33, 3.33], 3.34],
  ['equal', 'JPY', 1000, { a: alone(0), b: { part: 0, carriedBy: 'a' } }, [666, 0], 334],
  ['amount', 'EUR', 10, { a: alone(4.99), b: { part: 2, carriedBy: 'a' } }, [6.99, 0], 3.01],
  ['percent', 'GBP', 9.99, { a: alone(33.33), b: alone(50) }, [3.32, 4.99], 1.68],
  ['amount', 'EUR', 5, { a: alone(4), b: alone(2) }, [4, 2], -1],
])('%s shares in %s of %d', (rule, currency, price, parts, shares, rest) => {
  const divided = dividePrice({ currency, providerMaxMembers: 3 }, { rule, price, parts })
  expect(Object.values(divided.shares)).toEqual(shares)
  expect(divided.rest).toBe(rest)
})
