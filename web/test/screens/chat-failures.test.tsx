import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { toasted } from '../app.tsx'
import { type Chatters, composer, openChat, setTheTable } from '../chatting.ts'
import { intercept, refusal, refuse } from '../network.ts'

const server = await testServer()
let chatters: Chatters

beforeEach(async () => {
  chatters = await setTheTable(server)
})

const FIND = 'POST rpc/find_or_create_conversation'

it('offers three tries when the chat cannot be reached, then says what may be missing, and starts anew', async () => {
  const asked = intercept(FIND, (send, attempt) => {
    if (attempt === 1) return refusal(401, 'PGRST301', 'Please sign in to access chat features.')
    if (attempt === 2) return Promise.resolve(Response.json(null))
    return attempt > 4 ? send() : refusal(403, '42501', 'User does not have access to this subscription')
  })
  const { user, dialog } = await openChat(server, chatters, 'marc')
  const note = "Chat is available once the new member's account is fully set up."
  for (const [tries, reason] of [
    'Please sign in to access chat features.',
    'Failed to create or find conversation',
    "You don't have permission to access this chat.",
  ].entries()) {
    await dialog.findByText(reason)
    expect(dialog.getByText('Failed to connect to chat')).toBeTruthy()
    expect(dialog.queryByText(note)).toBeNull()
    expect(asked.sent).toHaveLength(tries + 1)
    await user.click(dialog.getByText('Retry'))
    expect(dialog.getByText('Connecting...')).toBeTruthy()
  }
  await dialog.findByText(note)
  expect(asked.sent).toHaveLength(4)
  expect(dialog.getByText('Failed to connect to chat')).toBeTruthy()
  expect(dialog.queryByText('Retry')).toBeNull()
  expect(dialog.queryByRole('textbox')).toBeNull()

  await user.click(dialog.getByLabelText('Close chat'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByLabelText(/^Chat with/))
  await screen.findByText('No messages yet. Start the conversation!')
})

it('gives the text back at once when it is refused', async () => {
  const asked = refuse('POST /rest/v1/messages', '23514', 'The plan is over')
  const { user, dialog } = await openChat(server, chatters, 'marc')
  const box = await composer()
  await user.type(box, 'Hello{Enter}')
  await toasted('error', 'Failed to send message: The plan is over')
  await waitFor(() => expect(box).toHaveProperty('value', 'Hello'))
  await dialog.findByText('Not sent')
  expect(asked.sent).toHaveLength(1)
})
