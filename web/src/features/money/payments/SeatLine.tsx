import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { paymentTexts } from './payments.messages.ts'
import { openPaymentsQuery } from './payments.queries.ts'
import { SeatBadge } from './SeatBadge.tsx'
import { planSeatsQuery } from './seats.queries.ts'

/** A member's place in one line, for the plan's owner: the day it is paid until, or the amount due. */
export function SeatLine({ planId, memberId }: { planId: string; memberId: string }) {
  const seat = useQuery(planSeatsQuery(planId)).data?.find(
    (one) => one.memberId === memberId && one.status !== 'ended',
  )
  const due = useQuery(openPaymentsQuery(planId)).data?.find(({ seatId }) => seatId === seat?.id)
  if (!seat) return null
  return (
    <Group gap={6}>
      <SeatBadge seat={seat} />
      <Text inherit component="span">
        {due && !due.payable ? (
          paymentTexts.waitingForYou
        ) : due?.status === 'claimed' ? (
          t`${formatMoney(due.amount)} to be confirmed`
        ) : due?.status === 'disputed' ? (
          t`${formatMoney(due.amount)} disputed`
        ) : due ? (
          <Trans>
            {formatMoney(due.amount)} due <RelativeDate date={due.dueAt} />
          </Trans>
        ) : (
          seat.paidUntil && t`paid until ${fullDay(seat.paidUntil)}`
        )}
      </Text>
    </Group>
  )
}
