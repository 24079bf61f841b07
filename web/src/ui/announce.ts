import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'

/** Marks the live region in the frame of all pages, in which announcements are put. */
export const announcer = { 'data-announcer': true, 'aria-live': 'polite' } as const

let late: number | undefined

/** Announces a change to people who use a screen reader and do not see it. */
export function announce(text: string): void {
  const place = document.querySelector('[data-announcer]')
  if (!place) return
  // Screen readers read a repeated text only after the region was empty.
  place.textContent = ''
  window.clearTimeout(late)
  late = window.setTimeout(() => {
    place.textContent = text
  }, 100)
}

/** Moves the focus to the page's heading, which a screen reader then reads; to the page itself until it has one. */
export function toPageStart(): void {
  const main = document.querySelector('main')
  const start = main?.querySelector('h1') ?? main
  if (!start) return
  start.tabIndex = -1
  start.focus({ preventScroll: true })
}

/**
 * Announces a page's name: by focus on its heading if the focus is at the page's start, otherwise in the live region.
 */
export function pageNamed(name: string): void {
  // The timeout lets the frame move the focus first.
  setTimeout(() => {
    const at = document.activeElement
    if (at?.localName === 'main') toPageStart()
    else if (at && at !== document.body && at.localName !== 'h1') announce(name)
  })
}

/** True for controls that filter a list, and false for fields in one of its rows. */
const isFilter = (element: Element | null) =>
  element?.matches('[data-step]') ||
  (element?.matches(
    '[role="searchbox"], select, [aria-haspopup="listbox"], .mantine-SegmentedControl-input',
  ) &&
    !element.closest('table, li'))

/** Announces the number of rows after the person has filtered the list. */
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
