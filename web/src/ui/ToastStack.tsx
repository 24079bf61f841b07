import { t } from '@lingui/core/macro'
import { Alert, Box } from '@mantine/core'
import { hideNotification, Notifications, useNotifications } from '@mantine/notifications'
import { toastsAreOn } from '#lib/storage.ts'

/**
 * The toasts, at most 3 at a time. If the person has switched toasts off, only problems are shown, and stay until they
 * are settled.
 */
export function ToastStack() {
  const { notifications } = useNotifications()
  // Screen readers reliably read only text that is added to an existing live region.
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
