import { t } from '@lingui/core/macro'
import { useChange } from '#lib/change.ts'
import { toAppError } from '#lib/errors.ts'
import { withProof, withProofToEnrol } from '#lib/proof.ts'
import { SECURITY } from '#lib/security.ts'
import { supabase } from '#lib/supabase.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import { answered } from './auth-answer.ts'
import type { SecondFactor } from './second-factor.queries.ts'

/** A new authenticator app. It takes effect once {@link enterCode} has accepted a code from it. */
export interface NewApp {
  id: string
  /** The URL of the QR code. */
  picture: string
  /** The secret as text, for typing. */
  secret: string
}

/** Starts adding an app, and removes apps that were started but never confirmed. */
export async function addApp(): Promise<NewApp> {
  const { mfa } = supabase().auth
  const { data: known } = await supabase().auth.getUser()
  for (const { id, status } of known.user?.factors ?? [])
    if (status === 'unverified') await mfa.unenroll({ factorId: id })
  const { id, totp } = await withProofToEnrol(() =>
    answered(mfa.enroll({ factorType: 'totp', friendlyName: t`Authenticator app` })),
  )
  return { id, picture: totp.qr_code, secret: totp.secret }
}

/** Verifies a code from the app. Afterwards the session counts as fully signed in. */
export const enterCode = (factorId: string, code: string) =>
  answered(supabase().auth.mfa.challengeAndVerify({ factorId, code: code.replace(/\s/g, '') }))

/** Verifies a recovery code, which can be used once. */
export const enterRecoveryCode = (code: string) =>
  answered(supabase().auth.mfa.recoveryCodes.verify({ code }))

/** Creates recovery codes, which replace the old ones. Returns null if the project does not offer them. */
export async function makeRecoveryCodes(renew: boolean): Promise<string[] | null> {
  const { recoveryCodes } = supabase().auth.mfa
  const { data, error } = await (renew ? recoveryCodes.regenerate() : recoveryCodes.generate())
  if (!error) return data.codes
  // An older auth service lacks the route for recovery codes; a newer one may have it disabled.
  const problem = toAppError(error)
  const { status, code } = problem
  if (status === 404 || status === 405 || code.endsWith('_not_enabled')) return null
  throw problem
}

const saySecondFactorFailed = (problem: unknown) =>
  toastError(t`Two-step sign-in not changed`, toAppError(problem).message || undefined)

/** Creates new recovery codes for an account that has an app. */
export const useRenewCodes = (onMade: (codes: string[] | null) => void) =>
  useChange({
    run: ({ codes }: Pick<SecondFactor, 'codes'>) =>
      withProofToEnrol(() => makeRecoveryCodes(codes !== null)),
    stale: [SECURITY],
    done: onMade,
    failed: saySecondFactorFailed,
  })

/** Removes the app and its recovery codes from the account. */
export const useRemoveApp = (onDone: () => void) =>
  useChange({
    run: ({ id, codes }: SecondFactor) =>
      withProof(async () => {
        const { mfa } = supabase().auth
        if (codes !== null) await answered(mfa.recoveryCodes.unenroll())
        await answered(mfa.unenroll({ factorId: id }))
        // Gets a new token, since the current one still claims the second factor.
        await supabase().auth.refreshSession()
      }),
    stale: [SECURITY],
    done: () => {
      toastSuccess(t`Two-step sign-in is off`, t`You now sign in with just your password.`)
      onDone()
    },
    failed: (problem) => {
      saySecondFactorFailed(problem)
      onDone()
    },
  })
