import { t } from '@lingui/core/macro'
import { coinsInWords } from '#domain/coins.ts'
import { AppError, answerOf, RULE_BROKEN, SIGNED_OUT, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const walletTexts = {
  failed: t`Failed to load wallet data`,
  processing: t`Withdrawals are processed manually in 1-3 business days.`,
  noAccount: t`Add the bank account to pay your coins to`,
} as const

/** The error for a session that has ended. */
export const notAuthenticated = () => new AppError(SIGNED_OUT, t`User not authenticated`)

/** The error for an amount the database would refuse, with its reason if there is one. */
export const notValid = (refusal: object) =>
  toAppError({ code: RULE_BROKEN, message: t`Validation failed`, ...refusal })

/** Returns why a withdrawal was refused: the database's sentence if it broke a rule, otherwise a general one. */
export function withdrawalFailure(problem: unknown): string {
  const { code, message, status } = toAppError(problem)
  // The session has ended, so the backend treats the person as a visitor.
  if (status === 401) return notAuthenticated().message
  if (code === RULE_BROKEN || code === SIGNED_OUT) return message
  return t`Failed to process withdrawal`
}

export const walletToasts = {
  requested: (amount: number) =>
    toastSuccess(t`Withdrawal Requested`, `${coinsInWords(amount)}. ${walletTexts.processing}`),
  requestFailed: (problem: unknown) => toastError(t`Withdrawal Failed`, withdrawalFailure(problem)),
  accountSaved: () => toastSuccess(t`Bank account saved`, t`We’ve also emailed you.`),
  accountFailed: (problem: unknown) =>
    toastError(t`Your bank account was not saved`, answerOf(problem, t`Please try again.`)),
}
