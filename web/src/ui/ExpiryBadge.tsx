import { Badge } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { expiryText, timeLeft, type Urgency, urgency } from '#domain/expiry.ts'
import classes from './ExpiryBadge.module.css'
import { useNow } from './use-now.ts'

const TONES: Record<Urgency, 'amber' | 'orange' | 'red'> = { calm: 'amber', soon: 'orange', urgent: 'red' }

/** A request's remaining time: amber, then orange, then red. */
export const ExpiryBadge = ({ hours, reader }: { hours: number; reader: 'owner' | 'requester' }) => (
  <Left hours={hours}>{expiryText(hours, reader)}</Left>
)

/** A person's remaining time, in the same colours. `until` is an ISO timestamp. */
export function TimeLeft({ until }: { until: string }) {
  const { hours, text } = timeLeft(until, useNow())
  return (
    <Left hours={hours} whole>
      {text}
    </Left>
  )
}

interface LeftProps {
  hours: number
  /** Keeps the text on one line. */
  whole?: boolean
  children: string
}

function Left({ hours, whole = false, children }: LeftProps) {
  return (
    <Badge
      className={classes.badge}
      {...(whole && { styles: { label: { whiteSpace: 'nowrap' } } })}
      data-tone={TONES[urgency(hours)]}
      leftSection={<IconClock size={14} aria-hidden />}
      size="lg"
      tt="none"
      fw={600}
      flex="none"
    >
      {children}
    </Badge>
  )
}
