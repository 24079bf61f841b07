import { plural, t } from '@lingui/core/macro'
import { PROOF_WANTED, toAppError } from '#lib/errors.ts'
import { secondsIn } from '#lib/rate-limit.ts'
import { DOES_NOT_OPEN } from '#lib/vault.ts'
import { announce } from '#ui/announce.ts'
import { explain, toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'

export const LOGIN_FAILED = t`Access could not be loaded`

export const vaultToasts = {
  loginSaved: () => announce(t`Login Saved`),
  loginCleared: () => announce(t`Login Removed`),
  loginFailed: (problem: unknown) => explain(problem, t`The login could not be saved. Please try again.`),
  stored: () => toastSuccess(t`Access Saved`),
  storeFailed: (problem: unknown) => {
    const { code } = toAppError(problem)
    if (code === DOES_NOT_OPEN)
      toastError(t`Current Access Can’t Be Opened`, t`Please enter everything again.`)
    else if (code !== PROOF_WANTED) explain(problem, t`Access was not saved. Please try again.`)
  },
  openFailed: (problem: unknown) => {
    const { code } = toAppError(problem)
    const seconds = secondsIn(problem)
    if (seconds > 0)
      toastWarning(
        t`Opened Too Often`,
        t`You can open it again in ${plural(Math.ceil(seconds / 60), { one: '# minute', other: '# minutes' })}.`,
      )
    else if (code === DOES_NOT_OPEN)
      toastError(t`Access Can’t Be Opened`, t`Ask the owner to enter it again.`)
    // Somebody who has just cancelled the proof of identity knows why access stays closed, and gets no message.
    else if (code !== PROOF_WANTED) explain(problem, t`Access could not be opened. Please try again.`)
  },
}
