import { Text } from '@mantine/core'
import { IconWifiOff } from '@tabler/icons-react'
import { useOnline } from '#lib/online.ts'
import classes from './OfflineNotice.module.css'

/** Says that there is no connection for as long as there is none. */
export function OfflineNotice() {
  const online = useOnline()
  return (
    <div role="status">
      {!online && (
        <Text className={classes.notice} size="sm" fw={550}>
          <IconWifiOff size={18} aria-hidden />
          You are offline. This page catches up once you are back.
        </Text>
      )}
    </div>
  )
}
