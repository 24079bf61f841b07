import { Badge, type BadgeProps } from '@mantine/core'

interface CountBadgeProps extends Omit<BadgeProps, 'children'> {
  count: number
  /** Also shows a count of 0, which is otherwise hidden. */
  showZero?: boolean
}

/** A count that never grows wider than "99+". */
export function CountBadge({ count, showZero = false, ...look }: CountBadgeProps) {
  if (count <= 0 && !showZero) return null
  return (
    <Badge size="md" radius="xl" px={7} variant="filled" {...look}>
      {cappedCount(count)}
    </Badge>
  )
}

export const cappedCount = (count: number) => (count > 99 ? '99+' : String(Math.max(0, count)))
