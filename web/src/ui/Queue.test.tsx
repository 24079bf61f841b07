import { MantineProvider } from '@mantine/core'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { pressedBy, Queue, queueRow } from './Queue.tsx'

const pressed = vi.fn<(what: string) => void>()

function Waiting() {
  const [names, setNames] = useState(['Ada', 'Ben', 'Cleo'])
  return (
    <MantineProvider env="test">
      <main>
        <input type="search" aria-label="Search" />
        <Queue opens="Open the person" keys={[{ key: 'a', does: 'Approve' }]}>
          {names.map((name) => (
            <article key={name} aria-label={name} {...queueRow}>
              <button type="button" {...pressedBy('o')} onClick={() => pressed(`open ${name}`)}>
                {name}
              </button>
              <button type="button" {...pressedBy('a')} onClick={() => pressed(`approve ${name}`)}>
                Approve {name}
              </button>
              <button type="button" onClick={() => setNames(names.filter((other) => other !== name))}>
                Away with {name}
              </button>
            </article>
          ))}
        </Queue>
      </main>
    </MantineProvider>
  )
}

function open() {
  const { unmount } = render(<Waiting />)
  return { user: userEvent.setup(), unmount }
}
const on = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
const calls = () => pressed.mock.calls.map(([what]) => what)

beforeEach(() => {
  pressed.mockClear()
  window.localStorage.clear()
})

it('j and k go from row to row, the arrows once one is on a row, and none beyond the ends', async () => {
  const { user } = open()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(document.body)
  const walk = [
    ['j', 'Ada'],
    ['J', 'Ada'],
    ['{ArrowDown}', 'Ben'],
    ['j', 'Cleo'],
    ['j', 'Cleo'],
    ['{ArrowUp}', 'Ben'],
    ['kk', 'Ada'],
  ] as const
  for (const [keys, name] of walk) {
    await user.keyboard(keys === 'J' ? '{Shift>}J{/Shift}' : keys)
    expect([keys, on()]).toEqual([keys, name])
  }
})

it('a letter and Enter press the button of the row one is on, and no other', async () => {
  const { user } = open()
  await user.keyboard('ao{Enter}')
  expect(calls()).toEqual([])
  await user.keyboard('jja')
  expect(calls()).toEqual(['approve Ben'])
  await user.keyboard('o{Enter}x{Control>}a{/Control}')
  expect(calls()).toEqual(['approve Ben', 'open Ben', 'open Ben'])
  screen.getByText('Approve Cleo').focus()
  await user.keyboard('{Enter}')
  expect(calls().slice(3)).toEqual(['approve Cleo'])
})

it('goes on where a row was that is gone', async () => {
  const { user } = open()
  await user.keyboard('jj')
  await user.click(screen.getByText('Away with Ben'))
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Ben' })).toBeNull())
  await user.keyboard('j')
  expect(on()).toBe('Cleo')
})

it('/ leads to the search, where letters are letters', async () => {
  const { user } = open()
  await user.keyboard('j/')
  expect(on()).toBe('Search')
  await user.keyboard('jao?')
  expect(screen.getByLabelText('Search')).toHaveProperty('value', 'jao?')
  expect(calls()).toEqual([])
})

it('? lists the keys, which can be switched off for good', async () => {
  const { user, unmount } = open()
  await user.keyboard('j?')
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  expect(dialog.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    ...['j or ↓Next row', 'k or ↑Previous row', 'Enter or oOpen the person', 'aApprove', '/Search'],
    '?These shortcuts',
  ])
  const toggle = dialog.getByLabelText(/^Use shortcuts/)
  toggle.focus()
  await user.keyboard('ja')
  expect(document.activeElement).toBe(toggle)
  await user.click(toggle)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const nothing = async () => {
    screen.getByRole('article', { name: 'Ada' }).focus()
    await user.keyboard('jao{Enter}/?')
    expect([on(), calls(), screen.queryByRole('dialog')]).toEqual(['Ada', [], null])
  }
  await nothing()
  unmount()
  render(<Waiting />)
  await nothing()
  await user.click(screen.getByRole('button', { name: 'Shortcuts are off' }))
  await user.click(await screen.findByLabelText(/^Use shortcuts/))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  screen.getByRole('button', { name: 'Press ? for shortcuts' })
  screen.getByRole('article', { name: 'Ada' }).focus()
  await user.keyboard('ja')
  expect(calls()).toEqual(['approve Ben'])
})
