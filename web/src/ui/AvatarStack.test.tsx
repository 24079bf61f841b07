import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { AvatarStack } from './AvatarStack.tsx'
import { PersonAvatar } from './PersonAvatar.tsx'

const show = (children: ReactNode) => render(<MantineProvider>{children}</MantineProvider>)
const people = ['Ada Abel', 'Ben', 'Cleo Curie', 'Dan', 'Eve', 'Finn'].map((name) => ({
  id: name,
  name,
  avatarUrl: null,
}))
const letters = () => screen.queryAllByText(/^[A-Z]{1,2}$/).map(({ textContent }) => textContent)

describe('a stack of people', () => {
  it.each([
    [3, ['AA', 'B', 'CC'], null],
    [4, ['AA', 'B', 'CC', 'D'], null],
    [5, ['AA', 'B', 'CC', 'D'], '+1'],
    [6, ['AA', 'B', 'CC', 'D'], '+2'],
  ])('of %i shows four and counts the rest', (size, shown, rest) => {
    show(<AvatarStack people={people.slice(0, size)} />)
    expect(letters()).toEqual(shown)
    expect(screen.queryByText(/^\+\d/)?.textContent ?? null).toBe(rest)
  })

  it('shows as many as it is told to', () => {
    show(<AvatarStack people={people} most={2} />)
    expect(letters()).toEqual(['AA', 'B'])
    expect(screen.getByText('+4')).toBeTruthy()
  })
})

describe('a person', () => {
  it.each([null, undefined, ''])('without a picture (%s) is two letters at most', (src) => {
    show(<PersonAvatar name="Maria del Carmen Lopez" src={src} />)
    expect(letters()).toEqual(['ML'])
  })

  it('with a picture is the picture', () => {
    const { container } = show(<PersonAvatar name="Marc" src="/avatars/avatar-1.svg" />)
    expect(container.querySelector('img')?.getAttribute('src')).toBe('/avatars/avatar-1.svg')
    expect(letters()).toEqual([])
  })
})
