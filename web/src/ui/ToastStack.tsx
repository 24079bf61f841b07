import { Notifications } from '@mantine/notifications'

/** Holds the toasts, at most 3 at a time. */
export function ToastStack() {
  return <Notifications limit={3} position="bottom-right" zIndex={1000} />
}
