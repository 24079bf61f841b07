import { t } from '@lingui/core/macro'
import { Badge } from '@mantine/core'
import type { OwnSeat, SeatStatus } from '#domain/seats.ts'

const LOOKS: Record<SeatStatus | 'paused', { label: string; color: string }> = {
  paying: { label: t({ message: 'Paying', context: 'a member' }), color: 'honey' },
  active: { label: t({ message: 'Active', context: 'a member' }), color: 'herb' },
  late: { label: t`Late`, color: 'beet' },
  ending: { label: t({ message: 'Leaving', context: 'a member' }), color: 'gray' },
  paused: { label: t({ message: 'Paused', context: 'a member' }), color: 'honey' },
  ended: { label: t`Ended`, color: 'gray' },
}

interface SeatBadgeProps {
  seat: Pick<OwnSeat, 'status' | 'pausedUntil'>
  /** True if a payment is open. The place is not called active then, since the words about the payment are nearby. */
  owes?: boolean
}

/** A badge with the state of a place. */
export function SeatBadge({ seat: { status, pausedUntil }, owes = false }: SeatBadgeProps) {
  const state = pausedUntil ? 'paused' : status
  if (owes && state === 'active') return null
  const { label, color } = LOOKS[state]
  return (
    <Badge variant="light" color={color} tt="none" flex="none">
      {label}
    </Badge>
  )
}
