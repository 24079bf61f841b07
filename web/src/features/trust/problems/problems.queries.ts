import { t } from '@lingui/core/macro'
import type { Database } from '@potluck/supabase/types'
import { keepPreviousData } from '@tanstack/react-query'
import { named } from '#domain/plan-name.ts'
import type { Problem } from '#domain/problems.ts'
import { camel, type RowOf, type TableRow } from '#lib/camel.ts'
import { AppError, NOT_FOUND, unwrap } from '#lib/errors.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { inOrder, type Sorting } from '#lib/sorting.ts'
import { read, rpc } from '#lib/supabase.ts'

export const problemKeys = {
  all: ['problems'],
  one: (problemId: string) => ['problems', 'one', problemId],
  timeline: (problemId: string) => ['problems', 'timeline', problemId],
  ofPlan: (planId: string, userId: string) => ['problems', 'plan', planId, userId],
  waiting: ['problems', 'staff', 'waiting'],
  closed: (person?: string) => ['problems', 'staff', 'closed', person ?? 'all'],
} as const

const PAGE_SIZE = 20
const MOST_PER_PLAN = 50

const PROBLEM =
  '*, owner:user_profiles!seat_problems_owner_id_fkey(display_name), member:user_profiles!seat_problems_member_id_fkey(display_name), payment:member_payments!seat_problems_payment_id_fkey(settlement)'

interface Person {
  display_name: string | null
}
type ProblemRow = Database['public']['Tables']['seat_problems']['Row'] & {
  owner: Person | null
  member: Person | null
  payment: Pick<Problem, 'settlement'> | null
}

const toProblem = ({ owner, member, payment, ...row }: ProblemRow): Problem => ({
  ...named(camel<TableRow<'seat_problems'>>(row)),
  planId: row.subscription_id,
  ownerName: owner?.display_name || t`The owner`,
  memberName: member?.display_name || t`The member`,
  settlement: payment?.settlement ?? 'potluck',
  turn: row.status,
})

/** One problem, for both sides and staff. Fails with PT404 for anybody else. */
export const problemQuery = (problemId: string) =>
  query({
    key: problemKeys.one(problemId),
    load: async (signal): Promise<Problem> => {
      const wanted = read('seat_problems').select(PROBLEM).eq('id', problemId)
      const row = unwrap(await wanted.abortSignal(signal).maybeSingle())
      if (!row) throw new AppError(NOT_FOUND, t`This problem is not known, or it is not yours.`)
      return toProblem(row)
    },
  })

/** A plan's problems to which the person is a party, newest first. */
export const planProblemsQuery = (planId: string, userId: string) =>
  query({
    key: problemKeys.ofPlan(planId, userId),
    load: async (signal): Promise<Problem[]> => {
      const wanted = read('seat_problems')
        .select(PROBLEM)
        .eq('subscription_id', planId)
        .or(`member_id.eq.${userId},owner_id.eq.${userId}`)
      const page = wanted.order('reported_at', { ascending: false }).limit(MOST_PER_PLAN)
      return unwrap(await page.abortSignal(signal)).map(toProblem)
    },
  })

/** The problems that wait for staff, oldest first. For admins. */
export const waitingProblemsQuery = query({
  key: problemKeys.waiting,
  load: async (signal): Promise<Problem[]> => {
    const wanted = read('seat_problems').select(PROBLEM).eq('status', 'staff')
    return unwrap(await wanted.order('due_at').abortSignal(signal)).map(toProblem)
  },
})

/** Closed problems, all or one person's, latest first, in pages. For admins. */
export const closedProblemsQuery = (person?: string, sorting?: Sorting) =>
  pagedQuery<Problem>({
    key: [...problemKeys.closed(person), sorting],
    placeholderData: keepPreviousData,
    size: PAGE_SIZE,
    load: async ({ after }, signal) => {
      let wanted = read('seat_problems').select(PROBLEM).eq('status', 'closed')
      if (person) wanted = wanted.or(`member_id.eq.${person},owner_id.eq.${person}`)
      if (after?.closedAt && !sorting)
        wanted = wanted
          .lte('closed_at', after.closedAt)
          .or(`closed_at.lt."${after.closedAt}",id.lt."${after.id}"`)
      const page = sorting
        ? inOrder(wanted, sorting, 'id', after)
        : wanted.order('closed_at', { ascending: false }).order('id', { ascending: false })
      return unwrap(await page.limit(PAGE_SIZE).abortSignal(signal)).map(toProblem)
    },
  })

/** An event around a problem: money, access or a statement. The amount is in EUR; the name is null for the site. */
export type TimelineEntry = RowOf<'problem_timeline', 'personId' | 'personName' | 'note' | 'amount'>

/** The events around a problem, oldest first, the same for both sides and staff. */
export const timelineQuery = (problemId: string) =>
  query({
    key: problemKeys.timeline(problemId),
    load: async (signal) =>
      (await rpc('problem_timeline', { p_problem_id: problemId }, signal)).map(camel<TimelineEntry>),
  })
