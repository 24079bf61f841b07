import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'

/** Marks the place in the frame of all pages from which screen readers read what is announced. */
export const announcer = { 'data-announcer': true, 'aria-live': 'polite' } as const

let late: number | undefined

/** Says to screen readers what others see. */
export function announce(text: string): void {
  const place = document.querySelector('[data-announcer]')
  if (!place) return
  // The same words again are only news in an empty place.
  place.textContent = ''
  window.clearTimeout(late)
  late = window.setTimeout(() => {
    place.textContent = text
  }, 100)
}

/** Moves the focus to the heading of a page, for a screen reader to read; to the page itself until it has one. */
export function toPageStart(): void {
  const main = document.querySelector('main')
  const start = main?.querySelector('h1') ?? main
  if (!start) return
  start.tabIndex = -1
  start.focus({ preventScroll: true })
}

/** A page has its name: read as its heading by whoever waits at its start, and announced to whoever has stayed where they were. */
export function pageNamed(name: string): void {
  // The frame has moved the focus by then.
  setTimeout(() => {
    const at = document.activeElement
    if (at?.localName === 'main') toPageStart()
    else if (at && at !== document.body && at.localName !== 'h1') announce(name)
  })
}

/** Where a list is narrowed from, and not a field in one of its rows. */
const isFilter = (element: Element | null) =>
  element?.matches(
    '[role="searchbox"], select, [aria-haspopup="listbox"], .mantine-SegmentedControl-input',
  ) && !element.closest('table, li')

/** Announces how much a list shows once what the person has typed or chosen has changed it. */
export function useFoundAnnounced(rows: readonly unknown[] | undefined, more = false): void {
  const shown = useRef(rows)
  useEffect(() => {
    const before = shown.current
    if (!rows) return
    shown.current = rows
    if (!before || rows === before || !isFilter(document.activeElement)) return
    announce(
      rows.length === 0
        ? t`Nothing found`
        : more
          ? plural(rows.length, { one: '# result, and more', other: '# results, and more' })
          : plural(rows.length, { one: '# result', other: '# results' }),
    )
  }, [rows, more])
}
