import { expect, test } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { toastsOf } from '../../../test/toasts.ts'
import { chatToasts, dialogText, messagesFailedText } from './chat.messages.ts'

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

test.each([
  [
    '42501',
    'new row violates row-level security policy',
    'Unauthorized: Cannot send message to this conversation',
  ],
  ['23514', 'The plan is over', 'Failed to send message: The plan is over'],
  ['offline', 'fetch failed', 'Failed to send message: no answer from the server'],
])('sending that failed with %s "%s" says "%s"', (code, message, text) => {
  expect(toastsOf(() => chatToasts.sendFailed(new AppError(code, message)))).toEqual([`error: ${text}`])
})

test.each([
  ['42501', 'not one of its sides', 'Unauthorized: Cannot mark conversation as read'],
  ['XX000', 'disk full', 'Failed to mark conversation as read: disk full'],
  ['offline', 'fetch failed', 'Failed to mark conversation as read: no answer from the server'],
])('marking as read that failed with %s "%s" says "%s"', (code, message, text) => {
  expect(toastsOf(() => chatToasts.markReadFailed(new AppError(code, message)))).toEqual([`error: ${text}`])
})

test('repeats how long to wait', () => {
  const tooMany = new AppError('PT429', 'Rate limit exceeded. Please wait 7 seconds.')
  expect(toastsOf(() => chatToasts.sendFailed(tooMany))).toEqual([
    `warning: Too Many Requests / ${tooMany.message}`,
  ])
})
