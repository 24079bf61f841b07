import { t } from '@lingui/core/macro'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { Query, QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { createElement, lazy, type MouseEvent, useSyncExternalStore } from 'react'
import { type AppError, RATE_LIMITED, refusalOf, toAppError } from '#lib/errors.ts'
import { onceOnline } from '#lib/online.ts'
import { local, read, storageKeys, toastsAreOn, write } from '#lib/storage.ts'
import { announce } from './announce.ts'
import { coveredBy, headings, leastCovering } from './least-covering.ts'

export type ToastKind = 'success' | 'warning' | 'error' | 'info'

const looks = {
  success: { color: 'herb', icon: IconCheck },
  warning: { color: 'honey', icon: IconAlertTriangle },
  error: { color: 'beet', icon: IconX },
  info: { color: 'clay', icon: IconInfoCircle },
} as const

const loadStack = () => onceOnline(() => import('./ToastStack.tsx'))

/** The component with the toasts. Loaded with the first toast, unless {@link prepareToasts} has loaded it before. */
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

/** True if there is a toast to show, or one is about to be. */
export const useToastsWanted = () =>
  useSyncExternalStore(
    watch,
    () => wanted,
    () => false,
  )

/** The maximum number of toasts on screen. */
const MOST = 3

interface Shown {
  id: string
  kind: ToastKind
  /** Toasts with the same text are about the same event. */
  text: string
  at: number
  /** Loads that had just failed when the toast was shown; the toast is probably about them. */
  loads: Query[]
}

let shown: Shown[] = []
let count = 0

/**
 * Shows a toast with a title and a description. Errors stay longer, since they require action. A toast with `href` is a
 * link there. While toasts are off, problems are shown at the top of the page, and everything else is only announced to
 * screen readers.
 */
export function toast(kind: ToastKind, title: string, description?: string, href?: string | null): void {
  if (!toastsAreOn() && !isProblem({ kind })) {
    announce([title, description].filter(Boolean).join('. '))
    return
  }
  want()
  const { color, icon } = looks[kind]
  const text = textOf(title, description)
  hide((other) => other.text === text)
  // The newest toast matters most, so the oldest makes room for it.
  hide((other) => shown.length >= MOST && other === shown[0])
  count += 1
  const id = `toast-${count}`
  shown = [...shown, { id, kind, text, at: performance.now(), loads: justFailed() }]
  // Before the app is drawn there is nothing to avoid covering.
  if (cache) standClear()
  notifications.show({
    id,
    onClose: () => forget(id),
    title: href ? createElement('a', { href, onClick: follow }, title) : title,
    message: description ?? '',
    color,
    'data-kind': kind,
    icon: createElement(icon, { size: 20, stroke: 2.2 }),
    autoClose: kind === 'error' ? 8000 : 5000,
    closeButtonProps: { 'aria-label': t`Dismiss` },
    role: kind === 'error' ? 'alert' : 'status',
  })
}

const textOf = (title: string, description?: string) => [title, description].join('\n').toLowerCase()

/** True while a toast with these words is on screen, until the person's next action. */
export const isToasted = (title: string, description?: string): boolean =>
  shown.some((one) => one.text === textOf(title, description) && !isRead(one))

/** Opens the link of a toast without reloading the app. */
function follow(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  void pages?.navigate({ href: event.currentTarget.pathname })
}

function hide(settled: (toast: Shown) => boolean): void {
  for (const { id } of shown.filter(settled)) {
    forget(id)
    notifications.hide(id)
  }
}

const forget = (id: string) => {
  shown = shown.filter((other) => other.id !== id)
}

/** The person's last action and its time in ms. Toasts shown before it count as read. */
let act: { at: number; target: Element | null } = { at: 0, target: null }

const isRead = ({ at }: Shown) => at < act.at
const isProblem = ({ kind }: Pick<Shown, 'kind'>) => kind === 'error' || kind === 'warning'

/**
 * Elements that toasts should not cover, most important first: those of the top dialog if one is open, otherwise those
 * of the page, of which only floating buttons count.
 */
function toSpare(): [titles: Element[], controls: Element[], buttons: Element[]] {
  const dialog = [...document.querySelectorAll('.mantine-Modal-content')].at(-1)
  const all = (selector: string) => [...(dialog ?? document).querySelectorAll(selector)]
  const used = act.target?.isConnected ? act.target : document.activeElement
  return [
    all(dialog ? '.mantine-Modal-title' : 'main h1'),
    used && used !== document.body && (dialog ?? document).contains(used) ? [used] : [],
    all(dialog ? 'button, textarea' : '[data-floating] > *'),
  ]
}

/**
 * Puts the toasts above a phone's bottom bar, or below the title, wherever they cover less of the title, the last used
 * control, the buttons, the form or dialog around that control, and the headings.
 */
function standClear() {
  const { innerWidth, innerHeight } = window
  const right = innerWidth - 16
  const left = Math.max(16, right - 440)
  const height = Math.max(96 * shown.length, stack()?.clientHeight ?? 0)
  const bottom = innerHeight - (innerWidth < 768 ? 76 : 16)
  const [titles, controls, buttons] = toSpare()
  const ends = titles.map((title) => title.getBoundingClientRect().bottom)
  const top = Math.max(64, ...ends.filter((end) => end < innerHeight / 2)) + 8
  const around = controls.flatMap((element) => element.closest('[role="dialog"], form') ?? [])
  const { dataset, style } = document.documentElement
  dataset.toasts = leastCovering(
    {
      bottom: { left, right, top: bottom - height, bottom },
      top: { left, right, top, bottom: top + height },
    },
    [titles, controls, buttons, around, headings()],
  )
  style.setProperty('--toasts-top', `${top}px`)
}

const stack = () => document.querySelector('.mantine-Notifications-root[data-position="bottom-right"]')

/** Moves the toasts if they cover a title, another heading or a button of a new dialog or page. */
const onChange = () => {
  const box = shown.length > 0 && stack()?.getBoundingClientRect()
  if (box && coveredBy(box, [...toSpare().flat(), ...headings()]) > 0) standClear()
}

let cache: QueryClient | undefined
let pages: AnyRouter | undefined

const justFailed = () =>
  cache?.getQueryCache().findAll({
    predicate: ({ state }) => state.status === 'error' && Date.now() - state.errorUpdatedAt < 1000,
  }) ?? []

/**
 * Removes toasts once they are settled: a failed load has succeeded, the person tries again, or has gone to another
 * page. Returns a function that stops this.
 */
export function settleToasts(queries: QueryClient, router: AnyRouter): () => void {
  cache = queries
  pages = router
  if (read(local, storageKeys.notificationsEnabled) === null)
    write(local, storageKeys.notificationsEnabled, 'true')
  const onAct = ({ target }: Event) => {
    act = { at: performance.now(), target: target instanceof Element ? target : null }
  }
  window.addEventListener('pointerdown', onAct, true)
  window.addEventListener('keydown', onAct, true)
  const changes = new MutationObserver(onChange)
  changes.observe(document.body, { childList: true, subtree: true })
  const stops = [
    () => changes.disconnect(),
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
  if (error.code === RATE_LIMITED) toastWarning(t`Too Many Requests`, error.message)
  else if (typeof otherwise === 'string') toastError(refusalOf(error) ?? otherwise)
  else toastError(...otherwise(error))
}
