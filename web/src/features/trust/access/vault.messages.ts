import { counted } from '#domain/plural.ts'
import { PROOF_WANTED, toAppError } from '#lib/errors.ts'
import { secondsIn } from '#lib/rate-limit.ts'
import { DOES_NOT_OPEN } from '#lib/vault.ts'
import { explain, toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'

export const LOGIN_FAILED = 'Access could not be loaded'

export const vaultToasts = {
  loginSaved: () => toastSuccess('Login Saved', 'Everyone on this plan can see it now.'),
  loginCleared: () => toastSuccess('Login Removed'),
  loginFailed: (problem: unknown) => explain(problem, 'The login could not be saved. Please try again.'),
  stored: () => toastSuccess('Access Saved', 'We’ve told everyone on this plan.'),
  storeFailed: (problem: unknown) => {
    const { code } = toAppError(problem)
    if (code === DOES_NOT_OPEN) toastError('Current Access Can’t Be Opened', 'Please enter everything again.')
    else if (code !== PROOF_WANTED) explain(problem, 'Access was not saved. Please try again.')
  },
  openFailed: (problem: unknown) => {
    const { code } = toAppError(problem)
    const seconds = secondsIn(problem)
    if (seconds > 0)
      toastWarning(
        'Opened Too Often',
        `You can open it again in ${counted(Math.ceil(seconds / 60), 'minute')}.`,
      )
    else if (code === DOES_NOT_OPEN) toastError('Access Can’t Be Opened', 'Ask the owner to enter it again.')
    // People who decline to confirm their identity know why nothing happens.
    else if (code !== PROOF_WANTED) explain(problem, 'Access could not be opened. Please try again.')
  },
}
