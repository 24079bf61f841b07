import type { Database } from '@potluck/supabase/types'
import { type Relation, relationTo } from '#domain/members.ts'
import type { Plan } from '#domain/plan.ts'
import { providerMaximum } from '#domain/slots.ts'
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
  login: (planId: string) => ['plans', 'one', planId, 'login'],
} as const

const FIVE_MINUTES = 5 * 60_000
const LISTS_PACE = 5000

/** All of a plan, and how its owner appears in their profile. */
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

/** The plans a person joined without owning them, latest joined first. */
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
      return rows.map(({ id, joined_at, plan }) => ({
        membershipId: id,
        joinedAt: joined_at,
        plan: toPlan(plan),
      }))
    },
  })

export interface PlanPage {
  plan: Plan
  relation: Relation
}

/** A plan and what the person is to it. Fails with PLAN_NOT_FOUND when there is no such plan they may see. */
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
      if (!row) throw new AppError(PLAN_NOT_FOUND, "Subscription not found or you don't have access")
      const ownsPlan = owns ?? row.owner_id === userId
      // An owner is one whether or not the members can be read.
      if (memberships.error && !ownsPlan) throw toAppError(memberships.error)
      return { plan: toPlan(row), relation: relationTo(ownsPlan, userId, memberships.data ?? []) }
    },
  })

/** The name people sign in with at the provider, or null while the owner has not told it. */
export const accountLoginQuery = (planId: string) =>
  query({
    key: planKeys.login(planId),
    load: async (signal) => {
      const wanted = read('subscription_logins').select('login_name').eq('subscription_id', planId)
      return unwrap(await wanted.abortSignal(signal).maybeSingle())?.login_name ?? null
    },
  })

async function loadPlan(planId: string, signal: AbortSignal): Promise<PlanRow | null> {
  const wanted = read('shared_subscriptions').select(PLAN).eq('id', planId)
  return unwrap(await wanted.abortSignal(signal).maybeSingle())
}

/** Asked up to three times; undefined leaves the decision to owner_id. */
async function askOwnership(planId: string, signal: AbortSignal): Promise<boolean | undefined> {
  for (let attempt = 1; attempt <= 3 && !signal.aborted; attempt++) {
    const owns = await rpc('is_subscription_owner', { subscription_id_param: planId }, signal).catch(
      () => undefined,
    )
    if (owns !== undefined) return owns
  }
  return undefined
}

async function askMemberships(planId: string, userId: string, signal: AbortSignal) {
  const wanted = read('subscription_members').select('userId:user_id').eq('subscription_id', planId)
  return wanted.eq('user_id', userId).abortSignal(signal)
}

/** A stored plan as the screens know it. */
export function toPlan(row: PlanRow): Plan {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    category: row.category,
    status: row.status,
    description: row.description,
    ownerId: row.owner_id,
    ownerName: row.profile?.display_name || row.owner,
    ownerAvatarUrl: row.profile?.avatar_url ?? null,
    currency: row.currency,
    totalPrice: row.total_price,
    memberPrice: row.member_price,
    cycle: row.billing_cycle,
    settlement: row.settlement,
    feeRate: row.fee_rate,
    currentMembers: row.current_members,
    ownerMaxMembers: row.owner_max_members,
    providerMaxMembers: providerMaximum(row),
    waiting: row.waiting,
    isPrivate: row.is_private,
    instantFrom: row.instant_from,
    nextPayment: row.next_payment,
    createdAt: row.created_at,
  }
}
