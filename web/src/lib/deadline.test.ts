import { afterEach, expect, it, vi } from 'vitest'
import { withDeadline } from './deadline.ts'

const never = () => new Promise<string>(() => undefined)
const clock = () => {
  const ticking = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ticking.signal)
  return { timeout, end: () => ticking.abort() }
}
afterEach(() => vi.restoreAllMocks())

it('gives a load 15 seconds, then says that it took too long', async () => {
  const { timeout, end } = clock()
  let given: AbortSignal | undefined
  const load = withDeadline(new AbortController().signal, (signal) => {
    given = signal
    return never()
  })
  expect(timeout).toHaveBeenCalledExactlyOnceWith(15_000)
  expect(given?.aborted).toBe(false)
  end()
  await expect(load).rejects.toMatchObject({ code: 'timed_out', message: 'Request timeout' })
  expect(given?.aborted).toBe(true)
})

it('lets a load pass that is in time, and its own failure too', async () => {
  clock()
  const { signal } = new AbortController()
  await expect(withDeadline(signal, () => Promise.resolve('plans'))).resolves.toBe('plans')
  await expect(withDeadline(signal, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
})

it('is cancelled by whoever asked, without a word about time', async () => {
  clock()
  const asker = new AbortController()
  const load = withDeadline(asker.signal, (signal) => {
    const gone = new Promise<string>((_never, giveUp) =>
      signal.addEventListener('abort', () => giveUp(new Error('gone'))),
    )
    return gone
  })
  asker.abort()
  await expect(load).rejects.toThrow('gone')
})
