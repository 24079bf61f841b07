import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { supabase } from '#lib/supabase.ts'
import { answered } from './auth-answer.ts'

/** The signed-in person's authenticator app. */
export interface SecondFactor {
  id: string
  /** The recovery codes; null if the project does not offer them or the person has created none. */
  codes: { left: number; total: number } | null
}

/** The signed-in person's second factor; null if there is none. */
export const secondFactorQuery = query({
  key: [...SECURITY, 'second-factor'],
  load: async (): Promise<SecondFactor | null> => {
    const { mfa } = supabase().auth
    const { totp, recovery_code: made } = await answered(mfa.listFactors())
    const [app] = totp
    if (!app) return null
    if (made.length === 0) return { id: app.id, codes: null }
    const { remaining: left, total } = await answered(mfa.recoveryCodes.getStatus())
    return { id: app.id, codes: { left, total } }
  },
})
