import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { setTheTable } from '../chatting.ts'
import { join, password, say } from '../sharing.ts'

const server = await testServer()

it('the top bar counts the conversations to read, live, and leads into each', async () => {
  const { people, parties } = await setTheTable(server)
  await join(people.olivia, people.zoe, parties.planId)
  await say(people.marc, parties, 'Hi from Marc')
  await say(people.marc, parties, 'And again')
  const user = userEvent.setup()
  await openApp(server, '/about', { as: { email: people.olivia.email, password } })
  const button = (name: string) => screen.findByRole('button', { name })
  await button('Messages, 1 unread')
  await say(people.zoe, { ...parties, memberId: people.zoe.id }, 'Hi from Zoe')
  await user.click(await button('Messages, 2 unread'))
  const row = await screen.findByRole('button', { name: /^zoe\d+, Netflix Premium, unread messages$/ })
  await user.click(row)
  const dialog = within(await screen.findByRole('dialog', { name: /^zoe\d+/ }))
  await dialog.findByText('Hi from Zoe')
  await user.click(dialog.getByRole('button', { name: 'Close chat' }))
  await user.click(await button('Messages, 1 unread'))
  await user.click(await screen.findByRole('button', { name: /^marc\d+, Netflix Premium, unread messages$/ }))
  await within(await screen.findByRole('dialog', { name: /^marc\d+/ })).findByText('And again')
  await user.keyboard('{Escape}')
  await user.click(await button('Messages'))
  await screen.findByRole('button', { name: /^marc\d+, Netflix Premium$/ })
})

it('a former member still finds the archived conversation there, and a new account finds none', async () => {
  const { people, parties } = await setTheTable(server)
  await say(people.olivia, parties, 'Farewell')
  await people.olivia.client
    .from('subscription_members')
    .delete()
    .eq('user_id', people.marc.id)
    .eq('subscription_id', parties.planId)
    .throwOnError()
  await people.marc.client
    .rpc('mark_conversation_read', {
      p_conversation_id: (await people.marc.client.from('conversations').select('id').single().throwOnError())
        .data.id,
      p_user_id: people.marc.id,
    })
    .throwOnError()
  const user = userEvent.setup()
  await openApp(server, '/about', { as: { email: people.marc.email, password } })
  await user.click(await screen.findByRole('button', { name: 'Messages' }))
  await user.click(await screen.findByRole('button', { name: /^olivia\d+, Netflix Premium, archived$/ }))
  const dialog = within(await screen.findByRole('dialog', { name: /^olivia\d+/ }))
  await dialog.findByText('Farewell')
  expect(
    dialog.getByText('This conversation has been archived because the member has left the subscription.'),
  ).toBeTruthy()
})

it('says so when there are no conversations yet', async () => {
  const { people } = await setTheTable(server)
  const user = userEvent.setup()
  await openApp(server, '/about', { as: { email: people.zoe.email, password } })
  await user.click(await screen.findByRole('button', { name: 'Messages' }))
  await screen.findByText('No conversations yet')
  await waitFor(() => expect(screen.queryByRole('button', { name: /Netflix/ })).toBeNull())
})
