import { counted } from '#domain/plural.ts'
import type { Risk } from '#domain/risky-text.ts'
import { OFFLINE, PERMISSION_DENIED, toAppError } from '#lib/errors.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

export const chatTexts = {
  connecting: 'Connecting...',
  failed: 'Failed to connect to chat',
  afterRetries: "Chat is available once the new member's account is fully set up.",
  empty: 'No messages yet. Start the conversation!',
  archived: 'This conversation has been archived because the member has left the subscription.',
  noPlace: 'This conversation has ended.',
  gone: 'This chat has ended',
  goneWhy: 'The subscription was cancelled, and its chats with it.',
  sending: 'Sending…',
  delivered: 'Delivered',
  announcement: 'To all members',
  notSent: 'Not sent',
  notCreated: 'Failed to create or find conversation',
  noPlan: 'Subscription information is required',
  noRecipient: 'Cannot start chat without a recipient',
} as const

/** What a message that is held back seems to contain, and why it had better not be sent. */
export const riskTexts: Record<Risk, { title: string; why: string }> = {
  password: {
    title: 'Is this a password?',
    why: 'Chats keep it forever. The plan’s vault encrypts it and shows who opened it.',
  },
  iban: {
    title: 'Is this a bank account?',
    why: 'Add it to your payment details, so only members who pay you see it.',
  },
  card: {
    title: 'Is this a card number?',
    why: 'No one here needs your card number. Save your card under payments instead.',
  },
  phone: {
    title: 'Is this a phone number?',
    why: 'Once shared, you can’t take it back. We can only help with what’s said here.',
  },
  link: {
    title: 'This link leads away from Potluck',
    why: 'Scams often ask for payments or passwords on other sites. We can only help here.',
  },
}

/** What the dialog says about a failure: its own sentence for some, else the reason. */
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
  questionFailed: (problem: unknown) =>
    explain(problem, () => [`Failed to send question: ${reason(problem)}`]),
  announced: (members: number) =>
    toastSuccess('Sent', `Sent in your chat with ${counted(members, 'member')}.`),
  announceFailed: (problem: unknown) =>
    explain(problem, () => [`Failed to write to all members: ${reason(problem)}`]),
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
