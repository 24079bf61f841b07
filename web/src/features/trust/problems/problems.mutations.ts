import type { Problem, Reason } from '#domain/problems.ts'
import type { OwnSeat } from '#domain/seats.ts'
import { seatKeys } from '#features/money/payments/seats.queries.ts'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { type ProblemStep, problemToasts } from './problems.messages.ts'
import { problemKeys } from './problems.queries.ts'

const always = { stale: [problemKeys.all, seatKeys.all], failed: problemToasts.failed }

/** Reports a problem with a place. `onReported` is called even if a live change closes the form first. */
export const useReport = ({ id, ownerName }: OwnSeat, onReported: (problemId: string) => void) =>
  useChange({
    ...always,
    run: ({ reason, note }: { reason: Reason; note: string }) =>
      rpc('report_problem', { p_seat_id: id, p_reason: reason, p_note: note.trim() }),
    done: (problemId) => {
      problemToasts.reported(ownerName)
      onReported(problemId)
    },
  })

/** Sends an answer of owner, member or staff to a problem. */
export const useProblemStep = (problem: Problem, onDone?: () => void) =>
  useChange({
    ...always,
    run: async ({ step, note = '' }: { step: ProblemStep; note?: string }) => {
      const said = { p_problem_id: problem.id, p_note: note.trim() }
      if (step === 'fixed') await rpc('say_fixed', said)
      else if (step === 'contest') await rpc('contest_problem', said)
      else if (step === 'works' || step === 'still')
        await rpc('answer_fix', { ...said, p_works: step === 'works' })
      else if (step === 'withdraw') await rpc('drop_problem', { p_problem_id: problem.id })
      else
        await rpc('decide_problem', {
          p_problem_id: problem.id,
          p_for_member: step === 'for-member',
          p_reason: note.trim(),
        })
    },
    done: (_done, { step }) => {
      problemToasts.done(step, problem)
      onDone?.()
    },
  })
