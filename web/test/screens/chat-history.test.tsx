import { testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toasted } from '../app.tsx'
import { type Chatters, fill, openChat, setTheTable } from '../chatting.ts'
import { intercept, refuse } from '../network.ts'
import { say } from '../sharing.ts'

const server = await testServer()
let chatters: Chatters
let conversation: string

beforeEach(async () => {
  chatters = await setTheTable(server)
  const { people, parties } = chatters
  conversation = await say(people.olivia, parties, 'Hi')
  await server.db.query('delete from public.messages')
})

afterEach(async () => {
  await server.db.query('delete from public.messages')
})

const shown = () => screen.queryAllByText(/^Message \d+$/).map((entry) => Number(entry.textContent?.slice(8)))
const upTo = (last: number, count: number) =>
  Array.from({ length: count }, (_, index) => last - count + 1 + index)

it('pages through messages of one and the same moment without losing or repeating any', async () => {
  await fill(server, conversation, chatters.people.olivia.id, { count: 75, apart: false })
  const { user } = await openChat(server, chatters, 'marc')
  const earlier = await screen.findByRole('button', { name: 'Show earlier messages' })
  expect(shown()).toEqual(upTo(75, 30))
  await user.click(earlier)
  await waitFor(() => expect(shown()).toEqual(upTo(75, 60)))
  await user.click(earlier)
  await waitFor(() => expect(shown()).toEqual(upTo(75, 75)))
  expect(screen.queryByRole('button', { name: 'Show earlier messages' })).toBeNull()
})

it('loads what was said before at its upper end, stays where it was read, and else keeps its end in sight', async () => {
  const resized = new Map<Element, () => void>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly tell: () => void
      constructor(tell: () => void) {
        this.tell = tell
      }
      observe(element: Element) {
        resized.set(element, this.tell)
      }
      unobserve() {}
      disconnect() {}
    },
  )
  await fill(server, conversation, chatters.people.olivia.id, { count: 45 })
  const { dialog } = await openChat(server, chatters, 'marc')
  await screen.findByText('Message 45')
  const thread = dialog.getByRole('log')
  const entries = () => thread.querySelectorAll('p').length
  // jsdom lays nothing out: every message is 100 pixels high, the window shows four of them.
  Object.defineProperty(thread, 'scrollHeight', { get: () => entries() * 100 })
  Object.defineProperty(thread, 'clientHeight', { value: 400 })
  expect(shown()).toEqual(upTo(45, 30))
  thread.scrollTop = 50
  fireEvent.scroll(thread)
  await waitFor(() => expect(shown()).toEqual(upTo(45, 45)))
  expect(thread.scrollTop).toBe(50 + 15 * 100)
  await say(chatters.people.olivia, chatters.parties, 'Something new')
  const newest = await screen.findByRole('button', { name: 'New messages' })
  expect(thread.scrollTop).toBe(50 + 15 * 100)
  fireEvent.click(newest)
  expect(thread.scrollTop).toBe(46 * 100)
  expect(screen.queryByRole('button', { name: 'New messages' })).toBeNull()
  fireEvent.scroll(thread)
  await say(chatters.people.olivia, chatters.parties, 'And more')
  await screen.findByText('And more')
  await waitFor(() => expect(thread.scrollTop).toBe(47 * 100))
  // The input takes more room.
  thread.scrollTop = 46 * 100
  resized.get(thread)?.()
  expect(thread.scrollTop).toBe(47 * 100)
  thread.scrollTop = 200
  fireEvent.scroll(thread)
  resized.get(thread)?.()
  expect(thread.scrollTop).toBe(200)
})

it('says why messages could not be fetched or marked as read, keeps those it has, and tries again', async () => {
  await fill(server, conversation, chatters.people.olivia.id, { count: 31 })
  refuse('POST rpc/mark_conversation_read', 'XX000', 'the disk is full')
  const { sent: loads } = intercept('GET /rest/v1/messages')
  const { user, dialog } = await openChat(server, chatters, 'marc')
  await screen.findByText('Message 31')
  await toasted('error', 'Failed to mark conversation as read: the disk is full')
  // They are loaded once more when new ones are heard.
  await waitFor(() => expect(loads).toHaveLength(2))
  const failing = refuse('GET /rest/v1/messages', 'XX000', 'disk full', 500)
  await user.click(screen.getByRole('button', { name: 'Show earlier messages' }))
  await dialog.findByText('Failed to fetch messages: disk full')
  expect(failing.times).not.toHaveLength(0)
  expect(shown()).toEqual(upTo(31, 30))
  failing.heal()
  await user.click(dialog.getByRole('button', { name: 'Try Again' }))
  await waitFor(() => expect(shown()).toEqual(upTo(31, 31)))
  expect(dialog.queryByText(/^Failed to fetch/)).toBeNull()
})
