import { explain, toastSuccess } from '#ui/toasts.ts'

export const blockTexts = {
  what: 'You can’t message, invite or find each other, and open requests between you end. They are not told.',
  goesOn: 'Places you already have with each other stay.',
  none: 'You haven’t blocked anyone.',
} as const

export const blockToasts = {
  blocked: (name: string) => toastSuccess(`${name} is blocked`, 'You can unblock them in Account Settings.'),
  unblocked: (name: string) => toastSuccess(`${name} is no longer blocked`),
  failed: (problem: unknown) => explain(problem, ({ message }) => ['That didn’t work', message]),
}
