import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ageMoney, moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp } from '../app.tsx'

const server = await testServer()
const withRole = async (name: string, role: string) => {
  const person = await addUser(server, `${name}@staff.example`)
  await server.db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
  return person
}
const ada = await withRole('ada', 'admin')
const sofia = await withRole('sofia', 'super-admin')
const olivia = await addUser(server, 'olivia@money.example')
const marc = await addUser(server, 'marc@money.example')
await moveCoins(server.db, olivia, 'earned', 30, 'Long ago')
await ageMoney(server.db, '40 days')
await moveCoins(server.db, marc, 'earned', 5, 'Of Marc')
const adjusted = { p_user_id: olivia.id, p_amount: -2, p_reason: 'Counted twice' }
await ada.client.rpc('adjust_wallet', adjusted).throwOnError()

const causes = () =>
  [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('td:last-child')?.textContent)
const shows = (wanted: string[]) => waitFor(() => expect(causes()).toEqual(wanted))
const ALL = ['Admin adjustment: Counted twiceby ada', 'Of Marc', 'Long ago']

it('shows admins each transfer with its cause, by person, kind and time, and saves what fits', async () => {
  const { user, at } = await openApp(server, '/admin', { as: ada })
  await user.click(await screen.findByRole('link', { name: 'Transfers' }))
  await shows(ALL)
  expect(document.querySelector('tbody tr')?.textContent).toContain(
    'Correction€2.00Wallet → Correctionsolivia',
  )

  expect(screen.getByRole('link', { name: 'marc' }).getAttribute('href')).toBe(`/admin/people/${marc.id}`)
  await user.type(screen.getByRole('combobox', { name: 'Person' }), 'oliv')
  await user.click(await screen.findByRole('option', { name: /olivia/ }))
  await shows(['Admin adjustment: Counted twiceby ada', 'Long ago'])
  expect(at()).toContain(`person=${olivia.id}`)
  await user.click(screen.getByRole('combobox', { name: 'Kind' }))
  await user.click(await screen.findByRole('option', { name: 'Earning' }))
  await shows(['Long ago'])

  const saved = vi.fn((_file: Blob) => 'blob:transfers')
  Object.assign(URL, { createObjectURL: saved, revokeObjectURL: vi.fn() })
  await user.click(screen.getByRole('button', { name: 'Save all as CSV' }))
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  const lines = (await saved.mock.lastCall?.[0].text())?.split('\r\n') ?? []
  expect(lines).toHaveLength(3)
  expect(lines[1]).toMatch(/,Earning,30,Bank and provider,Wallet,olivia,,Long ago,$/)
})

it('narrows to a time, both days included', async () => {
  const day = new Date(Date.now() - 40 * 86_400_000).toLocaleDateString('sv-SE')
  await openApp(server, `/admin/transfers?from=${day}&until=${day}`, { as: ada })
  await shows(['Long ago'])
  await openApp(server, '/admin/transfers?until=2020-01-01', { as: ada })
  expect(await screen.findByText('No transfers found')).toBeTruthy()
})

it('shows super-admins, and no other staff, what staff did', async () => {
  await openApp(server, '/admin/log', { as: ada })
  expect(await screen.findByText('Your role does not include this page')).toBeTruthy()
  const { user } = await openApp(server, '/admin', { as: sofia })
  await user.click(await screen.findByRole('link', { name: 'Staff Log' }))
  await screen.findByRole('table', { name: 'Log of staff' })
  const [newest, , oldest] = [...document.querySelectorAll('tbody tr')].map(({ textContent }) => textContent)
  expect(newest).toMatch(
    /^3.+ada.*wallet adjustedolivia.*amount: -2.*reason: Admin adjustment: Counted twice.*Hash [0-9a-f]{64}$/,
  )
  expect(oldest).toMatch(/^1.+The server.*role givenada.*after: admin/)
})
