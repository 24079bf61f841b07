import { plural, t } from '@lingui/core/macro'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { dayInWords } from '#domain/dates.ts'
import { guestHash } from '#domain/place-link.ts'
import type { Plan } from '#domain/plan.ts'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { useNow } from '#ui/use-now.ts'
import { planGuestsQuery } from './guests.ts'

const GuestDialog = lazyPart(async () => (await import('./GuestDialog.tsx')).GuestDialog)

interface GuestLineProps {
  plan: Plan
  personId: string
  seatId: string | undefined
  name: string
}

/** When a guest's link was opened, and a button to all that the owner does for them, which a notification may open. */
export function GuestLine({ plan, personId, seatId, name }: GuestLineProps) {
  const guest = useQuery(planGuestsQuery(plan.id)).data?.find((one) => one.personId === personId)
  const now = new Date(useNow())
  const navigate = useNavigate()
  const isMeant = useLocation().hash === guestHash(seatId ?? '')
  const [managing, { open, close }] = useDisclosure()
  const leave = () => {
    close()
    if (isMeant) void navigate({ to: '.', hash: '', search: true, replace: true, resetScroll: false })
  }
  return (
    <div>
      {guest?.notes.at(-1)?.byOwner === false && (
        <Text fw={600} c="var(--mantine-color-text)">
          {t`${name} has written you a note.`}
        </Text>
      )}
      {t`No account.`}{' '}
      {guest &&
        (guest.lastOpenedAt === null
          ? t`The link was never opened.`
          : t`The link was opened ${plural(guest.opened, { one: 'once', other: '# times' })}, last ${{ day: dayInWords(guest.lastOpenedAt, now) }}.`)}{' '}
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={open}
        aria-label={t`Link, notes and more for ${name}`}
      >
        {t`Link, notes and more`}
      </Button>
      {guest && (
        <LazyDialog opened={managing || isMeant}>
          {(opened) => <GuestDialog {...{ plan, guest, name, opened }} onClose={leave} />}
        </LazyDialog>
      )}
    </div>
  )
}
