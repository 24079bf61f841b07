import { explain, toastSuccess } from '#ui/toasts.ts'

export const reportTexts = {
  what: (name: string) =>
    `Staff looks into it, and ${name} is not told. If a place does not work, report the problem in its plan: that is what gives money back.`,
  listFailed: 'Reports could not be loaded',
} as const

export const reportToasts = {
  sent: () => toastSuccess('Thank you', 'Staff looks at it, and you hear when they have.'),
  closed: () => toastSuccess('Report closed', 'It stands in the log of staff.'),
  failed: (problem: unknown) => explain(problem, ({ message }) => ['That didn’t work', message]),
}
