// What had better not be said in a chat is held back until it is meant, and an owner says something to all at once.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { listening } from '../app.tsx'
import { composer, openChat, openPlan, setTheTable } from '../chatting.ts'
import { join, say } from '../sharing.ts'

const server = await testServer()

it.each([
  ['olivia', 'password: sunflower', 'Is this a password?', 'Put it into the vault', /^\/manage-shared\/sub-/],
  ['marc', 'password: sunflower', 'Is this a password?', 'Open the plan', /^\/manage-subscribed\/sub-/],
  [
    'olivia',
    'Pay to DE89 3704 0044 0532 0130 00',
    'Is this a bank account?',
    'Say how you are paid',
    /^\/account-settings$/,
  ],
  ['marc', 'My card: 4242 4242 4242 4242', 'Is this a card number?', 'Save a card', /^\/cards$/],
] as const)('holds back what %s writes: %s', async (who, text, title, label, href) => {
  const chatters = await setTheTable(server)
  const { user, dialog } = await openChat(server, chatters, who)
  const sent = async () => {
    const { data } = await chatters.people.olivia.client.from('messages').select('content').throwOnError()
    return data.map(({ content }) => content)
  }
  await user.type(await composer(), `${text}{Enter}`)
  const notice = within(await dialog.findByRole('alert'))
  notice.getByText(title)
  expect(notice.getByRole('link', { name: label }).getAttribute('href')).toMatch(href)
  // Pressing Enter once more is no answer to the question.
  await user.type(await composer(), '{Enter}')
  expect(await sent()).toEqual([])
  await user.click(notice.getByRole('button', { name: 'Change it' }))
  expect(dialog.queryByRole('alert')).toBeNull()
  expect(document.activeElement).toBe(await composer())
  expect(await composer()).toHaveProperty('value', text)
  await user.type(await composer(), '{Enter}')
  await user.click(await dialog.findByRole('button', { name: 'Send anyway' }))
  await waitFor(async () => expect(await sent()).toEqual([text]))
  expect(dialog.queryByRole('alert')).toBeNull()
  expect(await composer()).toHaveProperty('value', '')
})

it('brings one message of the owner into each member’s chat, live, marked as such', async () => {
  const chatters = await setTheTable(server)
  const { people, parties } = chatters
  await join(people.olivia, people.zoe, parties.planId)
  const { user } = await openPlan(server, chatters, 'olivia')
  await user.click(await screen.findByRole('button', { name: 'Write to all' }))
  const writing = within(await screen.findByRole('dialog', { name: 'Write to all members' }))
  await user.type(writing.getByLabelText('Message'), 'Netflix renews tomorrow.')
  await user.click(writing.getByRole('button', { name: 'Send to all' }))
  await screen.findByText('It is in your chat with 2 members.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  for (const member of [people.marc, people.zoe]) {
    const { data } = await member.client.from('messages').select('content, message_type').throwOnError()
    expect(data).toEqual([{ content: 'Netflix renews tomorrow.', message_type: 'announcement' }])
  }
})

it('shows an announcement where it arrives', async () => {
  const chatters = await setTheTable(server)
  const { people, parties } = chatters
  const conversation = await say(people.olivia, parties, 'Welcome!')
  const { dialog } = await openChat(server, chatters, 'marc')
  await dialog.findByText('Welcome!')
  await listening(`messages-${conversation}`)
  const news = { p_subscription_id: parties.planId, p_text: 'The price changes in May.' }
  await people.olivia.client.rpc('announce_to_members', news).throwOnError()
  const message = (await dialog.findByText(news.p_text)).parentElement
  expect(message?.textContent).toContain('To all members')
  expect(dialog.getByText('Welcome!').parentElement?.textContent).not.toContain('To all members')
})
