import { plural, t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { refusalOf } from '#lib/errors.ts'
import { explain, toastInfo, toastSuccess } from '#ui/toasts.ts'
import type { InvitationStatus, MailStatus } from './invitations.queries.ts'

/** Error code if the mail server refused the invitation's mail. */
export const NOT_DELIVERED = 'mail_not_delivered'

/** Shown with an invitation whose mail has not reached a mail server. */
export const mailNotes: Record<Exclude<MailStatus, 'sent'>, string> = {
  waiting: t`Email on its way`,
  delayed: t`Email delayed. We’ll keep trying.`,
  failed: t`Email not delivered`,
}

export const invitationTexts = {
  notDelivered: t`The email could not be delivered.`,
  over: {
    accepted: {
      title: t`You’re on this plan`,
      text: t`You accepted this invitation. Find the plan in My Subscriptions.`,
    },
    declined: {
      title: t`Invitation declined`,
      text: t`You declined this invitation.`,
    },
    withdrawn: {
      title: t`This invitation is no longer open`,
      text: t`The owner withdrew it or sent a newer one. Check your inbox.`,
    },
    expired: {
      title: t`This invitation has expired`,
      text: t`The place was kept for ${plural(LIMITS.invitationLifetimeHours / 24, { one: '# day', other: '# days' })}. Ask the owner to invite you again.`,
    },
  } satisfies Record<Exclude<InvitationStatus, 'open'>, { title: string; text: string }>,
  unknown: {
    title: t`Invitation not found`,
    text: t`Ask the person who invited you for a new link.`,
  },
  foreign: { title: t`This invitation is for someone else` },
} as const

export const invitationToasts = {
  sent: (email: string) =>
    toastSuccess(
      t`Invitation Sent`,
      t`A place is kept for ${email} for ${plural(LIMITS.invitationLifetimeHours / 24, { one: '# day', other: '# days' })}.`,
    ),
  onItsWay: (email: string) =>
    toastInfo(t`Invitation on its way`, t`A place is kept for ${email}. The email is on its way.`),
  sendFailed: (problem: unknown) =>
    explain(problem, (error) => [
      t`Failed to send invitation. Please try again.`,
      error.code === NOT_DELIVERED ? error.message : refusalOf(error),
    ]),
  revoked: (email: string) => toastSuccess(t`Invitation Withdrawn`, t`The place for ${email} is free again.`),
  revokeFailed: (problem: unknown) =>
    explain(problem, t`The invitation was not withdrawn. Please try again.`),
  declined: () => toastSuccess(t`Invitation declined`, t`We’ve told the owner.`),
  answerFailed: (problem: unknown) => explain(problem, t`Your answer was not saved. Please try again.`),
}
