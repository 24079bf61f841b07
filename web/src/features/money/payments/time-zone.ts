import { useMutation, useQueryClient } from '@tanstack/react-query'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'

/** Where the signed-in person's days begin; null while nobody has said so. */
export const timeZoneQuery = query({
  key: ['time-zone'],
  load: (signal): Promise<string | null> => rpc('my_time_zone', {}, signal),
})

export function useSetTimeZone() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (zone: string) => rpc('set_time_zone', { p_zone: zone }),
    onSuccess: (_saved, zone) => paymentToasts.zoneSaved(zone),
    onError: paymentToasts.failed,
    onSettled: () => cache.invalidateQueries({ queryKey: timeZoneQuery.queryKey }),
  })
}

/** The zones to choose from, with the one that is set. */
export function timeZones(current: string | null): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(current ? [current] : [])])]
}
