// A full plan: into the line, up the line, and the place that is offered.
import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { join, sharePlan } from '../sharing.ts'

const server = await testServer()
const signUp = (name: string) => addUser(server, `${name}@potluck.example`)
const wait = ({ client }: TestUser, planId: string) =>
  client.rpc('join_waiting_list', { p_subscription_id: planId }).throwOnError()

it('says how far one is in line, moves up live, keeps the place that becomes free, and lets go with one click', async () => {
  const olivia = await signUp('olivia')
  const marc = await signUp('marc')
  const anna = await signUp('anna')
  const zoe = await signUp('zoe')
  const netflix = await sharePlan(olivia, 2)
  await join(olivia, marc, netflix)
  await wait(anna, netflix)

  const { user } = await openApp(server, '/available-subscriptions?category=all&provider=Netflix', {
    as: zoe,
  })
  expect(await screen.findByRole('button', { name: 'No spots available' })).toHaveProperty('disabled', true)
  await user.click(await screen.findByRole('button', { name: 'Join the waiting list for Netflix Premium' }))
  await toasted(
    'success',
    'You Are on the Waiting List',
    'You are number 2 for Netflix Premium. You hear of it as soon as a place is yours.',
  )
  await screen.findByText('You are number 2')
  await anna.client.rpc('leave_waiting_list', { p_subscription_id: netflix }).throwOnError()
  await screen.findByText('You are number 1')

  await marc.client.from('subscription_members').delete().eq('user_id', marc.id).throwOnError()
  await screen.findByText('A place is kept for you')
  const ask = await screen.findByRole('button', { name: 'Request to join Netflix Premium of olivia' })
  await user.click(ask)
  await user.click(await screen.findByText('Send request'))
  await screen.findByRole('dialog', { name: 'Subscription Request Sent' })
  await waitFor(() => expect(screen.queryByText('A place is kept for you')).toBeNull())
  const { data } = await zoe.client.from('subscription_requests').select('keeps_place')
  expect(data).toEqual([{ keeps_place: true }])
})

it('lists where one waits, tells an owner how many do, and offers the place on the plan itself', async () => {
  const olivia = await signUp('olivia2')
  const marc = await signUp('marc2')
  const zoe = await signUp('zoe2')
  const deezer = await sharePlan(olivia, 2, 'deezer-family')
  await join(olivia, marc, deezer)
  await wait(zoe, deezer)
  await openApp(server, `/manage-shared/${deezer}`, { as: olivia })
  await screen.findByText(/^1 person is waiting for a place/)

  const { user, at } = await openApp(server, '/my-subscriptions?tab=subscribed', { as: zoe })
  await screen.findByRole('heading', { level: 2, name: 'Waiting Lists' })
  const card = within(await screen.findByRole('article', { name: 'Deezer Family' }))
  card.getByText('You are number 1')
  await user.click(card.getByRole('link', { name: 'Deezer Family' }))
  await waitFor(() => expect(at()).toBe(`/subscription/${deezer}`))
  await screen.findByText('You are number 1')
  await olivia.client
    .from('shared_subscriptions')
    .update({ owner_max_members: 3 })
    .eq('id', deezer)
    .throwOnError()
  await screen.findByText('A place is kept for you')
  await screen.findByRole('button', { name: 'Request to join Deezer Family of olivia2' })
  await user.click(screen.getByRole('button', { name: 'Leave the waiting list for Deezer Family' }))
  await toasted('success', 'Waiting List Left', 'You no longer wait for Deezer Family.')
  await waitFor(() => expect(screen.queryByText('A place is kept for you')).toBeNull())
})
