import { LIMITS } from '@potluck/supabase/limits'
import { counted } from '#domain/plural.ts'
import { refusalOf } from '#lib/errors.ts'
import { explain, toastInfo, toastSuccess } from '#ui/toasts.ts'
import type { InvitationStatus, MailStatus } from './invitations.queries.ts'

/** The mail server refused the invitation's mail. */
export const NOT_DELIVERED = 'mail_not_delivered'

/** Shown with an invitation whose mail has not reached a mail server. */
export const mailNotes: Record<Exclude<MailStatus, 'sent'>, string> = {
  waiting: 'Email on its way',
  delayed: 'Email delayed. We’ll keep trying.',
  failed: 'Email not delivered',
}

export const invitationTexts = {
  notDelivered: 'The email could not be delivered.',
  over: {
    accepted: {
      title: 'You’re on this plan',
      text: 'You accepted this invitation. Find the plan in My Subscriptions.',
    },
    declined: {
      title: 'Invitation declined',
      text: 'You declined this invitation.',
    },
    withdrawn: {
      title: 'This invitation is no longer open',
      text: 'The owner withdrew it or sent a newer one. Check your inbox.',
    },
    expired: {
      title: 'This invitation has expired',
      text: `The place was kept for ${counted(LIMITS.invitationLifetimeHours / 24, 'day')}. Ask the owner to invite you again.`,
    },
  } satisfies Record<Exclude<InvitationStatus, 'open'>, { title: string; text: string }>,
  unknown: {
    title: 'Invitation not found',
    text: 'The link is incomplete, or the plan was cancelled.',
  },
  foreign: { title: 'This invitation is for someone else' },
} as const

export const invitationToasts = {
  sent: (email: string) =>
    toastSuccess(
      'Invitation Sent',
      `A place is kept for ${email} for ${counted(LIMITS.invitationLifetimeHours / 24, 'day')}.`,
    ),
  onItsWay: (email: string) =>
    toastInfo('Invitation on its way', `A place is kept for ${email}. The email is on its way.`),
  sendFailed: (problem: unknown) =>
    explain(problem, (error) => [
      'Failed to send invitation. Please try again.',
      error.code === NOT_DELIVERED ? error.message : refusalOf(error),
    ]),
  withdrawn: (email: string) => toastSuccess('Invitation Withdrawn', `The place for ${email} is free again.`),
  withdrawFailed: (problem: unknown) =>
    explain(problem, 'The invitation was not withdrawn. Please try again.'),
  accepted: (plan: string) => toastSuccess('Welcome to the table', `You are now a member of ${plan}.`),
  declined: () => toastSuccess('Invitation declined', 'We’ve told the owner.'),
  answerFailed: (problem: unknown) => explain(problem, 'Your answer was not saved. Please try again.'),
}
