import { keepPreviousData } from '@tanstack/react-query'
import type { Role } from '#domain/roles.ts'
import { pagedQuery } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 25

export const userKeys = {
  all: ['users'],
  list: (search: string) => ['users', 'list', search],
} as const

/** Somebody with an account, as staff sees them. */
export interface ListedUser {
  id: string
  name: string
  /** Null for moderators, who do not read it. */
  email: string | null
  avatarUrl: string | null
  role: Role
  /** ISO timestamp. */
  createdAt: string
}

/** The accounts whose name holds `search`, newest first, a page after the other. For staff. */
export const usersQuery = (search: string) =>
  pagedQuery({
    key: userKeys.list(search),
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: async ({ after }, signal): Promise<ListedUser[]> => {
      const behind = after && { p_before: after.createdAt, p_before_id: after.id }
      const rows = await rpc('list_users', { p_search: search, p_limit: PAGE_SIZE, ...behind }, signal)
      return rows.map(({ display_name, avatar_url, created_at, ...row }) => ({
        ...row,
        name: display_name,
        avatarUrl: avatar_url,
        createdAt: created_at,
      }))
    },
  })
