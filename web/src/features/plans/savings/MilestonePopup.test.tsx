// Proves SAVE 08
import { MantineProvider } from '@mantine/core'
import { act, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MilestonePopup } from './MilestonePopup.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})

function visit(total: number, userId = 'marc') {
  const popup = (sum: number) => (
    <MantineProvider>
      <MilestonePopup userId={userId} total={sum} />
    </MantineProvider>
  )
  const { rerender, unmount } = render(popup(total))
  return { leave: unmount, save: (sum: number) => rerender(popup(sum)) }
}
const said = () => screen.getByRole('status').textContent
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('the milestone popup', () => {
  it('shows for 3 seconds, from the first milestone on', async () => {
    const { save } = visit(49.99)
    expect(said()).toBe('')
    save(50)
    expect(said()).toBe('Milestone reachedFirst Steps€50.00 total saved, a six-month estimate')
    await wait(2999)
    expect(said()).toContain('First Steps')
    await wait(1)
    expect(said()).toBe('')
  })

  it('shows for each milestone reached, one after the other, and once in this browser', async () => {
    const first = visit(120)
    expect(said()).toContain('First Steps')
    await wait(3000)
    expect(said()).toContain('Getting Started')
    await wait(3000)
    expect(said()).toBe('')
    first.save(250)
    expect(said()).toContain('Savings Pro')
    first.leave()
    const second = visit(499.99)
    expect(said()).toBe('')
    second.leave()
    visit(50, 'zoe')
    expect(said()).toContain('First Steps')
  })

  it('shows once per visit in a browser that keeps nothing, or something else', async () => {
    window.localStorage.setItem('celebrated-milestones', '{"marc":"all"}')
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    visit(50)
    expect(said()).toContain('First Steps')
    await wait(13_000)
    expect(said()).toBe('')
  })
})
