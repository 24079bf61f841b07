import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { renewalDateProblem } from '#domain/renewal.ts'

/** The rules of the create form on `today` (YYYY-MM-DD), with their messages. */
export const createPlanSchema = (today: string) =>
  z
    .object({
      cataloguePlanId: z.string().check(z.minLength(1)),
      name: z.string().check(z.minLength(1, t`Name is required`)),
      provider: z.string().check(z.minLength(1, t`Provider is required`)),
      category: z.string().check(z.minLength(1, t`Category is required`)),
      description: z.optional(z.string()),
      /** EUR for one cycle, fixed by the catalogue. */
      price: z.number({ error: t`Price must be positive` }).check(z.minimum(0, t`Price must be positive`)),
      billingCycle: z.enum(['monthly', 'yearly']),
      renewalDate: z.nullable(z.string()).check(
        z.superRefine((date, { addIssue }) => {
          const problem = renewalDateProblem(date, today)
          if (problem) addIssue(problem)
        }),
      ),
      maxMembers: wholeFrom1(t`Member count must be at least 1.`),
      providerMaxMembers: z.optional(wholeFrom1(t`Provider member count must be at least 1.`)),
      openSlots: z.int(),
      settlement: z.enum(['direct', 'potluck']),
      /** The fee rate that was shown to the person, such as 0.1. */
      feeRate: z.number(),
      isPrivate: z.boolean(),
    })
    .check(
      z.superRefine(({ openSlots, maxMembers }, { addIssue }) => {
        if (maxMembers >= 1 && (openSlots < 1 || openSlots > maxMembers - 1))
          addIssue({ code: 'custom', path: ['openSlots'], message: slotsProblem(maxMembers) })
      }),
    )

export type CreatePlanForm = z.infer<ReturnType<typeof createPlanSchema>>

function wholeFrom1(sentence: string) {
  return z.int({ error: sentence }).check(z.minimum(1, sentence))
}

function slotsProblem(maxMembers: number): string {
  return maxMembers < 2
    ? t`This plan covers one person and can’t be shared.`
    : t`Open slots must be between 1 and ${maxMembers - 1}.`
}
