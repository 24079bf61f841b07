import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { setTheTable } from '../chatting.ts'
import { join, say } from '../sharing.ts'

const server = await testServer()
const button = (label: string | RegExp) => screen.findByLabelText(label)
const row = (name: RegExp) => screen.findByRole('button', { name })

it('the top bar counts the conversations to read, live, wherever they are read, and leads into each', async () => {
  const { people, parties } = await setTheTable(server)
  await join(people.olivia, people.zoe, parties.planId)
  await say(people.marc, parties, 'Hi from Marc')
  const conversation = await say(people.marc, parties, 'And again')
  const { user } = await openApp(server, '/about', { as: people.olivia })
  await button('Messages, 1 unread')
  await say(people.zoe, { ...parties, memberId: people.zoe.id }, 'Hi from Zoe')
  await user.click(await button('Messages, 2 unread'))
  await row(/^marc\d+ Netflix Premium New messages$/)
  // She reads the one with Marc on another device.
  await people.olivia.client
    .rpc('mark_conversation_read', { p_conversation_id: conversation, p_user_id: people.olivia.id })
    .throwOnError()
  await button('Messages, 1 unread')
  await user.click(await row(/^zoe\d+ Netflix Premium New messages$/))
  const dialog = within(await screen.findByRole('dialog', { name: /^zoe\d+/ }))
  await dialog.findByText('Hi from Zoe')
  await user.click(dialog.getByLabelText('Close chat'))
  await user.click(await button('Messages'))
  await user.click(await row(/^marc\d+ Netflix Premium$/))
  await within(await screen.findByRole('dialog', { name: /^marc\d+/ })).findByText('And again')
  await user.keyboard('{Escape}')
  await say(people.zoe, { ...parties, memberId: people.zoe.id }, 'Still there?')
  await button('Messages, 1 unread')
  await people.olivia.client.from('shared_subscriptions').delete().eq('id', parties.planId).throwOnError()
  await button('Messages')
})

it('a device or a mail that tells of a message leads into its chat, and from there to the plan', async () => {
  const { people, parties } = await setTheTable(server)
  const conversation = await say(people.marc, parties, 'Hi from Marc')
  const { user, at } = await openApp(server, `/messages/${conversation}`, { as: people.olivia })
  await within(await screen.findByRole('dialog', { name: /^marc\d+/ })).findByText('Hi from Marc')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(at()).toBe(`/subscription/${parties.planId}`))
  await openApp(server, `/messages/${conversation}`, { as: people.zoe })
  await screen.findByRole('heading', { level: 1, name: 'This chat is gone' })
})

it('a former member still finds the archived conversation there, and a new account finds none', async () => {
  const { people, parties } = await setTheTable(server)
  const conversation = await say(people.olivia, parties, 'Farewell')
  const { client, id } = people.marc
  await people.olivia.client.from('subscription_members').delete().eq('user_id', id).throwOnError()
  await client
    .rpc('mark_conversation_read', { p_conversation_id: conversation, p_user_id: id })
    .throwOnError()
  const { user } = await openApp(server, '/about', { as: people.marc })
  await user.click(await button('Messages'))
  await user.click(await row(/^olivia\d+ Netflix Premium Archived$/))
  const dialog = within(await screen.findByRole('dialog', { name: /^olivia\d+/ }))
  await dialog.findByText('Farewell')
  expect(
    dialog.getByText('This conversation has been archived because the member has left the subscription.'),
  ).toBeTruthy()
  const { user: zoe } = await openApp(server, '/about', { as: people.zoe })
  await zoe.click(await button('Messages'))
  await screen.findByText('No conversations yet')
  expect(screen.queryByLabelText(/Netflix/)).toBeNull()
})
