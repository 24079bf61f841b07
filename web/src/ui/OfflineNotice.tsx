import { IconWifiOff } from '@tabler/icons-react'
import { useOnline } from '#lib/online.ts'
import classes from './OfflineNotice.module.css'

/** Says that there is no connection for as long as there is none. */
export function OfflineNotice() {
  return <OfflineWords hidden={useOnline()} />
}

/** The same where a page has no React to show and hide it. */
export const OfflineWords = ({ hidden }: { hidden: boolean }) => (
  <div role="status">
    <p className={classes.notice} hidden={hidden} data-offline>
      <IconWifiOff size={18} aria-hidden />
      You are offline. This page will catch up.
    </p>
  </div>
)
