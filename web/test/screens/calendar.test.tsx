import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { buildChanged } from '../../../scripts/build.mjs'
import { openApp } from '../app.tsx'
import { newPeople, sharePlan } from '../sharing.ts'

const server = await testServer()
await buildChanged(['supabase'])

it('gives a calendar program an address, another one, and none', async () => {
  const { olivia } = await newPeople(server)
  await sharePlan(olivia)
  await openApp(server, '/account-settings', { as: olivia })
  const make = await screen.findByRole<HTMLButtonElement>('button', { name: 'Make an Address' })
  await waitFor(() => expect(make.disabled).toBe(false))
  await userEvent.click(make)
  const address = async () =>
    (await screen.findByText(/\/functions\/v1\/calendar\/[0-9a-f]{64}\.ics$/)).textContent
  const old = await address()
  const summaries = async (from: string) => (await (await fetch(from)).text()).match(/^SUMMARY:.*/gm)?.length
  expect(await summaries(old)).toBe(1)

  await userEvent.click(screen.getByRole('button', { name: 'Replace Address' }))
  const replacing = await screen.findByRole('dialog', { name: 'Replace the address?' })
  await userEvent.click(within(replacing).getByRole('button', { name: 'Replace Address' }))
  await waitFor(async () => expect(await address()).not.toBe(old))
  expect([(await fetch(old)).status, await summaries(await address())]).toEqual([404, 1])
  const next = await address()

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Switch Off' }))
  const ending = await screen.findByRole('dialog', { name: 'Switch the calendar off?' })
  await userEvent.click(within(ending).getByRole('button', { name: 'Switch Off' }))
  await screen.findByRole('button', { name: 'Make an Address' })
  expect((await fetch(next)).status).toBe(404)
})
