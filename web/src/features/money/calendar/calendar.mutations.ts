import { useMutation, useQueryClient } from '@tanstack/react-query'
import { rpc } from '#lib/supabase.ts'
import { calendarToasts } from './calendar.messages.ts'
import { calendarQuery } from './calendar.queries.ts'

/** Makes the address or replaces it; gives the secret in it, which is told this once. */
export function useMakeCalendar() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => rpc('make_calendar', {}),
    onError: calendarToasts.failed,
    onSettled: () => cache.invalidateQueries({ queryKey: calendarQuery.queryKey }),
  })
}

export function useEndCalendar() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => rpc('end_calendar', {}),
    onSuccess: calendarToasts.ended,
    onError: calendarToasts.failed,
    onSettled: () => cache.invalidateQueries({ queryKey: calendarQuery.queryKey }),
  })
}
