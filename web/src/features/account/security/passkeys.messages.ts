import { reasonOf, toAppError } from '#lib/errors.ts'
import { passkeyProblem } from '#lib/passkeys.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

const why = (problem: unknown) =>
  passkeyProblem(problem) ?? (toAppError(problem).message || reasonOf(problem))

export const passkeyToasts = {
  added: () => toastSuccess('Passkey added', 'You can now sign in with it.'),
  addFailed: (problem: unknown) => toastError('No passkey was added', why(problem)),
  renamed: () => toastSuccess('Name saved'),
  renameFailed: (problem: unknown) => toastError('The name was not saved', why(problem)),
  removed: () =>
    toastSuccess('Passkey removed', 'It no longer signs you in. Your device may still offer it.'),
  removeFailed: (problem: unknown) => toastError('Passkey not removed', why(problem)),
}
