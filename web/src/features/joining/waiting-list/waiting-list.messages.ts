import { explain, toastSuccess } from '#ui/toasts.ts'

export const waitingListTexts = {
  title: 'Waiting Lists',
  failed: 'Your waiting lists could not be loaded',
  position: (position: number) => `You are number ${position}`,
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
