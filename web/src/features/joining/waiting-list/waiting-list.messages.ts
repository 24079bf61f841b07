import { fullDay } from '#domain/dates.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'
import type { Precedence } from './waiting-list.queries.ts'

export const waitingListTexts = {
  title: 'Waiting Lists',
  failed: 'Your waiting lists could not be loaded',
  position: (position: number) => `You are number ${position}`,
} as const

export const precedenceTexts = {
  title: 'Similar plans',
  why: ({ provider, planName, until }: Precedence) =>
    `You lost your place in ${provider} ${planName} through no fault of your own. Until ${fullDay(until)} you’re first in line for plans like it.`,
  over: 'You’re no longer first in line',
  failed: 'Similar plans could not be loaded',
} as const

export const waitingListToasts = {
  joined: (plan: string, position: number) =>
    toastSuccess(
      'You Are on the Waiting List',
      `${waitingListTexts.position(position)} for ${plan}. We’ll tell you when a place is yours.`,
    ),
  joinFailed: (problem: unknown) => explain(problem, 'You couldn’t join the waiting list. Please try again.'),
  left: (plan: string) => toastSuccess('Waiting List Left', `You’re no longer waiting for ${plan}.`),
  leaveFailed: (problem: unknown) => explain(problem, 'You are still on the waiting list. Please try again.'),
}
