import { IconWifiOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { fullDate } from '#domain/dates.ts'
import { useOnline } from '#lib/online.ts'
import { useSeenAt } from '#lib/seen-at.ts'
import classes from './OfflineNotice.module.css'

/** Says so while there is no connection, and how old the data on screen is. */
export function OfflineNotice() {
  const online = useOnline()
  return <OfflineWords hidden={online}>{!online && <Seen />}</OfflineWords>
}

function Seen() {
  const at = useSeenAt()
  return at > 0 && `This is what you saw on ${fullDate(new Date(at).toISOString())}. `
}

/** The same for the landing page, which has no React to show and hide it. */
export const OfflineWords = ({ hidden, children }: { hidden: boolean; children?: ReactNode }) => (
  <div role="status">
    <p className={classes.notice} hidden={hidden} data-offline>
      <IconWifiOff size={18} aria-hidden />
      <span>You are offline. {children}This page will catch up.</span>
    </p>
  </div>
)
