import { IconWifiOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { fullDate } from '#domain/dates.ts'
import { useOnline } from '#lib/online.ts'
import { useSeenAt } from '#lib/seen-at.ts'
import classes from './OfflineNotice.module.css'

/** Says that there is no connection for as long as there is none, and from when that is what one sees meanwhile. */
export function OfflineNotice() {
  const online = useOnline()
  return <OfflineWords hidden={online}>{!online && <Seen />}</OfflineWords>
}

function Seen() {
  const at = useSeenAt()
  return at > 0 && `This is what you saw on ${fullDate(new Date(at).toISOString())}. `
}

/** The same where a page has no React to show and hide it. */
export const OfflineWords = ({ hidden, children }: { hidden: boolean; children?: ReactNode }) => (
  <div role="status">
    <p className={classes.notice} hidden={hidden} data-offline>
      <IconWifiOff size={18} aria-hidden />
      <span>You are offline. {children}This page will catch up.</span>
    </p>
  </div>
)
