import { counted } from '#domain/plural.ts'
import { PROOF_WANTED, toAppError } from '#lib/errors.ts'
import { secondsIn } from '#lib/rate-limit.ts'
import { explain, toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'

/** The stored entry was changed by something that does not have the key. */
const DOES_NOT_OPEN = 'PT422'

export const vaultToasts = {
  stored: () => toastSuccess('Access Stored', 'Everyone on this plan is told that it is new.'),
  storeFailed: (problem: unknown) => {
    const { code } = toAppError(problem)
    if (code === DOES_NOT_OPEN) toastError('The Present One Does Not Open', 'Store everything anew.')
    else if (code !== PROOF_WANTED) explain(problem, 'Access was not stored. Please try again.')
  },
  openFailed: (problem: unknown) => {
    const { code } = toAppError(problem)
    const seconds = secondsIn(problem)
    if (seconds > 0)
      toastWarning(
        'Opened Too Often',
        `You can open it again in ${counted(Math.ceil(seconds / 60), 'minute')}.`,
      )
    else if (code === DOES_NOT_OPEN) toastError('It Does Not Open', 'The owner has to store it anew.')
    // People who decline to confirm their identity know why nothing happens.
    else if (code !== PROOF_WANTED) explain(problem, 'It could not be opened. Please try again.')
  },
}
