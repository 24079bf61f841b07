import { Badge } from '@mantine/core'
import { type Standing, standingOf } from '#domain/payments.ts'
import { useNow } from '#ui/use-now.ts'

const LOOKS: Record<Standing, { label: string; color: string }> = {
  waiting: { label: 'Waiting', color: 'gray' },
  upcoming: { label: 'Upcoming', color: 'gray' },
  due: { label: 'Due', color: 'honey' },
  late: { label: 'Late', color: 'beet' },
  claimed: { label: 'To be confirmed', color: 'honey' },
  charging: { label: 'Being charged', color: 'honey' },
  failed: { label: 'Failed', color: 'beet' },
  paid: { label: 'Paid', color: 'herb' },
  'partly-returned': { label: 'Partly refunded', color: 'clay' },
  returned: { label: 'Refunded', color: 'clay' },
  cancelled: { label: 'Cancelled', color: 'gray' },
}

export const standingLabel = (standing: Standing): string => LOOKS[standing].label

/** How a payment stands, at a glance. */
export function StandingBadge({ payment }: { payment: Parameters<typeof standingOf>[0] }) {
  const { label, color } = LOOKS[standingOf(payment, useNow())]
  return (
    <Badge variant="light" color={color} tt="none" flex="none">
      {label}
    </Badge>
  )
}
