import { useMutation, useQueryClient } from '@tanstack/react-query'
import { rpc } from '#lib/supabase.ts'
import { reportToasts } from './reports.messages.ts'
import { reportKeys } from './reports.queries.ts'

/** Has staff look at somebody. */
export function useReportPerson(personId: string, onDone: () => void) {
  return useMutation({
    mutationFn: (reason: string) => rpc('report_person', { p_person_id: personId, p_reason: reason }),
    onSuccess: () => {
      onDone()
      reportToasts.sent()
    },
    onError: reportToasts.failed,
  })
}

/** Says what staff found. */
export function useCloseReport(id: string, onDone: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (finding: string) => rpc('close_person_report', { p_report_id: id, p_finding: finding }),
    onSuccess: () => {
      onDone()
      reportToasts.closed()
    },
    onError: reportToasts.failed,
    onSettled: () => cache.invalidateQueries({ queryKey: reportKeys.all }),
  })
}
