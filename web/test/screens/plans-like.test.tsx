// A plan that is lost through no fault of one's own: plans like it, and the first place in their waiting lists.
import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { listening, openApp, toasted } from '../app.tsx'
import { join, newPeople, sharePlan } from '../sharing.ts'

const server = await testServer()
const signUp = (name: string) => addUser(server, `${name}@potluck.example`)
const until = (days: number) => {
  const day = new Date(Date.now() + days * 86_400_000)
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(day)
}
/** Two weeks for which Marc has paid, and which the owner then ends. */
async function twoWeeks() {
  const { olivia, marc, zoe } = await newPeople(server)
  const planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  const { data: due } = await marc.client.from('member_payments').select('id').single().throwOnError()
  await marc.client.rpc('say_paid', { p_payment_id: due.id }).throwOnError()
  await server.db.query(`select private.move_clock(interval '14 days')`)
  const end = () => olivia.client.from('shared_subscriptions').delete().eq('id', planId).throwOnError()
  return { olivia, marc, zoe, planId, end }
}
const WHY = (days: number) =>
  `Your place in Netflix Premium ended through no fault of your own. You come first in waiting lists for these until ${until(days)}.`

it('shows plans with free places and full ones, and puts the person first in line', async () => {
  const { marc, zoe, planId, end } = await twoWeeks()
  const [nina, paul] = [await signUp('nina'), await signUp('paul')]
  const full = await sharePlan(nina, 2)
  await join(nina, zoe, full)
  await sharePlan(paul, 3)
  await sharePlan(await signUp('rosa'), 2, 'netflix-standard')
  const anna = await signUp('anna')
  await anna.client.rpc('join_waiting_list', { p_subscription_id: full }).throwOnError()

  const { user, at } = await openApp(server, `/manage-subscribed/${planId}`, { as: marc })
  await screen.findByRole('heading', { level: 1, name: 'Your Subscribed Plan' })
  await listening(`plan-${planId}`)
  await end()
  await screen.findByRole('heading', { level: 1, name: 'Netflix Premium is no longer shared' })
  const notice = within(await screen.findByRole('region', { name: 'Plans like Netflix Premium' }))
  notice.getByText(WHY(44))
  await user.click(notice.getByRole('link', { name: 'Plans like this one' }))
  await waitFor(() => expect(at()).toMatch(/^\/plans-like\/[0-9a-f-]{36}$/))
  await screen.findByRole('heading', { level: 1, name: 'Plans like this one' })
  screen.getByText(WHY(44))
  await screen.findByRole('button', { name: 'Request to join Netflix Premium of paul' })
  expect(screen.queryByText('rosa')).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Join the waiting list for Netflix Premium' }))
  await toasted(
    'success',
    'You Are on the Waiting List',
    'You are number 1 for Netflix Premium. You hear of it as soon as a place is yours.',
  )
  await screen.findByText('You are number 1')
}, 60_000)

it('is on the list of one’s plans and behind the bell, and over after its time', async () => {
  const { marc, end } = await twoWeeks()
  await openApp(server, '/my-subscriptions?tab=subscribed', { as: marc })
  await screen.findByRole('heading', { level: 2, name: "Plans You've Joined" })
  await listening(`precedence-${marc.id}`)
  await end()
  const notice = within(await screen.findByRole('region', { name: 'Plans like Netflix Premium' }))
  notice.getByText(WHY(58))

  const { user, at } = await openApp(server, '/about', { as: marc })
  await user.click(await screen.findByRole('button', { name: /^Notifications/ }))
  await user.click(await screen.findByText('You Come First'))
  await waitFor(() => expect(at()).toMatch(/^\/plans-like\//))
  await screen.findByRole('heading', { level: 1, name: 'Plans like this one' })
  const address = at()

  await server.db.query(`select private.move_clock(interval '30 days')`)
  await openApp(server, address, { as: marc })
  await screen.findByRole('heading', { level: 1, name: 'You no longer come first' })
}, 60_000)
