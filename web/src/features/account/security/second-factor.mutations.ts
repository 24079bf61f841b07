import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toAppError } from '#lib/errors.ts'
import { withProof } from '#lib/proof.ts'
import { SECURITY } from '#lib/security.ts'
import { supabase } from '#lib/supabase.ts'
import { secondFactorToasts } from './second-factor.messages.ts'

/** A new authenticator app, which counts once {@link enterCode} has had a code of it. */
export interface NewApp {
  id: string
  /** The address of a picture to scan. */
  picture: string
  /** The same as text, for typing it in. */
  secret: string
}

/** Begins to add an app; whatever was begun before and not finished goes. */
export async function addApp(): Promise<NewApp> {
  const { mfa } = supabase().auth
  const { data: known } = await supabase().auth.getUser()
  for (const { id, status } of known.user?.factors ?? [])
    if (status === 'unverified') await mfa.unenroll({ factorId: id })
  const { data, error } = await mfa.enroll({ factorType: 'totp', friendlyName: 'Authenticator app' })
  if (error) throw toAppError(error)
  return { id: data.id, picture: data.totp.qr_code, secret: data.totp.secret }
}

/** Shows the app's code: the session counts as fully signed in from then on. */
export async function enterCode(factorId: string, code: string): Promise<void> {
  const { error } = await supabase().auth.mfa.challengeAndVerify({ factorId, code: code.replace(/\s/g, '') })
  if (error) throw toAppError(error)
}

/** The same with a recovery code, which is used up by it. */
export async function enterRecoveryCode(code: string): Promise<void> {
  const { error } = await supabase().auth.mfa.recoveryCodes.verify({ code })
  if (error) throw toAppError(error)
}

/** Ten new recovery codes in place of those there are. Null where the project offers none. */
export async function makeRecoveryCodes(renew: boolean): Promise<string[] | null> {
  const { recoveryCodes } = supabase().auth.mfa
  const { data, error } = await (renew ? recoveryCodes.regenerate() : recoveryCodes.generate())
  if (!error) return data.codes
  // An older service knows no such route, a newer one may have it switched off.
  const problem = toAppError(error)
  const { status, code } = problem
  if (status === 404 || status === 405 || code.endsWith('_not_enabled')) return null
  throw problem
}

/** Takes the app, and the recovery codes that stand in for it, off the account. */
export function useRemoveApp(onDone: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, codesLeft }: { id: string; codesLeft: number | null }) =>
      withProof(async () => {
        const { mfa } = supabase().auth
        const codes = codesLeft === null ? null : await mfa.recoveryCodes.unenroll()
        const { error } = codes?.error ? codes : await mfa.unenroll({ factorId: id })
        if (error) throw toAppError(error)
        // The token still says otherwise.
        await supabase().auth.refreshSession()
      }),
    onSuccess: secondFactorToasts.removed,
    onError: secondFactorToasts.failed,
    onSettled: () => {
      onDone()
      return cache.invalidateQueries({ queryKey: SECURITY })
    },
  })
}
