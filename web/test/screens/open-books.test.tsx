import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ageMoney, moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp } from '../app.tsx'

const server = await testServer()
// The clock of the server closes the day as well, at a time of its own.
await server.db.query(`delete from cron.job where jobname = 'close-day'`)
await server.db.query('delete from private.daily_books')
const figure = (label: string) =>
  screen
    .getAllByText(label)
    .find(({ parentElement }) => parentElement?.tagName === 'DT')
    ?.closest('div')?.textContent
const close = () => server.db.query('select private.close_day()')

it('shows a visitor, from the foot of any page, what the site held the day before, that it sums to zero and when it was checked', async () => {
  const { user } = await openApp(server, '/about')
  await user.click(await screen.findByRole('link', { name: 'Open Books' }))
  expect(await screen.findByText('No day is over yet')).toBeTruthy()

  for (let n = 0; n < 5; n += 1)
    await moveCoins(server.db, await addUser(server, `owner-${n}@books.example`), 'earned', 7)
  await ageMoney(server.db, '1 day')
  await close()
  await openApp(server, '/books')
  expect(await screen.findByText('The books balance')).toBeTruthy()
  expect(figure('Owed to owners')).toBe('Owed to owners€35.00coins in 5 wallets')
  expect(figure('Held for members')).toContain('€0.00paid for access, not yet earned, in fewer than 5 places')
  const lines = screen.getAllByRole('row').map(({ textContent }) => textContent)
  expect(lines).toContain('At the bank and the payment provider-€35.00')
  expect(lines.at(-1)).toBe('Sum€0.00')
  expect(lines).toContain('Problems reportedfewer than 5')
  expect(lines.some((line) => line?.startsWith('Hours from report'))).toBe(false)
  expect(screen.getByText(/Checked on/)).toBeTruthy()
})

it('tells how many problems there were, how they ended and how soon money was back, once there are enough', async () => {
  await server.db.query(
    'update private.daily_books set problems = 20, fixed = 9, paid_back = 8, hours_to_money = 25.5',
  )
  await openApp(server, '/books')
  await screen.findByText('When something did not work')
  const lines = screen.getAllByRole('row').map(({ textContent }) => textContent)
  for (const line of [
    'Problems reported20',
    'Fixed by the owner9',
    'Ended with money back8',
    'Taken back, or decided for the ownerfewer than 5',
    'Hours from report to money back, half of them sooner25.5',
  ])
    expect(lines).toContain(line)
})

it('does not hide that the books are wrong', async () => {
  await server.db.query('update user_wallets set coin_balance = coin_balance + 1')
  await server.db.query('delete from private.daily_books')
  await close()
  await openApp(server, '/books')
  expect(await screen.findByText('The books do not balance')).toBeTruthy()
})
