import { t } from '@lingui/core/macro'
import { inListOrder, type Member } from '#domain/members.ts'
import type { Plan } from '#domain/plan.ts'
import { nameOfAddress } from '#domain/text.ts'
import { ABORTED, isSchemaProblem, toAppError, unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

export const membershipKeys = {
  all: ['memberships'],
  ofPlan: (planId: string) => ['memberships', 'plan', planId],
} as const

const THREE_MINUTES = 180_000
export const MOST_ATTEMPTS = 5

/** The people on a plan: the owner first, then the others in the order in which they joined. */
export const membersQuery = (planId: string) =>
  query({
    key: membershipKeys.ofPlan(planId),
    seen: true,
    staleTime: THREE_MINUTES,
    pace: 2000,
    retry: shouldAskAgain,
    retryDelay: (failures, problem) =>
      isSchemaProblem(problem) ? 5000 : Math.min(1000 * 2 ** failures, 8000),
    load: async (signal): Promise<Member[]> => {
      const wanted = read('subscription_members')
        .select('user_id, name, email, is_owner, joined_at, profile:user_profiles(display_name, avatar_url)')
        .eq('subscription_id', planId)
        .order('is_owner', { ascending: false })
        .order('joined_at')
      const members = unwrap(await wanted.abortSignal(signal)).map(({ profile, ...row }) => {
        const name = row.name || nameOfAddress(row.email ?? '') || t`Member`
        return {
          userId: row.user_id,
          name,
          displayName: profile?.display_name || name,
          email: row.email ?? '',
          avatarUrl: profile?.avatar_url ?? null,
          isOwner: row.is_owner ?? false,
          isAdmin: row.is_owner ?? false,
          joinedAt: row.joined_at,
        }
      })
      return inListOrder(members)
    },
  })

/** True if a failed load should be retried: up to five attempts in all, after a schema problem only two. */
function shouldAskAgain(failures: number, problem: Error): boolean {
  if (toAppError(problem).code === ABORTED) return false
  return isSchemaProblem(problem) ? failures < 1 : failures < MOST_ATTEMPTS - 1
}

/** The owner as a member, for whoever cannot read that row. */
export const ownerOf = (plan: Plan): Member => ({
  userId: plan.ownerId,
  name: plan.ownerName,
  displayName: plan.ownerName,
  email: '',
  avatarUrl: null,
  isOwner: true,
  isAdmin: true,
  joinedAt: plan.createdAt,
})
