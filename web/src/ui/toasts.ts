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

/** Shows "Title" / "Description". Errors stay longer, since they ask for something to be done. */
export function toast(kind: ToastKind, title: string, description?: string): void {
  const { color, icon } = looks[kind]
  notifications.show({
    title,
    message: description ?? '',
    color,
    icon: createElement(icon, { size: 20, stroke: 2.2 }),
    autoClose: kind === 'error' ? 8000 : 5000,
    role: kind === 'error' ? 'alert' : 'status',
  })
}

export const toastSuccess = (title: string, description?: string) => toast('success', title, description)
export const toastWarning = (title: string, description?: string) => toast('warning', title, description)
export const toastError = (title: string, description?: string) => toast('error', title, description)
export const toastInfo = (title: string, description?: string) => toast('info', title, description)
