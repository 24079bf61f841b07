import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Problem, Reason } from '#domain/problems.ts'
import type { OwnSeat } from '#domain/seats.ts'
import { seatKeys } from '#features/money/payments/seats.queries.ts'
import { rpc } from '#lib/supabase.ts'
import { type ProblemStep, problemToasts } from './problems.messages.ts'
import { problemKeys } from './problems.queries.ts'

/** "Something is wrong" with a place. `onReported` is called even if the live change takes the form away first. */
export function useReport({ id, ownerName }: OwnSeat, onReported: (problemId: string) => void) {
  const reload = useReload()
  return useMutation({
    mutationFn: ({ reason, note }: { reason: Reason; note: string }) =>
      rpc('report_problem', { p_seat_id: id, p_reason: reason, p_note: note.trim() }),
    onSuccess: (problemId) => {
      problemToasts.reported(ownerName)
      onReported(problemId)
    },
    onError: problemToasts.failed,
    onSettled: reload,
  })
}

/** What the owner, the member or staff says about a problem. */
export function useProblemStep(problem: Problem, onDone?: () => void) {
  const reload = useReload()
  return useMutation({
    mutationFn: async ({ step, note = '' }: { step: ProblemStep; note?: string }) => {
      const said = { p_problem_id: problem.id, p_note: note.trim() }
      if (step === 'fixed') await rpc('say_fixed', said)
      else if (step === 'contest') await rpc('contest_problem', said)
      else if (step === 'works' || step === 'still')
        await rpc('answer_fix', { ...said, p_works: step === 'works' })
      else if (step === 'withdraw') await rpc('withdraw_problem', { p_problem_id: problem.id })
      else
        await rpc('decide_problem', {
          p_problem_id: problem.id,
          p_for_member: step === 'for-member',
          p_reason: note.trim(),
        })
    },
    onSuccess: (_done, { step }) => {
      problemToasts.done(step, problem)
      onDone?.()
    },
    onError: problemToasts.failed,
    onSettled: reload,
  })
}

function useReload() {
  const cache = useQueryClient()
  return () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: problemKeys.all }),
      cache.invalidateQueries({ queryKey: seatKeys.all }),
    ])
}
