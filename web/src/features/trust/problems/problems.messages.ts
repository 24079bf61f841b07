import { LIMITS } from '@potluck/supabase/limits'
import type { Problem } from '#domain/problems.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

/** What somebody says about a problem that is open. */
export type ProblemStep = 'fixed' | 'contest' | 'works' | 'still' | 'withdraw' | 'for-owner' | 'for-member'

export const problemToasts = {
  reported: (ownerName: string) =>
    toastSuccess('Reported', `${ownerName} is told. Nothing is earned or charged from now on.`),
  done: (step: ProblemStep, { ownerName, memberName }: Pick<Problem, 'ownerName' | 'memberName'>) => {
    switch (step) {
      case 'fixed':
        return toastSuccess('Thank you', `${memberName} is asked whether it works.`)
      case 'contest':
        return toastSuccess(
          'Our team looks at it',
          `It decides within ${LIMITS.problemDecisionAimHours} hours. Both of you read why.`,
        )
      case 'works':
        return toastSuccess('Good to hear', 'The problem is closed.')
      case 'still':
        return toastSuccess('Noted', 'You both read here how it goes on.')
      case 'withdraw':
        return toastSuccess('Taken back', 'Nothing changes.')
      case 'for-owner':
        return toastSuccess(`Decided for ${ownerName}`, 'Both read the reason.')
      case 'for-member':
        return toastSuccess(`Decided for ${memberName}`, 'Both read the reason.')
    }
  },
  failed: (problem: unknown) => explain(problem, 'That did not work. Please try again.'),
}
