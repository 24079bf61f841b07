import { t } from '@lingui/core/macro'
import { explain, toastSuccess } from '#ui/toasts.ts'

export const reportTexts = {
  what: (name: string) =>
    t`Our team looks into it, and ${name} is not told. To get money back, report a problem on the plan’s page instead.`,
  listFailed: t`Reports could not be loaded`,
} as const

export const reportToasts = {
  sent: () => toastSuccess(t`Thank you`, t`We’ll let you know once our team has looked at it.`),
  closed: () => toastSuccess(t`Report closed`, t`It’s in the staff log.`),
  failed: (problem: unknown) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
}
