import { toAppError } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { supabase } from '#lib/supabase.ts'

/** The signed-in person's authenticator app and how many recovery codes are left; null where there is no app. */
export interface SecondFactor {
  id: string
  /** Null where the project has no recovery codes, or the person made none. */
  codesLeft: number | null
}

export const secondFactorQuery = query({
  key: [...SECURITY, 'second-factor'],
  load: async (): Promise<SecondFactor | null> => {
    const { mfa } = supabase().auth
    const { data, error } = await mfa.listFactors()
    if (error) throw toAppError(error)
    const [app] = data.totp
    if (!app) return null
    if (data.recovery_code.length === 0) return { id: app.id, codesLeft: null }
    const codes = await mfa.recoveryCodes.getStatus()
    if (codes.error) throw toAppError(codes.error)
    return { id: app.id, codesLeft: codes.data.remaining }
  },
})
