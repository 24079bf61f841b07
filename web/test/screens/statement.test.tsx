import { testServer } from '@potluck/server/test/harness.ts'
import { screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { monthInWords, monthOf, shiftMonth } from '#domain/months.ts'
import { ageMoney, moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp } from '../app.tsx'
import { newPeople } from '../sharing.ts'

const server = await testServer()
const THIS = monthOf(new Date())
const LAST = shiftMonth(THIS, -1)
const rows = () => screen.getAllByRole('row').map(({ textContent }) => textContent)
const balance = (label: string) => screen.getByText(label).nextElementSibling?.textContent

it('shows a month of the wallet, goes to the one before and no further, and saves and prints it', async () => {
  const { olivia } = await newPeople(server)
  const ada = (await newPeople(server)).zoe
  await server.db.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [ada.id])
  await moveCoins(server.db, olivia, 'earned', 30, 'Old share')
  const midMonth = new Date(`${LAST}-15T12:00`)
  await ageMoney(server.db, `${(Date.now() - midMonth.getTime()) / 1000} seconds`)
  await moveCoins(server.db, olivia, 'earned', 4.4, '=HYPERLINK("x")')
  await ada.client.rpc('adjust_wallet', { p_user_id: olivia.id, p_amount: -2.3, p_reason: 'Counted twice' })

  const { user, at } = await openApp(server, '/my-savings?tab=transactions', { as: olivia })
  await user.click(await screen.findByRole('link', { name: 'Statement by month' }))
  expect(at()).toBe('/my-savings/statement')
  await screen.findByRole('heading', { name: monthInWords(THIS) })
  await screen.findByText('Opening balance')
  expect(balance('Opening balance')).toBe('€30.00')
  expect(rows().slice(1)).toEqual([
    expect.stringContaining('Earning=HYPERLINK("x")+€4.40€34.40'),
    expect.stringMatching(/CorrectionAdmin adjustment: Counted twiceby .+−€2.30€32.10/),
  ])
  expect(balance('Closing balance')).toBe('€32.10')

  const saved = vi.fn((_file: Blob) => 'blob:statement')
  Object.assign(URL, { createObjectURL: saved, revokeObjectURL: vi.fn() })
  const print = vi.spyOn(window, 'print').mockReturnValue()
  await user.click(screen.getByRole('button', { name: 'Save as CSV' }))
  const csv = (await saved.mock.lastCall?.[0].text())?.split('\r\n')
  expect(csv?.[1]).toBe(',Opening balance,,,,30')
  expect(csv?.[2]).toMatch(/,Earning,"'=HYPERLINK\(""x""\)",,4.4,34.4$/)
  expect(csv?.[4]).toBe(',Closing balance,,,,32.1')
  await user.click(screen.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledOnce()

  expect(screen.getByRole('button', { name: 'Later month' })).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('button', { name: 'Earlier month' }))
  await screen.findByRole('heading', { name: monthInWords(LAST) })
  const table = within(await screen.findByRole('table', { name: `Movements in ${monthInWords(LAST)}` }))
  expect(table.getByText('Old share')).toBeTruthy()
  expect([balance('Opening balance'), balance('Closing balance')]).toEqual(['€0.00', '€30.00'])
  expect(screen.getByRole('button', { name: 'Earlier month' })).toHaveProperty('disabled', true)
  expect(at()).toBe(`/my-savings/statement?month=${LAST}`)
})

it('says so when nothing moved', async () => {
  const { zoe } = await newPeople(server)
  await openApp(server, '/my-savings/statement?month=nonsense', { as: zoe })
  expect(await screen.findByText(`Nothing moved in ${monthInWords(THIS)}.`)).toBeTruthy()
})
