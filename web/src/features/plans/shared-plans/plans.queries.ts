import { t } from '@lingui/core/macro'
import type { Database } from '@potluck/supabase/types'
import { type Relation, relationTo } from '#domain/members.ts'
import { cycleOf, type Plan } from '#domain/plan.ts'
import { providerMaximum } from '#domain/slots.ts'
import { camel, type TableRow } from '#lib/camel.ts'
import { AppError, PLAN_NOT_FOUND, toAppError, unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, rpc } from '#lib/supabase.ts'

export const planKeys = {
  all: ['plans'],
  lists: ['plans', 'list'],
  owned: (userId: string) => ['plans', 'list', 'owned', userId],
  joined: (userId: string) => ['plans', 'list', 'joined', userId],
  ofId: (planId: string) => ['plans', 'one', planId],
  page: (planId: string, userId: string) => ['plans', 'one', planId, 'page', userId],
} as const

const FIVE_MINUTES = 5 * 60_000
const LISTS_PACE = 5000

/** The whole plan, with its owner's name and picture. */
const PLAN = '*, profile:user_profiles!shared_subscriptions_owner_id_fkey(display_name, avatar_url)'

export type PlanRow = Database['public']['Tables']['shared_subscriptions']['Row'] & {
  profile: { display_name: string | null; avatar_url: string | null } | null
}

/** The plans a person shares, newest first. */
export const ownedPlansQuery = (userId: string) =>
  query({
    key: planKeys.owned(userId),
    seen: true,
    pace: LISTS_PACE,
    load: async (signal) => {
      const wanted = read('shared_subscriptions').select(PLAN).eq('owner_id', userId)
      return unwrap(await wanted.order('created_at', { ascending: false }).abortSignal(signal)).map(toPlan)
    },
  })

export interface JoinedPlan {
  membershipId: string
  /** ISO timestamp. */
  joinedAt: string
  plan: Plan
}

/** The plans a person has joined but does not own, last joined first. */
export const joinedPlansQuery = (userId: string) =>
  query({
    key: planKeys.joined(userId),
    seen: true,
    pace: LISTS_PACE,
    load: async (signal): Promise<JoinedPlan[]> => {
      const wanted = read('subscription_members')
        .select(`id, subscription_id, joined_at, plan:shared_subscriptions!inner(${PLAN})`)
        .eq('user_id', userId)
        .not('is_owner', 'is', true)
      const rows = unwrap(await wanted.order('joined_at', { ascending: false }).abortSignal(signal))
      return rows.map((row) => ({ membershipId: row.id, joinedAt: row.joined_at, plan: toPlan(row.plan) }))
    },
  })

export interface PlanPage {
  plan: Plan
  relation: Relation
}

/** A plan and the person's relation to it. Fails with PLAN_NOT_FOUND if they may not see it. */
export const planPageQuery = (planId: string, userId: string) =>
  query({
    key: planKeys.page(planId, userId),
    seen: true,
    staleTime: FIVE_MINUTES,
    pace: 2000,
    load: async (signal): Promise<PlanPage> => {
      const [row, owns, memberships] = await Promise.all([
        loadPlan(planId, signal),
        askOwnership(planId, signal),
        askMemberships(planId, userId, signal),
      ])
      if (!row) throw new AppError(PLAN_NOT_FOUND, t`Subscription not found or you don't have access`)
      const ownsPlan = owns ?? row.owner_id === userId
      // An owner sees the plan even if the memberships cannot be read.
      if (memberships.error && !ownsPlan) throw toAppError(memberships.error)
      return { plan: toPlan(row), relation: relationTo(ownsPlan, userId, memberships.data ?? []) }
    },
  })

async function loadPlan(planId: string, signal: AbortSignal): Promise<PlanRow | null> {
  const wanted = read('shared_subscriptions').select(PLAN).eq('id', planId)
  return unwrap(await wanted.abortSignal(signal).maybeSingle())
}

/** Asks the database up to three times whether the person owns the plan; undefined if every attempt fails. */
async function askOwnership(planId: string, signal: AbortSignal): Promise<boolean | undefined> {
  for (let attempt = 1; attempt <= 3 && !signal.aborted; attempt++) {
    const asked = rpc('is_subscription_owner', { subscription_id_param: planId }, signal)
    const owns = await asked.catch(() => undefined)
    if (owns !== undefined) return owns
  }
}

async function askMemberships(planId: string, userId: string, signal: AbortSignal) {
  const wanted = read('subscription_members').select('userId:user_id').eq('subscription_id', planId)
  return wanted.eq('user_id', userId).abortSignal(signal)
}

/** Converts a stored plan for the screens. */
export const toPlan = ({ profile, ...row }: PlanRow): Plan => ({
  ...camel<TableRow<'shared_subscriptions'>>(row),
  ownerName: profile?.display_name || row.owner,
  ownerAvatarUrl: profile?.avatar_url ?? null,
  cycle: cycleOf(row.billing_cycle, row.cycle_months),
  providerMaxMembers: providerMaximum(row),
})
