// Small components of screens.
// Proves NAV 19, MYSUB 16, PLAN 17, REQ 12, LIMIT 01 14 15, DIRECT 02
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  Button,
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  MantineProvider,
  mergeMantineTheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { creditTransferText } from '#domain/credit-transfer.ts'
import { contrast } from '#features/plans/providers/provider-theme.ts'
import { scan } from '../../test/scan.ts'
import { AvatarStack } from './AvatarStack.tsx'
import { cappedCount } from './CountBadge.tsx'
import { type Column, DataTable } from './DataTable.tsx'
import { Dialog } from './Dialog.tsx'
import { ExpiryBadge } from './ExpiryBadge.tsx'
import { PersonAvatar } from './PersonAvatar.tsx'
import { PullToRefresh, pulledBy, pullState } from './PullToRefresh.tsx'
import { QrCode } from './QrCode.tsx'
import { cssVariablesResolver, theme } from './theme.ts'

const Themed = ({ children }: { children: ReactNode }) => (
  <MantineProvider env="test" theme={theme} cssVariablesResolver={cssVariablesResolver}>
    {children}
  </MantineProvider>
)
const show = (children: ReactNode) => render(children, { wrapper: Themed }).container

it('a badge counts up to 99', () => expect([0, 99, 100].map(cappedCount)).toEqual(['0', '99', '99+']))

it.each([
  [13, 'amber'],
  [12, 'orange'],
  [6, 'red'],
])('%i hours left are shown in %s', (hours, tone) => {
  show(<ExpiryBadge hours={hours} reader="owner" />)
  expect(screen.getByText(/\dh/).closest('[data-tone]')?.getAttribute('data-tone')).toBe(tone)
})

describe('people', () => {
  const people = ['Ada Abel', 'Ben', 'Cleo Curie', 'Dan', 'Eve', 'Finn'].map((name) => ({
    id: name,
    name,
    avatarUrl: null,
  }))
  const letters = () => screen.queryAllByText(/^[A-Z]{1,2}$/).map(({ textContent }) => textContent)

  it.each([
    [4, undefined, ['AA', 'B', 'CC', 'D'], null],
    [5, undefined, ['AA', 'B', 'CC', 'D'], '+1'],
    [6, 2, ['AA', 'B'], '+4'],
  ])('%i in a stack of %s are shown, or else four, and the rest counted', (size, most, shown, rest) => {
    show(<AvatarStack people={people.slice(0, size)} {...(most && { most })} />)
    expect(letters()).toEqual(shown)
    expect(screen.queryByText(/^\+\d/)?.textContent ?? null).toBe(rest)
  })

  it.each([
    [null, ['ML'], null],
    ['', ['ML'], null],
    ['/avatars/avatar-1.svg', [], '/avatars/avatar-1.svg'],
  ])('one with the picture %s is it, or two letters at most', (src, shown, picture) => {
    const person = show(<PersonAvatar name="Maria del Carmen Lopez" src={src} />)
    expect(letters()).toEqual(shown)
    expect(person.querySelector('img')?.getAttribute('src') ?? null).toBe(picture)
  })
})

it.each([
  ['glass', /backdrop-filter: blur/],
  ['gradient', /background-image: linear-gradient\([^;]*clay/],
  ['provider', /background-image: linear-gradient\([^;]*var\(--tint\)/],
])('a card looks different as %s', (look, paint) => {
  const styles = readFileSync(resolve(import.meta.dirname, 'SurfaceCard.module.css'), 'utf8')
  const [, rule = ''] = styles.split(`&[data-look="${look}"] {`)
  expect(rule.split('&[data-')[0]).toMatch(paint)
  expect(styles).toContain('--tint: var(--provider-color')
})

describe('a button', () => {
  const styleOf = (button: ReactNode, ...names: string[]) => {
    show(button)
    const { style } = screen.getByRole('button')
    const values = names.map((name) => style.getPropertyValue(name))
    cleanup()
    return values
  }

  it('comes in six variants that can be told apart', () => {
    const looks = ['primary', 'secondary', 'success', 'warning', 'ghost', 'gradient'].map((variant) =>
      styleOf(<Button variant={variant}>Go</Button>, '--button-bg', '--button-color', '--button-bd'),
    )
    expect(new Set(looks.map((look) => look.join()))).toHaveProperty('size', 6)
    expect(looks.map(([background]) => background)).toEqual([
      'var(--mantine-color-clay-filled)',
      'var(--mantine-color-default)',
      'var(--mantine-color-herb-filled)',
      'var(--mantine-color-honey-filled)',
      'transparent',
      expect.stringMatching(/^linear-gradient/),
    ])
  })

  it.each(['light', 'dark'] as const)(
    'in %s leads if filled, stands out if tinted, and can be read',
    (scheme) => {
      const full = mergeMantineTheme(DEFAULT_THEME, theme)
      const all = deepMerge(defaultCssVariablesResolver(full), cssVariablesResolver(full))
      const value = (name: string): string => {
        const found = { ...all.variables, ...all[scheme] }[name as `--${string}`] ?? ''
        const [, other] = /^var\((.+)\)$/.exec(found) ?? []
        return other ? value(other) : found
      }
      const among = (one: string, other: string) => contrast(value(one), value(other))
      for (const tone of ['clay', 'herb', 'beet'].map((name) => `--mantine-color-${name}`)) {
        expect(among(`${tone}-contrast`, `${tone}-filled`)).toBeGreaterThan(4.5)
        expect(among(`${tone}-light-color`, `${tone}-light`)).toBeGreaterThan(4.5)
        expect(among(`${tone}-filled`, '--potluck-card')).toBeGreaterThan(4.5)
        expect(among(`${tone}-light`, '--potluck-card')).toBeGreaterThan(1.15)
      }
    },
  )

  it('comes in three sizes, medium unless something else is asked for', () => {
    const sizes = [{ size: 'sm' }, { size: 'md' }, { size: 'lg' }, {}]
    const heights = sizes.flatMap((size) => styleOf(<Button {...size}>Go</Button>, '--button-height'))
    expect(new Set(heights)).toHaveProperty('size', 3)
    expect(heights[3]).toBe(heights[1])
  })

  it.each([false, true])('shows a spinner and is disabled while something is under way: %s', (loading) => {
    const page = show(<Button {...(loading && { loading })}>Go</Button>)
    expect(screen.getByRole('button')).toHaveProperty('disabled', loading)
    expect(page.querySelector('.mantine-Button-loader .mantine-Loader-root') !== null).toBe(loading)
  })
})

function Two() {
  const [chat, { close: leave }] = useDisclosure(true)
  const [about, { open, close }] = useDisclosure()
  return (
    <Dialog opened={chat} onClose={leave} title="Chat">
      <button type="button" onClick={open}>
        Who is it?
      </button>
      <Dialog opened={about} onClose={close} title="About">
        <button type="button">Block</button>
      </Dialog>
    </Dialog>
  )
}

it('one declaration of a list is a table with all columns, or lines with the details behind them', async () => {
  const row = { id: 1, name: 'Netflix', when: 'today', by: '', sum: 0, state: 'Due', note: 'Long' }
  const columns: Column<typeof row>[] = [
    {
      label: 'What',
      as: 'title',
      mark: () => '◆',
      brief: ({ name }) => name,
      cell: ({ name }) => <a href="#it">{name}</a>,
    },
    { label: 'When', as: 'detail', cell: ({ when }) => when },
    { label: 'By', as: 'detail', cell: ({ by }) => by },
    { label: 'Sum', as: 'amount', number: true, cell: ({ sum }) => sum },
    { label: 'State', as: 'state', cell: ({ state }) => state },
    { label: 'Note', cell: ({ note }) => note },
    { label: 'To do', as: 'action', cell: ({ id }) => id > 1 && <button type="button">Pay</button> },
  ]
  const rows = [row, { ...row, id: 2, by: 'Ada' }]
  const list = { label: 'All', columns, rowKey: ({ id }: typeof row) => id }
  const texts = (selector: string) =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => textContent)
  const { rerender } = render(<DataTable {...list} rows={rows} />, { wrapper: Themed })
  expect(texts('tr')).toEqual([
    'WhatWhenBySumStateNoteTo do',
    '◆Netflixtoday0DueLong',
    '◆NetflixtodayAda0DueLongPay',
  ])
  rerender(<DataTable {...list} rows={[row]} />)
  expect(texts('tr')).toEqual(['WhatWhenBySumStateNote', '◆Netflixtoday0DueLong'])

  // Rows with the same heading follow it; their cells do not repeat it.
  const headed = {
    ...list,
    columns: columns.map((one) => (one.label === 'When' ? { ...one, belowHeading: () => 'noon' } : one)),
    rows: [...rows, { ...row, id: 3, when: 'yesterday' }],
    heading: ({ when }: typeof row) => when,
  }
  rerender(<DataTable {...headed} />)
  expect(texts('tbody')).toEqual([
    'today◆Netflixnoon0DueLong◆NetflixnoonAda0DueLongPay',
    'yesterday◆Netflixnoon0DueLongPay',
  ])
  rerender(<DataTable {...headed} lines />)
  expect(texts('ul')).toEqual(['◆Netflixnoon0Due◆Netflixnoon · Ada0Pay', '◆Netflixnoon0Pay'])
  expect(document.querySelectorAll('ul')[1]?.ariaLabel).toBe('All, yesterday')

  rerender(<DataTable {...list} rows={rows} lines />)
  expect(texts('li')).toEqual(['◆Netflixtoday0Due', '◆Netflixtoday · Ada0Pay'])
  await userEvent.click(screen.getAllByText('Netflix')[1] as HTMLElement)
  expect((await screen.findByRole('dialog', { name: 'Netflix' })).querySelector('dl')?.textContent).toBe(
    'WhatNetflixWhentodayByAdaSum0StateDueNoteLong',
  )
  // When a row is removed its details close, and they stay closed when it returns.
  rerender(<DataTable {...list} rows={[row]} lines />)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  rerender(<DataTable {...list} rows={rows} lines />)
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('Escape closes the dialog on top, and with the next press the one below', async () => {
  const user = userEvent.setup()
  show(<Two />)
  const names = () => screen.queryAllByRole('dialog').map((dialog) => dialog.textContent)
  await screen.findByRole('dialog', { name: 'Chat' })
  for (let time = 0; time < 2; time += 1) {
    await user.click(screen.getByText('Who is it?'))
    await screen.findByRole('dialog', { name: 'About' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(names()).toEqual(['ChatWho is it?']))
  }
  await user.keyboard('{Escape}')
  await waitFor(() => expect(names()).toEqual([]))
})

it.each([
  [-40, 0, 'idle'],
  [0, 0, 'idle'],
  [159, 79.5, 'pulling'],
  [160, 80, 'ready'],
  [240, 120, 'ready'],
  [600, 120, 'ready'],
] as const)('a finger %i px down moves the content %d px: %s', (finger, moved, state) =>
  expect([pulledBy(finger), pullState(moved)]).toEqual([moved, state]),
)

it('a list is loaded again when a finger lets go, not when its movement is taken for something else', () => {
  const load = vi.fn(() => Promise.resolve())
  show(<PullToRefresh onRefresh={load}>List</PullToRefresh>)
  const page = screen.getByText('List')
  for (const [end, loads] of [
    [fireEvent.touchCancel, 0],
    [fireEvent.touchEnd, 1],
  ] as const) {
    fireEvent.touchStart(page, { touches: [{ clientX: 0, clientY: 100 }] })
    fireEvent.touchMove(page, { touches: [{ clientX: 0, clientY: 300 }] })
    expect(screen.getByText('Release to refresh')).toBeTruthy()
    end(page, { touches: [] })
    expect(screen.queryByText('Release to refresh')).toBeNull()
    expect(load).toHaveBeenCalledTimes(loads)
  }
})

// Decodes the drawn code with an independent decoder.
it.each([
  ['Zoë Łukasiewicz-Öztürk', 0.01, 'Müll & Söhne: 1/12'],
  ['字'.repeat(70), 999_999_999.99, 'r'.repeat(100)],
])('the code of a transfer to %s is read as what it says', (holder, amount, reference) => {
  const text = creditTransferText({ holder, iban: 'DE89370400440532013000', amount, reference }) ?? ''
  expect(text).toContain('\nDE89370400440532013000\n')
  render(<QrCode text={text} label="For your bank’s app" />)
  expect(scan(screen.getByRole('img', { name: 'For your bank’s app' }))).toBe(text)
})
