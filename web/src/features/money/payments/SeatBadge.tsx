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

/** A badge with the state of a place. */
export function SeatBadge({
  seat: { status, pausedUntil },
}: {
  seat: Pick<OwnSeat, 'status' | 'pausedUntil'>
}) {
  const { label, color } = LOOKS[pausedUntil ? 'paused' : status]
  return (
    <Badge variant="light" color={color} tt="none" flex="none">
      {label}
    </Badge>
  )
}
