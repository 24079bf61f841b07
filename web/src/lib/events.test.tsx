import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { announce, type BrowserEvents, listen } from './events.ts'

type StatusChange = BrowserEvents['requestStatusChanged']
let heard: StatusChange[]
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  heard = []
  stop = listen('requestStatusChanged', (change) => heard.push(change))
})
afterEach(() => stop())

const change = (more: Partial<StatusChange> = {}): StatusChange => ({
  requestId: 'request-1',
  status: 'approved',
  subscriptionId: 'sub-1',
  at: Date.now(),
  ...more,
})

describe('a status event', () => {
  it('carries request id, status and subscription id to every listener until it stops', () => {
    const others: unknown[] = []
    const raw = (event: Event) => others.push((event as CustomEvent).detail)
    window.addEventListener('requestStatusChanged', raw)
    const sent = change()
    announce('requestStatusChanged', sent)
    expect(heard).toEqual([sent])
    expect(others).toEqual([
      expect.objectContaining({ requestId: 'request-1', status: 'approved', subscriptionId: 'sub-1' }),
    ])
    stop()
    announce('requestStatusChanged', change({ requestId: 'request-2' }))
    expect(heard).toHaveLength(1)
    window.removeEventListener('requestStatusChanged', raw)
  })

  it('is ignored when it is older than 30 s', () => {
    announce('requestStatusChanged', change({ at: Date.now() - 30_001 }))
    expect(heard).toEqual([])
    announce('requestStatusChanged', change({ at: Date.now() - 30_000 }))
    expect(heard).toHaveLength(1)
  })

  it('is processed once when the same comes again within 10 s, whenever it says it happened', () => {
    announce('requestStatusChanged', change())
    vi.advanceTimersByTime(9_999)
    announce('requestStatusChanged', change())
    announce('requestStatusChanged', change({ at: Date.now() - 5000 }))
    expect(heard).toHaveLength(1)
    vi.advanceTimersByTime(1)
    announce('requestStatusChanged', change())
    expect(heard).toHaveLength(2)
  })

  it('is heard when anything about it differs', () => {
    announce('requestStatusChanged', change())
    announce('requestStatusChanged', change({ status: 'cancelled' }))
    announce('requestStatusChanged', change({ requestId: 'request-2' }))
    announce('requestStatusChanged', change({ subscriptionId: 'sub-2' }))
    expect(heard).toHaveLength(4)
  })

  it('is processed once by each listener', () => {
    let counted = 0
    const stopOther = listen('requestStatusChanged', () => {
      counted += 1
    })
    announce('requestStatusChanged', change())
    announce('requestStatusChanged', change())
    expect([heard.length, counted]).toEqual([1, 1])
    stopOther()
  })

  it('is heard when it does not say when it happened', () => {
    const { at: _at, ...untimed } = change()
    window.dispatchEvent(new CustomEvent('requestStatusChanged', { detail: untimed }))
    expect(heard).toHaveLength(1)
  })
})

it('leaves every other event alone', () => {
  let refreshes = 0
  const stopRefreshes = listen('forceSubscriptionsRefresh', () => {
    refreshes += 1
  })
  announce('forceSubscriptionsRefresh')
  announce('forceSubscriptionsRefresh')
  expect(refreshes).toBe(2)
  stopRefreshes()
})
