import { LIMITS } from '@potluck/supabase/limits'
import type { Problem } from '#domain/problems.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

/** What somebody says about a problem that is open. */
export type ProblemStep = 'fixed' | 'contest' | 'works' | 'still' | 'withdraw' | 'for-owner' | 'for-member'

export const problemToasts = {
  reported: (ownerName: string) =>
    toastSuccess('Reported', `${ownerName} is told. Nothing is earned or charged from now on.`),
  done: (step: ProblemStep, { ownerName, memberName }: Pick<Problem, 'ownerName' | 'memberName'>) => {
    const aim = `It decides within ${LIMITS.problemDecisionAimHours} hours. Both of you read why.`
    const words: Record<ProblemStep, [title: string, text: string]> = {
      fixed: ['Thank you', `${memberName} is asked whether it works.`],
      contest: ['Our team looks at it', aim],
      works: ['Good to hear', 'The problem is closed.'],
      still: ['Noted', 'You both read here how it goes on.'],
      withdraw: ['Taken back', 'Nothing changes.'],
      'for-owner': [`Decided for ${ownerName}`, 'Both read the reason.'],
      'for-member': [`Decided for ${memberName}`, 'Both read the reason.'],
    }
    toastSuccess(...words[step])
  },
  failed: (problem: unknown) => explain(problem, 'That did not work. Please try again.'),
}
