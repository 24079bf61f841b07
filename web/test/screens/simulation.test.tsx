import { testServer } from '@potluck/server/test/harness.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openTill } from '../../../supabase/tests/till.ts'
import { openApp } from '../app.tsx'
import { join, newPeople, payThroughSite, sharePlan } from '../sharing.ts'

const server = await testServer()
const till = await openTill(server.db)
const { olivia, marc, zoe } = await newPeople(server)
const plan = await sharePlan(olivia)
await payThroughSite(server, plan)
// Marc is let in and has no card, so that his first payment fails.
await join(olivia, marc, plan)
await till.work()
const [payment] = await server.db.query<{ id: string }>(
  'select id from member_payments where member_id = $1',
  [marc.id],
)
const id = payment?.id ?? ''
const NOTICE = 'No money moves here, and no real card is taken.'

it.each([
  '/cards',
  `/pay/${id}`,
  '/simulated-confirmation?id=sim_1',
  '/payments',
  `/payments/${id}`,
  `/subscription/${plan}`,
  '/account-settings',
  '/create?category=music&provider=spotify&plan=spotify-premium-family&part=slots&slots=2',
])('%s says that payments are simulated', async (address) => {
  await openApp(server, address, { as: marc })
  expect(await screen.findByText(NOTICE)).toBeTruthy()
})

it('says so where somebody asks for a place', async () => {
  const { user } = await openApp(server, `/subscription/${plan}`, { as: zoe })
  await user.click(await screen.findByRole('button', { name: 'Request to join' }))
  expect(await screen.findByText(NOTICE)).toBeTruthy()
})
