import { t } from '@lingui/core/macro'
import { fullDay } from '#domain/dates.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'
import type { Precedence } from './waiting-list.queries.ts'

export const waitingListTexts = {
  title: t`Waiting Lists`,
  failed: t`Your waiting lists could not be loaded`,
  position: (position: number) => t`You are number ${position}`,
} as const

export const precedenceTexts = {
  title: t`Similar plans`,
  why: ({ provider, planName, until }: Precedence) =>
    t`You lost your place in ${provider} ${planName} through no fault of your own. Until ${fullDay(until)} you’re first in line for plans like it.`,
  over: t`You’re no longer first in line`,
  failed: t`Similar plans could not be loaded`,
} as const

export const waitingListToasts = {
  joined: (plan: string, position: number) =>
    toastSuccess(
      t`You Are on the Waiting List`,
      t`${waitingListTexts.position(position)} for ${plan}. We’ll tell you when a place is yours.`,
    ),
  joinFailed: (problem: unknown) =>
    explain(problem, t`You couldn’t join the waiting list. Please try again.`),
  leaveFailed: (problem: unknown) =>
    explain(problem, t`You are still on the waiting list. Please try again.`),
}
