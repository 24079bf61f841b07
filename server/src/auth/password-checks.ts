// Refuses passwords that may not become somebody's password.
import { findWeakness, type PasswordRules } from '#identity/password-rules.ts'
import { LONGEST_PASSWORD } from '#identity/passwords.ts'
import { invalid, weakPassword } from './errors.ts'

/** Throws 400 when bcrypt could not hold all of it. */
export function requireStorablePassword(password: string): void {
  if (Buffer.byteLength(password) > LONGEST_PASSWORD) {
    throw invalid(`Password cannot be longer than ${LONGEST_PASSWORD} characters`)
  }
}

/** Throws 400, or 422 weak_password with the reasons. */
export function requireGoodPassword(password: string, rules: PasswordRules): void {
  requireStorablePassword(password)
  const weakness = findWeakness(password, rules)
  if (weakness) throw weakPassword(weakness)
}
