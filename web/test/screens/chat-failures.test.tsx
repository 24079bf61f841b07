import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { type Chatters, composer, openChat, setTheTable } from '../chatting.ts'
import { intercept, refusal } from '../network.ts'

const server = await testServer()
let chatters: Chatters

beforeEach(async () => {
  chatters = await setTheTable(server)
})

const FIND = 'POST rpc/find_or_create_conversation'

it('offers three tries when the chat cannot be reached, then says what may be missing', async () => {
  const asked = intercept(FIND, () => refusal(403, '42501', 'User does not have access to this subscription'))
  const { user, dialog } = await openChat(server, chatters, 'marc')
  const note = "Chat is available once the new member's account is fully set up."
  for (let tries = 1; tries <= 3; tries += 1) {
    await dialog.findByText('Failed to connect to chat')
    expect(dialog.getByText("You don't have permission to access this chat.")).toBeTruthy()
    expect(dialog.queryByText(note)).toBeNull()
    expect(asked.times).toHaveLength(tries)
    await user.click(dialog.getByRole('button', { name: 'Retry' }))
    expect(dialog.getByText('Connecting...')).toBeTruthy()
  }
  await dialog.findByText(note)
  expect(asked.times).toHaveLength(4)
  expect(dialog.getByText('Failed to connect to chat')).toBeTruthy()
  expect(dialog.queryByRole('button', { name: 'Retry' })).toBeNull()
  expect(screen.queryByRole('textbox')).toBeNull()
})

it('connects when a try succeeds after one that failed', async () => {
  intercept(FIND, (real, attempt) =>
    attempt === 1 ? refusal(401, 'PGRST301', 'Please sign in to access chat features.') : real(),
  )
  const { user, dialog } = await openChat(server, chatters, 'marc')
  await dialog.findByText('Please sign in to access chat features.')
  await user.click(dialog.getByRole('button', { name: 'Retry' }))
  await dialog.findByText('No messages yet. Start the conversation!')
})

it('says when no conversation came back', async () => {
  intercept(FIND, () => Promise.resolve(Response.json(null)))
  const { dialog } = await openChat(server, chatters, 'marc')
  await dialog.findByText('Failed to create or find conversation')
})

it.each([
  [
    403,
    '42501',
    'new row violates row-level security policy',
    'Unauthorized: Cannot send message to this conversation',
  ],
  [400, '23514', 'The plan is over', 'Failed to send message: The plan is over'],
  [
    429,
    'PT429',
    'Rate limit exceeded. Please wait 7 seconds.',
    'Rate limit exceeded. Please wait 7 seconds.',
  ],
])('gives the text back at once when it is refused with %i %s', async (status, code, message, toast) => {
  const asked = intercept('POST /rest/v1/messages', () => refusal(status, code, message))
  const { user, dialog } = await openChat(server, chatters, 'marc')
  const box = await composer()
  await user.type(box, 'Hello{Enter}')
  await screen.findByText(toast)
  await waitFor(() => expect(box).toHaveProperty('value', 'Hello'))
  expect(dialog.getByText('Not sent')).toBeTruthy()
  expect(asked.times).toHaveLength(1)
})
