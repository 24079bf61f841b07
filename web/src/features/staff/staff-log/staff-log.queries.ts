import { keepPreviousData } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { planName } from '#domain/plan-name.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { pagedQuery } from '#lib/query.ts'
import { type Sorting, sortedPage } from '#lib/sorting.ts'
import { rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 50

/** An entry of the staff log: an action of a staff member or the server. */
export type LogLine = RowOf<'list_staff_log', 'actor' | 'actorName' | 'subjectName', { details: object }>

/** The staff log, newest first, in pages: all entries, or those about one person. For super-admins. */
export const staffLogQuery = (person?: string, sorting?: Sorting) =>
  pagedQuery<LogLine>({
    key: ['staff-log', person ?? 'all', sorting],
    placeholderData: keepPreviousData,
    size: PAGE_SIZE,
    load: async ({ after }, signal) => {
      const page = sorting ? sortedPage(sorting, 'line', after) : { p_before: after?.line ?? null }
      const wanted = { p_limit: PAGE_SIZE, p_person: person ?? null, ...page }
      return (await rpc('list_staff_log', wanted, signal)).map(camel<LogLine>).map(withPlanName)
    },
  })

/** True if the id of an entry's subject is a person's. A subject may also be a plan, with another kind of id. */
export const isPerson = (id: string) => z.guid().safeParse(id).success

const withPlanName = (line: LogLine): LogLine =>
  line.subjectName && !isPerson(line.subject) ? { ...line, subjectName: planName(line.subjectName) } : line
