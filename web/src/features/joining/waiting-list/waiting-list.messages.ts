import { fullDay } from '#domain/dates.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'
import type { Precedence } from './waiting-list.queries.ts'

export const waitingListTexts = {
  title: 'Waiting Lists',
  failed: 'Your waiting lists could not be loaded',
  position: (position: number) => `You are number ${position}`,
} as const

export const precedenceTexts = {
  title: 'Plans like this one',
  why: ({ provider, planName, until }: Precedence) =>
    `Your place in ${provider} ${planName} ended through no fault of your own. You come first in waiting lists for these until ${fullDay(until)}.`,
  over: 'You no longer come first',
  failed: 'Plans like this one could not be loaded',
} as const

export const waitingListToasts = {
  joined: (plan: string, position: number) =>
    toastSuccess(
      'You Are on the Waiting List',
      `${waitingListTexts.position(position)} for ${plan}. You hear of it as soon as a place is yours.`,
    ),
  joinFailed: (problem: unknown) =>
    explain(problem, 'You could not be put on the waiting list. Please try again.'),
  left: (plan: string) => toastSuccess('Waiting List Left', `You no longer wait for ${plan}.`),
  leaveFailed: (problem: unknown) => explain(problem, 'You are still on the waiting list. Please try again.'),
}
