import { testServer } from '@potluck/server/test/harness.ts'
import { screen, type within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { type Chatters, composer, openChat, setTheTable } from '../chatting.ts'
import { join, say } from '../sharing.ts'

const server = await testServer()
let chatters: Chatters
let people: Chatters['people']
let parties: Chatters['parties']

beforeEach(async () => {
  chatters = await setTheTable(server)
  ;({ people, parties } = chatters)
})

const ARCHIVED = 'This conversation has been archived because the member has left the subscription.'

const takePlace = (from: 'marc' | 'olivia') =>
  people[from].client
    .from('subscription_members')
    .delete()
    .eq('subscription_id', parties.planId)
    .eq('user_id', people.marc.id)
    .throwOnError()

/** The plan ends in another window of Olivia's, and the open chat and the page behind it say so. */
async function endsWithThePlan(dialog: ReturnType<typeof within>) {
  await people.olivia.client.from('shared_subscriptions').delete().eq('id', parties.planId).throwOnError()
  await dialog.findByText('This chat has ended')
  expect(
    dialog.getByText('The subscription has been cancelled, and its conversations went with it.'),
  ).toBeTruthy()
  expect(dialog.queryByRole('textbox')).toBeNull()
  expect(dialog.queryByText('See you')).toBeNull()
  await screen.findByText('Netflix Premium is no longer shared')
  expect(
    screen.getByText('Its owner has cancelled it for everyone. The chats about it are closed.'),
  ).toBeTruthy()
  expect(screen.getByText('Go to My Subscriptions')).toBeTruthy()
  expect(screen.queryByText('Error loading subscription')).toBeNull()
}

it('an owner’s chat is archived live when the member leaves, open again on return, and ends with the plan', async () => {
  await say(people.marc, parties, 'Bye')
  const { dialog } = await openChat(server, chatters, 'olivia')
  await dialog.findByText('Bye')
  await takePlace('marc')
  await dialog.findByText(ARCHIVED)
  expect(dialog.queryByRole('textbox')).toBeNull()
  expect(dialog.queryByLabelText('Send message')).toBeNull()
  await join(people.olivia, people.marc, parties.planId)
  expect(await composer()).toBeTruthy()
  expect(dialog.queryByText(ARCHIVED)).toBeNull()
  await say(people.marc, parties, 'See you')
  await dialog.findByText('See you')
  await endsWithThePlan(dialog)
})

it('a member’s chat tells of the removal meanwhile', async () => {
  await say(people.olivia, parties, 'Sorry')
  const { dialog } = await openChat(server, chatters, 'marc')
  await dialog.findByText('Sorry')
  await takePlace('olivia')
  await dialog.findByText(ARCHIVED)
  expect(dialog.queryByRole('textbox')).toBeNull()
  expect(dialog.getByText('Sorry')).toBeTruthy()
  await screen.findByRole('region', { name: 'A place in it' })
})

it('a member’s chat ends with the plan', async () => {
  await say(people.olivia, parties, 'See you')
  const { dialog } = await openChat(server, chatters, 'marc')
  await dialog.findByText('See you')
  await endsWithThePlan(dialog)
})
