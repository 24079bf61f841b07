import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { createElement } from 'react'

export type ToastKind = 'success' | 'warning' | 'error' | 'info'

const looks = {
  success: { color: 'herb', icon: IconCheck },
  warning: { color: 'honey', icon: IconAlertTriangle },
  error: { color: 'beet', icon: IconX },
  info: { color: 'clay', icon: IconInfoCircle },
} as const

/** Toasts on screen at once. */
const MOST = 3
const shown: string[] = []
let count = 0

/** Shows "Title" / "Description". Errors stay longer, since they ask for something to be done. */
export function toast(kind: ToastKind, title: string, description?: string): void {
  const { color, icon } = looks[kind]
  // What just happened matters more than what is already on screen, so the oldest gives way instead of the newest waiting.
  while (shown.length >= MOST) notifications.hide(shown.shift() ?? '')
  count += 1
  const id = `toast-${count}`
  shown.push(id)
  notifications.show({
    id,
    onClose: () => shown.splice(0, shown.length, ...shown.filter((other) => other !== id)),
    title,
    message: description ?? '',
    color,
    'data-kind': kind,
    icon: createElement(icon, { size: 20, stroke: 2.2 }),
    autoClose: kind === 'error' ? 8000 : 5000,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    role: kind === 'error' ? 'alert' : 'status',
  })
}

export const toastSuccess = (title: string, description?: string) => toast('success', title, description)
export const toastWarning = (title: string, description?: string) => toast('warning', title, description)
export const toastError = (title: string, description?: string) => toast('error', title, description)
export const toastInfo = (title: string, description?: string) => toast('info', title, description)
