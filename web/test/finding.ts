// Parts of a page by their names, to look for things in.
import { screen, waitFor, within } from '@testing-library/react'

type Name = string | RegExp

export const region = async (name: Name) => within(await screen.findByRole('region', { name }))
export const dialog = async (name: Name) => within(await screen.findByRole('dialog', { name }))
export const heading = (name: Name) => screen.findByRole('heading', { level: 1, name })

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
