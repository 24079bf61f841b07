import { t } from '@lingui/core/macro'
import { Badge } from '@mantine/core'
import { accessStep, type OwnSeat, type SeatStatus } from '#domain/seats.ts'

const LOOKS: Record<SeatStatus | 'paused' | 'waiting', { label: string; color: string }> = {
  paying: { label: t({ message: 'Paying', context: 'a member' }), color: 'honey' },
  active: { label: t({ message: 'Active', context: 'a member' }), color: 'herb' },
  waiting: { label: t`Waiting for access`, color: 'honey' },
  late: { label: t`Late`, color: 'beet' },
  ending: { label: t({ message: 'Leaving', context: 'a member' }), color: 'gray' },
  paused: { label: t({ message: 'Paused', context: 'a member' }), color: 'honey' },
  ended: { label: t`Ended`, color: 'gray' },
}

interface SeatBadgeProps {
  seat: Pick<OwnSeat, 'status' | 'pausedUntil'> & Parameters<typeof accessStep>[0]
  /** True if a payment is open. The place is not called active then, since the words about the payment are nearby. */
  owes?: boolean
}

/** A badge with the state of a place. */
export function SeatBadge({ seat, owes = false }: SeatBadgeProps) {
  const state = seat.pausedUntil ? 'paused' : seat.status
  const isActive = state === 'active'
  if (owes && isActive) return null
  const { label, color } = LOOKS[isActive && accessStep(seat) === 'waiting' ? 'waiting' : state]
  return (
    <Badge variant="light" color={color} tt="none" flex="none">
      {label}
    </Badge>
  )
}
