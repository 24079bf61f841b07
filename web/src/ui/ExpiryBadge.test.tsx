import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ExpiryBadge } from './ExpiryBadge.tsx'

it.each([
  [13, 'amber'],
  [12, 'orange'],
  [6, 'red'],
])('%i hours left are shown in %s', (hours, tone) => {
  render(
    <MantineProvider>
      <ExpiryBadge hours={hours} />
    </MantineProvider>,
  )
  expect(screen.getByText(/\dh/).closest('[data-tone]')?.getAttribute('data-tone')).toBe(tone)
})
