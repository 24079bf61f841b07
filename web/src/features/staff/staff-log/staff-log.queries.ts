import type { Database } from '@potluck/supabase/types'
import { keepPreviousData } from '@tanstack/react-query'
import { pagedQuery } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 50

/** One thing that somebody of the staff did. */
export type LogLine = Database['public']['Functions']['list_staff_log']['Returns'][number]

/** The log of staff, all or what is about one person, newest first, a page after the other. For super-admins. */
export const staffLogQuery = (person?: string) =>
  pagedQuery({
    key: ['staff-log', person ?? 'all'],
    placeholderData: keepPreviousData,
    size: PAGE_SIZE,
    load: ({ after }, signal): Promise<LogLine[]> =>
      rpc(
        'list_staff_log',
        { p_before: after?.line ?? null, p_limit: PAGE_SIZE, p_person: person ?? null },
        signal,
      ),
  })
