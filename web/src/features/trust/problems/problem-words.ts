import { LIMITS } from '@potluck/supabase/limits'
import { fullDate } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { type Problem, REASONS, type Reason } from '#domain/problems.ts'
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
        title: viewer === 'owner' ? 'It is your turn' : `${ownerName} is to answer`,
        text: `Without an answer ${until} the place ends, and ${money}.`,
      }
    case 'member':
      return {
        title: viewer === 'member' ? 'Does it work again?' : `${memberName} looks whether it works`,
        text: `${viewer === 'owner' ? 'You say' : `${ownerName} says`} that it is fixed. Without a word from ${member} ${until} it counts as fixed. The time without access is not paid for.`,
      }
    case 'staff':
      return {
        title: 'Our team decides',
        text: `It aims at ${LIMITS.problemDecisionAimHours} hours, and both of you read why. Without a decision ${until} ${money}, and it is nobody’s fault.`,
      }
    case 'closed':
      return { title: 'Closed', text: outcomeText(problem, money) }
  }
}

/** What happens to the money for the time without access: the site gives it back, or an owner who was paid directly owes it. */
export function moneyText({ settlement, ownerName, memberName }: Problem, viewer: Viewer): string {
  const member = viewer === 'member' ? 'you' : memberName
  if (settlement === 'potluck') return `what was paid for the time since the report goes back to ${member}`
  const owes = viewer === 'owner' ? 'you owe' : `${ownerName} owes`
  return `${owes} ${member} what was paid for the time since the report`
}

/** How a problem ended. */
function outcomeText({ outcome, ownerName, memberName }: Problem, money: string): string {
  switch (outcome) {
    case 'fixed':
      return 'It is fixed. The time from the report until then is not paid for.'
    case 'withdrawn':
      return `${memberName} has taken it back. It counts as if it had never been reported.`
    case 'for-owner':
      return `Our team decided for ${ownerName}. It counts as if it had never been reported.`
    case 'for-member':
      return `Our team decided for ${memberName}, so ${money}. The place has ended.`
    case 'owner-silent':
      return `${ownerName} did not answer in time, so ${money}. The place has ended.`
    case 'owner-ended':
      return `The place was ended while the problem was open, so ${money}.`
    default:
      return `Our team did not decide in time, which is nobody’s fault: ${money}. The place has ended.`
  }
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
  const line = (text: string, tone: TimelineLine['tone'], said: string | null = null) => ({
    text,
    said,
    tone,
  })
  switch (kind) {
    case 'paid':
      return line(`${who} paid ${formatMoney(amount)}`, 'herb')
    case 'given-back':
      return line(`${formatMoney(amount)} went back to the member`, 'herb')
    case 'access-given':
      return line(`${who} gave access`, 'gray')
    case 'invitation-sent':
      return line(`${who} sent the invitation to ${note}`, 'gray')
    case 'access-confirmed':
      return line(`${who}: “It works”`, 'herb')
    case 'vault-version':
      return line(`${who} stored access in the vault, version ${note}`, 'gray')
    case 'vault-opened':
      return line(`${who} opened version ${note} in the vault`, 'gray')
    case 'reported':
      return line(`${who} reported that something is wrong`, 'honey', note)
    case 'fixed':
      return line(`${who}: “Fixed”`, 'herb', note)
    case 'not-fixed':
      return line(`${who}: “No, it still does not work”`, 'honey', note)
    case 'contested':
      return line(`${who}: “It works”`, 'gray', note)
    case 'to-staff':
      return line('It went to our team', 'gray')
    case 'works':
      return line(`${who}: “Yes, it works”`, 'herb', note)
    case 'withdrawn':
      return line(`${who} took the report back`, 'gray')
    case 'for-owner':
      return line('Our team decided for the owner', 'gray', note)
    case 'for-member':
      return line('Our team decided for the member', 'gray', note)
    case 'owner-silent':
      return line('No answer from the owner in time', 'beet')
    case 'member-silent':
      return line('No answer from the member in time: it counts as fixed', 'herb')
    case 'staff-silent':
      return line('No decision of our team in time', 'beet')
    case 'owner-ended':
      return line('The place was ended while the problem was open', 'beet')
    default:
      return line('The place ended', 'gray', (note && ENDINGS[note]) || null)
  }
}

export const reasonText = (reason: Reason): string => REASONS[reason]
