import { plural, t } from '@lingui/core/macro'
import { explain, toastSuccess } from '#ui/toasts.ts'
import type { ReportDecision } from './reports.queries.ts'

export const reportTexts = {
  what: (name: string) =>
    t`Our team looks into it and may read your chat. ${name} isn’t told who reported it. To get money back, report a problem on the plan’s page instead.`,
  listFailed: t`Reports could not be loaded`,
  logged: t`The staff log shows that you read it.`,
  unfounded: (count: number) =>
    plural(count, { one: '# earlier report led to nothing', other: '# earlier reports led to nothing' }),
  /** The effect of each decision, shown before it is made. */
  effects: {
    none: (name) => t`This goes into the staff log. ${name} is not told.`,
    warned: (name) => t`${name} gets your reason here and by email.`,
    'plan-hidden': (name) =>
      t`No one new can find or join it; its members keep their places. ${name} gets your reason here and by email.`,
    suspended: (name) =>
      t`${name} can’t sign in, and their plans are hidden. If it is not lifted in time, their places end, and what was paid for the time since goes back. ${name} gets your reason by email.`,
  } satisfies Record<ReportDecision, (name: string) => string>,
} as const

export const DECISIONS: Record<ReportDecision, string> = {
  none: t`Closed without action`,
  warned: t`Warned`,
  'plan-hidden': t`Plan hidden`,
  suspended: t`Suspended`,
}

export const reportToasts = {
  sent: () => toastSuccess(t`Thank you`, t`We’ll let you know once our team has looked at it.`),
  failed: (problem: unknown) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
}
