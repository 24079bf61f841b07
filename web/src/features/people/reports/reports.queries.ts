import type { Database } from '@potluck/supabase/types'
import { keepPreviousData } from '@tanstack/react-query'
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

/** What people report about each other. For staff. */
export const reportsQuery = ({ isClosed, person }: ReportWish) =>
  query({
    key: [...reportKeys.all, { isClosed, person }],
    placeholderData: keepPreviousData,
    load: async (signal): Promise<PersonReport[]> =>
      rpc('list_person_reports', { p_closed: isClosed, p_person: person ?? null }, signal),
  })

type Row = Database['public']['Functions']['list_person_reports']['Returns'][number]
export type PersonReport = Omit<
  Row,
  'reporter_id' | 'reporter_name' | 'avatar_url' | 'decided_at' | 'finding'
> & {
  avatar_url: string | null
  /** Null for somebody who has left. */
  reporter_id: string | null
  reporter_name: string | null
  /** What staff found, once it has looked. */
  decided_at: string | null
  finding: string | null
}
