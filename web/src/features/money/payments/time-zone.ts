import { useChange } from '#lib/change.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'

/** The signed-in person's time zone; null until it is chosen. */
export const timeZoneQuery = query({
  key: ['time-zone'],
  load: (signal): Promise<string | null> => rpc('my_time_zone', {}, signal),
})

export const useSetTimeZone = () =>
  useChange({
    run: (zone: string) => rpc('set_time_zone', { p_zone: zone }),
    stale: [timeZoneQuery.queryKey],
    done: (_saved, zone) => paymentToasts.zoneSaved(zone),
    failed: paymentToasts.failed,
  })

/** The zones to choose from, including the current one. */
export function timeZones(current: string | null): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(current ? [current] : [])])]
}
