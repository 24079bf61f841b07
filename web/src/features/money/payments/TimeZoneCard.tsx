import { t } from '@lingui/core/macro'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '#lib/change.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { paymentToasts } from './payments.messages.ts'

/** The signed-in person's time zone (IANA name); null until it is chosen. */
const timeZoneQuery = query({
  key: ['time-zone'],
  load: (signal): Promise<string | null> => rpc('my_time_zone', {}, signal),
})

const useSetTimeZone = () =>
  useChange({
    run: (zone: string) => rpc('set_time_zone', { p_zone: zone }),
    stale: [timeZoneQuery.queryKey],
    done: (_saved, zone) => paymentToasts.zoneSaved(zone),
    failed: paymentToasts.failed,
  })

/** The maximum number of zones in the list. */
const MOST_SHOWN = 40

/** Lets the person choose the time zone for paid months, mails and the calendar feed. */
export function TimeZoneCard() {
  const { data: zone } = useQuery(timeZoneQuery)
  const change = useSetTimeZone()
  return (
    <SectionCard titleId="zone-title" title={t`Time zone`}>
      <Select
        aria-labelledby="zone-title"
        description={t`Your paid months start at midnight in this time zone.`}
        descriptionProps={{ mb: 6 }}
        data={timeZones(zone ?? null)}
        value={change.isPending ? change.variables : (zone ?? null)}
        disabled={zone === undefined}
        searchable
        limit={MOST_SHOWN}
        allowDeselect={false}
        nothingFoundMessage={t`No time zone found`}
        onChange={(chosen) => chosen && change.mutate(chosen)}
      />
    </SectionCard>
  )
}

/** The zones to choose from, including the current one. */
function timeZones(current: string | null): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(current ? [current] : [])])]
}
