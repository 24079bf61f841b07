import { LIMITS } from '@potluck/supabase/limits'
import { fullDate } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import type { Problem } from '#domain/problems.ts'
import type { TimelineEntry } from './problems.queries.ts'

export type Viewer = 'owner' | 'member' | 'staff'

export const viewerOf = ({ ownerId, memberId }: Problem, userId: string): Viewer =>
  userId === ownerId ? 'owner' : userId === memberId ? 'member' : 'staff'

/** Where a problem stands for its reader: a heading, and what happens if nobody answers. */
export function standingOf(problem: Problem, viewer: Viewer): { title: string; text: string } {
  const { turn, ownerName, memberName, dueAt } = problem
  const member = viewer === 'member' ? 'you' : memberName
  const until = dueAt ? `by ${fullDate(dueAt)}` : ''
  const money = moneyText(problem, viewer)
  switch (turn) {
    case 'owner':
      return {
        title: viewer === 'owner' ? 'Your turn to answer' : `Waiting for ${ownerName}`,
        text: `Without an answer ${until}, the place ends and ${money}.`,
      }
    case 'member':
      return {
        title: viewer === 'member' ? 'Is it fixed?' : `${memberName} is checking the fix`,
        text: `${viewer === 'owner' ? 'You say' : `${ownerName} says`} that it is fixed. If ${member} doesn’t answer ${until}, it counts as fixed. The time without access is refunded.`,
      }
    case 'staff':
      return {
        title: 'Our team decides',
        text: `We aim to decide within ${LIMITS.problemDecisionAimHours} hours and tell you both why. Without a decision ${until}, ${money}.`,
      }
    case 'closed':
      return { title: 'Closed', text: outcomeText(problem, money) }
  }
}

/** What happens to the money for the time without access: the site gives it back, or an owner who was paid directly owes it. */
export function moneyText({ settlement, ownerName, memberName }: Problem, viewer: Viewer): string {
  const member = viewer === 'member' ? 'you' : memberName
  if (settlement === 'potluck')
    return `${member} ${viewer === 'member' ? 'get' : 'gets'} back what was paid for the time since the report`
  const owes = viewer === 'owner' ? 'you owe' : `${ownerName} owes`
  return `${owes} ${member} what was paid for the time since the report`
}

/** How a problem ended. */
function outcomeText({ outcome, ownerName, memberName }: Problem, money: string): string {
  const texts: Record<NonNullable<Problem['outcome']>, string> = {
    fixed: 'Fixed. The time without access is refunded.',
    withdrawn: `${memberName} withdrew the report.`,
    'for-owner': `Our team decided for ${ownerName}. The report was dropped.`,
    'for-member': `Our team decided for ${memberName}, so ${money}. The place has ended.`,
    'owner-silent': `${ownerName} didn’t answer in time, so ${money}. The place has ended.`,
    'owner-ended': `The place ended while the problem was open, so ${money}.`,
    'staff-silent': `Our team didn’t decide in time, so ${money}. The place has ended.`,
  }
  return texts[outcome ?? 'staff-silent']
}

const ENDINGS: Record<string, string> = {
  left: 'The member has left.',
  removed: 'The owner has ended the place.',
  cancelled: 'The owner has ended the plan.',
  unpaid: 'It was not paid.',
  'no-access': 'There was no access in time.',
  problem: 'It did not work.',
  disputed: 'A bank took a payment back.',
}

/** One line of a timeline: what happened, what was written with it, and its colour. */
export interface TimelineLine {
  text: string
  said: string | null
  tone: 'herb' | 'honey' | 'beet' | 'gray'
}

export function lineOf({ kind, personName, note, amount }: TimelineEntry): TimelineLine {
  const who = personName ?? 'The site'
  const lines: Record<string, [text: string, tone: TimelineLine['tone'], said?: string | null]> = {
    paid: [`${who} paid ${formatMoney(amount)}`, 'herb'],
    'given-back': [`${formatMoney(amount)} went back to the member`, 'herb'],
    'access-given': [`${who} gave access`, 'gray'],
    'invitation-sent': [`${who} sent the invitation to ${note}`, 'gray'],
    'access-confirmed': [`${who}: “It works”`, 'herb'],
    'vault-version': [`${who} stored access in the vault, version ${note}`, 'gray'],
    'vault-login': [`${who} stored the account login, version ${note}`, 'gray'],
    'vault-opened': [`${who} opened version ${note} in the vault`, 'gray'],
    reported: [`${who} reported that something is wrong`, 'honey', note],
    fixed: [`${who}: “Fixed”`, 'herb', note],
    'not-fixed': [`${who}: “No, still not working”`, 'honey', note],
    contested: [`${who}: “It works”`, 'gray', note],
    'to-staff': ['It went to our team', 'gray'],
    works: [`${who}: “Yes, it works”`, 'herb', note],
    withdrawn: [`${who} withdrew the report`, 'gray'],
    'for-owner': ['Our team decided for the owner', 'gray', note],
    'for-member': ['Our team decided for the member', 'gray', note],
    'owner-silent': ['No answer from the owner in time', 'beet'],
    'member-silent': ['No answer from the member in time: it counts as fixed', 'herb'],
    'staff-silent': ['No decision of our team in time', 'beet'],
    'owner-ended': ['The place was ended while the problem was open', 'beet'],
  }
  const ended = (note && ENDINGS[note]) || null
  const [text, tone, said = null] = lines[kind] ?? ['The place ended', 'gray', ended]
  return { text, said, tone }
}
