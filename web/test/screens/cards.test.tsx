// The cards a person has saved, and what becomes of their places without them. The provider's own page takes the numbers.
import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { join, newPeople, payThroughSite, sharePlan } from '../sharing.ts'

const server = await testServer()
let zoe: TestUser
let people = 0
beforeEach(async () => {
  await server.db.query(`select private.report_payment_provider('stripe', 'test', 'pk_test_1')`)
  zoe = await addUser(server, `zoe.cards${++people}@potluck.example`)
})
const save = (brand: string, last4: string, ago: string) =>
  server.db.query(
    `insert into public.payment_methods (user_id, provider, reference, brand, last4, exp_month, exp_year, chosen_at)
     values ($1, 'stripe', gen_random_uuid(), $2, $3, 9, 2031, now() - $4::interval)`,
    [zoe.id, brand, last4, ago],
  )
const cards = () => screen.queryAllByText(/ending \d{4}, until/).map(({ textContent }) => textContent)

it('are known by brand, last four digits and expiry; their number is asked for on a page of Stripe alone', async () => {
  await save('visa', '4242', '1 hour')
  await openApp(server, '/cards', { as: zoe })
  await waitFor(() => expect(cards()).toEqual(['visa ending 4242, until 09/2031']))
  await screen.findByRole('button', { name: 'Continue to Stripe' })
  screen.getByText('You enter it on a page of Stripe. We only get to know its last four digits.')
  expect(within(screen.getByRole('main')).queryAllByRole('textbox')).toEqual([])
  expect(screen.queryByText('Simulation')).toBeNull()
})

it('are replaced and removed; whoever removes the only one reads first which places end', async () => {
  const { olivia } = await newPeople(server)
  const planId = await sharePlan(olivia)
  await payThroughSite(server, planId)
  await join(olivia, zoe, planId)
  await save('visa', '4242', '1 hour')
  await save('mastercard', '4444', '2 hours')
  const { user } = await openApp(server, '/cards', { as: zoe })
  await user.click(await screen.findByRole('button', { name: 'Charge this one' }))
  await waitFor(() =>
    expect(cards()).toEqual(['mastercard ending 4444, until 09/2031', 'visa ending 4242, until 09/2031']),
  )
  const remove = async (which: number, warning: RegExp) => {
    await user.click(screen.getAllByRole('button', { name: 'Remove' })[which] as HTMLElement)
    const sure = within(await screen.findByRole('dialog', { name: 'Remove this card?' }))
    sure.getByText(warning)
    await user.click(sure.getByRole('button', { name: 'Remove card' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await remove(1, /^It is no longer charged\.$/)
  await waitFor(() => expect(cards()).toEqual(['mastercard ending 4444, until 09/2031']))
  await remove(
    0,
    /^It is your only card\. Without one these places cannot be renewed, and end: Netflix Premium\.$/,
  )
  await screen.findByText('No card is saved yet.')
  const { data } = await zoe.client.from('payment_methods').select('id').throwOnError()
  expect(data).toEqual([])
})
