import { queryOptions } from '@tanstack/react-query'
import { inListOrder, type Member } from '#domain/members.ts'
import { withDeadline } from '#lib/deadline.ts'
import { ABORTED, toAppError, unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'

export const membershipKeys = {
  all: ['memberships'],
  ofPlan: (planId: string) => ['memberships', 'plan', planId],
} as const

const THREE_MINUTES = 180_000
export const MOST_ATTEMPTS = 5

/** Missing column, table or function, no permission, invalid syntax (ERR-26). */
const SCHEMA_CODES = new Set([
  '42703',
  '42P01',
  '42883',
  'PGRST200',
  'PGRST202',
  'PGRST204',
  'PGRST205',
  '42501',
  '22P02',
])

/** True for a failure that asking again will hardly cure and that people are not told about (ERR-26, PLAN-24). */
export function isSchemaProblem(problem: unknown): boolean {
  return SCHEMA_CODES.has(toAppError(problem).code)
}

/** The people of a plan, owner first, then earliest joined (PLAN-12). */
export const membersQuery = (planId: string) =>
  queryOptions({
    queryKey: membershipKeys.ofPlan(planId),
    staleTime: THREE_MINUTES,
    retry: shouldAskAgain,
    retryDelay: (failures, problem) =>
      isSchemaProblem(problem) ? 5000 : Math.min(1000 * 2 ** failures, 8000),
    queryFn: ({ signal }) =>
      withDeadline(signal, async (until) => {
        const wanted = supabase()
          .from('subscription_members')
          .select(
            'user_id, name, email, is_owner, joined_at, profile:user_profiles(display_name, avatar_url)',
          )
          .eq('subscription_id', planId)
          .order('is_owner', { ascending: false })
          .order('joined_at')
        return inListOrder(unwrap(await wanted.abortSignal(until)).map(toMember))
      }),
  })

/** LIMIT-07: five attempts in all; a schema problem is asked about once more. */
function shouldAskAgain(failures: number, problem: Error): boolean {
  if (toAppError(problem).code === ABORTED) return false
  return isSchemaProblem(problem) ? failures < 1 : failures < MOST_ATTEMPTS - 1
}

interface MemberRow {
  user_id: string
  name: string | null
  email: string | null
  is_owner: boolean | null
  joined_at: string
  profile: { display_name: string | null; avatar_url: string | null } | null
}

function toMember(row: MemberRow): Member {
  const name = row.name || row.email?.split('@')[0] || 'Member'
  return {
    userId: row.user_id,
    name,
    displayName: row.profile?.display_name || name,
    email: row.email ?? '',
    avatarUrl: row.profile?.avatar_url ?? null,
    isOwner: row.is_owner ?? false,
    isAdmin: row.is_owner ?? false,
    joinedAt: row.joined_at,
  }
}
