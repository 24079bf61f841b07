import { t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { useChange } from '#lib/change.ts'
import { answerOf } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { ShareLink } from '#ui/ShareLink.tsx'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import { calendarAddress } from './calendar-address.ts'

/** The card to create, copy, replace or turn off the URL at which calendar programs read renewals and due dates. */
export function CalendarCard() {
  const { data: since } = useQuery(calendarQuery)
  const [asked, setAsked] = useState<'replace' | 'end' | null>(null)
  const make = useMakeCalendar()
  const end = useEndCalendar()
  const close = () => setAsked(null)
  const token = since ? make.data : undefined
  return (
    <SectionCard
      titleId="calendar-title"
      title={t`Calendar`}
      gap={since ? 'md' : 'xs'}
      aside={
        !since && (
          <Button
            variant="default"
            leftSection={<IconCalendarPlus size={18} />}
            disabled={since === undefined}
            loading={make.isPending}
            onClick={() => make.mutate()}
          >
            {t`Create link`}
          </Button>
        )
      }
    >
      <Text c="dimmed">{t`See your renewals and due dates in your own calendar app.`}</Text>
      {token && <ShareLink link={calendarAddress(token)} copies={t`Copy address`} />}
      {since && (
        <Text size="sm">
          {token
            ? t`Copy it now, as we show it only once. Anyone who has it can see these dates.`
            : t`Created on ${fullDay(since)}. Lost it? Replace it.`}
        </Text>
      )}
      {since && (
        <Group gap="sm">
          <Button variant="default" onClick={() => setAsked('replace')}>
            {t`Replace link`}
          </Button>
          <Button variant="subtle" color="beet" onClick={() => setAsked('end')}>
            {t`Turn off`}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={asked === 'replace'}
        title={t`Replace the calendar link?`}
        confirmLabel={t`Replace link`}
        color="clay"
        busy={make.isPending}
        onConfirm={() => make.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        {t`Calendars using the old link stop updating.`}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'end'}
        title={t`Turn off the calendar?`}
        confirmLabel={t`Turn off`}
        cancelLabel={t`Keep calendar`}
        busy={end.isPending}
        onConfirm={() => end.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        {t`Calendars using your link stop updating.`}
      </ConfirmDialog>
    </SectionCard>
  )
}

/** When the signed-in person's calendar URL was created, as an ISO timestamp; null if there is none. */
const calendarQuery = query({
  key: ['calendar'],
  load: (signal): Promise<string | null> => rpc('get_calendar', {}, signal),
})

const stale = [calendarQuery.queryKey]
const failed = (problem: unknown) =>
  toastError(t`Your calendar was not changed`, answerOf(problem, t`Please try again.`))

/** Creates or replaces the calendar URL. Returns its secret, which cannot be read again. */
const useMakeCalendar = () => useChange({ run: () => rpc('make_calendar', {}), stale, failed })

const useEndCalendar = () =>
  useChange({
    run: () => rpc('end_calendar', {}),
    stale,
    done: () => toastSuccess(t`Calendar turned off`, t`Its link no longer works.`),
    failed,
  })
