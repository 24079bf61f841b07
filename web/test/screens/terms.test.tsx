// An owner proposes another way of paying or another price: what each member says to it, and what the owner does then.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { listening, openApp, toasted } from '../app.tsx'
import { join, newPeople, type People, sharePlan, takePayments } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  await takePayments(server)
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
})

const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const asMember = () => open('marc', `/manage-subscribed/${planId}`)
const asOwner = () => open('olivia', `/manage-shared/${planId}`)
const seatOf = () => screen.findByRole('article', { name: /^Payments of marc/ })
const seats = async () => (await people.marc.client.rpc('my_seats').throwOnError()).data
const noticed = () => screen.findByRole('region', { name: 'New terms proposed' })
const answer = async (accept: boolean) => {
  const { data } = await people.marc.client.from('term_proposals').select('id').is('accepted', null).single()
  await people.marc.client
    .rpc('answer_terms', { p_proposal_id: data?.id ?? '', p_accept: accept })
    .throwOnError()
}

it('shows an owner what members pay, proposes another way to each, and shows at once who agrees', async () => {
  const { user } = await asOwner()
  const card = within(await screen.findByRole('region', { name: 'Terms' }))
  card.getByText('A place costs €5.00 a month, paid directly and without a fee.')
  await user.click(card.getByRole('button', { name: 'Propose other terms' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Propose other terms' }))
  await dialog.findByText('Netflix Premium costs €19.99, as it did when you shared it.')
  const propose = dialog.getByRole('button', { name: 'Propose' })
  expect([
    propose.hasAttribute('disabled'),
    dialog.queryByText('These are the terms already.') !== null,
  ]).toEqual([true, true])
  await user.click(dialog.getByRole('radio', { name: 'Through Potluck' }))
  dialog.getByText('€5.50 a month through Potluck, fee included')
  dialog.getByText(
    /^They hold for whoever joins from now on\. Each member is asked\. Without an answer the old terms stay/,
  )
  await user.click(propose)
  await toasted('success', 'Terms changed', 'They hold for whoever joins from now on, and 1 member is asked.')
  await card.findByText('A place costs €5.50 a month through Potluck, fee included.')
  await waitFor(async () =>
    expect((await seatOf()).textContent).toMatch(
      /Old terms: €5\.00 a month, paid directly and without a fee\. Asked just now, no answer yet\./,
    ),
  )
  await listening(`payments-${people.olivia.id}`)
  await answer(true)
  await within(await seatOf()).findByText('Has agreed to the terms of the plan.')
  expect(within(await seatOf()).queryByRole('button', { name: 'End with the period' })).toBeNull()
})

it('tells the member at once, who accepts from the next month on', async () => {
  const { user } = await asMember()
  await screen.findByRole('region', { name: 'Your place' })
  expect(screen.queryByRole('region', { name: 'New terms proposed' })).toBeNull()
  await listening(`payments-${people.marc.id}`)
  await people.olivia.client
    .rpc('propose_terms', { p_subscription_id: planId, p_settlement: 'potluck' })
    .throwOnError()
  const notice = within(await noticed())
  notice.getByText(
    /^olivia\d+ proposes €5\.50 a month through Potluck, fee included, from your next month on\. Now you pay €5\.00 a month, paid directly and without a fee\.$/,
  )
  await user.click(notice.getByRole('button', { name: 'Accept' }))
  await toasted('success', 'Thank you', 'The new terms hold from your next month on.')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'New terms proposed' })).toBeNull())
  expect(await seats()).toMatchObject([{ settlement: 'potluck', share: 5 }])
})

it('goes by the price of today; who keeps the old terms keeps them, until the owner ends the place with its period', async () => {
  // Shared when it was cheaper.
  await server.db.query(
    `update public.shared_subscriptions set total_price = 16, member_price = 4 where id = $1`,
    [planId],
  )
  await server.db.query(`update private.seats set share = 4 where subscription_id = $1`, [planId])
  const owner = await asOwner()
  await owner.user.click(await screen.findByRole('button', { name: 'Propose other terms' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Propose other terms' }))
  await dialog.findByText(/^Netflix Premium costs €19\.99 now, and cost €16\.00 when the terms were made\./)
  await owner.user.click(dialog.getByRole('button', { name: 'Propose' }))
  await toasted('success', 'Terms changed', 'They hold for whoever joins from now on, and 1 member is asked.')

  const member = await asMember()
  await member.user.click(within(await noticed()).getByRole('button', { name: 'Keep the old terms' }))
  await toasted('success', 'Old terms kept', 'Nothing changes for you. The owner is told.')
  expect(await seats()).toMatchObject([{ settlement: 'direct', share: 4 }])

  const { user } = await asOwner()
  const seat = within(await seatOf())
  await seat.findByText(/^Old terms: €4\.00 a month, paid directly and without a fee\. Keeps them\.$/)
  await user.click(seat.getByRole('button', { name: 'End with the period' }))
  const sure = within(
    await screen.findByRole('dialog', { name: /^End the place of marc\d+ with its period\?$/ }),
  )
  await user.click(sure.getByRole('button', { name: 'End with the period' }))
  await seat.findByText(/Leaves on \d+ \w+ \d+\./)
  expect(seat.queryByRole('button', { name: 'End with the period' })).toBeNull()
  await asMember()
  const place = within(await screen.findByRole('region', { name: 'Your place' }))
  await place.findByText(/^Your place ends on \d+ \w+ \d+\./)
  expect(place.queryByRole('button', { name: 'Stay after all' })).toBeNull()
})
