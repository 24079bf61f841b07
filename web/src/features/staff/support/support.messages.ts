import { explain, toastSuccess } from '#ui/toasts.ts'

export const supportTexts = {
  listFailed: 'The questions could not be loaded',
  ownFailed: 'Your questions could not be loaded',
} as const

export const supportToasts = {
  sent: () => toastSuccess('Sent', 'We’ll answer here and by email.'),
  answered: (name: string | null) =>
    toastSuccess('Answered', name ? `${name} gets it by bell and email.` : 'Its writer has left.'),
  failed: (problem: unknown) => explain(problem, ({ message }) => ['That didn’t work', message]),
}
