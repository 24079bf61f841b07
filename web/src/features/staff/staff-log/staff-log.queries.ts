import { keepPreviousData } from '@tanstack/react-query'
import { camel, type RowOf } from '#lib/camel.ts'
import { pagedQuery } from '#lib/query.ts'
import { type Sorting, sortedPage } from '#lib/sorting.ts'
import { rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 50

/** One thing that somebody on the staff, or the server, did. */
export type LogLine = RowOf<'list_staff_log', 'actor' | 'actorName' | 'subjectName', { details: object }>

/** The staff log, all of it or what concerns one person, newest first, page by page. For super-admins. */
export const staffLogQuery = (person?: string, sorting?: Sorting) =>
  pagedQuery<LogLine>({
    key: ['staff-log', person ?? 'all', sorting],
    placeholderData: keepPreviousData,
    size: PAGE_SIZE,
    load: async ({ after }, signal) => {
      const page = sorting ? sortedPage(sorting, 'line', after) : { p_before: after?.line ?? null }
      const wanted = { p_limit: PAGE_SIZE, p_person: person ?? null, ...page }
      return (await rpc('list_staff_log', wanted, signal)).map(camel<LogLine>)
    },
  })
