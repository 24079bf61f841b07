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
  noPlace: 'This conversation has ended, because no place came of it.',
  gone: 'This chat has ended',
  goneWhy: 'The subscription has been cancelled, and its conversations went with it.',
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
    why: 'A chat keeps it for good. The vault of the plan seals it, and shows who has opened it.',
  },
  iban: {
    title: 'Is this a bank account?',
    why: 'Direct payment shows it with the amount and the reference to exactly the members who pay there.',
  },
  card: {
    title: 'Is this a card number?',
    why: 'Nobody who shares a plan needs the number of your card. Cards are saved where payments are made.',
  },
  phone: {
    title: 'Is this a phone number?',
    why: 'Whoever reads it can call you for good. We can help with what is said here, not with what is said elsewhere.',
  },
  link: {
    title: 'This link leads away from Potluck',
    why: 'Payments and passwords that are asked for on other pages are how people are cheated. We can help only here.',
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
    toastSuccess('Sent', `It is in your chat with ${counted(members, 'member')}.`),
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
