import { LIMITS } from '@potluck/supabase/limits'
import type { Problem } from '#domain/problems.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

/** What somebody says about a problem that is open. */
export type ProblemStep = 'fixed' | 'contest' | 'works' | 'still' | 'withdraw' | 'for-owner' | 'for-member'

export const problemToasts = {
  reported: (ownerName: string) =>
    toastSuccess('Reported', `We’ve told ${ownerName}. No one earns or pays until it’s solved.`),
  done: (step: ProblemStep, { ownerName, memberName }: Pick<Problem, 'ownerName' | 'memberName'>) => {
    const aim = `We decide within ${LIMITS.problemDecisionAimHours} hours and tell you both why.`
    const words: Record<ProblemStep, [title: string, text: string]> = {
      fixed: ['Thank you', `We’ve asked ${memberName} whether it works.`],
      contest: ['Our team is on it', aim],
      works: ['Problem closed', 'Thanks for letting us know.'],
      still: ['Noted', 'You’ll both see what’s next here.'],
      withdraw: ['Report withdrawn', 'Nothing changes.'],
      'for-owner': [`Decided for ${ownerName}`, 'Both can see the reason.'],
      'for-member': [`Decided for ${memberName}`, 'Both can see the reason.'],
    }
    toastSuccess(...words[step])
  },
  failed: (problem: unknown) => explain(problem, 'That didn’t work. Please try again.'),
}
