import { keepPreviousData } from '@tanstack/react-query'
import { camel, type RowOf } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { type Sorting, sortedPage } from '#lib/sorting.ts'
import { read, rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 25

export const userKeys = {
  all: ['users'],
  list: (filter: UserFilter) => ['users', 'list', filter],
  name: (id: string) => ['users', 'name', id],
} as const

/** The filter of the account list. */
export interface UserFilter {
  /** Part of a name; empty for everybody. */
  search: string
  /** A role, or 'none' for people without one. */
  role?: string | undefined
  sorting?: Sorting | undefined
}

/** An account, for staff. The e-mail address is null for moderators. Times are ISO. */
export type ListedUser = RowOf<'list_users', 'email' | 'avatarUrl' | 'role'>

/** The accounts that match the filter, newest first, in pages. For staff. */
export const usersQuery = (filter: UserFilter) =>
  pagedQuery({
    key: userKeys.list(filter),
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: async ({ after }, signal): Promise<ListedUser[]> => {
      const { search: p_search, role: p_role = null, sorting } = filter
      const page = sorting
        ? sortedPage(sorting, 'id', after)
        : after && { p_before: after.createdAt, p_before_id: after.id }
      const rows = await rpc('list_users', { p_search, p_role, p_limit: PAGE_SIZE, ...page }, signal)
      return rows.map(camel<ListedUser>)
    },
  })

/** A person's name, which every signed-in person may read. */
export const personNameQuery = (id: string) =>
  query({
    key: userKeys.name(id),
    staleTime: 60_000,
    load: async (signal): Promise<string | null> => {
      const wanted = read('user_profiles').select('display_name').eq('user_id', id)
      return unwrap(await wanted.abortSignal(signal).maybeSingle())?.display_name ?? null
    },
  })
