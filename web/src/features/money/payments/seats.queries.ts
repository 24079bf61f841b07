import type { Database } from '@potluck/supabase/types'
import * as z from 'zod/mini'
import { type BillingCycle, cycleOf, type Settlement } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import type { OwnSeat, PlanSeat, SeatStatus } from '#domain/seats.ts'
import { sellerSchema } from '#features/account/sellers/sellers.queries.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const seatKeys = {
  all: ['seats'],
  own: (userId: string) => ['seats', 'own', userId],
  ofPlan: (planId: string) => ['seats', 'plan', planId],
  proposals: (planId: string) => ['seats', 'proposals', planId],
  quote: (planId: string) => ['seats', 'quote', planId],
  // Not under 'seats': answering a proposal reloads those keys, and an answered proposal has no quote.
  termsQuote: (proposalId: string) => ['terms-quote', proposalId],
} as const

type Functions = Database['public']['Functions']
type MayBeNull =
  | 'paidUntil'
  | 'endsAt'
  | 'admittedAt'
  | 'accessGivenAt'
  | 'accessDueAt'
  | 'invitedAddress'
  | 'problemId'
  | 'pausedUntil'
  | 'pauseEndsPlace'
type Narrowed = { settlement: Settlement; status: SeatStatus }

/** A person's current places in plans. */
export const ownSeatsQuery = (userId: string) =>
  query({
    key: seatKeys.own(userId),
    seen: true,
    load: async (signal): Promise<OwnSeat[]> => {
      const rows = await rpc('my_seats', {}, signal)
      return rows.filter((row) => row.ended_at === null).map(toOwnSeat)
    },
  })

const toOwnSeat = (row: Functions['my_seats']['Returns'][number]): OwnSeat => ({
  ...camel<RowOf<'my_seats', MayBeNull | 'withdrawUntil' | 'beginsAtOnceAt' | 'backNow', Narrowed>>(row),
  planId: row.subscription_id,
  planName: `${row.provider} ${planName(row.plan_name)}`,
  memberPrice: row.share,
  cycle: cycleOf(row.billing_cycle as BillingCycle | 'months', row.cycle_months),
})

/** The places of a plan's members, for its owner. An ended place is included only if either side still owes money. */
export const planSeatsQuery = (planId: string) =>
  query({
    key: seatKeys.ofPlan(planId),
    seen: true,
    load: async (signal): Promise<PlanSeat[]> => {
      const rows = await rpc('plan_seats', { p_subscription_id: planId }, signal)
      return rows
        .filter((row) => row.ended_at === null || row.owed_back > 0 || row.unpaid_since !== null)
        .map(toPlanSeat)
    },
  })

const toPlanSeat = (row: Functions['plan_seats']['Returns'][number]): PlanSeat => ({
  ...camel<
    RowOf<
      'plan_seats',
      | MayBeNull
      | 'avatarUrl'
      | 'part'
      | 'carriedBy'
      | 'claimedName'
      | 'unpaidSince'
      | 'mayEndOver'
      | 'mayEndFrom'
      | 'nextRelease',
      Narrowed
    >
  >(row),
  memberPrice: row.share,
})

const quoteSchema = z.object({
  settlement: z.enum(['direct', 'potluck']),
  /** The number of months that one payment covers, and the price of the days left in this cycle; of an own plan. */
  ...{ cycleMonths: z.nullable(z.number()), first: z.nullable(z.number()) },
  share: z.number(),
  fee: z.number(),
  sum: z.number(),
  /** The total of a yearly plan, and its twelve monthly sums. */
  year: z.nullable(z.number()),
  instalments: z.nullable(z.array(z.number())),
  /** True if the fee includes VAT. */
  vat: z.boolean(),
  currency: z.string(),
  seller: z.nullable(sellerSchema),
})

/** The cost of a month in a plan or, of an own plan, of its cycle. */
export type Quote = z.infer<typeof quoteSchema>

/** The cost of a place in a plan, for people who may request one. */
export const quoteQuery = (planId: string) =>
  query({
    key: seatKeys.quote(planId),
    load: async (signal): Promise<Quote> =>
      quoteSchema.parse(await rpc('quote_plan', { p_subscription_id: planId }, signal)),
  })

/** `carries`: the members for whom the member would pay too. */
const termsQuoteSchema = z.extend(quoteSchema, { carries: z.array(z.string()) })

/** The cost of a place on the terms that its member is asked to accept, from their next month on. */
export const termsQuoteQuery = (proposalId: string) =>
  query({
    key: seatKeys.termsQuote(proposalId),
    load: async (signal) =>
      termsQuoteSchema.parse(await rpc('quote_terms', { p_proposal_id: proposalId }, signal)),
  })
