import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import * as z from 'zod/mini'
import { visibleLength } from '#domain/text.ts'

// The database uses the same regular expression.
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
    LIMITS.shortestRequesterName,
    LIMITS.longestFullName,
    t`Name is required`,
    t`Name can be at most ${LIMITS.longestFullName} characters`,
  ),
  email: z
    .string()
    .check(
      z.trim(),
      z.maxLength(LIMITS.longestAddress, t`Valid email is required`),
      z.regex(ADDRESS, t`Valid email is required`),
    ),
  reason: text(
    LIMITS.shortestAccessReason,
    LIMITS.longestAccessReason,
    t`Please provide a detailed reason for your request`,
    t`The reason can be at most ${LIMITS.longestAccessReason} characters`,
  ),
})

/** The valid values of the form, trimmed. */
export type NewRoleRequest = z.infer<typeof roleRequestSchema>
