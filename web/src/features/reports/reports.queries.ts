import type { Database } from '@potluck/supabase/types'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

/** Those about people that staff has to look at, the oldest first. */
export const reportsQuery = query({
  key: ['reports'],
  load: async (signal): Promise<PersonReport[]> => rpc('list_person_reports', {}, signal),
})

type Row = Database['public']['Functions']['list_person_reports']['Returns'][number]
export type PersonReport = Omit<Row, 'reporter_id' | 'reporter_name' | 'avatar_url'> & {
  avatar_url: string | null
  /** Null for somebody who has left. */
  reporter_id: string | null
  reporter_name: string | null
}
