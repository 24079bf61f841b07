import { t } from '@lingui/core/macro'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDay } from '#domain/dates.ts'
import { paymentLine } from '#domain/payment-words.ts'
import { useNow } from '#ui/use-now.ts'
import { openPaymentsQuery } from './payments.queries.ts'
import { SeatBadge } from './SeatBadge.tsx'
import { planSeatsQuery } from './seats.queries.ts'

/** A member's place in one line, for the plan's owner: the day it is paid until, or the open payment. */
export function SeatLine({ planId, memberId }: { planId: string; memberId: string }) {
  const seat = useQuery(planSeatsQuery(planId)).data?.find(
    (one) => one.memberId === memberId && one.status !== 'ended',
  )
  const open = useQuery(openPaymentsQuery(planId)).data?.find(({ seatId }) => seatId === seat?.id)
  const now = useNow()
  if (!seat) return null
  return (
    <Group gap={6}>
      {/* The words about an open payment replace the badge, unless the place is ending or paused. */}
      {(!open || seat.status === 'ending' || seat.pausedUntil) && <SeatBadge seat={seat} />}
      <Text inherit component="span">
        {open
          ? paymentLine(open, 'owner', now)
          : seat.paidUntil && t`Paid until ${{ day: fullDay(seat.paidUntil) }}`}
      </Text>
    </Group>
  )
}
