// A job that has waited so long that another worker may have leased it is left to that worker.
import { afterAll, expect, test, vi } from 'vitest'
import type { Accounts, Provider } from '../../functions/payments/provider.ts'
import { workOff } from '../../functions/payments/work.ts'

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('no refund or transfer is begun by a worker that Stripe has kept waiting', async () => {
  const jobs = Array.from({ length: 60 }, (_, place) => ({
    ...{ job: `${place}`, attempt: 1, kind: place % 2 ? 'refund' : 'transfer', order: { id: `${place}` } },
  }))
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.stubGlobal('Deno', { env: { get: () => 'http://database.test' } })
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(address.endsWith('/lease_payment_jobs') ? jobs : true),
  )
  let begun = 0
  /** The first requests, which run at the same time, take 40 s. */
  const slow = async () => {
    begun += 1
    if (begun === 25) vi.setSystemTime(Date.now() + 40_000)
    return { intent: 'pi', amountCents: 100, reference: 're', status: 'succeeded', reason: null } as const
  }
  const accounts = { send: slow } as Partial<Accounts> as Accounts
  const provider = { name: 'stripe', refund: slow, accounts } as Partial<Provider> as Provider
  expect(await workOff(provider)).toEqual({ done: 25, put_off: 35 })
  expect(begun).toBe(25)
})
