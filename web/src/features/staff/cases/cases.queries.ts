import { keepPreviousData } from '@tanstack/react-query'
import { named, planName } from '#domain/plan-name.ts'
import type { Measure } from '#features/account/decisions/decisions.ts'
import { haveWords, inOurWords } from '#features/account/notifications/words.ts'
import type { Claim, Reported } from '#features/account/reports/reports.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const caseKeys = { all: ['cases'] } as const

/** The filter of the list of cases. */
export interface CaseFilter {
  /** True for closed cases, latest first; false for open ones, oldest first. */
  isClosed: boolean
  /** Only cases about or by this person. */
  person?: string | undefined
}

/** What came of a case: an answer, nothing, the measure of a decision, or whether a decision was upheld. */
export type Outcome = 'answered' | 'none' | 'upheld' | 'reversed' | Measure

/** A plan of the person; `isShared` is true if the writer has or had a place in it. */
export interface CasePlan {
  id: string
  name: string
  status: 'active' | 'pending' | 'rejected'
  members: number
  isShared: boolean
}

/** An earlier decision about the person, or a report that led to none; `said` is the text of a decision. */
export interface Earlier {
  measure: Outcome
  said: string
  decidedAt: string
  undone: boolean
}

/** The decision that an appeal is against, with the name of who made it. */
interface Appealed {
  said: string
  decidedAt: string
  decidedBy: string | null
}

/**
 * A case that staff decide. Times are ISO. The person is null for a question, the writer for a report without an account
 * and once their account is deleted. `mayCloseFrom` is 'infinity' if somebody else has to decide.
 */
export type Case = RowOf<
  'list_cases',
  | 'personId'
  | 'personName'
  | 'avatarUrl'
  | 'suspendedUntil'
  | 'writerId'
  | 'writerName'
  | 'writerEmail'
  | 'subjectId'
  | 'content'
  | 'closedAt'
  | 'closedByName'
  | 'answer'
  | 'mayCloseFrom',
  {
    kind: 'question' | 'appeal' | Reported
    claim: Claim | null
    outcome: Outcome | null
    plans: CasePlan[]
    earlier: Earlier[]
    decision: Appealed | null
  }
>

interface Stored {
  measure: Outcome
  params: Record<string, unknown> | null
  finding: string | null
  decidedAt: string
  undone: boolean
}

/** Returns what staff decided about a person before, with its words. The words must be loaded. */
export const toEarlier = (earlier: readonly Stored[]): Earlier[] =>
  earlier.map(({ params, finding, ...one }) => ({
    ...one,
    said: (params ? inOurWords('decision', params).message : finding) ?? '',
  }))

/** The cases of staff. */
export const casesQuery = ({ isClosed, person }: CaseFilter) =>
  query({
    key: [...caseKeys.all, { isClosed, person }],
    placeholderData: keepPreviousData,
    load: async (signal) => {
      const wanted = { p_closed: isClosed, p_person: person ?? null }
      const [rows] = await Promise.all([rpc('list_cases', wanted, signal), haveWords()])
      return rows.map((row): Case => {
        const one = camel<Case>(row)
        const decision = one.decision as (Appealed & Record<string, unknown>) | null
        return {
          ...one,
          plans: one.plans.map((plan) => ({ ...plan, name: planName(plan.name) })),
          earlier: toEarlier(one.earlier as unknown as Stored[]),
          decision: decision && { ...decision, said: inOurWords('decision', decision).message ?? '' },
        }
      })
    },
  })

/** A message between the two people of a report. */
type ReportedMessage = RowOf<'read_reported_chat'>

/** Reads the chat of an open report. The staff log records each reading. */
export const readReportedChat = async (id: string) =>
  (await rpc('read_reported_chat', { p_case_id: id })).map((row) => named(camel<ReportedMessage>(row)))
