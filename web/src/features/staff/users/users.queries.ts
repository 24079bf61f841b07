import { keepPreviousData } from '@tanstack/react-query'
import type { Role } from '#domain/roles.ts'
import { unwrap } from '#lib/errors.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { read, rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 25

export const userKeys = {
  all: ['users'],
  list: (wish: UserWish) => ['users', 'list', wish],
  name: (id: string) => ['users', 'name', id],
} as const

/** Which accounts are wanted. */
export interface UserWish {
  /** Part of a name; empty for everybody. */
  search: string
  /** A role, or 'none' for people without one. */
  role?: string | undefined
}

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

/** The accounts that fit, newest first, a page after the other. For staff. */
export const usersQuery = (wish: UserWish) =>
  pagedQuery({
    key: userKeys.list(wish),
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: async ({ after }, signal): Promise<ListedUser[]> => {
      const behind = after && { p_before: after.createdAt, p_before_id: after.id }
      const rows = await rpc(
        'list_users',
        { p_search: wish.search, p_role: wish.role ?? null, p_limit: PAGE_SIZE, ...behind },
        signal,
      )
      return rows.map(({ display_name, avatar_url, created_at, ...row }) => ({
        ...row,
        name: display_name,
        avatarUrl: avatar_url,
        createdAt: created_at,
      }))
    },
  })

/** What somebody is called, as everybody signed in may know. */
export const personNameQuery = (id: string) =>
  query({
    key: userKeys.name(id),
    staleTime: 60_000,
    load: async (signal): Promise<string | null> => {
      const wanted = read('user_profiles').select('display_name').eq('user_id', id)
      return unwrap(await wanted.abortSignal(signal).maybeSingle())?.display_name ?? null
    },
  })
