// Says what a new password lacks, in the words of Supabase Auth.

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const SYMBOLS = '!@#$%^&*()_+-=[]{};\'\\:"|<>?,./`~'

const CHARACTER_SETS = {
  '': [],
  letters_digits: [LOWER + UPPER, DIGITS],
  lower_upper_letters_digits: [LOWER, UPPER, DIGITS],
  lower_upper_letters_digits_symbols: [LOWER, UPPER, DIGITS, SYMBOLS],
} as const

export type CharacterRule = keyof typeof CHARACTER_SETS
export const CHARACTER_RULES = Object.keys(CHARACTER_SETS) as [CharacterRule, ...CharacterRule[]]

export interface PasswordRules {
  /** In bytes of UTF-8. */
  minimumLength: number
  characters: CharacterRule
}

export interface Weakness {
  message: string
  reasons: ('length' | 'characters')[]
}

/** What is wrong with the password under the rules, or null. */
export function findWeakness(password: string, rules: PasswordRules): Weakness | null {
  const messages: string[] = []
  const reasons: Weakness['reasons'] = []
  if (Buffer.byteLength(password) < rules.minimumLength) {
    reasons.push('length')
    messages.push(`Password should be at least ${rules.minimumLength} characters.`)
  }
  const sets: readonly string[] = CHARACTER_SETS[rules.characters]
  if (!sets.every((set) => [...password].some((character) => set.includes(character)))) {
    reasons.push('characters')
    messages.push(`Password should contain at least one character of each: ${sets.join(', ')}.`)
  }
  return reasons.length > 0 ? { message: messages.join(' '), reasons } : null
}
