import { Badge } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { expiryText, type Urgency, urgency } from '#domain/expiry.ts'
import classes from './ExpiryBadge.module.css'

const TONES: Record<Urgency, 'amber' | 'orange' | 'red'> = { calm: 'amber', soon: 'orange', urgent: 'red' }

/** How long a request still waits: amber, then orange, then red. */
export function ExpiryBadge({ hours }: { hours: number }) {
  return (
    <Badge
      className={classes.badge}
      data-tone={TONES[urgency(hours)]}
      leftSection={<IconClock size={14} aria-hidden />}
      size="lg"
      tt="none"
      fw={600}
    >
      {expiryText(hours)}
    </Badge>
  )
}
