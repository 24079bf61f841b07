import { plural, t } from '@lingui/core/macro'
import type { Risk } from '#domain/risky-text.ts'
import { OFFLINE, PERMISSION_DENIED, toAppError } from '#lib/errors.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

export const chatTexts = {
  connecting: t`Connecting...`,
  failed: t`Failed to connect to chat`,
  afterRetries: t`Chat is available once the new member's account is fully set up.`,
  empty: t`No messages yet. Start the conversation!`,
  archived: t`This conversation has been archived because the member has left the subscription.`,
  noPlace: t`This conversation has ended.`,
  gone: t`This chat has ended`,
  goneWhy: t`The subscription was cancelled, and its chats with it.`,
  sending: t`Sending…`,
  delivered: t`Delivered`,
  announcement: t`To all members`,
  notSent: t`Not sent`,
  notCreated: t`Failed to create or find conversation`,
  noPlan: t`Subscription information is required`,
  noRecipient: t`Cannot start chat without a recipient`,
} as const

/** Texts for a held-back message: the data it seems to contain, and why not to send it. */
export const riskTexts: Record<Risk, { title: string; why: string }> = {
  password: {
    title: t`Is this a password?`,
    why: t`Chats keep it forever. The plan’s vault encrypts it and shows who opened it. A code that works only once is fine here.`,
  },
  iban: {
    title: t`Is this a bank account?`,
    why: t`Add it to your payment details, so only members who pay you see it.`,
  },
  card: {
    title: t`Is this a card number?`,
    why: t`No one here needs your card number. Save your card under payments instead.`,
  },
  phone: {
    title: t`Is this a phone number?`,
    why: t`Once shared, you can’t take it back. We can only help with what’s said here.`,
  },
  link: {
    title: t`This link leads away from Potluck`,
    why: t`Scams often ask for payments or passwords on other sites. We can only help here.`,
  },
}

/** Returns the dialog's text for a failure: a specific text for some failures, otherwise the general reason. */
export function dialogText(problem: unknown): string {
  const message = toAppError(problem).message.toLowerCase()
  if (message.includes('sign in') || message.includes('authentication required'))
    return t`Please sign in to access chat features.`
  if (message.includes('permission') || message.includes('access'))
    return t`You don't have permission to access this chat.`
  if (message.includes('being initialized')) return t`Chat is being set up. Please try again in a moment.`
  return reason(problem)
}

export function messagesFailedText(problem: unknown): string {
  return t`Failed to fetch messages: ${reason(problem)}`
}

export const chatToasts = {
  questionFailed: (problem: unknown) =>
    explain(problem, () => [t`Failed to send question: ${reason(problem)}`]),
  announced: (members: number) =>
    toastSuccess(
      t`Sent`,
      t`Sent in your chat with ${plural(members, { one: '# member', other: '# members' })}.`,
    ),
  announceFailed: (problem: unknown) =>
    explain(problem, () => [t`Failed to write to all members: ${reason(problem)}`]),
  sendFailed: (problem: unknown) =>
    explain(problem, ({ code }) => [
      code === PERMISSION_DENIED
        ? t`Unauthorized: Cannot send message to this conversation`
        : t`Failed to send message: ${reason(problem)}`,
    ]),
  discardFailed: (problem: unknown) =>
    explain(problem, () => [t`The draft was not discarded: ${reason(problem)}`]),
  markReadFailed: (problem: unknown) =>
    explain(problem, ({ code }) => [
      code === PERMISSION_DENIED
        ? t`Unauthorized: Cannot mark conversation as read`
        : t`Failed to mark conversation as read: ${reason(problem)}`,
    ]),
}

function reason(problem: unknown): string {
  const { code, message } = toAppError(problem)
  return code === OFFLINE || message === '' ? t`no answer from the server` : message
}
