import { t } from '@lingui/core/macro'
import { IconWifiOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { fullDate, isToday, timeOfDay } from '#domain/dates.ts'
import { useLoadedAt, useRestoredAt } from '#lib/loaded-at.ts'
import { useConnection, useOnline } from '#lib/online.ts'
import classes from './OfflineNotice.module.css'

/** Shown while there is no connection, with the age of the data on screen; else {@link Age}. */
export function OfflineNotice() {
  const online = useOnline()
  const says = useConnection() ? t`Potluck isn’t responding.` : undefined
  return (
    <>
      <OfflineWords hidden={online} says={says}>
        {!online && <Seen />}
      </OfflineWords>
      {online && <Age />}
    </>
  )
}

function Seen() {
  const at = useLoadedAt()
  return at > 0 && t`Last updated ${{ date: fullDate(new Date(at).toISOString()) }}.`
}

/** The age of data of an earlier visit, until it has been loaded again. */
function Age() {
  const at = useRestoredAt()
  return (
    <p className={classes.age} hidden={at === 0} data-age>
      {at > 0 && ageWords(at)}
    </p>
  )
}

/** How old data is that was loaded at this time, in ms: "As of 12:04". */
export function ageWords(at: number): string {
  const moment = new Date(at).toISOString()
  return t`As of ${{ time: isToday(moment, new Date()) ? timeOfDay(moment) : fullDate(moment) }}`
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
