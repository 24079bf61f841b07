// A chat: reading and sending messages, failures, and the end of the place.
// Proves PLAN 07, MEMB 09, CHAT 02-14, API 15 31, ERR 35-38, LIMIT 09, VALID 15
import { testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { canSend, characters } from '#features/people/chat/message-text.ts'
import { endPlan, leavePlan } from '../acting.ts'
import { toasted } from '../app.tsx'
import { type Chatters, composer, fill, openChat, openPlan, setTheTable } from '../chatting.ts'
import { intercept, noAnswer, refusal, refuse } from '../network.ts'
import { dialog, heading } from '../parts.ts'
import { join, say } from '../sharing.ts'

const server = await testServer()
const { db } = server
let chatters: Chatters
let people: Chatters['people']
let parties: Chatters['parties']

beforeEach(async () => {
  chatters = await setTheTable(server)
  ;({ people, parties } = chatters)
})

const FIND = 'POST rpc/find_or_create_conversation'
const SEND = 'POST /rest/v1/messages'
const ARCHIVED = 'This conversation has been archived because the member has left the subscription.'
const stored = async () => {
  const { data } = await people.olivia.client.from('messages').select('content, metadata').order('created_at')
  return data ?? []
}
const open = (who: 'olivia' | 'marc') => openChat(server, chatters, who)

it('is the same one when two openings collide, oldest message first, as text, live, and marked until it is read', async () => {
  const said = [
    'Welcome!',
    '<img src=x onerror=alert(1)> & <b>bold</b>',
    '<script>document.title = "taken"</script>',
    '[click](javascript:alert(1)) javascript:alert(1) https://potluck.example/<u>x</u>',
  ]
  for (const text of said) await say(people.olivia, parties, text)
  const conversation = await say(people.olivia, parties, 'All set?')
  await db.query(
    `insert into public.messages (conversation_id, sender_id, content, message_type)
     values ($1, 'system', 'The plan was renewed.', 'system')`,
    [conversation],
  )
  const asked = intercept(FIND, (send, attempt) =>
    attempt === 1 ? refusal(409, '23505', 'duplicate key value violates unique constraint') : send(),
  )
  const { dialog: chat } = await open('marc')
  chat.getByText('Connecting...')
  const note = await chat.findByText('The plan was renewed.')
  expect(asked.sent.length).toBeGreaterThan(1)
  await say(people.olivia, parties, 'Hello?')
  await chat.findByText('Hello?')
  const log = chat.getByRole('log')
  const shown = [...said, 'All set?', 'The plan was renewed.', 'Hello?']
  expect([...log.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual(shown)
  expect(log.querySelectorAll('script, img, b, u')).toHaveLength(0)
  const links = [...log.querySelectorAll('a')].map(({ href, target, rel }) => ({ href, target, rel }))
  expect(links).toEqual([
    { href: 'https://potluck.example/', target: '_blank', rel: 'noopener noreferrer nofollow ugc' },
  ])
  expect(document.title).not.toBe('taken')
  // A note written by the server has no author.
  expect(note.parentElement).toBe(log)
  expect(chat.getByText('Welcome!').parentElement?.textContent).toMatch(/^olivia\d+: Welcome!/)
  await waitFor(async () => {
    const { data } = await people.marc.client.from('chat_participants').select('has_unread')
    expect(data).toEqual([{ has_unread: false }])
  })
  const { data } = await people.olivia.client.from('conversations').select('id')
  expect(data).toEqual([{ id: conversation }])

  const { user } = await openPlan(server, chatters, 'olivia')
  const row = (await screen.findByText(people.marc.email)).closest('li') as HTMLElement
  const unread = () => within(row).findByLabelText(/^Chat with marc\d+, unread messages$/)
  await user.click(await unread())
  await (await dialog(/^marc/)).findByText('Hello?')
  await within(row).findByLabelText(/^Chat with marc\d+$/)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await say(people.marc, parties, 'Hi')
  await unread()
})

/** Makes the pauses between two attempts twenty times shorter; returns the requested pauses, in ms. */
function hastenPauses(): number[] {
  const pauses: number[] = []
  const set = globalThis.setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((done: () => void, ms: number, ...more: []) => {
    // Node's own timers pass an argument.
    if (![1000, 2000, 4000].includes(ms) || more.length > 0) return set(done, ms, ...more)
    pauses.push(ms)
    return set(done, ms / 20)
  }) as typeof setTimeout)
  return pauses
}

it('sends with Enter, starts a line with Shift+Enter, sends neither nothing nor too much, and keeps a draft', async () => {
  const { sent } = intercept(SEND)
  const { user, dialog: chat } = await open('marc')
  const box = await composer()
  const send = chat.getByLabelText('Send message')
  expect(send).toHaveProperty('disabled', true)
  await user.type(box, '   {Enter}')
  expect(send).toHaveProperty('disabled', true)
  await user.clear(box)
  await user.type(box, 'one{Shift>}{Enter}{/Shift}two{Enter}')
  await chat.findByText('Delivered')
  expect(await stored()).toMatchObject([
    { content: 'one\ntwo', metadata: { status: 'delivered', retry_count: 0 } },
  ])
  expect(box).toHaveProperty('value', '')
  expect(chat.getAllByText(/one\s+two/)).toHaveLength(1)
  expect(sent.map(({ body }) => JSON.parse(body))).toEqual([
    {
      ...{ id: expect.any(String), conversation_id: expect.any(String), sender_id: people.marc.id },
      ...{ content: 'one\ntwo', message_type: 'user', metadata: { status: 'sent', retry_count: 0 } },
    },
  ])

  // An emoji of a family counts as one character.
  const thousand = '👨‍👩‍👧‍👦'.repeat(1000)
  await user.click(box)
  await user.paste(thousand)
  chat.getByText('1000/1000 characters')
  expect(send).toHaveProperty('disabled', false)
  await user.paste('!')
  chat.getByText('1001/1000 characters')
  chat.getByText('1 character too many')
  await waitFor(() =>
    expect(document.querySelector('[data-announcer]')?.textContent).toBe('This message is too long'),
  )
  expect(send).toHaveProperty('disabled', true)
  await user.type(box, '{Backspace}{Enter}')
  await waitFor(async () => expect((await stored())[1]?.content).toBe(thousand))
  await user.type(box, 'Not done yet')
  await user.click(chat.getByLabelText('Close chat'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByLabelText(/^Chat with/))
  expect(await composer()).toHaveProperty('value', 'Not done yet')
})

it('stores a message once when only its answer got lost, and gives it back after three tries more, or at once when refused', async () => {
  const { user, dialog: chat } = await open('marc')
  const box = await composer()
  const pauses = hastenPauses()
  const lost = intercept(SEND, async (send, attempt) => {
    const answer = await send()
    return attempt === 1 ? noAnswer() : answer
  })
  await user.type(box, 'Just once{Enter}')
  await chat.findByText('Delivered')
  expect(chat.getAllByText('Just once')).toHaveLength(1)
  expect(await stored()).toHaveLength(1)
  await waitFor(() => expect(lost.sent).toHaveLength(2))
  lost.heal()

  const attempts = intercept(SEND, noAnswer)
  await user.type(box, 'Are you there?')
  await waitFor(() => expect(chat.getByLabelText('Send message')).toHaveProperty('disabled', false))
  await user.type(box, '{Enter}')
  await chat.findByText('Sending…')
  await user.type(box, 'Later')
  await waitFor(() => expect(box).toHaveProperty('value', 'Are you there?\nLater'))
  expect(attempts.sent).toHaveLength(4)
  expect(pauses).toEqual(expect.arrayContaining([1000, 2000, 4000]))
  await screen.findByText('Failed to send message: no answer from the server')
  expect(chat.queryByText('Sending…')).toBeNull()
  await chat.findByText('Not sent')
  expect(await stored()).toHaveLength(1)
  attempts.heal()
  await user.type(box, '{Enter}')
  await waitFor(() => expect(chat.queryAllByText('Delivered')).toHaveLength(2))
  expect(chat.queryByText('Not sent')).toBeNull()
  expect((await stored())[1]).toMatchObject({ content: 'Are you there?\nLater' })

  const asked = refuse(SEND, '23514', 'The plan is over')
  await user.type(box, 'Hello{Enter}')
  await toasted('error', 'Failed to send message: The plan is over')
  await waitFor(() => expect(box).toHaveProperty('value', 'Hello'))
  await chat.findByText('Not sent')
  expect(asked.sent).toHaveLength(1)
})

it('counts every text as the database does', async () => {
  const texts = [
    ...['Hello', '👨‍👩‍👧‍👦', '👩🏻‍❤️‍💋‍👩🏿', '🇪🇺🇧🇷🇪', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '👍🏽!', 'e\u0301', 'מَرْ', 'हिन्दी', 'สวัสดี'],
    ...[
      'a\u200db',
      'a\u200b\u2060\ufeff',
      '\u{1f468}\u200d',
      '\u2800\u3164',
      '\u180e\u2066',
      'x'.repeat(1001),
    ],
    ...[`e${'\u0301'.repeat(10_001)}`, ' \n ', '\u200b\u00a0\ufeff'],
  ]
  const counts = await db.query<{ count: number }>(
    `select private.characters(value) as count
     from jsonb_array_elements_text($1::jsonb) with ordinality as t (value, place) order by place`,
    [JSON.stringify(texts)],
  )
  expect(counts.map(({ count }) => count)).toEqual(texts.map(characters))
  const conversation = await say(people.marc, parties, 'First')
  for (const text of texts) {
    const message = { conversation_id: conversation, sender_id: people.marc.id, content: text }
    const { error } = await people.marc.client.from('messages').insert(message)
    expect([text, error === null]).toEqual([text, canSend(text)])
  }
})

it('offers three tries when it cannot be reached, then says what may be missing, and starts anew', async () => {
  const asked = intercept(FIND, (send, attempt) => {
    if (attempt === 1) return refusal(401, 'PGRST301', 'Please sign in to access chat features.')
    if (attempt === 2) return Promise.resolve(Response.json(null))
    return attempt > 4 ? send() : refusal(403, '42501', 'User does not have access to this subscription')
  })
  const { user, dialog: chat } = await open('marc')
  const note = "Chat is available once the new member's account is fully set up."
  for (const [tries, reason] of [
    'Please sign in to access chat features.',
    'Failed to create or find conversation',
    "You don't have permission to access this chat.",
  ].entries()) {
    await chat.findByText(reason)
    chat.getByText('Failed to connect to chat')
    expect(chat.queryByText(note)).toBeNull()
    expect(asked.sent).toHaveLength(tries + 1)
    await user.click(chat.getByText('Retry'))
    chat.getByText('Connecting...')
  }
  await chat.findByText(note)
  expect(asked.sent).toHaveLength(4)
  chat.getByText('Failed to connect to chat')
  for (const gone of [chat.queryByText('Retry'), chat.queryByRole('textbox')]) expect(gone).toBeNull()
  await user.click(chat.getByLabelText('Close chat'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByLabelText(/^Chat with/))
  await screen.findByText('No messages yet. Start the conversation!')
})

it('is archived live when the place ends, and ends with the plan', async () => {
  const { olivia, marc } = people
  await say(olivia, parties, 'Bye')
  const { dialog: chat } = await open('marc')
  await chat.findByText('Bye')
  await leavePlan(parties.planId, marc, olivia)
  await chat.findByText(ARCHIVED)
  for (const gone of [chat.queryByRole('textbox'), chat.queryByLabelText('Send message')])
    expect(gone).toBeNull()
  chat.getByText('Bye')
  await screen.findByRole('region', { name: 'Price and places' })
  await join(olivia, marc, parties.planId)
  await composer()
  await heading('Your Subscribed Plan')
  expect(chat.queryByText(ARCHIVED)).toBeNull()
  await endPlan(olivia, parties.planId)
  await chat.findByText('This chat has ended')
  chat.getByText('The subscription was cancelled, and its chats with it.')
  for (const gone of [chat.queryByRole('textbox'), chat.queryByText('Bye')]) expect(gone).toBeNull()
  await screen.findByText('Netflix Premium is no longer shared')
  screen.getByText('The owner cancelled this plan, and its chats are closed.')
  screen.getByText('Go to My Subscriptions')
  expect(screen.queryByText('Error loading subscription')).toBeNull()
})

const shown = () => screen.queryAllByText(/^Message \d+$/).map((entry) => Number(entry.textContent?.slice(8)))
const latest = (count: number) => Array.from({ length: count }, (_, index) => 62 - count + index)

it('pages upwards through messages of one moment, also after failures, stays where it was read, and else keeps its end in sight', async () => {
  const resized = new Map<Element, () => void>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(readonly tell: () => void) {}
      observe(element: Element) {
        resized.set(element, this.tell)
      }
      unobserve() {}
      disconnect() {}
    },
  )
  const conversation = await say(people.olivia, parties, 'Hi')
  await db.query('delete from public.messages')
  await fill(server, conversation, people.olivia.id, 61)
  const unmarked = refuse('POST rpc/mark_conversation_read', 'XX000', 'the disk is full')
  const { sent: loads } = intercept('GET /rest/v1/messages')
  const { user, dialog: chat } = await open('marc')
  await screen.findByText('Message 61')
  await toasted('error', 'Failed to mark conversation as read: the disk is full')
  unmarked.heal()
  // The messages are loaded again when new ones arrive live.
  await waitFor(() => expect(loads).toHaveLength(2))
  const thread = chat.getByRole('log')
  const entries = () => thread.querySelectorAll('p').length
  // jsdom has no layout: every message is 100 pixels high, and the window shows four messages.
  Object.defineProperty(thread, 'scrollHeight', { get: () => entries() * 100 })
  Object.defineProperty(thread, 'clientHeight', { value: 400 })
  const scrollTo = (top: number) => {
    thread.scrollTop = top
    fireEvent.scroll(thread)
  }
  expect(shown()).toEqual(latest(30))
  scrollTo(50)
  await waitFor(() => expect(shown()).toEqual(latest(60)))
  expect(thread.scrollTop).toBe(50 + 30 * 100)
  const failing = refuse('GET /rest/v1/messages', 'XX000', 'disk full', 500)
  await user.click(screen.getByText('Show earlier messages'))
  await chat.findByText('Failed to fetch messages: disk full')
  expect(failing.times).not.toHaveLength(0)
  expect(shown()).toEqual(latest(60))
  failing.heal()
  await user.click(chat.getByText('Try Again'))
  await waitFor(() => expect(shown()).toEqual(latest(61)))
  for (const gone of [/^Failed to fetch/, 'Show earlier messages']) expect(chat.queryByText(gone)).toBeNull()

  scrollTo(1000)
  await say(people.olivia, parties, 'Something new')
  const newest = await screen.findByText('New messages')
  expect(thread.scrollTop).toBe(1000)
  fireEvent.click(newest)
  expect(thread.scrollTop).toBe(62 * 100)
  expect(screen.queryByText('New messages')).toBeNull()
  fireEvent.scroll(thread)
  await say(people.olivia, parties, 'And more')
  await screen.findByText('And more')
  await waitFor(() => expect(thread.scrollTop).toBe(63 * 100))
  // The message field grows, so the window shrinks.
  thread.scrollTop = 62 * 100
  resized.get(thread)?.()
  expect(thread.scrollTop).toBe(63 * 100)
  scrollTo(200)
  resized.get(thread)?.()
  expect(thread.scrollTop).toBe(200)
})
