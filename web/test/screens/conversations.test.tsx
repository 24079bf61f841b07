// Conversations about a plan: the inbox, questions before joining, warnings about risky messages, and messages to all
// members.
// Proves CHAT 08 09, API 40, VAULT 10
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { answer, changePlan, endPlan } from '../acting.ts'
import { listening, openApp } from '../app.tsx'
import { type Chatters, composer, openChat, setTheTable } from '../chatting.ts'
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
/** Waits until the chat is gone, since a message that arrives while it closes counts as read. */
const leaveChat = async (user: Awaited<ReturnType<typeof open>>['user']) => {
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}
const ENDED = 'This conversation has ended.'

it('the top bar counts the conversations to read, live, wherever they are read, and leads into each, as a mail does', async () => {
  const { olivia, marc, zoe } = people
  await join(olivia, zoe, parties.planId)
  await say(marc, parties, 'Hi from Marc')
  const conversation = await say(marc, parties, 'And again')
  const { user, at, router } = await open('olivia', '/about')
  await inbox(1)
  await say(zoe, { ...parties, memberId: zoe.id }, 'Hi from Zoe')
  await user.click(await inbox(2))
  await control(/^marc\d+ Netflix Premium And again .+ New messages$/)
  // Olivia reads the chat with Marc on another device.
  await olivia.client
    .rpc('mark_conversation_read', { p_conversation_id: conversation, p_user_id: olivia.id })
    .throwOnError()
  await inbox(1)
  await control(/^marc\d+ Netflix Premium And again .*[^s]$/)
  await user.click(await control(/^zoe\d+ Netflix Premium Hi from Zoe .+ New messages$/))
  await (await chatWith('zoe')).findByText('Hi from Zoe')
  await leaveChat(user)
  await inbox()
  await user.click(await inbox())
  await user.click(await screen.findByText('See all messages'))
  await waitFor(() => expect(screen.queryByText('See all messages')).toBeNull())
  await heading('Messages')
  const rows = () => screen.findAllByText(/^(marc|zoe)\d+$/)
  expect((await rows()).map(({ textContent }) => textContent)).toEqual([nameOf(zoe), nameOf(marc)])
  await say(marc, parties, 'Now first')
  await control(/^marc\d+ Netflix Premium Now first .+ New messages$/)
  await waitFor(async () =>
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([nameOf(marc), nameOf(zoe)]),
  )
  await user.click(await control(/^marc\d+ /))
  await (await chatWith('marc')).findByText('Now first')
  await leaveChat(user)
  await inbox()

  await router.navigate({ href: `/messages/${conversation}` })
  await (await chatWith('marc')).findByText('And again')
  await leaveChat(user)
  await waitFor(() => expect(at()).toBe(`/subscription/${parties.planId}`))
  await say(marc, parties, 'Still there?')
  await inbox(1)
  await endPlan(olivia, parties.planId)
  await inbox()
})

it('a draft that a program left is seen by its person alone, and is sent, changed or thrown away', async () => {
  const { olivia, marc } = people
  const chat = await say(marc, parties, 'Can I stay?')
  const { user } = await open('olivia', `/messages/${chat}`)
  const opened = await chatWith('marc')
  await opened.findByText('Can I stay?')
  expect(opened.queryByLabelText('Draft')).toBeNull()
  const leave = (text: string) =>
    server.db.query(
      `insert into message_drafts (conversation_id, user_id, content, made_by) values ($1, $2, $3, 'Script')`,
      [chat, olivia.id, text],
    )
  const card = async () => within(await opened.findByLabelText('Draft'))
  const gone = () => waitFor(() => expect(opened.queryByLabelText('Draft')).toBeNull())
  const heard = async () => {
    const { data } = await marc.client
      .from('messages')
      .select('content')
      .eq('sender_id', olivia.id)
      .order('created_at')
    return data?.map(({ content }) => content)
  }

  await leave('The password: hunter22')
  await (await card()).findByText('Draft from “Script”')
  await user.click((await card()).getByText('Send'))
  await opened.findByText('Is this a password?')
  expect(await heard()).toEqual([])
  await user.click(opened.getByText('Send anyway'))
  await gone()
  await waitFor(async () => expect(await heard()).toEqual(['The password: hunter22']))

  await leave('Of course')
  await user.click((await card()).getByText('Edit'))
  await gone()
  await user.type(await composer(), ', Marc{Enter}')
  await waitFor(async () => expect(await heard()).toEqual(['The password: hunter22', 'Of course, Marc']))
  expect(await server.db.query('select from message_drafts')).toEqual([])

  await leave('Never mind')
  await card()
  await user.keyboard('{Escape}')
  await user.click(await inbox())
  await user.click(await control(/^marc\d+ Netflix Premium You: Of course, Marc .+ Draft$/))
  await user.click(within(await (await chatWith('marc')).findByLabelText('Draft')).getByText('Discard'))
  await waitFor(async () => expect(await server.db.query('select from message_drafts')).toEqual([]))
  expect(await heard()).toHaveLength(2)
})

it('a question opens a chat that the owner answers from the plan’s page, is in the inbox, and ends with the request or the plan', async () => {
  const { planId } = parties
  const ofOthers = await say(people.marc, parties, 'Just us')
  const { user, router } = await open('zoe', `/messages/${ofOthers}`)
  await heading('We can’t find this chat')
  await router.navigate({ href: '/messages/unknown' })
  await heading('We can’t find this chat')
  expect(document.title).toBe('We can’t find this chat · Potluck')
  await user.click(await screen.findByText('Go to Messages'))
  await heading('Messages')
  await user.click(await inbox())
  await screen.findAllByText('No conversations yet')
  await router.navigate({ href: `/plans/${planId}` })
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
  await user.click(form.getByText('Edit message'))
  await write('Is it in 4K?')
  await (await chatWith('olivia')).findByText('Is it in 4K?')

  const owner = await open('olivia', `/manage-shared/${planId}`)
  const questions = await region('Questions')
  await owner.user.click(await questions.findByLabelText(`Chat with ${nameOf(people.zoe)}, unread messages`))
  await (await chatWith('zoe')).findByText('Is it in 4K?')
  await owner.user.type(await composer(), 'It is{Enter}')
  await (await chatWith('zoe')).findByText('It is')
  await owner.user.keyboard('{Escape}')
  const request = await ask(people.zoe, planId)
  await control(`Ask a question: chat with ${nameOf(people.zoe)}`)

  const again = await open('zoe', `/plans/${planId}`)
  await inbox(1)
  await again.user.click(await control(`Your question: chat with ${nameOf(people.olivia)}, unread messages`))
  const chat = await chatWith('olivia')
  await chat.findByText('It is')
  await composer()
  await answer(people.olivia, 'reject', planId, request)
  await chat.findByText(ENDED)
  expect(chat.queryByRole('textbox')).toBe(null)
  await screen.findByText('Ask a question')
  await again.user.keyboard('{Escape}')
  await changePlan(people.olivia, planId, { is_private: true })
  await again.user.click(await inbox())
  await again.user.click(await control(new RegExp(`^${nameOf(people.olivia)} .*Archived$`)))
  await (await chatWith('olivia')).findByText(ENDED)
})

it('an owner’s word to all comes into each chat, live, marked as such; what had better not be sent is held back', async () => {
  const { olivia, marc, zoe } = people
  await join(olivia, zoe, parties.planId)
  const conversation = await say(olivia, parties, 'Welcome!')
  const { user } = await open('olivia', `/manage-shared/${parties.planId}`)
  await user.click(await control('Message all members'))
  const writing = await dialog('Message all members')
  await user.type(writing.getByLabelText('Message'), 'Netflix renews tomorrow.')
  await writing.findByText('24 of 1000 characters')
  await user.click(writing.getByText('Send message'))
  await screen.findByText('Sent in your chat with 2 members.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  const member = await openChat(server, chatters, 'marc')
  const chat = member.dialog
  await chat.findByText('Netflix renews tomorrow.')
  await listening(`messages-${conversation}`)
  const news = { p_subscription_id: parties.planId, p_text: 'The price changes in May.' }
  await olivia.client.rpc('announce_to_members', news).throwOnError()
  const message = (await chat.findByText(news.p_text)).parentElement
  expect(message?.textContent).toContain('To all members')
  expect(chat.getByText('Welcome!').parentElement?.textContent).not.toContain('To all members')

  const sent = async () => {
    const { data } = await marc.client
      .from('messages')
      .select('content')
      .eq('sender_id', marc.id)
      .throwOnError()
    return data.map(({ content }) => content)
  }
  const isHeld = async (typing: typeof user, text: string, title: string, label: string, href: RegExp) => {
    await typing.clear(await composer())
    await typing.type(await composer(), `${text}{Enter}`)
    const notice = (await screen.findByText(title)).closest<HTMLElement>('[role=alert]') ?? document.body
    expect(within(notice).getByText(label).getAttribute('href')).toMatch(href)
  }
  const PASSWORD = ['password: sunflower', 'Is this a password?'] as const
  await isHeld(
    member.user,
    'My card: 4242 4242 4242 4242',
    'Is this a card number?',
    'Save a card',
    /^\/cards$/,
  )
  await isHeld(member.user, ...PASSWORD, 'Open the plan', /^\/manage-subscribed\/sub-/)
  // Pressing Enter again does not confirm the warning.
  await member.user.type(await composer(), '{Enter}')
  expect(await sent()).toEqual([])
  await member.user.click(chat.getByText('Edit message'))
  expect(chat.queryByRole('alert')).toBeNull()
  expect(document.activeElement).toBe(await composer())
  expect(await composer()).toHaveProperty('value', PASSWORD[0])
  await member.user.type(await composer(), '{Enter}')
  await member.user.click(await chat.findByText('Send anyway'))
  await waitFor(async () => expect(await sent()).toEqual([PASSWORD[0]]))
  expect(chat.queryByRole('alert')).toBeNull()
  expect(await composer()).toHaveProperty('value', '')

  const owner = await open('olivia', `/manage-shared/${parties.planId}`)
  await owner.user.click(await control(new RegExp(`^Chat with ${nameOf(marc)}`)))
  await isHeld(owner.user, ...PASSWORD, 'Save it in the vault', /^\/manage-shared\/sub-/)
  const ACCOUNT = 'Pay to DE89 3704 0044 0532 0130 00'
  await isHeld(
    owner.user,
    ACCOUNT,
    'Is this a bank account?',
    'Go to payment details',
    /^\/account-settings\/money$/,
  )
})
