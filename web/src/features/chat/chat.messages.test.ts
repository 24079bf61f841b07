import { expect, test } from 'vitest'
import { dialogText, messagesFailedText } from './chat.messages.ts'

test.each([
  ['Please sign in, you have no access', 'Please sign in to access chat features.'],
  ['User does not have access to this subscription', "You don't have permission to access this chat."],
  ['permission denied for table conversations', "You don't have permission to access this chat."],
  [
    'Chat is being initialized. Please try again in a moment.',
    'Chat is being set up. Please try again in a moment.',
  ],
  ['Failed to create or find conversation', null],
])('ERR-38 ERR-39 shows for "%s": %s', (message, shown) => {
  expect(dialogText({ code: '42501', message })).toBe(shown)
})

test('ERR-37 says why messages could not be fetched', () => {
  expect(messagesFailedText(new TypeError('fetch failed'))).toBe('Failed to fetch messages: fetch failed')
})
