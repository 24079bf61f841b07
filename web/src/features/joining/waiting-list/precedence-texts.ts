import { fullDay } from '#domain/dates.ts'
import type { Precedence } from './precedence.queries.ts'

export const precedenceTexts = {
  title: 'Plans like this one',
  why: ({ provider, name, until }: Precedence) =>
    `Your place in ${provider} ${name} ended through no fault of your own. You come first in waiting lists for these until ${fullDay(until)}.`,
  over: 'You no longer come first',
  failed: 'Plans like this one could not be loaded',
} as const
