import { t } from '@lingui/core/macro'
import { Badge } from '@mantine/core'
import type { Plan } from '#domain/plan.ts'

const MARKS = {
  pending: { label: t`In review: only you can see it`, color: 'honey' },
  rejected: { label: t`Not approved: no one can join`, color: 'beet' },
} as const

/** A badge that tells a plan's owner why other people cannot find the plan. */
export function ReviewBadge({ status }: Pick<Plan, 'status'>) {
  if (status === 'active') return null
  const { label, color } = MARKS[status]
  return (
    <Badge variant="light" color={color} tt="none" data-review my={4} style={{ alignSelf: 'flex-start' }}>
      {label}
    </Badge>
  )
}
