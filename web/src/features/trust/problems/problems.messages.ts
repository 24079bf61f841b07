import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import type { Problem } from '#domain/problems.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

/** The answers to an open problem, by owner, member or staff. */
export type ProblemStep = 'fixed' | 'contest' | 'works' | 'still' | 'withdraw' | 'for-owner' | 'for-member'

export const problemToasts = {
  reported: (ownerName: string) =>
    toastSuccess(
      t({ message: 'Reported', context: 'just now' }),
      t`We’ve told ${ownerName}. No one earns or pays until it’s solved.`,
    ),
  done: (step: ProblemStep, { ownerName, memberName }: Pick<Problem, 'ownerName' | 'memberName'>) => {
    const aim = t`We decide within ${LIMITS.problemDecisionAimHours} hours and tell you both why.`
    const words: Record<ProblemStep, [title: string, text: string]> = {
      fixed: [t`Thank you`, t`We’ve asked ${memberName} whether it works.`],
      contest: [t`Our team is on it`, aim],
      works: [t`Problem closed`, t`Thanks for letting us know.`],
      still: [t`Noted`, t`You’ll both see what’s next here.`],
      withdraw: [t`Report withdrawn`, t`Nothing changes.`],
      'for-owner': [t`Decided for ${ownerName}`, t`Both can see the reason.`],
      'for-member': [t`Decided for ${memberName}`, t`Both can see the reason.`],
    }
    toastSuccess(...words[step])
  },
  paymentDecided: () => toastSuccess(t`Decided`, t`We’ve told both sides.`),
  failed: (problem: unknown) => explain(problem, t`That didn’t work. Please try again.`),
}
