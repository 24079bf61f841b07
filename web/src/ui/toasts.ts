import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { Query, QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { createElement, lazy, useSyncExternalStore } from 'react'
import { type AppError, RATE_LIMITED, refusalOf, toAppError } from '#lib/errors.ts'
import { onceOnline } from '#lib/online.ts'
import { headings, leastCovering } from './least-covering.ts'

export type ToastKind = 'success' | 'warning' | 'error' | 'info'

const looks = {
  success: { color: 'herb', icon: IconCheck },
  warning: { color: 'honey', icon: IconAlertTriangle },
  error: { color: 'beet', icon: IconX },
  info: { color: 'clay', icon: IconInfoCircle },
} as const

const loadStack = () => onceOnline(() => import('./ToastStack.tsx'))

/** Holds the toasts. Loads with the first one, unless {@link prepareToasts} has loaded it before. */
export const Toasts = lazy(async () => ({ default: (await loadStack()).ToastStack }))

let wanted = false
const watchers = new Set<() => void>()

/** Loads the toasts' code while there is a connection, since many toasts are about losing it. */
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

/** Whether there is, or soon will be, something to show. */
export const useToastsWanted = () =>
  useSyncExternalStore(
    watch,
    () => wanted,
    () => false,
  )

/** Toasts on screen at once. */
const MOST = 3

interface Shown {
  id: string
  kind: ToastKind
  /** Toasts with the same text are about the same event. */
  text: string
  at: number
  /** Loads that had just failed when it was shown, which it is probably about. */
  loads: Query[]
}

let shown: Shown[] = []
let count = 0

/** Shows a title and a description. Errors stay longer, since they call for action. */
export function toast(kind: ToastKind, title: string, description?: string): void {
  want()
  const { color, icon } = looks[kind]
  const text = [title, description].join('\n').toLowerCase()
  hide((other) => other.text === text)
  // What just happened matters most, so the oldest toast makes room instead of the newest waiting.
  hide((other) => shown.length >= MOST && other === shown[0])
  count += 1
  const id = `toast-${count}`
  // Before the app shows a page there is nothing to keep clear.
  const position = cache && clearPlace(shown.length)
  shown = [...shown, { id, kind, text, at: performance.now(), loads: justFailed() }]
  notifications.show({
    id,
    onClose: () => forget(id),
    ...(position && { position }),
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

/** Removes the toasts that are settled. */
function hide(settled: (toast: Shown) => boolean): void {
  for (const { id } of shown.filter(settled)) {
    forget(id)
    notifications.hide(id)
  }
}

const forget = (id: string) => {
  shown = shown.filter((other) => other.id !== id)
}

/** The last thing the person did, and when. By then they have read what was on screen. */
let act: { at: number; target: Element | null } = { at: 0, target: null }

const isRead = ({ at }: Shown) => at < act.at
const isProblem = ({ kind }: Shown) => kind === 'error' || kind === 'warning'

/** Below the top bar or above a phone's bottom bar, wherever the last used control, its dialog and headings stay visible. */
function clearPlace(others: number) {
  const { innerWidth, innerHeight } = window
  const right = innerWidth - 16
  const left = Math.max(16, right - 440)
  const height = 96 * (others + 1)
  const bottom = innerHeight - (innerWidth < 768 ? 76 : 16)
  const used = act.target?.isConnected ? act.target : document.activeElement
  const control = used && used !== document.body ? [used] : []
  const around = control.flatMap((element) => element.closest('[role="dialog"], form') ?? [])
  return leastCovering(
    {
      'top-right': { left, right, top: 72, bottom: 72 + height },
      'bottom-right': { left, right, top: bottom - height, bottom },
    },
    [control, around, headings()],
  )
}

let cache: QueryClient | undefined

const justFailed = () =>
  cache?.getQueryCache().findAll({
    predicate: ({ state }) => state.status === 'error' && Date.now() - state.errorUpdatedAt < 1000,
  }) ?? []

/**
 * Removes toasts once they are settled: a failed load has succeeded, the person tries again, or has gone to another page.
 * Returns a function that stops this.
 */
export function settleToasts(queries: QueryClient, router: AnyRouter): () => void {
  cache = queries
  const onAct = ({ target }: Event) => {
    act = { at: performance.now(), target: target instanceof Element ? target : null }
  }
  window.addEventListener('pointerdown', onAct, true)
  window.addEventListener('keydown', onAct, true)
  const stops = [
    queries
      .getQueryCache()
      .subscribe(() =>
        hide(({ loads }) => loads.length > 0 && loads.every(({ state }) => state.status === 'success')),
      ),
    queries.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'pending')
        hide((one) => isProblem(one) && isRead(one))
    }),
    router.subscribe('onResolved', ({ pathChanged }) => {
      if (pathChanged) hide(isRead)
    }),
    () => window.removeEventListener('pointerdown', onAct, true),
    () => window.removeEventListener('keydown', onAct, true),
  ]
  return () => {
    cache = undefined
    shown = []
    for (const stop of stops) stop()
  }
}

export const toastSuccess = (title: string, description?: string) => toast('success', title, description)
export const toastWarning = (title: string, description?: string) => toast('warning', title, description)
export const toastError = (title: string, description?: string) => toast('error', title, description)
export const toastInfo = (title: string, description?: string) => toast('info', title, description)

type Words = readonly [title: string, description?: string | undefined]

/** Says why something failed: too many attempts, the rule that was broken, or else `otherwise`. */
export function explain(problem: unknown, otherwise: string | ((problem: AppError) => Words)): void {
  const error = toAppError(problem)
  if (error.code === RATE_LIMITED) toastWarning('Too Many Requests', error.message)
  else if (typeof otherwise === 'string') toastError(refusalOf(error) ?? otherwise)
  else toastError(...otherwise(error))
}
