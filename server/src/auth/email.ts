// What counts as an e-mail address: the HTML standard's definition, as in Supabase Auth.
import { z } from 'zod'
import { invalid } from './errors.ts'

const ADDRESS = z.regexes.html5Email
const LONGEST = 255

/** The address in lower case; throws 400 validation_failed. */
export function readEmail(given: string): string {
  if (given === '') throw invalid('An email address is required')
  if (given.length > LONGEST) throw invalid('An email address is too long')
  // Before lower-casing, which turns some letters beyond ASCII into ASCII ones.
  if (!ADDRESS.test(given)) throw invalid('Unable to validate email address: invalid format')
  return given.toLowerCase()
}

/** The address lower-cased if it can be one at all, for looking up an account; null when no account can have it. */
export const emailToLookUp = (given: string): string | null =>
  given.length <= LONGEST && ADDRESS.test(given) ? given.toLowerCase() : null
