import { Badge } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { expiryText, timeLeft, type Urgency, urgency } from '#domain/expiry.ts'
import classes from './ExpiryBadge.module.css'
import { useNow } from './use-now.ts'

const TONES: Record<Urgency, 'amber' | 'orange' | 'red'> = { calm: 'amber', soon: 'orange', urgent: 'red' }

/** How long a request still waits: amber, then orange, then red. */
export const ExpiryBadge = ({ hours, reader }: { hours: number; reader: 'owner' | 'requester' }) => (
  <Left hours={hours}>{expiryText(hours, reader)}</Left>
)

/** How long somebody still has, in the same colours. `until` is an ISO timestamp. */
export function TimeLeft({ until }: { until: string }) {
  const { hours, text } = timeLeft(until, useNow())
  return <Left hours={hours}>{text}</Left>
}

function Left({ hours, children }: { hours: number; children: string }) {
  return (
    <Badge
      className={classes.badge}
      data-tone={TONES[urgency(hours)]}
      leftSection={<IconClock size={14} aria-hidden />}
      size="lg"
      tt="none"
      fw={600}
      flex="none"
      miw="fit-content"
    >
      {children}
    </Badge>
  )
}
