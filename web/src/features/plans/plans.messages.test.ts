import { describe, expect, it } from 'vitest'
import { AppError, PLAN_NOT_FOUND } from '#lib/errors.ts'
import { planLoadText, priceWarning } from './plans.messages.ts'

const network =
  "We couldn't load some of your subscription details. This might be due to network issues or access limitations."
const database = 'Database error: the subscription could not be read. Please try again.'

describe('why a plan is not shown', () => {
  it.each([
    [
      new AppError(PLAN_NOT_FOUND, "Subscription not found or you don't have access"),
      /^Subscription not found or you don't have access$/,
    ],
    [new AppError('timed_out', 'Request timeout'), /^Request timeout$/],
    [new AppError('offline', 'fetch failed'), network],
    [new AppError('XX000', 'relation "secret" is broken'), database],
    [new AppError('42703', 'column "secret" does not exist'), database],
    [new AppError('PGRST200', 'no relationship to "secret"'), database],
    [new AppError('unknown', 'Something people can read'), /^Something people can read$/],
    [new AppError('unknown', ''), /^Subscription not found$/],
  ])('reads %s', (problem, text) => {
    expect(planLoadText(problem)).toMatch(text)
  })
})

it.each([
  [
    -1,
    /^The subscription price information may be incomplete\. Please contact the plan owner for details\.$/,
  ],
  [0, /^The subscription price information may be incomplete\./],
  [0.01, undefined],
])('warns of a share of %s that cannot be right', (share, warning) => {
  if (warning) expect(priceWarning(share)).toMatch(warning)
  else expect(priceWarning(share)).toBeNull()
})
