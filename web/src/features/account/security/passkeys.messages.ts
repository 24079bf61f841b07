import { t } from '@lingui/core/macro'
import { reasonOf, toAppError } from '#lib/errors.ts'
import { passkeyProblem } from '#lib/passkeys.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

const why = (problem: unknown) =>
  passkeyProblem(problem) ?? (toAppError(problem).message || reasonOf(problem))

export const passkeyToasts = {
  added: () => toastSuccess(t`Passkey added`, t`You can now sign in with it.`),
  addFailed: (problem: unknown) => toastError(t`No passkey was added`, why(problem)),
  renameFailed: (problem: unknown) => toastError(t`The name was not saved`, why(problem)),
  removed: () =>
    toastSuccess(t`Passkey removed`, t`It no longer signs you in. Your device may still offer it.`),
  removeFailed: (problem: unknown) => toastError(t`Passkey not removed`, why(problem)),
}
