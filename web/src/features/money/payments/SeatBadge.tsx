import { Badge } from '@mantine/core'
import type { SeatStatus } from '#domain/seats.ts'

const LOOKS: Record<SeatStatus, { label: string; color: string }> = {
  paying: { label: 'Paying', color: 'honey' },
  active: { label: 'Active', color: 'herb' },
  late: { label: 'Late', color: 'beet' },
  ending: { label: 'Leaving', color: 'gray' },
  ended: { label: 'Ended', color: 'gray' },
}

/** How a place stands, at a glance. */
export function SeatBadge({ status }: { status: SeatStatus }) {
  const { label, color } = LOOKS[status]
  return (
    <Badge variant="light" color={color} tt="none" flex="none">
      {label}
    </Badge>
  )
}
