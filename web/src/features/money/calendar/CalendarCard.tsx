import { Button, Group, Text } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { ShareLink } from '#ui/ShareLink.tsx'
import { addressOf, calendarQuery, useEndCalendar, useMakeCalendar } from './calendar.ts'

/** The address where a calendar program reads renewals and due dates: made, copied, replaced, switched off. */
export function CalendarCard() {
  const { data: since } = useQuery(calendarQuery)
  const [asked, setAsked] = useState<'replace' | 'end' | null>(null)
  const make = useMakeCalendar()
  const end = useEndCalendar()
  const close = () => setAsked(null)
  const token = since ? make.data : undefined
  return (
    <SectionCard titleId="calendar-title" title="Calendar" align="flex-start">
      <Text c="dimmed">
        Have your renewals and due dates in your own calendar: subscribe there to an address that is yours
        alone.
      </Text>
      {token && <ShareLink link={addressOf(token)} name="address" />}
      {since && (
        <Text size="sm">
          {token
            ? 'Copy it now, as it is shown only this once. Whoever has it can read these dates, and nothing else.'
            : `Your calendar has had its address since ${fullDay(since)}. If you have lost it, replace it.`}
        </Text>
      )}
      {since ? (
        <Group gap="sm">
          <Button variant="default" onClick={() => setAsked('replace')}>
            Replace Address
          </Button>
          <Button variant="subtle" color="beet" onClick={() => setAsked('end')}>
            Switch Off
          </Button>
        </Group>
      ) : (
        <Button
          variant="default"
          leftSection={<IconCalendarPlus size={18} />}
          disabled={since === undefined}
          loading={make.isPending}
          onClick={() => make.mutate()}
        >
          Make an Address
        </Button>
      )}
      <ConfirmDialog
        opened={asked === 'replace'}
        title="Replace the address?"
        confirmLabel="Replace Address"
        color="clay"
        busy={make.isPending}
        onConfirm={() => make.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        Calendars that read the old one get nothing more until you give them the new one.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'end'}
        title="Switch the calendar off?"
        confirmLabel="Switch Off"
        busy={end.isPending}
        onConfirm={() => end.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        Calendars that read its address get nothing more.
      </ConfirmDialog>
    </SectionCard>
  )
}
