import { toAppError } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { supabase } from '#lib/supabase.ts'
import { askAuth } from './recovery-codes.ts'

/** The signed-in person's authenticator app and how many recovery codes are left; null where there is no app. */
export interface SecondFactor {
  id: string
  /** Null where the project has no recovery codes, or the person made none. */
  codesLeft: number | null
}

export const secondFactorQuery = query({
  key: ['second-factor'],
  load: async (): Promise<SecondFactor | null> => {
    // Not listFactors(): this version of the client knows no recovery codes, and fails where there are some.
    const { data, error } = await supabase().auth.getUser()
    if (error) throw toAppError(error)
    const factors = data.user.factors ?? []
    const app = factors.find(({ factor_type: type, status }) => type === 'totp' && status === 'verified')
    if (!app) return null
    const hasCodes = factors.some(({ factor_type: type }) => String(type) === 'recovery_code')
    if (!hasCodes) return { id: app.id, codesLeft: null }
    const { remaining } = await askAuth<{ remaining: number }>('GET', '')
    return { id: app.id, codesLeft: remaining }
  },
})
