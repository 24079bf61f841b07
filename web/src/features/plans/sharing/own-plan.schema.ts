import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import * as z from 'zod/mini'
import { renewalDateProblem } from '#domain/renewal.ts'
import { visibleLength } from '#domain/text.ts'

/** The rules of the form for an own plan on `today` (YYYY-MM-DD), with their messages. The database has the same. */
export const ownPlanSchema = (today: string) =>
  z.object({
    service: name(t`Please name the service`),
    plan: name(t`Plan name is required`),
    // The database also refuses a price that is too high for its currency.
    price: z.number({ error: t`Price must be positive` }).check(z.positive(t`Price must be positive`)),
    currency: z.string(),
    months: whole(1, LIMITS.longestCycle),
    people: whole(2, LIMITS.mostPeople),
    renewal: z.nullable(z.string()).check(
      z.superRefine((date, { addIssue }) => {
        const problem = renewalDateProblem(date, today)
        if (problem) addIssue(problem)
      }),
    ),
    website: z
      .string()
      .check(
        z.trim(),
        z.maxLength(LIMITS.longestWebsite, t`Please enter a valid URL`),
        z.regex(/^(https:\/\/[^\s/?#@\\]+\.[^\s/?#@\\]+([/?#]\S*)?)?$/i, t`Please enter a valid URL`),
      ),
    note: z.string().check(z.trim(), z.maxLength(LIMITS.longestPlanNote)),
  })

export type OwnPlan = z.infer<ReturnType<typeof ownPlanSchema>>

const name = (missing: string) =>
  z.string().check(
    z.trim(),
    z.refine((text) => visibleLength(text) > 0, missing),
    z.maxLength(LIMITS.longestPlanName, t`Please use up to ${LIMITS.longestPlanName} characters`),
  )

const whole = (least: number, most: number) => {
  const range = t`Please enter a whole number from ${least} to ${most}`
  return z.int({ error: range }).check(z.minimum(least, range), z.maximum(most, range))
}
