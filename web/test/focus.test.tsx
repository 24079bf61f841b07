// Where the keyboard's focus goes when the page changes around it.
// | what happens                                     | the focus                                       |
// | the person clicks beside everything              | is nowhere, as they wanted                      |
// | a button is disabled for a moment                | goes to the part around it, and back            |
// | a form is refused                                | goes to its first wrong field                   |
// | that field has the focus already                 | stays, and the error is announced               |
// | an alert says the error                          | stays, and nothing is announced                 |
// | the app replaces a prerendered page              | goes to the same field, with what was typed     |
// | the person had left that field                   | is nowhere; what was typed is kept              |
import { setTimeout as pause } from 'node:timers/promises'
import { fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { watchFirstSight } from '#lib/first-sight.ts'
import { announcer } from '#ui/announce.ts'
import { useFirstError } from '#ui/use-first-error.ts'
import { useFocusKept } from '#ui/use-focus-kept.ts'

const hasFocus = (element: Element | null) => waitFor(() => expect(document.activeElement).toBe(element))
/** Longer than any of the delays before the focus is moved or a text is announced. */
const settled = () => pause(250)

it('goes to the part around a button that is disabled for a moment, and back, but not after a click beside it', async () => {
  renderHook(useFocusKept)
  render(
    <section aria-label="Part">
      <button type="button">Save</button>
    </section>,
  )
  const save = screen.getByText<HTMLButtonElement>('Save')
  save.focus()
  save.blur()
  await settled()
  expect(document.activeElement).toBe(document.body)
  save.focus()
  save.blur()
  save.disabled = true
  await hasFocus(screen.getByLabelText('Part'))
  save.disabled = false
  await hasFocus(save)
})

it('goes to the first wrong field of a refused form, whose error is announced if it is there already', async () => {
  renderHook(useFirstError)
  const page = (alert?: string) => (
    <form aria-label="Form">
      <input aria-label="Name" aria-invalid aria-describedby="why" />
      <p id="why">Too short</p>
      {alert && <p role="alert">{alert}</p>}
      <output {...announcer} />
    </form>
  )
  const { rerender } = render(page())
  const send = () => fireEvent.submit(screen.getByLabelText('Form'))
  send()
  await hasFocus(screen.getByLabelText('Name'))
  send()
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Too short'))
  rerender(page('Name: Too short'))
  send()
  await settled()
  expect(screen.getByRole('status').textContent).toBe('')
})

it.each([
  ['stays', false],
  ['is not brought back', true],
])('%s in the field of a prerendered page that the app replaces', async (_what, isLeft) => {
  // jsdom has no CSS.escape; this name needs none.
  vi.stubGlobal('CSS', { escape: String })
  const draw = () => {
    const { container } = render(<input name="search" />)
    return { container, field: container.querySelector('input') as HTMLInputElement }
  }
  const before = draw()
  const handOver = watchFirstSight(before.container)
  before.field.focus()
  before.field.value = 'netflix'
  if (isLeft) before.field.blur()
  await settled()
  before.container.remove()
  const after = draw()
  handOver()
  expect(after.field.value).toBe('netflix')
  expect(document.activeElement).toBe(isLeft ? document.body : after.field)
})
