import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { reportToasts } from './reports.messages.ts'
import { type ReportDecision, reportKeys } from './reports.queries.ts'

/** Reports a person to staff. */
export const useReportPerson = (personId: string, onDone: () => void) =>
  useChange({
    run: (reason: string) => rpc('report_person', { p_person_id: personId, p_reason: reason }),
    done: () => {
      onDone()
      reportToasts.sent()
    },
    failed: reportToasts.failed,
  })

interface Decided {
  /** The reason, which the reported person can read unless the decision is `none`. */
  finding: string
  decision: ReportDecision
  /** The plan to hide. */
  planId?: string | null
  /** The length of a suspension; null if it has no end. */
  days?: number | null
}

/** Closes a report with a decision. */
export const useCloseReport = (id: string, onDone: () => void) =>
  useChange({
    run: ({ finding, decision, planId = null, days = null }: Decided) =>
      rpc('close_person_report', {
        p_report_id: id,
        p_finding: finding,
        p_decision: decision,
        p_subscription_id: planId,
        p_days: days,
      }),
    stale: [reportKeys.all],
    done: onDone,
    failed: reportToasts.failed,
  })
