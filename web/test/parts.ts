// Parts of a page by their names, found without asking every element for its role: that is what takes jsdom its time.
import { screen, waitFor, within } from '@testing-library/react'
import { vi } from 'vitest'

type Name = string | RegExp

export const heading = (name: Name) => screen.findByRole('heading', { level: 1, name })

/** A named part of the page. */
export const region = async (name: Name) =>
  within(await screen.findByLabelText(name, { selector: 'section, [role=region]' }))

/** The open dialog of this name. */
export const dialog = async (name: Name) =>
  within(await screen.findByLabelText(name, { selector: '[role=dialog]' }))

/** One of many, such as a card in a list. */
export const card = async (name: Name) => within(await screen.findByLabelText(name, { selector: 'article' }))

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

/** What a button or a link is called: its label, or else the words that are read out of it. */
function calledAs(element: Element): string {
  const label = element.getAttribute('aria-label')
  if (label !== null) return label
  const read = element.cloneNode(true) as Element
  for (const hidden of read.querySelectorAll('[aria-hidden=true]')) hidden.remove()
  return read.textContent.trim()
}
const fits = (element: Element, name: Name) =>
  typeof name === 'string' ? calledAs(element) === name : name.test(calledAs(element))

/** Waits for the one button or link of this name. Asking jsdom for roles while a page comes up takes far longer. */
export const control = (name: Name): Promise<HTMLElement> =>
  waitFor(() => {
    const found = [...document.querySelectorAll<HTMLElement>('button, a[href]')].filter((one) =>
      fits(one, name),
    )
    const [only] = found
    if (!only || found.length > 1) throw new Error(`${found.length} buttons or links are called ${name}`)
    return only
  })
