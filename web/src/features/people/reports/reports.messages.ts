import { explain, toastSuccess } from '#ui/toasts.ts'

export const reportTexts = {
  what: (name: string) =>
    `Our team looks into it, and ${name} is not told. To get money back, report a problem on the plan’s page instead.`,
  listFailed: 'Reports could not be loaded',
} as const

export const reportToasts = {
  sent: () => toastSuccess('Thank you', 'We’ll let you know once our team has looked at it.'),
  closed: () => toastSuccess('Report closed', 'It’s in the staff log.'),
  failed: (problem: unknown) => explain(problem, ({ message }) => ['That didn’t work', message]),
}
