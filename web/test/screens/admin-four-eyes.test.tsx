import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { addBankAccount } from '../../../supabase/tests/bank-accounts.ts'
import { forgetMoney, moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp, toasted } from '../app.tsx'

const server = await testServer()
const sql = (text: string, ...values: string[]) => server.db.query(text, values)
const addStaff = async (name: string, role: string) => {
  const person = await addUser(server, `${name}@potluck.example`)
  await sql('insert into user_roles (user_id, role) values ($1, $2)', person.id, role)
  return person
}
const ada = await addStaff('ada', 'admin')
const sofia = await addStaff('sofia', 'super-admin')
const olivia = await addUser(server, 'olivia@potluck.example')
await addBankAccount(server.db, olivia)
const as = (person: TestUser, address: string) => openApp(server, address, { as: person })
const row = () => document.querySelector('tbody tr')?.textContent
const dialog = async () => within(await screen.findByRole('dialog'))

// Olivia has 50 coins. Of these Ada has approved 30 that she wants paid out.
beforeEach(async () => {
  await forgetMoney(server.db)
  await moveCoins(server.db, olivia, 'earned', 50, 'A share')
  const requests = (person: TestUser) => person.client.from('withdrawal_requests')
  await requests(olivia).insert({ user_id: olivia.id, amount: 30 }).throwOnError()
  await requests(ada).update({ status: 'processing' }).eq('user_id', olivia.id).throwOnError()
})

it('what one admin approved another completes, and either rejects while it is processing', async () => {
  const { user } = await as(ada, '/admin/withdrawals')
  await screen.findByText('Another admin completes what you approved')
  expect(screen.queryByRole('button', { name: 'Complete withdrawal of olivia' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Reject withdrawal of olivia' }))
  const form = await dialog()
  expect(form.getByText(/who can use the coins again and is told why/).textContent).toMatch(
    /^€30\.00 stay in the wallet of olivia.*Make sure first that the bank has not paid the money out\.$/,
  )
  await user.type(form.getByLabelText(/Rejection reason/), 'The bank sent it back')
  await user.click(form.getByRole('button', { name: 'Reject Withdrawal' }))
  await toasted('success', 'Success', 'Withdrawal request updated successfully')
  await waitFor(() =>
    expect(row()).toMatch(
      /Approved just now by adaRejected just now by adaAccount ending in 3000Reason: The bank sent it back$/,
    ),
  )
  const { user: owner } = await as(olivia, '/my-savings')
  await waitFor(() => expect(document.body.textContent).toMatch(/Available balance50\.00 coins/))
  await owner.click(screen.getByRole('tab', { name: 'Withdrawals' }))
  await screen.findByText('Reason: The bank sent it back')
})

it('an adjustment leaves what waits to be paid out, keeps below the ceiling and says by whom', async () => {
  const { user } = await as(sofia, '/admin/financials?tab=wallets')
  await user.click(await screen.findByRole('button', { name: 'Adjust wallet of olivia' }))
  const form = await dialog()
  await form.findByText(/^Positive adds coins, negative takes them\. At most 100\.00 coins at a time\.$/)
  expect(form.getByText(/in coins/).textContent).toBe(
    'olivia has €50.00 in coins, of which €20.00 are available: the others wait to be paid out.',
  )
  const amount = form.getByLabelText(/Adjustment amount/)
  await user.type(form.getByLabelText(/Reason/), 'Counted twice')
  for (const [typed, refusal] of [
    ['100.01', 'One adjustment can move at most 100.00 coins'],
    ['-20.01', 'Only 20.00 coins are available, because the others wait to be paid out'],
  ] as const) {
    await user.clear(amount)
    await user.type(amount, typed)
    expect(form.getByText(refusal)).toBeTruthy()
    await user.click(form.getByRole('button', { name: 'Apply Adjustment' }))
    await toasted('error', 'Error', refusal)
    await waitFor(() => expect(form.getByText('Apply Adjustment').closest('[data-loading]')).toBeNull())
  }
  await user.clear(amount)
  await user.type(amount, '-20')
  expect(form.getByRole('status').textContent).toBe('New balance€30.00')
  await user.click(form.getByRole('button', { name: 'Apply Adjustment' }))
  await toasted('success', 'Success', 'Wallet adjusted successfully')
  await user.click(screen.getByRole('tab', { name: 'Transactions' }))
  const moves = await screen.findByRole('table', { name: 'Transactions' })
  await waitFor(() =>
    expect(moves.querySelector('tbody tr')?.textContent).toMatch(
      /Spent−€20\.00Admin adjustment: Counted twiceby sofiajust now$/,
    ),
  )
})
