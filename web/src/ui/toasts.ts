import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { createElement, lazy, useSyncExternalStore } from 'react'
import { type AppError, RATE_LIMITED, refusalOf, toAppError } from '#lib/errors.ts'

export type ToastKind = 'success' | 'warning' | 'error' | 'info'

const looks = {
  success: { color: 'herb', icon: IconCheck },
  warning: { color: 'honey', icon: IconAlertTriangle },
  error: { color: 'beet', icon: IconX },
  info: { color: 'clay', icon: IconInfoCircle },
} as const

const loadStack = () => import('./ToastStack.tsx')

/** Where toasts stand. Loads with the first one, unless {@link prepareToasts} was there before. */
export const Toasts = lazy(async () => ({ default: (await loadStack()).ToastStack }))

let wanted = false
const watchers = new Set<() => void>()

/** Loads what toasts are drawn with while there is a connection: many of them are about losing it. */
export async function prepareToasts(): Promise<void> {
  await loadStack()
  want()
}

function want(): void {
  wanted = true
  for (const watcher of watchers) watcher()
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Is there, or will there be, something to show? */
export const useToastsWanted = () =>
  useSyncExternalStore(
    watch,
    () => wanted,
    () => false,
  )

/** Toasts on screen at once. */
const MOST = 3
const shown: string[] = []
let count = 0

/** Shows "Title" / "Description". Errors stay longer, since they ask for something to be done. */
export function toast(kind: ToastKind, title: string, description?: string): void {
  want()
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

type Words = readonly [title: string, description?: string | undefined]

/** Says why something failed: that it was tried too often, the rule that was broken, or else `otherwise`. */
export function explain(problem: unknown, otherwise: string | ((problem: AppError) => Words)): void {
  const error = toAppError(problem)
  if (error.code === RATE_LIMITED) toastWarning('Too Many Requests', error.message)
  else if (typeof otherwise === 'string') toastError(refusalOf(error) ?? otherwise)
  else toastError(...otherwise(error))
}
