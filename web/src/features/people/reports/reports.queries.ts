import { keepPreviousData } from '@tanstack/react-query'
import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const reportKeys = { all: ['reports'] } as const

/** Which reports are wanted. */
export interface ReportWish {
  /** Those staff has looked at, the latest first, instead of those it has to look at, the oldest first. */
  isClosed: boolean
  /** About or by this person alone. */
  person?: string | undefined
}

/** A report by one person about another. Times are ISO; there is no reporter once they have left, no finding until staff has looked. */
export type PersonReport = RowOf<
  'list_person_reports',
  'avatarUrl' | 'reporterId' | 'reporterName' | 'decidedAt' | 'finding'
>

/** What people report about each other. For staff. */
export const reportsQuery = ({ isClosed, person }: ReportWish) =>
  query({
    key: [...reportKeys.all, { isClosed, person }],
    placeholderData: keepPreviousData,
    load: async (signal) => {
      const wanted = { p_closed: isClosed, p_person: person ?? null }
      return (await rpc('list_person_reports', wanted, signal)).map(camel<PersonReport>)
    },
  })
