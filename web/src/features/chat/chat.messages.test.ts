import { expect, test } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { dialogText, messagesFailedText } from './chat.messages.ts'

test.each([
  ['Please sign in, you have no access', 'Please sign in to access chat features.'],
  ['User does not have access to this subscription', "You don't have permission to access this chat."],
  ['permission denied for table conversations', "You don't have permission to access this chat."],
  [
    'Chat is being initialized. Please try again in a moment.',
    'Chat is being set up. Please try again in a moment.',
  ],
  ['Please sign in while the chat is being initialized', 'Please sign in to access chat features.'],
  ['No permission while it is being initialized', "You don't have permission to access this chat."],
  ['Authentication required', 'Please sign in to access chat features.'],
  ['Failed to create or find conversation', 'Failed to create or find conversation'],
  ['Subscription not found', 'Subscription not found'],
  ['Subscription information is required', 'Subscription information is required'],
  ['Cannot start chat without a recipient', 'Cannot start chat without a recipient'],
])('shows for "%s": %s', (message, shown) => {
  expect(dialogText({ code: '42501', message })).toBe(shown)
})

test('says why messages could not be fetched', () => {
  expect(messagesFailedText(new AppError('XX000', 'disk full'))).toBe('Failed to fetch messages: disk full')
  expect(messagesFailedText(new TypeError('fetch failed'))).toBe(
    'Failed to fetch messages: no answer from the server',
  )
})
