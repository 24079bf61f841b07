import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { fullDate } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import type { Problem } from '#domain/problems.ts'
import type { TimelineEntry } from './problems.queries.ts'

export type Viewer = 'owner' | 'member' | 'staff'

export const viewerOf = ({ ownerId, memberId }: Problem, userId: string): Viewer =>
  userId === ownerId ? 'owner' : userId === memberId ? 'member' : 'staff'

/** Returns the state of a problem as the reader sees it: a heading, and the consequence of silence. */
export function summarizeProblem(problem: Problem, viewer: Viewer): { title: string; text: string } {
  const { turn, ownerName, memberName, dueAt } = problem
  const date = dueAt ? fullDate(dueAt) : ''
  const money = moneyText(problem, viewer)
  switch (turn) {
    case 'owner':
      return {
        title: viewer === 'owner' ? t`Your turn to answer` : t`Waiting for ${ownerName}`,
        text: t`Without an answer by ${date}, the place ends and ${money}.`,
      }
    case 'member':
      return {
        title: viewer === 'member' ? t`Is it fixed?` : t`${memberName} is checking the fix`,
        text:
          viewer === 'owner'
            ? t`You say that it is fixed. If ${memberName} doesn’t answer by ${date}, it counts as fixed. The time without access is refunded.`
            : viewer === 'member'
              ? t`${ownerName} says that it is fixed. If you don’t answer by ${date}, it counts as fixed. The time without access is refunded.`
              : t`${ownerName} says that it is fixed. If ${memberName} doesn’t answer by ${date}, it counts as fixed. The time without access is refunded.`,
      }
    case 'staff':
      return {
        title: t`Our team decides`,
        text: t`We aim to decide within ${LIMITS.problemDecisionAimHours} hours and tell you both why. Without a decision by ${date}, ${money}.`,
      }
    case 'closed':
      return { title: t`Closed`, text: outcomeText(problem, money) }
  }
}

/** What owner and member can do about a problem that the provider causes; null for all others. */
export function adviceOn(
  { reason, ownerName, memberName }: Pick<Problem, 'reason' | 'ownerName' | 'memberName'>,
  viewer: Viewer,
): string | null {
  if (reason === 'code')
    return viewer === 'owner'
      ? t`The provider has sent the code to you. Pass it on to ${memberName}, for example in the chat. Never pass on a code that changes the password.`
      : t`The provider has sent the code to ${ownerName}, who must pass it on, for example in the chat.`
  if (reason !== 'household') return null
  return viewer === 'owner'
    ? t`Check the household in the account’s settings, and whether the provider allows ${memberName} in it.`
    : t`${ownerName} can check the household in the account’s settings.`
}

/** The text about money for the time without access: the site refunds it, or an owner who was paid directly owes it. */
export function moneyText({ settlement, ownerName, memberName }: Problem, viewer: Viewer): string {
  if (settlement === 'potluck')
    return viewer === 'member'
      ? t`you get back what was paid for the time since the report`
      : t`${memberName} gets back what was paid for the time since the report`
  if (viewer === 'owner') return t`you owe ${memberName} what was paid for the time since the report`
  return viewer === 'member'
    ? t`${ownerName} owes you what was paid for the time since the report`
    : t`${ownerName} owes ${memberName} what was paid for the time since the report`
}

/** The text for a problem's outcome. */
function outcomeText({ outcome, ownerName, memberName }: Problem, money: string): string {
  const texts: Record<NonNullable<Problem['outcome']>, string> = {
    fixed: t`Fixed. The time without access is refunded.`,
    withdrawn: t`${memberName} withdrew the report.`,
    'for-owner': t`Our team decided for ${ownerName}. The report was dropped.`,
    'for-member': t`Our team decided for ${memberName}, so ${money}. The place has ended.`,
    'owner-silent': t`${ownerName} didn’t answer in time, so ${money}. The place has ended.`,
    'owner-ended': t`The place ended while the problem was open, so ${money}.`,
    'staff-silent': t`Our team didn’t decide in time, so ${money}. The place has ended.`,
  }
  return texts[outcome ?? 'staff-silent']
}

const ENDINGS: Record<string, string> = {
  left: t`The member has left.`,
  removed: t`The owner has ended the place.`,
  cancelled: t`The owner has ended the plan.`,
  unpaid: t`It was not paid.`,
  'no-access': t`There was no access in time.`,
  problem: t`It did not work.`,
  disputed: t`A bank took a payment back.`,
  suspended: t`An account stayed suspended.`,
}

/** One line of a timeline: the event, its note and its colour. */
export interface TimelineLine {
  text: string
  said: string | null
  tone: 'herb' | 'honey' | 'beet' | 'gray'
}

export function lineOf({ kind, personName, note, amount, currency }: TimelineEntry): TimelineLine {
  const who = personName ?? t`The site`
  const lines: Record<string, [text: string, tone: TimelineLine['tone'], said?: string | null]> = {
    paid: [t`${who} paid ${formatMoney(amount, currency)}`, 'herb'],
    'given-back': [t`${formatMoney(amount)} went back to the member`, 'herb'],
    'access-given': [t`${who} gave access`, 'gray'],
    'invitation-sent': [t`${who} sent the invitation to ${note ?? ''}`, 'gray'],
    'access-confirmed': [t`${who}: “It works”`, 'herb'],
    'vault-version': [t`${who} stored access in the vault, version ${note ?? ''}`, 'gray'],
    'vault-login': [t`${who} stored the account login, version ${note ?? ''}`, 'gray'],
    'vault-opened': [t`${who} opened version ${note ?? ''} in the vault`, 'gray'],
    reported: [t`${who} reported that something is wrong`, 'honey', note],
    fixed: [t`${who}: “Fixed”`, 'herb', note],
    'not-fixed': [t`${who}: “No, still not working”`, 'honey', note],
    contested: [t`${who}: “It works”`, 'gray', note],
    'to-staff': [t`It went to our team`, 'gray'],
    works: [t`${who}: “Yes, it works”`, 'herb', note],
    withdrawn: [t`${who} withdrew the report`, 'gray'],
    'for-owner': [t`Our team decided for the owner`, 'gray', note],
    'for-member': [t`Our team decided for the member`, 'gray', note],
    'owner-silent': [t`No answer from the owner in time`, 'beet'],
    'member-silent': [t`No answer from the member in time: it counts as fixed`, 'herb'],
    'staff-silent': [t`No decision of our team in time`, 'beet'],
    'owner-ended': [t`The place was ended while the problem was open`, 'beet'],
  }
  const ended = (note && ENDINGS[note]) || null
  const [text, tone, said = null] = lines[kind] ?? [t`The place ended`, 'gray', ended]
  return { text, said, tone }
}
