// Finds parts of a page by their names without computing the role of every element, which is slow in jsdom.
import { waitFor, within } from '@testing-library/react'
import { vi } from 'vitest'

type Name = string | RegExp

/** The name of an element: its label or, for a button, link or heading without one, its text for screen readers. */
function calledAs(element: Element): string {
  const label = element.getAttribute('aria-label')
  if (label !== null) return label
  const from = element.getAttribute('aria-labelledby')?.split(' ') ?? []
  const labels = element.matches('button, a, h1') ? [element] : from.map((id) => document.getElementById(id))
  return labels.map(readOut).join(' ')
}
const readOut = (element: Element | null): string => (element ? textIn(element).trim() : '')
/** The text of an element without its hidden parts. To copy the element and remove them takes seventy times as long. */
function textIn(element: Element): string {
  let text = ''
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (node instanceof Text) text += node.data
    else if (node instanceof Element && node.getAttribute('aria-hidden') !== 'true') text += textIn(node)
  return text
}

/** Waits for the one element that matches the selector and has this name. */
const theOne = (selector: string, name: Name): Promise<HTMLElement> =>
  waitFor(() => {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].filter((element) =>
      typeof name === 'string' ? calledAs(element) === name : name.test(calledAs(element)),
    )
    const [only] = found
    if (!only || found.length > 1) throw new Error(`${found.length} of ${selector} are called ${name}`)
    return only
  })

export const heading = (name: Name) => theOne('h1', name)

export const control = (name: Name) => theOne('button, a[href]', name)

export const region = async (name: Name) => within(await theOne('section, [role=region]', name))

export const dialog = async (name: Name) => within(await theOne('[role=dialog]', name))

/** One of many articles, such as a card in a list. */
export const card = async (name: Name) => within(await theOne('article', name))

/** The text of each row of all tables, or of the table with this name; without the headings between rows. */
export const rows = (table?: string): string[] =>
  [...document.querySelectorAll(`${table ? `table[aria-label="${table}"] ` : ''}tbody tr`)]
    .filter((row) => !row.querySelector('[scope=rowgroup]'))
    .map(({ textContent }) => textContent ?? '')

/** The figures on the page, by their names. */
export const figures = (): Record<string, string | null | undefined> =>
  Object.fromEntries(
    [...document.querySelectorAll('dt')].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent,
    ]),
  )

/**
 * Captures files that the page offers for download, until the end of the test; the returned function waits for the next
 * file and returns its text.
 */
export function takeFiles(): () => Promise<string> {
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file)
    return 'blob:potluck'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  return () =>
    waitFor(() => {
      const file = files.shift()
      if (!file) throw new Error('No file yet')
      return file.text()
    })
}
