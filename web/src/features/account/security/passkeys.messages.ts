import { reasonOf, toAppError } from '#lib/errors.ts'
import { passkeyProblem } from '#lib/passkeys.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

const why = (problem: unknown) =>
  passkeyProblem(problem) ?? (toAppError(problem).message || reasonOf(problem))

export const passkeyToasts = {
  added: () => toastSuccess('Passkey added', 'You can sign in with it from now on.'),
  addFailed: (problem: unknown) => toastError('No passkey was added', why(problem)),
  renamed: () => toastSuccess('Name saved'),
  renameFailed: (problem: unknown) => toastError('The name was not saved', why(problem)),
  removed: () =>
    toastSuccess('Passkey removed', 'It opens your account no more. Your device may still offer it.'),
  removeFailed: (problem: unknown) => toastError('The passkey is still there', why(problem)),
}
