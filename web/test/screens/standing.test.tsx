// How far people can be relied on, wherever somebody decides about them, and why.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { intercept } from '../network.ts'
import { ask, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const why = (level: string, { email }: TestUser) =>
  screen.findByRole('button', { name: `${level}: why? About ${email.split('@')[0]}` })
const about = async ({ email }: TestUser) =>
  within(await screen.findByRole('dialog', { name: `About ${email.split('@')[0]}` }))
const rowsOf = async (card: Pick<ReturnType<typeof within>, 'findByRole'>) => {
  const table = await card.findByRole('table', { name: 'What this follows from' })
  return [...table.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent).join(' | '),
  )
}

/** Four months on time to two other people, long enough ago. */
async function prove({ id }: TestUser) {
  const others = await newPeople(server)
  for (const owner of [others.olivia, others.marc])
    await server.db.query(
      `with seat as (
         insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement, billing_cycle, share, fee_rate)
         values (gen_random_uuid(), 'netflix-premium', 'Netflix', 'Premium', $1, $2, 'direct', 'monthly', 5, 0.1) returning *
       )
       insert into public.member_payments (seat_id, subscription_id, plan_name, owner_id, member_id, number, settlement, share, fee,
         starts_at, ends_at, due_at, paid_at, status)
       select id, subscription_id, plan_name, owner_id, member_id, n, settlement, share, 0, at, at + interval '30 days', at, at, 'paid'
       from seat, generate_series(1, 2) as n, lateral (select now() - n * interval '30 days') as began (at)`,
      [owner.id, id],
    )
  await server.db.query(
    `update public.user_profiles set created_at = now() - interval '40 days' where user_id = $1`,
    [id],
  )
}

it('shows on each plan of a page how far its owner can be relied on, with one question, and says why', async () => {
  await prove(people.olivia)
  await sharePlan(people.marc)
  const asked = intercept('POST rpc/standing_of')
  const { user } = await open('zoe', '/available-subscriptions?category=all&provider=Netflix')
  await why('New', people.marc)
  await user.click(await why('Proven', people.olivia))
  expect(asked.sent).toHaveLength(1)
  const dialog = await about(people.olivia)
  await dialog.findByText('Next: Trusted')
  expect(await rowsOf(dialog)).toEqual([
    'Fact | Proven needs | Trusted needs',
    'Time here40 days | 30 days (reached) | 180 days (not yet)',
    'Working access given0 hours | 2,880 hours, or (reached) | 8,760 hours, or (not yet)',
    'Payments on time4 | 4 (reached) | 12 (not yet)',
    'Payments more than 3 days lateNone | At most 1 (reached) | None (reached)',
    'Problems through own faultNone | At most 1 (reached) | None (reached)',
    'Median time to answer requestsNobody has asked | At most 24 hours (reached) | At most 12 hours (reached)',
  ])
  dialog.getByText(/With any one person, at most 90 days count\. .*of the last 180 days\.$/)
})

it('shows it on the page of a plan, and once more in the dialog that asks for a place', async () => {
  const { user } = await open('zoe', `/subscription/${planId}`)
  await why('New', people.olivia)
  await user.click(await screen.findByRole('button', { name: /^Request to join Netflix/ }))
  const asking = within(await screen.findByRole('dialog', { name: 'Request to join' }))
  await user.click(asking.getByRole('button', { name: /^New: why\?/ }))
  await (await about(people.olivia)).findByText('Next: Proven')
})

it('shows an owner how far whoever asks can be relied on, before they answer', async () => {
  await prove(people.zoe)
  await ask(people.zoe, planId)
  const { user } = await open('olivia', `/manage-shared/${planId}`)
  const requests = within(await screen.findByRole('region', { name: /Join Requests/ }))
  await requests.findByRole('button', { name: /^Approve/ })
  await user.click(await why('Proven', people.zoe))
  await (await about(people.zoe)).findByText('Next: Trusted')
})

it('shows people their own in the account settings', async () => {
  await prove(people.marc)
  await open('marc', '/account-settings')
  const card = within(await screen.findByRole('region', { name: 'Your standing' }))
  await waitFor(async () => expect((await rowsOf(card))[3]).toMatch(/^Payments on time4 /))
  card.getByText('Next: Trusted')
})
