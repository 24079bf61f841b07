import { t } from '@lingui/core/macro'
import { Badge } from '@mantine/core'
import type { SeatStatus } from '#domain/seats.ts'

const LOOKS: Record<SeatStatus, { label: string; color: string }> = {
  paying: { label: t({ message: 'Paying', context: 'a member' }), color: 'honey' },
  active: { label: t({ message: 'Active', context: 'a member' }), color: 'herb' },
  late: { label: t`Late`, color: 'beet' },
  ending: { label: t({ message: 'Leaving', context: 'a member' }), color: 'gray' },
  ended: { label: t`Ended`, color: 'gray' },
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
