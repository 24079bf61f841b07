import { keepPreviousData } from '@tanstack/react-query'
import { named, planName } from '#domain/plan-name.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const reportKeys = { all: ['reports'] } as const

/** The filter of the report list. */
export interface ReportFilter {
  /** True for closed reports, latest first; false for open ones, oldest first. */
  isClosed: boolean
  /** Only reports about or by this person. */
  person?: string | undefined
}

export type ReportDecision = 'none' | 'warned' | 'plan-hidden' | 'suspended'

/** A plan of the reported person; `isShared` is true if the reporter has or had a place in it. */
export interface ReportedPlan {
  id: string
  name: string
  status: 'active' | 'pending' | 'rejected'
  members: number
  isShared: boolean
}

export interface EarlierDecision {
  decision: ReportDecision
  finding: string
  decidedAt: string
}

/**
 * A report by one person about another. Times are ISO. The reporter is null once their account is deleted, the finding
 * until staff have closed the report.
 */
export type PersonReport = RowOf<
  'list_person_reports',
  'avatarUrl' | 'suspendedUntil' | 'reporterId' | 'reporterName' | 'decidedAt' | 'finding',
  { decision: ReportDecision | null; plans: ReportedPlan[]; earlier: EarlierDecision[] }
>

/** Reports about people. For staff. */
export const reportsQuery = ({ isClosed, person }: ReportFilter) =>
  query({
    key: [...reportKeys.all, { isClosed, person }],
    placeholderData: keepPreviousData,
    load: async (signal) => {
      const wanted = { p_closed: isClosed, p_person: person ?? null }
      return (await rpc('list_person_reports', wanted, signal)).map((row) => {
        const { plans, ...report } = camel<PersonReport>(row)
        return { ...report, plans: plans.map((plan) => ({ ...plan, name: planName(plan.name) })) }
      })
    },
  })

/** A message between the two people of a report. */
type ReportedMessage = RowOf<'read_reported_chat'>

/** Reads the chat of an open report. The staff log records each reading. */
export const readReportedChat = async (id: string) =>
  (await rpc('read_reported_chat', { p_report_id: id })).map((row) => named(camel<ReportedMessage>(row)))
