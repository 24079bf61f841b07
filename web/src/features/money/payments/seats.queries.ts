import type { Database } from '@potluck/supabase/types'
import * as z from 'zod/mini'
import { type OwnSeat, type PlanSeat, SEAT_STATUSES } from '#domain/seats.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const seatKeys = {
  all: ['seats'],
  own: (userId: string) => ['seats', 'own', userId],
  owed: (userId: string) => ['seats', 'owed', userId],
  ofPlan: (planId: string) => ['seats', 'plan', planId],
  proposals: (planId: string) => ['seats', 'proposals', planId],
  quote: (planId: string) => ['seats', 'quote', planId],
} as const

type Functions = Database['public']['Functions']
const settlement = z.enum(['direct', 'potluck'])
const status = z.enum(SEAT_STATUSES)

/** A person's places in plans, those that have ended left out. */
export const ownSeatsQuery = (userId: string) =>
  query({
    key: seatKeys.own(userId),
    seen: true,
    load: async (signal): Promise<OwnSeat[]> => {
      const rows = await rpc('my_seats', {}, signal)
      return rows.filter((row) => row.ended_at === null).map(toOwnSeat)
    },
  })

/** The places for which an owner owes a person money, those that have ended too. */
export const owedSeatsQuery = (userId: string) =>
  query({
    key: seatKeys.owed(userId),
    seen: true,
    load: async (signal): Promise<OwnSeat[]> => {
      const rows = await rpc('my_seats', {}, signal)
      return rows.filter((row) => row.owed_back > 0).map(toOwnSeat)
    },
  })

function toOwnSeat(row: Functions['my_seats']['Returns'][number]): OwnSeat {
  return {
    id: row.id,
    planId: row.subscription_id,
    planName: `${row.provider} ${row.plan_name}`,
    memberPrice: row.share,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    settlement: settlement.parse(row.settlement),
    status: status.parse(row.status),
    paidUntil: row.paid_until,
    endsAt: row.ends_at,
    ...toAccess(row),
    coinsFirst: row.coins_first,
    mayStay: row.may_stay,
  }
}

type SeatRow = Functions['my_seats' | 'plan_seats']['Returns'][number]

const toAccess = (row: SeatRow) => ({
  admittedAt: row.admitted_at,
  accessGivenAt: row.access_given_at,
  accessDueAt: row.access_due_at,
  invitedAddress: row.invited_address,
  accessWorks: row.access_works,
  problemId: row.problem_id,
  owedBack: row.owed_back,
})

/** The places of a plan's members, for its owner; those that have ended only where something is still owed. */
export const planSeatsQuery = (planId: string) =>
  query({
    key: seatKeys.ofPlan(planId),
    seen: true,
    load: async (signal): Promise<PlanSeat[]> => {
      const rows = await rpc('plan_seats', { p_subscription_id: planId }, signal)
      return rows.filter((row) => row.ended_at === null || row.owed_back > 0).map(toPlanSeat)
    },
  })

function toPlanSeat(row: Functions['plan_seats']['Returns'][number]): PlanSeat {
  return {
    id: row.id,
    memberId: row.member_id,
    memberName: row.member_name,
    avatarUrl: row.avatar_url,
    memberPrice: row.share,
    settlement: settlement.parse(row.settlement),
    status: status.parse(row.status),
    paidUntil: row.paid_until,
    unpaidSince: row.unpaid_since,
    endsAt: row.ends_at,
    ...toAccess(row),
    held: row.held,
    earned: row.earned,
    nextRelease: row.next_release,
  }
}

const quoteSchema = z.object({
  settlement,
  billingCycle: z.enum(['monthly', 'yearly']),
  share: z.number(),
  fee: z.number(),
  sum: z.number(),
  /** Of a yearly plan: the sums of its twelve months. */
  instalments: z.nullable(z.array(z.number())),
})

/** What a month in a plan costs, in EUR. */
export type Quote = z.infer<typeof quoteSchema>

/** What a place in a plan costs, before anybody asks for it. */
export const quoteQuery = (planId: string) =>
  query({
    key: seatKeys.quote(planId),
    load: async (signal): Promise<Quote> =>
      quoteSchema.parse(await rpc('quote_plan', { p_subscription_id: planId }, signal)),
  })
