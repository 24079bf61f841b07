// The texts of toasts, for tables of messages in tests of the code that chooses them.
import { notifications } from '@mantine/notifications'
import { vi } from 'vitest'

/** Returns the toasts that `act` shows, each as `kind: Title / Description`. */
export function toastsOf(act: () => void): string[] {
  const show = vi.spyOn(notifications, 'show')
  try {
    act()
    return show.mock.calls.map(([{ title, message, ...more }]) => {
      const kind = 'data-kind' in more ? String(more['data-kind']) : ''
      return `${kind}: ${[title, message].filter(Boolean).join(' / ')}`
    })
  } finally {
    show.mockRestore()
    notifications.clean()
  }
}
