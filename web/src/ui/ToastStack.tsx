import { t } from '@lingui/core/macro'
import { Alert, Box } from '@mantine/core'
import { hideNotification, Notifications, useNotifications } from '@mantine/notifications'
import { toastsAreOn } from '#lib/storage.ts'

/** Holds the toasts, at most 3 at a time. While they are off, what it gets are problems, which stay until they are settled. */
export function ToastStack() {
  const { notifications } = useNotifications()
  // Only what comes into a part that was there before is sure to be read.
  if (toastsAreOn())
    return <Notifications limit={3} position="bottom-right" zIndex={1000} aria-live="polite" />
  return (
    <Box pos="sticky" top={0} style={{ zIndex: 1000 }} aria-live="polite">
      {notifications.map(({ id, color, icon, title, message }) => (
        <Alert
          key={id}
          variant="filled"
          radius={0}
          color={color ?? 'beet'}
          {...{ icon, title }}
          role="alert"
          withCloseButton
          closeButtonLabel={t`Dismiss`}
          onClose={() => id && hideNotification(id)}
        >
          {message}
        </Alert>
      ))}
    </Box>
  )
}
