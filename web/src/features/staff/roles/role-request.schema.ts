import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import * as z from 'zod/mini'
import { visibleLength } from '#domain/text.ts'

/** Maximum length in characters, as in the database. */
const LONGEST_EMAIL = 254

// The database uses the same expression.
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

const text = (least: number, most: number, tooShort: string, tooLong: string) =>
  z.string().check(
    z.trim(),
    z.refine((value) => visibleLength(value) >= least, tooShort),
    z.refine((value) => [...value].length <= most, tooLong),
  )

/** The form's rules, with their messages. */
export const roleRequestSchema = z.object({
  name: text(
    2,
    LIMITS.longestFullName,
    t`Name is required`,
    t`Name can be at most ${LIMITS.longestFullName} characters`,
  ),
  email: z
    .string()
    .check(
      z.trim(),
      z.maxLength(LONGEST_EMAIL, t`Valid email is required`),
      z.regex(ADDRESS, t`Valid email is required`),
    ),
  reason: text(
    10,
    LIMITS.longestAccessReason,
    t`Please provide a detailed reason for your request`,
    t`The reason can be at most ${LIMITS.longestAccessReason} characters`,
  ),
})

/** The valid values of the form, trimmed. */
export type NewRoleRequest = z.infer<typeof roleRequestSchema>
