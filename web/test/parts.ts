// Parts of a page by their names, found without asking every element for its role: that is what takes jsdom its time.
import { waitFor, within } from '@testing-library/react'
import { vi } from 'vitest'

type Name = string | RegExp

/** What something is called: its label, or else, of a button, a link or a heading, the words that are read out of it. */
function calledAs(element: Element): string {
  const label = element.getAttribute('aria-label')
  if (label !== null) return label
  const from = element.getAttribute('aria-labelledby')?.split(' ') ?? []
  const labels = element.matches('button, a, h1') ? [element] : from.map((id) => document.getElementById(id))
  return labels.map(readOut).join(' ')
}
function readOut(element: Element | null): string {
  const read = element?.cloneNode(true) as Element | undefined
  for (const hidden of read?.querySelectorAll('[aria-hidden=true]') ?? []) hidden.remove()
  return read?.textContent.trim() ?? ''
}

/** Waits for the one element that the selector finds and that is called so. */
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

/** A named part of the page. */
export const region = async (name: Name) => within(await theOne('section, [role=region]', name))

/** The open dialog of this name. */
export const dialog = async (name: Name) => within(await theOne('[role=dialog]', name))

/** One of many, such as a card in a list. */
export const card = async (name: Name) => within(await theOne('article', name))

/** How the rows of all tables read, or those of the table of this name. */
export const rows = (table?: string): string[] =>
  [...document.querySelectorAll(`${table ? `table[aria-label="${table}"] ` : ''}tbody tr`)].map(
    ({ textContent }) => textContent ?? '',
  )

/** Figures on the page, each by what it is called. */
export const figures = (): Record<string, string | null | undefined> =>
  Object.fromEntries(
    [...document.querySelectorAll('dt')].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent,
    ]),
  )

/** Takes the files that a page hands over, for the rest of a test; answers what is in the next one, once it is there. */
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
