import { t } from '@lingui/core/macro'
import { CloseButton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Celebration.module.css'
import { Mascot } from './Mascot.tsx'

export interface Celebrated {
  title: string
  text: string
  /** The button or link for the next step. */
  action: ReactNode
}

interface CelebrationProps {
  /** Null if there is nothing to celebrate; a new value is announced to screen readers. */
  of: Celebrated | null
  onClose: () => void
}

/** Good news, shown above everything else without blocking it. */
export function Celebration({ of: moment, onClose }: CelebrationProps) {
  return (
    <div role="status">
      {moment && (
        <div className={classes.card}>
          <Mascot mood="sparkling" size={56} />
          <div className={classes.words}>
            <Text className={classes.title}>{moment.title}</Text>
            <Text size="sm">{moment.text}</Text>
          </div>
          <div className={classes.ways}>
            {moment.action}
            <CloseButton size={44} iconSize={20} aria-label={t`Close`} onClick={onClose} />
          </div>
        </div>
      )}
    </div>
  )
}
