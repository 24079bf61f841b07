import { expect, it } from 'vitest'
import { toPhoneNumber } from './phone-number.ts'

it.each([
  ['+49 30 123456', 'en-US', '+4930123456'],
  ['0049 30 123456', 'de-DE', '+4930123456'],
  ['030/123 456', 'de-DE', '+4930123456'],
  ['(415) 555-2671', 'en-US', '+14155552671'],
  ['+44 20 7946 0958', 'fr', '+442079460958'],
  ['030 123456', 'de', null],
  ['12', 'de-DE', null],
  ['+49 30', 'de-DE', null],
  ['call me', 'en-US', null],
])('"%s" in a browser set to %s is %s', async (typed, language, number) => {
  expect(await toPhoneNumber(typed, language)).toBe(number)
})
