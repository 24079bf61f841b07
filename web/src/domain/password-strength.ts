import { t } from '@lingui/core/macro'

/** Sign-in and sign-up are not attempted with a shorter password. */
export const SHORTEST_EVER = 6
/** The minimum for a new password. The auth service requires the same. */
const SHORTEST_PASSWORD = 8

/** The five rules for a new password, in the order they are shown. */
const rules = [
  {
    label: t`At least ${SHORTEST_PASSWORD} characters`,
    test: (password: string) => password.length >= SHORTEST_PASSWORD,
  },
  { label: t`One uppercase letter`, test: (password: string) => /[A-Z]/.test(password) },
  { label: t`One lowercase letter`, test: (password: string) => /[a-z]/.test(password) },
  { label: t`One number`, test: (password: string) => /[0-9]/.test(password) },
  {
    label: t`One special character, such as ! or ?`,
    test: (password: string) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
  },
]

export interface StrengthRule {
  label: string
  met: boolean
}

/** Each rule with whether this password meets it. */
export function passwordStrength(password: string): StrengthRule[] {
  return rules.map(({ label, test }) => ({ label, met: test(password) }))
}

export function isStrongPassword(password: string): boolean {
  return rules.every(({ test }) => test(password))
}
