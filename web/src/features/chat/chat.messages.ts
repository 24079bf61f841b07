import { OFFLINE, PERMISSION_DENIED, toAppError } from '#lib/errors.ts'
import { explain } from '#ui/toasts.ts'

export const chatTexts = {
  connecting: 'Connecting...',
  failed: 'Failed to connect to chat',
  afterRetries: "Chat is available once the new member's account is fully set up.",
  empty: 'No messages yet. Start the conversation!',
  archived: 'This conversation has been archived because the member has left the subscription.',
  gone: 'This chat has ended',
  goneWhy: 'The subscription has been cancelled, and its conversations went with it.',
  sending: 'Sending…',
  delivered: 'Delivered',
  notSent: 'Not sent',
  notCreated: 'Failed to create or find conversation',
  noPlan: 'Subscription information is required',
  noRecipient: 'Cannot start chat without a recipient',
} as const

/** What the dialog shows for a failure: for some a sentence of its own, else the reason. */
export function dialogText(problem: unknown): string {
  const message = toAppError(problem).message.toLowerCase()
  if (message.includes('sign in') || message.includes('authentication required'))
    return 'Please sign in to access chat features.'
  if (message.includes('permission') || message.includes('access'))
    return "You don't have permission to access this chat."
  if (message.includes('being initialized')) return 'Chat is being set up. Please try again in a moment.'
  return reason(problem)
}

export function messagesFailedText(problem: unknown): string {
  return `Failed to fetch messages: ${reason(problem)}`
}

export const chatToasts = {
  sendFailed: (problem: unknown) =>
    explain(problem, ({ code }) => [
      code === PERMISSION_DENIED
        ? 'Unauthorized: Cannot send message to this conversation'
        : `Failed to send message: ${reason(problem)}`,
    ]),
  markReadFailed: (problem: unknown) =>
    explain(problem, ({ code }) => [
      code === PERMISSION_DENIED
        ? 'Unauthorized: Cannot mark conversation as read'
        : `Failed to mark conversation as read: ${reason(problem)}`,
    ]),
}

function reason(problem: unknown): string {
  const { code, message } = toAppError(problem)
  return code === OFFLINE || message === '' ? 'no answer from the server' : message
}
