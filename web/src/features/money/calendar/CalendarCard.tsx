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
      <Text c="dimmed">See your renewals and due dates in your own calendar app.</Text>
      {token && <ShareLink link={addressOf(token)} name="address" />}
      {since && (
        <Text size="sm">
          {token
            ? 'Copy it now, as we show it only once. Anyone who has it can see these dates.'
            : `Created on ${fullDay(since)}. Lost it? Replace it.`}
        </Text>
      )}
      {since ? (
        <Group gap="sm">
          <Button variant="default" onClick={() => setAsked('replace')}>
            Replace link
          </Button>
          <Button variant="subtle" color="beet" onClick={() => setAsked('end')}>
            {' '}
            Turn off{' '}
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
          Create calendar link
        </Button>
      )}
      <ConfirmDialog
        opened={asked === 'replace'}
        title="Replace the calendar link?"
        confirmLabel="Replace link"
        color="clay"
        busy={make.isPending}
        onConfirm={() => make.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        Calendars using the old link stop updating.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'end'}
        title="Turn off the calendar?"
        confirmLabel="Turn off"
        cancelLabel="Keep calendar"
        busy={end.isPending}
        onConfirm={() => end.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        Calendars using your link stop updating.
      </ConfirmDialog>
    </SectionCard>
  )
}
