import { explain, toastSuccess } from '#ui/toasts.ts'

export const supportTexts = {
  listFailed: 'The questions could not be loaded',
  ownFailed: 'Your questions could not be loaded',
} as const

export const supportToasts = {
  sent: () => toastSuccess('Sent', 'We’ll answer here and by email.'),
  answered: (name: string | null) =>
    toastSuccess('Answered', name ? `We’ve told ${name} in the app and by email.` : 'The person has left.'),
  failed: (problem: unknown) => explain(problem, ({ message }) => ['That didn’t work', message]),
}
