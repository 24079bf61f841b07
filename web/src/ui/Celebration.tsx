import { t } from '@lingui/core/macro'
import { CloseButton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Celebration.module.css'
import { Mascot } from './Mascot.tsx'

export interface Celebrated {
  title: string
  text: string
  /** The one thing to do next. */
  action: ReactNode
}

interface CelebrationProps {
  /** Null while there is nothing; a new one is announced to screen readers. */
  of: Celebrated | null
  onClose: () => void
}

/** Good news, above everything else and out of the way. */
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
