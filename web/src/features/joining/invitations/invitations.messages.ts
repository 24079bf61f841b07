import { LIMITS } from '@potluck/supabase/limits'
import { counted } from '#domain/plural.ts'
import { refusalOf } from '#lib/errors.ts'
import { explain, toastInfo, toastSuccess } from '#ui/toasts.ts'
import type { InvitationStatus, MailStatus } from './invitations.queries.ts'

/** The mail server refused the invitation's mail. */
export const NOT_DELIVERED = 'mail_not_delivered'

/** Shown with an invitation whose mail has not reached a mail server. */
export const mailNotes: Record<Exclude<MailStatus, 'sent'>, string> = {
  waiting: 'The email is on its way',
  delayed: 'The email is delayed; we keep trying',
  failed: 'The email could not be delivered',
}

export const invitationTexts = {
  notDelivered: 'The email could not be delivered.',
  over: {
    accepted: {
      title: 'You are on this plan',
      text: 'You have accepted this invitation. The plan is in My Subscriptions.',
    },
    declined: {
      title: 'Invitation declined',
      text: 'You have declined this invitation, and the place has been given back.',
    },
    withdrawn: {
      title: 'This invitation is no longer open',
      text: 'The owner has taken it back or sent you a newer one. Look for it in your mail.',
    },
    expired: {
      title: 'This invitation has expired',
      text: `The place was kept for ${counted(LIMITS.invitationLifetimeHours / 24, 'day')}. Ask the owner to invite you again.`,
    },
  } satisfies Record<Exclude<InvitationStatus, 'open'>, { title: string; text: string }>,
  unknown: {
    title: 'Invitation not found',
    text: 'The link is incomplete, or the plan it led to has been cancelled.',
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
    toastInfo('Invitation on its way', `A place is kept for ${email}. The email goes out in a moment.`),
  sendFailed: (problem: unknown) =>
    explain(problem, (error) => [
      'Failed to send invitation. Please try again.',
      error.code === NOT_DELIVERED ? error.message : refusalOf(error),
    ]),
  withdrawn: (email: string) => toastSuccess('Invitation Withdrawn', `The place of ${email} is free again.`),
  withdrawFailed: (problem: unknown) =>
    explain(problem, 'The invitation was not withdrawn. Please try again.'),
  accepted: (plan: string) => toastSuccess('Welcome to the table', `You are now a member of ${plan}.`),
  declined: () => toastSuccess('Invitation declined', 'The owner has been told.'),
  answerFailed: (problem: unknown) => explain(problem, 'Your answer was not saved. Please try again.'),
}
