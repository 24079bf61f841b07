/** Problems with access that members report. All times are ISO timestamps. */

import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
export const REASONS = {
  'sign-in': t`I can’t sign in`,
  password: t`The password doesn’t work`,
  invitation: t`The invitation is missing or doesn’t work`,
  'in-use': t`All screens are in use`,
  removed: t`I was removed from the plan`,
  code: t`I’m asked for a code`,
  household: t`It says I’m not in the household`,
  other: t`Something else`,
} as const
export type Reason = keyof typeof REASONS

/** The reasons as headings, which both sides and staff read. */
export const PROBLEM_TITLES: Record<Reason, string> = {
  ...REASONS,
  'sign-in': t`Signing in doesn’t work`,
  removed: t`Removed from the plan`,
  code: t`The provider asks for a code`,
  household: t`The provider says it’s the wrong household`,
}

/** The side that has to act. */
type Turn = 'owner' | 'member' | 'staff' | 'closed'

type Outcome =
  | 'fixed'
  | 'withdrawn'
  | 'for-owner'
  | 'for-member'
  | 'owner-silent'
  | 'owner-ended'
  | 'staff-silent'

export interface Problem {
  id: string
  planId: string
  planName: string
  ownerId: string
  ownerName: string
  memberId: string
  memberName: string
  /** How the affected period was paid for. */
  settlement: 'direct' | 'potluck'
  reason: Reason
  /** The member's note. */
  note: string | null
  reportedAt: string
  turn: Turn
  /** The deadline of the side that has to act; null once the problem is closed. */
  dueAt: string | null
  outcome: Outcome | null
  closedAt: string | null
  /** Staff's reason for the decision. */
  decision: string | null
}

const HOUR = 3_600_000

/** The time by which staff aim to decide a problem with this deadline. */
export const aimOf = (dueAt: string): string =>
  new Date(
    Date.parse(dueAt) - (LIMITS.problemDecisionTimeHours - LIMITS.problemDecisionAimHours) * HOUR,
  ).toISOString()
