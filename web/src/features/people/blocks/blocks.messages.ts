import { explain, toastSuccess } from '#ui/toasts.ts'

export const blockTexts = {
  what: 'No requests, invitations or messages between you two, in either direction. What is open between you now ends. Neither of you finds the other or what they share. They are not told.',
  goesOn: 'A place one of you has with the other goes on until it is left or ended.',
  none: 'You have blocked nobody.',
} as const

export const blockToasts = {
  blocked: (name: string) =>
    toastSuccess(`${name} is blocked`, 'You can take this back in your account settings.'),
  unblocked: (name: string) => toastSuccess(`${name} is no longer blocked`),
  failed: (problem: unknown) => explain(problem, ({ message }) => ['That didn’t work', message]),
}
