// Conversations around a plan: the inbox, questions before a place, what had better not be said, and one word to all.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { answer, changePlan, endPlan, leavePlan } from '../acting.ts'
import { listening, openApp } from '../app.tsx'
import { type Chatters, composer, openChat, openPlan, setTheTable } from '../chatting.ts'
import { control, dialog, heading, region } from '../parts.ts'
import { nameOf } from '../people.ts'
import { ask, join, type People, say } from '../sharing.ts'

const server = await testServer()
let chatters: Chatters
let people: People
let parties: Chatters['parties']

beforeEach(async () => {
  chatters = await setTheTable(server)
  ;({ people, parties } = chatters)
})

const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const inbox = (unread = 0) => screen.findByLabelText(unread ? `Messages, ${unread} unread` : 'Messages')
const chatWith = (who: keyof People) => dialog(new RegExp(`^${nameOf(people[who])}`))
const ARCHIVED = 'This conversation has been archived because the member has left the subscription.'
const ENDED = 'This conversation has ended, because no place came of it.'

it('the top bar counts the conversations to read, live, wherever they are read, and leads into each', async () => {
  const { olivia, marc, zoe } = people
  await join(olivia, zoe, parties.planId)
  await say(marc, parties, 'Hi from Marc')
  const conversation = await say(marc, parties, 'And again')
  const { user } = await open('olivia', '/about')
  await inbox(1)
  const fromZoe = { ...parties, memberId: zoe.id }
  await say(zoe, fromZoe, 'Hi from Zoe')
  await user.click(await inbox(2))
  await control(/^marc\d+ Netflix Premium New messages$/)
  // She reads the one with Marc on another device.
  await olivia.client
    .rpc('mark_conversation_read', { p_conversation_id: conversation, p_user_id: olivia.id })
    .throwOnError()
  await inbox(1)
  await user.click(await control(/^zoe\d+ Netflix Premium New messages$/))
  const chat = await chatWith('zoe')
  await chat.findByText('Hi from Zoe')
  await user.click(chat.getByLabelText('Close chat'))
  await user.click(await inbox())
  await user.click(await control(/^marc\d+ Netflix Premium$/))
  await (await chatWith('marc')).findByText('And again')
  await user.keyboard('{Escape}')
  await say(zoe, fromZoe, 'Still there?')
  await inbox(1)
  await endPlan(olivia, parties.planId)
  await inbox()
})

it('a mail or a device leads into the chat and from there to the plan; who has left finds it archived, others nothing', async () => {
  const { olivia, marc } = people
  const conversation = await say(olivia, parties, 'Farewell')
  const { user, at } = await open('olivia', `/messages/${conversation}`)
  await (await chatWith('marc')).findByText('Farewell')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(at()).toBe(`/subscription/${parties.planId}`))

  await leavePlan(parties.planId, marc, olivia)
  await marc.client
    .rpc('mark_conversation_read', { p_conversation_id: conversation, p_user_id: marc.id })
    .throwOnError()
  const former = await open('marc', '/about')
  await former.user.click(await inbox())
  await former.user.click(await control(/^olivia\d+ Netflix Premium Archived$/))
  const chat = await chatWith('olivia')
  await chat.findByText('Farewell')
  chat.getByText(ARCHIVED)

  const zoe = await open('zoe', `/messages/${conversation}`)
  await heading('This chat is gone')
  await zoe.user.click(await inbox())
  await screen.findByText('No conversations yet')
  expect(screen.queryByLabelText(/Netflix/)).toBeNull()
})

it('a question opens a chat that the owner answers from the plan’s page, is in the inbox, and ends with the request or the plan', async () => {
  const { planId } = parties
  const visitor = await openApp(server, `/plans/${planId}`)
  await visitor.user.click(await control(`Ask ${nameOf(people.olivia)} a question`))
  await waitFor(() => expect(decodeURIComponent(visitor.at())).toBe(`/signin?redirect=/plans/${planId}`))
  const { user } = await open('zoe', `/plans/${planId}`)
  const askFirst = await control('Ask a question')
  await waitFor(() => expect(askFirst).toHaveProperty('disabled', false))
  await user.click(askFirst)
  const form = await dialog(`Ask ${nameOf(people.olivia)} a question`)
  const write = async (text: string) => {
    await user.clear(form.getByLabelText('Your question'))
    await user.type(form.getByLabelText('Your question'), text)
    await user.click(form.getByText('Send question'))
  }
  await write('The password: hunter22')
  await form.findByText('Is this a password?')
  await user.click(form.getByText('Change it'))
  await write('Is it in 4K?')
  await (await chatWith('olivia')).findByText('Is it in 4K?')

  const owner = await open('olivia', `/plans/${planId}`)
  await screen.findByText(/^This is what others see of your plan/)
  expect(screen.queryByText('Ask a question')).toBe(null)
  await owner.router.navigate({ href: `/manage-shared/${planId}` })
  const questions = await region('Questions')
  await owner.user.click(await questions.findByLabelText(`Chat with ${nameOf(people.zoe)}, unread messages`))
  await (await chatWith('zoe')).findByText('Is it in 4K?')
  await owner.user.type(await composer(), 'It is{Enter}')
  await (await chatWith('zoe')).findByText('It is')
  await owner.user.keyboard('{Escape}')
  const request = await ask(people.zoe, planId)
  await owner.user.click(await control(`Ask a question: chat with ${nameOf(people.zoe)}`))
  await owner.user.type(await composer(), 'Do you live in Berlin?{Enter}')
  await (await chatWith('zoe')).findByText('Do you live in Berlin?')

  const again = await open('zoe', `/plans/${planId}`)
  await inbox(1)
  await again.user.click(await control(`Your question: chat with ${nameOf(people.olivia)}, unread messages`))
  const chat = await chatWith('olivia')
  await chat.findByText('Do you live in Berlin?')
  await composer()
  await answer(people.olivia, 'reject', planId, request)
  await chat.findByText(ENDED)
  expect(chat.queryByRole('textbox')).toBe(null)
  await screen.findByText('Ask a question')

  await changePlan(people.olivia, planId, { is_private: true })
  const hidden = await open('zoe', '/about')
  await hidden.user.click(await inbox())
  await hidden.user.click(await control(new RegExp(`^${nameOf(people.olivia)} .*Archived$`)))
  await (await chatWith('olivia')).findByText(ENDED)
})

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
] as const)('a chat holds back what %s writes: %s', async (who, text, title, label, href) => {
  const { user, dialog: chat } = await openChat(server, chatters, who)
  const sent = async () => {
    const { data } = await people.olivia.client.from('messages').select('content').throwOnError()
    return data.map(({ content }) => content)
  }
  await user.type(await composer(), `${text}{Enter}`)
  await chat.findByText(title)
  expect((await control(label)).getAttribute('href')).toMatch(href)
  // Pressing Enter once more is no answer to the question.
  await user.type(await composer(), '{Enter}')
  expect(await sent()).toEqual([])
  await user.click(chat.getByText('Change it'))
  expect(chat.queryByRole('alert')).toBeNull()
  expect(document.activeElement).toBe(await composer())
  expect(await composer()).toHaveProperty('value', text)
  await user.type(await composer(), '{Enter}')
  await user.click(await chat.findByText('Send anyway'))
  await waitFor(async () => expect(await sent()).toEqual([text]))
  expect(chat.queryByRole('alert')).toBeNull()
  expect(await composer()).toHaveProperty('value', '')
})

it('an owner’s word to all comes into each member’s chat, live, marked as such', async () => {
  const { olivia, marc, zoe } = people
  await join(olivia, zoe, parties.planId)
  const { user } = await openPlan(server, chatters, 'olivia')
  await user.click(await control('Write to all'))
  const writing = await dialog('Write to all members')
  await user.type(writing.getByLabelText('Message'), 'Netflix renews tomorrow.')
  await user.click(writing.getByText('Send to all'))
  await screen.findByText('It is in your chat with 2 members.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  for (const member of [marc, zoe]) {
    const { data } = await member.client.from('messages').select('content, message_type').throwOnError()
    expect(data).toEqual([{ content: 'Netflix renews tomorrow.', message_type: 'announcement' }])
  }
  const conversation = await say(olivia, parties, 'Welcome!')
  const { dialog: chat } = await openChat(server, chatters, 'marc')
  await chat.findByText('Welcome!')
  await listening(`messages-${conversation}`)
  const news = { p_subscription_id: parties.planId, p_text: 'The price changes in May.' }
  await olivia.client.rpc('announce_to_members', news).throwOnError()
  const message = (await chat.findByText(news.p_text)).parentElement
  expect(message?.textContent).toContain('To all members')
  expect(chat.getByText('Welcome!').parentElement?.textContent).not.toContain('To all members')
})
