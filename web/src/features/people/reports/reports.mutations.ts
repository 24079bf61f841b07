import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { reportToasts } from './reports.messages.ts'
import { reportKeys } from './reports.queries.ts'

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

/** Closes a report with staff's finding. */
export const useCloseReport = (id: string, onDone: () => void) =>
  useChange({
    run: (finding: string) => rpc('close_person_report', { p_report_id: id, p_finding: finding }),
    stale: [reportKeys.all],
    done: () => {
      onDone()
      reportToasts.closed()
    },
    failed: reportToasts.failed,
  })
