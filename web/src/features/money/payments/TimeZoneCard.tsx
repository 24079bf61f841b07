import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { SettingsCard } from '#ui/SettingsCard.tsx'
import { timeZoneQuery, timeZones, useSetTimeZone } from './time-zone.ts'

/** The most zones worth scrolling through. */
const MOST_SHOWN = 40

/** Chooses the time zone in which paid months begin. */
export function TimeZoneCard() {
  const { data: zone } = useQuery(timeZoneQuery)
  const change = useSetTimeZone()
  return (
    <SettingsCard titleId="zone-title" title="Time zone">
      <Select
        label="Where you are"
        description="Months you pay for begin at midnight there. Those that run already stay as they are."
        data={timeZones(zone ?? null)}
        value={change.isPending ? change.variables : (zone ?? 'UTC')}
        disabled={zone === undefined}
        searchable
        limit={MOST_SHOWN}
        allowDeselect={false}
        nothingFoundMessage="No such time zone"
        onChange={(chosen) => chosen && change.mutate(chosen)}
      />
    </SettingsCard>
  )
}
