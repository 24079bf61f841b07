import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { PullToRefresh } from './PullToRefresh.tsx'

it('loads again when a finger lets go, not when its movement is taken for something else', () => {
  const load = vi.fn(() => Promise.resolve())
  render(
    <MantineProvider>
      <PullToRefresh onRefresh={load}>List</PullToRefresh>
    </MantineProvider>,
  )
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
