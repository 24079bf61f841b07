import type { Measure, Reasons } from '#features/account/decisions/decisions.ts'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { caseToasts } from './cases.messages.ts'
import { type Case, caseKeys, type Outcome } from './cases.queries.ts'

interface Closed {
  outcome: Outcome
  /** What the writer reads; a decision needs none. */
  answer?: string
  reasons?: Reasons
  /** The plan to hide, if a person was reported. */
  planId?: string | null
  /** The length of a suspension; null if it has no end. */
  days?: number | null
}

/** Closes a case. */
export const useCloseCase = ({ id, kind, writerName, personName }: Case, onDone: () => void) =>
  useChange({
    run: ({ outcome, answer, reasons, planId, days }: Closed) =>
      rpc('close_case', {
        p_case_id: id,
        p_outcome: outcome,
        p_answer: answer ?? null,
        p_reasons: reasons ? { ...reasons } : null,
        p_plan_id: planId ?? null,
        p_days: days ?? null,
      }),
    stale: [caseKeys.all],
    done: () => {
      onDone()
      caseToasts.closed(kind === 'appeal' ? personName : writerName)
    },
    failed: caseToasts.failed,
  })

/** Decides about a person without a report. */
export const useDecideAbout = (personId: string, onDone: () => void) =>
  useChange({
    run: ({ measure, reasons, days }: { measure: Measure; reasons: Reasons; days: number | null }) =>
      rpc('decide_about', {
        p_person_id: personId,
        p_measure: measure,
        p_reasons: { ...reasons },
        p_subject_id: null,
        p_days: days,
      }),
    stale: [['staff-person', personId]],
    done: onDone,
    failed: caseToasts.failed,
  })
