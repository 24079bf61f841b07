import { Notifications } from '@mantine/notifications'

/** Holds the toasts, at most 3 at a time. */
export function ToastStack() {
  // Only what comes into a part that was there before is sure to be read.
  return <Notifications limit={3} position="bottom-right" zIndex={1000} aria-live="polite" />
}
