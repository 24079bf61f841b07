import { t } from '@lingui/core/macro'
import { IconWifiOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { fullDate } from '#domain/dates.ts'
import { useLoadedAt } from '#lib/loaded-at.ts'
import { useConnection, useOnline } from '#lib/online.ts'
import classes from './OfflineNotice.module.css'

/** Shown while there is no connection, with the age of the data on screen. */
export function OfflineNotice() {
  const online = useOnline()
  const says = useConnection() ? t`Potluck isn’t responding.` : undefined
  return (
    <OfflineWords hidden={online} says={says}>
      {!online && <Seen />}
    </OfflineWords>
  )
}

function Seen() {
  const at = useLoadedAt()
  return at > 0 && t`Last updated ${{ date: fullDate(new Date(at).toISOString()) }}.`
}

interface OfflineWordsProps {
  hidden: boolean
  says?: string | undefined
  children?: ReactNode
}

/** The notice without its logic, also for the landing page, which has no React to show and hide it. */
export const OfflineWords = ({ hidden, says = t`You are offline.`, children }: OfflineWordsProps) => (
  <div role="status">
    <p className={classes.notice} hidden={hidden} data-offline>
      <IconWifiOff size={18} aria-hidden />
      <span>
        {says} {children} {t`We’ll update this page when you’re back.`}
      </span>
    </p>
  </div>
)
